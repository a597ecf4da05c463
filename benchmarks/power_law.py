"""A graph like that of the web in its degrees, of any size: both kinds of them follow power laws.

Targets are drawn by Zipf's law over all pages in a random order, so that near numbers mean nothing:
the caches of a processor have it harder than with a real web. A fifth of the pages links nowhere.
"""

import numpy as np

from gossamer.graph.adjacency import Adjacency

_STEEP = 0.7
"""How fast the chance of the next most popular page falls: its place to the power of minus this."""
_SURPLUS = 1.3
_WITHOUT_LINKS = 0.2


def power_law(pages: int, links: int, seed: int = 1) -> Adjacency:
    """`links` different ones, none to the page itself."""
    rng = np.random.default_rng(seed)
    drawn = int(links * _SURPLUS)
    out = rng.pareto(1.8, pages) + 0.2
    out[rng.random(pages) < _WITHOUT_LINKS] = 0
    sources = np.repeat(np.arange(pages, dtype=np.int32), rng.multinomial(drawn, out / out.sum()))
    popular = rng.permutation(pages).astype(np.int32)
    places = (pages * rng.random(drawn) ** (1 / (1 - _STEEP))).astype(np.int32)
    graph = Adjacency.from_edges(sources, popular[np.minimum(places, pages - 1)], pages)
    if graph.edges < links:
        raise ValueError(f"{pages:,} pages are too few for {links:,} links")
    kept = np.ones(graph.edges, np.bool_)
    kept[rng.choice(graph.edges, graph.edges - links, replace=False)] = False
    return Adjacency.from_edges(graph.sources()[kept], graph.targets[kept], pages)
