"""Clients for the tests, and what they do most."""

import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from gossamer.config import CrawlSettings
from gossamer.crawl.fetch import HttpClient, Request
from gossamer.records import Exchange

from .odd_server import OddServer, Peer

Run = Callable[[Coroutine[Any, Any, None]], None]
DEAD_NAME = "a" * 64 + ".test"  # a label longer than DNS can ask for: fails without a network


@contextlib.asynccontextmanager
async def client_of(
    auth_origins: frozenset[str] = frozenset(), **settings: Any
) -> AsyncIterator[HttpClient]:
    client = HttpClient(CrawlSettings(**{"allow_private": True, **settings}), auth_origins)
    try:
        yield client
    finally:
        await client.close()


async def get(client: HttpClient, server: OddServer, path: str = "/", **more: Any) -> Exchange:
    return await client.fetch(Request(server.origin + path, **more))


async def plain(peer: Peer) -> None:
    await peer.answer()
