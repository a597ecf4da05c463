"""slow.test, hang.test, drop.test, endless.test: servers that keep one waiting, or vanish."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from tests.web.message import (
    HTML,
    Answer,
    Handler,
    Host,
    Play,
    Request,
    Wire,
    document,
    forever,
    head,
    page,
    reply,
)

LATENCIES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
ENDLESS_BYTES = 1 << 30  # an end nevertheless, so that a broken client can't fill a disk

_BODY = document(
    "Whole", "<p>Had it arrived whole, this would be the text of the page.</p>"
).encode()
_CHUNKED = head(200, [("Content-Type", HTML), ("Transfer-Encoding", "chunked")])

Script = Callable[[Wire], Coroutine[Any, Any, None]]


def _length(length: int) -> bytes:
    return head(200, [("Content-Type", HTML), ("Content-Length", str(length))])


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _sends(*parts: bytes, reset: bool = False, hang: bool = False) -> Script:
    """Sends the parts, then closes, resets or hangs."""

    async def script(wire: Wire) -> None:
        for part in parts:
            await wire.send(part)
        if hang:
            await forever(wire)
        if reset:
            await asyncio.sleep(0.05)  # what was sent is to arrive first
            wire.reset()

    return script


def _drips(data: bytes, seconds: float) -> Script:
    async def script(wire: Wire) -> None:
        for byte in data:
            await wire.send(bytes([byte]))
            await asyncio.sleep(seconds)

    return script


def _repeats(start: bytes, part: bytes, pause: float = 0.0) -> Script:
    async def script(wire: Wire) -> None:
        await wire.send(start)
        for _ in range(ENDLESS_BYTES // len(part)):
            await wire.send(part)
            if pause:
                await asyncio.sleep(pause)

    return script


def _delayed(request: Request) -> Answer:
    """/delay?SECONDS"""
    try:
        seconds = min(float(request.path.partition("?")[2]), 60.0)
    except ValueError:
        return reply(400, "<p>/delay?SECONDS</p>")
    return reply(200, document(f"After {seconds} s", "<p>It took a while.</p>"), delay=seconds)


_HANG: dict[str, Answer | Handler] = {
    "/at-once": Play(forever),
    "/in-status-line": Play(_sends(b"HTTP/1.1 2", hang=True)),
    "/in-headers": Play(_sends(b"HTTP/1.1 200 OK\r\nContent-Type: te", hang=True)),
    "/after-headers": Play(_sends(_length(len(_BODY)), hang=True), 200),
    "/in-body": Play(_sends(_length(len(_BODY)), _BODY[:40], hang=True), 200),
    "/in-chunk": Play(_sends(_CHUNKED, _chunk(_BODY)[:40], hang=True), 200),
    "/after-body-without-length": Play(
        _sends(head(200, [("Content-Type", HTML)]), _BODY, hang=True), 200
    ),
    "/drip-body": Play(_drips(_length(len(_BODY)) + _BODY, 1.0), 200),
    "/drip-fast": Play(_drips(_length(len(_BODY)) + _BODY, 0.005), 200),
}

_DROP: dict[str, Answer | Handler] = {
    "/after-request": Play(_sends()),
    "/reset-after-request": Play(_sends(reset=True)),
    "/in-status-line": Play(_sends(b"HTTP/1.1 2")),
    "/in-headers": Play(_sends(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Le")),
    "/after-headers": Play(_sends(_length(len(_BODY))), 200),
    "/in-body": Play(_sends(_length(len(_BODY)), _BODY[:60]), 200),
    "/one-byte-short": Play(_sends(_length(len(_BODY)), _BODY[:-1]), 200),
    "/reset-in-body": Play(_sends(_length(len(_BODY)), _BODY[:60], reset=True), 200),
    "/in-chunk": Play(_sends(_CHUNKED, _chunk(_BODY)[:60]), 200),
    "/no-last-chunk": Play(_sends(_CHUNKED, _chunk(_BODY)), 200),
    "/bad-chunk-size": Play(_sends(_CHUNKED, b"zz\r\n" + _BODY + b"\r\n0\r\n\r\n"), 200),
    "/huge-chunk-size": Play(_sends(_CHUNKED, b"ffffffffffffffff\r\n" + _BODY), 200),
    "/negative-length": Play(_sends(head(200, [("Content-Length", "-5")]), _BODY), 200),
    "/length-is-word": Play(_sends(head(200, [("Content-Length", "many")]), _BODY), 200),
    "/length-too-small": Play(_sends(_length(60), _BODY), 200),
    # The end of the connection is the end of the body: right in HTTP/1.0 style.
    "/no-length": Play(_sends(head(200, [("Content-Type", HTML)]), _BODY), 200),
    "/garbage": Play(_sends(b"\x16\x03\x01\x00garbage\xff\xfe\r\n\r\n")),
    "/other-protocol": Play(_sends(b"220 mail.drop.test ESMTP\r\n")),
}


def _first_fails() -> Handler:
    """Drops the first request, answers all later ones: worth a second try."""
    seen = 0

    def answer(request: Request) -> Answer:
        nonlocal seen
        seen += 1
        return Play(_sends()) if seen == 1 else page("Second time lucky")

    return answer


_ENDLESS: dict[str, Answer | Handler] = {
    "/body": Play(
        _repeats(head(200, [("Content-Type", HTML)]), b"<p>And on it goes.</p>\n" * 2_000), 200
    ),
    "/chunked": Play(_repeats(_CHUNKED, _chunk(b"<p>And on it goes.</p>\n" * 2_000)), 200),
    "/tiny-chunks": Play(_repeats(_CHUNKED, _chunk(b"x") * 1_000), 200),
    "/claimed-length": Play(_repeats(_length(1 << 50), b"<p>And on it goes.</p>\n" * 2_000), 200),
    "/header": Play(_repeats(b"HTTP/1.1 200 OK\r\nX-Long: ", b"long" * 1_000)),
    "/headers": Play(_repeats(b"HTTP/1.1 200 OK\r\n", b"X-More: and more\r\n" * 500)),
    "/interim": Play(_repeats(b"", head(100) * 100)),
    "/status-line": Play(_repeats(b"HTTP/1.1 200 ", b"O" * 4_000)),
    "/slow-body": Play(
        _repeats(head(200, [("Content-Type", HTML)]), b"<p>Slowly.</p>\n", 0.2), 200
    ),
}


def _links(request: Request) -> Answer:
    """/links/N: a page that links to N + 1, for ever."""
    last = request.path.rpartition("/")[2]
    number = int(last) if last.isdecimal() else 0
    return page(f"Page {number}", f'<p><a href="/links/{number + 1}">On and on</a></p>')


def hosts() -> tuple[Host, ...]:
    slow: dict[str, Answer | Handler] = {
        f"/{int(seconds * 1000)}ms": reply(
            200, document(f"After {seconds} s", "<p>It took a while.</p>"), delay=seconds
        )
        for seconds in LATENCIES
    }
    return (
        Host(
            "slow.test",
            "answers after a while: /500ms, /delay?SECONDS",
            {**slow, "/delay": _delayed},
            unlinked=frozenset({"/delay"}),
        ),
        Host("hang.test", "stops at some point and never goes on", _HANG),
        Host(
            "drop.test",
            "closes or resets the connection too early",
            {**_DROP, "/first-time": _first_fails()},
        ),
        Host(
            "endless.test",
            "bodies, headers and links without an end",
            {**_ENDLESS, "/links/0": _links},
            _links,
            frozenset({"/links/0"}),
        ),
    )
