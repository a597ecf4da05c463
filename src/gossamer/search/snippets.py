"""The passage of a text that shows best why it was found, with the words marked.

Places of words are known from the forward store. Only the passage that they point to is taken
apart again, to find where exactly its words stand.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple
from unicodedata import is_normalized

import numpy as np

from gossamer.lib.kernels import kernel
from gossamer.matches import Hits, Ints
from gossamer.search.contract import Mark
from gossamer.text import CLOSING_SIGNS, OPENING_SIGNS, Analyser, fold, read_as

SNIPPET_CHARACTERS = 240
_AROUND = 120  # characters that are looked at around a passage: places are known by words
_SEARCHED = 20_000  # characters, where the words are not at the place
_QUOTED = 5_000  # characters on either side, where a phrase is looked for
_WORD_CHARACTERS = 25  # that a word of a phrase takes at most, with what stands around it
_WINDOW = 32  # words
_MOST_WINDOWS = 400
# The last end of a sentence, as it is met on the way back.
_END_REVERSED = re.compile(r"\s(?:\s*['\"”’)\]]*[.!?…。！？]|(?<=\n))")
_SPACES = "\n\r\t\v\f\u2028\u2029\x85\xa0"
# Letters that are folded: all but ASCII, and but the commonest signs.
_FOLDED = re.compile(r"[^\x00-\x7f¡-§©«¬®°±¶·»¿×÷‐-‧‰-⁞€™←-⇿∀-⋿─-◿][^ ]*")
_SIGNED = re.compile(r"(?:[^\w\s]|_)[^\W_]")
_SIGNS = bytes(sign for sign in range(33, 127) if not chr(sign).isalnum())
_NO_LETTERS = re.compile(r"[\W_]+")
_STEMMED_INSIDE = re.compile("[\u0530-\u0dff]")  # in scripts from Armenian to those of India
# What makes one word of words and signs ('U.S.', 'R&D', 'C++', 'v1.2', "O'Neil"), or an address.
_NAME = re.compile(
    r"[&#@+'/.,…](?:(?<=\w[&#@+])|(?<=[.+-]@)|(?<=')|(?<=//)|(?<=www[.…])|(?<=[0-9][.,])(?=[0-9])"
    r"|(?<=\b[a-z]\.)|(?<=\b(?:ph|ed|ll)\.)|(?<=/)(?=\w{1,2}-))",
    re.ASCII | re.IGNORECASE,
)
# May be no words at all, but a number that is written with letters.
_DATA = re.compile("(?<![A-Za-z0-9+/_=-])(?=[A-Za-z+/_=-]*[0-9])[A-Za-z0-9+/_=-]{32}")
_FOREIGN = re.compile("[^\x00-\x7f–—•…“”¶·«»→]")  # these signs part words, as ASCII's do
_JOINED = re.compile(r"[A-Za-z0-9]+(?:(?:-|_+)[A-Za-z0-9]+)*")
_WORD = re.compile(r"[A-Za-z0-9]+")

Span = tuple[int, int]
"""The first character, and the one behind the last."""


class Snippet(NamedTuple):
    text: str
    marks: tuple[Mark, ...]


class Source(NamedTuple):
    """What a snippet is cut from."""

    text: str
    place: float  # how far into the text the words of the query stand best, from 0 to 1
    language: str


class _Window(NamedTuple):
    """The part of a text that is looked at."""

    first: int  # its place in the text
    text: str
    language: str


def best_places(hits: Hits, required: Any, places: Ints, fields: Ints) -> list[int]:
    """Of each of these candidates the word at which the window with the most different words of the
    query begins, in one of its fields."""
    found: list[int] = _best_places(
        hits.documents, hits.slots, hits.fields, hits.positions, required, places, fields
    ).tolist()
    return found


@kernel("i4[], i4[], i4[], i4[], b1[], i8[], i8[]")
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


class _Passage:
    """Where in a window a snippet begins, and where the terms stand there."""

    __slots__ = ("begin", "spans")

    def __init__(self) -> None:
        self.begin = 0
        self.spans: list[Span] = []


class SnippetMaker:
    """Cuts snippets for one query out of many texts."""

    def __init__(
        self, terms: Collection[str], analyser: Analyser, quoted: Sequence[Sequence[str]] = ()
    ) -> None:
        """`quoted`: terms that are shown one after the other, where they stand so."""
        self._terms = frozenset(terms)
        self._quoted = [tuple(phrase) for phrase in quoted]
        self._analyser = analyser
        self._starts = tuple({_start(term) for term in terms})
        self._marked: dict[str, _MarkedChunks] = {}  # of each language

    def snippets(self, sources: Sequence[Source], size: int = SNIPPET_CHARACTERS) -> list[Snippet]:
        """Of each text a passage near its place. Where none of the terms stands there, the text is
        searched."""
        if self._quoted:
            sources = [source._replace(place=self._quote_near(source)) for source in sources]
        windows = [_window(source, size) for source in sources]
        return [
            _cut(source, window, found, size)
            if found.spans or len(window.text) == len(source.text)
            else self._searched(source, size)
            for source, window, found in zip(
                sources, windows, self._passages(windows, size), strict=True
            )
        ]

    def _quote_near(self, source: Source) -> float:
        """Where a phrase begins; places are known by words, so it may be a little away."""
        around = int(source.place * len(source.text))
        low = max(0, around - _QUOTED)
        text = source.text[low : around + _QUOTED]

        def away(place: int) -> int:
            return abs(low + place - around)

        # Most phrases begin as their first term does: to read all of the text takes far longer.
        for place in sorted(self._quote_starts(text), key=away):
            begin = text.rfind(" ", 0, place) + 1
            end = place + _WORD_CHARACTERS * max(map(len, self._quoted))
            for found in self._quotes_in(text[begin:end], source.language):
                return (low + begin + found) / len(source.text)
        nearest = min(self._quotes_in(text, source.language), key=away, default=around - low)
        return (low + nearest) / max(1, len(source.text))

    def _quote_starts(self, text: str) -> Iterator[int]:
        lower = text.replace("İ", "i").lower()
        for start in {_start(phrase[0]) for phrase in self._quoted}:
            place = lower.find(start)
            while place >= 0:
                yield place
                place = lower.find(start, place + len(start))

    def _quotes_in(self, text: str, language: str) -> Iterator[int]:
        tokens = self._analyser.tokens(text, language)
        placed = [token for token in tokens if token.position >= 0]
        terms = tuple(token.term for token in placed)
        for phrase in self._quoted:
            for begin in range(len(terms) - len(phrase) + 1):
                if terms[begin : begin + len(phrase)] == phrase:
                    yield placed[begin].start

    def _searched(self, source: Source, size: int) -> Snippet:
        window = _Window(0, source.text[:_SEARCHED], source.language)
        (found,) = self._passages([window], size)
        if not found.spans:
            window = window._replace(text=window.text[: size + _AROUND])
        return _cut(source, window, found, size)

    def _passages(self, windows: Sequence[_Window], size: int) -> list[_Passage]:
        """Of each window the passage from the first of the terms on."""
        found = [_Passage() for _ in windows]
        # Beginning a search costs more than going on with it, so that windows are joined; but where
        # there are letters beyond ASCII, it goes on slowly.
        for is_ascii in (True, False):
            numbers = [n for n, one in enumerate(windows) if one.text.isascii() is is_ascii]
            plain = _with_blanks(" ".join([*[windows[n].text for n in numbers], ""]))
            later = iter(numbers)
            end_of_window = 0
            for place in self._places(plain):
                while place >= end_of_window:
                    number = next(later)
                    window, passage = windows[number], found[number]
                    marked, spans = self._marked_in(window.language), passage.spans
                    begin_of_window = end_of_window
                    end_of_window = reach = begin_of_window + len(window.text) + 1
                if place >= reach:
                    continue
                shift = place - begin_of_window
                for start, stop in marked[plain[place : plain.find(" ", place)]]:
                    if not spans:
                        passage.begin = _begin(window, start + shift)
                        reach = begin_of_window + passage.begin + size
                    spans.append((start + shift, stop + shift))
        return found

    def _marked_in(self, language: str) -> "_MarkedChunks":
        known = self._marked.get(language)
        if known is None:
            known = _MarkedChunks(self._terms, self._starts, self._analyser, language)
            self._marked[language] = known
        return known

    def _places(self, plain: str) -> list[int]:
        """Where the stretches between blanks begin that may hold one of the terms, in their order:
        those that have most of its letters, and those that only the analyser can read."""
        lower = plain.replace("İ", "i").lower()  # the only letter that becomes two
        letters = lower.encode("ascii", "replace")
        without_signs = letters.translate(None, _SIGNS)
        found: set[int] = set()
        hidden = []
        for start in self._starts:
            seen = 0
            place = lower.find(start)
            while place >= 0:
                seen += 1
                before = plain[place - 1] if place else " "
                if before == " ":
                    found.add(place)
                elif not (before.islower() and plain[place].islower()):  # not within a word
                    found.add(plain.rfind(" ", 0, place) + 1)
                place = lower.find(start, place + 1)
            coded = start.encode("ascii", "replace")
            if without_signs.count(coded) > seen:
                hidden.append(coded)
        for place in _unread(plain, letters, hidden):
            found.add(plain.rfind(" ", 0, place) + 1)
        return sorted(found)


class _MarkedChunks(dict[str, list[Span]]):
    """Where terms stand in what is written without a blank, in one language. Words come again in
    one text after the other: they are remembered."""

    def __init__(
        self, terms: frozenset[str], starts: tuple[str, ...], analyser: Analyser, language: str
    ) -> None:
        super().__init__()
        self._terms = terms
        self._starts = starts
        self._analyser = analyser
        self._language = language
        self._are_words = all(map(str.isalnum, terms))
        self._is_dotless = read_as(language) in ("az", "tr")  # the small letter of 'I'
        self._held: dict[str, bool] = {}

    def __missing__(self, chunk: str) -> list[Span]:
        found = self[chunk] = self._spans(chunk)
        return found

    def _spans(self, chunk: str) -> list[Span]:
        core = chunk.lstrip(OPENING_SIGNS)
        shift = len(chunk) - len(core)
        core = core.rstrip(CLOSING_SIGNS)
        word = core.removesuffix("'s")
        if _is_plain(word):
            return [(shift, shift + len(word))] if self._holds(word) else []
        if _FOREIGN.search(core):
            return self._read(core, shift) if self._may_hold(core) else []
        if not self._are_words or _NAME.search(core) or _DATA.search(core):
            return self._read(core, shift)
        found: list[Span] = []
        for match in _JOINED.finditer(core):
            words, begin = match.group(), shift + match.start()
            spans_of = self._spans_of_word if words.isalnum() else self._spans_of_joined
            found += spans_of(words, begin)
        return found

    def _spans_of_joined(self, words: str, shift: int) -> list[Span]:
        whole = words.replace("-", "").replace("_", "")
        if self._holds(whole.lower()) or (self._is_dotless and "I" in whole):
            return self._read(words, shift)
        found: list[Span] = []
        for match in _WORD.finditer(words):
            found += self._spans_of_word(match.group(), shift + match.start())
        return found

    def _spans_of_word(self, word: str, shift: int) -> list[Span]:
        if _is_plain(word):
            return [(shift, shift + len(word))] if self._holds(word) else []
        return self._read(word, shift) if self._is_in(word.lower()) else []

    def _holds(self, word: str) -> bool:
        """Whether the one term of a plain word is one of these."""
        if not word.lower().startswith(self._starts):
            return False
        holds = self._held.get(word)
        if holds is None:
            reading = self._analyser.read(word, self._language)
            holds = not self._terms.isdisjoint(reading.terms + reading.extras)
            self._held[word] = holds
        return holds

    def _may_hold(self, core: str) -> bool:
        """Most that has letters beyond ASCII is another word, and is not worth to be placed."""
        bare = fold(core.lower())
        if is_normalized("NFKC", core) and not _STEMMED_INSIDE.search(bare):
            return self._is_in(bare) or self._is_in(_NO_LETTERS.sub("", bare))
        reading = self._analyser.read(core, self._language)
        return not self._terms.isdisjoint(reading.terms + reading.extras)

    def _is_in(self, text: str) -> bool:
        return any(start in text for start in self._starts)

    def _read(self, core: str, shift: int) -> list[Span]:
        """As the analyser has it; terms that overlap, as groups of characters do in scripts without
        spaces, are one."""
        found: list[Span] = []
        for token in self._analyser.tokens(core, self._language):
            if token.term not in self._terms:
                continue
            start, end = shift + token.start, shift + token.end
            if not found or start >= found[-1][1]:
                found.append((start, end))
            elif start >= found[-1][0] and end > found[-1][1]:
                found[-1] = found[-1][0], end
        return found


def _start(term: str) -> str:
    """What a word begins with that becomes this term: a stem may have other last letters, as
    'sensibl' of 'sensibility' and 'dri' of 'dry' have."""
    if len(term) > 5:
        return term[:-2]
    return term[:-1] if len(term) > 2 and term[-1] in "eiy" else term


def _is_plain(word: str) -> bool:
    """Whether all of it is one word: not 'e-mail', 'camelCase' or 'café'."""
    return word.isascii() and word.isalpha() and (word[1:].islower() or word.isupper())


def _unread(plain: str, letters: bytes, hidden: Sequence[bytes]) -> Iterator[int]:
    """What may be one of the words without looking like it: letters that are folded ('é') and,
    where leaving them out brings something `hidden` to light, signs within words ('e-mail')."""
    if hidden:
        for match in _SIGNED.finditer(plain):
            place = match.start()
            chunk = letters[letters.rfind(b" ", 0, place) + 1 : letters.find(b" ", place)]
            word = chunk.translate(None, _SIGNS)
            if any(start in word for start in hidden):
                yield place
    if not plain.isascii():
        for match in _FOLDED.finditer(plain):
            yield match.start()


def _with_blanks(text: str) -> str:
    """Every kind of space as a blank."""
    for space in _SPACES:
        if space in text:
            text = text.replace(space, " ")
    return text


def _window(source: Source, size: int) -> _Window:
    text, place, language = source
    around = int(place * len(text))
    first = max(0, around - _AROUND)
    return _Window(first, text[first : around + size + _AROUND], language)


def _cut(source: Source, window: _Window, passage: _Passage, size: int) -> Snippet:
    first, text, _ = window
    begin, end = passage.begin, len(text)
    if begin + size < end:
        space = text.rfind(" ", begin + size // 2, begin + size)
        end = space if space > 0 else begin + size
    before = "… " if first + begin else ""
    after = " …" if first + end < len(source.text.rstrip()) else ""
    shown = _with_blanks(text[begin:end]).rstrip()
    shift = len(before) - begin
    last = begin + len(shown)
    marks = [
        Mark(start + shift, stop + shift)
        for start, stop in passage.spans
        if begin <= start and stop <= last
    ]
    return Snippet(before + shown + after, tuple(marks))


def _begin(window: _Window, place: int) -> int:
    """The beginning of the sentence, if it is not far; else that of a word."""
    first, text, _ = window
    low = max(0, place - 2 * _AROUND)
    end = _END_REVERSED.search(text[low:place][::-1])
    if end:
        return place - end.start()
    if low == 0 and first == 0:
        return 0
    space = text.find(" ", max(low, place - _AROUND), place)
    return space + 1 if space >= 0 else place
