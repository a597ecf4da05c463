"""The words that the best documents have in common join the query.

The best documents vote, the very best most: a word gets the sum of its saturated frequencies in
them, times its idf. The thirty with most votes are looked for in all candidates, so that a document
may be found good that says the same in other words. No second search is made: only the order of the
candidates changes.
"""

from collections.abc import Callable, Iterable, Mapping
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
    documents: float = 0.0  # that hold it
    occurrences: float = 0.0


class Vote(NamedTuple):
    weight: float  # by what is known here of how rare the word is


def voters(scores: Floats) -> tuple[Ints, Floats]:
    """The places of the documents that vote, and what each vote counts; none where they are too
    few. `scores`: of the first candidates, in any order."""
    best = np.argsort(-scores, kind="stable")[:VOTERS]
    best = best[scores[best] > 0]
    if len(best) < _LEAST_VOTERS:
        return best[:0], scores[:0]
    power = np.exp(_SHARPNESS * (scores[best] / scores[best[0]] - 1))
    return best, power / power.sum()


def votes(
    reader: IndexReader, numbers: Ints, power: Floats, is_stop: Callable[[str], bool]
) -> dict[str, Vote]:
    """The words that weigh most in some documents."""
    found: dict[str, float] = {}
    for vector in reader.weighed_terms(numbers, power, _K, _B, _LOOKED_AT):
        for term, vote in vector.items():
            found[term] = found.get(term, 0.0) + vote
    return {term: Vote(vote) for term, vote in found.items() if not is_stop(term)}


def chosen(counted: Iterable[Mapping[str, Vote]]) -> list[FeedbackWord]:
    """The words with most votes."""
    weights: dict[str, float] = {}
    for one in counted:
        for term, vote in one.items():
            weights[term] = weights.get(term, 0.0) + vote.weight
    best = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:WORDS]
    total = sum(weight for _, weight in best)
    return [FeedbackWord(term, weight / total) for term, weight in best] if total else []
