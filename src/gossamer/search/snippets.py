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
_AROUND = 60  # characters that are looked at before a passage, for the beginning of a sentence
_WINDOW = 32  # words
_SENTENCE_END = re.compile(r"[.!?…。！？]['\"”’)\]]*\s+|\n+")
_SPACES = re.compile(r"\s+")


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
    if len(text) <= size:
        return _marked(_clean(text), terms, analyser, language)
    around = int(place * len(text))
    window = text[max(0, around - size) : around + 2 * size]
    start = _first_match(window, terms, analyser, language, min(around, size) - _AROUND)
    if start < 0:
        start = _first_match(text, terms, analyser, language, 0)
        begin = max(0, start)
    else:
        begin = max(0, around - size) + start
    begin = _sentence_begin(text, begin)
    end = begin + size
    if end < len(text):
        space = text.rfind(" ", begin + size // 2, end)
        end = space if space > 0 else end
    cut = _clean(text[begin:end])
    cut = ("… " if begin else "") + cut + (" …" if end < len(text) else "")
    return _marked(cut, terms, analyser, language)


def _first_match(
    text: str, terms: Collection[str], analyser: Analyser, language: str, least: int
) -> int:
    """The first place of a term, at or behind `least` if there is one."""
    first = -1
    for token in analyser.tokens(text, language):
        if token.term in terms:
            if token.start >= least:
                return token.start
            if first < 0:
                first = token.start
    return first


def _sentence_begin(text: str, place: int) -> int:
    """The beginning of the sentence, if it is not far; else that of a word."""
    low = max(0, place - 2 * _AROUND)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, low, place)]
    if ends:
        return ends[-1]
    if low == 0:
        return 0
    space = text.find(" ", max(0, place - _AROUND), place)
    return space + 1 if space >= 0 else place


def _clean(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def _marked(text: str, terms: Collection[str], analyser: Analyser, language: str) -> Snippet:
    marks: list[Mark] = []
    for token in analyser.tokens(text, language):
        if token.term in terms and (not marks or token.start >= marks[-1].end):
            marks.append(Mark(token.start, token.end))
    return Snippet(text, tuple(marks))
