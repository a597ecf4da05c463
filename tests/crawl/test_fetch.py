import asyncio
import gzip
import resource
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from gossamer import urls
from gossamer.config import CrawlSettings
from gossamer.crawl import fetch as fetch_module
from gossamer.crawl.fetch import Request, ensure_open_files, location_of
from gossamer.errors import SettingsError
from gossamer.records import Exchange, Outcome

from .clients import DEAD_NAME, Run, client_of, get, plain
from .odd_server import Peer, serve

OK = b"HTTP/1.1 200 OK\r\n"


def sends(data: bytes) -> Callable[[Peer], Coroutine[Any, Any, None]]:
    async def talk(peer: Peer) -> None:
        await peer.send(data)

    return talk


MANY_LINES = b"A: x\r\n" * 2_000
ODD_ANSWERS = [
    ("length", OK + b"Content-Length: 2\r\n\r\nhi", Outcome.OK, b"hi"),
    ("until close", OK + b"\r\nhi", Outcome.OK, b"hi"),
    ("more than said", OK + b"Content-Length: 2\r\n\r\nhi there", Outcome.OK, b"hi"),
    ("line feeds", b"HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", Outcome.OK, b"hi"),
    ("status text in Latin-1", b"HTTP/1.1 200 \xe9\r\n\r\nhi", Outcome.OK, b"hi"),
    ("less than said", OK + b"Content-Length: 20\r\n\r\nhi", Outcome.PROTOCOL_ERROR, b"hi"),
    (
        "chunks",
        OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1;x=y\r\ni\r\n0\r\n\r\n",
        Outcome.OK,
        b"hi",
    ),
    (
        "cut chunk",
        OK + b"Transfer-Encoding: chunked\r\n\r\n20\r\nhi",
        Outcome.PROTOCOL_ERROR,
        b"hi",
    ),
    (
        "no last chunk",
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
        Outcome.PROTOCOL_ERROR,
        b"hi",
    ),
    (
        "broken chunk size",
        OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhi\r\n",
        Outcome.PROTOCOL_ERROR,
        b"",
    ),
    ("HTTP/0.9", b"<html>hello</html>", Outcome.PROTOCOL_ERROR, b""),
    ("nothing", b"", Outcome.PROTOCOL_ERROR, b""),
    ("junk", bytes(range(256)) * 8, Outcome.PROTOCOL_ERROR, b""),
    ("a future version", b"HTTP/9.9 200 OK\r\n\r\nhi", Outcome.PROTOCOL_ERROR, b""),
    ("no status", b"HTTP/1.1 OK\r\n\r\nhi", Outcome.PROTOCOL_ERROR, b""),
    ("only 100", b"HTTP/1.1 100 Continue\r\n\r\n", Outcome.PROTOCOL_ERROR, b""),
    ("101", b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nhi", Outcome.PROTOCOL_ERROR, b"hi"),
    ("NUL in a header", OK + b"A: \0\r\n\r\nhi", Outcome.PROTOCOL_ERROR, b""),
    ("two lengths", OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!", None, None),
    ("a length of no number", OK + b"Content-Length: \xff\r\n\r\nhi", Outcome.PROTOCOL_ERROR, b""),
    ("many header lines", OK + MANY_LINES + b"\r\nhi", Outcome.PROTOCOL_ERROR, b"hi"),
    ("endless headers", OK + MANY_LINES * 100, Outcome.PROTOCOL_ERROR, b""),
    ("a huge header", OK + b"A: " + b"x" * 200_000 + b"\r\n\r\nhi", Outcome.PROTOCOL_ERROR, b""),
    ("endless 100s", b"HTTP/1.1 100 Continue\r\n\r\n" * 50_000, Outcome.PROTOCOL_ERROR, b""),
]


@pytest.mark.parametrize(
    ("data", "outcome", "body"), [case[1:] for case in ODD_ANSWERS], ids=[c[0] for c in ODD_ANSWERS]
)
def test_odd_answers(run: Run, data: bytes, outcome: Outcome | None, body: bytes | None) -> None:
    async def check() -> None:
        async with serve(sends(data)) as server, client_of() as client:
            exchange = await get(client, server)
            assert exchange.outcome is (outcome or Outcome.PROTOCOL_ERROR)
            if body is not None:
                assert exchange.body == body
            assert bool(exchange.detail) == (exchange.outcome is not Outcome.OK)
            assert len(exchange.headers) <= 1_000
            assert exchange.url == f"{server.origin}/"
            # The client is as good as new after it.
            async with serve(plain) as sane:
                assert (await get(client, sane)).body == b"hi"

    run(check())


def test_a_reset_connection(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.send(OK + b"Content-Length: 20\r\n\r\nhi")
        peer.reset()

    async def check() -> None:
        async with serve(talk) as server, client_of() as client:
            exchange = await get(client, server)
            assert exchange.outcome is Outcome.PROTOCOL_ERROR
            assert exchange.status in (0, 200)

    run(check())


def test_headers_of_the_final_answer_only(run: Run) -> None:
    data = (
        b"HTTP/1.1 100 Continue\r\nA: 1\r\n\r\n"
        b"HTTP/1.1 103 Early Hints\r\nB: 2\r\n\r\n"
        b"HTTP/1.1 404 Not  Found \r\nX-Case:  kept \r\nx-case: twice\r\nEmpty:\r\n"
        b"Folded: a\r\n b\r\nRaw: \xe9\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"2\r\nhi\r\n0\r\nTrailer-Field: no\r\n\r\n"
    )

    async def check() -> None:
        async with serve(sends(data)) as server, client_of() as client:
            exchange = await get(client, server)
            assert exchange.outcome is Outcome.OK
            assert exchange.status == 404
            assert exchange.status_line == "HTTP/1.1 404 Not  Found"
            assert exchange.headers == (
                ("X-Case", "kept"),
                ("x-case", "twice"),
                ("Empty", ""),
                ("Folded", "a b"),
                ("Raw", "é"),
                ("Transfer-Encoding", "chunked"),
            )
            assert exchange.body == b"hi"
            assert exchange.address == "127.0.0.1"
            assert exchange.seconds > 0

    run(check())


def test_the_body_stays_encoded(run: Run) -> None:
    packed = gzip.compress(b"hello" * 100)

    async def talk(peer: Peer) -> None:
        await peer.answer(packed, "Content-Encoding: gzip\r\n")

    async def check() -> None:
        async with serve(talk) as server, client_of() as client:
            assert (await get(client, server)).body == packed
            assert "Accept-Encoding: gzip, deflate, br\r\n" in server.heads[0]

    run(check())


def test_redirects_are_not_followed(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.answer(b"", "Location: /é\xc3\xa4\r\n".replace("é", ""), "302 Found")

    async def check() -> None:
        async with serve(talk) as server, client_of() as client:
            exchange = await get(client, server)
            assert (exchange.outcome, exchange.status) == (Outcome.OK, 302)
            assert location_of(exchange) == "/ä"
            assert server.requests == ["/"]

    run(check())


def test_location_in_latin_1_is_left_as_it_is() -> None:
    exchange = Exchange("", 0, 0, Outcome.OK, headers=(("LOCATION", " /\xe9 "),))
    assert location_of(exchange) == "/é"


# Limits on size


def test_a_body_past_the_cap_is_not_read(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.send(OK + b"\r\n")
        while True:
            await peer.send(b"x" * 10_000)

    async def check() -> None:
        async with serve(talk) as server, client_of(max_wire_bytes=100_000) as client:
            exchange = await get(client, server)
            assert exchange.outcome is Outcome.TOO_LARGE
            assert exchange.status == 200
            assert len(exchange.body) <= 200_000
            await server.closed.wait()
            exchange = await get(client, server, max_bytes=20_000)
            assert exchange.outcome is Outcome.TOO_LARGE
            assert len(exchange.body) <= 100_000

    run(check())


def test_a_length_past_the_cap_is_believed(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.send(OK + b"Content-Length: 101\r\n\r\n")
        await peer.gone()

    async def check() -> None:
        async with serve(talk) as server, client_of(max_wire_bytes=100) as client:
            exchange = await get(client, server)
            assert (exchange.outcome, exchange.status) == (Outcome.TOO_LARGE, 200)

    run(check())


def test_a_body_at_the_cap_is_taken(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        if peer.path == "/chunked":
            data = b"64\r\n" + b"x" * 100 + b"\r\n0\r\n\r\n"
            await peer.send(OK + b"Transfer-Encoding: chunked\r\n\r\n" + data)
        else:
            await peer.answer(b"x" * 100)

    async def check() -> None:
        async with serve(talk, once=False) as server, client_of() as client:
            for path in ("/", "/chunked"):
                assert (await get(client, server, path, max_bytes=100)).outcome is Outcome.OK
                small = await get(client, server, path, max_bytes=99)
                assert small.outcome is Outcome.TOO_LARGE
                # The cap of one request does not outlive it.
                assert (await get(client, server, path)).outcome is Outcome.OK
            spent = await get(client, server, max_bytes=0)
            assert spent.outcome is Outcome.TOO_LARGE
            assert len(server.requests) == 6

    run(check())


# What is not there


def test_a_handshake_that_never_comes(run: Run) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async def check() -> None:
        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, client_of(connect_timeout_seconds=0.2) as client:
            exchange = await client.fetch(Request(f"https://127.0.0.1:{port}/"))
            assert exchange.outcome is Outcome.TIMEOUT
            assert exchange.seconds < 2

    run(check())


def test_a_closed_port(run: Run) -> None:
    async def check() -> None:
        async with serve(plain) as server:
            pass
        async with client_of() as client:
            exchange = await get(client, server)
            assert exchange.outcome is Outcome.CONNECT_ERROR
            assert exchange.detail

    run(check())


def test_a_dead_name_costs_one_lookup(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        async with client_of() as client:
            first = await client.fetch(Request(f"http://{DEAD_NAME}/"))
            assert first.outcome is Outcome.DNS_ERROR
            again = await client.fetch(Request(f"http://{DEAD_NAME}:81/other"))
            assert again.outcome is Outcome.DNS_ERROR
            assert again.detail == f"{DEAD_NAME} did not resolve"
            assert again.seconds == 0
            monkeypatch.setattr(fetch_module, "DEAD_NAME_SECONDS", -1.0)
            other = await client.fetch(Request(f"http://b{DEAD_NAME}/"))
            assert other.detail != f"b{DEAD_NAME} did not resolve"
            later = await client.fetch(Request(f"http://b{DEAD_NAME}/"))
            assert later.detail == other.detail

    run(check())


@pytest.mark.parametrize("url", ["http://a(b)/", "http://a,b/"])
def test_a_host_that_libcurl_does_not_take(run: Run, url: str) -> None:
    async def check() -> None:
        async with client_of() as client:
            assert (await client.fetch(Request(urls.parse(url).href))).outcome is Outcome.DNS_ERROR

    run(check())


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"])
def test_only_http_is_spoken(run: Run, url: str) -> None:
    async def check() -> None:
        async with client_of() as client:
            exchange = await client.fetch(Request(url))
            assert exchange.outcome is Outcome.PROTOCOL_ERROR
            assert exchange.body == b""

    run(check())


# Open files


@pytest.fixture
def low_limit() -> Iterator[int]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_limit_on_open_files_is_raised(low_limit: int) -> None:
    needed = ensure_open_files(CrawlSettings(connections=100))
    assert needed > 256
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (needed, low_limit)
    assert ensure_open_files(CrawlSettings(connections=1)) < needed
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (needed, low_limit)


@pytest.mark.skipif(
    resource.getrlimit(resource.RLIMIT_NOFILE)[1] == resource.RLIM_INFINITY,
    reason="this system has no limit",
)
def test_more_connections_than_the_system_allows(low_limit: int) -> None:
    with pytest.raises(SettingsError, match="set 'connections' to") as caught:
        ensure_open_files(CrawlSettings(connections=low_limit))
    advised = int(str(caught.value).split("'connections' to ")[1].split()[0])
    ensure_open_files(CrawlSettings(connections=advised))
