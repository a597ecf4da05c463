"""Rows as one file for other programs: CSV, JSON lines or Parquet. Memory holds one row group.

A file gets its name when it is complete: what is cut off leaves nothing under that name.
"""

import csv
import io
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Literal, Protocol, get_args

import msgspec
import pyarrow as pa

from gossamer.errors import StorageError, UsageError
from gossamer.storage.objects import refusals
from gossamer.storage.tables import rows_of, table_writer

Format = Literal["csv", "jsonl", "parquet"]
FORMATS: tuple[Format, ...] = get_args(Format)
_SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A spreadsheet takes a text that begins so for a formula, which can call programs and send the
other cells away. As OWASP advises, such a text gets a quote before it, which shows it as text."""


def format_of(path: Path) -> Format:
    """By the end of its name."""
    known = _SUFFIXES.get(path.suffix.lower())
    if known is None:
        ends = ", ".join(_SUFFIXES)
        raise UsageError(f"'{path.name}' does not end in one of {ends}: give the format.")
    return known


class Sink(Protocol):
    def write(self, table: Any) -> None: ...

    def close(self) -> None:
        """Write what is still held; the file itself is the caller's to close."""


class CsvSink:
    """UTF-8, commas, a line of names first; texts in quotes, lists joined by spaces."""

    def __init__(self, file: IO[bytes], columns: Any, *, raw_cells: bool) -> None:
        self._text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        # Texts in quotes, all of them: a bare carriage return would end a line.
        self._writer = csv.writer(self._text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        self._cell = _plain_cell if raw_cells else _safe_cell
        self._names = columns.names
        self._writer.writerow(self._names)

    def write(self, table: Any) -> None:
        cell, names = self._cell, self._names
        self._writer.writerows([cell(row[name]) for name in names] for row in rows_of(table))

    def close(self) -> None:
        self._text.flush()
        self._text.detach()


def _plain_cell(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else value


def _safe_cell(value: Any) -> Any:
    cell = _plain_cell(value)
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


class JsonLinesSink:
    """One object a line, with numbers, truths, lists and nulls as JSON has them."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._encode = msgspec.json.Encoder().encode

    def write(self, table: Any) -> None:
        for row in rows_of(table):
            self._file.write(self._encode(row) + b"\n")

    def close(self) -> None:
        self._file.flush()


class ParquetSink:
    def __init__(self, file: IO[bytes], columns: Any) -> None:
        texts = [field.name for field in columns if field.type == pa.string()]
        self._writer = table_writer(file, columns.remove_metadata(), texts)

    def write(self, table: Any) -> None:
        self._writer.write_table(table.replace_schema_metadata(None))

    def close(self) -> None:
        self._writer.close()


def open_sink(file: IO[bytes], kind: Format, columns: Any, *, raw_cells: bool) -> Sink:
    match kind:
        case "csv":
            return CsvSink(file, columns, raw_cells=raw_cells)
        case "jsonl":
            return JsonLinesSink(file)
        case "parquet":
            return ParquetSink(file, columns)


def pour(
    tables: Iterable[Any],
    sink: Sink,
    on_rows: Callable[[int], None] = lambda _: None,
) -> int:
    """Write all tables, and return the number of rows; `on_rows` is told as they go by."""
    rows = 0
    try:
        for table in tables:
            sink.write(table)
            rows += table.num_rows
            on_rows(rows)
    finally:
        sink.close()
    return rows


def selected(columns: Any, names: Sequence[str]) -> Any:
    """The schema of some columns, in the order that is asked for."""
    return pa.schema([columns.field(name) for name in names])


@contextmanager
def new_file(path: Path, *, replace: bool) -> Iterator[IO[bytes]]:
    """A file that gets its name at the end, if all went well; without `replace`, none that is
    there already loses it."""
    check_new(path, replace=replace)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    with refusals(f"Cannot write {path}"):
        try:
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _put_in_place(temporary, path, replace=replace)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def check_new(path: Path, *, replace: bool) -> None:
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name a file.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent}.")
    if path.exists() and not replace:
        raise _there_already(path)


def _put_in_place(temporary: Path, path: Path, *, replace: bool) -> None:
    if replace:
        temporary.replace(path)
        return
    try:
        # Unlike a rename, a link never replaces what has come there meanwhile.
        path.hardlink_to(temporary)
    except FileExistsError:
        raise _there_already(path) from None
    except OSError:  # a file system without links
        if path.exists():
            raise _there_already(path) from None
        temporary.replace(path)


def _there_already(path: Path) -> StorageError:
    return StorageError(f"{path} is there already: take another name, or replace it with --force.")
