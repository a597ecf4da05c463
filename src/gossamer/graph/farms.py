"""Which pages link to each other only to be ranked higher, and how are they kept from it?

Pages of a farm that play the same part have the same PageRank and the same GapRank (`gap_rank`). So
sets to look at are: pieces of the graph that hang together by links between pages that are alike in
both, within a tolerance, a loose one first; and pages with next to no links that work for the same
page. What such a set must be like to be called a farm is told by `farm_evidence`. The links of a
farm's pages are cut, and the ranks computed again.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gossamer.graph import farm_kernels as kernels
from gossamer.graph.adjacency import Adjacency, Floats, Int32s
from gossamer.graph.farm_evidence import (
    Bools,
    Evidence,
    FarmRule,
    Witness,
    groups,
    logarithms_of,
)
from gossamer.graph.gap_rank import gap_rank
from gossamer.graph.page_rank import DAMPING, Ranks

_GAP_TOLERANCE = 1e-6
"""Of GapRank: ranks are compared to some per cent."""
_FEW_LINKS, _SOME_LINKS = 4, 16
"""Of the rays of a star around one page, and around several."""


class Farm(NamedTuple):
    """A farm, and why it is one. Ranks are sums over its pages, or of the page that it boosts most;
    those `after` are not known (nan) before the ranks are computed without it."""

    pages: Int32s
    hosts: int
    domains: int
    shape: str
    """`clique`, `dense`, `ring`, `star` or `sparse`."""
    density: float
    stays: float
    """The share of its links that leads to its own pages, or to those that it boosts."""
    fed_outside: float
    """Links from outside for each link of its own."""
    boosted: Int32s
    """Pages outside that it works for, the most linked first."""
    rank_before: float
    rank_after: float
    best: int
    """The page that gains most: a boosted one, or else the one of its own with the highest rank."""
    best_before: float
    best_after: float
    why: str


def find_farms(
    graph: Adjacency,
    hosts: Int32s,
    domains: Int32s,
    ranks: Ranks,
    *,
    rule: FarmRule | None = None,
    damping: float = DAMPING,
    transposed: Adjacency | None = None,
    gaps: Ranks | None = None,
) -> list[Farm]:
    """The farms of a graph, largest first. No page is in two of them. `hosts` and `domains`: a
    number for each page. `transposed` and `gaps`, if somebody has them already."""
    if not len(hosts) == len(domains) == len(ranks.values) == graph.nodes:
        raise ValueError("each page has one host, one domain and one rank")
    if not graph.edges:
        return []
    rule = rule or FarmRule()
    turned = transposed or graph.transposed()
    gaps = gaps or gap_rank(graph, damping=damping, tolerance=_GAP_TOLERANCE, transposed=turned)
    witness = Witness(graph, turned, domains, ranks.values, gaps.values, rule)
    taken = np.zeros(graph.nodes, np.bool_)
    found: list[Evidence] = []
    for pages, centre in _suspects(graph, domains, ranks.values, gaps.values, taken, rule):
        for evidence in _judged(witness, pages[~taken[pages]], centre):
            grown = witness.examine(witness.grown(evidence.pages, taken, centre), centre)
            if not grown.fault:
                found.append(grown)
                taken[grown.pages] = True
    whole = zip(found, _whole_domains(found, domains, rule), strict=True)
    found = [witness.examine(pages, evidence.centre) for evidence, pages in whole]
    farms = [_farm(evidence, hosts, ranks.values) for evidence in found]
    return sorted(farms, key=lambda farm: (-len(farm.pages), int(farm.pages[0])))


def without_farms(graph: Adjacency, farms: Sequence[Farm]) -> Adjacency:
    """The graph with the out-links of all pages of farms cut: they pass nothing on."""
    return cut_links(graph, farm_pages(graph.nodes, farms))


def cut_links(graph: Adjacency, pages: Bools) -> Adjacency:
    """The graph without the out-links of the pages that are marked."""
    return Adjacency(*kernels.cut(*graph, pages))


def farm_pages(nodes: int, farms: Sequence[Farm]) -> Bools:
    """For each page, whether it is in a farm."""
    farmed = np.zeros(nodes, np.bool_)
    for farm in farms:
        farmed[farm.pages] = True
    return farmed


def with_losses(farms: Sequence[Farm], after: Ranks) -> list[Farm]:
    """The farms with what is left of their rank, now that the ranks are computed without them."""
    return [
        farm._replace(
            rank_after=float(after.values[farm.pages].sum()),
            best_after=float(after.values[farm.best]),
        )
        for farm in farms
    ]


def _suspects(
    graph: Adjacency, domains: Int32s, ranks: Floats, gaps: Floats, taken: Bools, rule: FarmRule
) -> Iterator[tuple[Int32s, int]]:
    """Sets of pages that may be farms, and the page that they work for (-1 if there is none). Pages
    that are taken as they are gone through are not in later ones."""
    yield from _rays(graph, domains, taken, rule, _FEW_LINKS)
    everyone = np.arange(graph.nodes, dtype=np.int32)
    rank_logs, gap_logs = logarithms_of(ranks), logarithms_of(gaps)
    for tolerance in rule.tolerances:
        labels = kernels.alike_pieces(*graph, rank_logs, gap_logs, taken, tolerance)
        for _, pages in groups(labels, everyone, rule.smallest, domains):
            yield pages, -1
    # Last, as pages of a small clique have no more links either.
    yield from _rays(graph, domains, taken, rule, _SOME_LINKS)


def _judged(witness: Witness, pages: Int32s, centre: int) -> Iterator[Evidence]:
    """The pieces of a set that are farms."""
    for piece in witness.refined(pages, centre):
        evidence = witness.examine(piece, centre)
        if not evidence.fault:
            yield evidence
        elif centre >= 0:
            # Honest pages that link to little else than the centre are known elsewhere.
            rest = witness.known_inside(piece, centre)
            if len(rest) < len(piece):
                again = (witness.examine(part, centre) for part in witness.refined(rest, centre))
                yield from (evidence for evidence in again if not evidence.fault)


def _rays(
    graph: Adjacency, domains: Int32s, taken: Bools, rule: FarmRule, most_links: int
) -> Iterator[tuple[Int32s, int]]:
    """Pages with few links by the page that they work for, directly or through another, the largest
    sets first; then those that work for it directly."""
    near = kernels.funnels(*graph, taken, most_links)
    everyone = np.arange(graph.nodes, dtype=np.int32)
    far = np.where(near >= 0, near[near], -1).astype(np.int32)
    far[far == everyone] = -1
    both = groups(
        np.concatenate((near, far)), np.concatenate((everyone, everyone)), rule.smallest, domains
    )
    for centre, pages in sorted(both, key=lambda found: -len(found[1])):
        yield np.unique(pages), centre
    sizes = {centre: len(pages) for centre, pages in both}
    for centre, pages in groups(near, everyone, rule.smallest, domains):
        if len(pages) < sizes[centre]:
            yield pages, centre


def _whole_domains(found: list[Evidence], domains: Int32s, rule: FarmRule) -> list[Int32s]:
    """The pages of each farm, with the rest of the domains that consist of farms for the most part:
    there is nothing honest about such a domain. A rest goes to the farm that has most of its
    domain."""
    if not found:
        return []
    farm_of = np.full(len(domains), -1, np.int32)
    for number, evidence in enumerate(found):
        farm_of[evidence.pages] = number
    farmed = np.flatnonzero(farm_of >= 0)
    sizes = np.bincount(domains)
    shares = np.bincount(domains[farmed], minlength=len(sizes))
    ripe = (shares >= 2) & (shares < sizes) & (shares > rule.domain_grows * sizes)
    pairs = domains[farmed].astype(np.int64) * len(found) + farm_of[farmed]
    kinds, counts = np.unique(pairs, return_counts=True)
    order = np.argsort(counts, kind="stable")
    owners = np.full(len(sizes), -1, np.int32)
    owners[kinds[order] // len(found)] = kinds[order] % len(found)
    rest = np.flatnonzero(ripe[domains] & (farm_of < 0))
    farm_of[rest] = owners[domains[rest]]
    everyone = np.arange(len(domains), dtype=np.int32)
    return [pages for _, pages in groups(farm_of, everyone, 1, domains)]


def _farm(evidence: Evidence, hosts: Int32s, ranks: Floats) -> Farm:
    pages, boosted = evidence.pages, evidence.boosted
    best = int(boosted[0]) if len(boosted) else int(pages[np.argmax(ranks[pages])])
    shape = _shape(evidence)
    host_count = len(np.unique(hosts[pages]))
    return Farm(
        pages,
        host_count,
        evidence.domains,
        shape,
        evidence.density,
        evidence.stays,
        evidence.fed_outside,
        boosted,
        float(ranks[pages].sum()),
        float("nan"),
        best,
        float(ranks[best]),
        float("nan"),
        _why(evidence, shape, host_count),
    )


def _shape(evidence: Evidence) -> str:
    if evidence.density >= 0.8:
        return "clique"
    if evidence.density >= 0.25:
        return "dense"
    if evidence.most_linked >= 0.5 or evidence.linked < 0.5:
        return "star"
    return "ring" if evidence.density * (len(evidence.pages) - 1) <= 1.5 else "sparse"


def _why(evidence: Evidence, shape: str, hosts: int) -> str:
    boosted = len(evidence.boosted)
    works = f", and boost {boosted} other page{'s' * (boosted > 1)}" if boosted else ""
    return (
        f"{len(evidence.pages)} pages on {hosts} hosts of {evidence.domains} domains ({shape}, "
        f"density {evidence.density:.3g}) keep {evidence.stays:.0%} of their links among "
        f"themselves{works}; {evidence.alike:.0%} have nearly the same PageRank and GapRank; "
        f"{evidence.fed_outside:.2g} links come from outside for each of their own."
    )
