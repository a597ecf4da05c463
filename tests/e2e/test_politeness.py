"""How fast hosts are asked, by their own log; and that none of them holds up the others."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import apsw
import pytest

from tests.crawling import (
    Crawl,
    assert_adds_up,
    crawl_here,
    only_run,
    stored_rows,
    tree_options,
)
from tests.web import LocalWeb, LogEntry, TreeShape, WaitingShape

CLOCK_SECONDS = 0.1
SLOW_SECONDS = 2.0
WAITING = WaitingShape(
    hosts=8,
    pages_per_host=30,
    slow_hosts=2,
    pages_per_slow_host=1,
    fastest_seconds=0.01,
    slowest_seconds=0.03,
    slow_seconds=SLOW_SECONDS,
    words=30,
)


CRAWL_DELAY_HOST = "robots-crawl-delay.test"  # asks for a second


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalWeb]:
    with LocalWeb(tree=TreeShape(depth=3, fanout=6, hosts=3), waiting=WAITING) as running:
        yield running


@pytest.fixture
def web(shared: LocalWeb) -> LocalWeb:
    shared.refresh()
    return shared


def by_host(log: list[LogEntry]) -> dict[str, list[LogEntry]]:
    hosts: defaultdict[str, list[LogEntry]] = defaultdict(list)
    for entry in log:
        hosts[entry.host].append(entry)
    return hosts


def gaps(entries: list[LogEntry]) -> list[float]:
    return [later.time - earlier.time for earlier, later in pairwise(entries)]


def test_a_crawl_delay_slows_nobody_else(tmp_path: Path, web: LocalWeb) -> None:
    seeds = (web.url(CRAWL_DELAY_HOST), web.tree_urls()[0])
    crawl_here(tmp_path, web, seeds=seeds, fetchers=2)
    hosts = by_host(web.log())
    delayed = hosts.pop(CRAWL_DELAY_HOST)
    assert len(delayed) == 4
    assert min(gaps(delayed)) >= 1.0 - CLOCK_SECONDS
    assert sum(len(entries) for entries in hosts.values()) == web.tree.pages + 3
    # The others are visited while it waits: slowed down, it would be a few of them. How many they
    # are is up to the machine, which may have other things to do.
    others = [entry.time for entries in hosts.values() for entry in entries]
    assert sum(delayed[0].time < time < delayed[-1].time for time in others) > 50


@pytest.mark.parametrize("connections", [1, 3])
def test_the_crawl_delay_counts_from_the_file_that_asks_for_it(
    tmp_path: Path, web: LocalWeb, connections: int
) -> None:
    """Also where the file is old by then: it would be asked for again without end."""
    crawl_here(
        tmp_path,
        web,
        seeds=(web.url(CRAWL_DELAY_HOST),),
        max_depth=0,
        connections_per_host=connections,
        robots_lifetime_seconds=0.5,
        max_seconds=8,
    )
    asked, page = web.log()
    assert (asked.path, page.path) == ("/robots.txt", "/")
    assert page.time - asked.time >= 1.0 - CLOCK_SECONDS


@pytest.mark.parametrize("connections", [1, 3])
def test_the_delay_is_kept_over_all_fetchers(
    tmp_path: Path, web: LocalWeb, connections: int
) -> None:
    seeds = tuple(web.url(f"robots-{name}.test") for name in ("empty", "404", "html", "binary"))
    crawl_here(
        tmp_path,
        web,
        seeds=seeds,
        name="delay",
        scope="host",
        fetchers=2,
        delay_seconds=0.3,
        connections_per_host=connections,
    )
    hosts = by_host(web.log())
    assert len(hosts) == 4
    for entries in hosts.values():
        assert len(entries) == 5
        # On a machine that has other things to do, a request may be late, and the next one not.
        assert min(gaps(entries)) >= 0.3 - 0.1, entries
    # The hosts' pauses are spent on each other: all at once take hardly longer than one.
    times = [entry.time for entries in hosts.values() for entry in entries]
    assert max(times) - min(times) < 4 * 4 * 0.3


@pytest.mark.parametrize("connections", [1, 4])
def test_robots_are_fetched_once(tmp_path: Path, web: LocalWeb, connections: int) -> None:
    """Also when two fetchers come to a new host at the same time."""
    report = crawl_here(
        tmp_path,
        web,
        seeds=tuple(web.tree_urls()[:40]),
        name="tree",
        fetchers=2,
        schedule_urls=10,
        connections_per_host=connections,
    )
    asked = Counter(entry.host for entry in web.log() if entry.path == "/robots.txt")
    assert asked == dict.fromkeys(web.tree.names, 1)
    assert report.statistics["robots.requests"] == 3
    assert report.statistics["requests"] == len(web.log()) == web.tree.pages + 3


def test_a_slow_robots_file_is_not_asked_for_without_end(tmp_path: Path, web: LocalWeb) -> None:
    """It takes longer than the time after which it is to be asked for again."""
    seeds = (web.url("robots-hanging.test"), web.url("robots-delayed.test"))
    report = crawl_here(
        tmp_path,
        web,
        seeds=seeds,
        name="robots",
        retries=1,
        retry_backoff_seconds=0.1,
        robots_retry_seconds=0.2,
        stall_timeout_seconds=1.5,
        max_seconds=8,
    )
    assert "limit" not in report.reason
    asked = Counter(entry.host for entry in web.log() if entry.path == "/robots.txt")
    assert asked["robots-hanging.test"] <= 3
    assert asked["robots-delayed.test"] == 1


@pytest.mark.parametrize("queue_servers", [1, 2])
def test_slow_hosts_stall_nobody(tmp_path: Path, web: LocalWeb, queue_servers: int) -> None:
    seeds = (web.waiting_urls()[0], web.url("hang.test", "/at-once"))
    report = crawl_here(
        tmp_path,
        web,
        seeds=seeds,
        name="waiting",
        fetchers=2,
        queue_servers=queue_servers,
        stall_timeout_seconds=3,
        retries=0,
    )
    assert_adds_up(report.statistics)
    rows = {row["url"]: row for row in stored_rows(tmp_path)}
    assert {rows[url]["outcome"] for url in web.waiting_urls()} == {"ok"}
    hosts = by_host(web.log())
    fast = [entries for name, entries in hosts.items() if not WAITING.is_slow(_number(name))]
    assert len(fast) == 7
    # None of them ever rested for as long as a slow host takes for an answer.
    longest = {entries[0].host: max(gaps(entries)) for entries in fast}
    assert max(longest.values()) < SLOW_SECONDS, longest


def _number(host: str) -> int:
    name = host.removeprefix("waiting-").removesuffix(".test")
    return int(name) if name.isdecimal() else 0


def schedules_of(home: Path, *states: int) -> Counter[str]:
    """How many schedules of these states (0: out) each fetcher has had, by the journal."""
    path = home / "runs" / only_run(home) / "frontier" / "queue-0.db"
    journal = apsw.Connection(str(path))
    try:
        rows = journal.execute("SELECT fetcher, state FROM schedule")
        return Counter(name for name, state in rows if state in states)
    finally:
        journal.close()


def test_one_site_keeps_all_fetchers_busy(tmp_path: Path) -> None:
    shape = TreeShape(depth=4, fanout=5, hosts=1, latency_seconds=0.02, words=30)
    more = ("--connections-per-host", "8", "--fetchers", "2", "--schedule-urls", "40")
    with LocalWeb(tree=shape) as web:
        crawl = Crawl(tmp_path, *tree_options(web, *more, "--segment-seconds", "600"))
        crawl.wait_until(lambda: len(web.log()) > 0.7 * shape.pages, "most pages")
        crawl.kill_group()  # the journal forgets who did what when a segment is published
        shares, out = schedules_of(tmp_path, 0, 1, 2), schedules_of(tmp_path, 0)
        log = web.log()
    assert len(shares) == 2
    assert min(shares.values()) >= 0.25 * shares.total(), shares
    # One at work and one in reserve: who takes more leaves nothing for the others.
    assert max(out.values(), default=0) <= 2, out
    assert len({entry.connection for entry in log}) >= 8
