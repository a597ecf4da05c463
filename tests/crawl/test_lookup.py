"""Where a URL is, for every place that it can be in, while the server has its journal open."""

from pathlib import Path

import pytest
from msgspec import msgpack, structs

from gossamer.crawl.journal import Journal
from gossamer.crawl.lookup import Known, Whereabouts, known_ends, known_state, look_up
from gossamer.errors import FormatError
from gossamer.records import (
    Exclusion,
    HostReport,
    Item,
    Link,
    Outcome,
    Postponed,
    Refused,
    RobotsFile,
)
from gossamer.urls import from_href, host_of
from tests.crawl.test_queue_server import FETCHERS, SETTINGS, Servers, answer, item, lease, visit

PAGE = item(1, 0)


class Running(Servers):
    """Looks are made while the server runs."""

    def look(self, what: Item) -> Known:
        return look_up([self._path], from_href(what.url))


@pytest.fixture
def server(tmp_path: Path) -> Running:
    return Running(tmp_path)


def test_never_found(server: Running) -> None:
    server.server.add_seeds((Link(item(1, 1)),))
    assert server.look(PAGE) == Known(Whereabouts.NOWHERE)
    assert known_state([server._path], from_href(PAGE.url)) is None


def test_queued(server: Running) -> None:
    server.server.add_seeds(tuple(Link(item(1, page)) for page in range(5)))
    known = server.look(item(1, 3))
    assert (known.whereabouts, known.item and known.item.url) == ("queued", item(1, 3).url)
    assert known.place is not None
    assert known.place.before == 3
    assert known.host is not None
    assert (known.host.state, known.host.queued, known.host.hosts_before) == ("ready", 5, 0)
    assert known_state([server._path], from_href(PAGE.url)) == "pending"


def test_queued_under_another_spelling(server: Running) -> None:
    spelled = structs.replace(PAGE, url=f"{PAGE.url}?")
    server.server.add_seeds((Link(spelled),))
    known = server.look(PAGE)
    assert known.whereabouts is Whereabouts.QUEUED
    assert known.item is not None
    assert known.item.url == spelled.url


def test_behind_other_hosts(server: Running) -> None:
    server.server.add_seeds((Link(item(2, 0, depth=0)), Link(item(3, 0, depth=0)), Link(PAGE)))
    known = server.look(PAGE)
    assert known.host is not None
    assert known.host.hosts_before == 2


def test_a_host_that_has_to_wait(server: Running) -> None:
    server.server.add_seeds((Link(PAGE), Link(item(1, 1))))
    schedule = lease(server, FETCHERS[0])
    first, *rest = schedule.items
    report = HostReport(host_of(PAGE.url), 100.0, 2.0, 0.1, 500, 0)
    server.server.answer(
        answer(
            schedule,
            FETCHERS[0],
            visits=(visit(first),),
            postponed=tuple(Postponed(one, 0.0, False) for one in rest),
            hosts=(report,),
        )
    )
    known = server.look(item(1, 1))
    assert known.host is not None
    assert (known.host.state, known.host.delay_seconds, known.host.bytes) == ("waiting", 2.0, 500)
    assert known.host.due == server.clock.now + 100.0


def test_with_a_fetcher(server: Running) -> None:
    server.server.add_seeds((Link(PAGE),))
    lease(server, FETCHERS[0])
    known = server.look(PAGE)
    assert (known.whereabouts, known.fetcher) == (Whereabouts.LEASED, FETCHERS[0])
    assert known.until == server.clock.now + SETTINGS.lease_seconds
    assert known.host is not None
    assert known.host.name == host_of(PAGE.url)


def test_answered_before_its_turn(server: Running) -> None:
    server.server.add_seeds(tuple(Link(item(host, 0)) for host in range(10)))
    lease(server, FETCHERS[0])
    second = lease(server, FETCHERS[1])
    taken, refused, back, *_ = second.items
    server.server.answer(
        answer(
            second,
            FETCHERS[1],
            visits=(visit(taken, outcome=Outcome.HTTP_ERROR),),
            refused=(Refused(refused, Exclusion.ROBOTS),),
            postponed=(Postponed(back, 0.0, False),),
        )
    )
    looks = [server.look(one) for one in (taken, refused, back)]
    assert {known.whereabouts for known in looks} == {Whereabouts.ANSWERED}
    assert [known.end for known in looks] == [Outcome.HTTP_ERROR, Exclusion.ROBOTS, None]


def test_longer_than_its_schedule(server: Running) -> None:
    server.server.add_seeds((Link(PAGE),))
    schedule = lease(server, FETCHERS[0])
    server.server.answer(answer(schedule, FETCHERS[0], carried=(PAGE,)))
    known = server.look(PAGE)
    assert (known.whereabouts, known.fetcher) == (Whereabouts.STRAGGLING, FETCHERS[0])


def test_waiting_for_another_try(server: Running) -> None:
    server.server.add_seeds((Link(PAGE),))
    schedule = lease(server, FETCHERS[0])
    tried = structs.replace(schedule.items[0], tries=1)
    server.server.answer(
        answer(schedule, FETCHERS[0], postponed=(Postponed(tried, 60.0, retried=True),))
    )
    known = server.look(PAGE)
    assert known.whereabouts is Whereabouts.RETRY
    assert known.until == server.clock.now + 60.0
    assert known.item == tried


@pytest.mark.parametrize("outcome", Outcome)
def test_done(server: Running, outcome: Outcome) -> None:
    server.server.add_seeds((Link(PAGE),))
    schedule = lease(server, FETCHERS[0])
    server.server.answer(
        answer(schedule, FETCHERS[0], visits=(visit(schedule.items[0], outcome=outcome),))
    )
    known = server.look(PAGE)
    assert (known.whereabouts, known.end) == (Whereabouts.DONE, outcome)
    assert known_state([server._path], from_href(PAGE.url)) is outcome


@pytest.mark.parametrize("reason", Exclusion)
def test_excluded(server: Running, reason: Exclusion) -> None:
    server.server.add_seeds((Link(PAGE, reason),))
    known = server.look(PAGE)
    assert (known.whereabouts, known.end) == (Whereabouts.EXCLUDED, reason)
    kept_apart = reason in (Exclusion.DEPTH, Exclusion.HOST_BYTES)
    assert known.item == (PAGE if kept_apart else None)


def test_on_its_way(tmp_path: Path) -> None:
    paths = [tmp_path / "queue-0.db", tmp_path / "queue-1.db"]
    journals = [Journal(path) for path in paths]
    batch = msgpack.encode([Link(item(2, 0)), Link(PAGE, Exclusion.DEPTH)])
    with journals[0].transaction(durable=True) as db:
        db.execute("INSERT INTO outbox(server, links, batch) VALUES(1, 2, ?)", (batch,))
    known = look_up(paths, from_href(PAGE.url))
    assert (known.whereabouts, known.end) == (Whereabouts.IN_TRANSIT, Exclusion.DEPTH)
    # Its owner knows it already: the receipt is still on its way.
    with journals[1].transaction(durable=True) as db:
        db.execute("INSERT INTO seen VALUES(?,?,1)", (PAGE.site, PAGE.key))
    for order in (paths, paths[::-1]):
        known = look_up(order, from_href(PAGE.url))
        assert (known.whereabouts, known.end) == (Whereabouts.DONE, Outcome.OK)
    for journal in journals:
        journal.close()


def test_what_is_known_of_its_origin_and_kind(server: Running) -> None:
    server.server.add_seeds((Link(PAGE),))
    file = RobotsFile(f"http://{host_of(PAGE.url)}", 1.0, 200, "User-agent: *")
    schedule = lease(server, FETCHERS[0])
    report = HostReport(host_of(PAGE.url), 0.0, 0.0, 0.1, 0, 0, robots=(file,))
    server.server.answer(
        answer(schedule, FETCHERS[0], visits=(visit(schedule.items[0]),), hosts=(report,))
    )
    known = server.look(PAGE)
    assert known.robots == file
    assert known.trap is not None
    assert (known.trap.visited, known.trap.repeats) == (1, 0)


def test_between_two_places(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "queue-0.db")
    with journal.transaction(durable=True) as db:
        db.execute("INSERT INTO seen VALUES(?,?,0)", (PAGE.site, PAGE.key))
    known = look_up([tmp_path / "queue-0.db"], from_href(PAGE.url))
    assert known.whereabouts is Whereabouts.MOVING
    journal.close()


def test_ends_of_many(server: Running) -> None:
    server.server.add_seeds((Link(PAGE, Exclusion.SCOPE), Link(item(2, 0))))
    slots = [(one.site, one.key) for one in (PAGE, item(2, 0), item(3, 0))]
    assert known_ends([server._path], slots) == {slots[0]: Exclusion.SCOPE}


def test_a_journal_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "queue-0.db"
    journal = Journal(path)
    journal.db.pragma("user_version", 99)
    journal.close()
    with pytest.raises(FormatError, match="another version"):
        look_up([path], from_href(PAGE.url))
    path.write_bytes(b"not a database, and long enough to be taken for one" * 100)
    with pytest.raises(FormatError, match="damaged"):
        look_up([path], from_href(PAGE.url))


def test_looking_needs_no_write(server: Running) -> None:
    server.server.add_seeds((Link(PAGE),))
    server.server.close()
    before = server._path.read_bytes()
    server.look(PAGE)
    assert server._path.read_bytes() == before
