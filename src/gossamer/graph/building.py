"""From numbered addresses to graphs: of pages, of hosts and of domains.

A page links to another once, however often; hosts and domains count every link. Links that stand on
most pages of a host say more about its template than about what they lead to, and weigh less.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.adjacency import Adjacency, Floats, writing
from gossamer.graph.link_files import BOILERPLATE, NOFOLLOW, LinkFile, State
from gossamer.graph.names import ADVICE, ArrayFile, Int32s, Int64s
from gossamer.graph.numbering import BLOCK, Numbering, host_blocks
from gossamer.storage.arrays import mapped, save

PAGES = "pages"
_LEAST_PAGES = 5
"""Of a host with fewer pages with links, nobody can tell what belongs to its template."""


class Wishes(NamedTuple):
    """Which links count, and how much."""

    nofollow: bool = False  # they count too
    uncrawled: bool = True  # addresses that were never fetched are pages without links
    template_share: float = 0.5
    template_weight: float = 0.1

    @property
    def weighs(self) -> bool:
        return self.template_weight < 1


class PageGraph(NamedTuple):
    graph: Adjacency
    weights: Floats | None
    nodes: Int32s  # number of an address -> the node that it counts for; -1: none
    numbers: Int32s  # node -> number of its address
    hosts: Int32s  # node -> number of its host
    crawled: NDArray[np.bool_]  # node -> whether its page was fetched
    sums: Floats  # of each link: what all of its kind on the page count together
    host_graph: "Counted"


class Counted(NamedTuple):
    """A graph of hosts or domains: each link once, with how often it is set."""

    graph: Adjacency
    weights: Floats


class _Links(NamedTuple):
    sources: Any
    targets: Any
    counts: Any
    is_template: Any


OnBlock = Callable[[int, int], None]


def build(
    files: Sequence[LinkFile],
    numbering: Numbering,
    wishes: Wishes,
    folder: Path,
    on_block: OnBlock = lambda _done, _all: None,
    block: int = BLOCK,
) -> PageGraph:
    """Writes the graph of pages to the folder, and gives it back mapped."""
    nodes, numbers = _nodes(numbering, wishes)
    host_of_number = numbering.names.host_numbers()
    hosts = host_of_number[numbers]
    count = len(numbering.names.hosts)
    ranges = [
        _link_ranges(file, own, numbering) for file, own in zip(files, numbering.maps, strict=True)
    ]
    sizes = np.zeros(count, np.int64)
    for begins, ends in ranges:
        sizes += ends - begins
    total, done = int(sizes.sum()), 0
    between = _Aggregated(count)
    weights = ArrayFile(folder / "weights.npy", np.float64) if wishes.weighs else None
    sums = ArrayFile(folder / "sums.npy", np.float64)
    node_ends = np.searchsorted(hosts, np.arange(count), "right")
    with writing(folder, PAGES, len(numbers)) as writer:
        for first, end in host_blocks(sizes, block):
            links = _block_links(files, numbering, nodes, ranges, first, end, wishes)
            is_template = links.is_template | _common(links, hosts, wishes.template_share)
            weight = np.where(is_template, wishes.template_weight, 1.0)
            between.add(hosts[links.sources], hosts[links.targets], links.counts * weight)
            sums.append(links.counts * weight)
            low = int(node_ends[first - 1]) if first else 0
            rows = int(node_ends[end - 1]) - low
            degrees = np.bincount(links.sources - low, minlength=rows)
            writer.append(degrees, links.targets)
            if weights is not None:
                weights.append(weight)
            done += int(sizes[first:end].sum())
            on_block(done, total)
    if weights is not None:
        weights.close()
    sums.close()
    save(folder / "nodes.npy", nodes)
    save(folder / "numbers.npy", numbers)
    return PageGraph(
        Adjacency.open(folder, PAGES),
        open_weights(folder),
        nodes,
        numbers,
        hosts,
        numbering.states[numbers] == State.PAGE,
        mapped(folder / "sums.npy", ADVICE),
        between.graph(),
    )


def forget_sums(folder: Path) -> None:
    """They are of use only while ranks are computed."""
    (folder / "sums.npy").unlink(missing_ok=True)


def host_graph(
    pages: PageGraph, kept: NDArray[np.bool_], count: int, block: int = BLOCK
) -> Counted:
    """The graph of hosts by some of the links of pages alone."""
    between = _Aggregated(count)
    graph = pages.graph
    for low in range(0, graph.edges, block):
        high = min(low + block, graph.edges)
        chosen = np.flatnonzero(kept[low:high]) + low
        sources = np.searchsorted(graph.offsets, chosen, "right") - 1
        targets = graph.targets[chosen]
        between.add(pages.hosts[sources], pages.hosts[targets], pages.sums[chosen])
    return between.graph()


def open_weights(folder: Path) -> Floats | None:
    path = folder / "weights.npy"
    found: Floats | None = mapped(path, ADVICE) if path.exists() else None
    return found


def _nodes(numbering: Numbering, wishes: Wishes) -> tuple[Int32s, Int32s]:
    own = numbering.roots == np.arange(len(numbering.roots))
    if not wishes.uncrawled:
        own &= numbering.states == State.PAGE
    numbers = np.flatnonzero(own).astype(np.int32)
    nodes = np.full(len(own), -1, np.int32)
    nodes[numbers] = np.arange(len(numbers), dtype=np.int32)
    return nodes[numbering.roots], numbers


def _link_ranges(file: LinkFile, numbers: Int32s, numbering: Numbering) -> tuple[Int64s, Int64s]:
    """Of every host of all, where a file has the links of its pages."""
    ends = numbering.names.host_ends
    # Numbers grow with those of the file, so the pages of a host lie together there too.
    own_ends = np.searchsorted(numbers, ends)
    link_ends = np.searchsorted(file.sources, own_ends).astype(np.int64)
    return np.concatenate((np.zeros(1, np.int64), link_ends[:-1])), link_ends


def _block_links(
    files: Sequence[LinkFile],
    numbering: Numbering,
    nodes: Int32s,
    ranges: Sequence[tuple[Int64s, Int64s]],
    first: int,
    end: int,
    wishes: Wishes,
) -> _Links:
    """The links of the pages of some hosts, each once, in order."""
    parts = []
    for place, (file, numbers) in enumerate(zip(files, numbering.maps, strict=True)):
        low, high = int(ranges[place][0][first]), int(ranges[place][1][end - 1])
        if low == high:
            continue
        own = numbers[file.sources[low:high]]
        flags = file.flags[low:high]
        targets = nodes[numbers[file.targets[low:high]]]
        sources = nodes[own]
        # Older forms of a page have no say, nor have pages that leave their place to another: the
        # links of a stranger's page must not become those of the page that it calls its own.
        kept = (numbering.owners[own] == place) & (numbering.roots[own] == own)
        kept &= (sources >= 0) & (targets >= 0) & (sources != targets)
        if not wishes.nofollow:
            kept &= (flags & NOFOLLOW) == 0
        parts.append(
            (
                sources[kept],
                targets[kept],
                file.counts[low:high][kept],
                (flags[kept] & BOILERPLATE) > 0,
            )
        )
    if not parts:
        nothing = np.empty(0, np.int32)
        return _Links(nothing, nothing, np.empty(0), np.empty(0, np.bool_))
    sources, targets, counts, is_template = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    order = np.lexsort((targets, sources))
    sources, targets = sources[order], targets[order]
    firsts = _firsts(sources, targets)
    if not len(firsts):
        return _Links(sources, targets, np.empty(0), np.empty(0, np.bool_))
    return _Links(
        sources[firsts],
        targets[firsts],
        np.add.reduceat(counts[order].astype(np.float64), firsts),
        np.logical_and.reduceat(is_template[order], firsts),
    )


def _firsts(one: Any, other: Any) -> Any:
    """Where another pair begins."""
    is_first = np.ones(len(one), np.bool_)
    is_first[1:] = (one[1:] != one[:-1]) | (other[1:] != other[:-1])
    return np.flatnonzero(is_first)


def _common(links: _Links, hosts: Int32s, share: float) -> Any:
    """Whether a link stands on more than a share of the pages of its host."""
    if not len(links.sources):
        return np.empty(0, np.bool_)
    host = hosts[links.sources]
    pages_of = np.bincount(host[_firsts(links.sources, links.sources)], minlength=len(hosts))
    order = np.lexsort((links.targets, host))
    firsts = _firsts(host[order], links.targets[order])
    counts = np.diff(np.append(firsts, len(order)))
    pages = pages_of[host[order][firsts]]
    is_common = (counts > share * pages) & (pages >= _LEAST_PAGES)
    found = np.empty(len(order), np.bool_)
    found[order] = np.repeat(is_common, counts)
    return found


class _Aggregated:
    """Links between hosts, summed up block by block."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pairs: Any = np.empty(0, np.int64)
        self._weights: Any = np.empty(0)

    def add(self, sources: Any, targets: Any, weights: Any) -> None:
        other = sources != targets
        pairs = sources[other].astype(np.int64) * self._count + targets[other]
        pairs = np.concatenate((self._pairs, pairs))
        weights = np.concatenate((self._weights, weights[other]))
        self._pairs, back = np.unique(pairs, return_inverse=True)
        self._weights = np.bincount(back, weights, len(self._pairs))

    def graph(self) -> Counted:
        return counted(
            self._pairs // max(1, self._count),
            self._pairs % max(1, self._count),
            self._weights,
            self._count,
        )


def counted(sources: Any, targets: Any, weights: Any, nodes: int) -> Counted:
    """A graph of pairs that come in order, each once."""
    offsets = np.zeros(nodes + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=nodes), out=offsets[1:])
    return Counted(Adjacency(offsets, targets.astype(np.int32)), np.asarray(weights, np.float64))


def aggregated(graph: Counted, groups: Int32s, count: int) -> Counted:
    """The graph of groups of nodes: of the domains of hosts."""
    sums = _Aggregated(count)
    sums.add(groups[graph.graph.sources()], groups[graph.graph.targets], graph.weights)
    return sums.graph()
