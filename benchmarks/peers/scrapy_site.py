"""Scrapy over one site: text by parsel and links by the stock LinkExtractor, or by selectolax.

python scrapy_site.py SEED FEED.jsonl [--selectolax] [--connections 8]
"""

import argparse
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from selectolax.lexbor import LexborHTMLParser


class ParselSpider(scrapy.Spider):  # type: ignore[misc, unused-ignore]
    """As the Scrapy tutorial does it."""

    name = "parsel"
    links = LinkExtractor(unique=True)

    def parse(self, response: Any) -> Iterator[Any]:
        text = response.xpath("//body//text()[not(parent::script or parent::style)]").getall()
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "description": response.css("meta[name=description]::attr(content)").get(),
            "text": " ".join(filter(None, map(str.strip, text))),
        }
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)


class SelectolaxSpider(scrapy.Spider):  # type: ignore[misc, unused-ignore]
    """The same with a faster parser."""

    name = "selectolax"

    def parse(self, response: Any) -> Iterator[Any]:
        tree = LexborHTMLParser(response.text)
        title = tree.css_first("title")
        description = tree.css_first("meta[name=description]")
        hrefs = {
            (node.attributes.get("href") or "").partition("#")[0] for node in tree.css("a[href]")
        }
        tree.strip_tags(["script", "style"])
        yield {
            "url": response.url,
            "title": title.text() if title else None,
            "description": description.attributes.get("content") if description else None,
            "text": tree.body.text(separator=" ", strip=True) if tree.body else "",
        }
        for href in hrefs:
            if href and not href.startswith(("mailto:", "javascript:")):
                yield scrapy.Request(response.urljoin(href))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed")
    parser.add_argument("feed")
    parser.add_argument("--selectolax", action="store_true")
    parser.add_argument("--connections", type=int, default=8)
    arguments = parser.parse_args()
    process = CrawlerProcess(
        {
            "AUTOTHROTTLE_ENABLED": False,
            "CONCURRENT_REQUESTS": arguments.connections,
            "CONCURRENT_REQUESTS_PER_DOMAIN": arguments.connections,
            "COOKIES_ENABLED": False,
            "DOWNLOAD_DELAY": 0,
            "FEEDS": {arguments.feed: {"format": "jsonlines", "encoding": "utf8"}},
            "LOGSTATS_INTERVAL": 0,
            "LOG_ENABLED": False,
            "MEMUSAGE_ENABLED": False,
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(
        SelectolaxSpider if arguments.selectolax else ParselSpider,
        start_urls=[arguments.seed],
        allowed_domains=[urlsplit(arguments.seed).hostname],
    )
    process.start()


if __name__ == "__main__":
    main()
