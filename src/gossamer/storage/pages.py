"""The reader of a run's segments: pages, links and raw bytes, without what is to be forgotten.

It opens what the manifest names at the moment of a call, so that readers and the roller never wait
for each other. A row is a dict of the columns in `schema`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from gossamer import urls
from gossamer.errors import FormatError
from gossamer.records import Outcome
from gossamer.storage import schema
from gossamer.storage.manifest import Manifest
from gossamer.storage.objects import ObjectStore
from gossamer.storage.tables import Condition, Row, equal, scan, starts_with
from gossamer.storage.tombstones import Tombstones
from gossamer.storage.warc import StoredResponse, read_response

_COVER_COLUMNS = ("site_hash", "key", "host")


class PageStore:
    """Reads one run. Damaged and missing files are faults (`FormatError`) that name the file."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    def pages(
        self,
        url_prefix: str = "",
        limit: int | None = None,
        columns: Sequence[str] | None = None,
    ) -> Iterator[Row]:
        """The page rows in stored order; only the columns that are asked for are read."""
        conditions = [starts_with("url", url_prefix)] if url_prefix else []
        return islice(self._page_rows(conditions, columns), limit)

    def find(self, url: str) -> Row | None:
        """The newest row of a URL; the URL may be spelled as a person does."""
        wanted = urls.parse(url)
        conditions = [equal("site_hash", wanted.site_hash), equal("key", wanted.key)]
        return next(self._page_rows(conditions, newest_first=True), None)

    def aliases(self, url: str) -> list[Row]:
        """The rows of the redirects that point to a URL."""
        location = urls.parse(url).href
        conditions = [equal("location", location), equal("outcome", Outcome.REDIRECT.value)]
        return list(self._page_rows(conditions))

    def links(self, source: str) -> list[Row]:
        """The link rows of a page, as they stood on it when it was last fetched."""
        page = urls.parse(source)
        if Tombstones.load(self._objects).covers_url(page):
            return []
        conditions = [equal("source", page.href)]
        for segment in reversed(Manifest.load(self._objects).segments):
            if segment.links_file is not None:
                found = scan(self._objects, segment.links_file, conditions, schema.LINKS.names)
                if rows := list(found):
                    return rows
        return []

    def raw(self, row: Mapping[str, Any]) -> StoredResponse | None:
        """The answer behind a row, as received: undoing content encodings is the caller's part.
        None where no answer came, where raw bytes are not kept, and for what is forgotten."""
        name, length = row["warc_file"], row["warc_length"]
        if not length or Tombstones.load(self._objects).covers(row):
            return None
        member = self._objects.get_range(name, row["warc_offset"], length)
        if member is None:
            raise FormatError(f"{name} is missing.")
        return read_response(member, name)

    def _page_rows(
        self,
        conditions: Sequence[Condition],
        columns: Sequence[str] | None = None,
        newest_first: bool = False,
    ) -> Iterator[Row]:
        wanted = list(schema.PAGES.names if columns is None else columns)
        if unknown := set(wanted) - set(schema.PAGES.names):
            raise ValueError(f"no such column of pages: {', '.join(sorted(unknown))}")
        tombstones = Tombstones.load(self._objects)
        hidden = [name for name in _COVER_COLUMNS if name not in wanted] if tombstones else []
        segments = Manifest.load(self._objects).segments
        for segment in reversed(segments) if newest_first else segments:
            if segment.pages_file is None or tombstones.whole_run:
                continue
            read = [*wanted, *hidden]
            for row in scan(self._objects, segment.pages_file, conditions, read, newest_first):
                if tombstones and tombstones.covers(row):
                    continue
                for name in hidden:
                    del row[name]
                yield row
