from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.evaluate.metrics import (
    METRICS,
    average_precision,
    measure,
    ndcg_at,
    precision_at,
    r_precision,
    recall_at,
    reciprocal_rank,
)

# Three of four relevant documents are found, at places 2, 3 and 6; the one of grade 2 is missed.
RANKED = [0, 3, 1, 0, 0, 1]
JUDGED = [1, 3, 0, 2, 1]


def test_precision_is_the_share_of_relevant_ones_among_the_first_places() -> None:
    assert precision_at(RANKED, 5) == 2 / 5
    assert precision_at(RANKED, 3) == 2 / 3


def test_a_short_ranking_is_filled_up_with_misses() -> None:
    assert precision_at([1], 5) == 1 / 5
    assert precision_at([], 5) == 0


def test_r_precision_looks_at_as_many_places_as_there_are_relevant_documents() -> None:
    assert r_precision(RANKED, JUDGED) == 2 / 4


def test_average_precision_is_the_mean_precision_where_relevant_ones_are_found() -> None:
    assert average_precision(RANKED, JUDGED) == pytest.approx((1 / 2 + 2 / 3 + 3 / 6 + 0) / 4)


def test_ndcg_is_the_discounted_gain_as_a_share_of_the_best_possible() -> None:
    gained = 7 / log2(3) + 1 / log2(4) + 1 / log2(7)
    best = 7 / log2(2) + 3 / log2(3) + 1 / log2(4) + 1 / log2(5)
    assert ndcg_at(RANKED, JUDGED, 10) == pytest.approx(gained / best)
    assert ndcg_at(RANKED, JUDGED, 2) == pytest.approx((7 / log2(3)) / (7 + 3 / log2(3)))


def test_reciprocal_rank_is_one_over_the_place_of_the_first_relevant_one() -> None:
    assert reciprocal_rank(RANKED) == 1 / 2
    assert reciprocal_rank([0, 0]) == 0


def test_recall_is_the_share_of_relevant_ones_that_is_found() -> None:
    assert recall_at(RANKED, JUDGED, 1000) == 3 / 4
    assert recall_at(RANKED, JUDGED, 2) == 1 / 4


def test_all_measures_of_a_ranking_of_ids() -> None:
    grades = {"a": 1, "b": 3, "c": 0, "d": 2, "e": 1}
    measures = measure(["x", "b", "a", "c", "y", "e"], grades)
    assert measures is not None
    assert measures.keys() == METRICS.keys()
    assert measures["ndcg@10"] == ndcg_at(RANKED, JUDGED, 10)
    assert measures["map"] == average_precision(RANKED, JUDGED)


def test_a_query_without_relevant_documents_has_no_measures() -> None:
    assert measure(["a"], {}) is None
    assert measure(["a"], {"a": 0}) is None


def test_a_document_that_comes_twice_is_found_once() -> None:
    grades = {"a": 1, "b": 1}
    assert measure(["a", "a", "a", "b"], grades) == measure(["a", "b"], grades)


def test_what_is_behind_the_thousandth_place_is_not_looked_at() -> None:
    others = [str(number) for number in range(1000)]
    measures = measure([*others, "a"], {"a": 1})
    assert measures is not None
    assert set(measures.values()) == {0.0}


def brute_force(ranking: list[str], grades: dict[str, int]) -> dict[str, float]:
    """The same measures from their definitions over sets, without a shared line."""
    relevant = {document for document, grade in grades.items() if grade >= 1}

    def precision(k: int) -> float:
        return len(relevant & set(ranking[:k])) / k

    def gain(documents: list[str]) -> float:
        total = 0.0
        for index in range(min(10, len(documents))):
            total += (2 ** grades.get(documents[index], 0) - 1) / log2(index + 2)
        return total

    places = {document: ranking.index(document) + 1 for document in relevant & set(ranking)}
    return {
        "p@5": precision(5),
        "p@10": precision(10),
        "p@r": precision(len(relevant)),
        "map": sum(precision(place) for place in places.values()) / len(relevant),
        "ndcg@10": gain(ranking) / gain(sorted(grades, key=lambda document: -grades[document])),
        "mrr": 1 / min(places.values()) if places else 0.0,
        "recall@1000": len(places) / len(relevant),
    }


DOCUMENTS = [f"d{number}" for number in range(30)]


@given(
    st.lists(st.sampled_from(DOCUMENTS), unique=True),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4)),
)
def test_measures_equal_their_definitions(ranking: list[str], grades: dict[str, int]) -> None:
    measures = measure(ranking, grades)
    if not any(grades.values()):
        assert measures is None
        return
    assert measures == pytest.approx(brute_force(ranking, grades))


@given(st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4), min_size=1))
def test_the_best_order_measures_one(grades: dict[str, int]) -> None:
    measures = measure(sorted(grades, key=lambda document: -grades[document]), grades)
    if measures is not None:
        for name in ("p@r", "map", "ndcg@10", "mrr", "recall@1000"):
            assert measures[name] == pytest.approx(1)
