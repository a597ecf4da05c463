"""libcurl's multi interface on an asyncio loop (asyncio's own, or uvloop).

Knows sockets and timers, not HTTP: transfers are added and removed, and each one that ends by
itself is reported once.
"""

import asyncio
import contextlib
import math
import select
from collections.abc import Callable
from typing import Any

import pycurl

Easy = Any  # pycurl.Curl
Finished = Callable[[Easy, int, str], None]
"""Called with a handle, libcurl's code (0: all is well) and its message."""

_EVENTS_AT_ONCE = 512
_EVENTS = {
    pycurl.POLL_NONE: 0,
    pycurl.POLL_IN: select.EPOLLIN,
    pycurl.POLL_OUT: select.EPOLLOUT,
    pycurl.POLL_INOUT: select.EPOLLIN | select.EPOLLOUT,
}
_TICK_SECONDS = 0.001  # libcurl's; called too early, it asks again
_READABLE = select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR
_WRITABLE = select.EPOLLOUT | select.EPOLLHUP | select.EPOLLERR


class CurlLoop:
    """Sockets are watched by an epoll set of our own, and the loop watches that: libcurl changes
    its wishes several times a request, and one system call beats `add_reader` and its kin."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, connections: int, finished: Finished
    ) -> None:
        self._loop = loop
        self._finished = finished
        self._running: set[Easy] = set()
        self._closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._due = math.inf  # when libcurl wants to be called
        self._rings_at = math.inf
        self._kick_pending = False
        self._watched: set[int] = set()
        self._heard: set[int] = set()
        self._epoll = select.epoll()
        loop.add_reader(self._epoll.fileno(), self._on_ready)
        self._multi: Any = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        # Busy and idle connections together; when a new one needs room, the oldest idle one goes.
        self._multi.setopt(pycurl.M_MAX_TOTAL_CONNECTIONS, connections)
        self._multi.setopt(pycurl.M_MAXCONNECTS, connections)

    def add(self, easy: Easy) -> None:
        self._running.add(easy)
        self._multi.add_handle(easy)

    def remove(self, easy: Easy) -> None:
        """Also for transfers that were reported: a handle stays until it is removed."""
        self._running.discard(easy)
        self._multi.remove_handle(easy)

    def heard(self) -> set[int]:
        """The sockets on which something has arrived since the last call."""
        heard, self._heard = self._heard, set()
        return heard

    def close(self) -> None:
        """All handles must have been removed."""
        self._closed = True
        self._multi.close()
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._epoll.fileno())
        self._epoll.close()

    # Called by libcurl, from within the calls to it: they only take note

    def _on_socket(self, what: int, fd: int, _multi: Any, _data: Any) -> None:
        if what == pycurl.POLL_REMOVE:
            # It stays in the set: most connections serve the next request at once.
            self._watched.discard(fd)
            return
        try:
            self._epoll.modify(fd, _EVENTS[what])
        except FileNotFoundError:
            # A new socket, maybe with the number of one that libcurl closed without a word.
            self._epoll.register(fd, _EVENTS[what])
        self._watched.add(fd)

    def _on_timer(self, timeout_ms: int) -> None:
        if timeout_ms > 0:
            self._due = self._loop.time() + timeout_ms / 1000
            self._set_timer()
            return
        self._due = math.inf
        if timeout_ms == 0 and not self._kick_pending:
            self._kick_pending = True
            self._loop.call_soon(self._kick)

    def _set_timer(self) -> None:
        """It may ring too early, but not too late: nearly every request puts off what is due, and
        a timer of its own would cost each more than to look again when one rings."""
        if self._timer is not None:
            if self._rings_at <= self._due:
                return
            self._timer.cancel()
        self._rings_at = self._due
        self._timer = self._loop.call_at(self._due, self._ring)

    # Called by the loop

    def _ring(self) -> None:
        self._timer = None
        if self._due - self._loop.time() < _TICK_SECONDS:
            self._kick()
        elif self._due < math.inf:
            self._set_timer()

    def _kick(self) -> None:
        self._kick_pending = False
        if self._closed:
            return
        _, running = self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)
        if running < len(self._running):
            self._collect()

    def _on_ready(self) -> None:
        socket_action = self._multi.socket_action
        running = len(self._running)
        for fd, events in self._epoll.poll(0, _EVENTS_AT_ONCE):
            if fd not in self._watched:
                # Nobody uses the connection, and its server has closed it, or talks unasked.
                with contextlib.suppress(OSError):
                    self._epoll.unregister(fd)
                continue
            mask = 0
            if events & _READABLE:
                mask = pycurl.CSELECT_IN
                self._heard.add(fd)
            if events & _WRITABLE:
                mask |= pycurl.CSELECT_OUT
            _, running = socket_action(fd, mask)
        if running < len(self._running):
            self._collect()

    def _collect(self) -> None:
        queued = 1
        while queued:
            queued, succeeded, failed = self._multi.info_read()
            for easy in succeeded:
                self._running.discard(easy)
                self._finished(easy, 0, "")
            for easy, code, message in failed:
                self._running.discard(easy)
                self._finished(easy, code, message)
