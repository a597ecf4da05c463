"""The words that the best documents have in common join the query.

The best documents vote, the very best most: a word gets the sum of its saturated frequencies in
them, times its idf. The thirty with most votes are looked for in all candidates, so that a document
may be found good that says the same in other words. No second search is made: only the order of the
candidates changes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gossamer.index.reader import IndexReader
from gossamer.matches import Floats, Ints, Statistics

VOTERS = 10
WORDS = 30
_SHARPNESS = 5.0  # how much more the best document counts than those that follow
_K, _B = 1.6, 0.75
_LEAST_VOTERS = 3  # fewer documents have nothing in common but the query
_LOOKED_AT = 60  # words of a part with most votes, of which thirty are chosen


class FeedbackWord(NamedTuple):
    term: str
    weight: float  # all of them sum up to one
    documents: float  # that hold it
    occurrences: float


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
) -> dict[str, float]:
    """The words that weigh most in some documents, as far as is known here how rare they are."""
    found: dict[str, float] = {}
    for vector in reader.weighed_terms(numbers, power, _K, _B, _LOOKED_AT):
        for term, vote in vector.items():
            found[term] = found.get(term, 0.0) + vote
    return {term: vote for term, vote in found.items() if not is_stop(term)}


def most_voted(counted: Sequence[Mapping[str, float]], most: int = WORDS) -> dict[str, float]:
    """The words with most votes, those first."""
    summed = dict(counted[0]) if counted else {}
    for one in counted[1:]:
        for term, vote in one.items():
            summed[term] = summed.get(term, 0.0) + vote
    return dict(sorted(summed.items(), key=lambda pair: (-pair[1], pair[0]))[:most])


def feedback_words(counted: Mapping[str, float], statistics: Statistics) -> list[FeedbackWord]:
    """`statistics`: of these words, in their order."""
    total = sum(counted.values())
    documents = statistics.document_frequencies.tolist()
    occurrences = statistics.collection_frequencies.tolist()
    return [
        FeedbackWord(term, vote / total, held_by, times)
        for (term, vote), held_by, times in zip(
            counted.items(), documents, occurrences, strict=True
        )
    ]
