"""The loops of ranking that are too long for Python, compiled."""

from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel
from gossamer.matches import Floats, Hits, Matches


def held_all(matches: Matches, required: Any, fields: Any) -> Floats:
    """1 for candidates that hold every one of the `required` slots in one of the `fields`."""
    hits = matches.hits
    found: Floats = _held_all(
        hits.documents, hits.slots, hits.fields, required, fields, matches.size
    )
    return found


@kernel("i4[], i4[], i4[], b1[], b1[], i8")
def _held_all(
    documents: Any, slots: Any, fields: Any, required: Any, counts_in: Any, size: int
) -> Any:
    wanted = 0
    for slot in range(len(required)):
        wanted += required[slot]
    held = np.zeros((size, len(required)), np.bool_)
    missing = np.full(size, wanted, np.int64)
    for hit in range(len(slots)):
        document, slot = documents[hit], slots[hit]
        if required[slot] and counts_in[fields[hit]] and not held[document, slot]:
            held[document, slot] = True
            missing[document] -= 1
    return (missing == 0).astype(np.float64)


def titled(
    hits: Hits, widths: Any, field: int, begins: Any, ends: Any, size: int
) -> tuple[Floats, Floats]:
    """Of each candidate how many words of its own title, which lies in `field` from its `begins`
    to its `ends`, are words of the query; and how many slots of the query stand there. `widths`:
    the words that a place of each slot takes, 0 for a slot that does not count."""
    found: tuple[Floats, Floats] = _titled(
        *(hits.documents, hits.slots, hits.fields, hits.positions, widths, field),
        *(_for_each(begins, size), _for_each(ends, size)),
    )
    return found


def _for_each(values: Any, size: int) -> Floats:
    return np.ascontiguousarray(np.broadcast_to(values, (size,)), np.float64)


@kernel("i4[], i4[], i4[], i4[], i8[], i8, const f8[], const f8[]")
def _titled(
    documents: Any,
    slots: Any,
    fields: Any,
    positions: Any,
    widths: Any,
    field: int,
    begins: Any,
    ends: Any,
) -> Any:
    named = np.zeros(len(begins))
    held = np.zeros(len(begins))
    last = np.full(len(widths), -1, np.int64)  # of each slot, the candidate it was last met in
    for hit in range(len(slots)):
        document, slot = documents[hit], slots[hit]
        if fields[hit] != field or not widths[slot]:
            continue
        if begins[document] <= positions[hit] < ends[document]:
            named[document] += widths[slot]
            if last[slot] != document:
                last[slot] = document
                held[document] += 1
    return named, held


@kernel("f8[,], f8, f8[], f8[]")
def saturated_sums(frequencies: Any, k: float, lengths: Any, weights: Any) -> Any:
    """Of each candidate the sum over its slots of weight * (k + 1) f / (f + k * length)."""
    counting = np.flatnonzero(weights)
    sums = np.zeros(len(frequencies))
    for candidate in range(len(frequencies)):
        norm = k * lengths[candidate]
        total = 0.0
        for slot in counting:
            frequency = frequencies[candidate, slot]
            if frequency > 0:
                total += weights[slot] * frequency * (k + 1) / (frequency + norm)
        sums[candidate] = total
    return sums


def neighbours(matches: Matches, required: Any, apart: int) -> Floats:
    """candidates x slots: how often a slot stands close before the next one, both `required`.
    One other word of the query may stand between the two."""
    hits = matches.hits
    found: Floats = _neighbours(
        *(hits.documents, hits.slots, hits.fields, hits.positions),
        *(required, apart, matches.size),
    )
    return found


@kernel("i4[], i4[], i4[], i4[], b1[], i8, i8")
def _neighbours(
    documents: Any, slots: Any, fields: Any, positions: Any, required: Any, apart: int, size: int
) -> Any:
    counted = np.zeros((size, len(required)))
    for first in range(len(slots) - 1):
        slot = slots[first]
        if not required[slot]:
            continue
        for second in range(first + 1, min(first + 3, len(slots))):
            if (
                slots[second] == slot + 1
                and required[slots[second]]
                and documents[second] == documents[first]
                and fields[second] == fields[first]
                and positions[second] - positions[first] <= apart
            ):
                counted[documents[first], slot] += 1
    return counted
