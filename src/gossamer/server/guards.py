"""What stands before every answer: headers that keep strangers' content harmless, bounds on what a
client may send, and how often it may ask."""

import asyncio
import ipaddress
import math
import mmap
import struct
import time
from pathlib import Path
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gossamer.errors import TooManyRequests
from gossamer.lib.counts import several
from gossamer.lib.hashing import hash64
from gossamer.server.visitors import Visitor

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    # Documents have pictures of their own; no address of ours goes along.
    "img-src 'self' data: http: https:; connect-src 'self'; frame-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    # Not 'no-referrer': browsers then hide where our own forms come from, and these are refused.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class SafeHeaders:
    """An answer may bring a stricter policy of its own."""

    def __init__(self, app: ASGIApp, *, tls: bool) -> None:
        self._app = app
        self._headers = dict(_HEADERS)
        if tls:
            self._headers["strict-transport-security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, guarded)


class KnownNames:
    """A site that listens on this machine alone answers to the names of this machine, and to that
    of `public_url`. A page of somebody else's whose name has come to mean this machine (DNS
    rebinding) would otherwise read what a browser here may read."""

    def __init__(self, app: ASGIApp, *, listens_at: str, public_url: str) -> None:
        self._app = app
        self._is_checked = is_loopback(listens_at)
        self._public = urlsplit(public_url).hostname

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._is_checked:
            host = Request(scope).headers.get("host", "")
            if not self._is_known(host):
                message = (
                    "This site is for browsers on its own machine. Where a proxy stands before it, "
                    "set public_url to the address that browsers know it by."
                )
                await _refuse(scope, send, 421, "Misdirected", message)
                return
        await self._app(scope, receive, send)

    def _is_known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        return name is None or name == self._public or is_loopback(name)


def is_loopback(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


class BodyLimits:
    """A body that is too long or too slow is not waited for."""

    def __init__(self, app: ASGIApp, *, most_bytes: int, most_seconds: float) -> None:
        self._app = app
        self._most_bytes = most_bytes
        self._most_seconds = most_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Request(scope).headers.get("content-length", "0")
        if not declared.isdecimal() or int(declared) > self._most_bytes:
            message = f"A request has at most {self._most_bytes:,} bytes."
            await _refuse(scope, send, 413, "TooLarge", message)
            return
        deadline = time.monotonic() + self._most_seconds
        received = 0
        is_whole = False

        async def bounded() -> Message:
            nonlocal received, is_whole
            if is_whole:
                return await receive()  # waits for the client to go away, however long that takes
            left = deadline - time.monotonic()
            try:
                message = await asyncio.wait_for(receive(), max(left, 0.001))
            except TimeoutError:
                return {"type": "http.disconnect"}
            received += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            return {"type": "http.disconnect"} if received > self._most_bytes else message

        await self._app(scope, bounded, send)


async def _refuse(scope: Scope, send: Send, status: int, kind: str, message: str) -> None:
    from gossamer.server.faults import Failure, answer

    response = answer(Request(scope), status, Failure(kind, message))
    response.headers["connection"] = "close"
    await response(scope, _nothing_more, send)


async def _nothing_more() -> Message:
    return {"type": "http.disconnect"}


class RateLimits:
    """A bucket of tokens for each client, in memory that all worker processes share.

    Two requests at the same instant may cost one token: a limit that is exact would cost a lock.
    Only a hash of the address is kept, and only until the next client needs its place.
    """

    _SLOTS = 1 << 16
    _SLOT = struct.Struct("<qdd")  # whose it is, tokens that are left, when that was

    def __init__(self, path: Path | None, per_minute: int) -> None:
        """`path`: the file behind the shared memory; None for a single process."""
        self._per_minute = per_minute
        size = self._SLOTS * self._SLOT.size
        if path is None:
            self._memory = mmap.mmap(-1, size)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            file.truncate(size)
            self._memory = mmap.mmap(file.fileno(), size)

    def spend(self, request: Request, visitor: Visitor) -> None:
        """One search. Who has a login is known, and not limited."""
        if not self._per_minute or visitor.role is not None:
            return
        wait = self.take(client_of(request), time.time())
        if wait > 0:
            seconds = several(math.ceil(wait), "second")
            raise TooManyRequests(
                f"More than {self._per_minute} searches a minute: wait {seconds}.", wait
            )

    def take(self, client: str, now: float) -> float:
        """Take a token of a client; gives the seconds to wait where there is none, else 0."""
        owner = hash64(client.encode())
        offset = owner % self._SLOTS * self._SLOT.size
        known, tokens, at = self._SLOT.unpack_from(self._memory, offset)
        if known != owner:
            tokens, at = float(self._per_minute), now
        per_second = self._per_minute / 60
        tokens = min(float(self._per_minute), tokens + max(0.0, now - at) * per_second)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / per_second
        left = tokens - 1 if wait == 0 else tokens
        self._SLOT.pack_into(self._memory, offset, owner, left, now)
        return wait


def client_of(request: Request) -> str:
    """Whom to count as one: an address, or the network that one client has under IPv6."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host
