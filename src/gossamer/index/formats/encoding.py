"""Texts in any encoding, as UTF-8."""

import codecs
import io
from collections.abc import Callable
from typing import Any, BinaryIO, cast

import cchardet

_MARKS = (  # the longer ones first: that of UTF-16 begins that of UTF-32
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BLOCK = 1 << 18
_SAMPLE = 1 << 18
_MANY_ZEROS = 0.3  # of the even or of the odd bytes
FALLBACK = "windows-1252"


def wide_encoding(head: bytes) -> tuple[str, int]:
    """The encoding that the first bytes of a text show, and the length of its mark: UTF-8 unless
    it is UTF-16 or UTF-32."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name, len(mark)
    sample = head[:4096]
    if b"\0" not in sample:
        return "utf-8", 0
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    enough = _MANY_ZEROS * len(sample) / 2
    if odd > enough and even < odd / 4:
        return "utf-16-le", 0
    if even > enough and odd < even / 4:
        return "utf-16-be", 0
    return "utf-8", 0


class NarrowEncoding:
    """Finds out whether a text is UTF-8 or in an older encoding, from all of its lines."""

    def __init__(self) -> None:
        self._fitting = 0  # lines with characters beyond ASCII that are UTF-8
        self._others = 0  # lines that are not
        self._sample = bytearray()  # of these

    def add(self, line: bytes) -> None:
        if line.isascii():
            return
        try:
            line.decode()
        except UnicodeDecodeError:
            self._others += 1
            if len(self._sample) < _SAMPLE:
                self._sample += line[:_SAMPLE]
        else:
            self._fitting += 1

    def name(self) -> str:
        """UTF-8 also where a few lines are broken."""
        if self._fitting >= self._others:
            return "utf-8"
        found = cchardet.detect(bytes(self._sample))["encoding"]
        try:
            name = codecs.lookup(found or FALLBACK).name
        except LookupError:
            return FALLBACK
        return FALLBACK if name.startswith(("utf", "ascii")) else name


class _Recoded(io.RawIOBase):
    """A stream in some encoding, read as UTF-8. What cannot be decoded becomes U+FFFD."""

    def __init__(self, stream: BinaryIO, recode: Callable[[bytes, bool], bytes]) -> None:
        self._stream = stream
        self._recode = recode
        self._waiting = b""
        self._is_over = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer)
        while not self._waiting and not self._is_over:
            data = self._stream.read(_BLOCK)
            self._is_over = not data
            self._waiting = self._recode(data, self._is_over)
        taken = self._waiting[: len(view)]
        view[: len(taken)] = taken
        self._waiting = self._waiting[len(taken) :]
        return len(taken)


def recoded(stream: BinaryIO, encoding: str) -> BinaryIO:
    """A stream in a wide encoding as UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")

    def recode(data: bytes, is_last: bool) -> bytes:
        return decoder.decode(data, is_last).encode("utf-8", "replace")

    return cast(BinaryIO, io.BufferedReader(_Recoded(stream, recode), _BLOCK))


def with_line_feeds(stream: BinaryIO) -> BinaryIO:
    """A stream whose lines end with a carriage return alone, as those of others do."""
    recode = _Recoded(stream, lambda data, _: data.replace(b"\r", b"\n"))
    return cast(BinaryIO, io.BufferedReader(recode, _BLOCK))
