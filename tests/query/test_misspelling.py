"""What a misspelling costs."""

import numpy as np
import pytest

from gossamer.query import misspelling


def cost(wrong: str, right: str, dearest: float = 100.0) -> float:
    alphabet = np.unique(np.array([ord(one) for one in wrong + right], np.uint32))
    codes = [np.searchsorted(alphabet, [ord(one) for one in word]) for word in (wrong, right)]
    letters = misspelling.letter_numbers(alphabet)
    words = misspelling.Words(
        codes[1].astype(np.uint16),
        letters,
        np.array([0, len(right)], np.int32),
        np.zeros(1, np.float32),
    )
    found = misspelling.likeliest(
        *(codes[0].astype(np.uint16), letters[codes[0]], words),
        *(np.array([0], np.int32), dearest, 1),
    )
    return float(found.costs[0]) if len(found.words) else float("inf")


@pytest.mark.parametrize(
    ("wrong", "right", "expected"),
    [
        ("same", "same", 0),
        ("recieve", "receive", misspelling.SWAPPED),
        ("comittee", "committee", misspelling.DOUBLED),
        ("commmittee", "committee", misspelling.DOUBLED),
        ("telefone", "telephone", misspelling.SOUNDS_LIKE),
        ("pharmer", "farmer", misspelling.SOUNDS_LIKE),
        ("sepurate", "separate", misspelling.SUBSTITUTE_VOWEL),
        ("bbx", "bbk", misspelling.SUBSTITUTE),
        ("kat", "cat", misspelling.SUBSTITUTE_ALIKE + misspelling.FIRST),
        ("мама", "мара", misspelling.SUBSTITUTE),
    ],
)
def test_costs(wrong: str, right: str, expected: float) -> None:
    assert cost(wrong, right) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("recieve", "receive"), ("comittee", "committee"), ("telefone", "telephone")],
)
def test_what_is_too_dear_is_not_worked_out(wrong: str, right: str) -> None:
    exact = cost(wrong, right)
    assert cost(wrong, right, exact + 0.01) == exact
    assert cost("zebra", right, 0.5) == float("inf")
