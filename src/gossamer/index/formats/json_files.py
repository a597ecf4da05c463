"""JSON Lines, and JSON arrays of any length: one document after the other is read."""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from gossamer.index.formats.rows import LONGEST_ROW, TOO_LONG, BadRow, RawRow, lines_of

_BLOCK = 1 << 18
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},"]', re.DOTALL)
_BETWEEN = re.compile(rb"[\s,]*")
_LONGEST_REASON = 200

_decoder = msgspec.json.Decoder(dict[str, Any])


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
    except (ValueError, RecursionError) as error:  # of msgspec, of Unicode, of long integers
        return BadRow(where, f"this is not JSON: {str(error)[:_LONGEST_REASON]}")


def read_json_array(stream: BinaryIO) -> Iterator[RawRow | BadRow]:
    """The items of one array, however long it is."""
    return _Array(stream).rows()


class _Array:
    """Finds the items by their brackets, so that one whose content is broken costs no other.

    Where a quote or a bracket is missing, an item seems to go on in the next one. Then the next one
    begins at the next line that is indented as the broken one.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._data = b""
        self._begin = 0  # of the current item; everything before it may be dropped

    def rows(self) -> Iterator[RawRow | BadRow]:
        while not self._data.lstrip() and self._read_more():
            pass
        self._begin = self._data.find(b"[") + 1
        number = 0
        indent = b""
        while (character := self._next_item()) not in (b"]", b""):
            number += 1
            where = f"item {number}"
            if character == b"{":
                indent = self._indent()
            end, fault = self._end()
            row = BadRow(where, fault) if fault else _read(self._data[self._begin : end], where)
            if isinstance(row, BadRow):
                again = self._data.find(b"\n" + indent + b"{", self._begin + 1, end)
                if again >= 0:
                    end, fault = again, ""
            yield row
            if fault:
                return
            self._begin = end
        rest = self._data[self._begin :].strip() or (self._read_more() and self._data.strip())
        if not character:
            yield BadRow(f"after item {number}", "the array has no end")
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
                kept = max(self._begin, self._data.rfind(b"\n", 0, found.end()))
                self._line_start = kept
                self._begin = found.end()
                return self._data[found.end() : found.end() + 1]
            if not self._read_more():
                return b""

    _line_start = 0

    def _indent(self) -> bytes:
        """The blanks before the item, where it begins a line."""
        before = self._data[self._line_start : self._begin]
        return before[1:] if before.startswith(b"\n") and before.isspace() else b""

    def _end(self) -> tuple[int, str]:
        """The end of the item, and what is wrong if it has none."""
        depth = 0
        place = self._begin
        while True:
            for token in _TOKEN.finditer(self._data, place):
                place = token.end()
                character = token[0]
                if character in b"[{":
                    depth += 1
                elif depth == 0 and character in b"],":
                    return place - 1, ""
                elif depth and character in b"]}":
                    depth -= 1
                    if depth == 0:
                        return place, ""
                elif character == b'"':  # a quote without its partner, as far as has been read
                    place -= 1
                    break
            else:
                place = len(self._data)
            if len(self._data) - self._begin > LONGEST_ROW:
                return len(self._data), f"{TOO_LONG}, and what follows is not read"
            place -= self._begin
            if not self._read_more():
                return len(self._data), "it has no end: a quote or a bracket is missing"
