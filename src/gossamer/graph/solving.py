"""Ranks as the settings of link analysis ask for them."""

from gossamer.config import RankSettings
from gossamer.graph.adjacency import Adjacency, Floats
from gossamer.graph.page_rank import Ranks, page_rank


def solved(
    graph: Adjacency,
    settings: RankSettings,
    weights: Floats | None,
    teleport: Floats | None,
    start: Floats | None = None,
) -> Ranks:
    return page_rank(
        graph,
        damping=settings.damping,
        tolerance=settings.tolerance,
        most_iterations=settings.max_iterations,
        teleport=teleport,
        start=start,
        weights=weights,
    )
