"""Answers over HTTP on 127.0.0.1: in this process, or in one of its own beside a crawl."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import cast

import uvloop

from gossamer.demo.answers import TEXT, Answer, head_of, is_unchanged
from gossamer.demo.web import answer
from gossamer.errors import RuntimeFault

ADDRESS = "127.0.0.1"
SERVER = "gossamer-sample-web"
"""What it calls itself, for those who look whether it is there."""
_LONGEST_HEAD = 65_536
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


class _Connection(asyncio.Protocol):
    """HTTP/1.1 with keep-alive, as much of it as crawlers and browsers need for pages."""

    def __init__(self) -> None:
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports behave like asyncio.Transport without being one.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            head, self._received = self._received[:end], self._received[end + 4 :]
            message, stays = _response(head.decode("latin-1"))
            self._transport.write(message)
            if not stays:
                self._transport.close()
                return
        if len(self._received) > _LONGEST_HEAD:
            self._transport.close()


def _response(head: str) -> tuple[bytes, bool]:
    """The whole message to a request, and whether the connection stays."""
    request_line, _, lines = head.partition("\r\n")
    method, _, rest = request_line.partition(" ")
    target, _, protocol = rest.rpartition(" ")
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines.split("\r\n"))
    }
    if method not in ("GET", "HEAD"):  # whose body would have to be read
        return _message(Answer(b"Only GET and HEAD.\n", TEXT, 405), method, stays=False), False
    stays = protocol == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
    found = answer(headers.get("host", ""), target)
    if is_unchanged(found, headers):
        found = found._replace(status=304)
    return _message(found, method, stays), stays


def _message(answer: Answer, method: str, stays: bool) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} {_PHRASES[answer.status]}"]
    lines += (f"{name}: {value}" for name, value in head_of(answer))
    if answer.status != 304:
        lines.append(f"Content-Length: {len(answer.body)}")
    lines.append(f"Server: {SERVER}")
    lines.append(f"Connection: {'keep-alive' if stays else 'close'}")
    has_body = method != "HEAD" and answer.status != 304
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (answer.body if has_body else b"")


async def _serve(
    port: int, on_ready: Callable[[int], None], until: Callable[[], Awaitable[object]]
) -> None:
    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(_Connection, ADDRESS, port)
    except OSError as error:
        reason = error.strerror or error
        raise RuntimeFault(f"The sample web cannot be served on port {port}: {reason}.") from None
    async with server:
        on_ready(server.sockets[0].getsockname()[1])
        await until()


def serve_web(port: int, on_ready: Callable[[int], None]) -> None:
    """Serve until Ctrl-C. `on_ready` is told the port."""

    async def forever() -> None:
        await asyncio.Event().wait()

    with suppress(KeyboardInterrupt):
        uvloop.run(_serve(port, on_ready, forever))


def serve_until_stdin_closes(port: int) -> None:
    """How the process beside a crawl ends: also when the crawl is killed, its pipe is closed."""

    def tell(port: int) -> None:
        sys.stdout.write(f"{port}\n")
        sys.stdout.flush()

    async def end_of_stdin() -> None:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    uvloop.run(_serve(port, tell, end_of_stdin))


@contextmanager
def running_web(port: int = 0) -> Iterator[int]:
    """The port of the sample web, while a process of its own serves it.

    In its own session: a Ctrl-C that lets the crawl finish its pages must not take the web away.
    """
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "gossamer.demo", str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        ready = process.stdout.readline().strip()
        if not ready:
            raise RuntimeFault(process.stderr.read().strip() or "The sample web did not start.")
        try:
            yield int(ready)
        finally:
            process.stdin.close()
            process.wait()
