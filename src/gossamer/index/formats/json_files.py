"""JSON Lines, and JSON arrays of any length: one document after the other is read."""

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from gossamer.index.formats.rows import LONGEST_ROW, TOO_LONG, BadRow, RawRow, lines_of

_BLOCK = 1 << 18
_TOKEN = re.compile(
    rb'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"'
    rb'|("[^\n]*+)'  # a quote without its partner in the same line: no string of JSON has two
    rb"|[\[\]{},]"
)
_BETWEEN = re.compile(rb"[\s,]*")
_LONGEST_REASON = 200
_BEFORE = 64  # bytes in which the sign before an object is looked for
_MOST_READ_AGAIN = 5_000_000  # bytes of a file that are looked through a second time
_OPENING = {b"]": b"[", b"}": b"{"}

_decoder = msgspec.json.Decoder(dict[str, Any])

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def read_json_lines(stream: BinaryIO) -> Iterator[RawRow | BadRow]:
    for number, line in lines_of(stream):
        where = f"line {number}"
        if line is None:
            yield BadRow(where, TOO_LONG)
        elif not line.isspace():
            yield _read(line.strip(), where)


def _read(data: bytes, where: str) -> RawRow | BadRow:
    try:
        return RawRow(_decoder.decode(data), where, data)
    except msgspec.ValidationError as error:
        if data[:1] != b"{":
            return BadRow(where, f"a document is a JSON object: {error}")
        return BadRow(where, f"this cannot be read: {error}")
    except UnicodeDecodeError:
        return BadRow(where, "this is not UTF-8, the encoding of JSON")
    except (ValueError, RecursionError) as error:  # of msgspec, of long integers
        if _SURROGATE.search(data) and _is_json(data):
            return BadRow(where, "half of a surrogate pair ('\\ud800') is no character")
        return BadRow(where, f"this is not JSON: {str(error)[:_LONGEST_REASON]}")


def _is_json(data: bytes) -> bool:
    """Whether the standard library, which takes half a surrogate pair, reads it."""
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def read_json_array(stream: BinaryIO) -> Iterator[RawRow | BadRow]:
    """The items of one array, however long it is."""
    return _Array(stream).rows()


class _Array:
    """Finds the items by their brackets, so that one whose content is broken costs no other.

    Where a quote or a bracket is missing, an item seems to go on in the next one. Then the next one
    begins at the next line that is indented as the broken one and begins with an object. An item
    that is not broken may contain such lines, too. Sometimes only a later bracket, or the end of
    the file, shows which it is, and everything in between is looked through again. This is bounded
    by `_MOST_READ_AGAIN` (and the length of one item); beyond, every such line begins an item.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._data = b""
        self._begin = 0  # of the current item; everything before it may be dropped
        self._line_start = 0  # of the line in which the item begins
        self._left = _MOST_READ_AGAIN

    def rows(self) -> Iterator[RawRow | BadRow]:
        while not self._data.lstrip() and self._read_more():
            pass
        self._begin = self._data.find(b"[") + 1
        number = 0
        line = b"\n{"  # how the line of a next item begins
        while (character := self._next_item()) not in (b"]", b""):
            number += 1
            where = f"item {number}"
            if character == b"{":
                line = b"\n" + self._indent() + b"{"
            end, fault = self._end(line)
            yield BadRow(where, fault) if fault else _read(self._data[self._begin : end], where)
            if fault:
                return
            self._begin = end
        rest = self._data[self._begin :].strip() or (self._read_more() and self._data.strip())
        if not character:
            yield BadRow(f"after item {number}", "the array has no end; the rest is left out")
        elif rest != b"]":
            yield BadRow(f"after item {number}", "what follows the end of the array is not read")

    def _read_more(self) -> bool:
        """Append what follows, as much again; what stands before the item is dropped."""
        block = self._stream.read(max(_BLOCK, len(self._data) - self._begin))
        self._data = self._data[self._begin :] + block
        self._begin = 0
        return bool(block)

    def _next_item(self) -> bytes:
        """Go to the next item; its first character, ']' at the end of the array, '' at that of the
        file."""
        while True:
            found = _BETWEEN.match(self._data, self._begin)
            assert found is not None
            if found.end() < len(self._data):
                line_end = self._data.rfind(b"\n", self._begin, found.end())
                self._line_start = max(self._begin, line_end)
                self._begin = found.end()
                return self._data[found.end() : found.end() + 1]
            if not self._read_more():
                return b""

    def _indent(self) -> bytes:
        """The blanks before the item, where it begins a line."""
        before = self._data[self._line_start : self._begin]
        return before[1:] if before.startswith(b"\n") and before.isspace() else b""

    def _end(self, line: bytes) -> tuple[int, str]:
        """The end of the item, or of what can be taken for it; else what is wrong, where nothing
        behind it can be read. `line`: how the line of a next item begins."""
        opened: list[bytes] = []
        is_broken = False
        following = -1  # the first line within the item that may be the next item
        place = self._begin
        while True:
            for token in _TOKEN.finditer(self._data, place):
                place = token.end()
                character = token[0]
                if character in b"[{":
                    if following < 0 and opened and self._data.startswith(line, place - len(line)):
                        following = place - len(line)
                        is_broken |= opened[-1] == b"{" and not self._is_value(following)
                    opened.append(character)
                elif not opened and character in b"],":
                    return place - 1, ""
                elif opened and character in b"]}":
                    is_broken |= opened.pop() != _OPENING[character]
                    if not opened:
                        return place, ""
                elif token[1] is not None:
                    if place == len(self._data):  # its partner may follow
                        place = token.start()
                        break
                    is_broken = True
                if following >= 0 and (is_broken or place - following > self._most_ahead()):
                    return self._next_after(following, place), ""
            else:
                place = len(self._data)
            is_too_long = len(self._data) - self._begin > LONGEST_ROW
            if not is_too_long:
                place -= self._begin
                following = following - self._begin if following >= 0 else -1
                if self._read_more():
                    continue
            if following >= 0:
                return self._next_after(following, place), ""
            if is_too_long:
                return len(self._data), f"{TOO_LONG}, and what follows is not read"
            return len(self._data), "it has no end: a quote or a bracket is missing"

    def _is_value(self, line: int) -> bool:
        """Return True if what begins with a line has a name before it, as in {"a":, or may have."""
        before = self._data[max(self._begin, line - _BEFORE) : line].rstrip()
        return not before or before.endswith(b":")

    def _most_ahead(self) -> int:
        """Bytes behind a line that are looked at to know whether it is the next item."""
        return LONGEST_ROW if self._left == _MOST_READ_AGAIN else self._left

    def _next_after(self, following: int, place: int) -> int:
        """`following`; what was looked through up to `place` is looked through again."""
        self._left -= place - following
        return following
