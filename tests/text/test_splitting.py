import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.text.splitting import CAPITALISED, CAPITALS, LOWER, Splitter, acronym, capitals_of


@pytest.mark.parametrize(
    ("word", "short"),
    [
        ("U.S.A.", "USA"),
        ("U.S", "US"),
        ("e.g.", "eg"),
        ("Ph.D.", "PhD"),
        ("С.С.С.Р.", "СССР"),
        ("USA", ""),
        ("end.", ""),
        ("3.1.4", ""),
        ("", ""),
    ],
)
def test_acronyms_lose_their_dots(word: str, short: str) -> None:
    assert acronym(word) == short


def test_capitals() -> None:
    assert [capitals_of(word) for word in ("word", "Word", "WORD", "wOrd", "I", "東", "1")] == [
        LOWER,
        CAPITALISED,
        CAPITALS,
        CAPITALS,
        CAPITALISED,
        LOWER,
        LOWER,
    ]


def test_pieces_have_places_from_an_offset_on() -> None:
    pieces = Splitter("", 64).split("fooBar_x", 10)
    assert [(piece.text, piece.start, piece.end, piece.main) for piece in pieces] == [
        ("foo", 10, 13, True),
        ("Bar", 13, 16, True),
        ("fooBar", 10, 16, False),
        ("x", 17, 18, True),
        ("fooBarx", 10, 18, False),
    ]


def test_longest_word_is_a_setting() -> None:
    assert [piece.text for piece in Splitter("", 5).split("short longer")] == ["short"]


@given(st.text())
def test_pieces_lie_in_the_text(text: str) -> None:
    for piece in Splitter("fr", 64).split(text):
        assert 0 <= piece.start < piece.end <= len(text)
        assert piece.text
