"""The loops over all words of many documents, compiled."""

from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel

RARE = 0xFFFF
"""In place of a number of a word: it is among the document's rare ones."""
NO_SLOT = 0xFF
_TOUCHED = 256
"""So many documents are brought near at a time."""
SOME_RARE = 0xFE
"""A slot, too: look at which rare word it is. Where no rare word is wanted there is no need."""


@kernel("i4[], i8[], i8")
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


@kernel("i4[], i8[], i8[]")
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


@kernel(
    "i8[], const i8[], const u2[], const i8[], const u4[], const u4[,], const u1[], i8[], "
    "u1[], f8[], i8, i8, f8[,]"
)
def scan(
    rows: Any,
    starts: Any,
    tokens: Any,
    rare_starts: Any,
    rare: Any,
    spans: Any,
    capitals: Any,
    terms: Any,
    term_slots: Any,
    weights: Any,
    placed: int,
    first: int,
    tallies: Any,
) -> Any:
    """All places of the slots below `placed` in the documents of these rows, which are the
    candidates from `first` on. In `tallies`, candidates x slots, every place of every slot adds the
    weight of its field. `terms`, `term_slots`: what is looked for, and the slot of each. The places
    are one array, as to hand over five takes longer; behind it, how many there are."""
    slot_of = _slots_by_token(terms, term_slots)
    longest = np.int64(0)
    for row in rows:
        longest = max(longest, starts[row + 1] - starts[row])
    held = np.empty(longest + 1, np.int64)
    room = 16 + 8 * len(rows)
    hits = np.empty((5, room), np.int32)
    found = 0
    touched = 0
    for candidate in range(len(rows)):
        if candidate % _TOUCHED == 0:
            near = rows[candidate : candidate + _TOUCHED]
            touched ^= _touch(near, starts, tokens, rare_starts, spans, capitals)
        row = rows[candidate]
        begin = starts[row]
        words = tokens[begin : starts[row + 1]]
        count = _hold(words, slot_of, held)
        while found + np.int64(count) > room:
            room *= 2
            larger = np.empty((5, room), np.int32)
            larger[:, :found] = hits[:, :found]
            hits = larger
        rare_place = rare_starts[row]
        tally = tallies[first + candidate]
        field = 0
        field_begin = np.int64(0)
        field_end = np.int64(spans[row, 0])
        for place in held[:count]:
            while place >= field_end:
                field += 1
                field_begin = field_end
                field_end += np.int64(spans[row, field])
            slot = slot_of[words[place]]
            if slot == SOME_RARE:
                slot = _slot_of_rare(rare[rare_place], terms, term_slots)
                rare_place += 1
                if slot == NO_SLOT:
                    continue
            tally[slot] += weights[field]
            if slot < placed:
                hits[0, found] = first + candidate
                hits[1, found] = slot
                hits[2, found] = field
                hits[3, found] = place - field_begin
                place += begin
                hits[4, found] = (capitals[place >> 2] >> ((place & 3) << 1)) & 3
                found += 1
    return hits, found, touched


@kernel(
    "i8[], const i8[], const u2[], const i8[], const u4[], const u4[,], i8[], f8[], f8[], "
    "f8[], f8[]"
)
def add_saturated(
    rows: Any,
    starts: Any,
    tokens: Any,
    rare_starts: Any,
    rare: Any,
    spans: Any,
    terms: Any,
    term_weights: Any,
    weights: Any,
    norms: Any,
    sums: Any,
) -> None:
    """To `sums`, one of each row, is added over the terms: weight * f / (f + norm), where f is how
    often the term stands there, a field by its weight. Of up to 250 terms."""
    slots = np.arange(len(terms)).astype(np.uint8)
    slot_of = _slots_by_token(terms, slots)
    longest = np.int64(0)
    for row in rows:
        longest = max(longest, starts[row + 1] - starts[row])
    held = np.empty(longest + 1, np.int64)
    frequencies = np.zeros(len(terms))
    touched = np.empty(longest + 1, np.uint8)
    for candidate in range(len(rows)):
        row = rows[candidate]
        words = tokens[starts[row] : starts[row + 1]]
        count = _hold(words, slot_of, held)
        rare_place = rare_starts[row]
        different = 0
        field = 0
        field_end = np.int64(spans[row, 0])
        for place in held[:count]:
            while place >= field_end:
                field += 1
                field_end += np.int64(spans[row, field])
            slot = slot_of[words[place]]
            if slot == SOME_RARE:
                slot = _slot_of_rare(rare[rare_place], terms, slots)
                rare_place += 1
                if slot == NO_SLOT:
                    continue
            touched[different] = slot
            different += frequencies[slot] == 0.0
            frequencies[slot] += weights[field]
        total = 0.0
        for term in touched[:different]:
            frequency = frequencies[term]
            frequencies[term] = 0.0
            if frequency > 0.0:  # a field may weigh nothing
                total += term_weights[term] * frequency / (frequency + norms[candidate])
        sums[candidate] += total


@kernel()
def _hold(words: Any, slot_of: Any, held: Any) -> Any:
    """Where the words stand that are looked for, into `held`, and how many there are. Without a
    branch: nobody can foresee where in a text a word stands, and every wrong guess of the processor
    costs more than ten words."""
    count = np.uint64(0)
    for place in range(len(words)):
        held[count] = place
        count += np.uint64(slot_of[words[place]] != NO_SLOT)
    return count


@kernel()
def _slots_by_token(terms: Any, term_slots: Any) -> Any:
    """A table from what stands in a document to the slots of the terms that are looked for."""
    slot_of = np.full(RARE + 1, NO_SLOT, np.uint8)
    for place in range(len(terms)):
        if terms[place] >= RARE:
            slot_of[RARE] = SOME_RARE
        elif terms[place] >= 0:
            slot_of[terms[place]] = term_slots[place]
    return slot_of


@kernel()
def _slot_of_rare(term: Any, terms: Any, term_slots: Any) -> Any:
    for place in range(len(terms)):
        if terms[place] == term:
            return term_slots[place]
    return np.uint8(NO_SLOT)


@kernel()
def _touch(rows: Any, starts: Any, tokens: Any, rare_starts: Any, spans: Any, capitals: Any) -> Any:
    """Have the memory of some documents brought near, all of it at once: waiting for one after the
    other takes longer than reading them. What it returns keeps the compiler from leaving it out."""
    seen = np.int64(0)
    for row in rows:
        seen ^= rare_starts[row] ^ np.int64(spans[row, 0])
        for place in range(starts[row], starts[row + 1], 32):  # 64 bytes
            seen ^= np.int64(tokens[place])
        for place in range(starts[row] >> 2, starts[row + 1] >> 2, 64):
            seen ^= np.int64(capitals[place])
    return seen


@kernel("i8[], u1[], const i4[], const i8[], f8[,]")
def add_statistics(
    terms: Any, term_slots: Any, frequencies: Any, occurrences: Any, totals: Any
) -> None:
    """To `totals`, 2 x slots, is added how many documents hold the terms of each slot, and how
    often these stand in all."""
    for place in range(len(terms)):
        if terms[place] >= 0:
            totals[0, term_slots[place]] += frequencies[terms[place]]
            totals[1, term_slots[place]] += occurrences[terms[place]]


@kernel("i8[], const i8[], const u2[], const i8[], const u4[], i8[], u1[]")
def holding(
    rows: Any, starts: Any, tokens: Any, rare_starts: Any, rare: Any, terms: Any, term_slots: Any
) -> Any:
    """Which of these rows hold any of the wanted terms."""
    slot_of = _slots_by_token(terms, term_slots)
    found = np.zeros(len(rows), np.bool_)
    for candidate in range(len(rows)):
        row = rows[candidate]
        rare_place = rare_starts[row]
        for token in tokens[starts[row] : starts[row + 1]]:
            slot = slot_of[token]
            if slot == SOME_RARE:
                slot = _slot_of_rare(rare[rare_place], terms, term_slots)
                rare_place += 1
            if slot != NO_SLOT:
                found[candidate] = True
                break
    return found


@kernel("i8, const i8[], const u2[], const i8[], const u4[]")
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


@kernel("i4[], i8[], i8[], const i8[], const u2[], const i8[], const u4[]")
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


@kernel("u1[]")
def pack_capitals(capitals: Any) -> Any:
    """Two bits a word."""
    packed = np.zeros((len(capitals) + 3) >> 2, np.uint8)
    for place in range(len(capitals)):
        packed[place >> 2] |= capitals[place] << ((place & 3) << 1)
    return packed


@kernel("i4[], i8[], u4[,], u1[], f8[], f8[]")
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


@kernel(
    "i8[], f8[], const b1[], f8, f8, f8, const i8[], const u2[], const i8[], const u4[], "
    "const u4[,], const i4[], f8, f8, i8"
)
def vote(
    rows: Any,
    power: Any,
    counted: Any,
    k: float,
    b: float,
    average: float,
    starts: Any,
    tokens: Any,
    rare_starts: Any,
    rare: Any,
    spans: Any,
    frequencies: Any,
    documents: float,
    share: float,
    least: int,
) -> Any:
    """The terms of some documents in the `counted` fields; the sum of the saturated frequencies of
    each, by the power of the documents; and that times its idf. `average`: the length of
    documents. `share`: of all `documents`, those that `frequencies` speak of. Terms of fewer than
    `least` documents are left out."""
    room = 0
    for row in rows:
        room += starts[row + 1] - starts[row]
    size = 16
    while size < room + room // 2:
        size *= 2
    # Terms by hash; at the place of each how often it stands in this document, and its votes.
    terms = np.full(size, -1, np.int64)
    counts = np.zeros(size, np.int32)
    votes = np.zeros(size)
    held = np.empty(room + 1, np.int64)
    different = 0
    touched = np.empty(room + 1, np.int64)
    for document in range(len(rows)):
        row = rows[document]
        rare_place = rare_starts[row]
        # The last field holds further forms of words, which make no document longer.
        length = starts[row + 1] - starts[row] - np.int64(spans[row, -1])
        norm = k * (1 - b + b * length / average)
        of_document = 0
        field = 0
        field_end = starts[row] + np.int64(spans[row, 0])
        for position in range(starts[row], starts[row + 1]):
            while position >= field_end:
                field += 1
                field_end += np.int64(spans[row, field])
            term = np.int64(tokens[position])
            if term == RARE:
                term = np.int64(rare[rare_place])
                rare_place += 1
            if not counted[field]:
                continue
            place = (term * 2654435761) & (size - 1)
            while terms[place] != term and terms[place] != -1:
                place = (place + 1) & (size - 1)
            # Without branches: nobody can foresee which words come again.
            held[different] = place
            different += terms[place] == -1
            terms[place] = term
            touched[of_document] = place
            of_document += counts[place] == 0
            counts[place] += 1
        for place in touched[:of_document]:
            votes[place] += power[document] * counts[place] / (counts[place] + norm)
            counts[place] = 0
    found = np.empty(different, np.int64)
    sums = np.empty(different)
    weights = np.empty(different)
    used = 0
    for place in held[:different]:
        frequency = frequencies[terms[place]]
        if frequency >= least:
            supposed = min(frequency / share, documents)
            found[used] = terms[place]
            sums[used] = votes[place]
            weights[used] = votes[place] * np.log((documents + 1) / (supposed + 0.5))
            used += 1
    return found[:used], sums[:used], weights[:used]


@kernel("i8[], const i4[], const i8[], i8[], f8[], f8[,]")
def add_votes(
    numbers: Any, frequencies: Any, occurrences: Any, terms: Any, sums: Any, totals: Any
) -> None:
    """To `totals`, 3 x words, is added how many documents hold each of some words, how often it
    stands, and what documents have voted for it. `numbers`: of the words, -1 for one that the part
    does not have. `terms`, `sums`: the votes."""
    size = 16
    while size < 4 * len(numbers):
        size *= 2
    words = np.full(size, -1, np.int64)  # by their numbers
    for word in range(len(numbers)):
        if numbers[word] != -1:
            totals[0, word] += frequencies[numbers[word]]
            totals[1, word] += occurrences[numbers[word]]
            slot = numbers[word] & (size - 1)
            while words[slot] != -1:
                slot = (slot + 1) & (size - 1)
            words[slot] = word
    for vote in range(len(terms)):
        slot = terms[vote] & (size - 1)
        while words[slot] != -1:
            if numbers[words[slot]] == terms[vote]:
                totals[2, words[slot]] += sums[vote]
                break
            slot = (slot + 1) & (size - 1)
