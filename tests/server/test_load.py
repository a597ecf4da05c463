"""Ten thousand requests while a crawl and updates of an index run beside them."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import httpx

from tests.crawling import wait_until
from tests.server.load import Load
from tests.server.sites import ServedSite
from tests.server.test_jobs import (  # noqa: F401 - fixtures
    EndlessWeb,
    client_of,
    crawl_of,
    endless,
    events_of,
    token,
)

REQUESTS = 10_000
CONNECTIONS = 64
MOST_GROWTH = 1.15
"""Caches fill, and the allocator keeps some room. A leak of five kilobytes a request is more."""


def paths() -> Iterator[str]:
    """Pages, calls and suggestions; some for the first time, some again and again."""
    number = 0
    while True:
        number += 1
        yield f"/search?index=endless&q=page+{number}"
        yield "/api/v1/search?index=endless&q=page"
        yield f"/suggest?index=endless&q=The+page+{number % 100}"
        yield "/search?index=web&q=moon&explain=true"
        yield "/"


def test_many_requests_while_a_crawl_and_an_index_update_run(
    home: Path,
    token: str,  # noqa: F811
    endless: EndlessWeb,  # noqa: F811
) -> None:
    with ServedSite(home) as site, closing(client_of(site, token)) as client:
        crawl = client.post("/runs", json=crawl_of(endless)).json()
        wait_until(lambda: _pages(client) > 20, "the crawl has pages")
        built = client.post("/indexes/endless/build", json={"runs": ["endless-1"]}).json()
        assert events_of(client, f"/jobs/{built['id']}/events")[-1][1]["state"] == "done"
        pages_before = _pages(client)
        updates = Updates(site, token)
        updates.start()
        load = Load(site.address)
        todo = paths()
        asyncio.run(load.run(islice(todo, REQUESTS // 5), CONNECTIONS))
        before = resident_bytes(site.process.pid)
        asyncio.run(load.run(islice(todo, REQUESTS - REQUESTS // 5), CONNECTIONS))
        after = resident_bytes(site.process.pid)
        updates.finish()
        assert load.outcomes == {"200": REQUESTS}
        assert after < before * MOST_GROWTH
        assert set(updates.states) == {"done"}
        assert client.get(f"/jobs/{crawl['id']}").json()["state"] == "running"
        assert _pages(client) > pages_before
        client.post(f"/jobs/{crawl['id']}/stop")
        assert events_of(client, f"/jobs/{crawl['id']}/events")[-1][1]["state"] == "done"
        assert not [entry for entry in site.log_entries() if entry["level"] == "error"]


def _pages(client: httpx.Client) -> int:
    answer = client.get("/runs/endless-1")
    return int(answer.json()["statistics"].get("pages", 0)) if answer.status_code == 200 else 0


class Updates(threading.Thread):
    """One update of the index after the other, until it is enough."""

    def __init__(self, site: ServedSite, token: str) -> None:  # noqa: F811
        super().__init__()
        self._site = site
        self._token = token
        self._is_enough = threading.Event()
        self.states: list[str] = []

    def run(self) -> None:
        with closing(client_of(self._site, self._token)) as client:
            while not self._is_enough.is_set():
                job = client.post("/indexes/endless/build", json={}).json()
                last = events_of(client, f"/jobs/{job['id']}/events")[-1][1]
                self.states.append(last["state"])

    def finish(self) -> None:
        self._is_enough.set()
        self.join()


def resident_bytes(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096
