"""Journals dealt out over another number of queue servers: every URL still ends exactly once."""

from collections import Counter
from pathlib import Path

import pytest

from gossamer.crawl.calls import Allowance, LeaseRequest
from gossamer.crawl.counters import summed
from gossamer.crawl.journal import Journal
from gossamer.crawl.partitions import owner_of
from gossamer.crawl.queue_server import QueueServer
from gossamer.crawl.resharding import reshard
from gossamer.records import Link, Schedule
from tests.crawl.test_queue_server import SETTINGS, answer, item, visit
from tests.crawling import assert_adds_up

HOSTS = 40


def name_of(server: int) -> str:
    return f"queue-{server}.db"


class Crowd:
    """All queue servers of a crawl, and one fetcher."""

    def __init__(self, folder: Path, servers: int) -> None:
        self.settings = SETTINGS.model_copy(update={"queue_servers": servers})
        self.servers = [
            QueueServer(Journal(folder / name_of(number)), self.settings, number)
            for number in range(servers)
        ]
        for server in self.servers:
            server.allow(Allowance(None, None, paused=False))
        self.requests = 0
        self.stored: list[str] = []

    def seed(self, links: list[Link]) -> None:
        for number, server in enumerate(self.servers):
            own = [link for link in links if owner_of(link.item.site, len(self.servers)) == number]
            server.add_seeds(tuple(own))

    def lease(self, server: QueueServer) -> Schedule | None:
        self.requests += 1
        return server.lease(LeaseRequest("fetcher-0.1", self.requests, 0)).schedule

    def answer(self, server: QueueServer, schedule: Schedule) -> None:
        visits = []
        for what in schedule.items:
            links: tuple[Link, ...] = ()
            if what.url.endswith("/0"):
                host = int(what.url.split("-")[1].split(".")[0])
                links = (Link(item((host + 1) % HOSTS, 1, 2)),)
            visits.append(visit(what, links))
        assert server.answer(answer(schedule, "fetcher-0.1", visits=tuple(visits))).accepted
        self.stored += [what.url for what in schedule.items]

    def deliver(self) -> None:
        for server in self.servers:
            for owner, delivery in server.outgoing(1_000):
                self.servers[owner].deliver(delivery)
                server.delivered(delivery.id, len(delivery.links))

    def finish(self) -> None:
        while not all(server.status().idle for server in self.servers):
            self.deliver()
            for server in self.servers:
                while (schedule := self.lease(server)) is not None:
                    self.answer(server, schedule)

    def counters(self) -> dict[str, float]:
        return summed(server.status().counters for server in self.servers)

    def close(self) -> None:
        for server in self.servers:
            server.close()


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1), (2, 5)])
def test_every_url_ends_once_whatever_the_number_of_servers(
    tmp_path: Path, before: int, after: int
) -> None:
    crowd = Crowd(tmp_path, before)
    crowd.seed([Link(item(host, 0)) for host in range(HOSTS)])
    first = crowd.servers[0]
    lost, early, kept = (crowd.lease(first) for _ in range(3))
    assert lost
    assert early
    assert kept
    crowd.answer(first, early)  # waits for its turn, over the change
    assert first.committed(0, 10) == ()
    crowd.close()

    settings = SETTINGS.model_copy(update={"queue_servers": after})
    reshard(tmp_path, name_of, settings, published={})
    reshard(tmp_path, name_of, settings, published={})  # again: nothing to do
    grown = Crowd(tmp_path, after)
    assert len(list(tmp_path.glob("queue-*.db"))) == after
    waiting = [attempt for server in grown.servers for attempt in server.committed(0, 10)]
    assert [attempt.staged for attempt in waiting if attempt.staged] == [early.name]
    grown.finish()
    counters = grown.counters()
    grown.close()
    expected = Counter(item(host, page).url for host in range(HOSTS) for page in (0, 1))
    assert Counter(crowd.stored + grown.stored) == expected
    assert_adds_up(counters)
    assert counters["pages"] == 2 * HOSTS


def test_what_is_published_is_not_published_again(tmp_path: Path) -> None:
    crowd = Crowd(tmp_path, 1)
    crowd.seed([Link(item(host, 0)) for host in range(HOSTS)])
    crowd.finish()
    (server,) = crowd.servers
    commits = [attempt.number for attempt in server.committed(0, 1_000)]
    crowd.close()
    settings = SETTINGS.model_copy(update={"queue_servers": 2})
    reshard(tmp_path, name_of, settings, published={0: commits[-2]})
    grown = Crowd(tmp_path, 2)
    left = [attempt for server in grown.servers for attempt in server.committed(0, 1_000)]
    assert len(left) == 1
    assert left[0].number > commits[-1]
    assert all(server.status().committed >= commits[-1] for server in grown.servers)
    grown.close()


@pytest.mark.parametrize("after", [1, 3])
def test_links_that_have_arrived_do_not_set_out_again(tmp_path: Path, after: int) -> None:
    """A sender that dies right after a delivery still has it in its outbox."""
    crowd = Crowd(tmp_path, 2)
    crowd.seed([Link(item(host, 0)) for host in range(HOSTS)])
    for server in crowd.servers:
        while (schedule := crowd.lease(server)) is not None:
            crowd.answer(server, schedule)
    for server in crowd.servers:
        deliveries = server.outgoing(1_000)
        assert deliveries
        for owner, delivery in deliveries[: len(deliveries) // 2 + 1]:
            crowd.servers[owner].deliver(delivery)
    crowd.close()
    settings = SETTINGS.model_copy(update={"queue_servers": after})
    reshard(tmp_path, name_of, settings, published={})
    grown = Crowd(tmp_path, after)
    grown.finish()
    counters = grown.counters()
    grown.close()
    assert_adds_up(counters)
    assert counters["in_transit"] == 0
    assert counters["pages"] == 2 * HOSTS
