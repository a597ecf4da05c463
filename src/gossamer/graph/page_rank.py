"""What is every page worth by the links to it?

    rank(x) = (1 - damping) * teleport(x)
            + damping * sum of rank(y) / links(y), over the pages y that link to x
            + damping * teleport(x) * sum of rank(z), over the pages z without links

Who walks from link to link at random, and with probability 1 - damping jumps, is at x with this
probability. `teleport` tells where a jump leads: anywhere, all pages alike, unless it is said
otherwise. Who is on a page without links jumps. The ranks of all pages sum up to one.
"""

from typing import Any, NamedTuple

import numpy as np

from gossamer.errors import UsageError
from gossamer.graph import kernels
from gossamer.graph.adjacency import Adjacency, Floats

DAMPING = 0.85
TOLERANCE = 1e-9
MOST_ITERATIONS = 10_000


class Ranks(NamedTuple):
    values: Floats
    """They sum up to one."""
    iterations: int
    """How often the links were gone through."""
    residual: float
    """How far the ranks are from satisfying the formula: the sum of all differences."""


def page_rank(
    graph: Adjacency,
    *,
    damping: float = DAMPING,
    tolerance: float = TOLERANCE,
    most_iterations: int = MOST_ITERATIONS,
    teleport: Floats | None = None,
    start: Floats | None = None,
    weights: Floats | None = None,
    threads: int | None = None,  # noqa: ARG001
) -> Ranks:
    """The ranks of all nodes.

    `teleport`: where jumps lead, by node; it need not sum up to one. `start`: ranks that are not
    far off, such as those of before: fewer iterations do. `weights`: of each link; a node's rank
    goes to its links in this proportion, and not evenly.
    """
    if not 0 <= damping < 1:
        raise UsageError(f"The damping is at least 0 and less than 1, not {damping}.")
    if not tolerance > 0:
        raise UsageError(f"The tolerance is greater than 0, not {tolerance}.")
    nodes = graph.nodes
    if nodes == 0:
        return Ranks(np.empty(0), 0, 0.0)
    jumps = _distribution(teleport, nodes, "teleport")
    out = np.diff(graph.offsets).astype(np.float64)
    if weights is not None:
        out = np.asarray(np.bincount(graph.sources(), weights, nodes), np.float64)
    with np.errstate(divide="ignore"):
        part = np.where(out > 0, 1 / out, 0.0)
    if weights is None:
        in_links = graph.transposed()
        each = part[in_links.targets]
    else:
        in_links, each = graph.transposed_with(weights)
        each *= part[in_links.targets]
    values = jumps.copy() if start is None else _distribution(start, nodes, "start")
    values /= (1 - damping) + damping * float(values[out == 0].sum())
    iterations, residual = 0, np.inf
    while residual >= tolerance and iterations < most_iterations:
        kernels.relax(*in_links, values, each, jumps, damping)
        iterations += 1
        ranks = values / values.sum()
        residual = _residual(in_links, each, ranks, jumps, damping, out == 0)
    return Ranks(values / values.sum(), iterations, residual)


def _residual(
    in_links: Adjacency, each: Any, ranks: Floats, jumps: Floats, damping: float, dangling: Any
) -> float:
    moved = np.bincount(in_links.sources(), each * ranks[in_links.targets], in_links.nodes)
    jumping = (1 - damping) + damping * float(ranks[dangling].sum())
    return float(np.abs(damping * moved + jumping * jumps - ranks).sum())


def _distribution(given: Floats | None, nodes: int, what: str) -> Floats:
    if given is None:
        return np.full(nodes, 1 / nodes)
    if len(given) != nodes:
        raise ValueError(f"{what} is for {len(given):,} nodes, and the graph has {nodes:,}")
    values = np.array(given, np.float64)
    total = values.sum()
    if not np.isfinite(total) or total <= 0 or values.min() < 0:
        raise UsageError(f"{what}: numbers that are 0 or more are needed, and not only zeros.")
    values /= total
    return values
