"""The passage of a text that shows best why it was found, with the words marked.

Places of words are known from the forward store. Only the passage that they point to is taken
apart again, to find where exactly its words stand.
"""

import re
from collections.abc import Collection
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


def snippet(
    text: str,
    place: float,
    terms: Collection[str],
    analyser: Analyser,
    language: str,
    size: int = SNIPPET_CHARACTERS,
) -> Snippet:
    """A passage near `place`. Where none of the terms stands there, the text is searched."""
    around = int(place * len(text))
    first = max(0, around - _AROUND)
    window = text[first : around + size + 2 * _AROUND]
    marks = _places(window, terms, analyser, language)
    if not marks and len(window) < len(text):
        first, window = 0, text[:_SEARCHED]
        marks = _places(window, terms, analyser, language)
        if not marks:
            window = text[: size + _AROUND]
    begin = _begin(window, marks[0].start if marks else 0, is_start=first == 0)
    end = len(window)
    if begin + size < end:
        space = window.rfind(" ", begin + size // 2, begin + size)
        end = space if space > 0 else begin + size
    before = "… " if first + begin else ""
    after = " …" if first + end < len(text.rstrip()) else ""
    passage = window[begin:end].translate(_SPACES).rstrip()
    shift = len(before) - begin
    return Snippet(
        before + passage + after,
        tuple(
            Mark(mark.start + shift, mark.end + shift)
            for mark in marks
            if begin <= mark.start and mark.end <= begin + len(passage)
        ),
    )


def _places(text: str, terms: Collection[str], analyser: Analyser, language: str) -> list[Mark]:
    """Where the terms stand; none inside another."""
    marks: list[Mark] = []
    for start, end in analyser.find(terms, text, language):
        if not marks or start >= marks[-1].end:
            marks.append(Mark(start, end))
    return marks


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
