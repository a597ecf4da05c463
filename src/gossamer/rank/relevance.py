"""The features of the default ranking: weighted BM25, neighbours, and feedback.

All fields are one text in which a word of the title counts more; that is as good as any other way
of weighing them, and has the fewest parameters. Neighbours of the query that are neighbours in a
document count as words of their own. The words of the best documents join the query (`feedback`).
"""

import numpy as np

from gossamer.matches import Floats
from gossamer.rank.evidence import Breakdown, Evidence
from gossamer.rank.features import feature, lucene_idf
from gossamer.rank.kernels import neighbours, saturated_sums

_NO_LENGTH = frozenset({"boilerplate", "anchor", "url", "description", "extras"})
"""Fields that make a text no longer: others write them, or every page of a site has them."""
_PAIR_K = 1.2
_NEAR = 2  # words: neighbours may have one other word between them


def normalised_lengths(evidence: Evidence) -> Floats:
    """1 for a document of average length."""
    b = evidence.parameters.b
    weights = np.where([name in _NO_LENGTH for name in evidence.fields], 0, evidence.field_weights)
    average = float(evidence.matches.statistics.average_lengths @ weights) or 1.0
    return np.asarray(1 - b + b * (evidence.matches.lengths @ weights) / average)


def _weighted_bm25(evidence: Evidence, slots: Floats) -> Breakdown:
    """`slots`: the weight of each slot of the query; 0 for those that do not count."""
    k = evidence.parameters.k
    frequencies = evidence.weighted
    lengths = normalised_lengths(evidence)
    weights = lucene_idf(evidence) * slots
    if not evidence.explains:
        return Breakdown(saturated_sums(frequencies, k, lengths, weights))
    by_word = frequencies * (k + 1) / (frequencies + k * lengths[:, None]) * weights
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


@feature("feedback", "the same for the words that the best documents have in common")
def feedback(evidence: Evidence) -> Breakdown:
    return _weighted_bm25(evidence, evidence.feedback)


@feature("query_weight", "how many words the query has, by their weights")
def query_weight(evidence: Evidence) -> Breakdown:
    weight = float((evidence.weights * evidence.required).sum())
    return Breakdown(np.full(evidence.size, weight or 1.0))


@feature("pairs", "neighbouring words of the query that are neighbours in the document")
def pairs(evidence: Evidence) -> Breakdown:
    if evidence.required.sum() < 2:
        return Breakdown(np.zeros(evidence.size))
    counted = neighbours(evidence.matches, evidence.required > 0, _NEAR)
    idf = lucene_idf(evidence)
    rarer = np.minimum(idf, np.append(idf[1:], 0.0))
    lengths = normalised_lengths(evidence)
    if not evidence.explains:
        return Breakdown(saturated_sums(counted, _PAIR_K, lengths, rarer))
    by_word = counted * (_PAIR_K + 1) / (counted + _PAIR_K * lengths[:, None]) * rarer
    return Breakdown(by_word.sum(axis=1), by_word)
