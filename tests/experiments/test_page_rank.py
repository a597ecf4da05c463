"""PageRank as an experiment, small."""

from benchmarks.farms import made_web
from benchmarks.power_law import power_law
from experiments.page_rank import measure, repeated
from gossamer.graph.page_rank import page_rank


def test_repeating_the_formula_ends_in_the_ranks() -> None:
    graph = power_law(3_000, 12_000)
    changes, kept = repeated(graph)
    assert changes[-1] < 1e-12
    assert abs(kept[-1] - page_rank(graph, tolerance=1e-13).values).sum() < 1e-10


def test_iterations_farms_and_threads_are_told() -> None:
    web = made_web(2_000)
    text = measure("A small web", web, power_law(3_000, 12_000)).text()
    assert f"A small web: {web.nodes:,} pages" in text
    assert "| 1e-12 |" in text
    assert "| finding farms |" in text
    assert "| power law | 2 |" in text
