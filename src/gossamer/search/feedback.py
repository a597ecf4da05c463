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
_LOOKED_AT = 40  # words with most votes, of which thirty are chosen
_LOOKED_AT_BY_SHARD = 100  # where a shard does not know how rare a word is in the others


class FeedbackWord(NamedTuple):
    term: str
    weight: float  # all of them sum up to one
    documents: float  # that hold it
    occurrences: float


class Votes(NamedTuple):
    weights: dict[str, float]  # of words, by what is known here of how rare they are
    final: dict[str, tuple[float, float]]
    """Where all is known here: how many documents hold each word, and how often."""


class Counted(NamedTuple):
    """What is known of some words."""

    statistics: Statistics
    sums: Floats  # the votes of the documents here, whatever the rarity of the words


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
    is_final = reader.is_whole
    most = _LOOKED_AT if is_final else _LOOKED_AT_BY_SHARD
    found = reader.weighed_terms(numbers, power, _K, _B, most)
    weights = {
        word: weight
        for word, weight in zip(found.words, found.weights, strict=True)
        if not is_stop(word)
    }
    if not is_final:
        return Votes(weights, {})
    held = zip(found.frequencies, found.occurrences, strict=True)
    return Votes(weights, dict(zip(found.words, held, strict=True)))


def counted(reader: IndexReader, numbers: Ints, power: Floats, terms: Sequence[str]) -> Counted:
    """`numbers`, `power`: the documents here that vote."""
    slots = [[term] for term in terms]
    statistics = reader.statistics(slots)
    if not len(numbers):
        return Counted(statistics, np.zeros(len(terms)))
    order = np.argsort(numbers)
    matches = reader.matches(numbers[order], slots, statistics, np.ones(len(reader.fields.texts)))
    assert matches.tallies is not None
    average = float(reader.average_lengths[:-1].sum()) or 1.0
    norms = _K * (1 - _B + _B * matches.lengths[:, :-1].sum(axis=1) / average)
    saturated = matches.tallies / (matches.tallies + norms[:, None])
    return Counted(statistics, power[order] @ saturated)


def _add(total: dict[str, float], more: Iterable[tuple[str, float]]) -> None:
    for term, value in more:
        total[term] = total.get(term, 0.0) + value


def feedback_words(
    voted: Sequence[Votes], counted_of: Callable[[list[str]], Counted]
) -> list[FeedbackWord]:
    """The words with most votes. `counted_of`: of words, in the whole index."""
    weights: dict[str, float] = {}
    for one in voted:
        _add(weights, one.weights.items())
    final = voted[0].final if len(voted) == 1 else {}
    if final:
        return _weighed([(*pair, *final[pair[0]]) for pair in _most(weights, WORDS)])
    terms = [term for term, _ in _most(weights, _LOOKED_AT_BY_SHARD)]
    if not terms:
        return []
    statistics, sums = counted_of(terms)
    documents = statistics.document_frequencies
    idf = np.log1p((statistics.documents - documents + 0.5) / (documents + 0.5))
    exact = (sums * idf * (documents > 1)).tolist()
    known = zip(
        terms, exact, documents.tolist(), statistics.collection_frequencies.tolist(), strict=True
    )
    return _weighed(sorted(known, key=lambda word: (-word[1], word[0]))[:WORDS])


def _weighed(words: Sequence[tuple[str, float, float, float]]) -> list[FeedbackWord]:
    """Of words with their votes: in how many documents, and how often they stand."""
    total = sum(vote for _, vote, _, _ in words)
    return [
        FeedbackWord(term, vote / total, documents, occurrences)
        for term, vote, documents, occurrences in words
        if vote > 0
    ]


def _most(weights: dict[str, float], most: int) -> list[tuple[str, float]]:
    return sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
