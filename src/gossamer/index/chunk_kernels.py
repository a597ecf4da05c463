"""The loops over the bytes of a text and the chunks in it, compiled as `kernels` are."""

from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel

UNKNOWN = -1
COLUMNS = 13
"""Of a chunk: the hash of its key, its language, where the key lies, how long it is; where its
terms lie, how many of them have a position, how many have none; where their letters lie, how many
letters there are of either; where its words lie, how many; how often it came again."""
HASH, LANGUAGE, KEY, KEY_LENGTH = 0, 1, 2, 3
TERMS, MAIN, EXTRAS = 4, 5, 6
LETTERS, MAIN_LETTERS, EXTRA_LETTERS = 7, 8, 9
WORDS, WORDS_COUNT = 10, 11
USES = 12

SPACE, OPENING, CLOSING = 1, 2, 4
"""Kinds of bytes: one that ends a chunk, one that is taken off its front, off its end."""


@kernel()
def _hash(text: Any, begin: int, end: int, seed: int) -> Any:
    mixed = np.uint64(seed)
    for letter in range(begin, end):
        mixed = (mixed ^ np.uint64(text[letter])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed >> np.uint64(33)


@kernel("const u1[], i8[], i8, i8, u1[], i8[], i4[,], u1[]")
def find(
    text: Any,
    ends: Any,
    language: int,
    seed: int,
    kinds: Any,
    slots: Any,
    chunks: Any,
    keys: Any,
) -> Any:
    """The chunks of the fields of a document, which end at `ends`: the number of each, how many
    there are up to the end of each field, and begin, end and place here of the unknown ones.
    The last is of no use."""
    room = len(text) // 2 + 1 + len(ends)
    begins = np.empty(room, np.int64)
    hashes = np.empty(room, np.int64)
    lengths = np.empty(room, np.int64)
    field_ends = np.empty(len(ends), np.int64)
    count = place = 0
    for field in range(len(ends)):
        field_end = ends[field]
        while place < field_end:
            if kinds[text[place]] & SPACE:
                place += 1
                continue
            begin = place
            while place < field_end and not kinds[text[place]] & SPACE:
                place += 1
            end = place
            while begin < end and kinds[text[begin]] & OPENING:
                begin += 1
            while begin < end and kinds[text[end - 1]] & CLOSING:
                end -= 1
            if begin == end:
                continue
            begins[count] = begin
            lengths[count] = end - begin
            hashes[count] = _hash(text, begin, end, seed)
            count += 1
        field_ends[field] = count
    found = np.empty(count, np.int32)
    mask = len(slots) - 1
    missing = 0
    touched = _touch(hashes[:count], slots, chunks, keys)
    for chunk in range(count):
        slot = hashes[chunk] & mask
        number = UNKNOWN
        while slots[slot] != UNKNOWN:
            if slots[slot] >> 32 == hashes[chunk]:
                held = slots[slot] & 0xFFFFFFFF
                same = chunks[held, LANGUAGE] == language
                if same and chunks[held, KEY_LENGTH] == lengths[chunk]:
                    key, begin = chunks[held, KEY], begins[chunk]
                    step = 0
                    while step < lengths[chunk] and keys[key + step] == text[begin + step]:
                        step += 1
                    if step == lengths[chunk]:
                        number = held
                        chunks[held, USES] += 1
                        break
            slot = (slot + 1) & mask
        found[chunk] = number
        missing += number == UNKNOWN
    unknown = np.empty((missing, 3), np.int64)
    missing = 0
    for chunk in range(count):
        if found[chunk] == UNKNOWN:
            unknown[missing, 0] = begins[chunk]
            unknown[missing, 1] = begins[chunk] + lengths[chunk]
            unknown[missing, 2] = chunk
            missing += 1
    return found, field_ends, unknown, touched


@kernel()
def _touch(hashes: Any, slots: Any, chunks: Any, keys: Any) -> Any:
    """Have the memory of what is likely to be found brought near, all of it at once: waiting for
    one chunk after the other takes longer. What it returns keeps the compiler from leaving it
    out."""
    mask = len(slots) - 1
    places = np.empty(len(hashes), np.int64)
    for chunk in range(len(hashes)):
        places[chunk] = slots[hashes[chunk] & mask]
    for chunk in range(len(hashes)):
        if places[chunk] != UNKNOWN:
            places[chunk] = chunks[places[chunk] & 0xFFFFFFFF, KEY]
    seen = np.uint8(0)
    for place in places:
        seen ^= keys[place]  # of what is unknown the last: as good as any
    return seen


@kernel("i8[], i4[,], i8, i8")
def enter(slots: Any, chunks: Any, first: int, last: int) -> None:
    """Make chunks known. There is more room than there are chunks. A slot holds the hash before
    the number, so that other chunks on the way need not be looked at."""
    mask = len(slots) - 1
    for number in range(first, last):
        slot = chunks[number, HASH] & mask
        while slots[slot] != UNKNOWN:
            slot = (slot + 1) & mask
        slots[slot] = np.int64(chunks[number, HASH]) << 32 | number


@kernel("i4[,], i8, i4[,], i8, i8, u1[], u1[], i8[], i8")
def lay_out(
    chunks: Any,
    first: int,
    counts: Any,
    language: int,
    seed: int,
    keys: Any,
    letters: Any,
    slots: Any,
    kept: int,
) -> None:
    """Fill the rows from `first` on, of new chunks whose keys, terms, letters and words lie behind
    those of the others, and make those below `kept` known. `counts`: of each the bytes of its key,
    its terms with a position and without one, its words."""
    last = chunks[first - 1]
    key = last[KEY] + last[KEY_LENGTH]
    term = last[TERMS] + last[MAIN] + last[EXTRAS]
    letter = last[LETTERS] + last[MAIN_LETTERS] + last[EXTRA_LETTERS]
    word = last[WORDS] + last[WORDS_COUNT]
    for new in range(len(counts)):
        row = chunks[first + new]
        row[HASH] = _hash(keys, key, key + counts[new, 0], seed)
        row[LANGUAGE] = language
        row[KEY], row[KEY_LENGTH] = key, counts[new, 0]
        row[TERMS], row[MAIN], row[EXTRAS] = term, counts[new, 1], counts[new, 2]
        row[LETTERS] = letter
        row[MAIN_LETTERS] = _length(letters, letter, counts[new, 1])
        letter += row[MAIN_LETTERS]
        row[EXTRA_LETTERS] = _length(letters, letter, counts[new, 2])
        letter += row[EXTRA_LETTERS]
        row[WORDS], row[WORDS_COUNT] = word, counts[new, 3]
        key += counts[new, 0]
        term += counts[new, 1] + counts[new, 2]
        word += counts[new, 3]
    enter(slots, chunks, first, kept)


@kernel()
def _length(letters: Any, begin: int, terms: int) -> int:
    """Of so many terms, each with a space behind it."""
    end = begin
    while terms:
        terms -= letters[end] == 0x20
        end += 1
    return end - begin


@kernel("i4[], i8[], i4[,], i4[], u1[], u1[]")
def emit(found: Any, field_ends: Any, chunks: Any, terms: Any, capitals: Any, letters: Any) -> Any:
    """The terms of a document, field after field, those without a position last: their numbers,
    how each was written, where each field ends, their letters, and where the letters do."""
    size = room = 0
    for chunk in found:
        size += chunks[chunk, MAIN] + chunks[chunk, EXTRAS]
        room += chunks[chunk, MAIN_LETTERS] + chunks[chunk, EXTRA_LETTERS]
    out_terms = np.empty(size, np.int32)
    out_capitals = np.zeros(size, np.uint8)
    out_letters = np.empty(room, np.uint8)
    term_ends = np.empty(len(field_ends) + 1, np.int64)
    letter_ends = np.empty(len(field_ends) + 1, np.int64)
    used = written = place = 0
    for field in range(len(field_ends)):
        while place < field_ends[field]:
            chunk = found[place]
            first = chunks[chunk, TERMS]
            for step in range(chunks[chunk, MAIN]):
                out_terms[used] = terms[first + step]
                out_capitals[used] = capitals[first + step]
                used += 1
            first = chunks[chunk, LETTERS]
            for step in range(chunks[chunk, MAIN_LETTERS]):
                out_letters[written] = letters[first + step]
                written += 1
            place += 1
        term_ends[field] = used
        letter_ends[field] = written
    for chunk in found:
        if chunks[chunk, EXTRAS]:
            first = chunks[chunk, TERMS] + chunks[chunk, MAIN]
            for step in range(chunks[chunk, EXTRAS]):
                out_terms[used] = terms[first + step]
                used += 1
            first = chunks[chunk, LETTERS] + chunks[chunk, MAIN_LETTERS]
            for step in range(chunks[chunk, EXTRA_LETTERS]):
                out_letters[written] = letters[first + step]
                written += 1
    term_ends[-1] = used
    letter_ends[-1] = written
    return out_terms, out_capitals, term_ends, out_letters, letter_ends


@kernel("i4[], i8[], b1[], i4[,], i4[], i4[,], i8")
def count_words(
    found: Any, field_ends: Any, counted: Any, chunks: Any, words: Any, seen: Any, document: int
) -> None:
    """Count each word of the fields that are `counted` once. `seen`: of each word the last document
    and the count."""
    place = 0
    for field in range(len(field_ends)):
        if not counted[field]:
            place = field_ends[field]
        while place < field_ends[field]:
            first = chunks[found[place], WORDS]
            for step in range(chunks[found[place], WORDS_COUNT]):
                word = words[first + step]
                if seen[word, 0] != document:
                    seen[word, 0] = document
                    seen[word, 1] += 1
            place += 1


def no_chunk() -> Any:
    """A row that stands before all others: behind the first of all keys, terms, letters and words,
    which is nobody's."""
    row = np.zeros(COLUMNS, np.int32)
    row[[KEY, TERMS, LETTERS, WORDS]] = 1
    return row


def letters_of(chunks: Any) -> Any:
    """How many bytes the key and the terms of each chunk have."""
    return chunks[:, [KEY_LENGTH, MAIN_LETTERS, EXTRA_LETTERS]].sum(axis=1)


@kernel("i8[], i4[,], u1[], i4[], u1[], u1[], i4[]")
def moved(
    order: Any, chunks: Any, keys: Any, terms: Any, capitals: Any, letters: Any, words: Any
) -> Any:
    """All that is known of some chunks and of no others, in this order. What came often lies
    together then, and nearer to the processor."""
    rows = np.zeros((len(order) + 1, COLUMNS), np.int32)
    rows[1:] = chunks[order]
    sizes = np.ones(4, np.int64)
    for row in rows:
        sizes[0] += row[KEY_LENGTH]
        sizes[1] += row[MAIN] + row[EXTRAS]
        sizes[2] += row[MAIN_LETTERS] + row[EXTRA_LETTERS]
        sizes[3] += row[WORDS_COUNT]
    new_keys = np.zeros(sizes[0], np.uint8)
    new_terms = np.zeros(sizes[1], np.int32)
    new_capitals = np.zeros(sizes[1], np.uint8)
    new_letters = np.zeros(sizes[2], np.uint8)
    new_words = np.zeros(sizes[3], np.int32)
    sizes[:] = 1
    for row in rows:
        size = row[MAIN] + row[EXTRAS]
        _move(terms, row[TERMS], new_terms, sizes[1], size)
        row[TERMS] = _move(capitals, row[TERMS], new_capitals, sizes[1], size)
        sizes[1] += size
        size = row[KEY_LENGTH]
        row[KEY] = _move(keys, row[KEY], new_keys, sizes[0], size)
        sizes[0] += size
        size = row[MAIN_LETTERS] + row[EXTRA_LETTERS]
        row[LETTERS] = _move(letters, row[LETTERS], new_letters, sizes[2], size)
        sizes[2] += size
        row[WORDS] = _move(words, row[WORDS], new_words, sizes[3], row[WORDS_COUNT])
        sizes[3] += row[WORDS_COUNT]
        row[USES] >>= 1  # what was frequent long ago need not be for ever
    return rows, new_keys, new_terms, new_capitals, new_letters, new_words


@kernel()
def _move(source: Any, begin: int, target: Any, place: int, size: int) -> int:
    for step in range(size):
        target[place + step] = source[begin + step]
    return place


@kernel("i4[], i8")
def renumber(numbers: Any, known: int) -> Any:
    """Give the numbers that are used here, of all that are known, new ones from 0 on, in place.
    Returned are the old ones in the order of the new."""
    new = np.full(known, -1, np.int32)
    old = np.empty(known, np.int32)
    used = 0
    for place in range(len(numbers)):
        number = numbers[place]
        if new[number] < 0:
            new[number] = used
            old[used] = number
            used += 1
        numbers[place] = new[number]
    return old[:used]
