"""Snippets: the passage around the words, with the words marked where they stand."""

import itertools
from collections.abc import Collection

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.matches import Hits
from gossamer.search.snippets import (
    Snippet,
    SnippetMaker,
    Source,
    Span,
    _Window,
    best_places,
)
from gossamer.text import Analyser

ANALYSER = Analyser()


def _snippet(
    terms: Collection[str], text: str, place: float = 0.0, language: str = "en"
) -> Snippet:
    (found,) = SnippetMaker(terms, ANALYSER).snippets([Source(text, place, language)])
    return found


def _marked(text: str, query: str, place: float = 0.0, language: str = "en") -> list[str]:
    analysis = ANALYSER.analyse(query, language)
    found = _snippet({*analysis.terms, *analysis.extras}, text, place, language)
    return [found.text[mark.start : mark.end] for mark in found.marks]


def test_all_forms_of_a_word_are_marked() -> None:
    text = "The lighthouse, two (Lighthouses) and a LIGHTHOUSE's keeper; lightning."
    assert _marked(text, "lighthouse") == ["lighthouse", "Lighthouses", "LIGHTHOUSE"]
    assert _marked("Happy people make happiness.", "happy") == ["Happy", "happiness"]
    assert _marked("Dry, drier, driest", "dry") == ["Dry"]


def test_words_with_signs_are_marked() -> None:
    assert _marked("Send an e-mail today, or an email.", "email") == ["e-mail", "email"]
    assert _marked("It cost 3,000 pounds.", "3000") == ["3,000"]
    assert _marked("He writes C++ and C.", "C++") == ["C++"]
    assert _marked("The U.S.A. and the USA", "usa") == ["U.S.A", "USA"]
    assert _marked("Shaquille O'Neil played.", "oneil") == ["O'Neil"]
    assert _marked("on-line, on_line(), or/on-line", "online") == ["on-line", "on_line"]


def test_parts_of_names_are_marked() -> None:
    text = "/sys/…/<port>:fixed_supply/port.setPort() TestPort.Ports(x86_port)"
    assert _marked(text, "port") == ["port", "port", "Port", "Port", "Ports", "port"]


def test_folded_letters_are_marked() -> None:
    assert _marked("Das Café – ein CAFÉ", "cafe", language="de") == ["Café", "CAFÉ"]
    assert _marked("Ita ve ITA", "ita", language="tr") == ["Ita", "ITA"]
    assert _marked("İstanbul ve istanbul", "istanbul", language="en")[-1:] == ["istanbul"]


def test_a_passage_far_into_the_text() -> None:
    text = "filler words here. " * 200 + "Then comes the zebra at last. " + "more of it. " * 50
    found = _snippet(["zebra"], text, place=0.83)
    assert "zebra" in found.text
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")


def test_where_the_place_is_wrong_the_text_is_searched() -> None:
    text = "nothing to see. " * 100 + "A zebra. " + "nothing to see. " * 100
    assert _marked(text, "zebra", place=0.0) == ["zebra"]


def _hits(*rows: tuple[int, int, int, int]) -> Hits:
    """document, slot, field, position"""
    columns = np.array(rows, np.int64).reshape(-1, 4)
    return Hits(
        columns[:, 0].astype(np.int32),
        columns[:, 1].astype(np.int32),
        columns[:, 2].astype(np.int32),
        columns[:, 3].astype(np.int32),
        np.zeros(len(columns), np.int32),
    )


def test_the_place_with_most_words() -> None:
    hits = _hits(
        *((0, 0, 0, 7), (0, 1, 1, 9)),  # another document
        *((1, 0, 0, 5), (1, 1, 0, 6)),  # another field
        *((1, 0, 1, 5), (1, 2, 1, 6), (1, 0, 1, 100), (1, 1, 1, 104), (1, 1, 1, 300)),
    )
    required = np.array([True, True, False])
    places, fields = np.array([1, 0, 2]), np.array([1, 0, 1])
    assert best_places(hits, required, places, fields) == [100, 7, 0]


@settings(deadline=None)
@given(text=st.text(max_size=400), query=st.text(max_size=20), place=st.floats(0, 1))
def test_any_text_has_a_snippet_whose_marks_are_its_words(
    text: str, query: str, place: float
) -> None:
    analysis = ANALYSER.analyse(query, "en")
    terms = {*analysis.terms, *analysis.extras}
    found = _snippet(terms, text, place)
    end = 0
    for mark in found.marks:
        assert end <= mark.start < mark.end <= len(found.text)
        end = mark.end


def _spans(terms: Collection[str], text: str, language: str = "en") -> list[Span]:
    windows = [_Window(0, text, language)]
    (found,) = SnippetMaker(terms, ANALYSER)._passages(windows, len(text))
    return found.spans


@settings(deadline=None)
@given(text=st.text(max_size=200))
def test_marks_are_where_the_analyser_finds_the_term(text: str) -> None:
    tokens = ANALYSER.tokens(text, "en")
    for token in tokens[:5]:
        assert set(_spans([token.term], text)) <= {
            (one.start, one.end) for one in tokens if one.term == token.term
        }


_WORDS = st.sampled_from(
    [
        *("set", "Sets", "setting", "SET", "mail", "e", "Email", "I", "ISI", "ph", "d"),
        *("IDs", "testCase", "XMLTest", "HttpRequest", "x86", "u64", "100km", "3", "000"),
        *("www", "http", "café", "Straße", "naïve", "Ölung", "привет", "中文", "ﬁn"),
    ]
)
_SIGNS = st.sampled_from(
    [*"-_.,:;/()[]<>=*|!?%&#@+'\"$~", *"’–—…•¶·“»", "", "__", "--", "::", "://", "'s", "\x1f"]
)
_CHUNKS = st.lists(st.tuples(_SIGNS, _WORDS, _SIGNS), min_size=1, max_size=5).map(
    lambda parts: "".join(itertools.chain.from_iterable(parts))
)
_LANGUAGES = st.sampled_from(["en", "de", "fr", "tr", ""])


@settings(deadline=None, max_examples=300)
@given(chunks=st.lists(_CHUNKS, min_size=1, max_size=3), language=_LANGUAGES)
def test_marks_are_the_same_as_if_the_analyser_had_read_all(
    chunks: list[str], language: str
) -> None:
    text = " ".join(chunks)
    tokens = ANALYSER.tokens(text, language)
    # The capital forms of words are looked for by the finder alone.
    terms = {token.term for token in tokens if not token.term.isupper()}
    for term in {term for term in terms if term.isalnum() or text.isascii()}:
        marked = {place for span in _spans([term], text, language) for place in range(*span)}
        assert marked == {
            place
            for token in tokens
            if token.term == term
            for place in range(token.start, token.end)
        }, term


def test_texts_are_searched_together_and_marked_apart() -> None:
    sources = [
        Source("A zebra.", 0.0, "en"),
        Source("Ein Zébra!", 0.0, "de"),
        Source("", 0.0, ""),
        Source("Nothing to see", 0.0, "en"),
        Source("nothing to see. " * 100 + "A ZEBRA.", 0.0, "en"),
        Source("Two zebras", 1.0, "en"),
    ]
    found = SnippetMaker(["zebra"], ANALYSER).snippets(sources)
    assert [[one.text[mark.start : mark.end] for mark in one.marks] for one in found] == [
        *(["zebra"], ["Zébra"], [], [], ["ZEBRA"], ["zebras"])
    ]
