"""How do sites tell machines what they have: sitemaps and feeds?"""

import gzip
from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from email.utils import format_datetime
from typing import NamedTuple

from gossamer.demo.answers import XML, Answer
from gossamer.demo.html import text

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"


class Item(NamedTuple):
    """An entry of a feed."""

    title: str
    url: str
    day: date
    author: str
    summary: str


def sitemap(entries: Iterable[tuple[str, date]]) -> Answer:
    """Of URLs and the days of their last changes."""
    listed = sorted(entries)
    lines = [
        f"<url><loc>{text(url)}</loc><lastmod>{day.isoformat()}</lastmod></url>"
        for url, day in listed
    ]
    body = f'{_DECLARATION}<urlset xmlns="{_SITEMAPS}">\n' + "\n".join(lines) + "\n</urlset>\n"
    return Answer(body.encode(), XML, modified=max(day for _, day in listed))


def packed(answer: Answer) -> Answer:
    """The same as a gzip file: a file, not an encoding of the transfer."""
    return answer._replace(body=gzip.compress(answer.body, mtime=0), media_type="application/gzip")


def sitemap_index(parts: Iterable[tuple[str, date]]) -> Answer:
    listed = list(parts)
    lines = [
        f"<sitemap><loc>{text(url)}</loc><lastmod>{day.isoformat()}</lastmod></sitemap>"
        for url, day in listed
    ]
    body = f'{_DECLARATION}<sitemapindex xmlns="{_SITEMAPS}">\n' + "\n".join(lines)
    body += "\n</sitemapindex>\n"
    return Answer(body.encode(), XML, modified=max(day for _, day in listed))


def rss(title: str, url: str, description: str, items: Iterable[Item]) -> Answer:
    listed = list(items)
    lines = [
        f"<item><title>{text(item.title)}</title><link>{text(item.url)}</link>"
        f'<guid isPermaLink="true">{text(item.url)}</guid>'
        f"<dc:creator>{text(item.author)}</dc:creator>"
        f"<pubDate>{format_datetime(_moment(item.day), usegmt=True)}</pubDate>"
        f"<description>{text(item.summary)}</description></item>"
        for item in listed
    ]
    body = (
        f'{_DECLARATION}<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>\n'
        f"<title>{text(title)}</title><link>{text(url)}</link>"
        f"<description>{text(description)}</description><language>en</language>\n"
        + "\n".join(lines)
        + "\n</channel></rss>\n"
    )
    return Answer(
        body.encode(),
        "application/rss+xml; charset=utf-8",
        modified=max(item.day for item in listed),
    )


def atom(title: str, url: str, feed_url: str, items: Iterable[Item]) -> Answer:
    listed = list(items)
    newest = max(item.day for item in listed)
    lines = [
        f'<entry><title>{text(item.title)}</title><link href="{text(item.url)}"/>'
        f"<id>{text(item.url)}</id><updated>{_moment(item.day).isoformat()}</updated>"
        f"<author><name>{text(item.author)}</name></author>"
        f"<summary>{text(item.summary)}</summary></entry>"
        for item in listed
    ]
    body = (
        f'{_DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f'<title>{text(title)}</title><link href="{text(url)}"/>'
        f'<link rel="self" href="{text(feed_url)}"/><id>{text(url)}</id>'
        f"<updated>{_moment(newest).isoformat()}</updated>\n" + "\n".join(lines) + "\n</feed>\n"
    )
    return Answer(body.encode(), "application/atom+xml; charset=utf-8", modified=newest)


def _moment(day: date) -> datetime:
    return datetime.combine(day, time(6), UTC)
