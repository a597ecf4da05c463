"""What one attempt at a schedule leaves behind: pages, links and raw bytes, before the commit.

Each attempt has its own objects, so that a repeated or a late attempt never meets another's. They
become public only through a segment; those of losers and of crashes are swept.

    staging/<name>.warc.gz       the raw exchanges, where they are kept
    staging/<name>.links.arrow   the link rows, where there are any
    staging/<name>.pages.arrow   the page rows; written last, and says what the others hold
"""

import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from gossamer.errors import FormatError
from gossamer.records import Exchange, FoundLink, PageRow
from gossamer.storage import schema
from gossamer.storage.objects import ObjectStore, refusals
from gossamer.storage.warc import exchange_members

_FOLDER = "staging/"
_PAGES = ".pages.arrow"
_LINKS = ".links.arrow"
_RAW = ".warc.gz"
_KINDS = (_PAGES, _LINKS, _RAW)
_RAW_BYTES = b"gossamer.raw_bytes"
_LINK_ROWS = b"gossamer.link_rows"

_RAW_IN_MEMORY = 16_000_000
"""A schedule of a hundred large files would not fit into memory: beyond this they go to a file."""

_COPY_BYTES = 4_000_000

_END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"  # of Arrow's: a message without content


class AttemptWriter:
    """Collects the rows of one attempt. Nothing is visible before `finish`, nothing lost after."""

    def __init__(self, objects: ObjectStore, name: str, keep_raw: bool) -> None:
        self._objects = objects
        self._name = name
        self._keep_raw = keep_raw
        self._pages: list[PageRow] = []
        self._places: list[tuple[int, int]] = []
        self._links = schema.LinkColumns()
        self._raw = _RawBytes()

    def add(self, page: PageRow, links: Sequence[FoundLink], exchange: Exchange | None) -> None:
        self._links.add(page.url, links)
        response = request = b""
        if self._keep_raw and exchange is not None:
            response, request = exchange_members(exchange)
        self._pages.append(page)
        self._places.append((self._raw.size, len(response)))
        self._raw.append(response, request)

    def finish(self) -> bool:
        """Write all of it durably; False, and nothing written, where nothing was added. After a
        `StorageFull` it can be called again."""
        if not self._pages:
            return False
        base = _FOLDER + self._name
        if self._raw.size:
            self._raw.put(self._objects, base + _RAW)
        if self._links:
            self._objects.put(base + _LINKS, _to_ipc(self._links.batch(), {}))
        holds = {_RAW_BYTES: str(self._raw.size), _LINK_ROWS: str(len(self._links))}
        pages = schema.staged_pages(self._pages, self._places)
        self._objects.put(base + _PAGES, _to_ipc(pages, holds))
        self._raw.close()
        return True

    def discard(self) -> None:
        """Give up an attempt that is not finished: its temporary file, if any, goes at once."""
        self._raw.close()


@dataclass(frozen=True)
class StagedAttempt:
    """The rows of an attempt, as read back. Raw bytes are read in pieces: there may be many."""

    objects: ObjectStore
    name: str
    pages: Any  # pyarrow.Table of schema.STAGED_PAGES
    links: Any  # pyarrow.Table of schema.LINKS
    raw_bytes: int

    def raw(self) -> Iterator[bytes]:
        """The WARC members, in pieces of any size."""
        raw_name = _FOLDER + self.name + _RAW
        for start in range(0, self.raw_bytes, _COPY_BYTES):
            wanted = min(_COPY_BYTES, self.raw_bytes - start)
            piece = self.objects.get_range(raw_name, start, wanted)
            if piece is None or len(piece) != wanted:
                raise FormatError(f"{raw_name} is missing or cut short.")
            yield piece


def read_attempt(objects: ObjectStore, name: str) -> StagedAttempt:
    base = _FOLDER + name
    pages = _from_ipc(objects, base + _PAGES)
    link_rows, raw_bytes = _holdings(pages, base + _PAGES)
    links = _from_ipc(objects, base + _LINKS) if link_rows else schema.LINKS.empty_table()
    if links.num_rows != link_rows:
        raise FormatError(f"{base}{_LINKS} holds {links.num_rows} rows instead of {link_rows}.")
    return StagedAttempt(objects, name, pages, links, raw_bytes)


def delete_attempt(objects: ObjectStore, name: str) -> None:
    # Pages first: without them, what is left is never taken for a whole attempt.
    for kind in _KINDS:
        objects.delete(_FOLDER + name + kind)


def sweep_staging(objects: ObjectStore, keep: Collection[str]) -> int:
    """Delete the attempts that nobody waits for, and say how many objects that were. An attempt
    that is just being written has to be kept by name."""
    kept = {_FOLDER + name + kind for name in keep for kind in _KINDS}
    unwanted = [name for name in objects.list(_FOLDER) if name not in kept]
    for name in unwanted:
        objects.delete(name)
    return len(unwanted)


def _holdings(pages: Any, name: str) -> tuple[int, int]:
    try:
        return int(pages.schema.metadata[_LINK_ROWS]), int(pages.schema.metadata[_RAW_BYTES])
    except (KeyError, ValueError) as error:
        raise FormatError(f"{name} is damaged: it does not say what belongs to it.") from error


class _RawBytes:
    """A growing run of bytes that leaves memory for a temporary file when it becomes large."""

    def __init__(self) -> None:
        self.size = 0
        self._pieces: list[bytes] = []
        self._in_memory = 0
        self._file: IO[bytes] | None = None

    def append(self, *pieces: bytes) -> None:
        size = sum(map(len, pieces))
        self._pieces += pieces
        self.size += size
        self._in_memory += size
        if self._in_memory > _RAW_IN_MEMORY:
            self._spill()

    def put(self, objects: ObjectStore, name: str) -> None:
        if self._file is None:
            objects.put(name, self._pieces)
        else:
            objects.put(name, self._spill())

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _spill(self) -> Path:
        with refusals("Cannot write raw pages to a temporary file"):
            if self._file is None:
                self._file = tempfile.NamedTemporaryFile(prefix="gossamer-")  # noqa: SIM115
            # Written from where the last whole spill ended, in case one was cut short.
            self._file.seek(self.size - self._in_memory)
            self._file.writelines(self._pieces)
            self._file.flush()
        self._pieces.clear()
        self._in_memory = 0
        return Path(self._file.name)


def _to_ipc(batch: Any, metadata: dict[bytes, str]) -> list[bytes | memoryview]:
    """The batch as an Arrow stream, in pieces: a stream writer would copy it several times."""
    columns = batch.schema.with_metadata(batch.schema.metadata | metadata)
    return [memoryview(columns.serialize()), memoryview(batch.serialize()), _END_OF_STREAM]


def _from_ipc(objects: ObjectStore, name: str) -> Any:
    data = objects.get(name)
    if data is None:
        raise FormatError(f"{name} is missing.")
    try:
        table = pa.ipc.open_stream(data).read_all()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise FormatError(f"{name} is damaged: {error}.") from error
    schema.check_version(table.schema.metadata, name)
    return table
