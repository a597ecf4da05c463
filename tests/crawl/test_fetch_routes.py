"""Where the client connects to, and how: addresses, TLS, connections."""

import asyncio
import contextlib
import ssl
from pathlib import Path

import pytest

from gossamer import urls
from gossamer.config import CrawlSettings
from gossamer.crawl import fetch as fetch_module
from gossamer.crawl.fetch import HttpClient, Request
from gossamer.records import Outcome

from .clients import Run, client_of, get, plain
from .odd_server import Peer, serve

OK = b"HTTP/1.1 200 OK\r\n"


# Addresses


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "0x7f.1", "2130706433", "017700000001", "127.1", "0",
        "[::1]", "[::ffff:127.0.0.1]", "[::]", "fixed.test", "mixed.test",
    ],
)  # fmt: skip
def test_private_addresses_are_refused(run: Run, host: str) -> None:
    fixed = {"fixed.test": "127.0.0.1", "mixed.test": "127.0.0.1,::1"}

    async def check() -> None:
        async with (
            serve(plain) as server,
            client_of(allow_private=False, resolve=fixed) as client,
        ):
            url = urls.parse(f"http://{host}:{server.port}/").href
            exchange = await client.fetch(Request(url))
            assert exchange.outcome is Outcome.ADDRESS_REFUSED
            assert exchange.address in exchange.detail
            assert "not a public address" in exchange.detail
            assert server.connections == 0

    run(check())


def test_a_local_host_is_allowed_at_its_address_alone(run: Run) -> None:
    async def check() -> None:
        async with serve(plain, once=False) as server, serve(plain, once=False) as other:
            local = {"Local.test": f"127.0.0.1:{server.port}", "bare.test": "127.0.0.1"}
            fixed = {"fixed.test": f"127.0.0.1:{server.port}"}
            async with client_of(
                allow_private=False, local_hosts=local, resolve=fixed, connections=1
            ) as client:
                for url, outcome in (
                    ("http://local.test/", Outcome.OK),
                    (f"http://local.test:{other.port}/", Outcome.OK),  # at the port that is set
                    (f"http://127.0.0.1:{server.port}/", Outcome.ADDRESS_REFUSED),
                    ("http://fixed.test/", Outcome.ADDRESS_REFUSED),
                    ("http://local.test/again", Outcome.OK),
                    (f"http://bare.test:{other.port}/", Outcome.OK),  # at any of its ports
                ):
                    exchange = await client.fetch(Request(url))
                    assert exchange.outcome is outcome, url
            assert other.connections == 1

    run(check())


def test_an_allowed_address_is_connected_to(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way through our own opening of sockets, with loopback taken for public."""
    monkeypatch.setattr(fetch_module, "is_public", lambda address: address == "127.0.0.1")
    fixed = {"mixed.test": "127.0.0.2,127.0.0.1", "other.test": "127.0.0.2"}

    async def check() -> None:
        async with (
            serve(plain, once=False) as server,
            client_of(allow_private=False, resolve=fixed) as client,
        ):
            for _ in range(2):
                exchange = await client.fetch(Request(f"http://mixed.test:{server.port}/"))
                assert (exchange.outcome, exchange.address) == (Outcome.OK, "127.0.0.1")
            assert server.connections == 1
            exchange = await client.fetch(Request(f"http://other.test:{server.port}/"))
            assert (exchange.outcome, exchange.address) == (Outcome.ADDRESS_REFUSED, "127.0.0.2")
        async with client_of(allow_private=False, resolve=fixed) as client:
            exchange = await client.fetch(Request(f"http://mixed.test:{server.port}/"))
            assert exchange.outcome is Outcome.CONNECT_ERROR

    run(check())


def test_fixed_names_work_on_any_port(run: Run) -> None:
    async def check() -> None:
        async with (
            serve(plain) as one,
            serve(plain, address="::1") as two,
            client_of(resolve={"Fixed.test": "127.0.0.1", "six.test": "::1"}) as client,
        ):
            for name, server, address in (
                ("fixed.test", one, "127.0.0.1"),
                ("six.test", two, "::1"),
                ("fixed.test", one, "127.0.0.1"),
            ):
                exchange = await client.fetch(Request(f"http://{name}:{server.port}/"))
                assert (exchange.outcome, exchange.address) == (Outcome.OK, address)
            assert f"Host: fixed.test:{one.port}\r\n" in one.heads[0]

    run(check())


def test_fixed_names_may_lead_to_another_port(run: Run) -> None:
    async def check() -> None:
        async with serve(plain) as one, serve(plain, address="::1") as two:
            fixed = {"one.test": f"127.0.0.1:{one.port}", "two.test": f"[::1]:{two.port}"}
            async with client_of(resolve=fixed) as client:
                for name, server in (("one.test", one), ("two.test", two), ("one.test", one)):
                    exchange = await client.fetch(Request(f"http://{name}/"))
                    assert exchange.outcome is Outcome.OK
                    assert f"Host: {name}\r\n" in server.heads[-1]
            async with client_of(resolve=fixed, allow_private=False) as client:
                refused = await client.fetch(Request("http://one.test/"))
                assert refused.outcome is Outcome.ADDRESS_REFUSED

    run(check())


# TLS


FIXED = {"secure.test": "127.0.0.1", "wrong.test": "127.0.0.1"}


def test_certificates_are_checked(
    run: Run,
    tls: ssl.SSLContext,
    certificate: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def check() -> None:
        async with serve(plain, tls=tls) as server:
            url = f"https://secure.test:{server.port}/"
            async with client_of(resolve=FIXED) as client:
                exchange = await client.fetch(Request(url))
                assert exchange.outcome is Outcome.TLS_ERROR
                assert "certificate" in exchange.detail
            async with client_of(resolve=FIXED, verify_tls=False) as client:
                exchange = await client.fetch(Request(url))
                assert (exchange.outcome, exchange.body) == (Outcome.OK, b"hi")
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
            async with client_of(resolve=FIXED) as client:
                assert (await client.fetch(Request(url))).body == b"hi"
                wrong = url.replace("secure", "wrong")
                assert (await client.fetch(Request(wrong))).outcome is Outcome.TLS_ERROR

    run(check())


def test_tls_to_a_server_that_speaks_none(run: Run) -> None:
    async def speaks_plainly(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad\r\n\r\n")
        writer.close()

    async def check() -> None:
        server = await asyncio.start_server(speaks_plainly, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, client_of() as client:
            exchange = await client.fetch(Request(f"https://127.0.0.1:{port}/"))
            assert exchange.outcome is Outcome.TLS_ERROR

    run(check())


def test_tls_that_ends_without_a_goodbye(run: Run, tls: ssl.SSLContext) -> None:
    """Common, and only a loss where a length was announced."""

    async def talk(peer: Peer) -> None:
        length = b"Content-Length: 20\r\n" if peer.path == "/cut" else b""
        await peer.send(OK + length + b"Connection: close\r\n\r\nhi")
        peer.writer.transport.abort()

    async def check() -> None:
        async with serve(talk, tls=tls) as server, client_of(verify_tls=False) as client:
            whole = await client.fetch(Request(f"https://127.0.0.1:{server.port}/"))
            assert (whole.outcome, whole.detail, whole.body) == (Outcome.OK, "", b"hi")
            cut = await client.fetch(Request(f"https://127.0.0.1:{server.port}/cut"))
            assert cut.outcome is Outcome.PROTOCOL_ERROR

    run(check())


# Connections


def test_connections_are_reused_and_bounded(run: Run) -> None:
    async def check() -> None:
        async with (
            serve(plain, once=False) as one,
            serve(plain, once=False) as two,
            client_of(connections=3) as client,
        ):
            await asyncio.gather(*(get(client, one) for _ in range(20)))
            assert one.most_open <= 3
            assert one.connections <= 3
            for number in range(10):
                name = f"127.0.0.{number + 1}"
                url = f"http://{name}:{two.port}/"
                exchange = await client.fetch(Request(url))
                assert exchange.outcome is (Outcome.OK if number == 0 else Outcome.CONNECT_ERROR)
            assert one.open + two.open <= 3

    run(check())


def test_idle_connections_are_bounded(run: Run) -> None:
    async def check() -> None:
        async with contextlib.AsyncExitStack() as stack:
            servers = [await stack.enter_async_context(serve(plain, once=False)) for _ in range(8)]
            client = await stack.enter_async_context(client_of(connections=3))
            for server in servers:
                assert (await get(client, server)).outcome is Outcome.OK
            for server in servers[:5]:
                await server.closed.wait()
            assert sum(server.open for server in servers) <= 3

    run(check())


def test_a_kept_connection_that_was_closed_is_replaced(run: Run) -> None:
    async def check() -> None:
        async with serve(plain) as server, client_of() as client:
            for _ in range(3):
                server.closed.clear()
                assert (await get(client, server)).outcome is Outcome.OK
                await server.closed.wait()
            assert server.connections == 3

    run(check())


def test_cancelling_aborts_the_transfer(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        if peer.path == "/slow":
            await peer.send(OK + b"Content-Length: 9\r\n\r\nh")
            await peer.gone()
        else:
            await peer.answer()

    async def check() -> None:
        async with serve(talk) as server, client_of(connections=1) as client:
            slow = asyncio.create_task(get(client, server, "/slow"))
            waiting = asyncio.create_task(get(client, server, "/never"))
            await server.asked.wait()
            waiting.cancel()
            slow.cancel()
            for task in (slow, waiting):
                with pytest.raises(asyncio.CancelledError):
                    await task
            await server.closed.wait()
            assert (await get(client, server, "/next")).body == b"hi"
            assert server.requests == ["/slow", "/next"]

    run(check())


def test_closing_cancels_what_runs(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.gone()

    async def check() -> None:
        async with serve(talk) as server:
            client = HttpClient(CrawlSettings(allow_private=True, connections=1))
            running = asyncio.create_task(get(client, server))
            waiting = asyncio.create_task(get(client, server))
            await server.asked.wait()
            await client.close()
            await client.close()
            with pytest.raises(asyncio.CancelledError):
                await running
            with pytest.raises(RuntimeError, match="closed"):
                await waiting
            await server.closed.wait()

    run(check())
