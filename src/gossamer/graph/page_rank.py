"""What is every page worth by the links to it?

    rank(x) = (1 - damping) * teleport(x)
            + damping * sum of rank(y) / links(y), over the pages y that link to x
            + damping * teleport(x) * sum of rank(z), over the pages z without links

Who walks from link to link at random, and with probability 1 - damping jumps, is at x with this
probability. `teleport` tells where a jump leads: anywhere, all pages alike, unless it is said
otherwise. Who is on a page without links jumps. The ranks of all pages sum up to one.

The jumps of all kinds go by one distribution, so they only scale the ranks: the equations

    rank(x) = jumping * teleport(x) + damping * sum of rank(y) / links(y)

have the same solution up to a factor, whatever `jumping` is. They are solved by sweeps in place
(Gauss and Seidel), and before each sweep `jumping` is set to what is lost on the way round, as it
is in the formula: together they need about half of the sweeps that repeating the formula takes.
Pages without links are not visited until the end, as no rank depends on theirs. At the end the
formula itself is applied once, to tell how far the ranks are from satisfying it.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from gossamer.errors import UsageError
from gossamer.graph import rank_kernels
from gossamer.graph.adjacency import Adjacency, Floats
from gossamer.graph.in_links import NO_WEIGHTS, InLinks

DAMPING = 0.85
TOLERANCE = 1e-9
MOST_ITERATIONS = 10_000
_PATIENCE = 20
"""After so many sweeps that bring nothing, what is left is rounding."""


class Ranks(NamedTuple):
    values: Floats
    """They sum up to one."""
    iterations: int
    """How often the links were gone through."""
    residual: float
    """By how much the formula, applied once more, would change the ranks: the sum over all."""


def page_rank(
    graph: Adjacency,
    *,
    damping: float = DAMPING,
    tolerance: float = TOLERANCE,
    most_iterations: int = MOST_ITERATIONS,
    teleport: Floats | None = None,
    start: Floats | None = None,
    weights: Floats | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
    scratch: Path | None = None,
    in_links: InLinks | None = None,
) -> Ranks:
    """The ranks of all nodes, once the residual is less than the tolerance.

    `teleport`: where jumps lead, by node; it need not sum up to one. `start`: ranks that are not
    far off, such as those of before: fewer iterations do. `weights`: of each link; a node's rank
    goes to its links in this proportion, and not evenly.

    `threads`: as many as there are cores, unless the graph is small. With one, the same graph has
    the same ranks to the last digit. `memory_bytes`: what is larger goes through a file in the
    folder `scratch`; by default half of the memory that is free. `in_links`: those of this graph
    and these weights, if somebody has them already, who closes them; threads and memory are theirs.
    """
    if not 0 <= damping < 1:
        raise UsageError(f"The damping is at least 0 and less than 1, not {damping}.")
    if not tolerance > 0:
        raise UsageError(f"The tolerance is greater than 0, not {tolerance}.")
    if weights is not None and len(weights) != graph.edges:
        raise ValueError(f"{len(weights):,} weights for {graph.edges:,} links")
    if graph.nodes == 0:
        return Ranks(np.empty(0), 0, 0.0)
    jumps = _distribution(teleport, graph.nodes, "teleport")
    first = jumps if start is None else _distribution(start, graph.nodes, "start")
    each = NO_WEIGHTS if weights is None else np.asarray(weights, np.float64)
    if in_links is not None:
        if in_links.damping != damping:
            raise ValueError(f"these in-links are for a damping of {in_links.damping}")
        return _solved(graph, in_links, each, jumps, first, damping, tolerance, most_iterations)
    links = InLinks(
        graph,
        weights=each,
        damping=damping,
        threads=threads,
        memory_bytes=memory_bytes,
        scratch=scratch,
    )
    try:
        return _solved(graph, links, each, jumps, first, damping, tolerance, most_iterations)
    finally:
        links.close()


def _solved(
    graph: Adjacency,
    links: InLinks,
    weights: Floats,
    jumps: Floats,
    first: Floats,
    damping: float,
    tolerance: float,
    most_iterations: int,
) -> Ranks:
    shares = np.empty(links.givers)
    without_links = _split(graph, weights, first, shares)
    # Of ranks that sum up to one, to those of the equations.
    scale = 1 / (1 - damping + damping * without_links)
    rank_kernels.shares_from(graph.offsets, weights, first, scale, shares)
    # Where jumps lead, as far as those that have links are concerned.
    given, here, elsewhere = jumps, links.givers / graph.nodes, 1 - links.givers / graph.nodes
    if len(jumps) > 1:
        given = np.empty(links.givers)
        elsewhere = _split(graph, weights, jumps, given)
        here = float(given.sum())
    lost = rank_kernels.lost_by_all(shares, links.gaps, links.passed_on, damping)
    values = np.empty(0)
    iterations, goal, least, since = 0, tolerance, np.inf, 0
    is_balanced = here > 0 and lost > 0
    jumping = lost / here if is_balanced else 1.0
    while True:
        is_last = iterations + 1 >= most_iterations or since >= _PATIENCE
        if not is_last:
            changed, total, lost = links.relax(shares, given, jumping, damping)
            iterations += 1
            changed /= total + jumping * elsewhere
            since = 0 if changed < least else since + 1
            least = min(changed, least)
            # With `jumping` left alone, sweeps are certain to end in the solution.
            is_balanced = is_balanced and since < _PATIENCE // 2
            jumping = lost / here if is_balanced else jumping
        if is_last or changed < goal:
            if not len(values):
                values = np.empty(graph.nodes)
            rank_kernels.spread(*graph, weights, shares, values)
            iterations += 1
            residual = rank_kernels.settle(
                *(graph.offsets, weights, shares, jumps, jumping, damping), values
            )
            if is_last or residual < tolerance:
                return Ranks(values, iterations, residual)
            goal = 0.7 * changed * tolerance / residual


def _split(graph: Adjacency, weights: Floats, values: Floats, chosen: Floats) -> float:
    """The values of the nodes that have links go to `chosen`; the sum of those of the others."""
    if len(values) == 1:
        chosen[:] = values[0]
        return float(values[0] * (graph.nodes - len(chosen)))
    return float(rank_kernels.of_givers(graph.offsets, weights, values, chosen))


def _distribution(given: Floats | None, nodes: int, what: str) -> Floats:
    """One number for each node, or one for all."""
    if given is None:
        return np.full(1, 1 / nodes)
    if len(given) != nodes:
        raise ValueError(f"{what} is for {len(given):,} nodes, and the graph has {nodes:,}")
    values = np.array(given, np.float64)
    total = values.sum()
    if not np.isfinite(total) or total <= 0 or values.min() < 0:
        raise UsageError(f"{what}: numbers that are 0 or more are needed, and not only zeros.")
    values /= total
    return values
