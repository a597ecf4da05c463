"""A parsed query as the index understands it: slots of words, and a query for the finder."""

from collections.abc import Mapping, Sequence
from math import inf, nextafter
from typing import Any, NamedTuple

import numpy as np

from gossamer.index.fields import FieldType
from gossamer.index.finder import Finder, own_text_fields
from gossamer.index.reader import IndexReader
from gossamer.query import nodes
from gossamer.query.dates import date_span
from gossamer.rank.evidence import Word
from gossamer.search import feedback
from gossamer.search.aliases import MOST_WORDS, Alias, alias_query
from gossamer.search.clauses import NO_CLAUSES, Clauses, clauses_of
from gossamer.search.languages import Foreign
from gossamer.search.proximity import Near, near
from gossamer.search.slots import (
    NOTHING_FOREIGN,
    Reading,
    Slot,
    SlotMaker,
    aliases_of,
    apart,
    is_stop,
    merged,
)
from gossamer.text import capital_form

_TITLE = "title"
PREFIX_TERMS = 40
"""So many words of those that begin alike are looked for."""
_MOST_SLOTS = 150
_ROOM = 255 - MOST_WORDS - feedback.WORDS
"""Places of words are numbered by a byte: so many are left for the query and words with points."""
_KNOWN_NEAR = 32


class Plan(NamedTuple):
    slots: list[list[str]]
    words: list[Word]
    find_any: Any  # for the finder: documents with at least one word, and all that is demanded
    find_all: Any  # those with all words; the same object where that is the same
    find_titles: Any | None  # those with a word in the title; None where titles are not known
    is_plain: bool  # nothing but words, and nothing else is demanded
    notes: list[str]
    aliases: tuple[Alias, ...] = ()
    quoted: tuple[tuple[str, ...], ...] = ()  # what was typed in quotes: words one after another
    in_capitals: tuple[int, ...] = ()  # slots of which only places in capitals count
    partial: str = ""  # why not everything that matches is found, if so
    holds_words: bool = False  # a document that matches holds some of `looked_for`

    @property
    def looked_for(self) -> list[list[str]]:
        """The slots, and what stands for them."""
        return [*self.slots, *(list(alias.terms) for alias in self.aliases)]

    @property
    def terms(self) -> frozenset[str]:
        """All that a document may hold of what was looked for."""
        own = frozenset(term for terms in self.slots for term in terms)
        return own.union(*(alias.terms for alias in self.aliases))

    @property
    def shown_terms(self) -> frozenset[str]:
        """Those that a snippet marks: with stop words, where quotes hold nothing else."""
        return self.terms.union(*(one for one in self.quoted if self.terms.isdisjoint(one)))

    def with_document(self, finder: Finder, number: int) -> "Plan":
        """The plan by which this document matches, whatever its words."""
        own = finder.these(np.array([number], np.int64))
        find_any = finder.combined((), [self.find_any, own])
        is_same = self.find_all is self.find_any
        find_all = find_any if is_same else self.find_all
        return self._replace(
            find_any=find_any, find_all=find_all, is_plain=False, holds_words=False
        )


class Planner:
    """Makes plans for one open index."""

    def __init__(self, reader: IndexReader, slots: SlotMaker) -> None:
        self._reader = reader
        self.slots = slots
        self.finder = reader.finder
        self.fields = reader.fields
        self.own_texts = own_text_fields(reader.fields)
        self._near: dict[tuple[tuple[str, ...], int, str], Near] = {}

    def plan(
        self,
        root: nodes.Group,
        filters: Sequence[nodes.Node],
        all_words: bool,
        prefixes: Mapping[str, Sequence[str]],
        foreign: Foreign = NOTHING_FOREIGN,
        weighted_words: int = 0,
        deadline: float = inf,
    ) -> Plan:
        """`prefixes`: by the beginnings that were typed, the words that begin so.
        `weighted_words`: so many words have points, and share the room. `deadline`: of
        `monotonic`."""
        typed = [leaf.text for leaf in nodes.leaves(root) if isinstance(leaf, nodes.Word)]
        draft = _Draft(self, prefixes, self.slots.reading(typed, foreign), deadline)
        clauses = clauses_of(root)
        combined = self.finder.combined
        narrowing = (*clauses.conditions, *clauses.required)
        must = [self.finder.unscored(draft.query(node)) for node in (*filters, *narrowing)]
        must_not = [draft.query(node) for node in clauses.excluded]
        for node in narrowing:
            draft.count(node)
        # What is required is scored by its words, as documents are in the end.
        scored = [self.slot_query(slot) for slot in draft.slots]
        optional = draft.optional(clauses.optional, is_alone=not clauses.required)
        slots = merged(draft.slots)
        most = min(_MOST_SLOTS, _ROOM - weighted_words)
        is_cut = len(slots) > most
        if is_cut:
            draft.notes.append(f"Only the first {most} different words were used for ranking.")
            del slots[most:]
        words = [Word(slot.text, slot.weight) for slot in slots]
        terms = apart(slots)
        if clauses.optional and not (optional or clauses.required):
            find_any = find_all = self.finder.nothing()  # nothing but punctuation
        elif clauses == NO_CLAUSES and not must:
            find_any = find_all = self.finder.everything()
        else:
            find_any = find_all = combined([*must, *optional], scored, must_not)
            if all_words or (len(optional) == 1 and not clauses.required):
                pass
            elif clauses.required:
                find_any = combined(must, [*scored, *optional], must_not)
            elif must and optional:
                find_any = combined([*must, combined((), optional)], scored, must_not)
            elif optional:
                find_any = combined((), optional, must_not)
        titles = None
        if terms and _TITLE in self.own_texts:
            named = [self.slot_query(slot, _TITLE) for slot in slots]
            # A word in the title is a match: if one word is enough, nothing else has to be checked.
            enough = not all_words and all(isinstance(one, nodes.Word) for one in clauses.optional)
            titles = combined(
                [*(must if enough else [find_any]), combined((), named)],
                (),
                must_not if enough else (),
            )
        aliases = aliases_of(slots, draft.notes)
        is_plain = bool(terms) and len(optional) == len(terms) and not must and not must_not
        is_plain = is_plain and not any(slot.phrases for slot in slots)
        is_plain = is_plain and all(map(_is_word, clauses.optional))
        quoted = tuple(dict.fromkeys(draft.quoted))
        in_capitals = tuple(place for place, slot in enumerate(slots) if slot.in_capitals)
        return Plan(
            *(terms, words, find_any, find_all, titles, is_plain, draft.notes, aliases, quoted),
            *(in_capitals, draft.partial, not is_cut and draft.needs_words(clauses)),
        )

    def slot_query(self, slot: Slot, field: str = "") -> Any:
        """For the finder: documents with a word of the slot, or with what stands for it."""
        finder = self.finder
        terms = [capital_form(term) for term in slot.terms] if slot.in_capitals else slot.terms
        found = [finder.any_of(terms, field)] if terms else []
        found += [alias_query(finder, phrase, field) for phrase in slot.phrases]
        return found[0] if len(found) == 1 else finder.combined((), found)

    def near(self, terms: tuple[str, ...], slop: int, field: str, deadline: float) -> Near:
        """Documents with some words in their order, with up to `slop` others between them."""
        key = terms, slop, field
        known = self._near.get(key)
        if known is None:
            known = near(self._reader, terms, slop, field, deadline)
            if known.is_complete:
                if len(self._near) >= _KNOWN_NEAR:
                    self._near = {}  # a new one: another thread may be reading the old
                self._near[key] = known
        return known


class _Draft:
    """A plan in the making."""

    def __init__(
        self,
        planner: Planner,
        prefixes: Mapping[str, Sequence[str]],
        reading: Reading,
        deadline: float,
    ) -> None:
        self._planner = planner
        self._slots = planner.slots
        self._reading = reading
        self._prefixes = prefixes
        self._deadline = deadline
        self.partial = ""
        self._known: dict[tuple[str, float], list[Slot]] = {}  # typed words that were read
        self._finder = planner.finder
        self._fields = planner.fields
        self.slots: list[Slot] = []
        self.quoted: list[tuple[str, ...]] = []
        self.notes: list[str] = []

    def _slot(self, text: str, boost: float = 1.0) -> list[Slot]:
        """The slots of one typed word."""
        known = self._known.get((text, boost))
        if known is None:
            known = self._known[text, boost] = self._slots.slot(text, self._reading, boost)
        return known

    def optional(self, should: Sequence[nodes.Node], *, is_alone: bool) -> list[Any]:
        """Return a query for each optional clause. Its words are ranked by, too. `is_alone`: one of
        the clauses has to match, as nothing is required."""
        found: list[tuple[list[Slot], Any, bool]] = []  # the last one: it is a word
        said = self._said_together(should)
        for place, node in enumerate(should):
            if isinstance(node, nodes.Word) and not node.field:
                for slot in self._slot(node.text, node.boost):
                    whole = slot._replace(phrases=(*slot.phrases, *said.get(place, ())))
                    found.append(([whole], self._planner.slot_query(whole), True))
            else:
                before = len(self.slots)
                self.count(node)
                own = self.slots[before:]
                del self.slots[before:]
                found.append((own, self.query(node), False))
        # Words that every page holds say nothing, unless they are all that was typed.
        telling = [one for one in found if not is_stop(one[0])]
        if telling or not is_alone:
            found = telling
        self.slots += [slot for slots, _, _ in found for slot in slots]
        # A word that was typed twice is one clause; 'e-mail' and 'email' are one to ranking only.
        once = {
            tuple((slot.terms, slot.phrases) for slot in slots): query
            for slots, query, is_word in found
            if is_word
        }
        return [*once.values(), *(query for _, query, is_word in found if not is_word)]

    def _said_together(self, should: Sequence[nodes.Node]) -> dict[int, list[tuple[str, ...]]]:
        """What else may be said for several words in a row, by the places of these words."""
        found: dict[int, list[tuple[str, ...]]] = {}
        begin = 0
        for place, node in enumerate((*should, None)):
            if isinstance(node, nodes.Word) and not node.field:
                continue
            row = [one.text for one in should[begin:place] if isinstance(one, nodes.Word)]
            for places, phrases in self._slots.spans(row) if len(row) > 1 else ():
                for member in places:
                    found.setdefault(begin + member, []).extend(phrases)
            begin = place + 1
        return found

    def count(self, node: nodes.Node) -> None:
        """The words of a node are ranked by."""
        for leaf in nodes.leaves(node):
            if isinstance(leaf, nodes.Word) and self._is_text(leaf.field):
                self.slots += self._slot(leaf.text, leaf.boost)
            elif isinstance(leaf, nodes.Phrase) and self._is_text(leaf.field):
                if not leaf.slop:
                    read = self._slots.phrases(leaf.text, self._reading.foreign)
                    self.quoted += map(tuple, read)
                for word in leaf.text.split():
                    slots = self._slot(word, leaf.boost)
                    self.slots += [slot for slot in slots if not slot.is_stop]
            elif isinstance(leaf, nodes.Prefix) and self._is_text(leaf.field):
                terms = tuple(self._prefixes[nodes.to_text(leaf)])
                if terms:
                    self.slots.append(Slot(leaf.text + "*", terms, leaf.boost, False))

    def _is_text(self, field: str) -> bool:
        return not field or self._fields.type_of(field) is FieldType.TEXT

    def query(self, node: nodes.Node) -> Any:
        finder = self._finder
        if isinstance(node, nodes.Any):
            return finder.combined((), [self.query(choice) for choice in node.choices])
        if isinstance(node, nodes.Group):
            return self._group(node)
        if isinstance(node, nodes.Range):
            return self._range(node)
        if not self._is_text(node.field):
            return self._value(node)
        if node.field and node.field not in self._planner.own_texts:
            self._note_whole(node.field)
        if isinstance(node, nodes.Phrase):
            read = self._slots.phrases(node.text, self._reading.foreign)
            phrases = [self._phrase(terms, node) for terms in read]
            return finder.combined((), phrases) if phrases else finder.nothing()
        if isinstance(node, nodes.Prefix):
            terms = self._prefixes[nodes.to_text(node)]
            return finder.any_of(terms, node.field) if terms else finder.nothing()
        slots = self._slot(node.text)
        parts = [self._planner.slot_query(slot, node.field) for slot in slots]
        return finder.combined(parts) if parts else finder.nothing()

    def _group(self, group: nodes.Group) -> Any:
        """Return the query of a group under OR or behind a sign, by the rules of a whole query."""
        clauses = clauses_of(group)
        must = [self.query(part) for part in (*clauses.conditions, *clauses.required)]
        must_not = [self.query(part) for part in clauses.excluded]
        telling = [part for part in clauses.optional if not self._is_stop_word(part)]
        optional = [self.query(part) for part in telling or clauses.optional]
        if optional and not clauses.required:
            must.append(self._finder.combined((), optional))
            optional = []
        return self._finder.combined(must, optional, must_not)

    def needs_words(self, clauses: Clauses) -> bool:
        """Return True if nothing matches that holds none of the words that are ranked by."""
        if clauses.required:
            return any(map(self._needs_words, clauses.required))
        return bool(clauses.optional) and all(map(self._needs_words, clauses.optional))

    def _needs_words(self, node: nodes.Node) -> bool:
        if isinstance(node, nodes.Any):
            return all(map(self._needs_words, node.choices))
        if isinstance(node, nodes.Group):
            return self.needs_words(clauses_of(node))
        if isinstance(node, nodes.Range) or not self._is_text(node.field):
            return False
        words = node.text.split() if isinstance(node, nodes.Phrase) else [node.text]
        return isinstance(node, nodes.Prefix) or not any(
            is_stop(self._slot(word)) for word in words
        )

    def _is_stop_word(self, node: nodes.Node) -> bool:
        if not isinstance(node, nodes.Word) or node.field:
            return False
        return is_stop(self._slot(node.text))

    def _phrase(self, terms: Sequence[str], node: nodes.Phrase) -> Any:
        if not node.slop or len(terms) == 1:
            return self._finder.phrase(terms, node.field)
        found = self._planner.near(tuple(terms), node.slop, node.field, self._deadline)
        if not found.is_complete:
            self.partial = "the time limit was reached"
        return self._finder.these(found.numbers)

    def _note_whole(self, field: str) -> None:
        note = f"'{field}' has no index of its own: all text was searched."
        if self._planner.own_texts and note not in self.notes:
            self.notes.append(note)

    def _value(self, node: nodes.Word | nodes.Phrase | nodes.Prefix) -> Any:
        """A value field: keywords as they are, numbers and dates as they are meant."""
        finder = self._finder
        if self._fields.type_of(node.field) is not FieldType.KEYWORD:
            return self._range(nodes.Range(node.field, node.text, node.text))
        if isinstance(node, nodes.Prefix):
            return finder.keyword_prefix(node.field, node.text)
        if node.field == "site":
            names = [name for name in ("site", "host") if self._fields.type_of(name)]
            own = [finder.keyword(name, node.text) for name in names]
            return finder.combined((), own)
        return finder.keyword(node.field, node.text)

    def _range(self, node: nodes.Range) -> Any:
        type_of = self._fields.type_of(node.field)
        if type_of is FieldType.DATE:
            low, high = _moments(node)
        else:
            low = None if node.low is None else self._fields.number(node.field, node.low)
            high = None if node.high is None else self._fields.number(node.field, node.high)
        if (node.low is not None and low is None) or (node.high is not None and high is None):
            typed = nodes.to_text(node)
            self.notes.append(f"'{typed}' is not a valid value or range for {node.field}.")
            return self._finder.nothing()
        if low is not None and high is not None and low > high:
            self.notes.append(f"'{nodes.to_text(node)}' is empty: it ends before it begins.")
        return self._finder.range(node.field, low, high, node.include_low, node.include_high)


def _is_word(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Word | nodes.Prefix) and not node.field


def _moments(node: nodes.Range) -> tuple[float | None, float | None]:
    """From the first moment of the one date to the last of the other."""
    low = date_span(node.low) if node.low is not None else None
    high = date_span(node.high) if node.high is not None else None
    first = last = None
    if low is not None:
        first = low[0] if node.include_low else _before(low[1])
    if high is not None:
        last = _before(high[1]) if node.include_high else high[0]
    return first, last


def _before(moment: float) -> float:
    return nextafter(moment, -inf)
