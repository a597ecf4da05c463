"""Where words stand together, against the definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.rank.cover import covers
from tests.rank.evidence import evidence_of


def _by_definition(slots: list[int], words: int) -> float:
    """All stretches that hold every word, and no shorter such stretch."""
    places = range(len(slots))
    holding = [
        (begin, end)
        for begin in places
        for end in places
        if begin <= end and set(slots[begin : end + 1]) >= set(range(words))
    ]
    minimal = [
        (begin, end)
        for begin, end in holding
        if not any(
            begin <= low and high <= end and (low, high) != (begin, end) for low, high in holding
        )
    ]
    return words * sum(1 / (end - begin + 1) for begin, end in minimal)


@settings(deadline=None)
@given(slots=st.lists(st.integers(0, 2), max_size=12))
def test_covers(slots: list[int]) -> None:
    evidence = evidence_of(
        ["a", "b", "c"],
        [(0, slot, 0, place, 0) for place, slot in enumerate(slots)],
        [[max(1, len(slots)), 0]],
        documents=3,
        frequencies=[1, 1, 1],
    )
    found = covers(evidence.matches, np.ones(3, bool))
    assert found == pytest.approx([_by_definition(slots, 3)])


def test_fields_and_documents_are_apart() -> None:
    evidence = evidence_of(
        ["a", "b"],
        [(0, 0, 0, 9, 0), (0, 1, 1, 0, 0), (1, 0, 1, 3, 0), (1, 1, 1, 4, 0)],
        [[10, 10, 0], [10, 10, 0]],
        fields=("title", "body", "extras"),
        documents=2,
        frequencies=[2, 2],
    )
    assert covers(evidence.matches, np.ones(2, bool)).tolist() == [0.0, 1.0]
