"""Undoing a body's content encodings, within a bound on memory.

Servers lie about encodings, cut streams short and send bombs. What can be read is read; what is
past the bound is never unpacked.
"""

import re
from collections.abc import Callable, Sequence

import brotli
from isal import isal_zlib
from msgspec import Struct

from gossamer.records import Outcome

MAX_ENCODINGS = 3
"""A longer chain than 'gzip, gzip, gzip' is no server's honest work."""

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP, _ZLIB, _RAW = 31, 15, -15
_MAX_MEMBERS = 10_000  # block compressors make one of every 64 KB; a bomb, of every 20 bytes
_FIRST_PIECE = 1_024
_LARGEST_PIECE = 65_536
_SNIFFED = 512
_PLAIN_STARTS = (b"\xff\xfe", b"\xfe\xff", b"%PDF-")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""What no text holds (tab, line ends, form feed and escape are allowed)."""


class Decoded(Struct, frozen=True):
    """`outcome` is OK, BAD_ENCODING or TOO_LARGE; only with OK is there a body."""

    outcome: Outcome
    body: bytes = b""
    truncated: bool = False  # the stream ended early: this is what came of it
    detail: str = ""


class _BadStreamError(Exception):
    """Not a stream of this encoding."""


class _TooLargeError(Exception):
    pass


_Layer = Callable[[bytes, int], tuple[bytes, bool]]
"""(data, most bytes that may come out) -> (what came out, whether the stream was cut short)"""


def decode_body(body: bytes, encodings: str | Sequence[str], max_bytes: int) -> Decoded:
    """`encodings`: the value of Content-Encoding, or several of them, in their order."""
    names = _names(encodings)
    if not names:
        if len(body) > max_bytes:
            return Decoded(Outcome.TOO_LARGE, detail=f"more than {max_bytes} bytes")
        return Decoded(Outcome.OK, body)
    if len(names) > MAX_ENCODINGS:
        return Decoded(Outcome.BAD_ENCODING, detail=f"{len(names)} content encodings")
    truncated = False
    for name in reversed(names):
        layer = _LAYERS.get(name)
        if layer is None:
            return Decoded(Outcome.BAD_ENCODING, detail=f"unknown content encoding '{name[:40]}'")
        if not body:
            break
        try:
            body, cut = layer(body, max_bytes)
        except _TooLargeError:
            return Decoded(Outcome.TOO_LARGE, detail=f"unpacks to more than {max_bytes} bytes")
        except _BadStreamError:
            return Decoded(Outcome.BAD_ENCODING, detail=f"the body is no {name} stream")
        truncated = truncated or cut
    return Decoded(Outcome.OK, body, truncated)


def _names(encodings: str | Sequence[str]) -> list[str]:
    if not encodings:
        return []
    values = [encodings] if isinstance(encodings, str) else encodings
    names = [part.strip().lower() for value in values for part in value.split(",")]
    return [name for name in names if name not in ("", "identity", "none")]


def _is_plain(body: bytes) -> bool:
    """Whether the header lied and the body was never encoded: compressed data soon holds bytes
    that no text does."""
    return body.startswith(_PLAIN_STARTS) or not _CONTROL.search(body, 0, _SNIFFED)


def _unencoded(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    if not _is_plain(body):
        raise _BadStreamError
    if len(body) > max_bytes:
        raise _TooLargeError
    return body, False


def _gzip(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    if not body.startswith(_GZIP_MAGIC):
        return _unencoded(body, max_bytes)
    # Most bodies are one member. It is given the whole body at once; those behind it get pieces,
    # since a stream copies all that it leaves over.
    output, cut, rest = _inflate(body, _GZIP, max_bytes)
    parts = [output]
    room = max_bytes - len(output)
    view = memoryview(rest)
    position = 0
    # What follows the last member (padding, junk) is ignored, as browsers do.
    while not cut and rest.startswith(_GZIP_MAGIC, position):
        if len(parts) == _MAX_MEMBERS:
            raise _BadStreamError
        try:
            output, cut, position = _inflate_member(view, position, room)
        except _BadStreamError:
            cut = True
            break
        parts.append(output)
        room -= len(output)
    return (parts[0] if len(parts) == 1 else b"".join(parts)), cut


def _inflate_member(view: memoryview, position: int, room: int) -> tuple[bytes, bool, int]:
    """The member that begins at `position`; returns where it ended, too."""
    stream = isal_zlib.decompressobj(_GZIP)
    output = bytearray()
    size = _FIRST_PIECE
    try:
        while position < len(view) and not stream.eof:
            piece = view[position : position + size]
            output += stream.decompress(piece, room + 1 - len(output))
            if len(output) > room:
                raise _TooLargeError
            position += len(piece)
            size = min(2 * size, _LARGEST_PIECE)
    except isal_zlib.error as error:  # type: ignore[misc]  # its stub calls it an instance
        raise _BadStreamError from error
    return bytes(output), not stream.eof, position - len(stream.unused_data)


def _deflate(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """'deflate' means zlib, but many servers send the bare stream."""
    if body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0:
        try:
            return _inflate(body, _ZLIB, max_bytes)[:2]
        except _BadStreamError:
            pass
    try:
        output, cut, _ = _inflate(body, _RAW, max_bytes)
    except _BadStreamError:
        return _unencoded(body, max_bytes)
    # Text can look like the beginning of a bare stream.
    return _unencoded(body, max_bytes) if cut and _is_plain(body) else (output, cut)


def _inflate(data: bytes, window_bits: int, room: int) -> tuple[bytes, bool, bytes]:
    stream = isal_zlib.decompressobj(window_bits)
    try:
        # One byte more than allowed tells a body that fits exactly from one that does not.
        output: bytes = stream.decompress(data, room + 1)
    except isal_zlib.error as error:  # type: ignore[misc]  # its stub calls it an instance
        raise _BadStreamError from error
    if len(output) > room:
        raise _TooLargeError
    return output, not stream.eof, stream.unused_data


def _brotli(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    stream = brotli.Decompressor()
    parts: list[bytes] = []
    room = max_bytes
    data = body
    try:
        while True:
            output = stream.process(data, output_buffer_limit=room + 1)
            data = b""
            parts.append(output)
            room -= len(output)
            if room < 0:
                raise _TooLargeError
            if stream.is_finished() or not output:
                break
    except brotli.error:
        return _unencoded(body, max_bytes)
    if not stream.is_finished() and _is_plain(body):
        return _unencoded(body, max_bytes)
    return b"".join(parts), not stream.is_finished()


_LAYERS: dict[str, _Layer] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
}
