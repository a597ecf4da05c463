"""Rows and exchanges for the tests: sound in every field, so that a test names what it is about."""

from typing import Any

from msgspec.structs import replace

from gossamer.records import Exchange, FoundLink, Outcome, PageRow
from gossamer.storage.schema import LinkColumns
from gossamer.urls import parse

_PAGE = PageRow(
    url="https://example.org/",
    site="example.org",
    host="example.org",
    site_hash=0,
    key=0,
    depth=1,
    parent="https://example.org/start",
    anchor="an anchor",
    via=("https://example.org/old",),
    outcome=Outcome.OK,
    detail="",
    status=200,
    fetched_at=1_700_000_000.25,
    seconds=0.5,
    tries=1,
    address="192.0.2.1",
    media_type="text/html",
    charset="utf-8",
    wire_bytes=100,
    body_bytes=200,
    truncated=False,
    etag='"abc"',
    last_modified="Mon, 01 Jan 2024 00:00:00 GMT",
    listed_modified="2023-12-31",
    location="",
    title="A title",
    description="A description",
    canonical="",
    language="en",
    text="A title\nThe text of a page.",
    classes="tp",
    directives=0,
    content_hash=-5,
    similarity_hash=7,
    link_count=2,
)


def page_row(address: str = "https://example.org/", **changes: Any) -> PageRow:
    url = parse(address)
    known = {
        "url": url.href,
        "site": url.site,
        "host": url.host,
        "site_hash": url.site_hash,
        "key": url.key,
    }
    return replace(_PAGE, **(known | changes))


def found_link(target: str, **changes: Any) -> FoundLink:
    return replace(FoundLink(parse(target), "anchor", False), **changes)


def link_batch(source: str, *links: FoundLink) -> Any:
    columns = LinkColumns()
    columns.add(source, links)
    return columns.batch()


def exchange(url: str = "https://example.org/", **changes: Any) -> Exchange:
    body = changes.get("body", b"<title>A title</title>The text of a page.")
    known: dict[str, Any] = {
        "url": url,
        "fetched_at": 1_700_000_000.25,
        "seconds": 0.5,
        "outcome": Outcome.OK,
        "status": 200,
        "status_line": "HTTP/1.1 200 OK",
        "headers": (
            ("Content-Type", "text/html"),
            ("Content-Length", str(len(body))),
        ),
        "body": body,
        "address": "192.0.2.1",
        "request_headers": (("Host", "example.org"), ("User-Agent", "Gossamer/0.1")),
    }
    return Exchange(**(known | changes))
