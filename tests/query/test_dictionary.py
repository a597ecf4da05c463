"""Files of words: what they hold, and what is wrong with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import SettingsError
from gossamer.query.dictionary import Dictionary


def read(text: str) -> Dictionary:
    return Dictionary(text, "words.txt", lambda entry: entry.casefold().split())


def test_words_and_phrases_with_and_without_counts() -> None:
    found = read("\ufeffGreat Auk, 120\n# birds\nauk\npuffin\t7  # small\nWindows 95\n")
    assert found.entries == {"Great Auk": 120, "auk": 1, "puffin": 7, "Windows 95": 1}
    assert found.words == {"great": 120, "auk": 121, "puffin": 7, "windows": 1, "95": 1}


def test_any_count_is_read() -> None:
    assert read(f"auk, {'9' * 9000}").entries["auk"] == 10**12
    assert read("auk, 0").entries["auk"] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [("auk\n, 5", "words.txt, line 2: there is no word"), ("a" * 101, "line 1: more than 100")],
)
def test_errors_name_file_and_line(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        read(text)


def test_another_file_has_another_stamp() -> None:
    assert read("auk").stamp != read("auk, 2").stamp


@given(st.text(st.characters()))
def test_any_file(text: str) -> None:
    try:
        found = read(text)
    except SettingsError:
        return
    assert all(count > 0 for count in (*found.entries.values(), *found.words.values()))
