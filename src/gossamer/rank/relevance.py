"""The features of the default ranking: weighted BM25, neighbours, and feedback.

All fields are one text in which a word of the title counts more; that is as good as any other way
of weighing them, and has the fewest parameters. Neighbours of the query that are neighbours in a
document count as words of their own. The words of the best documents join the query (`feedback`).
"""

import numpy as np

from gossamer.matches import Floats
from gossamer.rank.evidence import Breakdown, Evidence
from gossamer.rank.features import feature, lucene_idf

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
    length = normalised_lengths(evidence)[:, None]
    by_word = frequencies * (k + 1) / (frequencies + k * length) * (lucene_idf(evidence) * slots)
    total = by_word.sum(axis=1)
    if not evidence.explains:
        return Breakdown(total, by_word)
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
    slots = evidence.matches.slots
    counted = np.zeros((evidence.size, slots))
    hits = evidence.matches.hits
    is_required = evidence.required > 0
    for apart in (1, 2):  # hits; a third word of the query may stand between the two
        if len(hits.slots) <= apart:
            break
        first, second = slice(None, -apart), slice(apart, None)
        together = np.flatnonzero(
            (hits.slots[second] == hits.slots[first] + 1)
            & (hits.documents[second] == hits.documents[first])
            & (hits.fields[second] == hits.fields[first])
            & (hits.positions[second] - hits.positions[first] <= _NEAR)
            & is_required[hits.slots[second]]
            & is_required[hits.slots[first]]
        )
        np.add.at(counted, (hits.documents[first][together], hits.slots[first][together]), 1)
    idf = lucene_idf(evidence)
    rarer = np.minimum(idf, np.append(idf[1:], 0.0)) if slots else idf
    length = normalised_lengths(evidence)[:, None]
    by_word = counted * (_PAIR_K + 1) / (counted + _PAIR_K * length) * rarer
    return Breakdown(by_word.sum(axis=1), by_word)
