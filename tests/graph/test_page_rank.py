"""Ranks by the formula."""

import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gossamer.errors import UsageError
from gossamer.graph import in_links
from gossamer.graph.adjacency import Adjacency
from gossamer.graph.edge_lists import read_edges
from gossamer.graph.page_rank import page_rank
from tests.graph.peers import IS_THERE, WHERE, Igraph, by_scipy

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


@st.composite
def odd_graphs(draw: st.DrawFn) -> Adjacency:
    """With sinks, islands, self-loops and links that are there more than once; up to some hundreds
    of nodes."""
    nodes = draw(st.integers(1, 400))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    edges = draw(st.integers(0, 6 * nodes))
    # Some nodes are linked to far more often than others; some have nothing to do with the rest.
    island = draw(st.integers(1, nodes))
    sources = rng.integers(0, nodes, edges)
    targets = (nodes * rng.random(edges) ** 3).astype(np.int64)
    alone = sources >= island
    targets[alone] = sources[alone] - rng.integers(0, 3, edges)[alone] % (
        1 + sources[alone] - island
    )
    sinks = rng.random(nodes) < draw(st.sampled_from([0.0, 0.2, 0.9]))
    kept = ~sinks[sources]
    loops = rng.integers(0, nodes, draw(st.integers(0, 5)))
    sources = np.concatenate([sources[kept], loops, sources[kept][:5]])
    targets = np.concatenate([targets[kept], loops, targets[kept][:5]])
    return Adjacency.from_edges(sources, targets, nodes, distinct=False, self_links=True)


@settings(deadline=None)
@given(odd_graphs(), st.sampled_from([0.5, 0.85, 0.95]))
def test_equal_to_scipy(graph: Adjacency, damping: float) -> None:
    ranks = page_rank(graph, damping=damping, tolerance=1e-12)
    assert np.abs(ranks.values - by_scipy(graph, damping)).sum() < 1e-9


@pytest.fixture(scope="module")
def igraph() -> Iterator[Igraph]:
    process = Igraph()
    yield process
    process.close()


@pytest.mark.skipif(not IS_THERE, reason=WHERE)
@settings(deadline=None)
@given(graph=odd_graphs())
def test_equal_to_igraph(igraph: Igraph, graph: Adjacency) -> None:
    ranks = page_rank(graph, tolerance=1e-12)
    assert np.abs(ranks.values - igraph.ranks(graph)).sum() < 1e-9


def _residual(graph: Adjacency, values: NDArray[np.float64], damping: float = 0.85) -> float:
    """By the definition: the formula once more, and what it changes."""
    degrees = graph.out_degrees()
    shares = values / np.maximum(degrees, 1)
    arriving = np.bincount(graph.targets, shares[graph.sources()], graph.nodes)
    jumping = (1 - damping + damping * values[degrees == 0].sum()) / graph.nodes
    return float(np.abs(damping * arriving + jumping - values).sum())


@settings(deadline=None)
@given(odd_graphs(), st.sampled_from([1e-2, 1e-5, 1e-9]))
def test_the_residual_is_what_it_says(graph: Adjacency, tolerance: float) -> None:
    ranks = page_rank(graph, tolerance=tolerance)
    assert ranks.residual < tolerance
    assert _residual(graph, ranks.values) == pytest.approx(ranks.residual, rel=1e-4, abs=1e-14)


def test_the_residual_after_a_start_where_no_links_are() -> None:
    graph = graph_of([(0, 1), (1, 2), (2, 0), (2, 3), (4, 3), (5, 0)])
    start = np.zeros(NODES)
    start[3] = 1.0
    for most in range(1, 8):
        ranks = page_rank(graph, start=start, most_iterations=most)
        assert _residual(graph, ranks.values) == pytest.approx(ranks.residual, rel=1e-6)
    assert np.abs(page_rank(graph, start=start).values - page_rank(graph).values).sum() < 1e-8


@settings(deadline=None)
@given(odd_graphs(), st.booleans(), st.sampled_from([1, 2, 3]))
def test_a_graph_that_memory_has_no_room_for(
    graph: Adjacency, weighted: bool, threads: int
) -> None:
    weights = np.arange(graph.edges, dtype=np.float64) % 5 if weighted else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_links, "_LEAST_PIECE_BYTES", 1)
        links = in_links.InLinks(
            graph,
            weights=in_links.NO_WEIGHTS if weights is None else weights,
            damping=0.85,
            memory_bytes=200,
            threads=threads,
        )
        assert links.is_streamed == (links.edges * (12 if weighted else 4) > 200)
        assert links.pieces >= links.edges // 200
        links.close()
        streamed = page_rank(
            graph, tolerance=1e-12, weights=weights, memory_bytes=200, threads=threads
        )
    whole = page_rank(graph, tolerance=1e-12, weights=weights)
    assert np.abs(streamed.values - whole.values).sum() < 1e-10


@settings(deadline=None)
@given(odd_graphs(), st.sampled_from([2, 3, 8]))
def test_several_threads_find_the_same(graph: Adjacency, threads: int) -> None:
    one = page_rank(graph, tolerance=1e-12, threads=1)
    several = page_rank(graph, tolerance=1e-12, threads=threads)
    assert np.abs(one.values - several.values).sum() < 1e-10
    assert several.residual < 1e-12


@settings(deadline=None)
@given(odd_graphs())
def test_links_are_placed_in_two_passes_as_in_one(graph: Adjacency) -> None:
    at_once = page_rank(graph, threads=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(in_links, "_NEAR_EDGES", 0)
        patch.setattr(in_links, "_LEAST_GROUP_BITS", 2)
        in_two = page_rank(graph, threads=1)
    assert in_two.values.tobytes() == at_once.values.tobytes()


def test_in_links_serve_more_than_once() -> None:
    graph = graph_of([(n % 7, n * 3 % 11) for n in range(60)])
    links = in_links.InLinks(graph, damping=0.85)
    trusted = np.zeros(NODES)
    trusted[2] = 1.0
    for teleport in (None, trusted, None):
        again = page_rank(graph, teleport=teleport, in_links=links)
        assert again.values.tolist() == page_rank(graph, teleport=teleport).values.tolist()
    with pytest.raises(ValueError, match=r"damping of 0\.85"):
        page_rank(graph, damping=0.9, in_links=links)
    links.close()


def test_one_thread_finds_the_same_to_the_last_digit() -> None:
    graph = graph_of([(n % 7, n * 3 % 11) for n in range(60)])
    first, second = page_rank(graph, threads=1), page_rank(graph, threads=1)
    assert first.values.tobytes() == second.values.tobytes()


def test_a_graph_in_a_file_has_the_same_ranks(tmp_path: Path) -> None:
    graph = graph_of([(n % 7, n * 3 % 11) for n in range(60)])
    graph.save(tmp_path, "pages")
    ranks = page_rank(Adjacency.open(tmp_path, "pages"))
    assert ranks.values.tolist() == page_rank(graph).values.tolist()


def test_memory_grows_by_at_most_12_bytes_a_link_and_24_a_node() -> None:
    rng = np.random.default_rng(1)
    nodes, edges = 50_000, 400_000
    graph = Adjacency.from_edges(
        rng.integers(0, nodes, edges), rng.integers(0, nodes, edges), nodes, distinct=False
    )
    page_rank(graph)  # what is compiled is no part of it
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    page_rank(graph)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 4 * edges < peak - before < 12 * graph.edges + 24 * graph.nodes


def test_a_tolerance_beyond_what_numbers_can_hold_ends() -> None:
    ranks = page_rank(graph_of([(n, n * 7 % NODES) for n in range(NODES)]), tolerance=1e-300)
    assert ranks.iterations < 1000
    assert ranks.residual < 1e-14


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_weights_that_are_none_are_refused(weight: float) -> None:
    with pytest.raises(UsageError, match="weight"):
        page_rank(graph_of([(0, 1), (1, 2)]), weights=np.array([1.0, weight]))


def test_a_graph_that_leads_out_of_itself_is_refused() -> None:
    graph = Adjacency(np.array([0, 1, 1]), np.array([2], np.int32))
    with pytest.raises(ValueError, match="out of the 2 nodes"):
        page_rank(graph)


@pytest.mark.skipif("GOSSAMER_DATA" not in os.environ, reason="GOSSAMER_DATA is not set")
def test_a_real_web() -> None:
    path = Path(os.environ["GOSSAMER_DATA"]) / "webgraph" / "cnr-2000.edges.tsv.gz"
    if not path.exists():
        pytest.skip("the graph is not there")
    graph = read_edges(path).graph
    assert (graph.nodes, graph.edges) == (325_557, 3_216_152)
    expected = by_scipy(graph)
    for threads in (1, 2):
        ranks = page_rank(graph, tolerance=1e-12, threads=threads)
        assert np.abs(ranks.values - expected).sum() < 1e-9
    if IS_THERE:
        peer = Igraph()
        assert np.abs(ranks.values - peer.ranks(graph)).sum() < 1e-9
        peer.close()
