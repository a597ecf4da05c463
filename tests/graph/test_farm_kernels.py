"""The compiled loops against plain ones."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.graph import farm_kernels as kernels
from gossamer.graph.adjacency import Adjacency


def _graph(nodes: int, links: list[tuple[int, int]]) -> Adjacency:
    pairs = np.array(links, np.int32).reshape(-1, 2) % nodes
    return Adjacency.from_edges(pairs[:, 0], pairs[:, 1], nodes)


_LINKS = st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=80)


@settings(deadline=None)
@given(
    nodes=st.integers(1, 20),
    links=_LINKS,
    values=st.lists(st.sampled_from([0.0, 0.05, 0.5]), min_size=40, max_size=40),
    taken=st.sets(st.integers(0, 19)),
)
def test_pieces_hang_together_by_links_between_pages_that_are_alike(
    nodes: int, links: list[tuple[int, int]], values: list[float], taken: set[int]
) -> None:
    graph = _graph(nodes, links)
    ranks, gaps = np.array(values[:nodes]), np.array(values[20 : 20 + nodes])
    marked = np.array([node in taken for node in range(nodes)])
    labels = kernels.alike_pieces(*graph, ranks, gaps, marked, 0.1)
    able = [not marked[node] and len(graph.targets_of(node)) > 0 for node in range(nodes)]
    pieces = [{node} for node in range(nodes)]
    for source in range(nodes):
        for target in graph.targets_of(source).tolist():
            near = abs(ranks[source] - ranks[target]) <= 0.1
            near = near and abs(gaps[source] - gaps[target]) <= 0.1
            if near and able[source] and able[target]:
                joined = pieces[source] | pieces[target]
                for node in joined:
                    pieces[node] = joined
    assert labels.tolist() == [min(pieces[node]) if able[node] else -1 for node in range(nodes)]


def test_a_page_works_for_the_target_that_most_others_link_to() -> None:
    # 0, 1 and 2 link to 3; 2 links to 4 as well; 5 has too many links to work for anybody.
    sources = [0, 1, 2, 2, 5, 5, 5]
    targets = [3, 3, 3, 4, 0, 3, 4]
    graph = Adjacency.from_edges(sources, targets, 6)
    nobody = np.zeros(6, np.bool_)
    assert kernels.funnels(*graph, nobody, 2).tolist() == [3, 3, 3, -1, -1, -1]
    nobody[1] = True
    assert kernels.funnels(*graph, nobody, 2).tolist() == [3, -1, 3, -1, -1, -1]


@settings(deadline=None)
@given(nodes=st.integers(1, 20), links=_LINKS, cut=st.sets(st.integers(0, 19)))
def test_cutting_empties_the_rows_that_are_marked(
    nodes: int, links: list[tuple[int, int]], cut: set[int]
) -> None:
    graph = _graph(nodes, links)
    marked = np.array([node in cut for node in range(nodes)])
    left = Adjacency(*kernels.cut(*graph, marked))
    for node in range(nodes):
        expected = [] if marked[node] else graph.targets_of(node).tolist()
        assert left.targets_of(node).tolist() == expected


@settings(deadline=None)
@given(
    nodes=st.integers(1, 20),
    links=_LINKS,
    members=st.sets(st.integers(0, 19), min_size=1),
    boosted=st.sets(st.integers(0, 19)),
    domains=st.lists(st.integers(0, 3), min_size=20, max_size=20),
)
def test_the_survey_counts_every_link_of_the_members(
    nodes: int,
    links: list[tuple[int, int]],
    members: set[int],
    boosted: set[int],
    domains: list[int],
) -> None:
    graph = _graph(nodes, links)
    inside = sorted({node % nodes for node in members})
    served = {node % nodes for node in boosted} - set(inside)
    marks = np.zeros(nodes, np.int64)
    marks[inside] = 2
    marks[sorted(served)] = 3
    home = np.array(domains[:nodes], np.int32)
    counts = kernels.survey(
        *graph,
        *graph.transposed(),
        np.array(inside, np.int32),
        marks,
        2,
        home,
        np.zeros(4, np.int64),
        0,
    )
    turned = graph.transposed()
    for row, node in enumerate(inside):
        out, coming = graph.targets_of(node).tolist(), turned.targets_of(node).tolist()
        expected = [
            sum(other in inside and home[other] == home[node] for other in out),
            sum(other in inside and home[other] != home[node] for other in out),
            sum(other in served for other in out),
            sum(other in served and home[other] != home[node] for other in out),
            sum(other in inside and home[other] == home[node] for other in coming),
            sum(other in inside and home[other] != home[node] for other in coming),
            sum(other in served for other in coming),
            sum(other not in inside and other not in served for other in coming),
            len({int(home[other]) for other in out if other in inside} - {int(home[node])}),
        ]
        assert counts[:, row].tolist() == expected
