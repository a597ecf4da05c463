"""Every feature, computed by hand for one document of average length.

Its title is 'moon ...', its text 'moon phase ... moon ...': of 100 documents, 10 hold the one word
and 1 the other.
"""

from math import log1p, log2

import numpy as np
import pytest

from gossamer.rank import relevance  # noqa: F401 - its features register themselves
from gossamer.rank.evidence import Evidence, Parameters
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
    "holds_all": 1,
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
