"""Which documents are worth scoring exactly?

In: a plan of a query. Out: numbers of documents, in *tiers*.

Where few enough documents match, or the index is small, there is one tier with all of them. Else
the first tier has the best by the finder's own score among the documents with all words, among
those with some, and among those with a word in the title; the best by what a profile looks at
beside words (a document may be first that no text score would have put among the candidates); and
those with words that have points. The next tiers have more, in the finder's order: they are scored
only for pages so deep. What is in a tier depends on the query alone, never on the page, so pages
agree with each other.

Where the results are sorted by a field, the first documents in that order that match.
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
"""Of more matches than are counted, so many by the finder's score."""
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
"""Up to here, a total is exact, and all matches are scored, unless their texts are long."""
_WORDS_READ = 300_000
"""So many words of matches are read for scoring, by the average length of a document."""
QUICKLY_COUNTED = 10_000
"""Documents with one of several words are counted if the words stand in so many in all."""
DEEPEST = 10_000
"""So many hits can be paged through."""
TIERS = (0, 1_500, DEEPEST + 2_000)
"""How many of the best by the finder's score are in a tier and those before it; the first tier is
made as described above."""
_TITLE_CANDIDATES = 250
_ORDERED_CANDIDATES = 250
_LOOKED_AT = 200_000  # documents, in the order of what is static
_CHUNK = 5_000


class Candidates(NamedTuple):
    """The first tier, and what is known of all matches."""

    numbers: Ints
    found: list[Found]  # where the finder has them
    total: int
    is_exact: bool  # the total
    is_all: bool  # there is no other tier
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

    order: Callable[[], Ints | None]
    """All documents, the best first whatever the words; None where nothing but words decides."""
    sorted_end: int = 0
    """That order alone decides, and so many are to be shown, from the first on; 0: it does not."""
    points: Sequence[tuple[float, Sequence[str]]] = ()  # what documents get for terms


class CandidateFinder:
    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader

    def find(self, plan: Plan, statistics: Statistics, wish: Wish, deadline: float) -> Candidates:
        """Return the first tier. `statistics`: of the slots of the plan."""
        finder = self._reader.finder
        is_large = statistics.documents > SMALL_INDEX
        wanted = _wanted(plan) if is_large else max(1, statistics.documents)
        if wish.sorted_end:
            wanted = max(wanted, min(DEEPEST, statistics.documents))
        counts = not (plan.is_plain and statistics.document_frequencies.max(initial=0) > COUNTED)
        found = [finder.find(plan.find_any, wanted, counts=counts)]
        if len(found[0].numbers) < wanted or wanted >= statistics.documents:
            numbers = np.sort(found[0].numbers)
            return Candidates(numbers, found, len(numbers), True, True, plan.partial)
        counted = found[0].total
        total, is_exact = self._total(plan, statistics) if counted is None else (counted, True)
        most = min(COUNTED, _WORDS_READ / max(1.0, float(statistics.average_lengths.sum())))
        if is_exact and total <= most:
            found = [finder.find(plan.find_any, COUNTED)]
            numbers = np.sort(found[0].numbers)
            return Candidates(numbers, found, total, True, True, plan.partial)
        if monotonic() > deadline:
            late = "the time limit was reached"
            return Candidates(_united(found), found, total, is_exact, False, late)
        if plan.find_any is not plan.find_all:
            found.append(finder.find(plan.find_all, wanted + _MORE_WITH_ALL))
        if plan.find_titles is not None:
            found.append(finder.find(plan.find_titles, _TITLE_CANDIDATES))
        if wish.points:
            found.append(self._with_points(plan.find_any, wish, wanted))
        partial, in_order = self._add_ordered(found, plan, wish, deadline)
        if in_order is not None and not plan.partial:
            total, is_exact = in_order, True
        return Candidates(_united(found), found, total, is_exact, False, plan.partial or partial)

    def tier(self, plan: Plan, tier: int, known: Ints) -> Found:
        """Return a tier after the first: documents that are not among `known`. Its `total` is that
        of all matches, if there are no others."""
        found = self._reader.finder.find(plan.find_any, TIERS[tier])
        is_new = ~np.isin(found.numbers, known)
        addresses = [found.addresses[place] for place in np.flatnonzero(is_new).tolist()]
        total = len(found.numbers) if len(found.numbers) < TIERS[tier] else None
        return Found(found.numbers[is_new], addresses, total)

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
            if len(plan.slots) == 1 and len(plan.slots[0]) == 1 and not plan.aliases:
                return round(float(here[0])), True
            is_quick = here.sum() <= QUICKLY_COUNTED and not plan.aliases
            if len(plan.slots) == 1 and not is_quick:
                return round(float(here[0])), False
            if plan.find_any is not plan.find_all and not is_quick:
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

    def _add_ordered(
        self, found: list[Found], plan: Plan, wish: Wish, deadline: float
    ) -> tuple[str, int | None]:
        """Add the first documents of an order that match; return why not all that are wanted, if
        so, and how many match, if the whole order was looked at."""
        if monotonic() > deadline:
            return "", None
        order = wish.order()
        if order is None:
            return "", None
        finder = self._reader.finder
        wanted = max(_ORDERED_CANDIDATES, wish.sorted_end)
        looked_at = len(order) if wish.sorted_end else _LOOKED_AT
        count = 0
        for begin in range(0, min(len(order), looked_at), _CHUNK):
            chunk = order[begin : begin + _CHUNK]
            if monotonic() > deadline:
                return ("the time limit was reached" if wish.sorted_end else ""), None
            holding = chunk
            if plan.holds_words:
                holding = self._reader.holding_any(chunk, plan.looked_for)
            if len(holding):
                matching = finder.find(finder.among(plan.find_any, holding), len(holding))
                found.append(matching)
                count += len(matching.numbers)
            if count >= wanted:
                return "", None
        return "", count if looked_at >= len(order) else None


def _wanted(plan: Plan) -> int:
    """Return how many candidates the finder's score chooses."""
    more = _BY_WORD * max(0, len(plan.slots) - _FEW_WORDS)
    return min(CANDIDATES + more, _MOST_CANDIDATES)


def _united(found: Sequence[Found]) -> Ints:
    """All of them, each once, in order."""
    numbers = np.sort(np.concatenate([one.numbers for one in found]))
    is_first = np.ones(len(numbers), np.bool_)
    is_first[1:] = numbers[1:] != numbers[:-1]
    return numbers[is_first]


def order_of(scores: Floats) -> Ints:
    """The places of the scores, the highest first; equal ones as they stand."""
    return np.argsort(-scores, kind="stable")
