"""The loops over all words of many documents, compiled.

numba compiles them when they are first called and keeps the result beside this file, or in the
folder that NUMBA_CACHE_DIR names.
"""

from typing import Any

import numpy as np
from numba import njit

RARE = 0xFFFF
"""In place of a number of a word: it is among the document's rare ones."""
NO_SLOT = 0xFF
SOME_RARE = 0xFE
"""A slot, too: look at which rare word it is. Where no rare word is wanted there is no need."""


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def count_terms(tokens: Any, starts: Any, terms: int) -> Any:
    """How many documents hold each term, and how often it stands in all."""
    documents = np.zeros(terms, np.int32)
    occurrences = np.zeros(terms, np.int64)
    last = np.full(terms, -1, np.int64)
    for row in range(len(starts) - 1):
        for place in range(starts[row], starts[row + 1]):
            term = tokens[place]
            occurrences[term] += 1
            if last[term] != row:
                last[term] = row
                documents[term] += 1
    return documents, occurrences


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def encode(tokens: Any, starts: Any, numbers: Any) -> Any:
    """Tokens under their final numbers in 16 bits; those beyond go to the rare ones."""
    short = np.empty(len(tokens), np.uint16)
    rare_starts = np.zeros(len(starts), np.int64)
    rare = np.empty(len(tokens), np.uint32)
    used = 0
    for row in range(len(starts) - 1):
        for place in range(starts[row], starts[row + 1]):
            number = numbers[tokens[place]]
            if number < RARE:
                short[place] = number
            else:
                short[place] = RARE
                rare[used] = number
                used += 1
        rare_starts[row + 1] = used
    return short, rare_starts, rare[:used].copy()


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def scan(
    rows: Any,
    starts: Any,
    tokens: Any,
    rare_starts: Any,
    rare: Any,
    spans: Any,
    capitals: Any,
    slot_of: Any,
    rare_terms: Any,
    rare_slots: Any,
    room: int,
) -> Any:
    """All places of the wanted terms in the documents of these rows."""
    documents = np.empty(room, np.int32)
    slots = np.empty(room, np.uint8)
    fields = np.empty(room, np.uint8)
    positions = np.empty(room, np.int32)
    written = np.empty(room, np.uint8)
    found = 0
    for candidate in range(len(rows)):
        row = rows[candidate]
        place = starts[row]
        rare_place = rare_starts[row]
        for field in range(spans.shape[1]):
            length = spans[row, field]
            for position in range(length):
                slot = slot_of[tokens[place]]
                if slot == SOME_RARE:
                    slot = NO_SLOT
                    for known in range(len(rare_terms)):
                        if rare_terms[known] == rare[rare_place]:
                            slot = rare_slots[known]
                    rare_place += 1
                if slot != NO_SLOT:
                    documents[found] = candidate
                    slots[found] = slot
                    fields[found] = field
                    positions[found] = position
                    written[found] = (capitals[place >> 2] >> ((place & 3) << 1)) & 3
                    found += 1
                place += 1
    return (
        documents[:found].copy(),
        slots[:found].copy(),
        fields[:found].copy(),
        positions[:found].copy(),
        written[:found].copy(),
    )


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def terms_of(row: int, starts: Any, tokens: Any, rare_starts: Any, rare: Any) -> Any:
    """The term numbers of a document in their order."""
    begin, end = starts[row], starts[row + 1]
    terms = np.empty(end - begin, np.uint32)
    rare_place = rare_starts[row]
    for place in range(begin, end):
        if tokens[place] == RARE:
            terms[place - begin] = rare[rare_place]
            rare_place += 1
        else:
            terms[place - begin] = tokens[place]
    return terms


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def without_documents(
    frequencies: Any,
    occurrences: Any,
    rows: Any,
    starts: Any,
    tokens: Any,
    rare_starts: Any,
    rare: Any,
) -> None:
    """Take documents out of the statistics of a part, in place."""
    last = np.full(len(frequencies), -1, np.int64)
    for row in rows:
        rare_place = rare_starts[row]
        for place in range(starts[row], starts[row + 1]):
            term = np.int64(tokens[place])
            if term == RARE:
                term = np.int64(rare[rare_place])
                rare_place += 1
            occurrences[term] -= 1
            if last[term] != row:
                last[term] = row
                frequencies[term] -= 1


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def pack_capitals(capitals: Any) -> Any:
    """Two bits a word."""
    packed = np.zeros((len(capitals) + 3) >> 2, np.uint8)
    for place in range(len(capitals)):
        packed[place >> 2] |= capitals[place] << ((place & 3) << 1)
    return packed


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def weigh(tokens: Any, starts: Any, spans: Any, capitals: Any, places: Any, written: Any) -> Any:
    """Of each document its number of different words, the sum of their weighted frequencies, the
    sum of the squares, and the largest. `places`, `written`: weights of fields and of capitals."""
    rows = len(starts) - 1
    sums = np.zeros((rows, 4))
    terms = 0
    for token in tokens:
        terms = max(terms, token + 1)
    frequencies = np.zeros(terms)
    for row in range(rows):
        place = starts[row]
        for field in range(spans.shape[1]):
            for _ in range(spans[row, field]):
                frequencies[tokens[place]] += places[field] * written[capitals[place]]
                place += 1
        for place in range(starts[row], starts[row + 1]):
            frequency = frequencies[tokens[place]]
            if frequency > 0:
                sums[row, 0] += 1
                sums[row, 1] += frequency
                sums[row, 2] += frequency * frequency
                sums[row, 3] = max(sums[row, 3], frequency)
                frequencies[tokens[place]] = 0
    return sums


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def vote(
    rows: Any, power: Any, norms: Any, starts: Any, tokens: Any, rare_starts: Any, rare: Any
) -> Any:
    """Terms of the documents, and what each weighs there: a saturated frequency by the power of
    the document. A term comes once for each document. `norms`: the frequency that is worth half
    of all that more of it can bring."""
    room = 0
    for row in rows:
        room += starts[row + 1] - starts[row]
    terms = np.empty(room, np.int64)
    weights = np.empty(room)
    used = 0
    for place in range(len(rows)):
        of_row = np.sort(terms_of(rows[place], starts, tokens, rare_starts, rare))
        begin = 0
        while begin < len(of_row):
            end = begin + 1
            while end < len(of_row) and of_row[end] == of_row[begin]:
                end += 1
            terms[used] = of_row[begin]
            weights[used] = power[place] * (end - begin) / (end - begin + norms[place])
            used += 1
            begin = end
    return terms[:used], weights[:used]
