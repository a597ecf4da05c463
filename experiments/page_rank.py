"""PageRank: iterations against tolerance, the cost of looking for farms, one thread and two.

Junosearch's paper stopped after 30 iterations, "within tolerance of 0.001", and measured what
looking for link farms adds and what more machines bring.
"""

import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse

from benchmarks.farms import made_web, real_web
from benchmarks.planted_farms import Web
from benchmarks.power_law import power_law
from benchmarks.real_text import data_folder
from experiments.page import Page
from gossamer.graph.adjacency import Adjacency, Floats
from gossamer.graph.farms import find_farms, without_farms
from gossamer.graph.gap_rank import gap_rank
from gossamer.graph.page_rank import DAMPING, page_rank

_GRAPH = "webgraph/cnr-2000.edges.tsv.gz"
DIGITS = range(1, 13)
_MADE_PAGES = 100_000
_LARGE = (1_000_000, 10_000_000)
_ROUNDS = 7
_TRIES = 15
_EXACT = 1e-15


class Cost(NamedTuple):
    cpu_ms: float
    wall_ms: float


def _cost(work: Callable[[], object], rounds: int = _ROUNDS) -> Cost:
    """The median of some rounds."""
    found = []
    for _ in range(rounds):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        found.append((time.process_time() - cpu, time.perf_counter() - wall))
    return Cost(*(1000 * statistics.median(values) for values in zip(*found, strict=True)))


def repeated(graph: Adjacency, most: int = 400) -> tuple[list[float], list[Floats]]:
    """The formula applied again and again, from ranks that are all equal: what each application
    changes. Of the ranks, those after the first that changes less than each tolerance."""
    degrees = graph.out_degrees()
    each = np.repeat(1 / np.maximum(degrees, 1), degrees)
    shape = (graph.nodes, graph.nodes)
    pulled = scipy.sparse.csr_array((each, graph.targets, graph.offsets), shape=shape).T.tocsr()
    ranks = np.full(graph.nodes, 1 / graph.nodes)
    changes: list[float] = []
    kept: list[Floats] = []
    while len(kept) < len(DIGITS) and len(changes) < most:
        jumping = (1 - DAMPING + DAMPING * ranks[degrees == 0].sum()) / graph.nodes
        after = DAMPING * (pulled @ ranks) + jumping
        changes.append(float(np.abs(after - ranks).sum()))
        ranks = after
        while len(kept) < len(DIGITS) and changes[-1] < 10.0 ** -DIGITS[len(kept)]:
            kept.append(ranks)
    return changes, kept


def _tolerances(page: Page, name: str, graph: Adjacency) -> None:
    page_rank(graph)  # what is compiled is no part of it
    exact = page_rank(graph, tolerance=_EXACT, threads=1).values
    best = np.argsort(-exact)[:100]
    changes, kept = repeated(graph)
    rows, ours, plain = [], [], []
    for digits, other in zip(DIGITS, kept, strict=True):
        tolerance = 10.0**-digits
        ranks = page_rank(graph, tolerance=tolerance, threads=1)
        cost = _cost(partial(page_rank, graph, tolerance=tolerance, threads=1))
        applied = next(n for n, change in enumerate(changes, 1) if change < tolerance)
        same = len(np.intersect1d(best, np.argsort(-ranks.values)[:100]))
        ours.append((float(digits), float(ranks.iterations)))
        plain.append((float(digits), float(applied)))
        rows.append(
            [
                f"1e-{digits}",
                ranks.iterations,
                applied,
                f"{ranks.residual:.1e}",
                f"{np.abs(ranks.values - exact).sum():.1e}",
                f"{np.abs(other - exact).sum():.1e}",
                same,
                f"{cost.cpu_ms:.0f}",
            ]
        )
    page.heading("Iterations against tolerance")
    page.say(
        f"{name}: {graph.nodes:,} pages, {graph.edges:,} links. An iteration goes through all "
        "links once. Ours are sweeps in place, and one application of the formula at the end; "
        "repeated is the formula applied again and again, until it changes less than the "
        "tolerance. Off by: the sum of the differences from ranks that are as exact as numbers can "
        "be. The last but one column: how many of the best hundred are among the best hundred of "
        "those."
    )
    page.table(
        [
            "tolerance",
            "iterations",
            "repeated",
            "residual",
            "off by",
            "repeated, off by",
            "of the best 100",
            "CPU-ms",
        ],
        rows,
    )
    page.plot(
        "iterations",
        {"the formula repeated": plain, "sweeps in place": ours},
        title="PageRank: iterations against tolerance",
        across="digits of the tolerance: 3 is 0.001",
        up="iterations",
    )
    warm = graph.targets.copy()
    moved = np.random.default_rng(1).random(graph.edges) < 0.01
    warm[moved] = np.random.default_rng(2).permutation(warm[moved])
    changed = Adjacency.from_edges(graph.sources(), warm, graph.nodes)
    cold = page_rank(changed, threads=1).iterations
    started = page_rank(changed, start=exact, threads=1).iterations
    page.say(
        f"A warm start: after one link in a hundred has got another target, the ranks to 1e-9 take "
        f"{cold} iterations from equal ranks, and {started} from the ranks of before."
    )


def _farms(page: Page, web: Web) -> None:
    graph = Adjacency.from_edges(web.sources, web.targets, web.nodes)
    ranks = page_rank(graph)
    turned = graph.transposed()
    gaps = gap_rank(graph, tolerance=1e-6, transposed=turned)

    def find() -> object:
        return find_farms(graph, web.hosts, web.domains, ranks, transposed=turned, gaps=gaps)

    farms = find_farms(graph, web.hosts, web.domains, ranks, transposed=turned, gaps=gaps)
    cut = without_farms(graph, farms)
    costs = {
        "PageRank": _cost(lambda: page_rank(graph)),
        "the graph turned round": _cost(graph.transposed),
        "GapRank": _cost(lambda: gap_rank(graph, tolerance=1e-6, transposed=turned)),
        "finding farms": _cost(find),
        "cutting their links": _cost(lambda: without_farms(graph, farms)),
        "PageRank again, from the ranks of before": _cost(
            lambda: page_rank(cut, start=ranks.values)
        ),
    }
    first = costs["PageRank"].cpu_ms
    page.heading("What looking for farms costs")
    page.say(
        f"The same web; how its pages have got hosts is told in `benchmarks/farms.py`. "
        f"{len(farms)} farms are found as it is. In Junosearch's paper looking for farms ran out "
        "of memory on one machine and on two."
    )
    page.table(
        ["step", "CPU-ms", "of a PageRank"],
        [
            [name, f"{cost.cpu_ms:.0f}", f"{cost.cpu_ms / first:.1f}"]
            for name, cost in [
                *costs.items(),
                ("all that farms add", _sum(list(costs.values())[1:])),
            ]
        ],
    )


def _sum(costs: list[Cost]) -> Cost:
    return Cost(sum(one.cpu_ms for one in costs), sum(one.wall_ms for one in costs))


def _workers(page: Page, graphs: dict[str, Adjacency]) -> None:
    page.heading("One thread and two")
    cores = len(os.sched_getaffinity(0))
    page.say(
        f"Wall and CPU-milliseconds of all of PageRank to 1e-9, the least of {_TRIES} rounds, on "
        f"{cores} cores. Only the sweeps are shared among threads; turning the links round and the "
        "last look are done by one."
    )
    rows = []
    for name, graph in graphs.items():
        found: dict[int, list[Cost]] = {1: [], 2: []}
        for _ in range(_TRIES):
            for threads in found:
                found[threads].append(_cost(partial(page_rank, graph, threads=threads), 1))
        for threads, costs in found.items():
            iterations = page_rank(graph, threads=threads).iterations
            wall, cpu = min(one.wall_ms for one in costs), min(one.cpu_ms for one in costs)
            rows.append([name, threads, iterations, f"{wall:.0f}", f"{cpu:.0f}"])
    page.table(["graph", "threads", "iterations", "wall, ms", "CPU-ms"], rows)


def measure(name: str, web: Web, large: Adjacency) -> Page:
    graph = Adjacency.from_edges(web.sources, web.targets, web.nodes)
    page = Page("page-rank", "PageRank: iterations, farms, threads")
    _tolerances(page, name, graph)
    _farms(page, web)
    _workers(page, {name.partition(",")[0]: graph, "power law": large})
    return page


def run() -> Page:
    large = power_law(*_LARGE)
    data = data_folder()
    if data is not None and (data / _GRAPH).exists():
        return measure("cnr-2000, a crawl of Italian sites", real_web(data / _GRAPH), large)
    return measure("A made web", made_web(_MADE_PAGES), large)
