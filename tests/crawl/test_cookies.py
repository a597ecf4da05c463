import asyncio

import pytest

from gossamer.crawl import cookies as cookies_module
from gossamer.crawl.fetch import Request

from .clients import Run, client_of, get
from .odd_server import Peer, serve


async def sets_cookie(peer: Peer) -> None:
    await peer.answer(b"", "Set-Cookie: id=7; Path=/\r\nSet-Cookie: raw=\xff\r\n")


def cookies_in(head: str) -> set[str]:
    return set(head.split("\r\nCookie: ")[1].split("\r\n")[0].split("; "))


def test_cookies_are_kept_by_host(run: Run) -> None:
    async def check() -> None:
        async with (
            serve(sets_cookie, once=False) as server,
            client_of() as client,
            client_of(cookies=False) as without,
            client_of() as other,
        ):
            for _ in range(2):
                await asyncio.gather(*(get(client, server) for _ in range(3)))
                await get(without, server)
            assert cookies_in(server.heads[5]) == {"id=7", "raw=\xff"}
            assert "Cookie" not in server.heads[-1]
            await client.fetch(Request(f"http://localhost:{server.port}/"))
            assert "Cookie" not in server.heads[-1]
            lines = client.cookies()
            assert len(lines) == 4
            assert without.cookies() == []
            other.load_cookies([*lines, "ALL", "nonsense"])
            without.load_cookies(lines)
            assert sorted(other.cookies()) == sorted(lines)
            await get(other, server)
            assert cookies_in(server.heads[-1]) == {"id=7", "raw=\xff"}

    run(check())


def test_a_cookie_for_a_public_suffix_is_refused(run: Run) -> None:
    async def talk(peer: Peer) -> None:
        await peer.answer(
            b"", "Set-Cookie: a=1; domain=co.uk\r\nSet-Cookie: b=2; domain=x.co.uk\r\n"
        )

    async def check() -> None:
        fixed = {"www.x.co.uk": "127.0.0.1", "y.co.uk": "127.0.0.1"}
        async with serve(talk) as server, client_of(resolve=fixed) as client:
            await client.fetch(Request(f"http://www.x.co.uk:{server.port}/"))
            await client.fetch(Request(f"http://y.co.uk:{server.port}/"))
            assert "Cookie" not in server.heads[1]
            assert [line.split("\t")[5] for line in client.cookies()] == ["b"]

    run(check())


def test_the_cookie_jar_is_bounded(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cookies_module, "MAX_COOKIES", 10)
    monkeypatch.setattr(cookies_module, "_COUNTED_EVERY", 5)
    number = 0

    async def talk(peer: Peer) -> None:
        nonlocal number
        number += 1
        await peer.answer(b"", f"Set-Cookie: n{number}=1\r\n")

    async def check() -> None:
        async with serve(talk, once=False) as server, client_of() as client:
            for _ in range(30):
                await get(client, server)
            names = {line.split("\t")[5] for line in client.cookies()}
            assert 5 <= len(names) <= 15
            assert "n30" in names

    run(check())
