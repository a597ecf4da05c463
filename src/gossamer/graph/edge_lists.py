"""Graphs out of text files: a link a line, its source and its target with a tab between them.

    0	17                                    numbers
    https://a.test/	https://b.test/page       or any names, such as addresses

Where the first line has no tab, spaces part the columns. Empty lines and those that begin with #
are passed over. The file may be packed by gzip. Somebody else made it: whatever is wrong with it
is told with the number of its line.

In memory are the links, as numbers, and of each name a few bytes; the names themselves go to a file
without a name of its own, which goes with this process.
"""

import mmap
import secrets
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from gzip import BadGzipFile
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
from isal import igzip, isal_zlib

from gossamer.errors import EdgeListError
from gossamer.graph import line_kernels
from gossamer.graph.adjacency import MOST_NODES, Adjacency, Int64s
from gossamer.storage.objects import refusals

LONGEST_LINE = 1 << 16
_CHUNK = 1 << 22
_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SHORTEST_LINK = 4  # bytes: a, tab, b, newline
_SHOWN = 60
_UNPACKING: tuple[Any, ...] = (EOFError, BadGzipFile, zlib.error, isal_zlib.error)
_IGZIP: Any = igzip.IGzipFile
_FEW_NAMES = 1 << 16


class Names:
    """What the nodes of a graph are called in its file."""

    def __init__(self, ids: Int64s | None, ends: Int64s | None = None, text: Any = b"") -> None:
        self._ids = ids
        self._ends = ends
        self._text = text

    def of(self, nodes: Sequence[int]) -> list[str]:
        if self._ends is not None:
            starts = [int(self._ends[node - 1]) if node else 0 for node in nodes]
            return [
                self._text[start : int(self._ends[node])].decode("utf-8", "replace")
                for start, node in zip(starts, nodes, strict=True)
            ]
        return [str(node if self._ids is None else self._ids[node]) for node in map(int, nodes)]


class EdgeList(NamedTuple):
    graph: Adjacency
    """Every link of the file, also one that is there again, or that leads where it starts."""
    names: Names


def read_edges(path: Path) -> EdgeList:
    lines = _Lines(path)
    reader: _Numbers | _Texts = _Numbers(path) if lines.is_numeric else _Texts(path)
    try:
        for line, data, spans in lines:
            reader.add(line, data, spans)
        return reader.finished()
    finally:
        reader.close()


class _Lines:
    """The links of a file, a chunk at a time: the number of its first line, its bytes, and where in
    them the columns of each link are."""

    def __init__(self, path: Path) -> None:
        self._path = path
        if not path.exists():
            raise EdgeListError(f"{path} is not there.")
        with refusals(f"Cannot read {path}"), path.open("rb") as file:
            self._is_packed = file.read(len(_GZIP)) == _GZIP
        self._by_tabs, self.is_numeric = self._first_link()

    def __iter__(self) -> Iterator[tuple[int, Any, Any]]:
        line = 1
        for data in self._whole_lines():
            spans = np.empty((len(data) // _SHORTEST_LINK + 1, 4), np.int64)
            links, lines, used, fault = line_kernels.split_lines(
                data, self._by_tabs, LONGEST_LINE, spans
            )
            yield line, data, spans[:links]
            line += lines
            if fault:
                _refuse(self._path, line, fault, data[used : used + LONGEST_LINE].tobytes())

    def _first_link(self) -> tuple[bool, bool]:
        """Whether tabs part the columns, and whether they are numbers, as the first link has it."""
        for data in self._whole_lines():
            for line in data.tobytes().split(b"\n"):
                if line.strip() and not line.lstrip(b" ").startswith(b"#"):
                    by_tabs = b"\t" in line
                    columns = line.rstrip(b"\r").split(b"\t") if by_tabs else line.split()
                    return by_tabs, all(one.isdigit() and len(one) <= 18 for one in columns)
        raise EdgeListError(
            f"{self._path} has no links: each line names two nodes, with a tab between them."
        )

    def _whole_lines(self) -> Iterator[Any]:
        """Chunks that end where a line does."""
        rest, line = b"", 1
        for chunk in self._chunks():
            ended = chunk.rfind(b"\n") + 1
            if not ended:
                rest += chunk
            else:
                whole, rest = rest + chunk[:ended], chunk[ended:]
                yield np.frombuffer(whole, np.uint8)
                line += whole.count(b"\n")
            if len(rest) > LONGEST_LINE:
                _refuse(self._path, line, line_kernels.TOO_LONG, rest)
        if rest:
            yield np.frombuffer(rest + b"\n", np.uint8)

    def _chunks(self) -> Iterator[bytes]:
        line = 0
        with refusals(f"Cannot read {self._path}"), self._path.open("rb") as file:
            source: Any = _IGZIP(fileobj=file) if self._is_packed else file
            chunk = _BYTE_ORDER_MARK
            while chunk:
                try:
                    chunk = source.read(_CHUNK)
                except _UNPACKING as error:
                    raise EdgeListError(
                        f"{self._path} cannot be unpacked after line {line:,} ({error}): it is cut "
                        "off or damaged. Fetch it again, or pack it again."
                    ) from None
                # The mark of some editors is no part of the first name.
                yield chunk.removeprefix(_BYTE_ORDER_MARK) if not line else chunk
                line += chunk.count(b"\n")


class _Numbers:
    """Links between numbers. Those that occur are the nodes, in their order."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sources: list[Any] = []
        self._targets: list[Any] = []

    def add(self, line: int, data: Any, spans: Any) -> None:
        sources, targets = np.empty(len(spans), np.int64), np.empty(len(spans), np.int64)
        fine, fault = line_kernels.numbers(data, spans, sources, targets)
        if fault:
            before = int(spans[fine, 0])
            line += int(np.count_nonzero(data[:before] == ord("\n")))
            _refuse(self._path, line, fault, data[before : before + LONGEST_LINE].tobytes())
        if len(spans):
            largest = max(sources.max(), targets.max())
            kind = np.int32 if largest <= MOST_NODES else np.int64
            self._sources.append(sources.astype(kind, copy=False))
            self._targets.append(targets.astype(kind, copy=False))

    def finished(self) -> EdgeList:
        sources, targets = _joined(self._sources), _joined(self._targets)
        largest = int(max(sources.max(), targets.max()))
        ids: Int64s | None = None
        nodes = largest + 1
        if nodes <= min(MOST_NODES, 8 * len(sources) + _FEW_NAMES):
            is_there = np.zeros(nodes, np.bool_)
            is_there[sources] = True
            is_there[targets] = True
            if not is_there.all():
                ids = np.flatnonzero(is_there)
                numbers = np.cumsum(is_there, dtype=np.int32) - np.int32(1)
                sources, targets = numbers[sources], numbers[targets]
        else:
            ids = np.union1d(sources, targets).astype(np.int64, copy=False)
            sources = np.searchsorted(ids, sources).astype(np.int32)
            targets = np.searchsorted(ids, targets).astype(np.int32)
        nodes = nodes if ids is None else len(ids)
        graph = Adjacency.from_edges(sources, targets, nodes, distinct=False, self_links=True)
        return EdgeList(graph, Names(ids))

    def close(self) -> None:
        pass


class _Texts:
    """Links between names. The nodes are in the order in which their names first occur."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seeds = np.array([secrets.randbits(64), secrets.randbits(64)], np.uint64)
        self._table = np.empty((_FEW_NAMES, 2), np.uint64)
        self._slots = np.full(_FEW_NAMES, -1, np.int32)
        self._known = 0
        self._ends: list[Any] = []
        self._size = 0
        self._found: list[Any] = []
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()

    def add(self, line: int, data: Any, spans: Any) -> None:  # noqa: ARG002
        self._make_room(2 * len(spans))
        found = np.empty((len(spans), 2), np.int32)
        fresh = np.empty((2 * len(spans), 2), np.int64)
        before = self._known
        self._known = line_kernels.number_names(
            data, spans, self._seeds, self._table, self._slots, before, found, fresh
        )
        fresh = fresh[: self._known - before]
        ends = np.cumsum(fresh[:, 1] - fresh[:, 0])
        copied = np.empty(int(ends[-1]) if len(ends) else 0, np.uint8)
        line_kernels.copy_names(data, fresh, copied)
        with refusals("Cannot write the names of nodes to a temporary file"):
            self._file.write(copied.data)
        self._ends.append(ends + self._size)
        self._size += len(copied)
        self._found.append(found)

    def finished(self) -> EdgeList:
        found = _joined(self._found)
        sources, targets = np.ascontiguousarray(found.T)
        graph = Adjacency.from_edges(sources, targets, self._known, distinct=False, self_links=True)
        with refusals("Cannot write the names of nodes to a temporary file"):
            self._file.flush()
        # What is mapped stays there without the open file.
        text = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return EdgeList(graph, Names(None, _joined(self._ends), text))

    def close(self) -> None:
        self._file.close()

    def _make_room(self, names: int) -> None:
        if self._known + names > MOST_NODES:
            raise EdgeListError(f"{self._path} has more than {MOST_NODES:,} names.")
        size = len(self._slots)
        while size < 2 * (self._known + names):
            size *= 2
        if size > len(self._slots):
            table, slots = np.empty((size, 2), np.uint64), np.full(size, -1, np.int32)
            line_kernels.move_names(self._table, self._slots, table, slots)
            self._table, self._slots = table, slots


def _joined(pieces: list[Any]) -> Any:
    """One array, and the pieces are no more."""
    joined = np.concatenate(pieces)
    pieces.clear()
    return joined


def _refuse(path: Path, line: int, fault: int, rest: bytes) -> NoReturn:
    """`rest` begins with the line that is wrong."""
    text = rest.partition(b"\n")[0].decode("utf-8", "replace")
    shown = repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
    raise EdgeListError(f"{path}, line {line:,}: {_WRONG[fault]} {shown}")


_WRONG = {
    line_kernels.ONE_COLUMN: "two columns with a tab between them are needed, and there is one:",
    line_kernels.MORE_COLUMNS: "two columns are needed, and there are more:",
    line_kernels.NO_NUMBER: "the file began with numbers, and this is none:",
    line_kernels.LARGE_NUMBER: "numbers have at most 18 digits:",
    line_kernels.NUL: "there is a zero byte in it; the file must be text in UTF-8:",
    line_kernels.NO_NAME: "one of its two columns is empty:",
    line_kernels.TOO_LONG: f"longer than {LONGEST_LINE:,} bytes:",
}
