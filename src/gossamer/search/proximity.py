"""Which documents hold some words near each other?

In: terms in their order, and how many other words may stand between them. Out: numbers of
documents.

The finder knows no order of words within a distance, nor where one field ends and the next begins:
it tells which documents hold the words, and the forward store where they stand.
"""

from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

import numpy as np

from gossamer.index.reader import IndexReader
from gossamer.matches import Hits, Ints

_AT_ONCE = 10_000  # documents


class Near(NamedTuple):
    numbers: Ints
    is_complete: bool  # False where the time limit was reached before all documents were checked


def near(reader: IndexReader, terms: Sequence[str], slop: int, field: str, deadline: float) -> Near:
    """The documents in which one field holds all terms in this order, with up to `slop` other words
    between the first and the last. `field`: only in this one, if it can be searched alone."""
    finder = reader.finder
    holding = finder.combined([finder.term(term, field) for term in dict.fromkeys(terms)])
    numbers = np.sort(finder.find(holding, max(1, reader.manifest.documents)).numbers)
    texts = reader.fields.texts
    alone = texts.index(field) if field in finder.own_fields else None
    slots = [[term] for term in dict.fromkeys(terms)]
    order = [slots.index([term]) for term in terms]
    statistics, weights = reader.statistics(slots), np.ones(len(texts))
    found = [numbers[:0]]
    for begin in range(0, len(numbers), _AT_ONCE):
        if monotonic() > deadline:
            return Near(np.concatenate(found), False)
        some = numbers[begin : begin + _AT_ONCE]
        hits = reader.matches(some, slots, statistics, weights).hits
        # Further forms of words, in the last field, have no place.
        counts = hits.fields != len(texts) - 1 if alone is None else hits.fields == alone
        found.append(some[_in_order(Hits(*(column[counts] for column in hits)), order, slop)])
    return Near(np.concatenate(found), True)


def _in_order(hits: Hits, order: Sequence[int], slop: int) -> Ints:
    """The documents of the hits, in which the slots follow each other in this order."""
    fields = int(hits.fields.max(initial=0)) + 1
    # So far apart that no distance reaches from one field into the next.
    places = ((hits.documents.astype(np.int64) * fields + hits.fields) << 32) + hits.positions
    own = [np.sort(places[hits.slots == slot]) for slot in order]
    first = last = own[0]
    for following in own[1:]:
        # From each place the nearest next word: no other choice ends earlier.
        nearest = np.searchsorted(following, last, "right")
        is_there = nearest < len(following)
        first, last = first[is_there], following[nearest[is_there]]
    is_near = last - first <= slop + len(order) - 1
    return np.unique((first[is_near] >> 32) // fields)
