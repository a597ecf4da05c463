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
_TOUCHED = 256
"""So many documents are brought near at a time."""
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
    weights: Any,
    placed: int,
    first: int,
    tallies: Any,
) -> Any:
    """All places of the slots below `placed` in the documents of these rows, which are the
    candidates from `first` on. In `tallies`, candidates x slots, every place of every slot adds the
    weight of its field."""
    room = 16 + 8 * len(rows)
    documents = np.empty(room, np.int32)
    slots = np.empty(room, np.uint8)
    fields = np.empty(room, np.uint8)
    positions = np.empty(room, np.int32)
    written = np.empty(room, np.uint8)
    found = 0
    touched = 0
    for candidate in range(len(rows)):
        if candidate % _TOUCHED == 0:
            near = rows[candidate : candidate + _TOUCHED]
            touched ^= _touch(near, starts, tokens, rare_starts, spans)
        row = rows[candidate]
        begin = starts[row]
        rare_place = rare_starts[row]
        tally = tallies[first + candidate]
        for field in range(spans.shape[1]):
            length = np.int64(spans[row, field])
            words = tokens[begin : begin + length]
            for position in range(length):
                slot = slot_of[words[position]]
                if slot == NO_SLOT:
                    continue
                if slot == SOME_RARE:
                    slot = NO_SLOT
                    for known in range(len(rare_terms)):
                        if rare_terms[known] == rare[rare_place]:
                            slot = rare_slots[known]
                    rare_place += 1
                    if slot == NO_SLOT:
                        continue
                tally[slot] += weights[field]
                if slot >= placed:
                    continue
                if found == room:
                    room *= 2
                    documents = _grown(documents, room)
                    slots = _grown(slots, room)
                    fields = _grown(fields, room)
                    positions = _grown(positions, room)
                    written = _grown(written, room)
                documents[found] = first + candidate
                slots[found] = slot
                fields[found] = field
                positions[found] = position
                place = begin + position
                written[found] = (capitals[place >> 2] >> ((place & 3) << 1)) & 3
                found += 1
            begin += length
    return (
        documents[:found],
        slots[:found],
        fields[:found],
        positions[:found],
        written[:found],
        touched,
    )


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _touch(rows: Any, starts: Any, tokens: Any, rare_starts: Any, spans: Any) -> Any:
    """Have the memory of some documents brought near, all of it at once: waiting for one after the
    other takes longer than reading them. What it returns keeps the compiler from leaving it out."""
    seen = np.int64(0)
    for row in rows:
        seen ^= rare_starts[row] ^ np.int64(spans[row, 0])
        for place in range(starts[row], starts[row + 1], 32):  # 64 bytes
            seen ^= np.int64(tokens[place])
    return seen


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _grown(array: Any, room: int) -> Any:
    larger = np.empty(room, array.dtype)
    larger[: len(array)] = array
    return larger


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def holding(
    rows: Any,
    starts: Any,
    tokens: Any,
    rare_starts: Any,
    rare: Any,
    slot_of: Any,
    rare_terms: Any,
) -> Any:
    """Which of these rows hold any of the wanted terms."""
    found = np.zeros(len(rows), np.bool_)
    for candidate in range(len(rows)):
        row = rows[candidate]
        rare_place = rare_starts[row]
        for token in tokens[starts[row] : starts[row + 1]]:
            slot = slot_of[token]
            if slot == NO_SLOT:
                continue
            if slot == SOME_RARE:
                for known in rare_terms:
                    if known == rare[rare_place]:
                        found[candidate] = True
                rare_place += 1
                if not found[candidate]:
                    continue
            found[candidate] = True
            break
    return found


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def look_up(
    hashes: Any, order: Any, ends: Any, letters: Any, wanted: Any, asked: Any, asked_ends: Any
) -> Any:
    """The numbers of words by their hashes, -1 for those that are not there. `hashes` in their
    order, `order`: whose each is; `ends`, `letters`: how the words are written, and `asked` how the
    wanted ones are, behind each other: two words may share a hash."""
    numbers = np.full(len(wanted), -1, np.int64)
    begin = np.int64(0)
    for word in range(len(wanted)):
        length = asked_ends[word] - begin
        place = np.searchsorted(hashes, wanted[word])
        while place < len(hashes) and hashes[place] == wanted[word]:
            number = np.int64(order[place])
            first = np.int64(0) if number == 0 else np.int64(ends[number - 1])
            same = ends[number] - first == length
            for letter in range(length):
                if not same:
                    break
                same = letters[first + letter] == asked[begin + letter]
            if same:
                numbers[word] = number
                break
            place += 1
        begin = asked_ends[word]
    return numbers


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
    rows: Any,
    power: Any,
    norms: Any,
    starts: Any,
    tokens: Any,
    rare_starts: Any,
    rare: Any,
    frequencies: Any,
    documents: float,
    share: float,
    least: int,
) -> Any:
    """The terms of some documents; the sum of the saturated frequencies of each, by the power of
    the documents, times its idf. `norms`: the frequency that is worth half of all that
    more of it can bring. `share`: of all `documents`, those that `frequencies` speak of. Terms of
    fewer than `least` documents are left out."""
    room = 0
    for row in rows:
        room += starts[row + 1] - starts[row]
    size = 16
    while size < 2 * room:
        size *= 2
    # Terms by hash; at the place of each how often it stands in this document, and its votes.
    terms = np.full(size, -1, np.int64)
    counts = np.zeros(size, np.int32)
    votes = np.zeros(size)
    held = np.empty(room, np.int64)
    different = 0
    touched = np.empty(room, np.int64)
    for document in range(len(rows)):
        row = rows[document]
        rare_place = rare_starts[row]
        of_document = 0
        for token in tokens[starts[row] : starts[row + 1]]:
            term = np.int64(token)
            if term == RARE:
                term = np.int64(rare[rare_place])
                rare_place += 1
            place = (term * 2654435761) & (size - 1)
            while terms[place] != term and terms[place] != -1:
                place = (place + 1) & (size - 1)
            if terms[place] == -1:
                terms[place] = term
                held[different] = place
                different += 1
            if counts[place] == 0:
                touched[of_document] = place
                of_document += 1
            counts[place] += 1
        for place in touched[:of_document]:
            votes[place] += power[document] * counts[place] / (counts[place] + norms[document])
            counts[place] = 0
    found = np.empty(different, np.int64)
    weights = np.empty(different)
    used = 0
    for place in held[:different]:
        frequency = frequencies[terms[place]]
        if frequency >= least:
            supposed = min(frequency / share, documents)
            found[used] = terms[place]
            weights[used] = votes[place] * np.log1p((documents - supposed + 0.5) / (supposed + 0.5))
            used += 1
    return found[:used], weights[:used]
