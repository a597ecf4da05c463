"""Forms of one word become one term, in the languages that Snowball knows."""

from collections.abc import Callable

import Stemmer

from gossamer.text.folding import fold

_SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_KNOWN = frozenset(Stemmer.algorithms())

STEMMED_LANGUAGES = frozenset(code for code, name in _SNOWBALL.items() if name in _KNOWN)
"""ISO 639-1 codes of the languages that are stemmed."""

_DOTLESS = str.maketrans({"I": "ı", "İ": "i"})
_DOTLESS_LANGUAGES = frozenset({"az", "tr"})


def primary_language(code: str) -> str:
    """The language of a code that may name a country too: 'en' of 'en-GB'; '' of what is none."""
    primary = code[:4].lower().partition("-")[0].partition("_")[0]
    return primary if len(primary) == 2 and primary.isascii() and primary.isalpha() else ""


def read_as(code: str) -> str:
    """The language whose rules a text in some language is read by; '' where none are known. Any
    code at all may come."""
    language = primary_language(code)
    return language if language in STEMMED_LANGUAGES or language in _DOTLESS_LANGUAGES else ""


def make_lower(language: str) -> Callable[[str], str]:
    """What brings words into lower case, as the language has it."""
    if language not in _DOTLESS_LANGUAGES:
        return str.lower
    return lambda word: word.translate(_DOTLESS).lower()


def unstemmed(word: str) -> tuple[str, str]:
    """The term of a lower-cased word, like `make_stemmer`'s result."""
    return fold(word), ""


def make_stemmer(language: str) -> Callable[[str], tuple[str, str]]:
    """What makes of a lower-cased word its term, and the one it has when typed without accents.

    The second is '' where they are the same. Snowball's rules are written with accents: where they
    are taken off first, a fifth of the French forms and a third of the Czech ones no longer come
    together. So they go last; but then some words without their accents have another stem (2 of 100
    words of French, 9 of Turkish text). These get a second term.
    """
    if language not in STEMMED_LANGUAGES:
        return unstemmed
    # What comes often is cached by the analyser, with all that happens to it.
    stem = Stemmer.Stemmer(_SNOWBALL[language], 0).stemWord

    def terms(word: str) -> tuple[str, str]:
        if word.isascii():
            return fold(stem(word)) or word, ""  # Turkish 'ilac' has the stem 'ilaç'
        bare = fold(word)
        term = fold(stem(word)) or bare
        typed = term if bare == word else fold(stem(bare)) or bare
        return term, "" if typed == term else typed

    return terms
