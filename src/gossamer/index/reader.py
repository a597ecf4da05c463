"""An open generation of an index: what it holds, as long as it is open."""

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gossamer.errors import FormatError
from gossamer.index.ballot import Ballot
from gossamer.index.fields import AROUND_CONTENT, Fields
from gossamer.index.finder import Finder
from gossamer.index.forward import Saturation, Terms
from gossamer.index.generations import IndexFolder, IndexManifest, Whole
from gossamer.index.part import Part
from gossamer.index.vocabulary import ABSENT, CodedWords
from gossamer.matches import Bools, Floats, Hits, Ints, Matches, Statistics
from gossamer.storage.arrays import mapped

DOCUMENTS_AFTER = "documents_after"
_KNOWN_TERMS = 64
_NO_HITS = np.empty((5, 0), np.int32)

Slots = Sequence[Sequence[str]]
"""Of each slot of a query the terms that it stands for."""


class ShardOf(NamedTuple):
    """How an index is a part of another."""

    generation: int
    whole: Whole
    moments: Path  # when the documents of all shards were crawled


class IndexReader:
    """Reads one generation, whatever is published meanwhile."""

    def __init__(self, folder: IndexFolder, shard: "ShardOf | None" = None) -> None:
        """`shard`: which generation, and of what it is a part; else it is the newest, and all."""
        held = folder.hold() if shard is None else folder.hold_generation(shard.generation)
        if held is None:
            raise FormatError(f"{folder.path} holds no index yet: build it first.")
        self._hold, manifest = held
        self.manifest: IndexManifest = manifest
        self.whole: Whole = manifest.whole if shard is None else shard.whole
        self.fields: Fields = manifest.fields
        self.generation = folder.generation(manifest.generation)
        try:
            self.finder = Finder(self.generation / "finder", manifest.fields)
            self._parts = [
                Part(
                    folder.part(entry),
                    folder.gone(manifest.generation, entry),
                    folder.statics(manifest.generation, entry),
                )
                for entry in manifest.parts
            ]
        except BaseException:
            self.close()
            raise
        self._known_terms: dict[tuple[str, ...], dict[int, Terms]] = {}
        self._ends = np.array([part.numbers[-1] for part in self._parts], np.int64)
        self._all_moments = shard.moments if shard else None

    def close(self) -> None:
        """Let go of the generation: its files may be deleted now."""
        if self._hold >= 0:
            os.close(self._hold)
            self._hold = -1

    @property
    def documents(self) -> int:
        """Of the whole index, with those of other shards."""
        return self.whole.documents

    @cached_property
    def is_content(self) -> Bools:
        """For each text field, whether it holds the content of the document itself."""
        return np.array([name not in AROUND_CONTENT for name in self.fields.texts])

    @cached_property
    def average_lengths(self) -> Floats:
        words = [self.whole.words.get(name, 0) for name in self.fields.texts]
        return np.array(words, np.float64) / max(1, self.documents)

    # Words

    def statistics(self, slots: Slots) -> Statistics:
        """Of the slots; those of several shards can be added up."""
        totals = np.zeros((2, len(slots)))
        terms = self._terms(slots)
        for part in self._parts:
            part.forward.add_statistics(terms[part.first], totals)
        # Forms of one word hardly ever stand in the same document.
        frequencies = np.minimum(totals[0], self.documents)
        words = sum(self.whole.words.values())
        return Statistics(self.documents, self.average_lengths, frequencies, totals[1], words)

    def matches(
        self,
        numbers: Ints,
        slots: Slots,
        statistics: Statistics,
        weights: Floats,
    ) -> Matches:
        """All places of the slots in these documents, which are put in the order of their numbers,
        and how often each stands there, a field by its weight."""
        numbers = np.sort(numbers)
        texts = len(self.fields.texts)
        lengths = np.zeros((len(numbers), texts))
        tallies = np.zeros((len(numbers), len(slots)))
        found = [_NO_HITS]
        terms = self._terms(slots)
        for part, begin, rows in self._rows(numbers):
            own = terms[part.first]
            found.append(part.forward.hits(rows, own, weights, len(slots), begin, tallies))
            lengths[begin : begin + len(rows)] = part.forward.spans[rows]
        hits = Hits(*(found[1] if len(found) == 2 else np.concatenate(found, axis=1)))
        return Matches(numbers, lengths, hits, statistics, len(slots), texts, tallies)

    def saturated(
        self, numbers: Ints, words: Ints, word_weights: Floats, weights: Floats, norms: Floats
    ) -> Floats:
        """Of documents in the order of their numbers the sums over some words: weight * f / (f +
        norm), where f is how often the word stands there, a field by its weight. `words`: their
        hashes. `norms`: of each document."""
        sums = np.zeros(len(numbers))
        for part, begin, rows in self._rows(numbers):
            part.forward.add_saturated(
                rows,
                part.forward.vocabulary.numbers_by_hash(words),
                word_weights,
                weights,
                norms[begin:],
                sums[begin:],
            )
        return sums

    def _terms(self, slots: Slots) -> dict[int, Terms]:
        """The terms of the slots under the numbers that each part has for them, by the first
        document of the part. Every stage of a question asks for the same."""
        key = tuple(term for terms in slots for term in (*terms, ""))
        known = self._known_terms.get(key)
        if known is None:
            words = CodedWords.of([term for terms in slots for term in terms])
            owners = np.array([slot for slot, terms in enumerate(slots) for _ in terms], np.uint8)
            known = {
                part.first: Terms(part.forward.vocabulary.numbers(words), owners)
                for part in self._parts
            }
            if len(self._known_terms) >= _KNOWN_TERMS:
                self._known_terms = {}  # a new one: another thread may be reading the old
            self._known_terms[key] = known
        return known

    def _rows(self, numbers: Ints) -> list[tuple[Part, int, Ints]]:
        """Of documents in the order of their numbers: part, place of its first, rows there."""
        if not len(numbers):
            return []
        found = []
        begin = 0
        ends = np.searchsorted(numbers, self._ends, "right").tolist()
        for part, end in zip(self._parts, ends, strict=True):
            if begin < end:
                found.append((part, begin, part.rows(numbers[begin:end])))
                begin = end
        return found

    def living(self) -> Ints:
        """The numbers of all documents that are there."""
        found = [part.numbers[part.living()] for part in self._parts]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def number_of(self, address: int) -> int | None:
        """The number of the document with an address, which may be its identity, if it is there."""
        for part in self._parts:
            found = part.identities == address
            if part.addresses is not part.identities:
                found |= part.addresses == address
            for row in np.flatnonzero(found).tolist():
                if part.alive is None or part.alive[row]:
                    return int(part.numbers[row])
        return None

    def identities(self, numbers: Ints) -> Ints:
        """Return the identities of documents, in any order: they stay when a document changes."""
        found = np.zeros(len(numbers), np.int64)
        order = np.argsort(numbers)
        for part, begin, rows in self._rows(numbers[order]):
            found[order[begin : begin + len(rows)]] = part.identities[rows]
        return found

    def holding_any(self, numbers: Ints, slots: Slots) -> Ints:
        """Return those of these documents that hold a word of any slot."""
        numbers = np.sort(numbers)
        terms = self._terms(slots)
        found = [
            numbers[begin : begin + len(rows)][part.forward.holding(rows, terms[part.first])]
            for part, begin, rows in self._rows(numbers)
        ]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def ballot(self, numbers: Ints, power: Floats, k: float, b: float) -> Ballot:
        """The words of the content of some documents: the saturated frequency of each,
        by the power of the document. What they weigh depends on how rare they are, as far as a
        part knows; those that only one document of the index holds weigh nothing where that is
        known."""
        order = np.argsort(numbers)
        power = power[order]
        saturation = Saturation(k, b, float(self.average_lengths[:-1].sum()) or 1.0)
        is_exact = len(self._parts) == 1 and self.manifest.documents == self.documents
        least = 2 if is_exact else 1
        cast = {
            part.first: part.forward.votes(
                rows,
                power[begin : begin + len(rows)],
                self.is_content,
                saturation,
                self.documents,
                least,
            )
            for part, begin, rows in self._rows(numbers[order])
        }
        return Ballot(self._parts, cast, is_exact)

    def words_by_hash(self, hashes: Ints) -> list[str]:
        """How words are written; '' for those that no document here holds."""
        words = [""] * len(hashes)
        for part in self._parts:
            vocabulary = part.forward.vocabulary
            numbers = vocabulary.numbers_by_hash(hashes)
            for place in np.flatnonzero(numbers != ABSENT).tolist():
                words[place] = words[place] or vocabulary.word(int(numbers[place]))
        return words

    def is_written(self, word: str, language: str) -> bool:
        """Return True if documents read in a language hold a folded word as it is."""
        return any(part.written.holds(word, language) for part in self._parts)

    def groups(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Of some documents, in any order: hashes of their texts, near where the texts are, and of
        their sites; 0 where there is none."""
        found = np.zeros((2, len(numbers)), np.int64)
        if not self.has_groups:
            return found[0], found[1]
        order = np.argsort(numbers)
        for part, begin, rows in self._rows(numbers[order]):
            found[:, order[begin : begin + len(rows)]] = part.groups[rows].T
        return found[0], found[1]

    @cached_property
    def has_groups(self) -> bool:
        """Whether anything is known of sites, or of texts that are nearly the same."""
        return any(bool(part.groups.any()) for part in self._parts)

    # Values

    def values(self, name: str, numbers: Ints, *, largest: bool = False) -> Floats:
        """A number or date of documents in the order of their numbers; NaN where missing. Of
        several values of a document, the smallest, or the largest."""
        if name == DOCUMENTS_AFTER:
            return self._documents_after(numbers)
        values = np.full(len(numbers), np.nan)
        for part, begin, rows in self._rows(numbers):
            column = part.columns.numbers(name)
            if column is not None:
                values[begin : begin + len(rows)] = column[rows]
        if largest:
            places, more = self.more_values(name, numbers)
            values[places] = more  # in ascending order within a document: the last one stays
        return values

    def more_values(self, name: str, numbers: Ints) -> tuple[Ints, Floats]:
        """The values of documents beside their smallest one: places among the documents, in their
        order, and the values, ascending within a document."""
        places, values = [np.empty(0, np.int64)], [np.empty(0)]
        for part, begin, rows in self._rows(numbers):
            more = part.columns.more_numbers(name)
            if more is None:
                continue
            found = np.searchsorted(rows, more.rows)
            is_wanted = found < len(rows)
            is_wanted[is_wanted] = rows[found[is_wanted]] == more.rows[is_wanted]
            places.append(begin + found[is_wanted])
            values.append(more.values[is_wanted])
        return np.concatenate(places), np.concatenate(values)

    def known_values(self, name: str, numbers: Ints) -> Floats | None:
        """The same; None where no document has any."""
        if name != DOCUMENTS_AFTER and not any(
            part.columns.numbers(name) is not None for part in self._parts
        ):
            return None
        return self.values(name, numbers)

    def _documents_after(self, numbers: Ints) -> Floats:
        """How many documents were crawled after each of these; those that came from elsewhere
        count in the order of their numbers."""
        crawled = self.values("crawled", numbers)
        after = len(self._moments) - np.searchsorted(self._moments, crawled, "right")
        in_order = self.whole.next_document - 1 - numbers
        return np.where(np.isnan(crawled), in_order, after).astype(np.float64)

    @cached_property
    def _moments(self) -> Floats:
        """When the living documents of all shards were crawled, in order."""
        return self.own_moments() if self._all_moments is None else mapped(self._all_moments)

    def own_moments(self) -> Floats:
        columns = [
            column[part.living()]
            for part in self._parts
            if (column := part.columns.numbers("crawled")) is not None
        ]
        moments = np.concatenate(columns) if columns else np.empty(0)
        return np.sort(moments[np.isfinite(moments)])

    def keyword_counts(self, name: str, numbers: Ints) -> dict[str, int]:
        counts: dict[str, int] = {}
        for part, _, rows in self._rows(numbers):
            column = part.columns.keywords(name)
            if column is not None:
                for keyword, count in column.counts(rows).items():
                    counts[keyword] = counts.get(keyword, 0) + count
        return counts

    def keywords(self, name: str, numbers: Ints) -> list[tuple[str, ...]]:
        found: list[tuple[str, ...]] = [()] * len(numbers)
        for part, begin, rows in self._rows(numbers):
            column = part.columns.keywords(name)
            if column is not None:
                for place, row in enumerate(rows.tolist(), begin):
                    found[place] = column.of(row)
        return found

    def shown(self, number: int, address: Any | None = None) -> dict[str, Any]:
        """Return what is stored of a document."""
        found = self.finder.address(number) if address is None else address
        return {} if found is None else self.finder.shown(found)
