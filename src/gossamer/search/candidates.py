"""Which documents are worth scoring exactly.

Where few enough documents match, all of them. Where there are more, the best by the finder's own
score among those with all words, among those with some, and among those with a word in the title;
and, where the profile looks at more than words, the best by that among the documents that match: a
document may be first that no text score would have put among the candidates. So may one with words
that the settings give points. Where a person sorts, the first in that order among all that match.
"""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from gossamer.index.finder import Found
from gossamer.index.reader import IndexReader
from gossamer.matches import Floats, Ints, Statistics
from gossamer.search.planning import Plan

CANDIDATES = 150
"""So many matches are all scored, and of more the best."""
_BY_WORD = 50
"""So many more for each word beyond the third: the more words, the more does the order of a profile
differ from that of the finder."""
_FEW_WORDS = 3
_MOST_CANDIDATES = 500
_MORE_WITH_ALL = 100
"""So many more of those with all words: where they are many, the words are common, and the score of
each says little."""
SMALL_INDEX = 10_000
"""In an index of so many documents, all matches are scored, however many."""
COUNTED = 1_000
"""Up to here, a total is exact."""
_IN_CAPITALS = 2_400
"""Candidates where only words in capitals count: the finder knows nothing of them."""
_TITLE_CANDIDATES = 250
_ORDERED_CANDIDATES = 250
_LOOKED_AT = 200_000  # documents, in the order of what is static
_CHUNK = 5_000


class Candidates(NamedTuple):
    numbers: Ints
    found: list[Found]  # where the finder has them
    total: int
    is_exact: bool  # the total
    is_all: bool  # they are all that match
    partial: str = ""

    def addresses(self, numbers: Ints) -> dict[int, Any]:
        """Where the finder has those of them that it has found."""
        known: dict[int, Any] = {}
        for found in self.found:
            if len(known) < len(numbers):
                known.update(found.addresses_of(numbers))
        return known


class Wish(NamedTuple):
    """Which of the matches the best are."""

    end: int  # so many are to be shown, from the first on
    order: Callable[[], Ints | None]
    """All documents, the best first whatever the words; None where nothing but words decides."""
    is_sorted: bool = False  # by that order alone
    points: Sequence[tuple[float, Sequence[str]]] = ()  # what documents get for terms


class CandidateFinder:
    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader

    def find(self, plan: Plan, statistics: Statistics, wish: Wish, deadline: float) -> Candidates:
        finder = self._reader.finder
        is_large = statistics.documents > SMALL_INDEX
        wanted = _wanted(plan, wish) if is_large else max(1, statistics.documents)
        looks_on = plan.find_any is not plan.find_all
        counts = not (plan.is_plain and statistics.document_frequencies.max(initial=0) > COUNTED)
        if looks_on:
            found = [finder.find(plan.find_all, wanted + _MORE_WITH_ALL)]
        else:
            found = [finder.find(plan.find_any, wanted, counts=counts)]
        is_full = len(found[0].numbers) >= wanted < statistics.documents
        if looks_on:
            if monotonic() > deadline:
                numbers = found[0].numbers
                return Candidates(numbers, found, len(numbers), False, False, "the time was up")
            found.append(finder.find(plan.find_any, wanted, counts=counts))
            is_full = len(found[1].numbers) == wanted < statistics.documents
        if not is_full:
            total = len(found[-1].numbers)
            return Candidates(_united(found), found, total, True, True)
        counted = found[-1].total
        total, is_exact = self._total(plan, statistics) if counted is None else (counted, True)
        if plan.find_titles is not None:
            found.append(finder.find(plan.find_titles, _TITLE_CANDIDATES))
        if wish.points:
            matching = plan.find_any if looks_on else plan.find_all
            found.append(self._with_points(matching, wish, wanted))
        partial = self._add_ordered(found, plan, wish, deadline)
        return Candidates(_united(found), found, total, is_exact, False, partial)

    def _with_points(self, matching: Any, wish: Wish, wanted: int) -> Found:
        """The best with the points that documents get for words, or do not lose for them."""
        finder = self._reader.finder
        preferred = []
        for points, terms in wish.points:
            held = finder.any_of(terms)
            preferred.append(
                finder.scored(held, points)
                if points > 0
                else finder.scored(finder.combined((), (), [held]), -points)
            )
        return finder.find(finder.combined([matching], preferred), wanted)

    def _total(self, plan: Plan, statistics: Statistics) -> tuple[int, bool]:
        """How many documents match, and whether that is exact: they are counted where that is
        quick."""
        frequencies = statistics.document_frequencies
        if plan.is_plain and frequencies.max(initial=0) > COUNTED:
            here, documents = self._here(plan, statistics)
            if len(plan.slots) == 1:
                is_exact = len(plan.slots[0]) == 1 and not plan.aliases
                return round(float(here[0])), is_exact
            if plan.find_any is not plan.find_all:
                # As if words stood in documents independently of each other.
                without = np.prod(1 - here / max(1, documents))
                return round(documents * (1 - float(without))), False
        return self._reader.finder.count(plan.find_any), True

    def _here(self, plan: Plan, statistics: Statistics) -> tuple[Floats, int]:
        """How many documents of this shard hold each word, and how many there are."""
        documents = self._reader.manifest.documents
        if documents == statistics.documents:
            return statistics.document_frequencies, documents
        return self._reader.statistics(plan.slots).document_frequencies, documents

    def _add_ordered(self, found: list[Found], plan: Plan, wish: Wish, deadline: float) -> str:
        """Add the first documents of an order that match; why not all that are wanted, if so."""
        if not (plan.slots or wish.is_sorted) or monotonic() > deadline:
            return ""
        order = wish.order()
        if order is None:
            return ""
        finder = self._reader.finder
        wanted = max(_ORDERED_CANDIDATES, 2 * wish.end)
        looked_at = len(order) if wish.is_sorted else _LOOKED_AT
        count = 0
        for begin in range(0, min(len(order), looked_at), _CHUNK):
            chunk = order[begin : begin + _CHUNK]
            holding = self._reader.holding_any(chunk, plan.looked_for) if plan.slots else chunk
            if len(holding):
                matching = finder.find(finder.among(plan.find_any, holding), len(holding))
                found.append(matching)
                count += len(matching.numbers)
            if count >= wanted:
                break
            if monotonic() > deadline:
                return "the time was up" if wish.is_sorted else ""
        return ""


def _wanted(plan: Plan, wish: Wish) -> int:
    """How many candidates are wanted."""
    more = _BY_WORD * max(0, len(plan.slots) - _FEW_WORDS)
    wanted = max(min(CANDIDATES + more, _MOST_CANDIDATES), 2 * wish.end)
    return max(wanted, _IN_CAPITALS if plan.in_capitals else 0)


def _united(found: Sequence[Found]) -> Ints:
    """All of them, each once, in order."""
    numbers = np.sort(np.concatenate([one.numbers for one in found]))
    is_first = np.ones(len(numbers), np.bool_)
    is_first[1:] = numbers[1:] != numbers[:-1]
    return numbers[is_first]


def order_of(scores: Floats) -> Ints:
    """The places of the scores, the highest first; equal ones as they stand."""
    return np.argsort(-scores, kind="stable")
