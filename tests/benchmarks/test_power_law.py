"""The graph that ranking is measured on."""

import numpy as np

from benchmarks.power_law import power_law


def test_degrees_are_as_uneven_as_on_the_web() -> None:
    graph = power_law(20_000, 200_000)
    assert (graph.nodes, graph.edges) == (20_000, 200_000)
    assert not (graph.sources() == graph.targets).any()
    for degrees in (graph.out_degrees(), graph.in_degrees()):
        best = np.sort(degrees)[::-1]
        assert best[:2_000].sum() > 0.35 * best.sum()
    assert 0.18 < (graph.out_degrees() == 0).mean() < 0.3


def test_a_seed_makes_the_same_graph() -> None:
    first, second, other = (power_law(500, 2_000, seed) for seed in (1, 1, 2))
    assert first.targets.tolist() == second.targets.tolist() != other.targets.tolist()
