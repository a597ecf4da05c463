"""The loops over the bytes of a text and the chunks in it, compiled as `kernels` are."""

from typing import Any

import numpy as np
from numba import njit

UNKNOWN = -1
COLUMNS = 12
"""Of a chunk: the hash of its key, its language, where the key lies, how long it is; where its
terms lie, how many of them have a position, how many have none; where their letters lie, how many
letters there are of either; where its words lie, how many."""
HASH, LANGUAGE, KEY, KEY_LENGTH = 0, 1, 2, 3
TERMS, MAIN, EXTRAS = 4, 5, 6
LETTERS, MAIN_LETTERS, EXTRA_LETTERS = 7, 8, 9
WORDS, WORDS_COUNT = 10, 11

SPACE, OPENING, CLOSING = 1, 2, 4
"""What a byte can be: one that ends a chunk, one that is taken off its front, off its end."""


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
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
    there are up to the end of each field, and begin, end and hash of those that are unknown."""
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
            mixed = np.uint64(seed)
            for letter in range(begin, end):
                mixed = (mixed ^ np.uint64(text[letter])) * np.uint64(0x9E3779B97F4A7C15)
                mixed ^= mixed >> np.uint64(29)
            begins[count] = begin
            lengths[count] = end - begin
            hashes[count] = mixed >> np.uint64(33)
            count += 1
        field_ends[field] = count
    found = np.empty(count, np.int32)
    mask = len(slots) - 1
    missing = 0
    # In a loop of its own: the processor waits for the memory of several chunks at once.
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
            unknown[missing, 2] = hashes[chunk]
            missing += 1
    return found, field_ends, unknown


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def enter(slots: Any, chunks: Any, first: int, last: int) -> None:
    """Make chunks known. There is more room than there are chunks. A slot holds the hash before
    the number, so that other chunks on the way need not be looked at."""
    mask = len(slots) - 1
    for number in range(first, last):
        slot = chunks[number, HASH] & mask
        while slots[slot] != UNKNOWN:
            slot = (slot + 1) & mask
        slots[slot] = np.int64(chunks[number, HASH]) << 32 | number


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
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


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
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
