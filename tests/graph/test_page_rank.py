"""Ranks by the formula."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gossamer.errors import UsageError
from gossamer.graph.adjacency import Adjacency
from gossamer.graph.page_rank import page_rank

NODES = 15
PAIRS = st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)), max_size=90)
Pairs = list[tuple[int, int]]


def graph_of(pairs: Pairs, nodes: int = NODES) -> Adjacency:
    """With self-links and links that are there more than once."""
    sources, targets = np.array(pairs, np.int32).reshape(-1, 2).T
    return Adjacency.from_edges(sources, targets, nodes, distinct=False, self_links=True)


def exact(
    pairs: Pairs,
    weights: list[float] | None = None,
    *,
    nodes: int = NODES,
    damping: float = 0.85,
    teleport: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """The formula as a system of equations, solved by elimination."""
    jumps = np.full(nodes, 1.0) if teleport is None else teleport
    jumps = jumps / jumps.sum()
    matrix = np.zeros((nodes, nodes))
    for (source, target), weight in zip(pairs, weights or [1.0] * len(pairs), strict=True):
        matrix[target, source] += weight
    totals = matrix.sum(axis=0)
    for node in range(nodes):
        matrix[:, node] = jumps if totals[node] == 0 else matrix[:, node] / totals[node]
    solved: NDArray[np.float64] = np.linalg.solve(
        np.eye(nodes) - damping * matrix, (1 - damping) * jumps
    )
    return solved


@settings(deadline=None)
@given(PAIRS, st.sampled_from([0.0, 0.5, 0.85, 0.99]))
def test_equal_to_the_formula(pairs: Pairs, damping: float) -> None:
    ranks = page_rank(graph_of(pairs), damping=damping, tolerance=1e-12)
    assert np.abs(ranks.values - exact(pairs, damping=damping)).sum() < 1e-9
    assert abs(ranks.values.sum() - 1) < 1e-12
    assert ranks.residual < 1e-12


@settings(deadline=None)
@given(PAIRS, st.lists(st.integers(0, 3), min_size=NODES, max_size=NODES).filter(any))
def test_jumps_may_lead_to_some_nodes_only(pairs: Pairs, jumps: list[int]) -> None:
    teleport = np.array(jumps, np.float64)
    ranks = page_rank(graph_of(pairs), tolerance=1e-12, teleport=teleport)
    assert np.abs(ranks.values - exact(pairs, teleport=teleport)).sum() < 1e-9


@settings(deadline=None)
@given(st.lists(st.tuples(st.tuples(st.integers(0, 9), st.integers(0, 9)), st.integers(0, 4))))
def test_links_may_have_weights(links: list[tuple[tuple[int, int], int]]) -> None:
    links.sort()
    pairs = [pair for pair, _ in links]
    weights = [float(weight) for _, weight in links]
    graph = graph_of(pairs, 10)
    ranks = page_rank(graph, tolerance=1e-12, weights=np.array(weights))
    assert np.abs(ranks.values - exact(pairs, weights, nodes=10)).sum() < 1e-9


@settings(deadline=None)
@given(PAIRS)
def test_a_warm_start_needs_less_and_ends_in_the_same(pairs: Pairs) -> None:
    graph = graph_of(pairs)
    cold = page_rank(graph, tolerance=1e-11)
    warm = page_rank(graph, tolerance=1e-11, start=cold.values)
    assert warm.iterations <= 2
    assert np.abs(warm.values - cold.values).sum() < 1e-9


def test_it_stops_after_the_most_iterations_and_says_how_far_it_got() -> None:
    ranks = page_rank(
        graph_of([(n, (n + 1) % NODES) for n in range(NODES)] + [(3, 1)]),
        tolerance=1e-15,
        most_iterations=3,
    )
    assert ranks.iterations == 3
    assert ranks.residual > 1e-15
    assert abs(ranks.values.sum() - 1) < 1e-12


def test_nothing_has_no_ranks() -> None:
    ranks = page_rank(graph_of([], 0))
    assert len(ranks.values) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"damping": 1.0},
        {"damping": -0.1},
        {"damping": float("nan")},
        {"tolerance": 0.0},
        {"tolerance": float("nan")},
        {"teleport": np.zeros(NODES)},
        {"teleport": np.full(NODES, np.nan)},
        {"start": np.full(NODES, -1.0)},
    ],
)
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        page_rank(graph_of([(0, 1)]), **wrong)  # type: ignore[arg-type]
