"""Words of some documents, with their frequencies there and in the index.

Every part has numbers of its own for words, so here they are known by their hashes. That two words
share one is so unlikely that it does for guessing what words have to do with a query, though not
for what somebody typed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gossamer.index.forward import NO_VOTES, Votes
from gossamer.index.part import Part
from gossamer.matches import Floats, Ints


class Ballot(NamedTuple):
    """The votes of documents in some parts of an index."""

    parts: Sequence[Part]
    cast: dict[int, Votes]  # by the first document of a part
    is_exact: bool  # the one part knows how rare words are in the whole index

    def heaviest(self, most: int) -> tuple[Ints, Floats]:
        """The words that weigh most by what each part knows, in any order, and what they weigh.
        Numbers are left out: prices and dates have nothing to do with a subject."""
        hashes, weights = [NO_VOTES.terms], [NO_VOTES.weights]
        for part in self.parts:
            if (votes := self.cast.get(part.first)) is not None:
                best = _largest(votes.weights, most)
                best = best[~part.forward.vocabulary.are_numbers(votes.terms[best])]
                hashes.append(part.forward.vocabulary.hashes(votes.terms[best]))
                weights.append(votes.weights[best])
        if len(hashes) == 2:
            return hashes[1], weights[1]
        return heaviest(np.concatenate(hashes), np.concatenate(weights), most)

    def counted(self, words: Ints) -> Floats:
        """3 x words: how many documents hold each, how often it stands, and its votes."""
        totals = np.zeros((3, len(words)))
        for part in self.parts:
            part.forward.add_votes(words, self.cast.get(part.first, NO_VOTES), totals)
        return totals


def heaviest(words: Ints, weights: Floats, most: int) -> tuple[Ints, Floats]:
    """Of words that come several times: those with the largest sums of weights, each once."""
    order = np.argsort(words)
    words, weights = words[order], weights[order]
    is_first = np.ones(len(words), np.bool_)
    np.not_equal(words[1:], words[:-1], out=is_first[1:])
    starts = np.flatnonzero(is_first)
    sums = np.add.reduceat(weights, starts) if len(starts) else weights
    best = _largest(sums, most)
    return words[starts[best]], sums[best]


def _largest(values: Floats, most: int) -> Ints:
    """The places of the largest values, in any order."""
    if len(values) <= most:
        return np.arange(len(values))
    return np.argpartition(values, len(values) - most)[-most:]
