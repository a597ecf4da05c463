"""The passage of a text that shows best why it was found, with the words marked.

Places of words are known from the forward store. Only the passage that they point to is taken
apart again, to find where exactly its words stand.
"""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.search.contract import Mark
from gossamer.text import Analyser

SNIPPET_CHARACTERS = 240
_AROUND = 120  # characters that are looked at around a passage: places are known by words
_SEARCHED = 20_000  # characters, where the words are not at the place
_WINDOW = 32  # words
_SENTENCE_END = re.compile(r"[.!?…。！？]['\"”’)\]]*\s+|\n+")
_SPACES = str.maketrans(dict.fromkeys("\n\r\t\v\f\u2028\u2029\x85\xa0", " "))
_CHUNK = re.compile(r"\S+")
_FOLDED = re.compile(r"[^\x00-\x7f]")
_SIGNED = re.compile(r"[^\w\s][^\W_]|[^\x00-\x7f]")
_SIGNS = bytes(sign for sign in range(33, 127) if not chr(sign).isalnum())


class Snippet(NamedTuple):
    text: str
    marks: tuple[Mark, ...]


def best_place(positions: NDArray[np.int32], slots: NDArray[np.uint8], length: int) -> float:
    """How far into the text (0 to 1) the window with the most different words begins."""
    if not len(positions) or length <= 0:
        return 0.0
    best, begin = -1.0, 0
    ends = np.searchsorted(positions, positions + _WINDOW).tolist()
    for first, end in enumerate(ends[:400]):
        inside = slots[first:end]
        score = 10.0 * len(set(inside.tolist())) + min(len(inside), 9) - first * 0.001
        if score > best:
            best, begin = score, int(positions[first])
    return begin / length


class SnippetMaker:
    """Cuts snippets for one query out of many texts."""

    def __init__(self, terms: Collection[str], analyser: Analyser) -> None:
        self._terms = terms
        self._analyser = analyser
        self._starts = {_start(term) for term in terms}
        self._coded_starts = [start.encode("ascii", "replace") for start in self._starts]
        # Words come again in one text after the other.
        self._known: dict[tuple[str, str], list[Mark]] = {}

    def snippet(
        self, text: str, place: float, language: str, size: int = SNIPPET_CHARACTERS
    ) -> Snippet:
        """A passage near `place`. Where none of the terms stands there, the text is searched."""
        around = int(place * len(text))
        first = max(0, around - _AROUND)
        window = text[first : around + size + 2 * _AROUND]
        marks = self._places(window, language)
        if not marks and len(window) < len(text):
            first, window = 0, text[:_SEARCHED]
            marks = self._places(window, language)
            if not marks:
                window = text[: size + _AROUND]
        begin = _begin(window, marks[0].start if marks else 0, is_start=first == 0)
        end = len(window)
        if begin + size < end:
            space = window.rfind(" ", begin + size // 2, begin + size)
            end = space if space > 0 else begin + size
        before = "… " if first + begin else ""
        after = " …" if first + end < len(text.rstrip()) else ""
        passage = _with_blanks(window[begin:end]).rstrip()
        shift = len(before) - begin
        return Snippet(
            before + passage + after,
            tuple(
                Mark(mark.start + shift, mark.end + shift)
                for mark in marks
                if begin <= mark.start and mark.end <= begin + len(passage)
            ),
        )

    def _places(self, text: str, language: str) -> list[Mark]:
        """Where the terms stand; none inside another."""
        marks: list[Mark] = []
        for begin, end in self._chunks(text):
            for mark in self._marks(text[begin:end], language):
                if not marks or begin + mark.start >= marks[-1].end:
                    marks.append(Mark(begin + mark.start, begin + mark.end))
        return marks

    def _marks(self, chunk: str, language: str) -> list[Mark]:
        known = self._known.get((chunk, language))
        if known is None:
            known = self._known[chunk, language] = [
                Mark(token.start, token.end)
                for token in self._analyser.tokens(chunk, language)
                if token.term in self._terms
            ]
        return known

    def _chunks(self, text: str) -> list[tuple[int, int]]:
        """The stretches between blanks that may hold one of the terms, in their order: those that
        have most of its letters, and those that only the analyser can read."""
        plain = _with_blanks(text)
        lower = plain.lower()
        if len(lower) != len(text):  # 'İ' becomes two
            return [match.span() for match in _CHUNK.finditer(text)]
        ends: dict[int, int] = {}
        for start in self._starts:
            place = lower.find(start)
            while place >= 0:
                end = plain.find(" ", place)
                end = len(text) if end < 0 else end
                ends[plain.rfind(" ", 0, place) + 1] = end
                place = lower.find(start, end)
        for place in self._unread(plain, lower):
            end = plain.find(" ", place)
            ends[plain.rfind(" ", 0, place) + 1] = len(text) if end < 0 else end
        return sorted(ends.items())

    def _unread(self, text: str, lower: str) -> Iterator[int]:
        """What may be one of the words without looking like it: letters that are folded ('é') and,
        where leaving out signs brings a word to light, signs within words ('e-mail', '3,000')."""
        letters = lower.encode("ascii", "replace")
        without_signs = letters.translate(None, _SIGNS)
        if any(without_signs.count(one) > letters.count(one) for one in self._coded_starts):
            return (match.start() for match in _SIGNED.finditer(text))
        if text.isascii():
            return iter(())
        return (match.start() for match in _FOLDED.finditer(text))


def _start(term: str) -> str:
    """What a word begins with that becomes this term: a stem may have other last letters, as
    'happi' and 'dri' have."""
    return term[:-2] if len(term) > 4 else term[: max(1, len(term) - 1)]


def _with_blanks(text: str) -> str:
    """Every kind of space as a blank."""
    return text if text.isprintable() else text.translate(_SPACES)


def _begin(window: str, place: int, is_start: bool) -> int:
    """The beginning of the sentence, if it is not far; else that of a word."""
    low = max(0, place - 2 * _AROUND)
    ends = [match.end() for match in _SENTENCE_END.finditer(window, low, place)]
    if ends:
        return ends[-1]
    if low == 0 and is_start:
        return 0
    space = window.find(" ", max(low, place - _AROUND), place)
    return space + 1 if space >= 0 else place
