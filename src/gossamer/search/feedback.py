"""The words that the best documents have in common join the query.

The best documents vote, the very best most: a word gets the sum of its saturated frequencies in
them, times its idf. The thirty with most votes are looked for in all candidates, so that a document
may be found good that says the same in other words. No second search is made: only the order of the
candidates changes.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from gossamer.index.reader import IndexReader
from gossamer.matches import Floats, Ints, Statistics

VOTERS = 10
WORDS = 30
_SHARPNESS = 5.0  # how much more the best document counts than those that follow
_K, _B = 1.6, 0.75
_LEAST_VOTERS = 3  # fewer documents have nothing in common but the query
_LOOKED_AT = 40  # words of a part with most votes, of which thirty are chosen
_LOOKED_AT_BY_PART = 80  # where a part does not know how rare a word is in the others


class FeedbackWord(NamedTuple):
    term: str
    weight: float  # all of them sum up to one
    documents: float  # that hold it
    occurrences: float


class Votes(NamedTuple):
    weights: dict[str, float]  # of words, by what is known here of how rare they are
    sums: dict[str, float]  # the same without that; empty where it is final
    is_final: bool  # all is known here


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
) -> Votes:
    """The words that weigh most in some documents, as far as is known here how rare they are."""
    is_final = reader.is_one_part
    most = _LOOKED_AT if is_final else _LOOKED_AT_BY_PART
    weights: dict[str, float] = {}
    sums: dict[str, float] = {}
    for terms, raw, weighed in reader.weighed_terms(numbers, power, _K, _B, most):
        _add(weights, zip(terms, weighed, strict=True))
        if not is_final:
            _add(sums, zip(terms, raw, strict=True))
    stop = [term for term in weights if is_stop(term)]
    for term in stop:
        del weights[term]
    return Votes(weights, sums, is_final)


def _add(total: dict[str, float], more: Iterable[tuple[str, float]]) -> None:
    for term, value in more:
        total[term] = total.get(term, 0.0) + value


def feedback_words(
    counted: Sequence[Votes], statistics_of: Callable[[list[str]], Statistics]
) -> list[FeedbackWord]:
    """The words with most votes. `statistics_of`: of words, in the whole index."""
    weights: dict[str, float] = {}
    sums: dict[str, float] = {}
    for one in counted:
        _add(weights, one.weights.items())
        _add(sums, one.sums.items())
    is_final = all(one.is_final for one in counted)
    best = _most(weights, WORDS if is_final else _LOOKED_AT_BY_PART)
    if not best:
        return []
    statistics = statistics_of([term for term, _ in best])
    documents = statistics.document_frequencies
    if is_final:
        chosen = list(range(len(best)))
        votes_of = [weight for _, weight in best]
    else:
        idf = np.log1p((statistics.documents - documents + 0.5) / (documents + 0.5))
        exact = np.array([sums[term] for term, _ in best]) * idf * (documents > 1)
        votes_of = exact.tolist()
        by_votes = sorted(range(len(best)), key=lambda place: (-votes_of[place], best[place][0]))
        chosen = [place for place in by_votes[:WORDS] if votes_of[place] > 0]
    total = sum(votes_of[place] for place in chosen)
    held_by, times = documents.tolist(), statistics.collection_frequencies.tolist()
    return [
        FeedbackWord(best[place][0], votes_of[place] / total, held_by[place], times[place])
        for place in chosen
    ]


def _most(weights: dict[str, float], most: int) -> list[tuple[str, float]]:
    return sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
