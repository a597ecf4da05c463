"""Is this set of pages a farm, and why?

A set is looked at with the pages that it boosts: those outside to which a good part of its members
links. A farm

- stays among itself: its links lead to its own pages and to those that it boosts;
- is fed by itself: few links come from elsewhere, compared with its own;
- is alike: most pages have nearly the same PageRank and the same GapRank;
- lies on several domains, and does not care for them: its links cross from domain to domain as they
  would if domains played no part (woven), or its pages have next to no other links (thin).

The last is what tells it from honest sites. A manual lies on one domain. A company's sites, or the
copies of a manual, link within themselves page by page, and across only to front pages or from copy
to copy.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.graph import farm_kernels as kernels
from gossamer.graph.adjacency import Adjacency, Floats, Int32s, Int64s

Bools = NDArray[np.bool_]
_ROUNDS = 6
_MOST_BOOSTED = 8


class FarmRule(NamedTuple):
    """What a set of pages must be like. Shares are of its links, unless it says otherwise."""

    smallest: int = 8
    """Pages; fewer are no farm that pays."""
    tolerances: tuple[float, ...] = (0.6, 0.3, 0.1, 0.02)
    """How far the logarithms of the ranks of two linked pages may be apart; tried in turn."""
    stays: float = 0.65
    """Of its links, at least so many lead to its own pages and to those that it boosts."""
    fed_outside: float = 0.5
    """Links from outside, at most, for each link of its own. Those to one page do not count: who
    has a farm may have something that others link to as well."""
    unknown: float = 0.1
    """With `fed_outside` at most so, hardly anybody knows the set: honest pages are found by
    links."""
    unknown_stays: float = 0.4
    """`stays` of a set that nobody knows."""
    leaks: float = 0.6
    """The share of its links that leads elsewhere, and `fed_outside`, together at most, of a set
    that somebody knows."""
    alike: float = 0.6
    """Of its pages, so many are within `alike_within` of the middle one, in both ranks."""
    alike_within: float = 0.7
    member_stays: float = 0.3
    """A page is no member if less of its links, out and in, are with other members."""
    boosted_by: float = 0.3
    """Pages outside are boosted if at least so many of the members link to them."""
    beside_largest: float = 0.08
    """Of its pages, so many lie beside its largest domain."""
    woven: float = 0.5
    """Links that cross domains, as a share of what would cross if domains played no part."""
    crossed: float = 0.5
    """Of its pages, so many are linked to from another domain of the set."""
    partial: float = 0.5
    """A page that links to another domain of the set links to at least so many of its pages there
    for each of its links within its own domain. Translations and copies link to one."""
    holds_alone: float = 0.3
    """A domain whose pages are less woven into the set than this is no part of it."""
    thin: float = 2.5
    """Links a page, at most, for a set that is held together by little else."""
    unknown_thin: float = 3.5
    """The same of a set that nobody knows."""
    thin_crossing: float = 0.35
    """Of the links of a thin set, so many cross domains."""
    chain: float = 1.3
    """Links a page, at most, for a ring or its pieces, which may run through one domain after the
    other; nothing but the ring may hold its pages then."""
    chain_leaks: float = 0.25
    grows: float = 0.5
    """A page is taken in if so many of its links, and of the links to it, are the farm's."""
    domain_grows: float = 0.5
    """The rest of a domain is taken in if more of its pages than this are in farms."""


class Evidence(NamedTuple):
    pages: Int32s
    centre: int
    boosted: Int32s
    """The page that gets most from the set first."""
    domains: int
    links: int
    """Among the pages and to those that they boost."""
    density: float
    """Links among the pages, as a share of all that could be."""
    stays: float
    fed_outside: float
    alike: float
    woven: float
    crossed: float
    linked: float
    """Of its pages, so many are linked to by another."""
    most_linked: float
    """By how many of its pages the one is linked to to which most link."""
    fault: str
    """Why it is no farm, in a word; empty if it is one."""


class Witness:
    """Looks at sets of pages in one graph."""

    def __init__(
        self,
        graph: Adjacency,
        turned: Adjacency,
        domains: Int32s,
        ranks: Floats,
        gaps: Floats,
        rule: FarmRule,
    ) -> None:
        self._graph, self._turned = graph, turned
        self._domains = domains
        self._ranks, self._gaps = ranks, gaps
        self._rule = rule
        self._marks = np.zeros(graph.nodes, np.int64)
        self._counts = np.zeros(graph.nodes, np.int32)
        self._rows = np.zeros(graph.nodes, np.int32)
        self._seen = np.zeros(int(domains.max(initial=-1)) + 1, np.int64)
        self._mark = self._stamp = 0

    def _new_mark(self) -> int:
        self._mark += 2
        return self._mark

    def boosted(self, pages: Int32s, centre: int = -1) -> tuple[Int32s, int]:
        """Marks the set, and the pages outside that it boosts; these, and the mark. `centre` is one
        of them, however many link to it."""
        mark = self._new_mark()
        kernels.mark_members(self._marks, pages, mark)
        found, linked = kernels.count_receivers(
            *self._graph, pages, self._marks, mark, self._counts
        )
        least = max(3, self._rule.boosted_by * len(pages))
        enough = (linked >= least) | (found == centre)
        order = np.argsort(-linked[enough], kind="stable")
        boosted: Int32s = found[enough][order][:_MOST_BOOSTED]
        kernels.mark_members(self._marks, boosted, mark + 1)
        return boosted, mark

    def refined(self, pages: Int32s, centre: int = -1) -> list[Int32s]:
        """The pieces of the set that are left without pages that are not at home in it, and without
        domains that hold together by themselves."""
        rule = self._rule
        for _ in range(_ROUNDS):
            if not self._may_be(pages):
                return []
            _, mark = self.boosted(pages, centre)
            counts = self._survey(pages, mark)
            links = self._links(pages)
            inside = counts[[0, 1, 2, 4, 5, 6]].sum(0)
            keep = inside >= rule.member_stays * (links + counts[4:8].sum(0))
            keep &= ~self._holding_alone(pages, counts, links)
            if keep.all():
                break
            pages = pages[keep]
        if not self._may_be(pages):
            return []
        _, mark = self.boosted(pages, centre)
        labels = kernels.pieces_of(*self._graph, pages, self._marks, mark, self._rows)
        return [piece for _, piece in groups(labels, pages, rule.smallest, self._domains)]

    def grown(self, pages: Int32s, taken: Bools, centre: int = -1) -> Int32s:
        """The set with the pages that live off it."""
        for _ in range(_ROUNDS):
            boosted, mark = self.boosted(pages, centre)
            added = kernels.neighbours(
                *self._graph,
                *self._turned,
                np.concatenate((pages, boosted)),
                self._marks,
                mark,
                taken,
                self._rule.grows,
            )
            if not len(added):
                break
            pages = np.union1d(pages, added).astype(np.int32)
        return pages

    def known_inside(self, pages: Int32s, centre: int = -1) -> Int32s:
        """The members that nobody outside links to, or fewer than inside."""
        _, mark = self.boosted(pages, centre)
        counts = self._survey(pages, mark)
        known: Bools = (counts[7] > 0) & (counts[7] >= counts[4] + counts[5] + counts[6])
        return pages[~known]

    def examine(self, pages: Int32s, centre: int = -1) -> Evidence:
        rule = self._rule
        if not len(pages):
            nothing = np.empty(0, np.int32)
            return Evidence(pages, centre, nothing, *(0,) * 10, "small")
        boosted, mark = self.boosted(pages, centre)
        counts = self._survey(pages, mark)
        links = int(self._links(pages).sum())
        among, crossing = int(counts[:2].sum()), int(counts[1].sum())
        own = among + int(counts[2].sum())
        _, sizes = np.unique(self._domains[pages], return_counts=True)
        blind = 1 - float(((sizes / len(pages)) ** 2).sum())
        woven = crossing / among / blind if among and blind else 0.0
        domains_met = int(counts[8].sum())
        there = crossing / domains_met if domains_met else 0.0
        here = (among - crossing) / len(pages)
        crossed = float((counts[5] > 0).mean())
        stays = own / links if links else 0.0
        fed = int(counts[7].sum() - counts[7].max()) / own if own else np.inf
        leaks = 1 - stays + fed
        most = rule.unknown_thin if fed <= rule.unknown else rule.thin
        thin = links <= most * len(pages)
        alike = self._alike(pages)
        across = (crossing + int(counts[3].sum())) / own if own else 0.0
        if len(pages) < rule.smallest:
            fault = "small"
        elif len(sizes) < 2 or len(pages) - sizes.max() < max(2, rule.beside_largest * len(pages)):
            fault = "one domain"
        elif stays < (rule.unknown_stays if fed <= rule.unknown else rule.stays):
            fault = "links elsewhere"
        elif fed > rule.fed_outside or (fed > rule.unknown and leaks > rule.leaks):
            fault = "linked to from elsewhere"
        elif alike < rule.alike:
            fault = "unlike"
        elif thin:
            chain = links <= rule.chain * len(pages) and leaks <= rule.chain_leaks
            fault = "" if chain or across >= rule.thin_crossing else "within domains"
        elif fed <= rule.unknown and own - among > links / 2 and among - crossing <= links / 5:
            # A star around several pages, whose rays have no site of their own.
            fault = "" if across >= rule.thin_crossing else "within domains"
        elif (
            among < len(pages)
            or woven < rule.woven
            or crossed < rule.crossed
            or there < rule.partial * here
        ):
            fault = "within domains"
        else:
            fault = ""
        received = counts[4] + counts[5]
        possible = len(pages) * (len(pages) - 1)
        return Evidence(
            pages,
            centre,
            boosted,
            len(sizes),
            own,
            among / possible if possible else 0.0,
            stays,
            fed,
            alike,
            woven,
            crossed,
            float((received > 0).mean()),
            float(received.max() / len(pages)),
            fault,
        )

    def _survey(self, pages: Int32s, mark: int) -> Int64s:
        counts: Int64s = kernels.survey(
            *self._graph,
            *self._turned,
            pages,
            self._marks,
            mark,
            self._domains,
            self._seen,
            self._stamp,
        )
        self._stamp += len(pages)
        return counts

    def _links(self, pages: Int32s) -> Int64s:
        return self._graph.offsets[pages + 1] - self._graph.offsets[pages]

    def _may_be(self, pages: Int32s) -> bool:
        if len(pages) < self._rule.smallest:
            return False
        domains = self._domains[pages]
        return bool((domains != domains[0]).any())

    def _alike(self, pages: Int32s) -> float:
        within = np.ones(len(pages), bool)
        for values in (self._ranks, self._gaps):
            logarithms = logarithms_of(values[pages])
            within &= np.abs(logarithms - np.median(logarithms)) <= self._rule.alike_within
        return float(within.mean())

    def _holding_alone(self, pages: Int32s, counts: Int64s, links: Int64s) -> Bools:
        """Pages on domains that have links enough, and hardly any with the rest of the set."""
        _, places, sizes = np.unique(self._domains[pages], return_inverse=True, return_counts=True)
        own = np.bincount(places, counts[0] + counts[4])
        crossing = np.bincount(places, counts[1] + counts[5])
        blind = 1 - sizes / len(pages)
        alone = crossing < self._rule.holds_alone * blind * (own + crossing)
        alone &= np.bincount(places, links) > self._rule.thin * sizes
        return alone[places]


def logarithms_of(ranks: Floats) -> Floats:
    """Some ranks are zero where jumps lead to trusted pages only."""
    return np.log(np.maximum(ranks, np.finfo(np.float64).tiny))


def groups(
    labels: Int32s, pages: Int32s, smallest: int, domains: Int32s
) -> list[tuple[int, Int32s]]:
    """Pages by their label, in groups that are not too small, and not on one domain. Labels below 0
    are none."""
    valid = labels >= 0
    labels, pages = labels[valid], pages[valid]
    if len(labels):
        large = np.bincount(labels)[labels] >= smallest
        labels, pages = labels[large], pages[large]
    if not len(labels):
        return []
    order = np.argsort(labels, kind="stable")
    labels, pages = labels[order], pages[order].astype(np.int32)
    starts = np.flatnonzero(np.diff(labels, prepend=-1))
    ends = np.append(starts[1:], len(labels))
    homes = domains[pages]
    several = np.minimum.reduceat(homes, starts) != np.maximum.reduceat(homes, starts)
    return [
        (int(labels[start]), pages[start:end])
        for start, end in zip(starts[several].tolist(), ends[several].tolist(), strict=True)
    ]
