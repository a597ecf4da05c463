"""What a misspelling costs."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gossamer.query import misspelling


def likeliest(
    wrong: str, words: dict[str, float], dearest: float = 100.0, limit: int = 1
) -> list[tuple[str, float, float]]:
    """Of `words` with their priors: which were meant, their costs and scores."""
    texts = list(words)
    alphabet = np.unique(np.array([ord(one) for one in wrong + "".join(texts)], np.uint32))
    codes = [np.searchsorted(alphabet, [ord(one) for one in word]) for word in (wrong, *texts)]
    known = misspelling.Words(
        np.concatenate(codes[1:]).astype(np.uint16),
        misspelling.letter_numbers(alphabet),
        np.cumsum([0, *map(len, texts)]).astype(np.int32),
        np.array(list(words.values()), np.float32),
    )
    found = misspelling.likeliest(
        *(codes[0].astype(np.uint16), misspelling.letters_of(wrong), known),
        *(np.arange(len(texts), dtype=np.int32), dearest, limit),
    )
    parts = (part.tolist() for part in found)
    return [(texts[number], cost, score) for number, cost, score in zip(*parts, strict=True)]


def cost(wrong: str, right: str, dearest: float = 100.0) -> float:
    found = likeliest(wrong, {right: 0.0}, dearest)
    return found[0][1] if found else float("inf")


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


def plain_cost(wrong: str, right: str) -> float:
    """Every cell of the table, from what its docstrings say."""
    typed, meant = (misspelling.letters_of(word).tolist() for word in (wrong, right))
    insertions, sounds = misspelling._INSERTIONS, misspelling._SOUNDS

    def left_out(i: int) -> float:
        return misspelling.DOUBLED if i and right[i] == right[i - 1] else insertions[meant[i]]

    def added(i: int, j: int) -> float:
        again = i and j and wrong[j] == wrong[j - 1]
        return misspelling.DOUBLED if again else insertions[typed[j]]

    table: dict[tuple[int, int], float] = {(0, 0): 0.0}
    for i, j in product(range(len(right) + 1), range(len(wrong) + 1)):
        ways = [table[0, 0]] if i == j == 0 else []
        if i:
            first = misspelling.FIRST if (i, j) == (1, 0) else 0.0
            ways.append(table[i - 1, j] + left_out(i - 1) + first)
        if j:
            first = misspelling.FIRST if (i, j) == (0, 1) else 0.0
            ways.append(table[i, j - 1] + added(i, j - 1) + first)
        if i and j:
            first = misspelling.FIRST if i == j == 1 else 0.0
            other = misspelling._SUBSTITUTIONS[meant[i - 1], typed[j - 1]] + first
            ways.append(table[i - 1, j - 1] + (other if wrong[j - 1] != right[i - 1] else 0.0))
        if i > 1 and j > 1 and wrong[j - 2 : j] == right[i - 2 : i][::-1]:
            ways.append(table[i - 2, j - 2] + misspelling.SWAPPED)
        if i > 1 and j and 0 < typed[j - 1] == sounds[meant[i - 2], meant[i - 1]]:
            ways.append(table[i - 2, j - 1] + misspelling.SOUNDS_LIKE)
        if i and j > 1 and 0 < meant[i - 1] == sounds[typed[j - 2], typed[j - 1]]:
            ways.append(table[i - 1, j - 2] + misspelling.SOUNDS_LIKE)
        table[i, j] = min(ways)
    return float(table[len(right), len(wrong)])


_WORDS = st.text("aaeehhpfckxsя", min_size=1, max_size=9)


_RIGHT = [(one, one) for one in "aehlя"]
_WRONG = [
    *(("c", "k"), ("k", "q"), ("s", "x"), ("b", "p"), ("a", "c"), ("я", "ж"), ("ae", "ea")),
    *(("ph", "f"), ("f", "gh"), ("ck", "k"), ("x", "ks"), ("ks", "x")),
    *(("h", ""), ("", "e"), ("t", ""), ("pp", "p"), ("a", "aa")),
]


@settings(deadline=None, max_examples=500)
@given(st.lists(st.sampled_from(_RIGHT + _WRONG), max_size=9))
def test_any_cost(written: list[tuple[str, str]]) -> None:
    wrong = "".join(one for one, _ in written)
    right = "".join(other for _, other in written)
    assume(wrong and right)
    exact = plain_cost(wrong, right)
    assert cost(wrong, right) == pytest.approx(exact, abs=1e-5)
    assert cost(wrong, right, exact + 1e-3) == pytest.approx(exact, abs=1e-5)
    assert cost(wrong, right, exact - 1e-3) == float("inf")


@settings(deadline=None)
@given(
    _WORDS,
    st.dictionaries(_WORDS, st.floats(-20.0, 0.0), min_size=1, max_size=30),
    st.floats(0.0, 5.0),
    st.integers(1, 6),
)
def test_the_likeliest_of_many(
    wrong: str, words: dict[str, float], dearest: float, limit: int
) -> None:
    costs = {word: plain_cost(wrong, word) for word in words}
    affordable = {word: prior for word, prior in words.items() if costs[word] <= dearest}
    weight = misspelling.FREQUENCY_WEIGHT
    scores = sorted((costs[word] - weight * prior for word, prior in affordable.items()))
    found = likeliest(wrong, words, dearest, limit)
    at_the_limit = any(abs(one - dearest) < 1e-4 for one in costs.values())
    assert at_the_limit or [-one[2] for one in found] == pytest.approx(scores[:limit], abs=1e-4)
    assert all(spent == pytest.approx(costs[word], abs=1e-5) for word, spent, _ in found)


def test_of_equal_scores_the_first_word() -> None:
    words = {"mabax": -2.0, "mabab": -1.0, "mabaz": -1.0, "mabaf": -1.0}
    assert [one[0] for one in likeliest("maba", words, 9.0, 2)] == ["mabab", "mabaz"]
