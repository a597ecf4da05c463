"""The ranks of a page, its host and its domain in one number.

Each is scaled to a mean of one. Of each, the logarithm to base ten is taken, over a floor, plus
0.15; their weighted sum is divided by what it is where all three are one. So it is always positive,
grows with each of the three, is one for a page of which nothing stands out, and differences near
zero are magnified while those of large ranks are compressed.
"""

from typing import Any, NamedTuple

import numpy as np

from gossamer.graph.adjacency import Floats

CONSTANT = 0.15
FLOOR = 0.01
"""Of a rank whose mean is one. Without it, the logarithm of a rank of zero would be no number."""


class RankWeights(NamedTuple):
    page: float = 1.0
    host: float = 1.0
    domain: float = 1.0


def scaled(ranks: Any) -> Floats:
    """Ranks with a mean of one."""
    values = np.asarray(ranks, np.float64)
    total = values.sum()
    return values / total * len(values) if total > 0 else np.ones(len(values))


def part(rank: Any) -> Floats:
    """What a rank adds: P's logarithm, positive and growing from a rank of zero on."""
    return np.asarray(CONSTANT + np.log10(1 + np.asarray(rank, np.float64) / FLOOR))


def combined(page: Any, host: Any, domain: Any, weights: RankWeights = RankWeights()) -> Floats:  # noqa: B008
    total = weights.page * part(page) + weights.host * part(host) + weights.domain * part(domain)
    whole = (weights.page + weights.host + weights.domain) * part(1.0)
    return np.asarray(total / whole if whole > 0 else np.ones_like(total))
