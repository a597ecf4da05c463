"""The forward store: what goes in comes out, whatever the words and however many."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.index.forward import Forward, ForwardWriter, Terms
from gossamer.index.vocabulary import ABSENT, CodedWords, GrowingVocabulary
from gossamer.matches import Hits

FIELDS = ("title", "body")


def _add(
    writer: ForwardWriter, names: GrowingVocabulary, fields: Sequence[list[str]], capitals: bytes
) -> None:
    numbers = [names[word] for words in fields for word in words]
    writer.add(np.array(numbers, np.int32), np.frombuffer(capitals, np.uint8), map(len, fields))


_words = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=8)
_document = st.tuples(_words, _words)


@settings(deadline=None)
@given(documents=st.lists(_document, min_size=1, max_size=6))
def test_all_places_of_a_word_are_found(
    documents: list[tuple[list[str], list[str]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("part")
    names = GrowingVocabulary()
    writer = ForwardWriter(FIELDS, names)
    for fields in documents:
        capitals = bytes(place % 3 for words in fields for place in range(len(words)))
        _add(writer, names, fields, capitals)
    writer.write(folder)
    forward = Forward(folder)
    numbers = forward.vocabulary.numbers(CodedWords.of(["a", "zebra", "c"]))
    assert numbers[1] == ABSENT
    terms = Terms(numbers, np.arange(3, dtype=np.uint8))
    weights = np.array([2.0, 0.5])
    tallies = np.zeros((len(documents) + 1, 3))
    hits = Hits(*forward.hits(np.arange(len(documents)), terms, weights, 3, 1, tallies))
    found = list(
        zip(
            hits.documents.tolist(),
            hits.fields.tolist(),
            hits.positions.tolist(),
            hits.slots.tolist(),
            hits.capitals.tolist(),
            strict=True,
        )
    )
    assert found == [
        (row, field, position, 0 if word == "a" else 2, position % 3)
        for row, fields in enumerate(documents, 1)
        for field, words in enumerate(fields)
        for position, word in enumerate(words)
        if word in "ac"
    ]
    assert tallies.tolist() == [
        [0.0, 0.0, 0.0],
        *(
            [
                sum(
                    weight * words.count(word)
                    for weight, words in zip(weights, fields, strict=True)
                )
                for word in ("a", "zebra", "c")
            ]
            for fields in documents
        ),
    ]
    first_alone = forward.hits(
        np.arange(len(documents)), terms, weights, 1, 0, np.zeros_like(tallies)
    )
    assert first_alone.shape[1] == sum(words.count("a") for fields in documents for words in fields)
    holding = forward.holding(np.arange(len(documents)), terms)
    assert holding.tolist() == [bool({*title, *body} & {"a", "c"}) for title, body in documents]


def test_words_of_other_parts_are_left_out(tmp_path: Path) -> None:
    names = GrowingVocabulary()
    assert names["elsewhere"] == 0
    writer = ForwardWriter(("body",), names)
    _add(writer, names, [["here", "there", "here"]], bytes(3))
    writer.write(tmp_path)
    forward = Forward(tmp_path)
    assert forward.vocabulary.words() == ["here", "there"]
    assert forward.vocabulary.numbers(CodedWords.of(["elsewhere"])).tolist() == [ABSENT]
    assert forward.terms(0).tolist() == [0, 1, 0]
    assert forward.frequencies.tolist() == [1, 1]


def test_rare_words_are_told_apart(tmp_path: Path) -> None:
    """More words than 16 bits can number."""
    names = GrowingVocabulary()
    writer = ForwardWriter(("body",), names)
    everything = [f"w{number}" for number in range(70_000)]
    _add(writer, names, [everything], bytes(len(everything)))
    _add(writer, names, [["w69999", "w5", "w69998", "w5", "w69999"]], bytes(5))
    writer.write(tmp_path)
    forward = Forward(tmp_path)
    numbers = forward.vocabulary.numbers(CodedWords.of(["w69999", "w5", "w69998"]))
    assert numbers.min() >= 0
    terms = Terms(numbers, np.arange(3, dtype=np.uint8))
    hits = Hits(*forward.hits(np.array([1]), terms, np.ones(1), 3, 0, np.zeros((1, 3))))
    assert hits.slots.tolist() == [0, 1, 2, 1, 0]
    rarest = Terms(numbers[2:], np.zeros(1, np.uint8))
    assert forward.holding(np.array([0, 1]), rarest).tolist() == [True, True]
    absent = Terms(np.array([ABSENT]), np.zeros(1, np.uint8))
    assert forward.holding(np.array([0, 1]), absent).tolist() == [False, False]
    words = [forward.vocabulary.word(int(number)) for number in forward.terms(1)]
    assert words == ["w69999", "w5", "w69998", "w5", "w69999"]
    assert sorted(forward.vocabulary.words()) == sorted(everything)


def test_statistics_without_documents(tmp_path: Path) -> None:
    names = GrowingVocabulary()
    writer = ForwardWriter(("body",), names)
    for words in (["x", "x", "y"], ["x", "z"], ["y"]):
        _add(writer, names, [words], bytes(len(words)))
    writer.write(tmp_path)
    forward = Forward(tmp_path)
    x, y, z = forward.vocabulary.numbers(CodedWords.of(["x", "y", "z"])).tolist()
    assert forward.frequencies[[x, y, z]].tolist() == [2, 2, 1]
    assert forward.occurrences[[x, y, z]].tolist() == [3, 2, 1]
    frequencies, occurrences = forward.statistics_without(np.array([0]))
    assert frequencies[[x, y, z]].tolist() == [1, 1, 1]
    assert occurrences[[x, y, z]].tolist() == [1, 1, 1]
