"""Every page of the sample web, found as a crawler finds them: from link to link."""

import re
from functools import cache
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from gossamer.demo.answers import Answer
from gossamer.demo.web import answer, hosts

_LAST_MONTH = "2026"


class Visit(NamedTuple):
    answer: Answer
    depth: int
    source: str
    """Where the first link to it was found."""


def ask(url: str) -> Answer:
    parts = urlsplit(url)
    return answer(parts.netloc, parts.path + (f"?{parts.query}" if parts.query else ""))


def tree(body: bytes) -> LexborHTMLParser:
    return LexborHTMLParser(body.decode())


def is_html(found: Answer) -> bool:
    return found.media_type.startswith("text/html")


def links(url: str, body: bytes) -> list[str]:
    """All that a browser would follow or load, without what is not of the web."""
    found = []
    for node in tree(body).css("a[href], link[href], img[src], form[action]"):
        target = node.attributes.get("href") or node.attributes.get("src")
        target = target or node.attributes.get("action") or ""
        if not target.startswith(("mailto:", "data:")):
            found.append(urldefrag(urljoin(url, target)).url)
    return found


@cache
def walked() -> dict[str, Visit]:
    """By URL. Of the calendar, which has no end, the first years."""
    seen: dict[str, Visit] = {}
    todo = [(f"http://{host}/", 0, "") for host in hosts()]
    for url, depth, source in todo:  # grows as it goes
        if url in seen:
            continue
        found = ask(url)
        seen[url] = Visit(found, depth, source)
        if found.location:
            todo.append((found.location, depth + 1, url))
        month = re.search(r"/calendar/(\d+)", url)
        if found.status == 200 and is_html(found) and not (month and month[1] >= _LAST_MONTH):
            todo += ((link, depth + 1, url) for link in links(url, found.body))
    return seen


def html_pages() -> dict[str, Answer]:
    return {
        url: visit.answer
        for url, visit in walked().items()
        if is_html(visit.answer) and visit.answer.status == 200
    }
