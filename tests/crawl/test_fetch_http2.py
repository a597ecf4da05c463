"""HTTP/2: many requests on one connection, and what can go wrong with one of them or with all."""

import asyncio
import ssl
from collections.abc import Callable

import pytest
from h2.errors import ErrorCodes

from gossamer.crawl.fetch import HttpClient, Request
from gossamer.records import Exchange, Outcome
from tests.web.http2 import Http2Server, Stream, serve_http2

from .clients import Run, client_of, plain
from .odd_server import serve


async def get(client: HttpClient, server: Http2Server, path: str = "/") -> Exchange:
    return await client.fetch(Request(server.origin + path))


def test_it_is_spoken_where_it_is_offered(run: Run, tls: ssl.SSLContext) -> None:
    body = bytes(range(256)) * 4_000

    async def talk(stream: Stream) -> None:
        await stream.answer(body, 404, [("content-type", "x/y"), ("x-raw", "\xe9")])

    async def check() -> None:
        async with serve_http2(talk, tls) as server, client_of(verify_tls=False) as client:
            for path in ("/", "/a?b"):
                exchange = await get(client, server, path)
                assert (exchange.outcome, exchange.status) == (Outcome.OK, 404)
                assert exchange.status_line == "HTTP/2 404"
                assert exchange.headers == (("content-type", "x/y"), ("x-raw", "\xe9"))
                assert exchange.body == body
                assert exchange.address == "127.0.0.1"
            assert (server.connections, server.paths) == (1, ["/", "/a?b"])

    run(check())


def test_http2_can_be_switched_off(run: Run, tls: ssl.SSLContext) -> None:
    tls.set_alpn_protocols(["h2", "http/1.1"])

    async def check() -> None:
        async with (
            serve(plain, tls=tls) as server,
            client_of(verify_tls=False, http2=False) as client,
        ):
            exchange = await client.fetch(Request(f"https://127.0.0.1:{server.port}/"))
            assert exchange.status_line == "HTTP/1.1 200 OK"

    run(check())


def test_requests_share_a_connection(run: Run, tls: ssl.SSLContext) -> None:
    """None is answered before all have been asked."""
    waiting: list[Stream] = []
    all_here = asyncio.Event()

    async def talk(stream: Stream) -> None:
        if stream.path != "/first":
            waiting.append(stream)
            if len(waiting) == 20:
                all_here.set()
            await all_here.wait()
        await stream.answer(stream.path.encode())

    async def check() -> None:
        async with serve_http2(talk, tls) as server, client_of(verify_tls=False) as client:
            await get(client, server, "/first")
            paths = [f"/{number}" for number in range(20)]
            exchanges = await asyncio.gather(*(get(client, server, path) for path in paths))
            assert [exchange.body.decode() for exchange in exchanges] == paths
            assert server.connections == 1

    run(check())


def test_a_server_that_takes_few_streams(run: Run, tls: ssl.SSLContext) -> None:
    async def talk(stream: Stream) -> None:
        await asyncio.sleep(0.02)
        await stream.answer()

    async def check() -> None:
        async with (
            serve_http2(talk, tls, streams=2) as server,
            client_of(verify_tls=False, connections=8) as client,
        ):
            exchanges = await asyncio.gather(*(get(client, server) for _ in range(30)))
            assert {exchange.outcome for exchange in exchanges} == {Outcome.OK}
            assert server.connections <= 8

    run(check())


# One stream fails


@pytest.mark.parametrize(
    "code",
    [
        ErrorCodes.NO_ERROR,
        ErrorCodes.INTERNAL_ERROR,
        ErrorCodes.CANCEL,
        ErrorCodes.REFUSED_STREAM,
        ErrorCodes.ENHANCE_YOUR_CALM,
    ],
    ids=lambda code: code.name,
)
@pytest.mark.parametrize("body", [b"", b"part"])
def test_a_reset_stream_is_an_outcome(
    run: Run, tls: ssl.SSLContext, code: ErrorCodes, body: bytes
) -> None:
    """It does not touch the other one on its connection."""
    beside, go_on = asyncio.Event(), asyncio.Event()

    async def talk(stream: Stream) -> None:
        if stream.path == "/reset":
            if body:
                stream.start(headers=[("content-length", "9")])
                await stream.send(body)
            stream.reset(code)
            return
        if stream.path == "/beside":
            beside.set()
            await go_on.wait()
        await stream.answer()

    async def check() -> None:
        async with serve_http2(talk, tls) as server, client_of(verify_tls=False) as client:
            other = asyncio.create_task(get(client, server, "/beside"))
            await beside.wait()
            exchange = await get(client, server, "/reset")
            assert exchange.outcome is Outcome.PROTOCOL_ERROR
            assert (exchange.body, bool(exchange.detail)) == (body, True)
            go_on.set()
            assert (await other).body == b"hi"
            assert (await get(client, server)).body == b"hi"

    run(check())


def test_a_refused_stream_is_asked_for_again(run: Run, tls: ssl.SSLContext) -> None:
    """The server says that it has not looked at it."""

    async def check() -> None:
        async def talk(stream: Stream) -> None:
            if server.paths == ["/"]:
                stream.reset(ErrorCodes.REFUSED_STREAM)
            else:
                await stream.answer()

        async with serve_http2(talk, tls) as server, client_of(verify_tls=False) as client:
            assert (await get(client, server)).body == b"hi"
            assert server.paths == ["/", "/"]

    run(check())


def test_a_body_past_the_cap_ends_its_stream_alone(run: Run, tls: ssl.SSLContext) -> None:
    async def talk(stream: Stream) -> None:
        if stream.path == "/endless":
            stream.start()
            while not stream.gone.is_set():
                await stream.send(b"x" * 10_000)
                await asyncio.sleep(0)
        else:
            await stream.answer()

    async def check() -> None:
        async with (
            serve_http2(talk, tls) as server,
            client_of(verify_tls=False, max_wire_bytes=100_000) as client,
        ):
            exchange = await get(client, server, "/endless")
            assert (exchange.outcome, exchange.status) == (Outcome.TOO_LARGE, 200)
            assert len(exchange.body) <= 200_000
            assert (await get(client, server)).body == b"hi"

    run(check())


def test_too_many_headers(run: Run, tls: ssl.SSLContext) -> None:
    async def talk(stream: Stream) -> None:
        count = 1_200 if stream.path == "/many" else 1
        await stream.answer(headers=[("x-many", "y")] * count)

    async def check() -> None:
        async with serve_http2(talk, tls) as server, client_of(verify_tls=False) as client:
            assert (await get(client, server, "/many")).outcome is Outcome.PROTOCOL_ERROR
            assert (await get(client, server)).outcome is Outcome.OK

    run(check())


# The connection fails


def test_a_server_that_says_goodbye_after_its_answer(run: Run, tls: ssl.SSLContext) -> None:
    async def talk(stream: Stream) -> None:
        await stream.answer()
        stream.go_away(ErrorCodes.NO_ERROR, stream.number)

    async def check() -> None:
        async with serve_http2(talk, tls) as server, client_of(verify_tls=False) as client:
            for _ in range(3):
                assert (await get(client, server)).body == b"hi"
            assert server.connections == 3

    run(check())


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        (ErrorCodes.NO_ERROR, Outcome.OK),
        (ErrorCodes.INTERNAL_ERROR, Outcome.PROTOCOL_ERROR),
        (ErrorCodes.ENHANCE_YOUR_CALM, Outcome.PROTOCOL_ERROR),
    ],
    ids=lambda value: value.name,
)
def test_a_server_that_leaves_before_it_has_looked(
    run: Run, tls: ssl.SSLContext, code: ErrorCodes, outcome: Outcome
) -> None:
    """A plain goodbye lets libcurl ask again on another connection."""
    waiting: list[Stream] = []

    async def talk(stream: Stream) -> None:
        if stream.path.startswith("/unseen") and len(waiting) < 4:
            waiting.append(stream)
            if len(waiting) == 4:
                stream.go_away(code, last=1)
                stream.connection.transport.close()
        else:
            await stream.answer()

    async def check() -> None:
        async with serve_http2(talk, tls) as server, client_of(verify_tls=False) as client:
            await get(client, server)
            paths = [f"/unseen/{number}" for number in range(4)]
            exchanges = await asyncio.gather(*(get(client, server, path) for path in paths))
            assert [exchange.outcome for exchange in exchanges] == [outcome] * 4
            assert (await get(client, server)).body == b"hi"

    run(check())


def cut(stream: Stream) -> None:
    stream.connection.transport.abort()


def garble(stream: Stream) -> None:
    stream.connection.transport.write(b"\xff" * 100)


@pytest.mark.parametrize("ruin", [cut, garble])
def test_a_connection_that_breaks(
    run: Run, tls: ssl.SSLContext, ruin: Callable[[Stream], None]
) -> None:
    async def talk(stream: Stream) -> None:
        if stream.path == "/broken":
            stream.start()
            await stream.send(b"part")
            ruin(stream)
        else:
            await stream.answer()

    async def check() -> None:
        async with serve_http2(talk, tls) as server, client_of(verify_tls=False) as client:
            exchange = await get(client, server, "/broken")
            assert exchange.outcome is Outcome.PROTOCOL_ERROR
            assert exchange.detail
            assert (await get(client, server)).body == b"hi"

    run(check())


# Nothing comes


def test_a_stalled_stream_beside_a_lively_one(run: Run, tls: ssl.SSLContext) -> None:
    streams: dict[str, Stream] = {}

    async def talk(stream: Stream) -> None:
        streams[stream.path] = stream
        if stream.path == "/lively":
            stream.start()
            while "/stalls" not in streams or not streams["/stalls"].gone.is_set():
                await stream.send(b"x")
                await asyncio.sleep(0.02)
            await stream.send(b"", is_last=True)
        elif stream.path == "/":
            await stream.answer()

    async def check() -> None:
        async with (
            serve_http2(talk, tls) as server,
            client_of(verify_tls=False, stall_timeout_seconds=0.3) as client,
        ):
            await get(client, server)
            lively = asyncio.create_task(get(client, server, "/lively"))
            stalls = await get(client, server, "/stalls")
            assert stalls.outcome is Outcome.TIMEOUT
            assert stalls.detail == "no byte for 0.3 seconds"
            assert (await lively).outcome is Outcome.OK
            assert server.connections == 1

    run(check())


def test_a_dead_connection_is_left(run: Run, tls: ssl.SSLContext) -> None:
    """Also by those who came to it later: together they would keep it open for ever."""

    async def talk(stream: Stream) -> None:
        await stream.answer()
        if stream.path == "/last":
            stream.connection.transport.pause_reading()

    async def check() -> None:
        async with (
            serve_http2(talk, tls) as server,
            client_of(verify_tls=False, stall_timeout_seconds=1) as client,
        ):
            await get(client, server, "/last")
            early = asyncio.create_task(get(client, server, "/early"))
            await asyncio.sleep(0.5)
            late = await get(client, server, "/late")
            assert {(await early).outcome, late.outcome} == {Outcome.TIMEOUT}
            assert late.seconds < 1
            assert server.connections == 1
            assert (await get(client, server, "/next")).body == b"hi"
            assert (server.connections, server.paths) == (2, ["/last", "/next"])

    run(check())
