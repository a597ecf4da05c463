"""What the client sends: headers, credentials, cookies."""

from typing import Any

import pytest

from gossamer.config import CrawlSettings
from gossamer.crawl.fetch import HttpClient, Request
from gossamer.errors import SettingsError

from .clients import Run, client_of, get, plain
from .odd_server import serve

# What we send


def test_what_is_sent(run: Run) -> None:
    settings: dict[str, Any] = {
        "contact": "me@example.org",
        "headers": {"X-Own": "1", "accept": "text/plain", "X-Empty": "", "Authorization": "x"},
    }

    async def check() -> None:
        async with serve(plain, once=False) as server, client_of(**settings) as client:
            exchange = await get(client, server, "/a//b/%2E%2E/|c?q=%zz&&", etag='"é\r\nX: y"')
            head = server.heads[0]
            assert head.startswith("GET /a//b/%2E%2E/|c?q=%zz&& HTTP/1.1\r\n")
            agent = CrawlSettings(**settings).user_agent
            assert f"\r\nUser-Agent: {agent}\r\n" in head
            assert "\r\naccept: text/plain\r\n" in head
            assert "\r\nAccept:" not in head
            assert "\r\nX-Own: 1\r\n" in head
            assert "\r\nX-Empty:\r\n" in head
            assert '\r\nIf-None-Match: "éX: y"\r\n' in head
            assert exchange.request_headers == (
                ("Host", f"127.0.0.1:{server.port}"),
                ("User-Agent", agent),
                ("accept", "text/plain"),
                ("Accept-Encoding", "gzip, deflate, br"),
                ("X-Own", "1"),
                ("X-Empty", ""),
                ("If-None-Match", '"éX: y"'),
            )
            exchange = await get(client, server, last_modified="Sun, 06 Nov 1994 08:49:37 GMT")
            assert "\r\nIf-Modified-Since: Sun, 06 Nov 1994" in server.heads[1]
            assert "If-None-Match" not in server.heads[1]
            await get(client, server)
            assert "If-" not in server.heads[2]
            assert server.connections == 1

    run(check())


def test_headers_that_would_break_a_line_are_refused(run: Run) -> None:
    async def check() -> None:
        with pytest.raises(SettingsError, match="User-Agent"):
            HttpClient(CrawlSettings(contact="a\r\nX: y"))

    run(check())


def test_credentials_go_to_their_hosts_alone(run: Run) -> None:
    async def check() -> None:
        async with serve(plain, once=False) as server:
            host = f"127.0.0.1:{server.port}"
            given = frozenset({f"http://{host}"})
            async with client_of(given, basic_auth="me:se:cret", connections=1) as client:
                exchange = await get(client, server)
                assert "Authorization: Basic bWU6c2U6Y3JldA==\r\n" in server.heads[-1]
                assert not [name for name, _ in exchange.request_headers if name == "Authorization"]
                await client.fetch(Request(f"http://localhost:{server.port}/"))
                assert "Authorization" not in server.heads[-1]
                await client.fetch(Request(f"http://you:other@localhost:{server.port}/"))
                assert "Authorization: Basic eW91Om90aGVy\r\n" in server.heads[-1]
                await client.fetch(Request(f"http://localhost:{server.port}/"))
                assert "Authorization" not in server.heads[-1]
            async with client_of(frozenset({f"http://{host}"})) as client:
                await get(client, server)
                assert "Authorization" not in server.heads[-1]

    run(check())
