"""The loops over the bytes of a list of links, compiled (see `kernels`)."""

from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel

FINE = 0
ONE_COLUMN = 1
MORE_COLUMNS = 2
NO_NUMBER = 3
LARGE_NUMBER = 4
NUL = 5
NO_NAME = 6
TOO_LONG = 7

_NEWLINE, _RETURN, _SPACE, _TAB, _HASH = 10, 13, 32, 9, 35
_ZERO, _NINE = 48, 57
_MOST_DIGITS = 18
_U64 = np.uint64
_FIRST = _U64(0x9E3779B97F4A7C15)
_SECOND = _U64(0xC2B2AE3D27D4EB4F)


@kernel("const u1[], b1, i8, i8[,]", nogil=True)
def split_lines(data: Any, by_tabs: bool, longest: int, spans: Any) -> Any:
    """The two columns of every whole line: rows of (start, end, start, end). How many links and how
    many lines there are, how many bytes they take, and what is wrong with the line after them.

    Empty lines, and those that begin with #, say nothing."""
    links, lines, start = 0, 0, 0
    separator = _TAB if by_tabs else _SPACE
    while True:
        stop, fault = start, FINE
        while stop < len(data) and data[stop] != _NEWLINE:
            if data[stop] == 0:
                fault = NUL
            stop += 1
        if stop == len(data):
            return links, lines, start, FINE
        if stop - start > longest:
            return links, lines, start, TOO_LONG
        begin, end = start, stop
        if end > begin and data[end - 1] == _RETURN:
            end -= 1
        if not by_tabs:
            # Spaces may be many, and stand at both ends; every tab counts.
            while end > begin and data[end - 1] == _SPACE:
                end -= 1
            while begin < end and data[begin] == _SPACE:
                begin += 1
        if begin < end and data[begin] != _HASH:
            first_end = begin
            while first_end < end and data[first_end] != separator:
                first_end += 1
            second = first_end + 1
            while not by_tabs and second < end and data[second] == separator:
                second += 1
            more = second
            while more < end and data[more] != separator:
                more += 1
            if fault == FINE:
                if first_end == end:
                    fault = ONE_COLUMN
                elif more < end:
                    fault = MORE_COLUMNS
                elif first_end == begin or second == end:
                    fault = NO_NAME
            if fault == FINE:
                spans[links, 0], spans[links, 1] = begin, first_end
                spans[links, 2], spans[links, 3] = second, end
                links += 1
        if fault != FINE:
            return links, lines, start, fault
        lines += 1
        start = stop + 1


@kernel("const u1[], i8[,], i8[], i8[]", nogil=True)
def numbers(data: Any, spans: Any, sources: Any, targets: Any) -> Any:
    """The columns as numbers: how many rows are fine, and what is wrong with the next one."""
    for row in range(len(spans)):
        for column in range(2):
            begin, end = spans[row, 2 * column], spans[row, 2 * column + 1]
            value = np.int64(0)
            for place in range(begin, end):
                byte = data[place]
                if byte < _ZERO or byte > _NINE:
                    return row, NO_NUMBER
                if place - begin >= _MOST_DIGITS:
                    return row, LARGE_NUMBER
                value = value * 10 + (byte - _ZERO)
            if column == 0:
                sources[row] = value
            else:
                targets[row] = value
    return len(spans), FINE


@kernel()
def _mixed(value: Any, factor: Any) -> Any:
    value = (value ^ (value >> _U64(32))) * factor
    value = (value ^ (value >> _U64(29))) * _FIRST
    return value ^ (value >> _U64(32))


@kernel("const u1[], i8[,], u8[], u8[,], i4[], i8, i4[,], i8[,]", nogil=True)
def number_names(
    data: Any, spans: Any, seeds: Any, table: Any, slots: Any, known: int, found: Any, fresh: Any
) -> int:
    """The number of each name in `found` (rows of two). A name that is new gets the next number,
    and `fresh` its start and end. Returns how many names are known now.

    A name is known by 128 bits made of its bytes and of seeds that nobody can guess: `table` has
    them, and `slots` the number of the name, at the place where they lead. There must be room: at
    least twice as many slots as there are going to be names."""
    mask = _U64(len(slots) - 1)
    begin_at = known
    for row in range(len(spans)):
        for column in range(2):
            begin, end = spans[row, 2 * column], spans[row, 2 * column + 1]
            first, second = seeds[0], seeds[1]
            place = begin
            while place < end:
                word = _U64(0)
                for byte in range(min(8, end - place)):
                    word |= _U64(data[place + byte]) << _U64(8 * byte)
                first = _mixed(first ^ word, _SECOND)
                second = _mixed(second + word, _FIRST) ^ first
                place += 8
            length = _U64(end - begin)
            first = _mixed(first ^ length, _SECOND)
            second = _mixed(second + length, _FIRST)
            slot = first & mask
            while slots[slot] >= 0 and (table[slot, 0] != first or table[slot, 1] != second):
                slot = (slot + _U64(1)) & mask
            if slots[slot] < 0:
                table[slot, 0], table[slot, 1] = first, second
                slots[slot] = known
                fresh[known - begin_at, 0], fresh[known - begin_at, 1] = begin, end
                known += 1
            found[row, column] = slots[slot]
    return known


@kernel("u8[,], i4[], u8[,], i4[]", nogil=True)
def move_names(table: Any, slots: Any, larger: Any, larger_slots: Any) -> None:
    mask = _U64(len(larger_slots) - 1)
    for old in range(len(slots)):
        if slots[old] >= 0:
            slot = table[old, 0] & mask
            while larger_slots[slot] >= 0:
                slot = (slot + _U64(1)) & mask
            larger[slot, 0], larger[slot, 1] = table[old, 0], table[old, 1]
            larger_slots[slot] = slots[old]


@kernel("const u1[], i8[,], u1[]", nogil=True)
def copy_names(data: Any, fresh: Any, copied: Any) -> None:
    to = 0
    for name in range(len(fresh)):
        for place in range(fresh[name, 0], fresh[name, 1]):
            copied[to] = data[place]
            to += 1
