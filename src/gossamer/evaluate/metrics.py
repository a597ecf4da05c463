"""Measures of one ranking for one query: each is a small function of two lists of grades.

`ranked` holds the grade of every result, best place first; a document that nobody judged has grade
0. `judged` holds the grades of all documents that were judged for the query, in any order. A
document is relevant from grade 1 on; higher grades matter to nDCG alone.

A query without any relevant document has no value under any measure: `measure` returns None, and
whoever averages leaves the query out and says how many were left out. (To count it as 0 would lower
every ranking by the same share and hide differences; to count it as 1 would reward nothing.)

All measures look at the first `CUTOFF` places. A ranking that is shorter than the k of a measure is
filled up with misses: P@5 of a single, relevant result is 0.2.
"""

from collections.abc import Callable, Mapping, Sequence
from math import log2

CUTOFF = 1000

Metric = Callable[[Sequence[int], Sequence[int]], float]


def precision_at(ranked: Sequence[int], k: int) -> float:
    """The share of relevant documents among the first k places."""
    return sum(grade > 0 for grade in ranked[:k]) / k


def r_precision(ranked: Sequence[int], judged: Sequence[int]) -> float:
    """Precision at R, where R is the number of relevant documents that there are."""
    return precision_at(ranked, _relevant(judged))


def average_precision(ranked: Sequence[int], judged: Sequence[int]) -> float:
    """The mean, over all relevant documents, of the precision at the place where each is found.

    One that is not found counts as 0. The mean over queries is MAP.
    """
    found = 0
    total = 0.0
    for place, grade in enumerate(ranked, 1):
        if grade > 0:
            found += 1
            total += found / place
    return total / _relevant(judged)


def ndcg_at(ranked: Sequence[int], judged: Sequence[int], k: int) -> float:
    """The discounted gain of the first k places, as a share of what the best order would gain.

    A grade g gains 2^g - 1, and place i (from 1) discounts it by log2(i + 1).
    """
    best = sorted(judged, reverse=True)
    return _discounted_gain(ranked[:k]) / _discounted_gain(best[:k])


def reciprocal_rank(ranked: Sequence[int]) -> float:
    """One over the place of the first relevant document; 0 where none is found."""
    return next((1 / place for place, grade in enumerate(ranked, 1) if grade > 0), 0.0)


def recall_at(ranked: Sequence[int], judged: Sequence[int], k: int) -> float:
    """The share of the relevant documents that is found in the first k places."""
    return sum(grade > 0 for grade in ranked[:k]) / _relevant(judged)


METRICS: Mapping[str, Metric] = {
    "p@5": lambda ranked, _: precision_at(ranked, 5),
    "p@10": lambda ranked, _: precision_at(ranked, 10),
    "p@r": r_precision,
    "map": average_precision,
    "ndcg@10": lambda ranked, judged: ndcg_at(ranked, judged, 10),
    "mrr": lambda ranked, _: reciprocal_rank(ranked),
    "recall@1000": lambda ranked, judged: recall_at(ranked, judged, CUTOFF),
}
"""Every measure that is reported, by the name that people know the mean over queries by."""


def measure(ranking: Sequence[str], grades: Mapping[str, int]) -> dict[str, float] | None:
    """Every measure of the ranking (ids of documents, best first) of one query.

    None if `grades` (by document) holds no relevant one. A document that comes twice counts at its
    first place, and the places behind its repetition move up: it cannot be found twice.
    """
    judged = list(grades.values())
    if not _relevant(judged):
        return None
    ranked = [grades.get(document, 0) for document in dict.fromkeys(ranking)][:CUTOFF]
    return {name: metric(ranked, judged) for name, metric in METRICS.items()}


def _relevant(judged: Sequence[int]) -> int:
    return sum(grade > 0 for grade in judged)


def _discounted_gain(grades: Sequence[int]) -> float:
    return sum(
        (2.0**grade - 1) / log2(place + 1) for place, grade in enumerate(grades, 1) if grade > 0
    )
