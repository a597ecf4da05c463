"""CSV and TSV: tables as text, with the names of the fields in the first line."""

import csv
from collections import deque
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

import msgspec

from gossamer.index.formats.rows import LONGEST_ROW, TOO_LONG, BadRow, RawRow, lines_of

_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 100
_SAME_WIDTH = 0.5  # of the first rows, in a table without a column 'id' or 'url'
_MOST_LINES = 1_000
"""Of one row: where a quote is missing, a row seems to go on until the next quote."""


class Dialect(NamedTuple):
    delimiter: str
    escape: str | None = None  # before a quote within quotes, where it is not doubled

    @property
    def name(self) -> str:
        return "TSV" if self.delimiter == "\t" else "CSV"

    def cells(self, lines: Iterator[str], *, strict: bool = False) -> Iterator[list[str]]:
        """`strict`: raise `csv.Error` for a quote that is not closed or has text behind it."""
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST_ROW))
        return csv.reader(
            lines,
            delimiter=self.delimiter,
            escapechar=self.escape,
            doublequote=self.escape is None,
            strict=strict,
        )


def dialect_of(text: str) -> Dialect | None:
    """The dialect of the first lines of a text; None where they are no table."""
    text = _without_separator_line(text)
    escape = "\\" if '\\"' in text and '""' not in text else None
    best: tuple[bool, float, int, Dialect] | None = None
    for delimiter in _DELIMITERS:
        dialect = Dialect(delimiter, escape)
        try:
            rows = [row for row in dialect.cells(iter(text.splitlines(keepends=True))) if row]
        except csv.Error:
            continue
        rows = rows[:_SAMPLE_ROWS]
        if not rows:
            continue
        width = len(rows[0])
        same = sum(len(row) == width for row in rows) / len(rows)
        named = not {"id", "url"}.isdisjoint(_names(rows[0]))
        if width > 1 and (best is None or (named, same, width) > best[:3]):
            best = (named, same, width, dialect)
    return best[3] if best and (best[0] or best[1] >= _SAME_WIDTH) else None


def is_separator_line(line: str) -> bool:
    """Return True for the line 'sep=;' that some programs write before the names."""
    return line.lower().startswith("sep=") and len(line.strip()) <= len("sep=;")


def columns_of(text: str, dialect: Dialect) -> list[str]:
    """The names of the columns of a table that begins so."""
    rows = dialect.cells(iter(_without_separator_line(text).splitlines(keepends=True)))
    return _names(next((row for row in rows if row), []))


def _without_separator_line(text: str) -> str:
    first, _, rest = text.partition("\n")
    return rest if is_separator_line(first) else text


def _names(cells: list[str]) -> list[str]:
    """'ID' and 'Url' are the fields 'id' and 'url'."""
    names = [cell.strip() for cell in cells]
    lower = [name.lower() for name in names]
    for own in ("id", "url"):
        if own not in names and own in lower:
            names[lower.index(own)] = own
    return names


def read_table(stream: BinaryIO, dialect: Dialect, encoding: str) -> Iterator[RawRow | BadRow]:
    """The rows behind the first one. `encoding`: of the bytes."""
    lines = _Lines(stream, encoding)
    columns: list[str] = []
    rows = dialect.cells(lines, strict=True)
    while True:
        lines.start_row()
        try:
            cells = next(rows)
            reason = ""
        except StopIteration:
            return
        except csv.Error:
            # Text behind a closing quote is read as part of its cell. A quote that is never closed
            # seems to take in the following rows: they are read again, without it.
            cells = lines.single_row(dialect)
            reason = "" if cells else "a quote is not closed, or not doubled within quotes"
            rows = dialect.cells(lines, strict=True)
        where = f"line {lines.first}"
        reason = lines.fault or reason
        if not reason and not any(cell.strip() for cell in cells):
            continue
        if not columns and reason:
            yield BadRow(where, f"the names of the columns cannot be read: {reason}")
            return
        if not columns:
            if not is_separator_line("".join(lines.taken)):
                columns = _names(cells)
            continue
        if not reason and len(cells) != len(columns):
            reason = f"it has {len(cells)} cells, the table has {len(columns)} columns"
        if reason:
            lines.put_back_rest()
            rows = dialect.cells(lines, strict=True)
            yield BadRow(where, reason)
            continue
        value = _values(columns, cells)
        yield RawRow(value, where, msgspec.json.encode(value))


def _values(columns: list[str], cells: list[str]) -> dict[str, Any]:
    """The cells that hold something; those of columns of the same name are a list."""
    value: dict[str, Any] = {}
    for name, cell in zip(columns, cells, strict=True):
        if not cell or not name:
            continue
        if name not in value:
            value[name] = cell
        elif isinstance(value[name], list):
            value[name].append(cell)
        else:
            value[name] = [value[name], cell]
    return value


class _Lines:
    """The lines of a table for a CSV reader, which takes several where a cell has line breaks."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._lines = lines_of(stream)
        self._encoding = encoding
        self._waiting: deque[tuple[int, bytes | None]] = deque()
        self._numbers: list[int] = []
        self._raw: list[bytes | None] = []
        self.taken: list[str] = []
        self._size = 0
        self.fault = ""
        """The fault of a line of the row, before the row is parsed."""

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        if len(self.taken) >= _MOST_LINES or self._size > LONGEST_ROW:
            self.fault = self.fault or f"it has more than {_MOST_LINES} lines: is a quote missing?"
        if self.fault:
            raise StopIteration
        number, line = self._waiting.popleft() if self._waiting else next(self._lines)
        self._numbers.append(number)
        self._raw.append(line)
        if line is None:
            self.fault = TOO_LONG
            text = "\n"
        else:
            try:
                text = line.decode(self._encoding)
            except UnicodeDecodeError as error:
                self.fault = f"this is not {self._encoding}: {error.reason}"
                text = "\n"
        self._size += len(text)
        self.taken.append(text.replace("\0", ""))
        return self.taken[-1]

    @property
    def first(self) -> int:
        """The number of the first line of the row."""
        return self._numbers[0] if self._numbers else 0

    def start_row(self) -> None:
        self._numbers.clear()
        self._raw.clear()
        self.taken.clear()
        self._size = 0
        self.fault = ""

    def single_row(self, dialect: Dialect) -> list[str]:
        """The cells of a row of one line, whose quotes are closed; else none."""
        if len(self.taken) != 1 or self.taken[0].count('"') % 2:
            return []
        try:
            return next(dialect.cells(iter(self.taken)), [])
        except csv.Error:  # a bare carriage return
            return []

    def put_back_rest(self) -> None:
        """Read the lines after the first one again, as rows of their own."""
        rest = list(zip(self._numbers[1:], self._raw[1:], strict=True))
        self._waiting.extendleft(reversed(rest))
