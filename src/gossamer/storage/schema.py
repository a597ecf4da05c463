"""The columns of the page table and of the link table, as Arrow and Parquet keep them.

No column holds nulls: what is not there is '' or 0, as in the records. Files carry the version of
their format in the schema's metadata (`gossamer.format`).
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import pyarrow as pa

from gossamer.errors import FormatError
from gossamer.records import FoundLink, PageRow
from gossamer.storage import kernels
from gossamer.urls import KEY_VERSION

FORMAT_VERSION = 2
"""Raised whenever a column changes its name, type or meaning."""

_FORMAT = b"gossamer.format"

_PAGE_FIELDS = [
    pa.field("url", pa.string()),
    pa.field("site", pa.string()),
    pa.field("host", pa.string()),
    pa.field("site_hash", pa.int64()),
    pa.field("key", pa.int64()),
    pa.field("depth", pa.int32()),
    pa.field("parent", pa.string()),
    pa.field("anchor", pa.string()),
    pa.field("via", pa.list_(pa.string())),
    pa.field("outcome", pa.string()),
    pa.field("detail", pa.string()),
    pa.field("status", pa.int16()),
    pa.field("fetched_at", pa.timestamp("ms", "UTC")),
    pa.field("seconds", pa.float32()),
    pa.field("tries", pa.int16()),
    pa.field("address", pa.string()),
    pa.field("media_type", pa.string()),
    pa.field("charset", pa.string()),
    pa.field("wire_bytes", pa.int64()),
    pa.field("body_bytes", pa.int64()),
    pa.field("truncated", pa.bool_()),
    pa.field("etag", pa.string()),
    pa.field("last_modified", pa.string()),
    pa.field("listed_modified", pa.string()),
    pa.field("location", pa.string()),
    pa.field("title", pa.string()),
    pa.field("description", pa.string()),
    pa.field("canonical", pa.string()),
    pa.field("language", pa.string()),
    pa.field("text", pa.string()),
    pa.field("classes", pa.string()),
    pa.field("directives", pa.int16()),
    pa.field("content_hash", pa.int64()),
    pa.field("similarity_hash", pa.int64()),
    pa.field("link_count", pa.int32()),
    pa.field("main", pa.string()),
    pa.field("fields", pa.string()),
]

_RAW_FIELDS = [  # of the response record; the length is 0 where none is kept
    pa.field("warc_offset", pa.int64()),
    pa.field("warc_length", pa.int64()),
]

_SEGMENT_FIELDS = [
    pa.field("warc_file", pa.string()),
    pa.field("duplicate_of", pa.string()),
    pa.field("near_duplicate_of", pa.string()),
    pa.field("schedule_server", pa.int32()),
    pa.field("schedule_number", pa.int64()),
]

_LINK_FIELDS = [
    pa.field("source", pa.string()),
    pa.field("target", pa.string()),
    pa.field("target_key", pa.int64()),
    pa.field("anchor", pa.string()),
    pa.field("nofollow", pa.bool_()),
    pa.field("boilerplate", pa.bool_()),
]


def _schema(table: str, fields: Sequence[Any]) -> Any:
    metadata = {
        _FORMAT: str(FORMAT_VERSION),
        b"gossamer.table": table,
        b"gossamer.key_version": str(KEY_VERSION),
    }
    return pa.schema([field.with_nullable(False) for field in fields], metadata)


STAGED_PAGES = _schema("staged pages", [*_PAGE_FIELDS, *_RAW_FIELDS])
"""What an attempt knows of its pages."""

PAGES = _schema("pages", [*_PAGE_FIELDS, *_RAW_FIELDS, *_SEGMENT_FIELDS])
LINKS = _schema("links", _LINK_FIELDS)

REPEATING_PAGE_COLUMNS = [
    "site",
    "host",
    "parent",
    "outcome",
    "detail",
    "address",
    "media_type",
    "charset",
    "language",
    "warc_file",
]
"""Worth a dictionary in Parquet; in the others it would cost time and be given up."""

REPEATING_LINK_COLUMNS = ["source", "target", "target_key", "anchor"]


def staged_pages(rows: Sequence[PageRow], places: Sequence[tuple[int, int]]) -> Any:
    """A record batch of page rows, each with the place of its response in the staged WARC."""
    columns = [_array(field.type, _values(field.name, rows)) for field in _PAGE_FIELDS]
    columns += [
        pa.array([place[part] for place in places], pa.int64()) for part in range(len(_RAW_FIELDS))
    ]
    return pa.record_batch(columns, schema=STAGED_PAGES)


def _values(name: str, rows: Sequence[PageRow]) -> list[Any]:
    if name == "fetched_at":
        return [round(row.fetched_at * 1000) for row in rows]
    return list(map(attrgetter(name), rows))


class LinkColumns:
    """The link rows of an attempt while they are collected: a list a column. There are fifty to a
    page, and an object for each would cost more than all that is done with it."""

    def __init__(self) -> None:
        self._sources: list[str] = []
        self._ends: list[int] = []  # behind the last link of each source
        self._targets: list[str] = []
        self._target_keys: list[int] = []
        self._anchors: list[str] = []
        self._nofollow: list[bool] = []
        self._boilerplate: list[bool] = []

    def __len__(self) -> int:
        return len(self._targets)

    def add(self, source: str, links: Sequence[FoundLink]) -> None:
        """Links are kept as found on the page `source`, whatever became of their targets."""
        if not links:
            return
        hrefs, _, _, _, keys = zip(*[link.url for link in links], strict=True)
        self._targets += hrefs
        self._target_keys += keys
        self._anchors += [link.anchor for link in links]
        self._nofollow += [link.nofollow for link in links]
        self._boilerplate += [link.boilerplate for link in links]
        self._sources.append(source)
        self._ends.append(len(self._targets))

    def batch(self) -> Any:
        """A record batch of all rows so far."""
        columns: dict[str, list[Any]] = {
            "target": self._targets,
            "target_key": self._target_keys,
            "anchor": self._anchors,
            "nofollow": self._nofollow,
            "boilerplate": self._boilerplate,
        }
        arrays = {name: _array(LINKS.field(name).type, values) for name, values in columns.items()}
        sources = _array(LINKS.field("source").type, self._sources)
        arrays["source"] = kernels.repeated_until(sources, pa.array(self._ends, pa.int32()))
        return pa.record_batch([arrays[name] for name in LINKS.names], schema=LINKS)


def check_version(metadata: dict[bytes, bytes] | None, name: str) -> None:
    """Refuse a file that another version of the format wrote."""
    found = (metadata or {}).get(_FORMAT, b"").decode("ascii", "replace")
    if found != str(FORMAT_VERSION):
        raise FormatError(
            f"{name} has format version '{found}', this version of Gossamer reads "
            f"{FORMAT_VERSION}. Use the version that wrote it, or crawl again."
        )


def _array(kind: Any, values: list[Any]) -> Any:
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array(_encodable(values), kind)
    except pa.ArrowInvalid:
        return pa.array(_within(kind, values), kind)


def _encodable(values: Iterable[Any]) -> list[Any]:
    """Lone surrogates can come out of broken pages; one of them must not cost the others."""
    return [
        _mended(value) if isinstance(value, str) else [_mended(text) for text in value]
        for value in values
    ]


def _mended(text: str) -> str:
    return text.encode(errors="replace").decode()


def _within(kind: Any, values: Iterable[int]) -> list[int]:
    """A count past its column's range is a server's lie (a status of 99999): keep the end of the
    range. (A hash that does not fit into 64 bits is a bug, and raises OverflowError before.)"""
    highest = (1 << (kind.bit_width - 1)) - 1
    return [min(max(value, -highest - 1), highest) for value in values]
