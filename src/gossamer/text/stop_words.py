"""Words that say little by themselves, language by language."""

from functools import cache

from gossamer.text.folding import fold
from gossamer.text.stemming import primary_language
from gossamer.text.stop_word_lists import WORDS

STOP_WORD_LANGUAGES = frozenset(WORDS)
"""ISO 639-1 codes of the languages whose stop words are known."""

_SAME = {"nb": "no", "nn": "no"}


def is_stop_word(word: str, language: str) -> bool:
    """Whether a folded word is one, as `Analyser.words` gives it."""
    return word in stop_words(language)


def stop_words(language: str) -> frozenset[str]:
    """All of a language, folded; none of a language that is not known."""
    code = primary_language(language)
    code = _SAME.get(code, code)
    return _folded(code) if code in WORDS else frozenset()


@cache
def _folded(code: str) -> frozenset[str]:
    return frozenset(fold(word.replace("'", "")) for word in WORDS[code].split())


def is_ambiguous(word: str) -> bool:
    """Return True if a folded word is another word in capitals: 'it' and 'IT', 'us' and 'US'."""
    return word in _ambiguous()


@cache
def _ambiguous() -> frozenset[str]:
    return frozenset({"us"}).union(*map(_folded, WORDS))
