"""The best sentences of a document, in their order."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.matches import Floats
from gossamer.search.contract import SearchRequest
from gossamer.search.summary import CHARACTERS, SENTENCES, sentences, summary
from gossamer.text import Analyser, stop_words
from tests.searching import SmallIndex

ANALYSER = Analyser()


def even(terms: Sequence[str]) -> Floats:
    return np.ones(len(terms))


@cache
def stop_terms(language: str) -> frozenset[str]:
    words = " ".join(stop_words(language))
    return frozenset(ANALYSER.analyse(words, language).terms)


def summarised(text: str, language: str = "en") -> tuple[str, ...]:
    return summary(text, language, ANALYSER, even, stop_terms(language).__contains__)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("A line\nand another\n\n\none", ["A line", "and another", "one"]),
        (
            "George W. Bush met Dr. Smith. They spoke.",
            ["George W. Bush met Dr. Smith.", "They spoke."],
        ),
        ("The U.S. economy grew by 3.5 percent.", ["The U.S. economy grew by 3.5 percent."]),
        ("He said: 'No.' Then he left.", ["He said: 'No.'", "Then he left."]),
        ("e.g. this, i.e. that. And so on.", ["e.g. this, i.e. that.", "And so on."]),
        ("月は衛星である。地球を回る。", ["月は衛星である。", "地球を回る。"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_sentence_without_an_end_is_cut() -> None:
    (found,) = sentences("word " * 1000)
    assert len(found) < 410
    assert found.endswith("word …")


def test_what_a_text_is_about_stands_in_its_order() -> None:
    text = (
        "We were very glad about all of it. "
        "The lighthouse keeper lights the lamp of the lighthouse. "
        "It was what it was. "
        "Without a keeper the lamp of the lighthouse stays dark. "
        "So they said."
    )
    found = summarised(text)
    assert found[:2] == (
        "The lighthouse keeper lights the lamp of the lighthouse.",
        "Without a keeper the lamp of the lighthouse stays dark.",
    )
    assert "It was what it was." not in found


def test_what_is_rare_in_the_index_weighs_more() -> None:
    text = "The harbour has boats and nets. The harbour has a quokka and nets."

    def idf(terms: Sequence[str]) -> Floats:
        return np.array([9.0 if term.startswith("quokka") else 0.1 for term in terms])

    found = summary(text, "en", ANALYSER, idf, stop_terms("en").__contains__)
    assert "The harbour has a quokka and nets." in found


def test_nothing_is_said_twice() -> None:
    text = "The moon has craters of great age. " * 5 + "Tides follow its pull on oceans."
    found = summarised(text)
    assert found == ("The moon has craters of great age.", "Tides follow its pull on oceans.")


def test_it_keeps_to_its_size() -> None:
    text = " ".join(
        f"Sentence {n} tells of thing{n} and of matter{n} at length." for n in range(99)
    )
    found = summarised(text)
    assert 0 < len(found) <= SENTENCES
    assert sum(map(len, found)) <= CHARACTERS


def test_stop_words_alone_make_no_summary() -> None:
    assert summarised("To be or not to be.") == ()


@given(st.text(), st.sampled_from(["en", "de", "ja", ""]))
def test_any_text_can_be_summarised(text: str, language: str) -> None:
    found = summarised(text, language)
    assert all(one and "\n" not in one for one in found)
    squeezed = "".join(text.split())
    for one in found:
        assert "".join(one.removesuffix(" …").split()) in squeezed


def test_hits_have_one_on_request(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    text = "The keeper trims the lamp. It rains. The lamp shines for nine miles at night."
    index.write(
        [
            {"id": "1", "title": "Lamps", "text": text},
            {"id": "2", "title": "Rain", "text": "It rains."},
        ]
    )
    searcher = index.searcher()
    (hit, *_) = searcher.search(SearchRequest("lamp", summary=True)).hits
    assert hit.summary == (
        "The keeper trims the lamp.",
        "The lamp shines for nine miles at night.",
    )
    (hit, *_) = searcher.search(SearchRequest("lamp")).hits
    assert hit.summary == ()


def test_a_text_may_have_any_number_of_words(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    text = "The amber room. " + " ".join(f"Stone{n} lies there." for n in range(1_000))
    index.write([{"id": "1", "text": text}])
    (hit,) = index.searcher().search(SearchRequest("amber", summary=True)).hits
    assert hit.summary
