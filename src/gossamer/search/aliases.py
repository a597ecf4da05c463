"""Several words that stand for words of a query: 'new york' for 'nyc', 'nyc' for 'new york'.

The forward store knows places of single words. So the words of an *alias* are looked for like those
of the query, and wherever they stand next to each other, that place becomes a hit of the slots that
they stand for. All that ranks sees is hits of the query's own slots.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gossamer.index.finder import Finder
from gossamer.index.reader import IndexReader
from gossamer.matches import UPPER, Floats, Hits, Ints, Matches, Statistics
from gossamer.text import capital_form

MOST_WORDS = 40
"""Of all aliases of a query together: there is room for so many beside the slots."""


class Alias(NamedTuple):
    terms: tuple[str, ...]
    targets: tuple[int, ...]  # the slots that the terms stand for, all together


def alias_query(finder: Finder, terms: Sequence[str], field: str = "") -> Any:
    return finder.phrase(terms, field)


def with_alias_frequencies(
    statistics: Statistics, aliases: Sequence[Alias], finder: Finder
) -> Statistics:
    """As if the words of an alias were forms of the slots that they stand for."""
    if not aliases:
        return statistics
    frequencies = statistics.document_frequencies.copy()
    for alias in aliases:
        frequencies[list(alias.targets)] += finder.count(alias_query(finder, alias.terms))
    return statistics._replace(document_frequencies=np.minimum(frequencies, statistics.documents))


def with_capital_frequencies(
    reader: IndexReader, slots: Sequence[Sequence[str]], in_capitals: Sequence[int]
) -> Statistics:
    """Return the statistics of slots, of which those in capitals are as rare as their capital
    forms: 'IT' is rarer than 'it'."""
    if not in_capitals:
        return reader.statistics(slots)
    return reader.statistics(
        [
            [capital_form(term) for term in terms] if place in in_capitals else terms
            for place, terms in enumerate(slots)
        ]
    )


def matches_with_aliases(
    reader: IndexReader,
    numbers: Ints,
    slots: Sequence[Sequence[str]],
    statistics: Statistics,
    weights: Floats,
    aliases: Sequence[Alias],
    in_capitals: Sequence[int] = (),
) -> Matches:
    """`IndexReader.matches`, with the places of aliases as hits of their slots. `in_capitals`:
    slots of which only places written so are hits; what stands for them is written as it is."""
    slot_of = {term: slot for slot, terms in enumerate(slots) for term in terms}
    all_slots = [list(terms) for terms in slots]
    for alias in aliases:
        for term in alias.terms:
            if term not in slot_of:
                slot_of[term] = len(all_slots)
                all_slots.append([term])
    found = reader.matches(numbers, all_slots, statistics, weights)
    if in_capitals:
        counts = (found.hits.capitals == UPPER) | ~np.isin(found.hits.slots, in_capitals)
        found = found._replace(hits=Hits(*(column[counts] for column in found.hits)))
    patterns = [([slot_of[term] for term in alias.terms], alias.targets) for alias in aliases]
    hits = _replaced(found.hits, patterns, len(slots), found.fields)
    own = found._replace(hits=hits, slots=len(slots), tallies=None)
    return own._replace(tallies=own.weighted(weights))


def phrase_places(
    reader: IndexReader, numbers: Ints, fields: Ints, phrases: Sequence[Sequence[str]]
) -> Ints:
    """Of each document the first word of a phrase in one of its fields; -1 where none is there."""
    found = np.full(len(numbers), -1, np.int64)
    order = np.argsort(numbers)
    weights = np.ones(len(reader.fields.texts))
    for phrase in phrases:
        slots = [[term] for term in dict.fromkeys(phrase)]
        matches = reader.matches(numbers, slots, reader.statistics(slots), weights)
        pattern = [slots.index([term]) for term in phrase]
        hits = matches.hits
        begins = _begins(hits, pattern, matches.fields)[::-1]
        documents = order[hits.documents[begins]]
        is_there = hits.fields[begins] == fields[documents]
        found[documents[is_there]] = hits.positions[begins[is_there]]
    return found


def _begins(hits: Hits, pattern: Sequence[int], fields: int) -> Ints:
    """The hits at which slots stand one after the other."""
    places = _places(hits, fields)
    # Further forms of words, in the last field, stand next to nothing.
    is_ordered = hits.fields != fields - 1
    begins = np.flatnonzero(hits.slots == pattern[0])
    for step, slot in enumerate(pattern[1:], 1):
        begins = begins[is_ordered[begins]]
        following = places[(hits.slots == slot) & is_ordered]
        begins = begins[np.isin(places[begins] + step, following)]
    return begins


def _replaced(
    hits: Hits, patterns: Sequence[tuple[list[int], tuple[int, ...]]], slots: int, fields: int
) -> Hits:
    """The hits of the first `slots` slots, and those that the patterns make."""
    kept = np.flatnonzero(hits.slots < slots)
    sources, targets, shifts = [kept], [hits.slots[kept]], [np.zeros(len(kept), np.int32)]
    for pattern, stood_for in patterns:
        begins = _begins(hits, pattern, fields)
        for shift, target in enumerate(stood_for):
            sources.append(begins)
            targets.append(np.full(len(begins), target, np.int32))
            shifts.append(np.full(len(begins), shift, np.int32))
    source = np.concatenate(sources)
    made = Hits(
        hits.documents[source],
        np.concatenate(targets),
        hits.fields[source],
        hits.positions[source] + np.concatenate(shifts),
        hits.capitals[source],
    )
    # A word that the query and an alias have in common is one hit, not two.
    keys = np.stack((_places(made, fields), made.slots.astype(np.int64)))
    _, first = np.unique(keys, axis=1, return_index=True)
    return Hits(
        made.documents[first],
        made.slots[first],
        made.fields[first],
        made.positions[first],
        made.capitals[first],
    )


def _places(hits: Hits, fields: int) -> Ints:
    """One number for document, field and position, in the order of the hits."""
    whole = hits.documents.astype(np.int64) * fields + hits.fields
    return (whole << 32) + hits.positions
