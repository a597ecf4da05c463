"""The reader of a run's segments: pages, links and raw bytes, without what is to be forgotten.
Of a page that was stored again in a later round, only the newest form is shown.

It opens what the manifest names at the moment of a call, so that readers and the roller never wait
for each other. A row is a dict of the columns in `schema`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple

from gossamer.errors import FormatError, StorageError, UsageError
from gossamer.records import Outcome
from gossamer.storage import schema
from gossamer.storage.coverage import (
    COVER_COLUMNS,
    Cover,
    Covers,
    covered_pages,
    without_covered,
    without_sources,
)
from gossamer.storage.manifest import Manifest, Segment
from gossamer.storage.objects import ObjectStore
from gossamer.storage.tables import Condition, Row, equal, read_tables, rows_of, starts_with
from gossamer.storage.tombstones import Takedowns, Tombstones
from gossamer.storage.warc import StoredResponse, read_response
from gossamer.urls import Url


class LinksTo(NamedTuple):
    """Who links to a URL."""

    number: int
    some: list[Row]


class StoredSegment(NamedTuple):
    """One segment, for those who remember what they have read."""

    number: int
    stamp: str  # another one whenever a reader would find other rows in it


class PageStore:
    """Reads one run. Damaged and missing files are faults (`FormatError`) that name the file."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    # Pages

    def pages(
        self,
        url_prefix: str = "",
        limit: int | None = None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[Row]:
        """The page rows in stored order; only the columns that are asked for are read."""
        return islice(_rows(self.page_tables(url_prefix, columns)), limit)

    def page_tables(
        self, url_prefix: str = "", columns: Sequence[str] | None = None
    ) -> Iterator[Any]:
        """The same as Arrow tables of bounded size."""
        conditions = [starts_with("url", url_prefix)] if url_prefix else []
        return self._page_tables(conditions, columns)

    def find(self, url: Url) -> Row | None:
        """The newest row of a URL."""
        conditions = [equal("site_hash", url.site_hash), equal("key", url.key)]
        return next(_rows(self._page_tables(conditions, newest_first=True)), None)

    def aliases(self, href: str) -> list[Row]:
        """The rows of the redirects that point to a URL."""
        conditions = [equal("location", href), equal("outcome", Outcome.REDIRECT.value)]
        return list(_rows(self._page_tables(conditions)))

    def named_canonical(self, href: str, most: int) -> list[str]:
        """The URLs of other pages that call this one their canonical address."""
        tables = self._page_tables([equal("canonical", href)], ["url"])
        found = dict.fromkeys(row["url"] for row in _rows(tables))
        return [url for url in found if url != href][:most]

    def raw(self, row: Mapping[str, Any]) -> StoredResponse | None:
        """The answer behind a row, as received: undoing content encodings is the caller's part.
        None where no answer came, where raw bytes are not kept, and for what is forgotten."""
        name, length = row["warc_file"], row["warc_length"]
        if not length or Takedowns.load(self._objects).after(0).covers(row):
            return None
        member = self._objects.get_range(name, row["warc_offset"], length)
        if member is None:
            raise FormatError(f"{name} is missing.")
        return read_response(member, name)

    # Links

    def links(self, source: str) -> list[Row]:
        """The link rows of a page, as they stood on it when it was last fetched."""
        with self._steady() as (segments, covers):
            for segment in reversed(segments):
                tables = self._links_of(segment, covers.of(segment), [equal("source", source)])
                if rows := list(_rows(tables)):
                    return rows
        return []

    def link_tables(
        self, source_prefix: str = "", columns: Sequence[str] | None = None
    ) -> Iterator[Any]:
        """The link rows in stored order, as Arrow tables of bounded size."""
        conditions = [starts_with("source", source_prefix)] if source_prefix else []
        wanted = checked_columns(columns, schema.LINKS.names, "links")
        with self._steady() as (segments, covers):
            for segment in segments:
                yield from self._links_of(segment, covers.of(segment), conditions, wanted)

    def with_links(
        self, columns: Sequence[str], link_columns: Sequence[str]
    ) -> Iterator[tuple[list[Row], Iterator[Any]]]:
        """The pages of each segment, and tables of the links that stand on them."""
        checked_columns(columns, schema.PAGES.names, "pages")
        checked_columns(link_columns, schema.LINKS.names, "links")
        with self._steady() as (segments, covers):
            for segment in segments:
                cover = covers.of(segment)
                tables = self._pages_of(segment, cover, [], columns)
                yield list(_rows(tables)), self._links_of(segment, cover, (), link_columns)

    def links_to(self, url: Url, most: int) -> LinksTo:
        """How many links point to a URL, and the first of them."""
        number = 0
        some: list[Row] = []
        conditions = [equal("target_key", url.key)]
        with self._steady() as (segments, covers):
            for segment in segments:
                for table in self._links_of(segment, covers.of(segment), conditions):
                    number += table.num_rows
                    some += rows_of(table.slice(0, most - len(some)))
        return LinksTo(number, some)

    def _links_of(
        self,
        segment: Segment,
        cover: Cover,
        conditions: Sequence[Condition],
        columns: Sequence[str] = schema.LINKS.names,
    ) -> Iterator[Any]:
        if segment.links_file is None or cover.tombstones.whole_run:
            return
        gone = covered_pages(self._objects, segment, cover)
        read = [*columns, "source"] if gone and "source" not in columns else columns
        for table in read_tables(self._objects, segment.links_file, conditions, read):
            kept = without_sources(table, gone).select(columns)
            if kept.num_rows:
                yield kept

    # Segments, one at a time

    def stored_segments(self) -> list[StoredSegment]:
        manifest = Manifest.load(self._objects)
        last_takedown = Takedowns.load(self._objects).last
        return [
            StoredSegment(segment.number, _stamp(segment, manifest.segments, last_takedown))
            for segment in manifest.segments
        ]

    def segment_pages(self, number: int, columns: Sequence[str]) -> Iterator[Any]:
        """The page rows of one segment, as `page_tables` gives those of all."""
        return self._page_tables([], columns, only=number)

    def segment_links(self, number: int, columns: Sequence[str]) -> Iterator[Any]:
        """The link rows of one segment, as `link_tables` gives those of all."""
        with self._steady() as (segments, covers):
            for segment in segments:
                if segment.number == number:
                    yield from self._links_of(segment, covers.of(segment), (), columns)

    def forgotten(self) -> Tombstones:
        """What nobody may be shown, whether it was ever fetched or not."""
        return Tombstones.load(self._objects)

    # Reading

    def _page_tables(
        self,
        conditions: Sequence[Condition],
        columns: Sequence[str] | None = None,
        newest_first: bool = False,
        only: int | None = None,
    ) -> Iterator[Any]:
        wanted = checked_columns(columns, schema.PAGES.names, "pages")
        with self._steady() as (segments, covers):
            for segment in reversed(segments) if newest_first else segments:
                if only is not None and segment.number != only:
                    continue
                cover = covers.of(segment)
                yield from self._pages_of(segment, cover, conditions, wanted, newest_first)

    def _pages_of(
        self,
        segment: Segment,
        cover: Cover,
        conditions: Sequence[Condition],
        columns: Sequence[str],
        newest_first: bool = False,
    ) -> Iterator[Any]:
        if segment.pages_file is None or cover.tombstones.whole_run:
            return
        hidden = [name for name in COVER_COLUMNS if name not in columns]
        read = [*columns, *hidden] if cover else columns
        for table in read_tables(self._objects, segment.pages_file, conditions, read, newest_first):
            if cover:
                table = without_covered(table, cover).select(columns)
            if table.num_rows:
                yield table

    @contextmanager
    def _steady(self) -> Iterator[tuple[Sequence[Segment], Covers]]:
        """The segments of this moment, and what is to be left out of them. Where some of them are
        written anew while they are read, nothing is damaged: the reader has to begin again."""
        manifest = Manifest.load(self._objects)
        try:
            yield manifest.segments, Covers(self._objects, manifest)
        except FormatError as error:
            now = Manifest.load(self._objects).segments
            if not set(manifest.segments) <= set(now):
                raise StorageError(
                    "Pages of the run were forgotten while it was being read: "
                    "run the same command again."
                ) from error
            raise


def _stamp(segment: Segment, segments: Sequence[Segment], last_takedown: int) -> str:
    """What is covered in a segment follows from its edition, the takedowns, and later rounds."""
    later = (one.number for one in segments if one.round > segment.round)
    covering = max((number for number in later if number > segment.newest_through), default=0)
    return f"{segment.number:06d}-{segment.edition}-{last_takedown}-{covering}"


def _rows(tables: Iterable[Any]) -> Iterator[Row]:
    for table in tables:
        yield from rows_of(table)


def checked_columns(columns: Sequence[str] | None, known: Sequence[str], what: str) -> list[str]:
    wanted = list(known if columns is None else columns)
    if unknown := [name for name in wanted if name not in known]:
        raise UsageError(f"There is no column '{unknown[0]}' of {what}, only: {', '.join(known)}.")
    return wanted
