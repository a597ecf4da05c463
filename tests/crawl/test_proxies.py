import asyncio
import contextlib
import socket
import ssl
import threading
from typing import Any

import pytest

from gossamer.crawl import proxies as proxies_module
from gossamer.crawl.fetch import Request
from gossamer.records import Outcome
from tests.web.socks import Asked, SocksProxy, socks_proxy

from .clients import DEAD_NAME, Run, client_of, get, plain
from .odd_server import Peer, serve

PUBLIC, PUBLIC_V6 = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"
SOCKS = ["socks5", "socks5h"]
LITERALS = ["127.0.0.1", "localhost", "a.localhost", "[::1]", "[::ffff:a00:1]", "169.254.169.254"]
PRIVATE_NAMES = ["metadata.google.internal", "printer.local", "router", "nas.home.arpa."]

# Over HTTP


async def proxy(peer: Peer) -> None:
    """Forwards to loopback whatever the name; refuses to tunnel to port 1."""
    if not peer.head.startswith("CONNECT"):
        await peer.answer(peer.head.encode())
        return
    port = int(peer.path.rpartition(":")[2])
    if port == 1:
        await peer.answer(b"no", status="403 Forbidden")
        return
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await peer.send(b"HTTP/1.1 200 Connected\r\nX-Proxy: yes\r\n\r\n")

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65_536):
                sink.write(data)
                await sink.drain()
        sink.close()

    try:
        await asyncio.gather(pump(peer.reader, writer), pump(reader, peer.writer))
    finally:
        writer.close()
        await writer.wait_closed()


def test_proxies_take_turns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")

    async def check() -> None:
        async with serve(proxy) as one, serve(proxy) as two:
            both = (one.origin, two.origin)
            async with client_of(proxies=both, allow_private=False) as client:
                for number in range(4):
                    exchange = await client.fetch(Request(f"http://a.test/{number}"))
                    assert exchange.outcome is Outcome.OK
                    assert exchange.body.startswith(f"GET http://a.test/{number}".encode())
            assert one.requests == ["http://a.test/0", "http://a.test/2"]
            assert two.requests == ["http://a.test/1", "http://a.test/3"]

    run(check())


@pytest.mark.parametrize("host", [*LITERALS, *PRIVATE_NAMES])
def test_private_addresses_are_refused_before_a_proxy(run: Run, host: str) -> None:
    async def check() -> None:
        async with (
            serve(proxy) as server,
            client_of(proxies=(server.origin,), allow_private=False) as client,
        ):
            exchange = await client.fetch(Request(f"http://{host}/"))
            assert exchange.outcome is Outcome.ADDRESS_REFUSED
            assert server.connections == 0

    run(check())


def test_the_environment_names_no_proxy(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")

    async def check() -> None:
        async with serve(plain) as server, client_of() as client:
            assert (await get(client, server)).outcome is Outcome.OK

    run(check())


def test_a_proxy_that_is_not_there(run: Run) -> None:
    async def check() -> None:
        for proxy_url in ("http://127.0.0.1:1", f"http://{DEAD_NAME}:80"):
            async with client_of(proxies=(proxy_url,)) as client:
                exchange = await client.fetch(Request("http://a.test/"))
                assert exchange.outcome is Outcome.CONNECT_ERROR

    run(check())


def test_a_tunnel(run: Run, tls: ssl.SSLContext) -> None:
    async def check() -> None:
        async with (
            serve(plain, tls=tls) as server,
            serve(proxy) as through,
            client_of(proxies=(through.origin,), verify_tls=False) as client,
        ):
            exchange = await client.fetch(Request(f"https://secure.test:{server.port}/"))
            assert (exchange.outcome, exchange.body) == (Outcome.OK, b"hi")
            assert exchange.header("x-proxy") == ""
            assert through.requests == [f"secure.test:{server.port}"]
            refused = await client.fetch(Request("https://secure.test:1/"))
            assert refused.outcome is Outcome.CONNECT_ERROR
            assert "403" in refused.detail

    run(check())


# Over SOCKS


@pytest.mark.parametrize(("scheme", "kind"), [("socks5", "ipv4"), ("socks5h", "name")])
def test_who_looks_names_up(run: Run, scheme: str, kind: str) -> None:
    async def check() -> None:
        async with serve(plain, once=False) as server, socks_proxy() as proxy:
            for allowed in (True, False):
                async with client_of(
                    proxies=(f"{scheme}://127.0.0.1:{proxy.port}",),
                    resolve={"a.test": PUBLIC},
                    allow_private=allowed,
                ) as client:
                    for _ in range(2):
                        exchange = await client.fetch(Request(f"http://a.test:{server.port}/"))
                        assert (exchange.outcome, exchange.body) == (Outcome.OK, b"hi")
                host = "a.test" if kind == "name" else PUBLIC
                assert proxy.asked == [Asked(kind, host, server.port)]  # one connection, kept
                proxy.asked.clear()
            assert all(f"Host: a.test:{server.port}\r\n" in head for head in server.heads)

    run(check())


@pytest.mark.parametrize(
    ("scheme", "host"),
    [
        *(("socks5", host) for host in LITERALS),
        *(("socks5h", host) for host in [*LITERALS, *PRIVATE_NAMES]),
    ],
)
def test_private_addresses_are_refused_before_a_socks_proxy(
    run: Run, scheme: str, host: str
) -> None:
    async def check() -> None:
        async with socks_proxy() as proxy:
            way = f"{scheme}://127.0.0.1:{proxy.port}"
            async with client_of(proxies=(way,), allow_private=False) as client:
                exchange = await client.fetch(Request(f"http://{host}/"))
                assert exchange.outcome is Outcome.ADDRESS_REFUSED
                assert exchange.detail
                assert proxy.connections == 0

    run(check())


def addresses_of(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Each lookup of a name gives the next of the answers. Returns the names, as they are asked."""
    asked: list[str] = []

    def getaddrinfo(name: bytes, *_: Any) -> list[tuple[Any, ...]]:
        asked.append(name.decode())
        return [(0, 0, 0, "", (address, 0)) for address in answers[len(asked) - 1]]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize("answer", [["127.0.0.1"], ["10.0.0.1", "::1"], ["fe80::1%2"]])
@pytest.mark.parametrize("is_fixed", [False, True])
def test_a_name_that_leads_to_a_private_address(
    run: Run, monkeypatch: pytest.MonkeyPatch, answer: list[str], is_fixed: bool
) -> None:
    addresses_of(monkeypatch, answer)

    async def check() -> None:
        async with (
            socks_proxy() as proxy,
            client_of(
                proxies=(f"socks5://127.0.0.1:{proxy.port}",),
                resolve={"A.test": ",".join(answer)} if is_fixed else {},
                allow_private=False,
            ) as client,
        ):
            exchange = await client.fetch(Request("http://a.test/"))
            assert (exchange.outcome, exchange.address) == (Outcome.ADDRESS_REFUSED, answer[0])
            assert exchange.detail == f"{answer[0]} is not a public address"
            assert proxy.connections == 0

    run(check())


def test_the_address_that_was_checked_is_the_one_that_is_sent(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server of a stranger may give another answer at any time."""
    asked = addresses_of(
        monkeypatch, ["127.0.0.1", PUBLIC], [PUBLIC_V6], ["192.168.0.1"], ["8.8.8.8"]
    )

    async def check() -> None:
        async with (
            serve(plain) as server,
            socks_proxy() as proxy,
            client_of(proxies=(f"socks5://127.0.0.1:{proxy.port}",), allow_private=False) as client,
        ):
            url = f"http://a.test:{server.port}/"
            for _ in range(2):
                assert (await client.fetch(Request(url))).outcome is Outcome.OK
            assert asked == ["a.test"]  # and remembered
            monkeypatch.setattr(proxies_module, "NAME_SECONDS", -1.0)
            six = await client.fetch(Request(url.replace("a.test", "six.test")))
            assert six.outcome is Outcome.OK
            refused = await client.fetch(Request(url.replace("a.test", "six.test")))
            assert refused.outcome is Outcome.ADDRESS_REFUSED
            again = await client.fetch(Request(url.replace("a.test", "six.test")))
            assert again.outcome is Outcome.OK
            assert [(one.kind, one.host) for one in proxy.asked] == [
                *(("ipv4", PUBLIC), ("ipv4", PUBLIC)),
                *(("ipv6", PUBLIC_V6), ("ipv4", "8.8.8.8")),
            ]

    run(check())


def test_an_address_is_for_one_proxy_and_one_request(run: Run) -> None:
    async def check() -> None:
        async with serve(plain) as server, serve(proxy) as named, socks_proxy() as given:
            ways = (f"socks5://127.0.0.1:{given.port}", named.origin)
            fixed = {"a.test": PUBLIC, "b.test": "8.8.8.8"}
            async with client_of(proxies=ways, resolve=fixed, allow_private=False) as client:
                for name in ("a.test", "a.test", "b.test", "b.test"):
                    exchange = await client.fetch(Request(f"http://{name}:{server.port}/"))
                    assert exchange.outcome is Outcome.OK
            assert [one.host for one in given.asked] == [PUBLIC, "8.8.8.8"]
            assert named.requests == [f"http://{name}.test:{server.port}/" for name in "ab"]

    run(check())


@pytest.mark.parametrize("allow_private", [True, False])
def test_a_dead_name_on_the_way_to_a_socks_proxy(run: Run, allow_private: bool) -> None:
    async def check() -> None:
        async with (
            socks_proxy() as proxy,
            client_of(
                proxies=(f"socks5://127.0.0.1:{proxy.port}",), allow_private=allow_private
            ) as client,
        ):
            first = await client.fetch(Request(f"http://{DEAD_NAME}/"))
            assert first.outcome is Outcome.DNS_ERROR
            again = await client.fetch(Request(f"http://{DEAD_NAME}/other"))
            assert again.detail == f"{DEAD_NAME} did not resolve"
            assert proxy.asked == []

    run(check())


def test_a_name_server_that_does_not_answer(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    given_up = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: given_up.wait())

    async def check() -> None:
        ways = ("socks5://127.0.0.1:1",)
        async with client_of(
            proxies=ways, allow_private=False, connect_timeout_seconds=0.1
        ) as client:
            assert (await client.fetch(Request("http://a.test/"))).outcome is Outcome.DNS_ERROR

    try:
        run(check())
    finally:
        given_up.set()


@pytest.mark.parametrize("scheme", SOCKS)
def test_https_through_socks(run: Run, tls: ssl.SSLContext, scheme: str) -> None:
    async def check() -> None:
        async with (
            serve(plain, tls=tls) as server,
            socks_proxy() as proxy,
            client_of(
                proxies=(f"{scheme}://127.0.0.1:{proxy.port}",),
                resolve={"secure.test": PUBLIC},
                verify_tls=False,
                allow_private=False,
            ) as client,
        ):
            exchange = await client.fetch(Request(f"https://secure.test:{server.port}/"))
            assert (exchange.outcome, exchange.body) == (Outcome.OK, b"hi")

    run(check())


@pytest.mark.parametrize(
    ("user", "outcome"), [("me:secret@", Outcome.OK), ("me:wrong@", None), ("", None)]
)
def test_a_password_for_a_socks_proxy(run: Run, user: str, outcome: Outcome | None) -> None:
    async def check() -> None:
        async with (
            serve(plain) as server,
            socks_proxy(SocksProxy("me", "secret")) as proxy,
            client_of(proxies=(f"socks5h://{user}127.0.0.1:{proxy.port}",)) as client,
        ):
            exchange = await client.fetch(Request(f"http://a.test:{server.port}/"))
            assert exchange.outcome is (outcome or Outcome.CONNECT_ERROR)
            assert "secret" not in exchange.detail

    run(check())


@pytest.mark.parametrize("scheme", SOCKS)
def test_a_socks_proxy_that_does_not_get_there(run: Run, scheme: str) -> None:
    async def check() -> None:
        async with socks_proxy() as proxy:
            ways = (f"{scheme}://127.0.0.1:{proxy.port}", f"{scheme}://127.0.0.1:1")
            async with client_of(proxies=ways, resolve={"a.test": PUBLIC}) as client:
                for _ in ways:
                    exchange = await client.fetch(Request("http://a.test:1/"))
                    assert exchange.outcome is Outcome.CONNECT_ERROR
                    assert exchange.detail
            assert len(proxy.asked) == 1

    run(check())
