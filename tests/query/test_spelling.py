"""Corrections from a vocabulary of our own making."""

import time
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.errors import FormatError
from gossamer.query import qgrams, spelling
from gossamer.query.spelling import SpellingIndex

_FREQUENCIES = """
the 1000000, new 200000, york 40000, in 800000, to 900000, football 30000, foot 40000,
ball 50000, every 90000, day 150000, everyday 5000, spelling 8000, spilling 500,
telephone 20000, their 300000, receive 60000, accommodation 9000, university 70000,
freiburg 900, straße 500, москва 4000, 東京 3000, hotel 50000, form 60000, from 500000,
o'neil 100, hotels 20000
"""
WORDS = {
    word: int(frequency) for word, frequency in (line.split() for line in _FREQUENCIES.split(","))
}


@pytest.fixture(scope="module", params=[2, 3])
def index(request: pytest.FixtureRequest) -> SpellingIndex:
    return SpellingIndex.build(WORDS, q=request.param)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("speling", "spelling"),
        ("telefone", "telephone"),
        ("thier", "their"),
        ("recieve", "receive"),
        ("acomodation", "accommodation"),
        ("univercity", "university"),
        ("frieburg", "freiburg"),
        ("strasse", "straße"),
        ("мосвка", "москва"),
        ("oneil", "o'neil"),
    ],
)
def test_first_place(index: SpellingIndex, wrong: str, right: str) -> None:
    found = index.correct(wrong)
    assert found[0].word == right
    assert found[0].frequency == WORDS[right]
    assert found[0].distance > 0
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_a_known_word_is_its_own_correction(index: SpellingIndex) -> None:
    assert index.correct("hotel", 1)[0][:3] == ("hotel", 0.0, 50_000)
    assert index.frequency("hotel") == 50_000
    assert index.frequency("hotell") == 0


def test_of_two_equally_close_words_the_frequent_one(index: SpellingIndex) -> None:
    assert index.correct("spxlling", 1)[0].word == "spelling"


@pytest.mark.parametrize("word", ["", "qxzkvw", "x" * 1000, "\0", "\ud800", "ﷺ"])
def test_nothing_to_suggest(index: SpellingIndex, word: str) -> None:
    assert index.correct(word) == []
    assert index.correct_query([word]) is None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("newyork hotels", "new york hotels"),
        ("foot ball", "football"),
        ("univ ersity", "university"),
        ("teh hotell", "the hotel"),
        ("every day", None),
        ("form the hotel", None),
        ("the 1776 day", None),
        ("hotl 4711", "hotel 4711"),
        ("", None),
    ],
)
def test_queries(index: SpellingIndex, query: str, expected: str | None) -> None:
    corrected = index.correct_query(query.split())
    assert (None if corrected is None else " ".join(corrected)) == expected


def test_a_rare_known_word_gives_way_to_a_far_more_frequent_one() -> None:
    index = SpellingIndex.build(WORDS | {"hte": 1, "newyork": 1})
    assert index.correct_query(["hte", "newyork"]) == ["the", "new", "york"]


def test_arrays_are_saved_and_mapped(index: SpellingIndex, tmp_path: Path) -> None:
    for name, array in index.to_arrays().items():
        np.save(tmp_path / f"{name}.npy", array)
    mapped = {path.stem: np.load(path, mmap_mode="r") for path in tmp_path.iterdir()}
    again = SpellingIndex.from_arrays(mapped)
    assert len(again) == len(WORDS)
    assert again.correct("speling") == index.correct("speling")


def test_another_version_is_refused(index: SpellingIndex) -> None:
    with pytest.raises(FormatError, match="version 99"):
        SpellingIndex.from_arrays(index.to_arrays() | {"about": np.array([99, 2, 16])})


def test_no_words() -> None:
    empty = SpellingIndex.build({})
    assert empty.correct("word") == []
    assert empty.correct_query(["word", "two"]) is None


def test_more_characters_than_there_are_codes() -> None:
    rare = {chr(code) for code in range(0x20000, 0x20000 + 70_000)}
    index = SpellingIndex.build(WORDS | dict.fromkeys(rare, 1))
    assert index.correct("speling", 1)[0].word == "spelling"
    assert 60_000 < sum(index.frequency(one) for one in rare) < 65_535
    assert index.correct(min(rare), 1)[0].word == min(rare)


def test_a_long_query_takes_little_time(index: SpellingIndex) -> None:
    begin = time.process_time()
    index.correct_query(["speling"] * 64 + ["x" * 10_000_000])
    assert time.process_time() - begin < 2.0


_TEXTS = st.text(st.characters(codec=None), max_size=12)


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(_TEXTS, st.integers(0, 2**70), max_size=20), st.lists(_TEXTS, max_size=4))
def test_any_words(words: dict[str, int], query: list[str]) -> None:
    index = SpellingIndex.build(words)
    for word in words:
        if word:
            assert index.frequency(word) >= 1
            assert any(one.word == word for one in index.correct(word, 400))
    index.correct_query(query)


def test_neighbours_that_make_a_more_frequent_word_are_joined() -> None:
    index = SpellingIndex.build({"light": 9, "house": 20, "lighthouse": 12, "every": 90, "day": 80})
    assert index.joined_query(["light", "house"]) == ["lighthouse"]
    assert index.joined_query(["the", "light", "house", "day"]) == ["the", "lighthouse", "day"]
    assert index.joined_query(["every", "day"]) is None
    assert index.joined_query(["house"]) is None
    assert index.joined_query([]) is None


_LETTERS = st.text("aabcdeehlst", min_size=1, max_size=8)
_VOCABULARIES = st.dictionaries(
    _LETTERS, st.sampled_from([1, 2, 9, 500, 20_000, 10**6]), min_size=1, max_size=80
)


def plain_candidates(index: SpellingIndex, word: str, limit: int) -> set[str]:
    """All words, each compared by itself."""

    def grams(text: str) -> set[int]:
        offsets = np.array([0, len(text)])
        codes, bits = index._encoded(text), index._bits
        return set(qgrams.all_grams(codes, offsets, offsets[1:], index._q, bits)[1].tolist())

    wanted = max(1, int(len(grams(word)) * 0.3))
    found = []
    for number in range(len(index)):
        other = index._word(number)
        shared = len(grams(word) & grams(other))
        if shared >= wanted and abs(len(word) - len(other)) <= 3:
            likeness = 2.0 * shared / (len(grams(word)) + len(grams(other)))
            likeness += 0.025 * float(index._priors[number])
            found.append((-int((likeness + 1.0) * 512), number, other))
    return {other for _, _, other in sorted(found)[:limit]}


@settings(deadline=None)
@given(_VOCABULARIES, _LETTERS, st.sampled_from([2, 3]))
def test_candidates_are_the_words_that_share_most(words: dict[str, int], word: str, q: int) -> None:
    index = SpellingIndex.build(words, q=q)
    found = qgrams.candidates(
        *(index._encoded(word), q, index._bits, *spelling._window(index._lengths, len(word), 3)),
        *(index._gram_starts, index._gram_words, index._gram_counts, index._priors),
    )
    assert {index._word(int(number)) for number in found} == plain_candidates(index, word, 400)


def test_there_are_no_more_candidates_than_the_limit() -> None:
    words = {f"{one}{two}ing{three}": 1 for one, two, three in product("abcdefghij", repeat=3)}
    index = SpellingIndex.build(words | {"abing": 5000})
    found = {one.word for one in index.correct("abing", 1000, 100.0)}
    assert found == plain_candidates(index, "abing", 400)


class _Unhurried(SpellingIndex):
    """Looks at all words, whatever is known."""

    def _has_rival(self, word: str, kept: float) -> bool:
        return True


@settings(deadline=None, max_examples=300)
@given(_VOCABULARIES, st.data())
def test_words_without_rivals_are_kept(words: dict[str, int], data: st.DataObject) -> None:
    arrays = SpellingIndex.build(words).to_arrays()
    query = data.draw(st.lists(st.sampled_from(sorted(words)), max_size=3))
    meant = SpellingIndex.from_arrays(arrays).correct_query(query)
    assert meant == _Unhurried.from_arrays(arrays).correct_query(query)


@settings(deadline=None)
@given(_VOCABULARIES, st.data())
def test_the_best_split(words: dict[str, int], data: st.DataObject) -> None:
    index = SpellingIndex.build(words)
    word = "".join(data.draw(st.lists(st.sampled_from(sorted(words)), min_size=2, max_size=2)))
    options = []
    for place in range(2, len(word) - 1):
        parts = word[:place], word[place:]
        priors = [float(index._priors[index._find(part)]) for part in parts if part in words]
        if len(priors) == 2 and (min(map(len, parts)) > 2 or min(priors) > -5.0):
            options.append((0.1 * priors[0] + 0.1 * priors[1] - 0.3, [*parts]))
    best = max(options, key=lambda option: option[0], default=None)
    assert index._split(word) == ([] if best is None else [best])
