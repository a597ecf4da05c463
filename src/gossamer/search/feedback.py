"""The words that the best documents have in common join the query.

The best documents vote, the very best most: a word gets the sum of its saturated frequencies in
them, times its idf. The thirty with most votes are looked for in all candidates, so that a document
may be found good that says the same in other words. No second search is made: only the order of the
candidates changes.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from gossamer.index.reader import IndexReader
from gossamer.matches import Floats, Ints

VOTERS = 10
WORDS = 30
_SHARPNESS = 5.0  # how much more the best document counts than those that follow
_K, _B = 1.6, 0.75
_LEAST_VOTERS = 3  # fewer documents have nothing in common but the query
_LOOKED_AT = 60  # words of a part with most votes, of which thirty are chosen


class FeedbackWord(NamedTuple):
    term: str
    weight: float  # all of them sum up to one


def feedback_words(
    reader: IndexReader,
    numbers: Ints,
    scores: Floats,
    is_stop: Callable[[str], bool],
) -> list[FeedbackWord]:
    """`numbers` and `scores`: of the first candidates, in any order."""
    best = np.argsort(-scores, kind="stable")[:VOTERS]
    best = best[scores[best] > 0]
    if len(best) < _LEAST_VOTERS:
        return []
    power = np.exp(_SHARPNESS * (scores[best] / scores[best[0]] - 1))
    votes = _votes(reader, numbers[best], power / power.sum())
    chosen = sorted(
        ((term, vote) for term, vote in votes.items() if not is_stop(term)),
        key=lambda pair: (-pair[1], pair[0]),
    )[:WORDS]
    total = sum(vote for _, vote in chosen)
    return [FeedbackWord(term, vote / total) for term, vote in chosen] if total else []


def _votes(reader: IndexReader, numbers: Ints, power: Floats) -> Mapping[str, float]:
    votes: dict[str, float] = {}
    for vector in reader.weighed_terms(numbers, power, _K, _B, _LOOKED_AT):
        for term, vote in vector.items():
            votes[term] = votes.get(term, 0.0) + vote
    return votes
