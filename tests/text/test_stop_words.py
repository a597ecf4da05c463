import pytest

from gossamer.text import Analyser
from gossamer.text.stop_words import STOP_WORD_LANGUAGES, is_stop_word, stop_words


@pytest.mark.parametrize(
    ("word", "language"),
    [
        ("the", "en"),
        ("dont", "en"),
        ("fur", "de"),
        ("etes", "fr"),
        ("не", "ru"),
        ("og", "nb"),
        ("และ", ""),
        ("και", "el"),
        ("ve", "tr"),
        ("est", "fr"),
        ("son", "fr"),
        ("euch", "de"),
        ("hans", "sv"),
    ],
)
def test_stop_words_are_folded(word: str, language: str) -> None:
    assert is_stop_word(word, language) == bool(language)


def test_content_is_no_stop_word() -> None:
    for word in ("freiburg", "university", "us", "war", "time", ""):
        assert not is_stop_word(word, "en")
    assert not is_stop_word("the", "xx")
    assert not is_stop_word("жизнь", "ru")
    assert not is_stop_word("sentido", "es")


@pytest.mark.parametrize("language", sorted(STOP_WORD_LANGUAGES))
def test_every_list_can_be_asked_with_the_words_of_a_text(language: str) -> None:
    words = stop_words(language)
    assert 70 < len(words) < 320
    analyser = Analyser()
    for word in words:
        assert analyser.words(word, language) == [word]
