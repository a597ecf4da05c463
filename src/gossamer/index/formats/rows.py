"""Rows of a file, as the formats hand them over."""

from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from msgspec import Struct

LONGEST_ROW = 50_000_000  # bytes
_BLOCK = 1 << 20


class RawRow(NamedTuple):
    value: dict[str, Any]
    where: str  # 'line 17'
    data: bytes  # the same whenever the row is the same


class BadRow(Struct, frozen=True):
    """A row that cannot be read."""

    where: str
    reason: str  # the end of a sentence: 'this is not JSON: ...'


def number_of(where: str) -> int:
    """The number in the place of a row: 17 in 'line 17'."""
    return int(where.rpartition(" ")[2])


def lines_of(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """(number, line) of a text; None in place of a line that is too long. No more than one line is
    in memory."""
    number = 0
    while line := stream.readline(LONGEST_ROW + 1):
        number += 1
        if len(line) <= LONGEST_ROW or line.endswith(b"\n"):
            yield number, line
            continue
        while (more := stream.readline(_BLOCK)) and not more.endswith(b"\n"):
            pass
        yield number, None


TOO_LONG = f"it is longer than {LONGEST_ROW // 1_000_000} MB"
