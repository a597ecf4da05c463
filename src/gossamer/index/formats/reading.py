"""One file of documents, of whichever format."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, NamedTuple

from gossamer.errors import UsageError
from gossamer.index.formats import parquet
from gossamer.index.formats.compression import is_compressed, unpacked
from gossamer.index.formats.detection import HEAD, Kind, kind_of
from gossamer.index.formats.encoding import NarrowEncoding, recoded, with_line_feeds
from gossamer.index.formats.json_files import read_json_array, read_json_lines
from gossamer.index.formats.rows import BadRow, RawRow, lines_of
from gossamer.index.formats.tables import read_table
from gossamer.lib.hashing import hash64

_COPY = 1 << 20


class Row(NamedTuple):
    """A document of a file, as it stands there."""

    name: str  # its id
    version: int  # another one whenever something of it has changed
    value: dict[str, Any]
    where: str  # 'line 17'
    data: bytes = b""  # its JSON, as it stands in the file


class FileReader:
    """Reads a file as often as it is asked to."""

    def __init__(self, path: Path, name: str = "") -> None:
        """`name`: what the file is called in messages."""
        self._path = path
        self.name = name or str(path)

    @property
    def format(self) -> str:
        """The name of the format: 'JSON Lines'; raises `UsageError` if it is not supported."""
        return self._kind.name

    def rows(self) -> Iterator[Row | BadRow]:
        for row in self._raw_rows():
            yield row if isinstance(row, BadRow) else _identified(row)

    def _raw_rows(self) -> Iterator[RawRow | BadRow]:
        kind = self._kind
        if kind.name == "Parquet":
            with self._unpacked_file() as path:
                yield from parquet.read_parquet(path, self.name)
            return
        encoding = self._narrow_encoding
        with self._text(kind) as stream:
            if kind.name == "JSON Lines":
                yield from read_json_lines(stream)
            elif kind.name == "JSON array":
                yield from read_json_array(stream)
            elif kind.dialect is not None:
                yield from read_table(stream, kind.dialect, encoding)

    @cached_property
    def _kind(self) -> Kind:
        with unpacked(self._path) as stream:
            head = _read(stream, HEAD + 1)
        if is_compressed(head):
            raise UsageError(f"{self.name} is compressed twice: unpack it once.")
        if head.startswith(parquet.MAGIC):
            with self._unpacked_file() as path:
                columns = parquet.columns_of(path, self.name)
            kind = Kind("Parquet")
            if not {"id", "url"}.intersection(columns):
                shown = ", ".join(columns[:10]) + (", ..." if len(columns) > 10 else "")
                raise UsageError(
                    f"{self.name}: this is Parquet: it needs a column 'id' or 'url', and its "
                    f"columns are: {shown}."
                )
            return kind
        kind = kind_of(head[:HEAD], is_whole=len(head) <= HEAD)
        if kind.refusal:
            raise UsageError(f"{self.name}: {kind.refusal}")
        return kind

    @cached_property
    def _narrow_encoding(self) -> str:
        """Of a table, found out from all of its lines."""
        kind = self._kind
        if kind.dialect is None or kind.encoding != "utf-8":
            return "utf-8"
        known = NarrowEncoding()
        with self._text(kind) as stream:
            for _, line in lines_of(stream):
                if line is not None:
                    known.add(line)
        return known.name()

    @contextmanager
    def _text(self, kind: Kind) -> Iterator[BinaryIO]:
        """The text as lines of bytes: UTF-8, or what `_narrow_encoding` finds."""
        with unpacked(self._path) as stream:
            _read(stream, kind.mark)
            text = stream if kind.encoding == "utf-8" else recoded(stream, kind.encoding)
            yield with_line_feeds(text) if self._has_old_line_ends else text

    @cached_property
    def _has_old_line_ends(self) -> bool:
        """Return True where lines end with a carriage return alone."""
        with unpacked(self._path) as stream:
            head = _read(stream, HEAD)
        text = head.decode(self._kind.encoding, "replace")
        return "\r" in text.rstrip() and "\n" not in text

    @contextmanager
    def _unpacked_file(self) -> Iterator[Path]:
        """A file that can be read from any place on: a compressed one is unpacked beside others
        that are temporary."""
        with self._path.open("rb") as file:
            packed = is_compressed(file.read(4))
        if not packed:
            yield self._path
            return
        with TemporaryDirectory(prefix="gossamer-") as folder:
            path = Path(folder) / "unpacked"
            with unpacked(self._path) as stream, path.open("wb") as target:
                while block := stream.read(_COPY):
                    target.write(block)
            yield path


def _read(stream: BinaryIO, size: int) -> bytes:
    """As many bytes, unless the stream ends before."""
    parts = []
    while size > 0 and (block := stream.read(size)):
        parts.append(block)
        size -= len(block)
    return b"".join(parts)


def _identified(row: RawRow) -> Row | BadRow:
    name, reason = id_of(row.value)
    if reason:
        return BadRow(row.where, reason)
    return Row(name, hash64(row.data), row.value, row.where, row.data)


def id_of(document: Mapping[str, Any]) -> tuple[str, str]:
    """Return the id of a document; or '' and the reason why it has none."""
    for field in ("id", "url"):
        name = document.get(field)
        if isinstance(name, dict | list | bool):
            return "", f"its '{field}' is not text or a number"
        if name is not None and (text := str(name).strip()):
            return text, ""
    wrapped = [name for name, value in document.items() if _is_list_of_objects(value)]
    hint = f" (write the array '{wrapped[0]}' alone, if it has the documents)" if wrapped else ""
    return "", f"the document has neither 'id' nor 'url'{hint}"


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)
