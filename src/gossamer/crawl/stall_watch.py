"""Which transfers have stalled: no byte has arrived for too long, although we were listening.

libcurl's own check is on average speed, in whole seconds; this one asks for any byte. A time in
which the loop was busy with pages does not count: nobody took what arrived.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Set
from typing import Generic, Protocol, TypeVar

import pycurl

from gossamer.crawl.curl_loop import CurlLoop, Easy

_LOOKS = 8  # within the time that a stall may last
_SHORTEST_SECONDS, _LONGEST_SECONDS = 0.02, 1.0
_NO_SOCKET = -1  # of a transfer that has no connection yet


class Watched(Protocol):
    """A transfer: what has come in so far, and the watch's own notes."""

    easy: Easy
    head: list[bytes]
    body: list[bytes]
    progress: int  # -1: not looked at yet
    progressed_at: float


AnyWatched = TypeVar("AnyWatched", bound=Watched)


class StallWatch(Generic[AnyWatched]):
    """Looks at the `active` transfers now and then, from `start` until there are none."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        curl: CurlLoop,
        active: Mapping[Easy, AnyWatched],
        limit_seconds: float,
        stalled: Callable[[AnyWatched], None],
    ) -> None:
        self._loop = loop
        self._curl = curl
        self._active = active
        self._limit = limit_seconds
        self._stalled = stalled
        self._seconds = min(_LONGEST_SECONDS, max(_SHORTEST_SECONDS, limit_seconds / _LOOKS))
        self._timer: asyncio.TimerHandle | None = None
        self._looked_at = 0.0
        self._listened = 0.0  # seconds, in all
        self._heard_at: dict[int, float] = {}

    def start(self) -> None:
        if self._timer is None:
            self._looked_at = time.monotonic()
            self._timer = self._loop.call_later(self._seconds, self._look)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        now = time.monotonic()
        self._listened += min(now - self._looked_at, 2 * self._seconds)
        self._looked_at = now
        watched = [(it, it.easy.getinfo(pycurl.ACTIVESOCKET)) for it in self._active.values()]
        uses = Counter(fd for _, fd in watched)
        self._note_heard(uses.keys())
        stalled, dead = set(), set()
        for transfer, fd in watched:
            heard_at = self._heard_at[fd]
            progress = len(transfer.head) + len(transfer.body)
            # A piece of a line shows on the socket alone. One that HTTP/2 shares among transfers
            # does not say whose piece it was.
            is_heard = uses[fd] == 1 and heard_at > transfer.progressed_at
            if progress != transfer.progress or is_heard:
                transfer.progress = progress
                transfer.progressed_at = self._listened
            elif self._listened - transfer.progressed_at >= self._limit:
                stalled.add(transfer)
                if heard_at <= transfer.progressed_at:
                    dead.add(fd)
        # Who came to a dead connection later does not wait in vain, nor keeps it open for others.
        dead.discard(_NO_SOCKET)
        for transfer, fd in watched:
            if transfer in stalled or fd in dead:
                self._stalled(transfer)
        self._timer = None
        if self._active:
            self._timer = self._loop.call_later(self._seconds, self._look)

    def _note_heard(self, sockets: Set[int]) -> None:
        """When something arrived last; on a new socket, just now."""
        heard = self._curl.heard() | (sockets - self._heard_at.keys())
        self._heard_at = {
            fd: self._listened if fd in heard else self._heard_at[fd] for fd in sockets
        }
