"""Text to terms. The way in for index, query and snippets alike."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

from gossamer.text.caches import Generations
from gossamer.text.folding import fold, normalise, places
from gossamer.text.grams import SPACELESS_RUN, gram_terms, grams
from gossamer.text.rubbish import is_rubbish
from gossamer.text.settings import AnalysisSettings
from gossamer.text.splitting import (
    CAPITALISED,
    CAPITALS,
    LOWER,
    Piece,
    Splitter,
    capitals_of,
)
from gossamer.text.stemming import make_lower, make_stemmer, read_as, unstemmed
from gossamer.text.stop_words import is_ambiguous

ANALYSER_VERSION = 2
"""Changes when a text gives other terms than before. Every index holds the one of its making."""


class Analysis(NamedTuple):
    """A text as an index takes it."""

    terms: list[str]
    """One after the other: the place in the list is the position."""
    capitals: bytes
    """One a term: 0 'word', 1 'Word', 2 'WORD' (two letters or more) and 'wOrd'."""
    extras: list[str]
    """Further terms of the text, without a position."""


class Reading(NamedTuple):
    """What a piece of a text is to an index. What stands between spaces is read by itself."""

    terms: tuple[str, ...]
    capitals: bytes
    extras: tuple[str, ...]
    words: tuple[str, ...]
    """As `Analyser.words` gives them."""


class Token(NamedTuple):
    """A term at its place in a text.

    An extra (`position` is -1) comes behind the terms of the text around it that has no spaces.
    Where it stands tells what it is: the same place as a term is the term's other form ('donne'
    beside 'don', for those who type 'données' without the accent); a place over several terms is
    the whole that they are parts of ('email' over 'e' and 'mail'), or over one and a sign ('#tag');
    a place inside a term is a part of it ('java' in 'javascript').
    """

    term: str
    start: int
    end: int
    position: int


def capital_form(term: str) -> str:
    """Return the further term of a word in capitals that is another word without ('IT', 'US')."""
    return term.upper()


_NOTHING = Reading((), b"", (), ())


class _Place(NamedTuple):
    term: str
    start: int
    end: int
    capitals: int  # _EXTRA: has no position


_EXTRA = 3
_POSSESSIVES = ("'s", "’s")
_SHORT = 20
_WRITTEN = tuple(bytes((capitals,)) for capitals in (LOWER, CAPITALISED, CAPITALS))

# The word is known then, in whatever brackets it comes again.
OPENING_SIGNS = "\"'([{<*_-$£€“‘«„‚‹¿¡–—"
CLOSING_SIGNS = "\"'.,;:!?)]}>*_-%“”’»›…–—"
"""Signs around a word that never belong to it. They are taken off first."""


class _Language:
    """Everything that is known about texts of one language."""

    def __init__(
        self, code: str, settings: AnalysisSettings, words: Generations, placed: Generations
    ) -> None:
        self._lower = make_lower(code)
        self._terms = make_stemmer(code) if settings.stemming else unstemmed
        self._splitter = Splitter(code, settings.longest_word)
        self._gram_size = settings.gram_size
        self._longest = settings.longest_word
        self.readings = words.cache(self.read, _core)
        self._forms = words.cache(self._forms_of)
        self.places = placed.cache(self._find_places)

    def read_all(self, text: str) -> Reading:
        chunks = text.split()
        return self.read(chunks[0]) if len(chunks) == 1 else _together(map(self.read, chunks))

    def read(self, chunk: str) -> Reading:
        core = _core(chunk)
        # Three short ways to what the long one would give as well.
        word = core[:-2] if core.endswith(_POSSESSIVES) else core
        if word.isalpha():
            if self._is_simple(word):
                return self._read_word(word)
        elif core.isascii():
            if core.isdigit() and len(core) < _SHORT:
                return Reading((core,), _WRITTEN[LOWER], (), (core,))
            parts = core.split("-")
            if 1 < len(parts) < 4 and len(core) < _SHORT and all(map(str.isalpha, parts)):
                # The parts are likely to be known.
                found = _together(map(self.readings.__getitem__, parts))
                whole = self._read_word("".join(parts))
                return found._replace(extras=found.extras + whole.terms + whole.extras)
        return self._read_text(normalise(core))

    def _read_word(self, word: str) -> Reading:
        lower = self._lower(word)
        if is_rubbish(lower, self._longest):
            return _NOTHING
        term, other = self._terms(lower)
        if not term:
            return _NOTHING
        folded = fold(lower)
        extras: tuple[str, ...] = (other,) if other else ()
        written = capitals_of(word)
        if written == CAPITALS and is_ambiguous(folded):
            extras += (capital_form(term),)
        return Reading((term,), _WRITTEN[written], extras, (folded,))

    def _forms_of(self, piece: str) -> tuple[str, str, str]:
        """Its term, the other one, and the word."""
        lower = self._lower(piece)
        return *self._terms(lower), fold(lower)

    def _read_text(self, text: str) -> Reading:
        terms: list[str] = []
        capitals = bytearray()
        extras: list[str] = []
        words: list[str] = []

        def read(segment: str) -> None:
            for piece, _, _, main, exact, written in self._splitter.split(segment):
                if exact:
                    term = word = fold(self._lower(piece))
                    other = ""
                else:
                    term, other, word = self._forms[piece]
                if not term:
                    continue
                if main:
                    terms.append(term)
                    capitals.append(written)
                    words.append(word)
                    if written == CAPITALS and is_ambiguous(word):
                        extras.append(capital_form(term))
                else:
                    extras.append(term)
                if other:
                    extras.append(other)

        done = 0
        for run in () if text.isascii() else SPACELESS_RUN.finditer(text):
            if done < run.start():
                read(text[done : run.start()])
            of_run, further = gram_terms(run.group(), self._gram_size)
            terms += of_run
            capitals += bytes(len(of_run))
            extras += further
            done = run.end()
        read(text[done:])
        return Reading(tuple(terms), bytes(capitals), tuple(extras), tuple(words))

    @staticmethod
    def _is_simple(word: str) -> bool:
        """Whether all rules of splitting come to nothing for a word of letters."""
        if not word.isascii() and (normalise(word) != word or SPACELESS_RUN.search(word)):
            return False
        rest = word[1:]
        return rest == rest.lower() or word.isupper()

    def _find_places(self, chunk: str) -> list[_Place]:
        opening = len(chunk) - len(chunk.lstrip(OPENING_SIGNS))
        core = _core(chunk)
        word = core[:-2] if core.endswith(_POSSESSIVES) else core
        if word.isalpha() and self._is_simple(word):
            reading = self.readings[core]
            if not reading.extras:  # one term, which is likely to be known
                place = opening, opening + len(word)
                return [_Place(term, *place, reading.capitals[0]) for term in reading.terms]
        text = normalise(core)
        found = self._places_in(text)
        origin = places(core, text)
        if origin is None:
            return [
                _Place(term, opening + start, opening + end, capitals)
                for term, start, end, capitals in found
            ]
        return [
            _Place(term, opening + origin[start], opening + _end(origin, end), capitals)
            for term, start, end, capitals in found
        ]

    def _places_in(self, text: str) -> list[_Place]:
        found = []
        for piece, start, end, main, exact, capitals in self._pieces(text):
            lower = self._lower(piece)
            term, other = (fold(lower), "") if exact else self._terms(lower)
            if not term:
                continue
            found.append(_Place(term, start, end, capitals if main else _EXTRA))
            if other:
                found.append(_Place(other, start, end, _EXTRA))
            if main and capitals == CAPITALS and is_ambiguous(fold(lower)):
                found.append(_Place(capital_form(term), start, end, _EXTRA))
        return found

    def _pieces(self, text: str) -> list[Piece]:
        if text.isascii():
            return self._splitter.split(text)
        found: list[Piece] = []
        done = 0
        for run in SPACELESS_RUN.finditer(text):
            start = run.start()
            if done < start:
                found += self._splitter.split(text[done:start], done)
            found += grams(run.group(), start, self._gram_size)
            done = run.end()
        return found + self._splitter.split(text[done:], done)


class Analyser:
    """Makes terms of texts. Remembers words, so keep one and use it for everything."""

    def __init__(self, settings: AnalysisSettings | None = None) -> None:
        self.settings = settings or AnalysisSettings()
        # Queries and headlines have fewer words than the texts of an index, whose chunks are
        # remembered where it is written.
        self._words = Generations(self.settings.cached_words // 4)
        self._placed = Generations(self.settings.cached_words // 8)
        self._languages: dict[str, _Language] = {}

    def analyse(self, text: str, language: str) -> Analysis:
        """The terms of a text in a language (ISO 639-1; any other code: not stemmed)."""
        terms: list[str] = []
        extras: list[str] = []
        capitals = []
        for reading in map(self._language(language).readings.__getitem__, text.split()):
            terms += reading.terms
            capitals.append(reading.capitals)
            extras += reading.extras
        return Analysis(terms, b"".join(capitals), extras)

    def read(self, text: str, language: str) -> Reading:
        """The terms and the words of a piece of a text. It is not remembered: for those that do so
        themselves."""
        return self._language(language).read_all(text)

    def reader(self, language: str) -> Callable[[str], Reading]:
        """The same for many pieces that have no spaces of ASCII."""
        known = self._language(language)
        read, read_all = known.read, known.read_all
        return lambda piece: read(piece) if piece.isascii() else read_all(piece)

    def tokens(self, text: str, language: str) -> list[Token]:
        """The same terms, with their places in the text."""
        known = self._language(language).places
        found: list[Token] = []
        add, make = found.append, Token._make
        position = end_of_last = 0
        for chunk in text.split():
            offset = text.index(chunk, end_of_last)
            end_of_last = offset + len(chunk)
            for term, start, end, capitals in known[chunk]:
                if capitals == _EXTRA:
                    add(make((term, offset + start, offset + end, -1)))
                else:
                    add(make((term, offset + start, offset + end, position)))
                    position += 1
        return found

    def words(self, text: str, language: str = "") -> list[str]:
        """The words of a text, folded but not stemmed: what people may have meant to type.

        Scripts without spaces have none.
        """
        readings = self._language(language).readings
        return [word for chunk in text.split() for word in readings[chunk].words]

    def _language(self, language: str) -> _Language:
        known = self._languages.get(language)
        if known is None:
            # Those of which nothing is known share what they have.
            code = read_as(language)
            known = self._languages.get(code)
            if known is None:
                known = _Language(code, self.settings, self._words, self._placed)
                self._languages[code] = known
        return known


def _together(readings: Iterable[Reading]) -> Reading:
    terms, capitals, extras, words = zip(_NOTHING, *readings, strict=True)
    return Reading(_flat(terms), b"".join(capitals), _flat(extras), _flat(words))


def _flat(parts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(chain.from_iterable(parts))


def _core(chunk: str) -> str:
    return chunk.lstrip(OPENING_SIGNS).rstrip(CLOSING_SIGNS)


def _end(origin: list[int], end: int) -> int:
    """Behind the last character of a word, but before what is unseen behind that."""
    last = origin[end - 1]
    while end < len(origin) - 1 and origin[end] == last:
        end += 1
    return origin[end]
