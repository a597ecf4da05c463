from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import msgpack, structs

from gossamer.config import CrawlSettings
from gossamer.crawl.commit import Commit, Committer
from gossamer.crawl.counters import Counters
from gossamer.crawl.frontier import Frontier
from gossamer.crawl.hosts import STRAGGLERS
from gossamer.crawl.journal import Journal
from gossamer.crawl.partitions import owner_of
from gossamer.crawl.seen import state_of
from gossamer.records import (
    Answer,
    Exclusion,
    HostReport,
    Item,
    Link,
    Outcome,
    Postponed,
    Refused,
    RobotsFile,
    Schedule,
)
from tests.crawl.test_queue_server import answer, item, visit
from tests.crawling import assert_adds_up

FETCHER = "fetcher-0.1"
NOW = 1_000_000.0
EPOCH = 3


class Commits:
    """A committer and the frontier that it commits to; every schedule has all that is queued."""

    def __init__(self, folder: Path, **crawl: Any) -> None:
        values = {"delay_seconds": 0, "allow_private": True, "schedule_seconds": 10_000, **crawl}
        settings = CrawlSettings(**values)
        self.journal = Journal(folder / "queue.db")
        self.counters = Counters(self.journal)
        self.frontier = Frontier(self.journal, self.counters, settings)
        self.committer = Committer(
            *(self.journal, self.frontier, self.counters, settings), server=0, epoch=EPOCH
        )
        self.numbers = 0

    def lease(self, *items: Item) -> Schedule:
        self.numbers += 1
        with self.journal.transaction(durable=False):
            self.frontier.add([Link(one) for one in items], "seed", NOW)
            self.save()
            taken = self.frontier.take(FETCHER, self.numbers, 1_000, 1, NOW)
            self.save()
        leased = tuple(one for batch in taken for one in batch.items)
        return Schedule(0, EPOCH, self.numbers, 1, 10.0, 40.0, leased, ())

    def save(self) -> None:
        self.frontier.save()
        self.counters.save()

    def commit(self, schedule: Schedule, result: Answer) -> Commit:
        with self.journal.transaction(durable=False):
            for host in self.frontier.hosts.release_all(FETCHER, schedule.number):
                self.frontier.hosts.settle(host, NOW, 1)
            commit = self.committer.commit(result, schedule.items, NOW)
            self.save()
        return commit

    def note(self, *reports: HostReport) -> None:
        with self.journal.transaction(durable=False):
            self.committer.note_hosts(reports, NOW)
            self.save()

    def count(self, *names: str) -> tuple[int, ...]:
        return tuple(self.counters[name] for name in names)

    def state(self, what: Item) -> int | None:
        return self.frontier.seen.state(what.site, what.key)


@pytest.fixture
def commits(tmp_path: Path) -> Iterator[Commits]:
    commits = Commits(tmp_path)
    yield commits
    assert_adds_up(dict(commits.counters.values))
    commits.journal.close()


def report(host: str = "site-0.example", **values: Any) -> HostReport:
    defaults: dict[str, Any] = {
        "ready_after_seconds": 0.0,
        "delay_seconds": 0.0,
        "response_seconds": 0.1,
        "wire_bytes": 0,
        "backoffs": 0,
    }
    return HostReport(host, **{**defaults, **values})


# -- What becomes of the leased URLs


def test_every_leased_url_comes_to_its_end_or_back(commits: Commits) -> None:
    schedule = commits.lease(*(item(0, page) for page in range(6)))
    done, failed, refused, untried, again, forgotten = schedule.items
    commits.commit(
        schedule,
        answer(
            schedule,
            FETCHER,
            visits=(visit(done), visit(failed, outcome=Outcome.TIMEOUT)),
            refused=(Refused(refused, Exclusion.ROBOTS),),
            postponed=(
                Postponed(untried, 0.0, retried=False),
                Postponed(structs.replace(again, tries=1), 5.0, retried=True),
            ),
        ),
    )
    assert commits.count("leased", "queued", "done.ok", "done.timeout", "excluded.robots") == (
        *(0, 3, 1, 1, 1),
    )
    assert commits.count("retries", "pages", "documents", "commits") == (1, 1, 2, 1)
    assert commits.state(done) == state_of(Outcome.OK)
    assert commits.state(refused) == state_of(Exclusion.ROBOTS)
    # What the answer forgot to mention is not lost.
    assert {one.url for one in commits.lease().items} == {untried.url, forgotten.url}


def test_what_was_not_leased_is_not_committed(commits: Commits) -> None:
    schedule = commits.lease(item(0, 0))
    stranger = visit(item(1, 0), (Link(item(1, 1)),))
    commit = commits.commit(
        schedule,
        answer(schedule, FETCHER, visits=(visit(schedule.items[0]), stranger, stranger)),
    )
    assert commit.dropped == (stranger.url, stranger.url)
    assert commits.count("pages", "found", "done.ok") == (1, 1, 1)


def test_a_url_ends_once_whatever_an_answer_says(commits: Commits) -> None:
    schedule = commits.lease(item(0, 0))
    (only,) = schedule.items
    commits.commit(
        schedule,
        answer(
            schedule,
            FETCHER,
            visits=(visit(only), visit(only)),
            postponed=(Postponed(only, 0.0, retried=False),),
            refused=(Refused(only, Exclusion.ROBOTS),),
            carried=(only,),
        ),
    )
    assert commits.count("leased", "queued", "done.ok", "pages") == (0, 0, 1, 1)


def test_requests_that_go_on_come_home_with_a_later_answer(commits: Commits) -> None:
    first = commits.lease(item(0, 0), item(1, 0))
    slow, slower = first.items
    commits.commit(first, answer(first, FETCHER, carried=(slow, slower)))
    assert commits.count("leased", "queued") == (2, 0)
    second = commits.lease(item(2, 0))
    commits.commit(second, answer(second, FETCHER, visits=(visit(second.items[0]), visit(slow))))
    assert commits.count("leased", "done.ok") == (1, 2)
    assert [row[0] for row in commits.journal.rows("SELECT key FROM straggler")] == [slower.key]
    third = commits.lease()
    commits.commit(third, answer(third, FETCHER, visits=(visit(slower),)))
    assert commits.count("leased", "done.ok") == (0, 3)
    assert commits.journal.rows("SELECT * FROM straggler") == []


def test_a_straggler_of_another_fetcher_is_none_of_ours(commits: Commits) -> None:
    first = commits.lease(item(0, 0))
    commits.commit(first, answer(first, FETCHER, carried=first.items))
    second = commits.lease(item(1, 0))
    stolen = answer(second, "fetcher-1.1", visits=(visit(second.items[0]), visit(item(0, 0))))
    assert commits.commit(second, stolen).dropped == (item(0, 0).url,)
    assert commits.count("leased", "done.ok") == (1, 1)


def test_what_a_fetcher_of_an_earlier_epoch_went_on_with_is_queued_again(commits: Commits) -> None:
    schedule = commits.lease(item(0, 0))
    old = structs.replace(answer(schedule, FETCHER, carried=schedule.items), epoch=EPOCH - 1)
    commits.commit(schedule, old)
    assert commits.count("leased", "queued") == (0, 1)
    assert commits.journal.rows("SELECT * FROM straggler") == []


def test_a_host_is_released_when_its_last_straggler_is_home(commits: Commits) -> None:
    hosts = commits.frontier.hosts
    first = commits.lease(item(0, 0), item(0, 1))
    host = hosts.get("site-0.example")
    hosts.hold(host, FETCHER, STRAGGLERS, 1)
    commits.commit(first, answer(first, FETCHER, carried=first.items))
    assert hosts.held_by(FETCHER) == [host]
    for number, what in enumerate(first.items):
        schedule = commits.lease()
        commits.commit(schedule, answer(schedule, FETCHER, visits=(visit(what),)))
        assert hosts.held_by(FETCHER) == ([host] if number == 0 else [])


# -- Links


def test_links_and_redirects_are_added_and_counted_apart(commits: Commits) -> None:
    schedule = commits.lease(item(0, 0), item(0, 1))
    first, second = schedule.items
    moved = Link(item(0, 9, via=(second.url,)))
    links = (Link(item(0, 2)), Link(item(0, 1)), Link(item(7, 0), Exclusion.SCOPE))
    commits.commit(
        schedule,
        answer(
            schedule,
            FETCHER,
            visits=(
                visit(first, links),
                structs.replace(
                    visit(second, outcome=Outcome.REDIRECT), links=(moved,), is_document=False
                ),
            ),
        ),
    )
    assert commits.count("found.link", "found.redirect", "links.new", "links.known") == (2, 1, 2, 1)
    assert commits.count("queued", "excluded.scope", "pages", "documents") == (2, 1, 1, 1)


def test_links_of_others_partitions_wait_in_the_outbox(tmp_path: Path) -> None:
    commits = Commits(tmp_path, queue_servers=3)
    ours = next(host for host in range(99) if owner_of(item(host, 0).site, 3) == 0)
    links = tuple(Link(item(host, 1)) for host in range(30))
    schedule = commits.lease(item(ours, 0))
    commits.commit(schedule, answer(schedule, FETCHER, visits=(visit(schedule.items[0], links),)))
    rows = commits.journal.rows("SELECT server, links, batch FROM outbox ORDER BY server")
    sent = {server: msgpack.decode(batch, type=list[Link]) for server, _, batch in rows}
    assert set(sent) == {1, 2}  # one batch each
    assert [count for _, count, _ in rows] == [len(batch) for batch in sent.values()]
    for server, batch in sent.items():
        assert batch == [link for link in links if owner_of(link.item.site, 3) == server]
    away = sum(map(len, sent.values()))
    assert commits.count("in_transit", "links.new") == (away, len(links) - away)
    commits.journal.close()


# -- Statistics


def test_what_visits_cost_is_counted(commits: Commits) -> None:
    schedule = commits.lease(item(0, 0), item(0, 1))
    visits = tuple(
        structs.replace(
            visit(one),
            status=status,
            outcome=outcome,
            is_document=False,
            links_found=6,
            links_cross_site=1,
            links_nofollow=1,
            links_known=2,
            links_other=3,
        )
        for one, status, outcome in zip(
            schedule.items, (404, 0), (Outcome.HTTP_ERROR, Outcome.DNS_ERROR), strict=True
        )
    )
    result = structs.replace(
        answer(schedule, FETCHER, visits=visits), requests=5, robots_requests=2
    )
    commits.commit(schedule, result)
    assert commits.count("requests", "robots.requests", "wire_bytes", "body_bytes") == (
        *(5, 2, 200, 200),
    )
    assert commits.count("pages", "documents", "status.404", "status.0") == (1, 0, 1, 0)
    assert commits.count("links.found", "links.cross_site", "links.nofollow") == (12, 2, 2)
    assert commits.count("links.known", "links.other") == (4, 6)
    assert commits.counters.values["fetch_seconds"] == pytest.approx(0.2)


def test_pages_with_the_same_text_are_told(commits: Commits) -> None:
    def hashed(what: Item, content_hash: int, is_document: bool = True) -> Any:
        return structs.replace(visit(what), content_hash=content_hash, is_document=is_document)

    first = commits.lease(*(item(0, page) for page in range(5)))
    original, copy, hidden, empty, other = first.items
    commit = commits.commit(
        first,
        answer(
            first,
            FETCHER,
            visits=(
                *(hashed(original, -7), hashed(copy, -7), hashed(hidden, -7, False)),
                *(hashed(empty, 0), hashed(other, 8)),
            ),
        ),
    )
    assert commit.duplicates == {copy.url: original.url}
    second = commits.lease(item(1, 0), item(1, 1))
    late, blank = second.items
    commit = commits.commit(
        second, answer(second, FETCHER, visits=(hashed(late, -7), hashed(blank, 0)))
    )
    assert commit.duplicates == {late.url: original.url}
    assert commits.count("duplicates") == (2,)


# -- Hosts


def test_what_was_learned_of_a_host(commits: Commits) -> None:
    commits.lease(item(0, 0))
    commits.note(report(ready_after_seconds=30, delay_seconds=2.0, wire_bytes=10, backoffs=1))
    commits.note(report(ready_after_seconds=5, delay_seconds=3.0, wire_bytes=20))
    host = commits.frontier.hosts.get("site-0.example")
    assert (host.due, host.delay, host.response, host.bytes) == (NOW + 30, 3.0, 0.1, 30)
    assert commits.count("backoffs") == (1,)


def test_robots_files_are_kept_and_counted_once(commits: Commits) -> None:
    def file(status: int, text: str = "", origin: str = "http://site-0.example") -> RobotsFile:
        return RobotsFile(origin, NOW, status, text)

    commits.note(report(robots=(file(200, "old"), file(404, origin="https://site-0.example"))))
    commits.note(report(robots=(file(200, "new"),)))
    assert commits.count("robots.files") == (1,)
    rows = commits.journal.rows("SELECT origin, file FROM robots ORDER BY origin")
    assert [(origin, msgpack.decode(blob, type=RobotsFile).text) for origin, blob in rows] == [
        ("http://site-0.example", "new"),
        ("https://site-0.example", ""),
    ]


def test_cookies_are_kept_until_there_are_newer_ones(commits: Commits) -> None:
    commits.note(report(cookies=("a", "b")))
    commits.note(report())
    assert msgpack.decode(commits.journal.rows("SELECT lines FROM cookies")[0][0]) == ["a", "b"]
    commits.note(report(cookies=("c",)))
    assert msgpack.decode(commits.journal.rows("SELECT lines FROM cookies")[0][0]) == ["c"]


def test_a_host_that_has_given_enough_is_left(tmp_path: Path) -> None:
    commits = Commits(tmp_path, max_bytes_per_host=1_000)
    with commits.journal.transaction(durable=False):
        links = [Link(item(host, page)) for host in (0, 1) for page in range(4)]
        commits.frontier.add(links, "seed", NOW)
        commits.save()
    commits.note(report(wire_bytes=999))
    assert commits.count("queued", "excluded.host_bytes") == (8, 0)
    commits.note(report(wire_bytes=1))
    assert commits.count("queued", "excluded.host_bytes") == (4, 4)
    assert {one.url.split("/")[2] for one in commits.lease().items} == {"site-1.example"}
    assert_adds_up(dict(commits.counters.values))
    commits.journal.close()
