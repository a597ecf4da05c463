"""Scrapy over many hosts, breadth first as its documentation says, until it has enough pages.

python scrapy_broad.py SEED PAGES FEED.jsonl

Names are found by way of the proxy in the environment (`http_proxy`).
"""

import argparse
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class BroadSpider(CrawlSpider):  # type: ignore[misc, unused-ignore]
    """Every link of every page."""

    name = "broad"
    rules = (Rule(LinkExtractor(unique=True), callback="read", follow=True),)

    def parse_start_url(self, response: Any, **_: Any) -> Any:
        return self.read(response)

    def read(self, response: Any) -> Any:
        text = response.xpath("//body//text()[not(parent::script or parent::style)]").getall()
        return {
            "url": response.url,
            "title": response.css("title::text").get(),
            "text": " ".join(filter(None, map(str.strip, text))),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed")
    parser.add_argument("pages", type=int)
    parser.add_argument("feed")
    arguments = parser.parse_args()
    process = CrawlerProcess(
        {
            "AUTOTHROTTLE_ENABLED": False,
            "CLOSESPIDER_PAGECOUNT": arguments.pages,
            "CONCURRENT_REQUESTS": 100,
            "COOKIES_ENABLED": False,
            # In breadth-first order, with the queue for broad crawls.
            "DEPTH_PRIORITY": 1,
            "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
            "DOWNLOAD_DELAY": 0,
            "FEEDS": {arguments.feed: {"format": "jsonlines", "encoding": "utf8"}},
            "LOGSTATS_INTERVAL": 0,
            "LOG_ENABLED": False,
            "MEMUSAGE_ENABLED": False,
            "REACTOR_THREADPOOL_MAXSIZE": 20,
            "RETRY_ENABLED": False,
            "ROBOTSTXT_OBEY": True,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(BroadSpider, start_urls=[arguments.seed])
    process.start()


if __name__ == "__main__":
    main()
