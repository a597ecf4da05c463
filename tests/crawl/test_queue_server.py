"""The queue server under any course of events that fetchers, clocks and crashes can produce."""

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gossamer.config import CrawlSettings
from gossamer.crawl.calls import Allowance, Delivery, Forfeit, LeaseRequest
from gossamer.crawl.journal import Journal
from gossamer.crawl.queue_server import QueueServer
from gossamer.records import (
    Answer,
    Exclusion,
    HostReport,
    Item,
    Link,
    Outcome,
    Postponed,
    Refused,
    Schedule,
    Visit,
)
from gossamer.urls import from_href
from tests.crawling import assert_adds_up

FETCHERS = ("fetcher-0.1", "fetcher-1.1", "fetcher-2.1")
SETTINGS = CrawlSettings(
    seeds=("http://site-0.example/",),
    scope="anywhere",
    delay_seconds=0,
    allow_private=True,
    window=6,
    schedule_urls=5,
    fetchers=3,
)


def item(host: int, page: int, depth: int = 1, via: tuple[str, ...] = ()) -> Item:
    url = from_href(f"http://site-{host}.example/{page}")
    return Item(url.href, url.site_hash, url.key, depth, via=via)


def visit(what: Item, links: tuple[Link, ...] = (), outcome: Outcome = Outcome.OK) -> Visit:
    return Visit(
        *(what.site, what.key, what.url, outcome, 200, 100, 100, 0.1, True, what.key),
        *(len(links), 0, 0, 0, 0, 0, links),
    )


def answer(
    schedule: Schedule,
    fetcher: str,
    *,
    visits: tuple[Visit, ...] = (),
    postponed: tuple[Postponed, ...] = (),
    refused: tuple[Refused, ...] = (),
    carried: tuple[Item, ...] = (),
    hosts: tuple[HostReport, ...] = (),
) -> Answer:
    return Answer(
        server=schedule.server,
        epoch=schedule.epoch,
        number=schedule.number,
        attempt=schedule.attempt,
        fetcher=fetcher,
        staged=schedule.name if visits else "",
        visits=visits,
        postponed=postponed,
        refused=refused,
        carried=carried,
        hosts=hosts,
        requests=len(visits),
        robots_requests=0,
    )


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Servers:
    """A queue server that can be killed and started again."""

    def __init__(self, folder: Path, crawl: CrawlSettings = SETTINGS) -> None:
        self.clock = Clock()
        self._path = folder / "queue-0.db"
        self._crawl = crawl
        self.start()

    def start(self) -> None:
        self.server = QueueServer(Journal(self._path), self._crawl, 0, self.clock)
        self.server.allow(Allowance(None, None, paused=False))

    def restart(self) -> None:
        self.server.close()
        self.start()


@pytest.fixture
def servers(tmp_path: Path) -> Servers:
    return Servers(tmp_path)


def lease(servers: Servers, fetcher: str, request: int = 1) -> Schedule:
    reply = servers.server.lease(LeaseRequest(fetcher, request, 0))
    assert reply.schedule is not None
    return reply.schedule


def counters(servers: Servers) -> dict[str, float]:
    return servers.server.status().counters


def test_a_repeated_request_gets_the_same_schedule(servers: Servers) -> None:
    servers.server.add_seeds(tuple(Link(item(host, 0)) for host in range(20)))
    first = lease(servers, FETCHERS[0], 1)
    assert lease(servers, FETCHERS[0], 1) == first
    assert lease(servers, FETCHERS[0], 2).number == first.number + 1


def test_a_host_is_never_with_two_fetchers(servers: Servers) -> None:
    servers.server.add_seeds(tuple(Link(item(0, page)) for page in range(20)))
    lease(servers, FETCHERS[0])
    assert servers.server.lease(LeaseRequest(FETCHERS[1], 1, 0)).schedule is None


def test_a_host_with_connections_to_share_is_with_all_fetchers(tmp_path: Path) -> None:
    shared = SETTINGS.model_copy(update={"connections_per_host": 8})
    servers = Servers(tmp_path, shared)
    servers.server.add_seeds(tuple(Link(item(0, page)) for page in range(40)))
    servers.server._frontier.hosts.get("site-0.example").response = 0.01  # somebody was there
    grants = [lease(servers, fetcher).grants[0] for fetcher in FETCHERS]
    assert [grant.connections for grant in grants] == [3, 3, 2]


def test_a_lease_that_runs_out_is_sent_again_and_counted(servers: Servers) -> None:
    servers.server.add_seeds((Link(item(0, 0)),))
    first = lease(servers, FETCHERS[0])
    servers.clock.now += SETTINGS.lease_seconds
    assert servers.server.lease(LeaseRequest(FETCHERS[1], 1, 0)).schedule is None
    servers.clock.now += SETTINGS.lease_grace_seconds + 0.1
    second = lease(servers, FETCHERS[1], 2)
    assert (second.number, second.attempt) == (first.number, 2)
    assert second.items == first.items
    assert counters(servers)["lease_timeouts"] == 1
    # The first to answer wins, whichever attempt it is.
    assert servers.server.answer(
        answer(first, FETCHERS[0], visits=(visit(first.items[0]),))
    ).accepted
    late = answer(second, FETCHERS[1], visits=(visit(second.items[0]),))
    assert not servers.server.answer(late).accepted
    assert counters(servers)["pages"] == 1


def test_an_answer_of_an_earlier_epoch_is_refused(servers: Servers) -> None:
    servers.server.add_seeds((Link(item(0, 0)),))
    old = lease(servers, FETCHERS[0])
    servers.restart()
    assert not servers.server.answer(
        answer(old, FETCHERS[0], visits=(visit(old.items[0]),))
    ).accepted
    again = lease(servers, FETCHERS[1])
    assert (again.number, again.attempt, again.items) == (old.number, 2, old.items)


def test_results_are_committed_in_schedule_order_over_a_restart(servers: Servers) -> None:
    servers.server.add_seeds(tuple(Link(item(host, 0)) for host in range(10)))
    first, second = lease(servers, FETCHERS[0], 1), lease(servers, FETCHERS[1], 1)
    early = answer(second, FETCHERS[1], visits=tuple(visit(i) for i in second.items))
    assert servers.server.answer(early).accepted
    assert servers.server.committed(0, 10) == ()
    servers.restart()
    again = lease(servers, FETCHERS[0], 1)
    assert again.number == first.number
    servers.server.answer(answer(again, FETCHERS[0], visits=tuple(visit(i) for i in again.items)))
    staged = [attempt.staged for attempt in servers.server.committed(0, 10)]
    assert staged == [again.name, second.name]


def test_a_page_limit_holds_whatever_is_out(tmp_path: Path) -> None:
    servers = Servers(tmp_path)
    servers.server.allow(Allowance(7, None, paused=False))
    servers.server.add_seeds(tuple(Link(item(host, 0)) for host in range(20)))
    first = lease(servers, FETCHERS[0])
    second = lease(servers, FETCHERS[1])
    assert len(first.items) + len(second.items) == 7
    assert servers.server.lease(LeaseRequest(FETCHERS[2], 1, 0)).schedule is None
    assert servers.server.status().starved
    # One that got no answer from a server does not count, and makes room for another.
    ends = (visit(first.items[0], outcome=Outcome.TIMEOUT), *map(visit, first.items[1:]))
    servers.server.answer(answer(first, FETCHERS[0], visits=ends))
    assert len(lease(servers, FETCHERS[2], 2).items) == 1


def test_a_url_beyond_the_depth_comes_in_by_a_shorter_way(servers: Servers) -> None:
    deep = Link(item(0, 5, depth=9), Exclusion.DEPTH)
    servers.server.add_seeds((deep,))
    assert counters(servers)["excluded.depth"] == 1
    servers.server.add_seeds((Link(item(0, 5, depth=2)),))
    assert lease(servers, FETCHERS[0]).items[0].depth == 2
    assert counters(servers)["excluded.depth"] == 0
    assert_adds_up(counters(servers))


def test_a_raised_depth_limit_brings_urls_back(tmp_path: Path) -> None:
    low = Servers(tmp_path, SETTINGS.model_copy(update={"max_depth": 2}))
    low.server.add_seeds((Link(item(0, 5, depth=3), Exclusion.DEPTH),))
    low.server.close()
    high = Servers(tmp_path, SETTINGS.model_copy(update={"max_depth": 3}))
    assert lease(high, FETCHERS[0]).items[0].depth == 3


def test_crashes_are_counted_and_then_a_page_is_isolated(servers: Servers) -> None:
    servers.server.add_seeds((Link(item(0, 0)), Link(item(0, 1))))
    bad = item(0, 1)
    for crashes in range(2):
        schedule = lease(servers, FETCHERS[0], crashes + 1)
        assert schedule.isolated == ()
        servers.server.forfeit(Forfeit(FETCHERS[0], ((bad.site, bad.key),)))
    schedule = lease(servers, FETCHERS[0], 9)
    assert [schedule.items[position].url for position in schedule.isolated] == [bad.url]


def test_a_delivery_counts_once(servers: Servers) -> None:
    delivery = Delivery(sender=1, id=5, links=(Link(item(0, 0)), Link(item(0, 1))))
    servers.server.deliver(delivery)
    servers.server.deliver(delivery)
    assert counters(servers)["found"] == 2
    assert counters(servers).get("links.known", 0) == 0


def test_a_host_that_must_wait_uses_no_fetcher(servers: Servers) -> None:
    servers.server.add_seeds((Link(item(0, 0)), Link(item(1, 0))))
    schedule = lease(servers, FETCHERS[0])
    slow = HostReport(
        host="site-0.example",
        ready_after_seconds=300,
        delay_seconds=300,
        response_seconds=0.1,
        wire_bytes=0,
        backoffs=1,
    )
    more = tuple(Link(item(0, page)) for page in range(1, 4))
    visits = tuple(
        visit(i, more if i.url.startswith("http://site-0.") else ()) for i in schedule.items
    )
    servers.server.answer(answer(schedule, FETCHERS[0], visits=visits, hosts=(slow,)))
    assert servers.server.status().hosts_waiting == 1
    assert servers.server.lease(LeaseRequest(FETCHERS[1], 1, 0)).schedule is None
    servers.clock.now += 301
    # A host with such a delay gets one URL a schedule.
    assert len(lease(servers, FETCHERS[1], 2).items) == 1


class AnyCourseOfEvents(RuleBasedStateMachine):
    """A web of 4 hosts with 30 pages each, where page n links to 2n+1 and 2n+2 of the next host:
    one link to each page. Fetchers answer, die, are late; the server is killed."""

    hosts, pages = 4, 30

    def __init__(self) -> None:
        super().__init__()
        # In memory where possible: what is tested is the logic, and a sync costs milliseconds.
        memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
        self._folder = tempfile.TemporaryDirectory(dir=memory)
        self.servers = Servers(Path(self._folder.name))
        self.out: dict[str, list[Schedule]] = {name: [] for name in FETCHERS}
        self.carried: dict[str, list[tuple[int, Item]]] = {name: [] for name in FETCHERS}
        self.request = 0
        self.committed: Counter[str] = Counter()
        self.staged: dict[str, list[str]] = {}
        self.rolled = 0
        self.servers.server.add_seeds(tuple(Link(item(host, 0)) for host in range(self.hosts)))

    def teardown(self) -> None:
        try:
            self.drain()
            expected = Counter(
                item(host, page).url for host in range(self.hosts) for page in range(self.pages)
            )
            assert self.committed == expected
        finally:
            self.servers.server.close()
            self._folder.cleanup()

    def links(self, what: Item) -> tuple[Link, ...]:
        page = int(what.url.rpartition("/")[2])
        host = int(what.url.split("-")[1].split(".")[0])
        children = (child for child in (2 * page + 1, 2 * page + 2) if child < self.pages)
        return tuple(
            Link(item((host + 1) % self.hosts, child, what.depth + 1)) for child in children
        )

    def lease(self, fetcher: str) -> None:
        self.request += 1
        late = len(self.carried[fetcher])
        reply = self.servers.server.lease(LeaseRequest(fetcher, self.request, late))
        if reply.schedule is not None:
            self.out[fetcher].append(reply.schedule)

    def give(self, fetcher: str, schedule: Schedule, fates: list[str]) -> None:
        self.out[fetcher].remove(schedule)
        visits, postponed, carried = [], [], []
        for what, fate in zip(schedule.items, fates, strict=True):
            if fate == "visit":
                visits.append(visit(what, self.links(what)))
            elif fate == "carry":
                carried.append(what)
            else:
                postponed.append(Postponed(what, 7.0 if fate == "retry" else 0.0, fate == "retry"))
        home = [entry for entry in self.carried[fetcher] if entry[0] < schedule.number]
        visits += [visit(what, self.links(what)) for _, what in home if what not in schedule.items]
        reply = answer(
            schedule,
            fetcher,
            visits=tuple(visits),
            postponed=tuple(postponed),
            carried=tuple(carried),
        )
        self.staged[schedule.name] = [entry.url for entry in visits]
        if self.servers.server.answer(reply).accepted:
            self.carried[fetcher] = [e for e in self.carried[fetcher] if e not in home]
            self.carried[fetcher] += [(schedule.number, what) for what in carried]
        assert self.servers.server.answer(reply).accepted in (True, False)  # harmless

    def roll(self) -> None:
        for attempt in self.servers.server.committed(self.rolled, 100):
            assert attempt.number > self.rolled
            self.rolled = attempt.number
            rows = self.staged.get(attempt.staged, [])
            self.committed.update(url for url in rows if url not in attempt.dropped)
        self.servers.server.rolled(self.rolled)

    @rule(fetcher=st.sampled_from(FETCHERS))
    def takes_a_schedule(self, fetcher: str) -> None:
        self.lease(fetcher)

    @precondition(lambda self: any(self.out.values()))
    @rule(data=st.data())
    def answers(self, data: st.DataObject) -> None:
        fetcher = data.draw(st.sampled_from([name for name in FETCHERS if self.out[name]]))
        schedule = data.draw(st.sampled_from(self.out[fetcher]))
        fate = st.sampled_from(["visit", "visit", "visit", "untried", "retry", "carry"])
        size = len(schedule.items)
        self.give(fetcher, schedule, data.draw(st.lists(fate, min_size=size, max_size=size)))

    @rule(fetcher=st.sampled_from(FETCHERS))
    def dies(self, fetcher: str) -> None:
        self.out[fetcher], self.carried[fetcher] = [], []
        self.servers.server.forfeit(Forfeit(fetcher, ()))

    @rule(seconds=st.sampled_from([1.0, 20.0, 60.0]))
    def time_passes(self, seconds: float) -> None:
        self.servers.clock.now += seconds
        self.servers.server.status()

    @rule()
    def server_is_killed(self) -> None:
        self.servers.restart()
        for name in FETCHERS:
            self.carried[name] = []

    @rule()
    def segments_are_rolled(self) -> None:
        self.roll()

    @invariant()
    def counters_add_up(self) -> None:
        assert_adds_up(self.servers.server.status().counters)

    @invariant()
    def nothing_is_stored_twice(self) -> None:
        assert all(count == 1 for count in self.committed.values())

    def drain(self) -> None:
        for _ in range(3_000):
            if self.servers.server.status().idle:
                break
            self.servers.clock.now += 5.0
            for fetcher in FETCHERS:
                self.lease(fetcher)
                for schedule in list(self.out[fetcher]):
                    self.give(fetcher, schedule, ["visit"] * len(schedule.items))
        assert self.servers.server.status().idle
        self.roll()


TestAnyCourseOfEvents = AnyCourseOfEvents.TestCase
TestAnyCourseOfEvents.settings = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
