"""Which documents are worth scoring exactly.

Where few enough documents match, all of them. Where there are more, the best by the finder's own
score among those with all words, among those with some, and among those with a word in the title;
and, where the profile looks at more than words, the best by that among the documents that match: a
document may be first that no text score would have put among the first thousand.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from gossamer.index.reader import IndexReader
from gossamer.matches import Floats, Ints, Statistics
from gossamer.search.planning import Plan

CANDIDATES = 1_000
ALL_UP_TO = 2_000
"""So many matches are all scored."""
SMALL_INDEX = 10_000
"""In an index of so many documents, all matches are scored, however many."""
FIRST = 100
"""Among so many of the finder's best are those that give feedback."""
_TITLE_CANDIDATES = 300
_STATIC_CANDIDATES = 300
_STATIC_LOOKED_AT = 200_000  # documents, in the order of what is static
_STATIC_CHUNK = 5_000


_NONE = np.empty(0, np.int64)


class Candidates(NamedTuple):
    numbers: Ints
    addresses: dict[int, Any]  # of the finder, where it has told
    total: int
    is_exact: bool
    partial: str = ""
    first: Ints = _NONE  # the best by the finder's own score


class CandidateFinder:
    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader

    def find(
        self,
        plan: Plan,
        statistics: Statistics,
        static_order: Callable[[], Ints | None],
        deadline: float,
    ) -> Candidates:
        """`static_order`: all documents, the best first whatever the words; None where nothing
        but words decides."""
        finder = self._reader.finder
        most = int(min(statistics.document_frequencies.sum(), statistics.documents))
        if statistics.documents <= SMALL_INDEX:
            wanted = max(1, statistics.documents)
        else:
            wanted = ALL_UP_TO if plan.is_filter_only or most <= ALL_UP_TO else CANDIDATES
        found = finder.find(plan.find_all, wanted)
        numbers, addresses = [found.numbers], found.addresses
        full = len(found.numbers) == wanted < statistics.documents
        if full and plan.find_any is plan.find_all:
            total, is_exact = self._total(plan, plan.find_all, statistics), False
        elif plan.find_any is plan.find_all:
            total, is_exact = len(found.numbers), True
        else:
            if monotonic() > deadline:
                return Candidates(
                    found.numbers, addresses, len(found.numbers), False, "the time was up"
                )
            some = finder.find(plan.find_any, wanted)
            numbers.append(some.numbers)
            addresses = {**some.addresses, **addresses}
            is_exact = len(some.numbers) < wanted or wanted == statistics.documents
            total = len(some.numbers) if is_exact else self._total(plan, plan.find_any, statistics)
        if not is_exact and plan.find_titles is not None:
            titled = finder.find(plan.find_titles, _TITLE_CANDIDATES)
            numbers.append(titled.numbers)
            addresses = {**titled.addresses, **addresses}
        if not is_exact and plan.slots and monotonic() < deadline:
            order = static_order()
            if order is not None:
                numbers.append(self._by_static(plan, order, deadline))
        first = np.concatenate(numbers[:2])[: 2 * FIRST]
        _, places = np.unique(first, return_index=True)
        return Candidates(
            np.unique(np.concatenate(numbers)),
            addresses,
            total,
            is_exact,
            first=first[np.sort(places)][:FIRST],
        )

    def _total(self, plan: Plan, query: Any, statistics: Statistics) -> int:
        """About how many documents match: counted where that is quick."""
        frequencies = statistics.document_frequencies
        if plan.find_any is plan.find_all or frequencies.sum() < 50_000:
            return self._reader.finder.count(query)
        # As if words stood in documents independently of each other.
        without = np.prod(1 - frequencies / max(1, statistics.documents))
        return round(self._reader.manifest.documents * (1 - float(without)))

    def _by_static(self, plan: Plan, order: Ints, deadline: float) -> Ints:
        """The first documents of an order that match."""
        finder = self._reader.finder
        found: list[Ints] = []
        count = 0
        for begin in range(0, min(len(order), _STATIC_LOOKED_AT), _STATIC_CHUNK):
            chunk = order[begin : begin + _STATIC_CHUNK]
            holding = self._reader.holding_any(chunk, plan.slots)
            if len(holding):
                matching = finder.find(finder.among(plan.find_any, holding), len(holding)).numbers
                found.append(matching)
                count += len(matching)
            if count >= _STATIC_CANDIDATES or monotonic() > deadline:
                break
        return np.concatenate(found) if found else np.empty(0, np.int64)


def order_of(scores: Floats) -> Ints:
    """The places of the scores, the highest first; equal ones as they stand."""
    return np.argsort(-scores, kind="stable")
