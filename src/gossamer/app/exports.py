"""Pages and links of a run as one file, in a format that other programs read."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any, Literal

import msgspec
from msgspec import Struct

from gossamer.app.home import Home
from gossamer.storage import schema
from gossamer.storage.exports import (
    Format,
    check_new,
    format_of,
    new_file,
    open_sink,
    pour,
    selected,
)
from gossamer.storage.manifest import Manifest
from gossamer.storage.objects import LocalObjects
from gossamer.storage.pages import checked_columns

What = Literal["pages", "links"]


class Wanted(Struct, frozen=True, kw_only=True):
    """What is to be exported."""

    what: What = "pages"
    url_prefix: str = ""  # of links: of the pages that they stand on
    columns: tuple[str, ...] | None = None  # None: all
    format: Format | None = None  # None: as the file's name says
    raw_cells: bool = False  # CSV: texts as they are, though a spreadsheet may run them


def wanted(
    what: str,
    url_prefix: str,
    columns: tuple[str, ...] | None,
    kind: str | None,
    *,
    raw_cells: bool,
) -> Wanted:
    """Of texts as they are typed, which are checked."""
    values = {
        "what": what,
        "url_prefix": url_prefix,
        "columns": columns,
        "format": kind,
        "raw_cells": raw_cells,
    }
    return msgspec.convert(values, Wanted)


OnRows = Callable[[int, int], None]
"""Told how many rows are written, and how many there are at most."""


def export_file(
    home: Home, name: str, wanted: Wanted, path: Path, *, force: bool, on_rows: OnRows
) -> int:
    """Returns the number of rows."""
    kind = wanted.format or format_of(path)
    check_new(path, replace=force)  # before any work is done
    home.record(name)
    with new_file(path, replace=force) as file:
        return _export(home, name, wanted, kind, file, on_rows)


def export_stream(home: Home, name: str, wanted: Wanted, file: IO[bytes]) -> int:
    """`wanted` has a format."""
    assert wanted.format is not None
    return _export(home, name, wanted, wanted.format, file, lambda _rows, _most: None)


def _export(
    home: Home, name: str, wanted: Wanted, kind: Format, file: IO[bytes], on_rows: OnRows
) -> int:
    run = home.record(name)
    store = home.store(run)
    manifest = Manifest.load(LocalObjects(home.folder(run.name).path))
    read: Callable[[str, Sequence[str]], Iterable[Any]]
    if wanted.what == "pages":
        known, most, read = schema.PAGES, manifest.pages, store.page_tables
    else:
        known, most, read = schema.LINKS, manifest.links, store.link_tables
    columns = selected(known, checked_columns(wanted.columns, known.names, wanted.what))
    tables = read(wanted.url_prefix, columns.names)
    sink = open_sink(file, kind, columns, raw_cells=wanted.raw_cells)
    return pour(tables, sink, lambda rows: on_rows(rows, most))
