"""The server of the local web: virtual hosts on raw sockets, with a log of all requests.

HTTP/1.1 with keep-alive, as little of it as crawlers need: what a host answers goes out byte
for byte. The host `control.test` (never logged, never linked) serves `/log`, `/reset` (the log) and
`/fresh` (the log, and whatever the hosts remember).
"""

import asyncio
import json
import re
import socket
import struct
import time
from collections.abc import Callable
from typing import NamedTuple, cast

from tests.web.message import Answer, Host, Play, Reply, Request, document, reply

CONTROL = "control.test"

_HOST = re.compile(rb"\r\nhost:[ \t]*([^\r\n]*)", re.IGNORECASE)
_AGENT = re.compile(rb"\r\nuser-agent:[ \t]*([^\r\n]*)", re.IGNORECASE)


class LogEntry(NamedTuple):
    """One request. `status` is 0 where no proper answer was meant."""

    time: float
    host: str
    path: str
    status: int
    agent: str
    connection: int
    method: str
    protocol: str


class Dispatcher:
    """Finds the host of a request, and keeps the log."""

    def __init__(self, make_hosts: Callable[[], tuple[Host, ...]]) -> None:
        self._make_hosts = make_hosts
        self._hosts = {host.name: host for host in make_hosts()}
        self._log: list[LogEntry] = []
        self.connections = 0

    def answer(self, head: bytes, connection: int, scheme: str, port: int) -> Answer:
        line = head.partition(b"\r\n")[0].decode("latin-1").split(" ")
        if len(line) != 3:
            return reply(400, "<p>That is no request line.</p>", close=True)
        method, path, protocol = line
        if not path.startswith("/"):  # as a proxy is asked
            path = "/" + path.partition("://")[2].partition("/")[2]
        found = _HOST.search(head)
        authority = found[1].decode("latin-1").strip().lower() if found else ""
        name = authority if authority.endswith("]") else authority.rpartition(":")[0] or authority
        if name == CONTROL:
            return self._control(path)
        host = self._hosts.get(name.removesuffix("."))
        if host is None:
            answer: Answer = reply(404, document("No such host", f"<p>'{name}' is unknown.</p>"))
        else:
            answer = host.answer(Request(method, name, path, head, port, scheme))
        agent = _AGENT.search(head)
        self._log.append(
            LogEntry(
                time.time(),
                name,
                path,
                answer.status,
                agent[1].decode("latin-1") if agent else "",
                connection,
                method,
                protocol,
            )
        )
        if method == "HEAD" and isinstance(answer, Reply):
            end = answer.payload.find(b"\r\n\r\n") + 4
            return Reply(answer.payload[:end], answer.status, answer.delay, answer.close)
        return answer

    def _control(self, path: str) -> Reply:
        if path == "/log":
            return reply(200, json.dumps(self._log), media_type="application/json")
        if path == "/reset":
            self._log.clear()
            return reply(200, "[]", media_type="application/json")
        if path == "/fresh":
            self._log.clear()
            self._hosts = {host.name: host for host in self._make_hosts()}
            return reply(200, "[]", media_type="application/json")
        return reply(404, "no such control")


class Connection(asyncio.Protocol):
    """One connection: requests are answered one after the other."""

    def __init__(self, dispatcher: Dispatcher, scheme: str, port: int) -> None:
        self._dispatcher = dispatcher
        self._scheme = scheme
        self._port = port
        dispatcher.connections += 1
        self._number = dispatcher.connections
        self._received = b""
        self._busy = False
        self._gone = False
        self._play: asyncio.Task[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports behave like asyncio.Transport without being one.
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._gone = True
        if self._play is not None:
            self._play.cancel()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._busy:
            self._answer_all()

    def _answer_all(self) -> None:
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            request, self._received = self._received[:end], self._received[end + 4 :]
            answer = self._dispatcher.answer(request, self._number, self._scheme, self._port)
            if isinstance(answer, Play):
                self._busy = True
                self._play = self._loop.create_task(self._perform(answer))
                return
            if answer.delay:
                self._busy = True
                self._loop.call_later(answer.delay, self._send_late, answer)
                return
            self._transport.write(answer.payload)
            if answer.close:
                self._transport.close()
                return

    def _send_late(self, answer: Reply) -> None:
        if self._gone:
            return
        self._transport.write(answer.payload)
        if answer.close:
            self._transport.close()
            return
        self._busy = False
        self._answer_all()

    async def _perform(self, play: Play) -> None:
        await play.script(self)
        if play.keep:
            self._busy = False
            self._answer_all()
        else:
            self.close()

    async def send(self, data: bytes) -> None:
        await self._writable.wait()
        self._transport.write(data)
        # A turn of the loop lets a lost connection cancel scripts that never wait otherwise.
        await asyncio.sleep(0)

    def close(self) -> None:
        self._transport.close()

    def reset(self) -> None:
        reset(self._transport)


def reset(transport: asyncio.BaseTransport) -> None:
    """Ends a connection with RST instead of FIN."""
    raw = cast(socket.socket, transport.get_extra_info("socket"))
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    cast(asyncio.Transport, transport).abort()
