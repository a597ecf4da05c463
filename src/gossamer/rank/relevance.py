"""The features of the default ranking: weighted BM25, neighbours, and feedback.

All fields are one text in which a word of the title counts more; that is as good as any other way
of weighing them, and has the fewest parameters. Neighbours of the query that are neighbours in a
document count as words of their own. The words of the best documents join the query (`feedback`).
"""

from typing import NamedTuple

import numpy as np

from gossamer.matches import Floats, Ints
from gossamer.rank.evidence import Breakdown, Evidence, the_same
from gossamer.rank.features import NEARLY_NOTHING, feature
from gossamer.rank.kernels import neighbours, saturated_sums

_PAIR_K = 1.2
_NEAR = 2  # words: neighbours may have one other word between them


def _weighted_bm25(evidence: Evidence, slots: Floats) -> Breakdown:
    """`slots`: the weight of each slot of the query; 0 for those that do not count."""
    k = evidence.parameters.k
    frequencies = evidence.weighted
    lengths = evidence.normalised_lengths
    weights = evidence.idf * slots
    if not evidence.explains:
        return Breakdown(saturated_sums(frequencies, k, lengths, weights))
    saturated = np.maximum(frequencies + k * lengths[:, None], NEARLY_NOTHING)
    by_word = frequencies * (k + 1) / saturated * weights
    total = by_word.sum(axis=1)
    by_field = evidence.frequencies * evidence.field_weights
    share = np.divide(
        by_field,
        frequencies[:, :, None],
        out=np.zeros_like(by_field),
        where=frequencies[:, :, None] > 0,
    )
    return Breakdown(total, by_word, by_word[:, :, None] * share)


@feature("text", "BM25 over all fields as one text, in which weighted fields count more")
def text(evidence: Evidence) -> Breakdown:
    return _weighted_bm25(evidence, evidence.weights * evidence.required)


@feature("feedback", "BM25 of the words that the best documents have in common")
def feedback(evidence: Evidence) -> Breakdown:
    """BM25 of the feedback words that are words of the query; `further_words` has the others."""
    return _weighted_bm25(evidence, evidence.feedback)


class FurtherWords(NamedTuple):
    """Words of the best documents that the query does not have, as they count for candidates: what
    one adds is weight * f / (f + norm), where f is how often it stands there."""

    words: Ints  # hashes
    weights: Floats
    norms: Floats  # of each candidate

    def opened(self, place: int, frequencies: Floats) -> Floats:
        """The share of each word and field in the score of one candidate. `frequencies`: words x
        fields, each field by its weight."""
        whole = np.maximum(frequencies.sum(axis=1) + self.norms[place], NEARLY_NOTHING)
        return np.asarray(frequencies * (self.weights / whole)[:, None])


def further_words(
    evidence: Evidence, words: Ints, frequencies: Floats, weights: Floats
) -> FurtherWords:
    """`words`: hashes. `frequencies`, `weights`: in how many documents each word occurs, and its
    share of all feedback."""
    k = evidence.parameters.k
    full = (k + 1) * evidence.idf_of(frequencies) * weights
    return FurtherWords(words, full, np.asarray(k * evidence.normalised_lengths))


@feature("query_weight", "how many words the query has, by their weights")
def query_weight(evidence: Evidence) -> Breakdown:
    weight = float((evidence.weights * evidence.required).sum())
    return the_same(weight or 1.0)


@feature("pairs", "neighbouring words of the query that are neighbours in the document")
def pairs(evidence: Evidence) -> Breakdown:
    if evidence.required.sum() < 2:
        return the_same(0.0)
    counted = neighbours(evidence.matches, evidence.required > 0, _NEAR)
    idf = evidence.idf
    rarer = np.minimum(idf, np.append(idf[1:], 0.0))
    lengths = evidence.normalised_lengths
    if not evidence.explains:
        return Breakdown(saturated_sums(counted, _PAIR_K, lengths, rarer))
    by_word = counted * (_PAIR_K + 1) / (counted + _PAIR_K * lengths[:, None]) * rarer
    return Breakdown(by_word.sum(axis=1), by_word)
