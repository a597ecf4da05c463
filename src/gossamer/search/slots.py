"""A typed word as a slot: all the terms that it may be in the index.

These are its stems in the languages of the index and its synonyms. Slots are what ranking counts.
What is said in several words for some of the query is an *alias* of their slots.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from gossamer.lib.hashing import hash64
from gossamer.query.synonyms import Synonyms
from gossamer.search.aliases import MOST_WORDS, Alias
from gossamer.search.languages import SIGNS, Foreign, Languages
from gossamer.text import Analyser, acronym, is_stop_word, stop_words

_MAIN_LANGUAGES = 3
_MAIN_SHARE = 0.02  # of the documents: the stop words of a language with fewer may be words
_MOST_JOINED = (
    5  # parts of a word that also stands in the index as a whole; what has more is an address
)
_MOST_PARTS = 30  # of one that it has not
_PRONOUNS = frozenset({"us"})  # is looked for, as it may be the country
_COMPOUND = re.compile(r"[^\W_]+(?:['’][^\W_]+)*(?:[-_.·]+[^\W_]+(?:['’][^\W_]+)*)+")
NOTHING_FOREIGN: Foreign = {}


class Slot(NamedTuple):
    text: str
    terms: tuple[str, ...]
    weight: float
    is_stop: bool
    phrases: tuple[tuple[str, ...], ...] = ()  # what else may be said, alone or with other slots
    in_capitals: bool = False  # 'US': what is written 'us' is another word

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for slots that are the same word."""
        return self.terms or self.phrases


class Reading(NamedTuple):
    """How the words of one query are read."""

    foreign: Foreign = NOTHING_FOREIGN
    stop_languages: tuple[str, ...] = ()
    is_shouted: bool = False  # all of them are in capitals, which then mean nothing


class SlotMaker:
    """Makes the slots of typed words, for one open index."""

    def __init__(
        self,
        analyser: Analyser,
        languages: Mapping[str, int],
        documents: int,
        *,
        small_words: int = 0,
        stop_words: frozenset[str] | None = None,
        synonyms: Synonyms | None = None,
    ) -> None:
        """`languages`: how many documents are in each. `small_words`: shorter words, and those of
        this length, are not looked for. `stop_words`: in place of those of the languages."""
        self._analyser = analyser
        self._small_words = small_words
        self._synonyms = synonyms
        self._languages = Languages(analyser, languages)
        self._stop_words = None
        if stop_words is not None:
            self._stop_words = frozenset(map(self._folded, stop_words))
        enough = _MAIN_SHARE * max(1, documents)
        main = sorted(
            (name for name in languages if languages[name] >= enough), key=lambda n: -languages[n]
        )
        self._main = tuple(main[:_MAIN_LANGUAGES]) or ("",)

    def reading(self, typed: Sequence[str], foreign: Foreign) -> Reading:
        """How all the words of one query are read."""
        stop_languages = self._languages.of_stop_words([self._folded(text) for text in typed])
        is_shouted = len(typed) != 1 and all(map(str.isupper, typed))
        return Reading(foreign, stop_languages, is_shouted)

    def slot(self, text: str, reading: Reading, boost: float = 1.0) -> list[Slot]:
        """The slots of one typed word: several, where it is written without spaces."""
        found = self._languages.terms(text, reading.foreign)
        phrases: list[tuple[str, ...]] = []
        if self._synonyms is not None:
            phrases = self._said(self._synonyms.of(self.typed_words(text)))
        if len(found) > 1:
            if is_compound(text):
                # It has no form of its own in the index: its parts stand for it, side by side.
                parts = [tuple(terms) for terms in self._languages.phrases(text)]
                parts = [terms[:_MOST_PARTS] for terms in parts]
                return [Slot(text, (), boost, False, tuple(dict.fromkeys((*phrases, *parts))))]
            pieces = self._pieces(text)
            if len(pieces) == len(found):
                return [
                    self._single(piece, terms, [], reading, boost)
                    for piece, terms in zip(pieces, found, strict=True)
                ]
        return [self._single(text, terms, phrases, reading, boost) for terms in found]

    def _single(
        self,
        text: str,
        terms: list[str],
        phrases: list[tuple[str, ...]],
        reading: Reading,
        boost: float,
    ) -> Slot:
        is_stop, in_capitals = self._kind(text, reading)
        if not in_capitals:
            # A single word is one more form of the slot.
            terms = [*terms, *(phrase[0] for phrase in phrases if len(phrase) == 1)]
            phrases = [phrase for phrase in phrases if len(phrase) > 1]
        said = tuple(dict.fromkeys((*phrases, *self._parts(text))))
        return Slot(text, tuple(dict.fromkeys(terms)), boost, is_stop, said, in_capitals)

    def _pieces(self, text: str) -> list[str]:
        """The pieces of a typed word that is several words, as they were typed."""
        tokens = self._analyser.tokens(text, self._languages.first)
        return [text[token.start : token.end] for token in tokens if token.position >= 0]

    def _parts(self, text: str) -> list[tuple[str, ...]]:
        """The words that a joined one is made of: who types 'well-known' means 'well known', too.
        A sign makes a name of it, which others do not write in several words."""
        if text[0] in SIGNS or (text.isascii() and text.isalpha() and text.islower()):
            return []
        parts = self._languages.phrases(text)
        return [tuple(terms) for terms in parts if 1 < len(terms) <= _MOST_JOINED]

    def typed_words(self, text: str) -> list[str]:
        """As the file of synonyms has them."""
        return self._analyser.words(text) or text.casefold().split()

    def spans(self, texts: Sequence[str]) -> list[tuple[range, list[tuple[str, ...]]]]:
        """Which of some words, one behind the other, can be said otherwise together."""
        if self._synonyms is None:
            return []
        owners, words = [], []
        for place, text in enumerate(texts):
            typed = self.typed_words(text)
            owners += [place] * len(typed)
            words += typed
        found = []
        for synonym in self._synonyms.lookup(words):
            places = range(owners[synonym.start], owners[synonym.end - 1] + 1)
            if len(places) > 1:
                found.append((places, self._said(synonym.others)))
        return found

    def _said(self, others: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Synonyms as terms, in each of the languages that read them differently."""
        phrases = (
            tuple(terms)
            for other in others
            for language in self._main
            if (terms := self._analyser.analyse(" ".join(other), language).terms)
        )
        return list(dict.fromkeys(phrases))

    def _kind(self, text: str, reading: Reading) -> tuple[bool, bool]:
        """Whether a typed word is a stop word; and whether it is none only by how it is written."""
        word = self._folded(text)
        is_known = any(is_stop_word(word, language) for language in reading.stop_languages)
        # 'IT' is a name as well where most documents are German, and 'it' is a word as any other.
        is_name = _is_written_as_name(text, reading) and (
            is_known
            or word in _PRONOUNS
            or any(is_stop_word(word, language) for language in self._main)
        )
        if len(word) <= self._small_words:
            is_stop = True
        elif self._stop_words is not None:
            is_stop = word in self._stop_words
        else:
            is_stop = is_known and not is_name
        return is_stop, is_name and not is_stop

    def _folded(self, text: str) -> str:
        """A typed word as lists of stop words have it: 'fur' of 'für,', 'dont' of 'don't'."""
        return " ".join(self._analyser.words(text, self._languages.first)) or text.lower()

    def is_stop_term(self, term: str) -> bool:
        """Whether a term is a stop word as the index has it."""
        return term in self._stop_terms

    @cached_property
    def _stop_terms(self) -> frozenset[str]:
        return frozenset(
            term
            for language in self._main
            for word in stop_words(language)
            for term in self._analyser.analyse(word, language).terms
        )

    @cached_property
    def stop_hashes(self) -> frozenset[int]:
        """The stop terms as hashes."""
        return frozenset(hash64(term.encode()) for term in self._stop_terms)

    def phrases(self, text: str, foreign: Foreign | None = None) -> list[list[str]]:
        """The terms of a phrase, in each of the languages that read it differently."""
        return self._languages.phrases(text, foreign)


def is_stop(slots: Sequence[Slot]) -> bool:
    """Whether a clause is one word that nearly every page holds."""
    return len(slots) == 1 and slots[0].is_stop


def _is_written_as_name(text: str, reading: Reading) -> bool:
    """'IT', 'WHO', 'u.s.'."""
    if acronym(text):
        return True
    return len(text) > 1 and text.isupper() and not reading.is_shouted and text != "NOT"


def merged(slots: Sequence[Slot]) -> list[Slot]:
    """A word that was typed twice counts twice, in one slot."""
    found: dict[tuple[object, ...], Slot] = {}
    for slot in slots:
        known = found.get(slot.key)
        if known is not None:
            phrases = tuple(dict.fromkeys((*known.phrases, *slot.phrases)))
            slot = slot._replace(
                weight=slot.weight + known.weight,
                phrases=phrases,
                in_capitals=slot.in_capitals and known.in_capitals,
            )
        found[slot.key] = slot
    return list(found.values())


def apart(slots: Sequence[Slot]) -> list[list[str]]:
    """Their terms. One that is the word of a slot is no further form of another: it counts once."""
    owners = {slot.terms[0] for slot in slots if slot.terms}
    return [
        [term for place, term in enumerate(slot.terms) if not place or term not in owners]
        for slot in slots
    ]


def aliases_of(slots: Sequence[Slot], notes: list[str]) -> tuple[Alias, ...]:
    targets: dict[tuple[str, ...], list[int]] = {}
    for place, slot in enumerate(slots):
        for phrase in slot.phrases:
            targets.setdefault(phrase, []).append(place)
    found: list[Alias] = []
    words = 0
    for phrase, places in targets.items():
        if all(set(slots[place].terms).intersection(phrase) for place in places):
            continue  # it holds the words that it stands for
        words += len(phrase)
        if words > MOST_WORDS:
            notes.append(f"Only {MOST_WORDS} words of synonyms were used for ranking.")
            break
        found.append(Alias(phrase, tuple(places)))
    return tuple(found)


def is_compound(text: str) -> bool:
    """Return True if the parts of a typed word are joined by hyphens, dots or underscores.

    'and/or' names two words, and scripts without spaces write words beside each other.
    """
    return _COMPOUND.fullmatch(text.strip("\"'.,;:!?()[]{}-_")) is not None
