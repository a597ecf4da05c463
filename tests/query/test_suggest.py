"""Completions, against a plain model that looks at every entry."""

import re
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.errors import FormatError
from gossamer.query.suggest import Suggestion, SuggestionIndex, fold

ENTRIES = [
    ("Freiburg im Breisgau", 50.0),
    ("University of Freiburg", 80.0),
    ("Freight train", 5.0),
    ("New York City", 90.0),
    ("Yorkshire pudding", 20.0),
    ("Café  au lait", 7.0),
    ("cafe AU lait", 3.0),
    ("東京タワー", 4.0),
    ("O'Neil", 1.0),
    ("an entry that shares its long beginning with another: first", 1.0),
    ("an entry that shares its long beginning with another: second", 2.0),
]


@pytest.fixture(scope="module")
def index() -> SuggestionIndex:
    return SuggestionIndex.build(ENTRIES)


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("fre", ["Freiburg im Breisgau", "University of Freiburg", "Freight train"]),
        ("FREIB", ["Freiburg im Breisgau", "University of Freiburg"]),
        ("york", ["New York City", "Yorkshire pudding"]),
        ("york ", ["New York City"]),
        ("new  y", ["New York City"]),
        ("cafe", ["Café au lait"]),
        ("lait", ["Café au lait"]),
        ("東", ["東京タワー"]),
        ("o'n", ["O'Neil"]),
        ("fribu", ["Freiburg im Breisgau", "University of Freiburg"]),
        ("feriburg", ["Freiburg im Breisgau", "University of Freiburg"]),
        ("frexburg", ["Freiburg im Breisgau", "University of Freiburg"]),
        ("freighht", ["Freight train"]),
        ("an entry that shares its long beginning with another: s", [ENTRIES[-1][0]]),
        ("", []),
        ("  ", []),
        ("zzz", []),
        ("zzzzzzzzzz", []),
    ],
)
def test_suggestions(index: SuggestionIndex, prefix: str, expected: list[str]) -> None:
    assert [one.text for one in index.suggest(prefix)] == expected


def test_limit_and_weight(index: SuggestionIndex) -> None:
    assert index.suggest("fre", 1) == [Suggestion("Freiburg im Breisgau", 50.0)]
    assert index.suggest("fre", 0) == []


def test_arrays_are_saved_and_mapped(index: SuggestionIndex, tmp_path: Path) -> None:
    for name, array in index.to_arrays().items():
        np.save(tmp_path / f"{name}.npy", array)
    mapped = {path.stem: np.load(path, mmap_mode="r") for path in tmp_path.iterdir()}
    again = SuggestionIndex.from_arrays(mapped)
    assert len(again) == len(ENTRIES) - 1
    assert again.suggest("fre") == index.suggest("fre")


def test_another_version_is_refused(index: SuggestionIndex) -> None:
    with pytest.raises(FormatError):
        SuggestionIndex.from_arrays(index.to_arrays() | {"about": np.array([99])})


def test_no_entries() -> None:
    assert SuggestionIndex.build([]).suggest("word") == []


def test_endless_text_takes_little_time(index: SuggestionIndex) -> None:
    begin = time.process_time()
    index.suggest("ab " * 5_000_000)
    SuggestionIndex.build([("x" * 10_000_000, 1.0)])
    assert time.process_time() - begin < 1.0


def test_many_entries_that_begin_alike() -> None:
    entries = [(f"a{number % 7} b{number}", float(number)) for number in range(30_000)]
    index = SuggestionIndex.build(entries)
    assert [one.weight for one in index.suggest("a", 3)] == [29_999, 29_998, 29_997]
    assert [one.weight for one in index.suggest("b", 3)] == [29_999, 29_998, 29_997]
    wanted = [number for number in range(30_000) if number % 7 == 3][:-4:-1]
    assert [one.weight for one in index.suggest("a3", 3)] == wanted


_WORDS = st.text("abc '", max_size=8) | st.text("aé東-", max_size=5)


@settings(deadline=None)
@given(
    st.lists(st.tuples(_WORDS, st.integers(0, 9).map(float)), max_size=12),
    st.text("abcé東 ", min_size=1, max_size=3),
)
def test_against_a_plain_model(entries: list[tuple[str, float]], prefix: str) -> None:
    found = SuggestionIndex.build(entries).suggest(prefix, 20)
    wanted = fold(prefix)
    complete = prefix[-1:].isspace()

    def weights(beginning: str) -> list[float]:
        heaviest: dict[str, float] = {}
        for text, weight in entries:
            folded = fold(text)
            begins = folded.startswith(beginning)
            inner = re.search(rf"(?<![\w'])(?=[\w']){re.escape(beginning)}", folded)
            if beginning.strip() and (begins or inner):
                heaviest[folded] = max(weight, heaviest.get(folded, 0.0))
        return sorted(heaviest.values())

    expected = (weights(wanted + " ") if complete else []) or weights(wanted)
    assert sorted(one.weight for one in found) == expected


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.tuples(st.text(st.characters(codec=None)), st.floats()), max_size=5),
    st.text(st.characters(codec=None)),
)
def test_any_text(entries: list[tuple[str, float]], prefix: str) -> None:
    SuggestionIndex.build(entries).suggest(prefix)
