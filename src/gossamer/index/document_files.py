"""The files that an index of documents is made of, read as one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappush, heapreplace
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from gossamer.errors import UsageError
from gossamer.index.documents import by_path, identity_of
from gossamer.index.field_detection import Summaries
from gossamer.index.fields import field_name
from gossamer.index.formats import BadRow, FileReader, Row
from gossamer.lib.counts import several

OnBad = Callable[[str, BadRow], None]
"""Called with the name of a file and a row of it that cannot be read."""

_MOST_BAD_ROWS = 20  # that are named; all are counted
_MOST_RENAMED = 1_000  # fields that are named
_SAMPLED = 300  # documents
_SAMPLED_CHARACTERS = 400  # of each
_NO_TEXTS = frozenset({"id", "url", "language"})


class FileReport(Struct, frozen=True):
    name: str
    format: str  # 'JSON Lines'
    documents: int  # rows that could be read
    bad_lines: int


class TextSample:
    """The texts of some documents. The same documents give the same sample, in any order."""

    def __init__(self) -> None:
        self._found: list[tuple[int, str]] = []  # a heap: the largest identity first

    def add(self, identity: int, value: Mapping[str, Any]) -> None:
        found = self._found
        if len(found) >= _SAMPLED and -identity <= found[0][0]:
            return
        texts = (text for name, text in value.items() if name not in _NO_TEXTS)
        text = " ".join(
            text for text in texts if isinstance(text, str) and any(map(str.isalpha, text))
        )
        if not text:
            return
        add = heappush if len(found) < _SAMPLED else heapreplace
        add(found, (-identity, text[:_SAMPLED_CHARACTERS]))

    def texts(self) -> list[str]:
        return [text for _, text in sorted(self._found, reverse=True)]


class Scan(Struct):
    """The result of one pass over all files."""

    versions: dict[int, int]  # identity -> version; of an id that occurs twice, the last one
    summaries: Summaries
    sample: TextSample
    renamed: dict[str, str]  # name -> name of the field, where they differ
    files: list[FileReport]
    duplicates: int = 0  # rows whose id occurs again later
    bad_lines: int = 0
    first_bad_lines: list[BadRow] = []

    def add(self, identity: int, row: Row) -> None:
        """A document whose fields count."""
        self.summaries.add(by_path(row.value), row.where)
        self.sample.add(identity, row.value)
        for name in row.value:
            field = field_name(name)
            if field.lower() != name.lower() and len(self.renamed) < _MOST_RENAMED:
                self.renamed[name] = field


class RowChanges(Protocol):
    """Changes of single documents, as they apply to the rows of files."""

    def applied_to(self, row: Row) -> Row | None:
        """Return the row as it is changed; None where it is removed or replaced."""
        ...

    def added(self) -> Iterator[Row]:
        """Return the documents that are added, or stand in the place of a row."""
        ...


class DocumentFiles:
    """Documents of files of any format, in the order of the files."""

    def __init__(self, paths: Sequence[Path], names: Sequence[str] = ()) -> None:
        """`names`: what the files are called in messages."""
        names = names or [str(path) for path in paths]
        self.name = ", ".join(names)
        self._readers = [FileReader(*one) for one in zip(paths, names, strict=True)]

    def rows(self, on_bad: OnBad = lambda _name, _row: None) -> Iterator[Row]:
        """Every document with its place, which names the file where there are several."""
        for reader in self._readers:
            yield from self._rows_of(reader, on_bad)

    def _rows_of(self, reader: FileReader, on_bad: OnBad) -> Iterator[Row]:
        several = len(self._readers) > 1
        for row in reader.rows():
            if isinstance(row, BadRow):
                on_bad(reader.name, row)
            elif several:
                yield row._replace(where=f"{reader.name}, {row.where}")
            else:
                yield row

    def scan(
        self,
        *,
        stop_at_bad_lines: bool = False,
        changes: RowChanges | None = None,
        summarises: bool = True,
    ) -> Scan:
        """Read all documents once: which there are, and with `summarises` which fields they have.
        `changes`: of single documents, which are applied before fields are looked at."""
        found = Scan({}, Summaries(), TextSample(), {}, [], first_bad_lines=[])

        def note(name: str, row: BadRow) -> None:
            if stop_at_bad_lines:
                raise UsageError(f"{name}, {row.where}: {row.reason}.")
            found.bad_lines += 1
            if len(found.first_bad_lines) < _MOST_BAD_ROWS:
                found.first_bad_lines.append(BadRow(f"{name}, {row.where}", row.reason))

        for reader in self._readers:
            bad_before, documents = found.bad_lines, 0
            first_bad = len(found.first_bad_lines)
            for row in self._rows_of(reader, note):
                documents += 1
                identity = identity_of(row.name)
                found.duplicates += identity in found.versions
                found.versions[identity] = row.version
                if not summarises:
                    continue
                changed = row if changes is None else changes.applied_to(row)
                if changed is not None:
                    found.add(identity, changed)
            bad = found.bad_lines - bad_before
            found.files.append(FileReport(reader.name, reader.format, documents, bad))
            if bad and not documents:
                first = found.first_bad_lines[first_bad:][:1]
                named = "".join(f" {one.where}: {one.reason}." for one in first)
                raise UsageError(f"{reader.name}: {_unreadable(bad)} be read.{named}")
        for row in changes.added() if changes else ():
            found.add(identity_of(row.name), row)
        return found


def _unreadable(rows: int) -> str:
    return "its only line cannot" if rows == 1 else f"none of its {several(rows, 'line')} can"
