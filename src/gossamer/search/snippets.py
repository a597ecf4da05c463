"""The passage of a text that shows best why it was found, with the words marked.

Places of words are known from the forward store. Only the passage that they point to is taken
apart again, to find where exactly its words stand.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from gossamer.matches import Hits, Ints
from gossamer.search.contract import Mark
from gossamer.text import CLOSING_SIGNS, OPENING_SIGNS, Analyser

SNIPPET_CHARACTERS = 240
_AROUND = 120  # characters that are looked at around a passage: places are known by words
_SEARCHED = 20_000  # characters, where the words are not at the place
_QUOTED = 5_000  # characters on either side, where a phrase is looked for
_WINDOW = 32  # words
_MOST_WINDOWS = 400
_SENTENCE_END = re.compile(r"[.!?…。！？]['\"”’)\]]*\s+|\n+")
_SPACES = str.maketrans(dict.fromkeys("\n\r\t\v\f\u2028\u2029\x85\xa0", " "))
_CHUNK = re.compile(r"\S+")
_FOLDED = re.compile(r"[^\x00-\x7f]")
_SIGNED = re.compile(r"[^\w\s][^\W_]|[^\x00-\x7f]")
_SIGNS = bytes(sign for sign in range(33, 127) if not chr(sign).isalnum())


class Snippet(NamedTuple):
    text: str
    marks: tuple[Mark, ...]


def best_places(hits: Hits, required: Any, places: Ints, fields: Ints) -> list[int]:
    """Of each of these candidates the word at which the window with the most different words of the
    query begins, in one of its fields."""
    found: list[int] = _best_places(
        hits.documents, hits.slots, hits.fields, hits.positions, required, places, fields
    ).tolist()
    return found


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _best_places(
    documents: Any,
    slots: Any,
    fields: Any,
    positions: Any,
    required: Any,
    places: Any,
    wanted_fields: Any,
) -> Any:
    best = np.zeros(len(places), np.int64)
    last_seen = np.full(len(required), -1, np.int64)  # of each slot, the window that it was in
    for number in range(len(places)):
        first = np.searchsorted(documents, places[number])
        end = np.searchsorted(documents, places[number], "right")
        last_seen[:] = -1
        best_score = -1.0
        looked_at = 0
        for begin in range(first, end):
            if fields[begin] != wanted_fields[number] or not required[slots[begin]]:
                continue
            different, inside = 0, 0
            for hit in range(begin, end):
                if positions[hit] >= positions[begin] + _WINDOW or fields[hit] != fields[begin]:
                    break
                slot = slots[hit]
                if not required[slot]:
                    continue
                inside += 1
                if last_seen[slot] != begin:
                    last_seen[slot] = begin
                    different += 1
            # Of equals, the earlier one.
            score = 10.0 * different + min(inside, 9) - looked_at * 0.001
            if score > best_score:
                best_score, best[number] = score, positions[begin]
            looked_at += 1
            if looked_at == _MOST_WINDOWS:
                break
    return best


class SnippetMaker:
    """Cuts snippets for one query out of many texts."""

    def __init__(
        self, terms: Collection[str], analyser: Analyser, quoted: Sequence[Sequence[str]] = ()
    ) -> None:
        """`quoted`: terms that are shown one after the other, where they stand so."""
        self._terms = frozenset(terms)
        self._quoted = [tuple(phrase) for phrase in quoted]
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
        if self._quoted:
            around = self._quote_near(text, around, language)
        first = max(0, around - _AROUND)
        window = text[first : around + size + _AROUND]
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

    def _quote_near(self, text: str, around: int, language: str) -> int:
        """Where a phrase begins; places are known by words, so it may be a little away."""
        low = max(0, around - _QUOTED)
        tokens = self._analyser.tokens(text[low : around + _QUOTED], language)
        placed = [token for token in tokens if token.position >= 0]
        terms = [token.term for token in placed]
        begins = [
            low + placed[begin].start
            for phrase in self._quoted
            for begin in range(len(terms) - len(phrase) + 1)
            if tuple(terms[begin : begin + len(phrase)]) == phrase
        ]
        return min(begins, key=lambda begin: abs(begin - around), default=around)

    def _places(self, text: str, language: str) -> list[Mark]:
        """Where the terms stand; those that overlap, as groups of characters do in scripts without
        spaces, are one."""
        marks: list[Mark] = []
        for begin, end in self._chunks(text):
            chunk = text[begin:end]
            core = chunk.lstrip(OPENING_SIGNS)
            begin += len(chunk) - len(core)
            for mark in self._marks(core.rstrip(CLOSING_SIGNS), language):
                start, end = begin + mark.start, begin + mark.end
                if not marks or start >= marks[-1].end:
                    marks.append(Mark(start, end))
                elif start >= marks[-1].start and end > marks[-1].end:
                    marks[-1] = Mark(marks[-1].start, end)
        return marks

    def _marks(self, core: str, language: str) -> list[Mark]:
        if core[1:].islower():
            core = core[0].lower() + core[1:]  # the same word at the same place
        known = self._known.get((core, language))
        if known is None:
            # Most are other words that begin alike; reading them costs less than placing them.
            reading = self._analyser.read(core, language) if core else None
            known = []
            if reading and not self._terms.isdisjoint(reading.terms + reading.extras):
                known = [
                    Mark(token.start, token.end)
                    for token in self._analyser.tokens(core, language)
                    if token.term in self._terms
                ]
            self._known[core, language] = known
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
                if place and plain[place - 1].islower() and plain[place].islower():
                    place = lower.find(start, place + 1)  # within a word
                    continue
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
    'sensibl' of 'sensibility' and 'dri' of 'dry' have."""
    if len(term) > 5:
        return term[:-2]
    return term[:-1] if len(term) > 2 and term[-1] in "eiy" else term


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
