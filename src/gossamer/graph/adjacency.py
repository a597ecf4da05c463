"""A graph as two arrays: for each node, where its links begin, and where they lead.

Nodes are dense numbers from 0. Four bytes a link and eight a node, in memory or mapped from a file;
nothing else is needed to follow the links of a node.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import FormatError
from gossamer.graph import kernels
from gossamer.storage.objects import refusals

Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]
Floats = NDArray[np.float64]

MOST_NODES = 2**31 - 1
_MAGIC = b"gossamer graph 1"
_HEADER = np.dtype([("magic", "S16"), ("nodes", "<i8"), ("edges", "<i8")])
_SUFFIX = ".graph"
_NOTHING: Int32s = np.empty(0, np.int32)


class Adjacency(NamedTuple):
    """The links of node `n` lead to `targets[offsets[n] : offsets[n + 1]]`."""

    offsets: Int64s
    targets: Int32s

    @property
    def nodes(self) -> int:
        return len(self.offsets) - 1

    @property
    def edges(self) -> int:
        return len(self.targets)

    def targets_of(self, node: int) -> Int32s:
        return self.targets[self.offsets[node] : self.offsets[node + 1]]

    def out_degrees(self) -> Int64s:
        return np.diff(self.offsets)

    def in_degrees(self) -> Int64s:
        counts = np.zeros(self.nodes, np.int64)
        _count(self.targets, counts)
        return counts

    def sources(self) -> Int32s:
        """Where each link starts, in the order of `targets`."""
        return np.repeat(np.arange(self.nodes, dtype=np.int32), self.out_degrees())

    def transposed(self) -> "Adjacency":
        """All links turned round. The rows of the result are sorted."""
        offsets = kernels.offsets_of(self.in_degrees())
        placed = np.empty(self.edges, np.int32)
        kernels.transpose(*self, offsets[:-1].copy(), placed)
        return Adjacency(offsets, placed)

    def transposed_with(self, weights: Floats) -> tuple["Adjacency", Floats]:
        """All links turned round, and the weights in their new order."""
        offsets = kernels.offsets_of(self.in_degrees())
        placed, moved = np.empty(self.edges, np.int32), np.empty(self.edges)
        kernels.transpose_weighted(*self, weights, offsets[:-1].copy(), placed, moved)
        return Adjacency(offsets, placed), moved

    @classmethod
    def from_edges(
        cls,
        sources: Any,
        targets: Any,
        nodes: int,
        *,
        distinct: bool = True,
        self_links: bool = False,
    ) -> "Adjacency":
        """The graph of these pairs. `distinct`: a link counts once, however often it is there;
        `self_links`: those that lead where they start are kept."""
        graph = _sorted_graph(sources, targets, nodes)
        left = kernels.thin(*graph, distinct, self_links, _NOTHING)
        return cls(graph.offsets, _shortened(graph.targets, left))

    @classmethod
    def counted(
        cls, sources: Any, targets: Any, nodes: int, *, self_links: bool = False
    ) -> tuple["Adjacency", Int32s]:
        """The graph of these pairs, each once, and how often each was there: for graphs of hosts
        and domains, whose links count as often as they are set."""
        graph = _sorted_graph(sources, targets, nodes)
        counts = np.zeros(graph.edges, np.int32)
        left = kernels.thin(*graph, True, self_links, counts)
        return cls(graph.offsets, _shortened(graph.targets, left)), _shortened(counts, left)

    def save(self, folder: Path, name: str) -> Path:
        """Writes the graph to a file of its own in the folder. Killed at any moment, either the
        old file is there or the new one."""
        with writing(folder, name, self.nodes) as writer:
            writer.append(self.out_degrees(), self.targets)
        return folder / f"{name}{_SUFFIX}"

    @classmethod
    def open(cls, folder: Path, name: str) -> "Adjacency":
        """The graph in a file, mapped: what is not touched is not in memory. It is looked through
        once, as no loop that follows checks the numbers that it reads."""
        path = folder / f"{name}{_SUFFIX}"
        advice = "Compute the ranks again: 'gossamer rank'."
        with refusals(f"Cannot read {path}"):
            try:
                size = path.stat().st_size
            except FileNotFoundError:
                raise FormatError(f"{path} is missing. {advice}") from None
            if size < _HEADER.itemsize:
                raise FormatError(f"{path} is cut off. {advice}")
            header = np.fromfile(path, _HEADER, 1)[0]
            nodes, edges = int(header["nodes"]), int(header["edges"])
            if bytes(header["magic"]) != _MAGIC:
                raise FormatError(f"{path} is no graph that this version reads. {advice}")
            if not (0 <= nodes <= MOST_NODES and edges >= 0) or size != _size(nodes, edges):
                raise FormatError(f"{path} is damaged (its size is wrong). {advice}")
            start = _HEADER.itemsize
            offsets = _mapped(path, "<i8", start, nodes + 1)
            targets = _mapped(path, "<i4", start + 8 * (nodes + 1), edges)
            graph = cls(offsets, targets)
            if (fault := kernels.first_fault(*graph)) >= 0:
                raise FormatError(f"{path} is damaged (at node {fault}). {advice}")
        return graph


class Writer:
    """Takes a graph row by row. In memory are its offsets alone."""

    def __init__(self, file: Any, nodes: int) -> None:
        self._file = file
        self._offsets = np.zeros(nodes + 1, np.int64)
        self._rows = 0

    def append(self, degrees: Any, targets: Any) -> None:
        """The next rows: how many links each has, and where they lead."""
        end = self._rows + len(degrees)
        rows = self._offsets[self._rows + 1 : end + 1]
        np.cumsum(degrees, out=rows)
        rows += self._offsets[self._rows]
        if self._offsets[end] - self._offsets[self._rows] != len(targets):
            raise ValueError("the degrees of these rows do not add up to their links")
        if self._rows == 0:
            self._file.seek(_size(len(self._offsets) - 1, 0))
        self._rows = end
        np.ascontiguousarray(targets, "<i4").tofile(self._file)

    def finish(self) -> None:
        nodes = len(self._offsets) - 1
        self._offsets[self._rows + 1 :] = self._offsets[self._rows]  # rows that were not given
        edges = int(self._offsets[-1])
        self._file.truncate(_size(nodes, edges))
        self._file.seek(0)
        np.array([(_MAGIC, nodes, edges)], _HEADER).tofile(self._file)
        self._offsets.astype("<i8", copy=False).tofile(self._file)
        self._file.flush()
        os.fsync(self._file.fileno())


@contextmanager
def writing(folder: Path, name: str, nodes: int) -> Iterator[Writer]:
    """A graph on its way to a file, which is there when the block ends well, and not before."""
    if nodes > MOST_NODES:
        raise FormatError(f"A graph has at most {MOST_NODES:,} nodes, not {nodes:,}.")
    path = folder / f"{name}{_SUFFIX}"
    temporary = folder / f".{name}.{secrets.token_hex(8)}"
    with refusals(f"Cannot write {path}"):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as file:
                writer = Writer(file, nodes)
                yield writer
                writer.finish()
            temporary.replace(path)
            _sync_folder(folder)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _size(nodes: int, edges: int) -> int:
    return _HEADER.itemsize + 8 * (nodes + 1) + 4 * edges


def _mapped(path: Path, dtype: str, start: int, length: int) -> Any:
    if not length:
        return np.empty(0, dtype)  # nothing cannot be mapped
    # As a plain array: a memmap costs a microsecond more at every touch.
    return np.asarray(np.memmap(path, dtype, "r", start, (length,)))


def _count(numbers: Any, counts: Int64s) -> None:
    if not kernels.count_numbers(numbers, counts):
        raise ValueError(f"a link leads out of the {len(counts):,} nodes of this graph")


def _sorted_graph(sources: Any, targets: Any, nodes: int) -> Adjacency:
    """Rows sorted by target without comparing anything: turned round twice, all is in order."""
    sources, targets = np.ascontiguousarray(sources), np.ascontiguousarray(targets)
    if len(sources) != len(targets):
        raise ValueError("each link has one source and one target")
    if nodes > MOST_NODES:
        raise ValueError(f"a graph has at most {MOST_NODES:,} nodes, not {nodes:,}")
    counts = np.zeros(nodes, np.int64)
    _count(sources, counts)
    counts[:] = 0
    _count(targets, counts)
    offsets = kernels.offsets_of(counts)
    placed = np.empty(len(sources), np.int32)
    kernels.place_pairs(targets, sources, offsets[:-1].copy(), placed)
    return Adjacency(offsets, placed).transposed()


def _shortened(array: Int32s, length: int) -> Int32s:
    return array if length == len(array) else array[:length].copy()
