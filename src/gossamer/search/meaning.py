"""What somebody may have meant who typed some words, where that is not what they typed."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from gossamer.query.spelling import SpellingIndex
from gossamer.text import Analyser

_SELDOM = 0.0002  # of the documents: a word in fewer may be a misspelt one
_ENOUGH = 5
_FAR_MORE = 10  # times as frequent, and a word may be meant by one that documents hold, too
_JOINED = 0.1  # of the rarer part: a word so frequent may have been torn apart
_KNOWN = 3  # times that it has to stand somewhere
_TOGETHER = 3  # times rarer than the joined word its parts have to be, one behind the other


class Typed(NamedTuple):
    words: Sequence[str]
    held: Mapping[str, float]  # by words: how many documents hold them; not of stop words
    is_plain: bool  # nothing but words was typed


class Speller:
    """Knows the words of one index."""

    def __init__(
        self, words: SpellingIndex, analyser: Analyser, language: str, documents: int
    ) -> None:
        """`language`: that of most documents."""
        self._words = words
        self._analyser = analyser
        self._language = language
        self._documents = documents

    def meant(self, typed: Typed, together: Callable[[str], int]) -> dict[str, str] | str | None:
        """Better spellings by what was typed, or all words anew where some are joined or split;
        None where nothing better is known. `together`: how many documents hold some words one
        behind the other."""
        folded = [" ".join(self._analyser.words(word, self._language)) for word in typed.words]
        plain = [word for word in folded if word]
        rare = max(_SELDOM * self._documents, _ENOUGH)
        if not typed.held or min(typed.held.values()) <= rare:
            meant = self._words.correct_query(plain)
            if meant is not None and len(meant) == len(folded):
                return self._better(typed, folded, meant) or None
            if meant is not None and min(typed.held.values(), default=0) == 0:
                return " ".join(meant) if typed.is_plain else None
        return self._joined(plain, together) if typed.is_plain else None

    def _better(self, typed: Typed, folded: Sequence[str], meant: Sequence[str]) -> dict[str, str]:
        """Of the corrections those that find something else, and more of it."""
        return {
            word: better
            for word, own, better in zip(typed.words, folded, meant, strict=True)
            if better != own
            and self._words.frequency(better) >= _FAR_MORE * typed.held.get(word, 0)
            and self._terms(better) != self._terms(word)
        }

    def _terms(self, word: str) -> list[str]:
        return self._analyser.analyse(word, self._language).terms

    def _joined(self, words: Sequence[str], together: Callable[[str], int]) -> str | None:
        """With those joined that were torn apart: hardly anybody else writes them so."""
        meant = self._words.joined_query(words, _JOINED)
        place = 0
        for word in meant or ():
            parts = words[place : place + 2]
            is_joined = word != words[place]
            if is_joined and not self._is_one(word, parts, together):
                return None
            place += 2 if is_joined else 1
        return " ".join(meant) if meant else None

    def _is_one(self, word: str, parts: Sequence[str], together: Callable[[str], int]) -> bool:
        frequency = self._words.frequency(word)
        return frequency >= _KNOWN and frequency > _TOGETHER * together(" ".join(parts))
