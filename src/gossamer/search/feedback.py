"""The words that the best documents have in common join the query.

The best documents vote, the very best most: a word gets the sum of its saturated frequencies in
them, times its idf. The thirty with most votes are looked for in all candidates, so that a document
may be found good that says the same in other words. No second search is made: only the order of the
candidates changes.
"""

from collections.abc import Callable, Sequence, Set
from typing import NamedTuple

import numpy as np

from gossamer.index.ballot import Ballot, heaviest
from gossamer.index.reader import IndexReader
from gossamer.matches import Floats, Ints

VOTERS = 10
WORDS = 30
_SHARPNESS = 5.0  # how much more the best document counts than those that follow
_K, _B = 1.6, 0.75
_LEAST_VOTERS = 3  # fewer documents have nothing in common but the query
_LOOKED_AT = 60  # words with most votes, of which thirty are chosen
_LOOKED_AT_BY_GUESS = 5_000
"""The same where parts and shards do not know how rare a word is in the others: nearly always all
words of the documents that vote, so that parts and shards change no score."""


class FeedbackWords(NamedTuple):
    """The words that join a query. They are known by their hashes, as nobody has typed them."""

    words: Ints
    weights: Floats  # all of them sum up to one
    documents: Floats  # that hold each
    occurrences: Floats


NO_WORDS = FeedbackWords(np.empty(0, np.int64), np.empty(0), np.empty(0), np.empty(0))


class Votes(NamedTuple):
    """What documents of one shard say of their words."""

    words: Ints
    weights: Floats  # by what is known here of how rare they are
    counted: Floats  # 3 x words, here: documents that hold each, how often it stands, its votes


def best_of(scores: Floats, identities_of: Callable[[Ints], Ints] | None = None) -> Ints:
    """Return the places of those that may vote, the best first. Of equals, the one that stands
    first, or the one with the lowest identity, which no update of an index changes."""
    places = np.arange(len(scores))
    if len(scores) > VOTERS:
        least = np.partition(scores, -VOTERS)[-VOTERS]
        places = np.flatnonzero(scores >= least)
    if identities_of is None:
        return places[np.argsort(-scores[places], kind="stable")[:VOTERS]]
    return places[np.lexsort((identities_of(places), -scores[places]))[:VOTERS]]


def voters(scores: Floats) -> tuple[Ints, Floats]:
    """The places of the documents that vote, and what each vote counts; none where they are too
    few. `scores`: of the first candidates, in any order."""
    best = best_of(scores)
    best = best[scores[best] > 0]
    if len(best) < _LEAST_VOTERS:
        return best[:0], scores[:0]
    power = np.exp(_SHARPNESS * (scores[best] / scores[best[0]] - 1))
    return best, power / power.sum()


def ballot_of(reader: IndexReader, numbers: Ints, power: Floats) -> Ballot:
    return reader.ballot(numbers, power, _K, _B)


def votes(ballot: Ballot, ignored: Set[int]) -> Votes:
    """The words that weigh most, as far as is known here how rare they are. `ignored`: hashes."""
    words, weights = ballot.heaviest(_LOOKED_AT if ballot.is_exact else _LOOKED_AT_BY_GUESS)
    kept = [place for place, word in enumerate(words.tolist()) if word not in ignored]
    words = words[kept]
    return Votes(words, weights[kept], ballot.counted(words))


def feedback_words(
    voted: Sequence[Votes], documents: int, counted_of: Callable[[Ints], Floats] | None
) -> FeedbackWords:
    """The words with most votes. `documents`: in the whole index. `counted_of`: what all shards
    together know of some words; None where only one is asked."""
    if not voted:
        return NO_WORDS
    words, weights, counted = voted[0]
    if counted_of is not None:
        words, _ = heaviest(
            np.concatenate([one.words for one in voted]),
            np.concatenate([one.weights for one in voted]),
            _LOOKED_AT_BY_GUESS,
        )
        counted = counted_of(words)
    holding, occurrences, sums = counted
    holding = np.minimum(holding, documents)
    weights = sums * np.log1p((documents - holding + 0.5) / (holding + 0.5))
    weights[holding < 2] = 0.0  # what stands in one document only, none have in common
    best = np.lexsort((words, -weights))[:WORDS]
    best = best[weights[best] > 0]
    weights = weights[best]
    return FeedbackWords(words[best], weights / weights.sum(), holding[best], occurrences[best])
