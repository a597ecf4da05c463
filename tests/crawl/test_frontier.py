import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.crawl import hosts as hosts_module
from gossamer.crawl.hosts import Hosts
from gossamer.crawl.seen import PENDING, state_of
from gossamer.records import Exclusion, Item, Outcome
from gossamer.urls import host_of
from tests.crawl.frontiers import FETCHER, NOW, OTHER, Open, item, link, urls


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Open]:
    # Time enough for all that is asked for.
    opened = Open(tmp_path, schedule_seconds=1_000, order="breadth")
    yield opened
    opened.check()
    opened.journal.close()


# -- Order


def test_nearer_pages_come_first(web: Open) -> None:
    web.add(*(link(host, depth, depth) for depth in (3, 1, 2) for host in range(4)))
    batches = web.take(100)
    assert [batch.host.name for batch in batches] == [f"site-{host}.example" for host in range(4)]
    for batch in batches:
        assert [one.depth for one in batch.items] == [1, 2, 3]


def test_the_host_with_the_nearest_page_comes_first(web: Open) -> None:
    web.add(link(0, depth=5), link(1, depth=2), link(2, depth=9), link(3, depth=2))
    web.add(link(2, 1, depth=1))
    names = [batch.host.name for batch in web.take(100)]
    assert names == [f"site-{host}.example" for host in (2, 1, 3, 0)]


def test_hosts_take_turns(web: Open) -> None:
    """Their pages were found at the same time: no host waits while another is served twice."""
    web.add(*(link(host, page) for page in range(24) for host in range(10)))
    served: list[str] = []
    while batches := web.take(16):
        served += [batch.host.name for batch in batches]
        web.finish([one for batch in batches for one in batch.items])
        web.release()
    assert len(served) == 30
    for turn in range(3):
        assert len(set(served[10 * turn : 10 * turn + 10])) == 10


def test_a_host_that_is_being_visited_lets_others_go_first(web: Open) -> None:
    web.add(*(link(host, page) for host in range(10) for page in range(8)))
    seen = [batch.host.name for _ in range(5) for batch in web.take(16)]
    assert len(seen) == len(set(seen)) == 10


def test_a_schedule_mixes_hosts_and_takes_enough_of_each(web: Open) -> None:
    web.add(*(link(host, page) for host in range(50) for page in range(30)))
    batches = web.take(200)
    assert [len(batch.items) for batch in batches] == [8] * 25
    web.release()
    assert len(web.take(1)) == 1


def test_a_lone_host_gets_as_much_as_it_can_serve(tmp_path: Path) -> None:
    web = Open(tmp_path)
    web.add(*(link(0, page) for page in range(300)))
    (batch,) = web.take(200)
    # Unknown response times are taken for a second each, and a slice is a quarter of ten.
    assert len(batch.items) == 2
    web.release()
    batch.host.response = 0.01
    (batch,) = web.take(200)
    assert len(batch.items) == 200
    web.journal.close()


def test_what_is_given_back_keeps_its_order(web: Open) -> None:
    web.add(
        *(link(0, page, depth) for depth in (1, 2) for page in range(depth * 10, depth * 10 + 4))
    )
    web.hosts.get("site-0.example").response = 0.0
    (batch,) = web.take(3)
    web.give_back(batch.items)
    web.release()
    (again,) = web.take(100)
    # Behind those that are as near and wait already, before all that are farther.
    assert [int(one.url.rpartition("/")[2]) for one in again.items] == [
        *(13, 10, 11, 12),
        *(20, 21, 22, 23),
    ]
    assert web.count("queued", "leased", "found") == (0, 8, 8)


def test_order_outlives_a_restart(web: Open) -> None:
    web.add(
        *(link(host, page, depth) for depth in (2, 1) for host in (3, 1, 2) for page in (depth,))
    )
    web.reopen()
    web.add(link(1, 7, 2), link(9, 7, 1))
    batches = web.take(100)
    assert urls(batches) == [
        *(f"http://site-3.example/{page}" for page in (1, 2)),
        *(f"http://site-1.example/{page}" for page in (1, 2, 7)),
        *(f"http://site-2.example/{page}" for page in (1, 2)),
        "http://site-9.example/7",
    ]


# -- Adding


def test_adding_twice_is_harmless(web: Open) -> None:
    assert web.add(link(0), link(0), link(0, 1)) == 2
    assert web.add(link(0), link(0, 1), link(1)) == 1
    taken = [one for batch in web.take(100) for one in batch.items]
    assert web.add(link(0), link(0, 1), link(1)) == 0  # leased
    web.finish(taken)
    web.release()
    web.reopen()
    assert web.add(link(0), link(0, 1), link(1)) == 0  # done
    assert web.take(100) == []
    assert web.count("found", "queued", "leased", "done.ok", "hosts") == (3, 0, 0, 3, 2)


def test_how_urls_were_found_is_counted(web: Open) -> None:
    web.add(link(0), origin="seed")
    web.add(link(0), link(0, 1), origin="redirect")
    web.add(link(0), link(0, 1), link(0, 2), link(0, 3), origin="link")
    assert web.count("found", "found.seed", "found.redirect", "found.link") == (4, 1, 1, 2)


@pytest.mark.parametrize("reason", [Exclusion.DEPTH, Exclusion.SCOPE])
@pytest.mark.parametrize("at_once", [True, False])
def test_another_page_may_bring_a_url_in(web: Open, reason: Exclusion, at_once: bool) -> None:
    left_out, welcome = link(0, depth=9, excluded=reason), link(0, depth=2)
    if at_once:
        assert web.add(left_out, welcome) == 1
    else:
        assert web.add(left_out) == 1
        assert web.count(f"excluded.{reason}", "queued") == (1, 0)
        web.reopen()
        assert web.add(left_out) == 0
        assert web.add(welcome) == 0
    assert web.count(f"excluded.{reason}", "queued", "found") == (0, 1, 1)
    assert web.add(left_out) == 0
    assert web.count(f"excluded.{reason}", "queued", "found") == (0, 1, 1)
    assert web.journal.rows("SELECT * FROM beyond") == []
    (batch,) = web.take(10)
    assert [(one.url, one.depth) for one in batch.items] == [(welcome.item.url, 2)]


@pytest.mark.parametrize("reason", [Exclusion.FILTER, Exclusion.ROBOTS, Exclusion.HOST_BYTES])
def test_other_exclusions_are_final(web: Open, reason: Exclusion) -> None:
    web.add(link(0, excluded=reason))
    web.add(link(0))
    assert web.count(f"excluded.{reason}", "queued") == (1, 0)
    assert web.take(10) == []


def test_a_raised_depth_limit_brings_back_what_it_now_allows(tmp_path: Path) -> None:
    low = Open(tmp_path, max_depth=2)
    low.add(*(link(0, depth, depth, Exclusion.DEPTH) for depth in (3, 4, 5)))
    low.add(link(1, 0, 9, Exclusion.SCOPE))
    low.journal.close()
    higher = Open(tmp_path, max_depth=4)
    for _ in range(2):
        with higher.journal.transaction(durable=False):
            higher.frontier.raise_limits(NOW)
            higher.save()
    assert higher.count("excluded.depth", "excluded.scope", "queued") == (1, 1, 2)
    higher.check()
    (batch,) = higher.take(10)
    assert [one.depth for one in batch.items] == [3, 4]
    higher.journal.close()
    unlimited = Open(tmp_path)
    with unlimited.journal.transaction(durable=False):
        unlimited.frontier.raise_limits(NOW)
        unlimited.save()
    assert unlimited.count("excluded.depth", "queued") == (0, 1)
    unlimited.journal.close()


# -- Waiting


def test_a_retry_waits_until_it_is_due(web: Open) -> None:
    web.add(link(0), link(0, 1))
    taken = [one for batch in web.take(10) for one in batch.items]
    with web.journal.transaction(durable=False):
        web.frontier.retry(taken[0], NOW + 30)
        web.save()
    web.finish(taken[1:])
    web.release()
    assert web.count("queued", "leased", "done.ok") == (1, 0, 1)
    assert web.take(10) == []
    assert web.frontier.next_event() == NOW + 30
    web.reopen()
    web.now = NOW + 29
    assert web.take(10) == []
    web.now = NOW + 30
    assert urls(web.take(10)) == [taken[0].url]
    assert web.frontier.next_event() is None
    assert web.count("queued", "leased") == (0, 1)


def test_a_retry_does_not_visit_a_host_that_must_wait(web: Open) -> None:
    web.add(link(0))
    (batch,) = web.take(10)
    with web.journal.transaction(durable=False):
        web.frontier.retry(batch.items[0], NOW + 5)
        batch.host.due = NOW + 60
        web.save()
    web.release()
    web.now = NOW + 6
    assert web.take(10) == []
    assert web.frontier.next_event() == NOW + 60
    assert web.hosts.waiting() == 1
    web.now = NOW + 60
    assert len(web.take(10)) == 1


def test_a_host_that_has_used_up_its_bytes(web: Open) -> None:
    web.add(*(link(0, page) for page in range(5)), link(1))
    host = web.hosts.get("site-0.example")
    with web.journal.transaction(durable=False):
        web.frontier.drop_host(host)
        web.hosts.settle(host, NOW, 1)
        web.save()
    assert web.count("queued", "excluded.host_bytes") == (1, 5)
    state = web.frontier.seen.state(item(0).site, item(0).key)
    assert state == state_of(Exclusion.HOST_BYTES)
    assert urls(web.take(10)) == [item(1).url]
    with web.journal.transaction(durable=False):
        web.frontier.drop_host(host)  # again: nothing left
        web.save()
    assert web.count("excluded.host_bytes") == (5,)


# -- Connections and pace


def test_a_host_without_delay_is_shared_out(tmp_path: Path) -> None:
    web = Open(tmp_path, connections_per_host=8)
    web.add(*(link(0, page) for page in range(100)))
    web.frontier.hosts.get(host_of(link(0).item.url)).response = 0.01  # somebody was there
    shares = [web.take(4, f"fetcher-{n}", fetchers=3)[0].connections for n in range(3)]
    assert shares == [3, 3, 2]
    assert web.take(4, "fetcher-3", fetchers=3) == []
    # A fetcher that has a share already keeps it, for one more schedule and no third.
    assert web.take(4, "fetcher-0", fetchers=3)[0].connections == 3
    assert web.take(4, "fetcher-0", fetchers=3) == []
    web.release("fetcher-1")
    assert web.take(4, "fetcher-3", fetchers=3)[0].connections == 3
    web.check()
    web.journal.close()


def test_a_host_with_a_delay_has_a_single_visitor(tmp_path: Path) -> None:
    web = Open(tmp_path, connections_per_host=8, delay_seconds=0.5)
    web.add(*(link(0, page) for page in range(100)))
    (batch,) = web.take(50, FETCHER, fetchers=3)
    assert (batch.connections, len(batch.items)) == (8, 5)  # a slice of 2.5 seconds
    assert web.take(50, OTHER, fetchers=3) == []
    assert web.take(50, FETCHER, fetchers=3) == []
    web.journal.close()


@pytest.mark.parametrize(
    ("response", "connections", "pages"),
    [(None, 1, 2), (None, 4, 10), (0.5, 1, 5), (0.5, 4, 20), (60.0, 1, 1), (0.0, 1, 100)],
)
def test_a_schedule_has_what_a_host_can_answer_in_its_time(
    tmp_path: Path, response: float | None, connections: int, pages: int
) -> None:
    web = Open(tmp_path, connections_per_host=connections)
    web.add(*(link(0, page) for page in range(200)))
    web.hosts.get("site-0.example").response = response
    (batch,) = web.take(100)
    assert len(batch.items) == pages
    web.journal.close()


@pytest.mark.parametrize(
    ("setting", "private", "learned", "delay"),
    [
        ("auto", False, None, 1.0),
        ("auto", True, None, 0.0),
        ("auto", False, 0.3, 0.3),
        ("auto", True, 7.0, 7.0),
        (2.0, False, None, 2.0),
        (2.0, False, 0.5, 2.0),
        (2.0, False, 30.0, 30.0),
        (0.0, False, None, 0.0),
    ],
)
def test_the_delay_of_a_host(
    tmp_path: Path, setting: Any, private: bool, learned: float | None, delay: float
) -> None:
    web = Open(tmp_path, delay_seconds=setting, allow_private=private)
    host = web.hosts.get("site-0.example")
    host.delay = learned
    assert web.frontier.offers.delay_of(host) == delay
    web.journal.close()


def test_a_local_host_needs_no_pause(tmp_path: Path) -> None:
    local = {"site-0.example": "127.0.0.1:80"}
    web = Open(tmp_path, local_hosts=local, delay_seconds="auto", allow_private=False)
    delay = web.frontier.offers.delay_of
    assert delay(web.hosts.get("site-0.example")) == 0.0
    assert delay(web.hosts.get("site-0.example:8080")) == 0.0
    assert delay(web.hosts.get("site-1.example")) == 1.0
    web.journal.close()


# -- Any course of events


def test_a_host_that_leaves_memory_within_a_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit adds URLs more than once; a host that makes room for others in between must not be
    read again from a row that is not written yet."""
    monkeypatch.setattr(hosts_module, "_AT_HAND", 4)
    web = Open(tmp_path)
    web.add(link(0, 0))
    web.add(*(link(host) for host in range(1, 4)))
    with web.journal.transaction(durable=False):
        web.frontier.add([link(0, 1), *(link(host) for host in range(10, 16))], "redirect", NOW)
        web.frontier.add([link(0, 2)], "link", NOW)
        web.save()
    web.check()
    assert sum(url.startswith("http://site-0.") for url in web.drain()) == 3
    web.journal.close()


def test_many_hosts_at_once_make_room_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of seeds is added in one transaction, however many hosts it has: to go through those
    at hand for every one of them would take hours."""
    made = []
    make_room = Hosts._make_room

    def counted(hosts: Hosts) -> None:
        made.append(len(hosts._at_hand))
        make_room(hosts)

    monkeypatch.setattr(hosts_module, "_AT_HAND", 200)
    monkeypatch.setattr(Hosts, "_make_room", counted)
    web = Open(tmp_path)
    made.clear()
    web.add(*[link(host) for host in range(400)])
    assert len(made) <= 1
    web.journal.close()


@settings(max_examples=60, deadline=None)
@given(data=st.data(), at_hand=st.sampled_from([2, 4, 100]))
def test_every_url_is_handed_out_exactly_once(data: st.DataObject, at_hand: int) -> None:
    pages = st.builds(link, st.integers(0, 30), st.integers(0, 3), st.integers(0, 3))
    left_out = st.builds(
        link, st.integers(0, 30), st.integers(0, 3), st.just(9), st.just(Exclusion.DEPTH)
    )
    links = st.lists(pages | left_out, max_size=24)
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(hosts_module, "_AT_HAND", at_hand)
        web = Open(Path(folder))
        wanted: set[str] = set()
        out: list[Item] = []
        done: Counter[str] = Counter()
        for _ in range(data.draw(st.integers(1, 12))):
            step = data.draw(st.sampled_from(["add", "take", "answer", "restart"]))
            if step == "add":
                found = data.draw(links)
                web.add(*found)
                wanted |= {one.item.url for one in found if one.excluded is None}
            elif step == "take":
                web.now += 1
                batches = web.take(data.draw(st.integers(1, 30)))
                names = [batch.host.name for batch in batches]
                assert len(names) == len(set(names))
                for batch in batches:
                    assert all(host_of(one.url) == batch.host.name for one in batch.items)
                    depths = [one.depth for one in batch.items]
                    assert depths == sorted(depths)
                out += [one for batch in batches for one in batch.items]
            elif step == "answer":
                # As a commit does it: all of it in one transaction.
                fates = data.draw(
                    st.lists(st.sampled_from("dbr"), min_size=len(out), max_size=len(out))
                )
                found = data.draw(links)
                with web.journal.transaction(durable=False):
                    for one in [o for o, fate in zip(out, fates, strict=True) if fate == "d"]:
                        web.frontier.finish([(one.site, one.key, Outcome.OK)])
                        done[one.url] += 1
                    for one in [o for o, fate in zip(out, fates, strict=True) if fate == "r"]:
                        web.frontier.retry(one, web.now + data.draw(st.integers(0, 3)))
                    back = [o for o, fate in zip(out, fates, strict=True) if fate == "b"]
                    web.frontier.give_back(back, web.now)
                    web.frontier.add(found[::2], "redirect", web.now)
                    web.frontier.add(found[1::2], "link", web.now)
                    web.save()
                wanted |= {one.item.url for one in found if one.excluded is None}
                out = []
                web.release()
            elif not out:
                web.reopen()
            web.check()
            held = sum(bool(host.holders) for host in web.hosts._at_hand.values())
            touched = 48  # the largest transaction of this test
            assert len(web.hosts._at_hand) <= at_hand + held + touched
        web.finish(out)
        done.update(one.url for one in out)
        web.release()
        web.now += 10
        done.update(web.drain())
        web.check()
        web.journal.close()
    assert done == Counter(wanted)


def test_pending_is_what_the_other_tables_tell_apart(web: Open) -> None:
    web.add(link(0))
    assert web.frontier.seen.state(item(0).site, item(0).key) == PENDING
    assert web.frontier.seen.state(item(0).site, item(1).key) is None


# Other settings


def test_what_is_not_wanted_any_more_leaves_the_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.crawl.frontier._ROWS_AT_ONCE", 3)
    known = Open(tmp_path, order="breadth")
    known.add(*(link(host, page, depth=1 + page) for host in range(3) for page in range(4)))
    retried = known.take(1)[0].items[0]
    with known.journal.transaction(durable=False):
        known.frontier.retry(retried, known.now + 1_000)
        known.save()
    known.release()

    def objection(one: Item) -> Exclusion | None:
        unwanted = one.url.endswith("/0") or "site-1." in one.url
        return Exclusion.PATTERN if unwanted else None

    with known.journal.transaction(durable=False):
        known.frontier.leave_out(objection, known.now)
        known.save()
    known.check()
    assert known.count("queued", "excluded.pattern") == (6, 6)
    known.reopen()
    assert len(known.drain()) == 6
    known.check()


def test_what_was_left_out_is_let_in(tmp_path: Path) -> None:
    known = Open(tmp_path, max_depth=3)
    known.add(link(1), link(2, excluded=Exclusion.SCOPE), link(3, excluded=Exclusion.PATTERN))
    known.add(link(4, depth=9, excluded=Exclusion.SCOPE), link(5, excluded=Exclusion.ROBOTS))
    again = [link(host) for host in (1, 2, 3, 5, 6)]
    again.append(link(4, depth=9, excluded=Exclusion.DEPTH))
    with known.journal.transaction(durable=False):
        known.frontier.reconsider(again, known.now)
        known.save()
    known.check()
    assert known.count("found", "queued", "excluded.robots", "excluded.depth") == (5, 3, 1, 1)
    known.settings = known.settings.model_copy(update={"max_depth": 9})
    known.reopen()
    with known.journal.transaction(durable=False):
        known.frontier.raise_limits(known.now)
        known.save()
    assert len(known.drain()) == 4
