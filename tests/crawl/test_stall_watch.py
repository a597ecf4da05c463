import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from gossamer.crawl.fetch import Request
from gossamer.records import Outcome

from .clients import Run, client_of, get
from .odd_server import Peer, serve

OK = b"HTTP/1.1 200 OK\r\n"


def test_a_stalled_body(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.send(OK + b"Content-Length: 20\r\n\r\nhi")
        await peer.gone()

    async def check() -> None:
        async with serve(talk) as server, client_of(stall_timeout_seconds=0.2) as client:
            exchange = await get(client, server)
            assert exchange.outcome is Outcome.TIMEOUT
            assert exchange.detail == "no byte for 0.2 seconds"
            assert (exchange.status, exchange.body) == (200, b"hi")
            assert 0.2 <= exchange.seconds < 2
            await server.closed.wait()

    run(check())


def test_a_slow_drip_is_no_stall_but_has_to_end(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.send(OK + b"Content-Length: 40\r\n\r\n")
        for _ in range(40):
            await peer.send(b"x")
            await asyncio.sleep(0.02)

    async def check() -> None:
        async with serve(talk) as server:
            async with client_of(stall_timeout_seconds=0.3) as client:
                assert (await get(client, server)).outcome is Outcome.OK
            async with client_of(request_timeout_seconds=0.3) as client:
                exchange = await get(client, server)
                assert exchange.outcome is Outcome.TIMEOUT
                assert 0 < len(exchange.body) < 40

    run(check())


LONG = b"x" * 40


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (OK + b"A: ", b"\r\nContent-Length: 2\r\n\r\nhi"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n2;", b"\r\nhi\r\n0\r\n\r\n"),
    ],
    ids=["a header", "a chunk's extension"],
)
def test_a_drip_within_a_line_is_no_stall_either(run: Run, before: bytes, after: bytes) -> None:
    async def talk(peer: Peer) -> None:
        await peer.send(before)
        for byte in LONG:
            await peer.send(bytes((byte,)))
            await asyncio.sleep(0.02)
        if peer.path == "/endless":
            await peer.gone()
        await peer.send(after)

    async def check() -> None:
        async with serve(talk) as server:
            async with client_of(stall_timeout_seconds=0.3) as client:
                exchange = await get(client, server)
                assert (exchange.outcome, exchange.body) == (Outcome.OK, b"hi"), exchange.detail
                exchange = await get(client, server, "/endless")
                assert exchange.outcome is Outcome.TIMEOUT
                assert exchange.detail == "no byte for 0.3 seconds"
            async with client_of(request_timeout_seconds=0.3) as client:
                exchange = await get(client, server)
                assert (exchange.outcome, exchange.body) == (Outcome.TIMEOUT, b"")

    run(check())


@contextlib.contextmanager
def steady_server(seconds: float, every_seconds: float) -> Iterator[int]:
    """Sends a byte now and then, in a thread of its own: our loop's pauses are none of its."""
    pieces = round(seconds / every_seconds)

    def answer(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(ConnectionError):
            connection.recv(65_536)
            connection.sendall(OK + f"Content-Length: {pieces}\r\n\r\n".encode())
            for _ in range(pieces):
                time.sleep(every_seconds)
                connection.sendall(b"x")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer, args=(listener,))
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


def test_while_nobody_listens_nothing_stalls(run: Run) -> None:
    """The loop is blocked for longer than a stall may last, as by pages that are hard to parse."""

    async def check() -> None:
        loop = asyncio.get_running_loop()

        def block() -> None:
            loop.call_later(0.001, time.sleep, 1.2)
            time.sleep(0.1)  # so that the next look for stalls is due as well, and comes after it

        with steady_server(2.0, 0.5) as port:
            async with client_of(stall_timeout_seconds=0.8) as client:
                loop.call_later(0.15, block)  # between two looks
                exchange = await client.fetch(Request(f"http://127.0.0.1:{port}/"))
                assert exchange.outcome is Outcome.OK, exchange.detail

    run(check())


def test_a_busy_loop_hides_no_stall(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.send(OK + b"Content-Length: 20\r\n\r\nhi")
        await peer.gone()

    async def check() -> None:
        async with serve(talk) as server, client_of(stall_timeout_seconds=0.1) as client:
            fetching = asyncio.create_task(get(client, server))
            while not fetching.done():
                await asyncio.sleep(0)
                time.sleep(0.1)  # noqa: ASYNC251
            exchange = await fetching
            assert exchange.outcome is Outcome.TIMEOUT
            assert exchange.seconds < 4
            await server.closed.wait()

    run(check())
