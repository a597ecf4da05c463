"""The loops of ranking that are too long for Python, compiled."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel
from gossamer.matches import Floats, Matches


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
    matches: Matches, widths: Any, field: int, columns: Sequence[Any], stop_words: float
) -> tuple[Floats, Floats]:
    """For each candidate: which share of its own title are words of the query, and which share of
    the query's slots the title holds. `widths`: the words that a place of each slot takes, 0 for a
    slot that does not count. `columns`: of each title the word at which the own title begins, its
    words, those of them that are no stop words, and the words of the whole field. `stop_words`: so
    many of the query are not among its slots."""
    hits = matches.hits
    # Of one layout: numba compiles a function for each that it meets.
    begins, words, telling, lengths = (np.ascontiguousarray(one, np.float64) for one in columns)
    found: tuple[Floats, Floats] = _titled(
        *(hits.documents, hits.slots, hits.fields, hits.positions, widths, field),
        *(begins, words, telling, lengths, stop_words),
    )
    return found


@kernel(
    "const i4[], const i4[], const i4[], const i4[], const i8[], i8, "
    "const f8[], const f8[], const f8[], const f8[], f8"
)
def _titled(
    documents: Any,
    slots: Any,
    fields: Any,
    positions: Any,
    widths: Any,
    field: int,
    begins: Any,
    words: Any,
    telling: Any,
    lengths: Any,
    stop_words: float,
) -> Any:
    size = len(begins)
    named = np.zeros(size)  # words of the query in the own title
    held = np.zeros(size)  # and the different slots of these
    whole_named = np.zeros(size)  # the same in all of the field
    whole_held = np.zeros(size)
    # Of each slot, the candidate that it was last met in
    last = np.full(len(widths), -1, np.int64)
    whole_last = np.full(len(widths), -1, np.int64)
    for hit in range(len(slots)):
        document, slot = documents[hit], slots[hit]
        if fields[hit] != field or not widths[slot]:
            continue
        whole_named[document] += widths[slot]
        if whole_last[slot] != document:
            whole_last[slot] = document
            whole_held[document] += 1
        if begins[document] <= positions[hit] < begins[document] + words[document]:
            named[document] += widths[slot]
            if last[slot] != document:
                last[slot] = document
                held[document] += 1
    asked = max(1, np.count_nonzero(widths))
    for document in range(size):
        counted = words[document]
        if telling[document] > 0:
            # Stop words of the query are not looked for: so many may stand in the title, too.
            stops = max(0.0, words[document] - telling[document] - stop_words)
            counted = telling[document] + stops
        if whole_held[document] > held[document]:
            # A title that was copied has the name of the site, too.
            named[document] = whole_named[document]
            held[document] = whole_held[document]
            counted += lengths[document] - words[document]
        named[document] = min(named[document] / max(counted, 1.0), 1.0)
        held[document] /= asked
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
