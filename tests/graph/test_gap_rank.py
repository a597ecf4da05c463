"""GapRank is PageRank with all links turned round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.graph.adjacency import Adjacency
from gossamer.graph.gap_rank import gap_rank
from gossamer.graph.page_rank import page_rank


@given(
    nodes=st.integers(1, 12),
    links=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=60),
    damping=st.floats(0.1, 0.95),
)
def test_it_solves_its_formula(nodes: int, links: list[tuple[int, int]], damping: float) -> None:
    pairs = np.array(links, np.int32).reshape(-1, 2) % nodes
    graph = Adjacency.from_edges(pairs[:, 0], pairs[:, 1], nodes)
    gaps = gap_rank(graph, damping=damping, tolerance=1e-12).values
    in_degrees = graph.in_degrees()
    nobody = sum(gaps[page] for page in range(nodes) if not in_degrees[page])
    for page in range(nodes):
        reached = sum(gaps[target] / in_degrees[target] for target in graph.targets_of(page))
        expected = (1 - damping) / nodes + damping * (reached + nobody / nodes)
        assert gaps[page] == pytest.approx(expected, abs=1e-9)
    assert gaps.sum() == pytest.approx(1)


def test_it_does_not_go_to_zero_where_links_end() -> None:
    # A chain: without jumps nothing would be left after three steps.
    graph = Adjacency.from_edges([0, 1, 2], [1, 2, 3], 4)
    gaps = gap_rank(graph).values
    assert gaps.sum() == pytest.approx(1)
    assert list(np.argsort(-gaps)) == [0, 1, 2, 3]


def test_a_graph_turned_round_already_is_taken_as_it_is() -> None:
    graph = Adjacency.from_edges([0, 1, 2, 3], [1, 2, 0, 0], 4)
    turned = graph.transposed()
    assert gap_rank(graph, transposed=turned).values == pytest.approx(page_rank(turned).values)
