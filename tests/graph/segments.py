"""Segments of runs that nobody had to crawl: tables of pages and links, as stores give them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from gossamer.storage import schema
from gossamer.storage.pages import StoredSegment
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import from_href


class Row(NamedTuple):
    """A page that was visited."""

    url: str
    outcome: str = "ok"
    leads: str = ""  # where a redirect goes, or the canonical address of a page


class Link(NamedTuple):
    source: str
    target: str
    nofollow: bool = False
    boilerplate: bool = False


class Segment(NamedTuple):
    pages: Sequence[Row]
    links: Sequence[Link] = ()


class Store:
    """What `PageStore` offers to those who gather links."""

    def __init__(self, *segments: Segment, gone: Tombstones | None = None) -> None:
        self.segments = list(segments)
        self.gone = gone or Tombstones()
        self.read: list[int] = []  # the segments that were asked for

    def stored_segments(self) -> list[StoredSegment]:
        return [StoredSegment(number, f"{number}") for number in range(len(self.segments))]

    def forgotten(self) -> Tombstones:
        return self.gone

    def segment_pages(self, number: int, columns: Sequence[str]) -> Iterator[Any]:
        self.read.append(number)
        rows = [
            {
                "url": row.url,
                "key": from_href(row.url).key,
                "outcome": row.outcome,
                "location": row.leads if row.outcome == "redirect" else "",
                "canonical": row.leads if row.outcome == "ok" else "",
            }
            for row in self.segments[number].pages
        ]
        if rows:
            kinds = pa.schema([schema.PAGES.field(name) for name in columns])
            yield pa.Table.from_pylist(rows, kinds)

    def segment_links(self, number: int, columns: Sequence[str]) -> Iterator[Any]:
        rows = [
            {**link._asdict(), "target_key": from_href(link.target).key, "anchor": ""}
            for link in self.segments[number].links
        ]
        kinds = pa.schema([schema.LINKS.field(name) for name in columns])
        # In two pieces: addresses come again in the second.
        for some in (rows[::2], rows[1::2]):
            if some:
                yield pa.Table.from_pylist(some, kinds)
