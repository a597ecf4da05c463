"""Graphs in two arrays, in memory and in files."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.errors import FormatError
from gossamer.graph.adjacency import Adjacency, writing

Pairs = list[tuple[int, int]]
NODES = 12
PAIRS = st.lists(st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1)), max_size=60)


def _graph(pairs: Pairs, nodes: int = NODES, **options: bool) -> Adjacency:
    sources = [source for source, _ in pairs]
    return Adjacency.from_edges(
        np.array(sources, np.int32), np.array([to for _, to in pairs], np.int32), nodes, **options
    )


def _pairs(graph: Adjacency) -> Pairs:
    return [(node, int(target)) for node in range(graph.nodes) for target in graph.targets_of(node)]


@settings(deadline=None)
@given(PAIRS)
def test_links_count_once_and_lead_elsewhere(pairs: Pairs) -> None:
    graph = _graph(pairs)
    assert _pairs(graph) == sorted({(source, to) for source, to in pairs if source != to})
    assert graph.targets.dtype == np.int32
    assert graph.nodes == NODES


@settings(deadline=None)
@given(PAIRS)
def test_all_links_can_be_kept(pairs: Pairs) -> None:
    assert _pairs(_graph(pairs, distinct=False, self_links=True)) == sorted(pairs)


@settings(deadline=None)
@given(PAIRS)
def test_repeated_links_are_counted(pairs: Pairs) -> None:
    sources, targets = np.array(pairs, np.int64).reshape(-1, 2).T
    graph, counts = Adjacency.counted(sources, targets, NODES)
    counted = dict(zip(_pairs(graph), counts.tolist(), strict=True))
    others = [pair for pair in pairs if pair[0] != pair[1]]
    assert counted == {pair: others.count(pair) for pair in others}


@settings(deadline=None)
@given(PAIRS)
def test_turned_round(pairs: Pairs) -> None:
    graph = _graph(pairs, distinct=False, self_links=True)
    turned = graph.transposed()
    assert _pairs(turned) == sorted((to, source) for source, to in pairs)
    assert turned.out_degrees().tolist() == graph.in_degrees().tolist()
    weights = np.arange(graph.edges, dtype=np.float64)
    again, moved = graph.transposed_with(weights)
    back, restored = again.transposed_with(moved)
    assert _pairs(back) == _pairs(graph)
    assert restored.tolist() == weights.tolist()


@pytest.mark.parametrize("pair", [(0, 3), (3, 0), (-1, 0), (0, -1)])
def test_links_out_of_the_graph_are_refused(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="out of the 3 nodes"):
        _graph([pair], 3)


@settings(deadline=None)
@given(PAIRS)
def test_a_file_holds_the_graph(tmp_path_factory: pytest.TempPathFactory, pairs: Pairs) -> None:
    folder = tmp_path_factory.mktemp("graphs")
    graph = _graph(pairs)
    graph.save(folder, "pages")
    opened = Adjacency.open(folder, "pages")
    assert _pairs(opened) == _pairs(graph)
    assert [path.name for path in folder.iterdir()] == ["pages.graph"]


def test_a_file_is_written_row_by_row(tmp_path: Path) -> None:
    with writing(tmp_path, "pages", 5) as writer:
        writer.append([1, 2], np.array([4, 0, 2], np.int32))
        writer.append([0, 1], np.array([3], np.int32))
    assert _pairs(Adjacency.open(tmp_path, "pages")) == [(0, 4), (1, 0), (1, 2), (3, 3)]


def test_what_fails_half_way_leaves_the_old_graph(tmp_path: Path) -> None:
    _graph([(0, 1)]).save(tmp_path, "pages")
    with pytest.raises(ValueError, match="add up"), writing(tmp_path, "pages", 5) as writer:
        writer.append([1, 3], np.array([4], np.int32))
    assert _pairs(Adjacency.open(tmp_path, "pages")) == [(0, 1)]
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("place", [0, 16, 24, 40, 72, -4, -1])
def test_damage_is_told(tmp_path: Path, place: int) -> None:
    path = _graph([(0, 1), (1, 2), (2, 3)], 4).save(tmp_path, "pages")
    data = bytearray(path.read_bytes())
    data[place] ^= 0x84
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"pages\.graph"):
        Adjacency.open(tmp_path, "pages")


@pytest.mark.parametrize("size", [0, 20, 32, 60, 83])
def test_a_file_that_is_cut_off_is_told(tmp_path: Path, size: int) -> None:
    path = _graph([(0, 1), (1, 2), (2, 3)], 4).save(tmp_path, "pages")
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(FormatError, match=r"pages\.graph"):
        Adjacency.open(tmp_path, "pages")


def test_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="missing"):
        Adjacency.open(tmp_path, "pages")
