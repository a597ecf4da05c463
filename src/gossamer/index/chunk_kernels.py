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
    found = np.empty(len(text) // 2 + 1 + len(ends), np.int32)
    field_ends = np.empty(len(ends), np.int64)
    unknown = np.empty((len(found), 3), np.int64)
    count = missing = place = 0
    mask = len(slots) - 1
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
            hashed = np.int64(mixed >> np.uint64(33))
            slot = hashed & mask
            number = slots[slot]
            while number != UNKNOWN:
                row = chunks[number]
                if (
                    row[HASH] == hashed
                    and row[LANGUAGE] == language
                    and row[KEY_LENGTH] == end - begin
                ):
                    key = row[KEY] - begin
                    letter = begin
                    while letter < end and keys[key + letter] == text[letter]:
                        letter += 1
                    if letter == end:
                        break
                slot = (slot + 1) & mask
                number = slots[slot]
            if number == UNKNOWN:
                unknown[missing, 0] = begin
                unknown[missing, 1] = end
                unknown[missing, 2] = hashed
                missing += 1
            found[count] = number
            count += 1
        field_ends[field] = count
    return found[:count], field_ends, unknown[:missing]


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def enter(slots: Any, chunks: Any, first: int, last: int) -> None:
    """Make chunks known. There is more room than there are chunks."""
    mask = len(slots) - 1
    for number in range(first, last):
        slot = chunks[number, HASH] & mask
        while slots[slot] != UNKNOWN:
            slot = (slot + 1) & mask
        slots[slot] = number


@njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def emit(found: Any, field_ends: Any, chunks: Any, terms: Any, capitals: Any, letters: Any) -> Any:
    """The terms of a document, field after field, those without a position last: their numbers,
    how each was written, where each field ends, their letters, and where the letters do."""
    size = room = 0
    for chunk in found:
        row = chunks[chunk]
        size += row[MAIN] + row[EXTRAS]
        room += row[MAIN_LETTERS] + row[EXTRA_LETTERS]
    out_terms = np.empty(size, np.int32)
    out_capitals = np.zeros(size, np.uint8)
    out_letters = np.empty(room, np.uint8)
    term_ends = np.empty(len(field_ends) + 1, np.int64)
    letter_ends = np.empty(len(field_ends) + 1, np.int64)
    used = written = place = 0
    for field in range(len(field_ends)):
        while place < field_ends[field]:
            row = chunks[found[place]]
            first = row[TERMS]
            for step in range(row[MAIN]):
                out_terms[used] = terms[first + step]
                out_capitals[used] = capitals[first + step]
                used += 1
            first = row[LETTERS]
            for step in range(row[MAIN_LETTERS]):
                out_letters[written] = letters[first + step]
                written += 1
            place += 1
        term_ends[field] = used
        letter_ends[field] = written
    for chunk in found:
        row = chunks[chunk]
        if row[EXTRAS]:
            first = row[TERMS] + row[MAIN]
            for step in range(row[EXTRAS]):
                out_terms[used] = terms[first + step]
                used += 1
            first = row[LETTERS] + row[MAIN_LETTERS]
            for step in range(row[EXTRA_LETTERS]):
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
            row = chunks[found[place]]
            for step in range(row[WORDS], row[WORDS] + row[WORDS_COUNT]):
                word = words[step]
                if seen[word, 0] != document:
                    seen[word, 0] = document
                    seen[word, 1] += 1
            place += 1
