"""bombs.test: bodies that unpack to far more than they are, or not at all."""

import asyncio
import gzip
import zlib
from collections.abc import Callable
from functools import cache

import brotli

from tests.web.message import Answer, Handler, Host, Play, Request, Wire, document, reply

UNPACKED = 100 * 1024 * 1024
"""Size of a bomb after unpacking."""

_TEXT = document("Packed", "<p>This page was packed and unpacked.</p>").encode()


@cache
def _zeros(kind: str) -> bytes:
    """A bomb, made piece by piece: the unpacked body never lies in memory."""
    piece = b"0" * (1 << 20)
    if kind == "br":
        packer = brotli.Compressor(quality=1)
        parts = [packer.process(piece) for _ in range(UNPACKED >> 20)]
        return b"".join([*parts, packer.finish()])
    bits = {"gzip": 31, "deflate": 15, "raw-deflate": -15}[kind]
    squeezer = zlib.compressobj(9, zlib.DEFLATED, bits)
    parts = [squeezer.compress(piece) for _ in range(UNPACKED >> 20)]
    return b"".join([*parts, squeezer.flush()])


@cache
def _nested(times: int) -> bytes:
    data = _zeros("gzip")
    for _ in range(times - 1):
        data = gzip.compress(data)
    return data


def _raw_deflate(data: bytes) -> bytes:
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return squeezer.compress(data) + squeezer.flush()


def _encoded(encoding: str, make: Callable[[], bytes]) -> Play:
    """Sends what `make` gives, called `encoding`, whatever was accepted."""

    async def script(wire: Wire) -> None:
        # Packing a bomb takes a moment, in which the other hosts are to go on.
        body = await asyncio.to_thread(make)
        await wire.send(reply(200, body, ("Content-Encoding", encoding)).payload)

    return Play(script, 200, keep=True)


def _negotiated(request: Request) -> Answer:
    """Packed in what the client accepts, as servers do."""
    accepted = request.header("Accept-Encoding")
    for name, pack in (("br", brotli.compress), ("gzip", gzip.compress)):
        if name in accepted:
            return reply(200, pack(_TEXT), ("Content-Encoding", name), ("Vary", "Accept-Encoding"))
    return reply(200, _TEXT, ("Vary", "Accept-Encoding"))


def hosts() -> tuple[Host, ...]:
    packed = gzip.compress(_TEXT, mtime=0)
    pages: dict[str, Answer | Handler] = {
        "/negotiated": _negotiated,
        "/gzip": _encoded("gzip", lambda: packed),
        "/x-gzip": _encoded("x-gzip", lambda: packed),
        "/upper-case": _encoded("GZIP", lambda: packed),
        "/deflate": _encoded("deflate", lambda: zlib.compress(_TEXT)),
        "/deflate-raw": _encoded("deflate", lambda: _raw_deflate(_TEXT)),
        "/br": _encoded("br", lambda: brotli.compress(_TEXT)),
        "/identity": _encoded("identity", lambda: _TEXT),
        "/gzip-members": _encoded(
            "gzip", lambda: gzip.compress(_TEXT[:50]) + gzip.compress(_TEXT[50:])
        ),
        "/double-gzip": _encoded("gzip, gzip", lambda: gzip.compress(packed)),
        "/double-gzip-called-once": _encoded("gzip", lambda: gzip.compress(packed)),
        "/bomb-gzip": _encoded("gzip", lambda: _zeros("gzip")),
        "/bomb-deflate": _encoded("deflate", lambda: _zeros("deflate")),
        "/bomb-deflate-raw": _encoded("deflate", lambda: _zeros("raw-deflate")),
        "/bomb-br": _encoded("br", lambda: _zeros("br")),
        "/bomb-double-gzip": _encoded("gzip, gzip", lambda: gzip.compress(_zeros("gzip"))),
        "/bomb-in-bomb": _encoded("gzip, gzip, gzip, gzip, gzip, gzip", lambda: _nested(6)),
        "/lie-gzip": _encoded("gzip", lambda: _TEXT),
        "/lie-br": _encoded("br", lambda: _TEXT),
        "/lie-deflate": _encoded("deflate", lambda: _TEXT),
        "/unknown-encoding": _encoded("snappy", lambda: _TEXT),
        "/undeclared-gzip": reply(200, packed),
        "/truncated-gzip": _encoded("gzip", lambda: packed[:-20]),
        "/truncated-gzip-header": _encoded("gzip", lambda: packed[:5]),
        "/truncated-br": _encoded("br", lambda: brotli.compress(_TEXT)[:-10]),
        "/bad-checksum": _encoded("gzip", lambda: packed[:-8] + b"\0" * 8),
        "/trailing-garbage": _encoded("gzip", lambda: packed + b"garbage after the end"),
        "/empty-gzip": _encoded("gzip", lambda: b""),
        "/gzip-of-nothing": _encoded("gzip", lambda: gzip.compress(b"")),
    }
    return (Host("bombs.test", "content encodings: right, lying, cut, and bombs", pages),)
