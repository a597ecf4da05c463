"""Every feature, computed by hand for one document of average length.

Its title is 'moon ...', its text 'moon phase ... moon ...': of 100 documents, 10 hold the one word
and 1 the other.
"""

from math import log1p, log2

import numpy as np
import pytest

from gossamer.rank import relevance  # noqa: F401 - its features register themselves
from gossamer.rank.evidence import Evidence, Parameters, Word
from gossamer.rank.features import FEATURES
from gossamer.rank.formula import Formula
from tests.rank.evidence import evidence_of

MOON = log1p(90.5 / 10.5)
PHASE = log1p(99.5 / 1.5)

EXPECTED = {
    "bm25": 3 * 2 / (3 + 1) * log2(10) + 1 * 2 / (1 + 1) * log2(100),
    "bm25f": 5 * 2 / (5 + 1) * MOON + PHASE,
    "text": 5 * 2 / (5 + 1) * MOON + PHASE,
    "tf_idf": 5 * 1 + 1 * 2,
    "divergence": (log2(1.2) + 3 * log2(6)) / 4 + (log2(1.01) + log2(101)) / 2,
    "proximity": 2 * (1 / 2 + 1 / 5),  # 'moon phase', and 'phase ... moon'
    "title_share": 1 / 2 * 1 / 2,  # half of the title, and one of two words
    "title_holds_all": 0,  # 'phase' is not in it
    "penn_index": (0.5 + 0.5 * 5 / 10) * 1 + (0.5 + 0.5 * 1 / 10) * 2,
    "places": 2,  # one, and a word in the title
    "page_rank": 2,
    "combined_rank": 3,
    "host_rank": 4,
    "domain_rank": 5,
    "in_degree": 7,
    "in_hosts": 6,
    "farm": 1,
    "doc_rank": 2,  # 99 came after it
    "slash_bonus": 1 / 4,
    "url_length": 20,
    "all_words": 1,
    "prose": 900 / 1_200,
    "weighted_words": 5,
    "boost": 8 / 2,
    "feedback": 0.5 * PHASE,
    "query_weight": 2,
    "pairs": 1 * 2.2 / (1 + 1.2) * MOON,  # once side by side; the commoner word counts
}


@pytest.fixture
def evidence() -> Evidence:
    found = evidence_of(
        ["moon", "phase"],
        [(0, 0, 0, 0, 0), (0, 0, 1, 0, 0), (0, 1, 1, 1, 0), (0, 0, 1, 5, 0)],
        [[2, 10, 0]],
        documents=100,
        frequencies=[10, 1],
        occurrences=[20, 1],
        fields=("title", "body", "extras"),
        field_weights={"title": 3.0},
        parameters=Parameters(k=1.0, boost=Formula.parse("votes / 2")),
        variables={
            "largest_frequency": [10],
            "page_rank": [2],
            "combined_rank": [3],
            "host_rank": [4],
            "domain_rank": [5],
            "in_degree": [7],
            "in_hosts": [6],
            "farm": [1],
            "documents_after": [99],
            "url_slashes": [4],
            "url_length": [20],
            "votes": [8],
            "prose": [900],
        },
    )
    found.points, found.feedback = np.array([5.0, 0.0]), np.array([0.0, 0.5])
    return found


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_is_what_paper_says(evidence: Evidence, name: str) -> None:
    assert FEATURES[name].compute(evidence).value(0) == pytest.approx(EXPECTED[name])


@pytest.mark.parametrize("name", FEATURES)
def test_its_parts_add_up_and_it_has_a_meaning(evidence: Evidence, name: str) -> None:
    found = FEATURES[name].compute(evidence)
    assert FEATURES[name].meaning
    if found.by_word is not None:
        assert found.by_word[0].sum() == pytest.approx(found.value(0))
    if found.by_word is not None and found.by_field is not None:
        assert found.by_field[0].sum(axis=1) == pytest.approx(found.by_word[0])


def test_a_title_that_says_the_query_alone_has_the_whole_share() -> None:
    found = evidence_of(
        ["full", "moon"],
        [
            *[(0, 0, 0, 0, 0), (0, 1, 0, 1, 0)],  # 'full moon'
            *[(1, 0, 0, 0, 0), (1, 1, 0, 1, 0)],  # 'full moon over ...'
            *[(2, 1, 0, 0, 0), (2, 1, 0, 1, 0)],  # 'moon moon'
            (3, 0, 1, 0, 0),  # not in the title
        ],
        [[2, 5, 0], [8, 5, 0], [2, 5, 0], [0, 5, 0]],
        documents=100,
        frequencies=[10, 10],
        fields=("title", "body", "extras"),
    )
    shares = FEATURES["title_share"].compute(found).total
    assert shares.tolist() == [1.0, 0.25, 0.5, 0.0]


def test_the_name_of_a_site_and_stop_words_of_the_query_are_no_part_of_a_title() -> None:
    found = evidence_of(
        ["full", "moon"],
        [
            *[(0, 0, 0, 0, 0), (0, 1, 0, 1, 0)],  # 'full moon - the lantern'
            *[(1, 0, 0, 2, 0), (1, 1, 0, 3, 0)],  # 'the lantern: full moon'
            *[(2, 0, 0, 0, 0), (2, 1, 0, 3, 0)],  # 'full of the moon'
            *[(3, 0, 0, 2, 0), (3, 1, 0, 3, 0)],  # 'all about full moon'
            *[(4, 0, 0, 0, 0), (4, 1, 0, 3, 0)],  # 'full - moon', where 'moon' is the site
        ],
        [[4, 5, 0]] * 5,
        documents=100,
        frequencies=[10, 10],
        fields=("title", "body", "extras"),
        variables={
            "title_begin": [0, 2, 0, 0, 0],
            "title_words": [2, 2, 4, 4, 1],
            "title_telling": [2, 2, 2, 2, 1],
        },
    )
    shares = FEATURES["title_holds_all"].compute(found).total
    assert shares.tolist() == [1.0, 1.0, 0.5, 0.5, 0.5]
    assert found.title_matches.tolist() == [True, True, False, False, False]


def test_as_many_stop_words_as_the_query_has_may_be_in_the_title() -> None:
    found = evidence_of(
        ["full", "moon"],
        [(0, 0, 0, 0, 0), (0, 1, 0, 3, 0)],  # 'full of the moon'
        [[4, 5, 0]],
        documents=100,
        frequencies=[10, 10],
        fields=("title", "body", "extras"),
        variables={"title_begin": [0], "title_words": [4], "title_telling": [2]},
        stop_words=2,
    )
    assert found.title_matches.tolist() == [True]


def test_a_word_typed_in_parts_is_as_many_words_of_a_title() -> None:
    found = evidence_of(
        [Word("well-known", width=2), "moon"],
        [(0, 0, 0, 0, 0), (0, 1, 0, 2, 0)],  # 'well known moon'
        [[3, 5, 0]],
        documents=100,
        frequencies=[10, 10],
        fields=("title", "body", "extras"),
    )
    assert found.title_matches.tolist() == [True]
