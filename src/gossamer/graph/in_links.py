"""The links of a graph by their targets, as ranking goes through them again and again.

Four bytes a link, and with weights eight more. Where that is more than the memory that may be used,
it lies in a file without a name, which goes with this process; it is made in pieces, and each sweep
reads it piece by piece, from its beginning to its end. A few numbers of each node are always in
memory.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gossamer.errors import UsageError
from gossamer.graph import rank_kernels
from gossamer.graph.adjacency import Adjacency, Floats
from gossamer.storage.objects import refusals

NO_WEIGHTS: Floats = np.empty(0)
_BLOCK = 1 << 14
"""So many givers are lined up by the number of their in-links; their shares fit a near cache."""
_FEW_EDGES = 5_000_000
"""Below this number of links a second thread costs more than it brings."""
_NEAR_EDGES = 1_000_000
"""So many can be put into their places at once: a cache holds most of them."""
_GROUPS = 512
_LEAST_GROUP_BITS = 12
_LEAST_PIECE_BYTES = 1 << 16
_SOURCE_BYTES, _WEIGHT_BYTES = 4, 8


class Swept(NamedTuple):
    """Sums over all nodes that have links."""

    changed: float
    """Of the changes of ranks."""
    total: float
    """Of ranks."""
    lost: float
    """Of what does not come from them to others of them by links."""


def _summed(pieces: Iterable[tuple[float, float, float]]) -> Swept:
    changed, total, lost = 0.0, 0.0, 0.0
    for piece in pieces:
        changed, total, lost = changed + piece[0], total + piece[1], lost + piece[2]
    return Swept(changed, total, lost)


class InLinks:
    """For one graph and one damping. `weights`: of each link of the graph; empty if all count the
    same."""

    def __init__(
        self,
        graph: Adjacency,
        *,
        weights: Floats = NO_WEIGHTS,
        damping: float,
        threads: int | None = None,
        memory_bytes: int | None = None,
        scratch: Path | None = None,
    ) -> None:
        self.damping = damping
        self._weighted = len(weights) > 0
        place = np.int64 if graph.edges >= 2**31 else np.int32
        cursors = np.zeros(graph.nodes, place)
        gaps = np.empty(graph.nodes)
        givers = rank_kernels.weigh(*graph, weights, damping, cursors, gaps)
        if givers == -1:
            raise ValueError(f"a link leads out of the {graph.nodes:,} nodes of this graph")
        if givers < 0:
            raise UsageError("The weight of a link is 0 or more, and finite.")
        self.gaps = gaps if givers == graph.nodes else gaps[:givers].copy()
        """What the rank of each giver is divided by to have its share."""
        del gaps
        # Before the counts become places: how many links there are to each group of nodes.
        groups = np.add.reduceat(
            cursors, range(0, graph.nodes, 1 << _group_bits(graph.nodes)), dtype=np.int64
        )
        self._order = np.empty(givers, np.int32)
        self._starts = np.empty(givers + 1, place)
        self.passed_on = np.zeros(givers, np.float64 if self._weighted else np.int32)
        """How many shares of each giver go to other givers."""
        rank_kernels.line_up(graph.offsets, weights, cursors, _BLOCK, self._order, self._starts)
        self._threads = _threads(threads, self.edges)
        self._closing = ExitStack()
        self._pool: ThreadPoolExecutor | None = None
        bytes_an_edge = _SOURCE_BYTES + self._weighted * _WEIGHT_BYTES
        room = _room() if memory_bytes is None else memory_bytes
        self.is_streamed = bytes_an_edge * self.edges > room
        try:
            if self.is_streamed:
                # Every thread has a piece in its hands.
                piece_bytes = max(room // self._threads, _LEAST_PIECE_BYTES)
                self._pieces = self._cut(max(1, piece_bytes // bytes_an_edge))
                self._write(graph, weights, cursors, scratch)
            else:
                self._pieces = self._split(self._threads)
                self._weights = np.empty(self.edges) if self._weighted else NO_WEIGHTS
                if self._weighted or self.edges < _NEAR_EDGES:
                    self._sources = np.empty(self.edges, np.int32)
                    rank_kernels.place_sources(
                        *(*graph, weights, cursors, 0, self._sources, self._weights),
                        self.passed_on,
                    )
                else:
                    self._sources = _placed(graph, cursors, groups, self.edges, self.passed_on)
            if self._threads > 1 and len(self._pieces) > 1:
                self._pool = self._closing.enter_context(ThreadPoolExecutor(self._threads))
        except BaseException:
            self._closing.close()
            raise

    @property
    def givers(self) -> int:
        return len(self._order)

    @property
    def edges(self) -> int:
        """Links to oneself, and to nodes that have no links themselves, are not among them."""
        return int(self._starts[-1])

    @property
    def pieces(self) -> int:
        return len(self._pieces)

    def relax(self, shares: Floats, jumps: Floats, jumping: float, damping: float) -> Swept:
        """One sweep over all links.

        Threads see each other's shares or those of before, as it comes; either brings all of them
        nearer to the ranks. So what several threads find is the same up to the tolerance only."""

        def work(pieces: Sequence[tuple[int, int]]) -> Swept:
            return _summed(
                rank_kernels.relax(
                    self._order[first:last],
                    self._starts[first : last + 1],
                    sources,
                    weights,
                    shares,
                    self.gaps,
                    self.passed_on,
                    jumps,
                    jumping,
                    damping,
                )
                for (first, last), sources, weights in self._loaded(pieces)
            )

        if self._pool is None:
            return work(self._pieces)
        each = -(-len(self._pieces) // self._threads)
        parts = [self._pieces[at : at + each] for at in range(0, len(self._pieces), each)]
        return _summed(self._pool.map(work, parts))

    def close(self) -> None:
        self._closing.close()

    def _split(self, parts: int) -> list[tuple[int, int]]:
        """Ranges of rows with about equally many links."""
        shares = [part * self.edges / parts for part in range(1, parts)]
        inner = np.searchsorted(self._starts, shares).tolist()
        bounds = sorted({0, self.givers, *inner})
        return list(pairwise(bounds))

    def _cut(self, most_edges: int) -> list[tuple[int, int]]:
        """Ranges of rows with at most so many links; a row that has more is a range of its own."""
        bounds = [0]
        while bounds[-1] < self.givers:
            most = int(self._starts[bounds[-1]]) + most_edges
            end = int(np.searchsorted(self._starts, most, "right")) - 1
            bounds.append(min(self.givers, max(end, bounds[-1] + 1)))
        return list(pairwise(bounds))

    def _loaded(
        self, pieces: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[tuple[int, int], Any, Any]]:
        if not self.is_streamed:
            for piece in pieces:
                where = self._places(piece)
                yield piece, self._sources[where], self._weights[where]
            return
        longest = max(where.stop - where.start for where in map(self._places, pieces))
        sources = np.empty(longest, np.int32)
        weights = np.empty(longest if self._weighted else 0)
        for piece in pieces:
            where = self._places(piece)
            length = where.stop - where.start
            self._read(self._sources_file, sources[:length], where.start * _SOURCE_BYTES)
            if self._weighted:
                self._read(self._weights_file, weights[:length], where.start * _WEIGHT_BYTES)
            yield piece, sources[:length], weights[: length if self._weighted else 0]

    def _places(self, piece: tuple[int, int]) -> slice:
        return slice(int(self._starts[piece[0]]), int(self._starts[piece[1]]))

    def _write(self, graph: Adjacency, weights: Floats, cursors: Any, scratch: Path | None) -> None:
        with refusals(f"Cannot write the links of a graph to {scratch or tempfile.gettempdir()}"):
            files = [
                self._closing.enter_context(_nameless(scratch)) for _ in range(1 + self._weighted)
            ]
            self._sources_file, self._weights_file = files[0], files[-1]
            # From the end: the cursor of a row that is done points to the row after it, and must
            # not lie in the piece that comes next.
            for piece in reversed(self._pieces):
                where = self._places(piece)
                sources = np.empty(where.stop - where.start, np.int32)
                placed = np.empty(len(sources) if self._weighted else 0)
                rank_kernels.place_sources(
                    *(*graph, weights, cursors, where.start, sources, placed), self.passed_on
                )
                _write_at(self._sources_file.fileno(), sources, where.start * _SOURCE_BYTES)
                if self._weighted:
                    _write_at(self._weights_file.fileno(), placed, where.start * _WEIGHT_BYTES)

    def _read(self, file: Any, into: Any, at: int) -> None:
        """Threads share the file: nobody moves its position."""
        with refusals("Cannot read the links of a graph back"):
            rest = memoryview(into).cast("B") if len(into) else memoryview(b"")
            while rest:
                got = os.preadv(file.fileno(), [rest], at)
                if not got:
                    raise OSError("the file is shorter than what was written to it")
                rest, at = rest[got:], at + got


def _group_bits(nodes: int) -> int:
    """Nodes that differ in so many low bits only are a group."""
    return max(_LEAST_GROUP_BITS, (nodes // _GROUPS).bit_length())


def _placed(graph: Adjacency, cursors: Any, groups: Any, edges: int, passed_on: Any) -> Any:
    """The giver behind each in-link. Two passes, the first of which brings together the links to
    nodes that are near each other, are faster than one that jumps through all of memory. They take
    twelve bytes a link."""
    ends = np.cumsum(groups)
    giving, receiving = np.empty(ends[-1], np.int32), np.empty(ends[-1], np.int32)
    bits = _group_bits(graph.nodes)
    rank_kernels.sort_roughly(*graph, bits, ends - groups, giving, receiving)
    sources = np.empty(edges + 1, np.int32)
    rank_kernels.place_pairs(giving, receiving, cursors, sources, passed_on)
    return sources[:edges]


def _nameless(folder: Path | None) -> Any:
    return tempfile.TemporaryFile(dir=folder, buffering=0)


def _write_at(descriptor: int, array: Any, at: int) -> None:
    rest = memoryview(array).cast("B") if len(array) else memoryview(b"")
    while rest:
        written = os.pwrite(descriptor, rest, at)
        rest, at = rest[written:], at + written


def _threads(asked: int | None, edges: int) -> int:
    if asked is not None:
        return max(1, asked)
    if edges < _FEW_EDGES:
        return 1
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not everywhere
        return os.cpu_count() or 1


def _room() -> int:
    """Half of the memory that is free here and now."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        available = next(line for line in text.splitlines() if line.startswith("MemAvailable:"))
        return int(available.split()[1]) * 1024 // 2
    except (OSError, StopIteration, ValueError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4
