"""A frontier on disk to try things on."""

from pathlib import Path
from typing import Any

from gossamer.config import CrawlSettings
from gossamer.crawl.counters import Counters
from gossamer.crawl.frontier import Frontier, HostBatch
from gossamer.crawl.hosts import HostState
from gossamer.crawl.journal import Journal
from gossamer.records import Exclusion, Item, Link, Outcome
from gossamer.urls import from_href
from tests.crawling import assert_adds_up

NOW = 1_000_000.0
FETCHER, OTHER = "fetcher-0.1", "fetcher-1.1"


def item(host: int, page: int = 0, depth: int = 1, **more: Any) -> Item:
    url = from_href(f"http://site-{host}.example/{page}")
    return Item(url.href, url.site_hash, url.key, depth, **more)


def link(host: int, page: int = 0, depth: int = 1, excluded: Exclusion | None = None) -> Link:
    return Link(item(host, page, depth), excluded)


def urls(batches: list[HostBatch]) -> list[str]:
    return [what.url for batch in batches for what in batch.items]


class Open:
    """A frontier on disk, every change in a transaction of its own."""

    def __init__(self, folder: Path, **crawl: Any) -> None:
        self._path = folder / "queue.db"
        values = {"delay_seconds": 0, "allow_private": True, "scope": "anywhere", **crawl}
        self.settings = CrawlSettings(**values)
        self.numbers = 0
        self.now = NOW
        self._open()

    def _open(self) -> None:
        self.journal = Journal(self._path)
        self.counters = Counters(self.journal)
        self.frontier = Frontier(self.journal, self.counters, self.settings)
        self.hosts = self.frontier.hosts

    def reopen(self) -> None:
        self.journal.close()
        self._open()

    def save(self) -> None:
        self.frontier.save()
        self.counters.save()

    def add(self, *links: Link, origin: str = "link") -> int:
        with self.journal.transaction(durable=False):
            added = self.frontier.add(links, origin, self.now)
            self.save()
        return added

    def take(self, most: int, fetcher: str = FETCHER, fetchers: int = 1) -> list[HostBatch]:
        self.numbers += 1
        with self.journal.transaction(durable=False):
            batches = self.frontier.take(fetcher, self.numbers, most, fetchers, self.now)
            self.save()
        return batches

    def release(self, fetcher: str = FETCHER) -> None:
        """All schedules of a fetcher have been answered."""
        with self.journal.transaction(durable=False):
            for number in range(1, self.numbers + 1):
                for host in self.hosts.release_all(fetcher, number):
                    self.hosts.settle(host, self.now, self.settings.connections_per_host)
            self.save()

    def give_back(self, items: list[Item]) -> None:
        with self.journal.transaction(durable=False):
            self.frontier.give_back(items, self.now)
            self.save()

    def finish(self, items: list[Item], end: Outcome = Outcome.OK) -> None:
        with self.journal.transaction(durable=False):
            self.frontier.finish([(one.site, one.key, end) for one in items])
            self.save()

    def drain(self) -> list[str]:
        """Take and finish everything."""
        taken: list[str] = []
        while batches := self.take(50):
            taken += urls(batches)
            self.finish([one for batch in batches for one in batch.items])
            self.release()
        return taken

    def count(self, *names: str) -> tuple[int, ...]:
        return tuple(self.counters[name] for name in names)

    def check(self) -> None:
        """What the hosts say of themselves is what lies in their queues."""
        rows = self.journal.rows("SELECT host, count(*), min(priority) FROM queue GROUP BY host")
        queued = {host: (count, front) for host, count, front in rows}
        known = self.journal.rows("SELECT id, queued, front, state FROM host")
        assert {id: (count, front) for id, count, front, _ in known if count} == queued
        assert all(bool(count) == (state != HostState.IDLE) for _, count, _, state in known)
        found = self.counters["found.link"]
        assert_adds_up({**self.counters.values, "links.found": found, "links.new": found})
