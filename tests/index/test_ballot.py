"""Votes of documents for their words, against a plain count; words known by their hashes."""

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.index.ballot import heaviest
from gossamer.index.reader import IndexReader
from gossamer.index.vocabulary import ABSENT, CodedWords, Vocabulary
from gossamer.lib.hashing import hash64
from tests.searching import SmallIndex

_K, _B = 1.6, 0.75
_TEXTS = (
    *("lantern tide tide harbour", "tide moon", "moon moon moon lantern", "keel"),
    *("harbour lantern moon tide tide tide", "", "anchor keel anchor", "tide"),
)


def _hashes(*words: str) -> "np.typing.NDArray[np.int64]":
    return np.array([hash64(word.encode()) for word in words], np.int64)


def _index(path: Path, updates: int) -> SmallIndex:
    """Each update adds documents, which are a part of their own until they are merged."""
    index = SmallIndex(path, {"text": "text"}, stemming=False)
    documents = [{"id": str(place), "text": text} for place, text in enumerate(_TEXTS)]
    size = -(-len(documents) // updates)
    for end in range(size, len(documents) + size, size):
        index.write(documents[:end])
    return index


def _plain_votes(power: dict[int, float]) -> dict[str, float]:
    average = sum(len(text.split()) for text in _TEXTS) / len(_TEXTS)
    votes: dict[str, float] = defaultdict(float)
    for place, own in power.items():
        words = _TEXTS[place].split()
        norm = _K * (1 - _B + _B * len(words) / average)
        for word, count in Counter(words).items():
            votes[word] += own * count / (count + norm)
    return votes


def _numbers(reader: IndexReader) -> list[int]:
    return [int(number) for number in reader.living()]


@pytest.mark.parametrize("updates", [1, 2, 4])
def test_votes_are_those_of_a_plain_count(tmp_path: Path, updates: int) -> None:
    reader = _index(tmp_path, updates).reader()
    power = {0: 0.5, 2: 0.2, 4: 0.2, 6: 0.1}
    numbers = np.array([_numbers(reader)[place] for place in power])
    order = np.array([2, 0, 3, 1])  # in any order
    ballot = reader.ballot(numbers[order], np.array(list(power.values()))[order], _K, _B)
    words = sorted({word for text in _TEXTS for word in text.split()} | {"absent"})
    holding, occurrences, sums = ballot.counted(_hashes(*words))
    every = [text.split() for text in _TEXTS]
    assert holding.tolist() == [sum(word in text for text in every) for word in words]
    assert occurrences.tolist() == [sum(text.count(word) for text in every) for word in words]
    votes = _plain_votes(power)
    if ballot.is_exact:
        del votes["anchor"]  # in one document only: nobody has it in common with another
    assert sums.tolist() == pytest.approx([votes[word] for word in words])
    found, weights = ballot.heaviest(3)
    assert len(set(found.tolist())) == len(found) <= 3
    assert (weights > 0).all()
    assert set(reader.words_by_hash(found)) <= {word for word in words if votes[word]}
    reader.close()


def test_the_heaviest_of_one_part_are_known_exactly(tmp_path: Path) -> None:
    reader = _index(tmp_path, 1).reader()
    numbers = np.array(_numbers(reader))
    power = np.full(len(numbers), 1 / len(numbers))
    ballot = reader.ballot(numbers, power, _K, _B)
    assert ballot.is_exact
    found, _ = ballot.heaviest(100)
    assert set(reader.words_by_hash(found)) == {"lantern", "tide", "harbour", "moon", "keel"}
    reader.close()


@pytest.mark.parametrize("updates", [1, 3])
def test_saturated_sums_are_those_of_a_plain_count(tmp_path: Path, updates: int) -> None:
    reader = _index(tmp_path, updates).reader()
    numbers = np.array(_numbers(reader))
    norms = np.linspace(0.5, 3.0, len(numbers))
    words = ("tide", "absent", "keel")
    weights = np.array([2.0, 5.0, 0.5])
    fields = np.array([3.0, 1.0])  # the text counts three times
    found = reader.saturated(numbers, _hashes(*words), weights, fields, norms)
    expected = []
    for text, norm in zip(_TEXTS, norms.tolist(), strict=True):
        counts = [3.0 * text.split().count(word) for word in words]
        expected.append(
            sum(w * f / (f + norm) for w, f in zip(weights.tolist(), counts, strict=True) if f)
        )
    assert found.tolist() == pytest.approx(expected)
    reader.close()


def test_words_that_come_several_times_are_one() -> None:
    words = np.array([7, 3, 7, 5], np.int64)
    found, weights = heaviest(words, np.array([1.0, 2.5, 2.0, 0.5]), 2)
    assert dict(zip(found.tolist(), weights.tolist(), strict=True)) == {7: 3.0, 3: 2.5}
    nothing, none = heaviest(words[:0], np.empty(0), 2)
    assert len(nothing) == len(none) == 0


@settings(deadline=None)
@given(words=st.sets(st.text(max_size=4), max_size=300))
def test_every_word_is_found_by_its_hash_and_no_other(
    words: set[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("vocabulary")
    known = sorted(word for word in words if _is_text(word))
    Vocabulary.write(folder, known)
    vocabulary = Vocabulary(folder)
    everything = np.arange(len(known))
    hashes = _hashes(*known)
    assert vocabulary.hashes(everything).tolist() == hashes.tolist()
    assert vocabulary.numbers_by_hash(hashes).tolist() == everything.tolist()
    assert vocabulary.numbers(CodedWords.of(known)).tolist() == everything.tolist()
    ends = [-(2**63), 2**63 - 1, 0]
    others = np.array([*ends, *(hash64(f"{word} other".encode()) for word in known)], np.int64)
    others = others[~np.isin(others, hashes)]
    assert (vocabulary.numbers_by_hash(others) == ABSENT).all()


def _is_text(word: str) -> bool:
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True
