"""A takedown in a journal: nothing of it is left, and everything still adds up."""

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import msgpack, structs

from gossamer.crawl.calls import Delivery, Revisits
from gossamer.crawl.counters import Counters
from gossamer.crawl.forgetting import (
    ExpiredPage,
    StoredPage,
    expire_in_journal,
    forget_in_journal,
    forgotten_through,
)
from gossamer.crawl.hosts import Hosts
from gossamer.crawl.journal import Journal
from gossamer.crawl.resting import bring_to_rest
from gossamer.crawl.seen import end_of
from gossamer.crawl.similar import Similar
from gossamer.errors import StorageError
from gossamer.records import (
    CommittedAttempt,
    Exclusion,
    HostReport,
    Item,
    Link,
    Outcome,
    Postponed,
    Refused,
    RobotsFile,
)
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import from_href, host_of
from tests.crawl.frontiers import NOW
from tests.crawl.frontiers import Open as Frontiers
from tests.crawl.test_queue_server import FETCHERS, SETTINGS, Servers, answer, item, lease, visit
from tests.crawling import assert_adds_up

SECRET = "Rumpelstilzchen"
GONE = item(1, 0)
HOST = host_of(GONE.url)


def tombstones(*items: Item, hosts: Iterable[str] = (), links: bool = False) -> Tombstones:
    urls = frozenset((one.site, one.key) for one in items)
    known = Tombstones(urls=urls, hosts=frozenset(hosts))
    if not links:
        return known
    return structs.replace(known, pointed_urls=urls, pointed_hosts=frozenset(hosts))


def stored(what: Item, **more: Any) -> StoredPage:
    known = StoredPage(what.site, what.key, Outcome.OK, 200, True, False, False)
    return known._replace(**more)


def forget(path: Path, what: Tombstones, *pages: StoredPage, through: int = 1) -> None:
    forget_in_journal(path, what, through, from_href, lambda: pages)


def counters(path: Path) -> dict[str, float]:
    journal = Journal(path)
    try:
        return dict(Counters(journal).values)
    finally:
        journal.close()


def state(path: Path, what: Item) -> Outcome | Exclusion | None:
    journal = Journal(path)
    try:
        rows = journal.rows("SELECT state FROM seen WHERE site=? AND key=?", (what.site, what.key))
        return end_of(rows[0][0]) if rows else None
    finally:
        journal.close()


def bytes_of(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


class Journals(Servers):
    """A queue server's journal that can be looked at while the server is closed."""

    @property
    def path(self) -> Path:
        return self._path

    def visit(self, *visited: Any, **more: Any) -> None:
        """Lease all that is queued, and answer."""
        self.requests = getattr(self, "requests", 0) + 1
        schedule = lease(self, FETCHERS[0], self.requests)
        assert self.server.answer(answer(schedule, FETCHERS[0], visits=visited, **more)).accepted


@pytest.fixture
def server(tmp_path: Path) -> Journals:
    return Journals(tmp_path)


def close(server: Journals) -> Path:
    server.server.close()
    bring_to_rest(server.path, 0, SETTINGS, lambda _: None)
    return server.path


def test_a_page_that_was_visited(server: Journals) -> None:
    others = (Link(item(1, 1)), Link(item(2, 0)))
    server.server.add_seeds((Link(GONE), Link(item(3, 0))))
    server.visit(
        structs.replace(visit(GONE, others), content_hash=11, similarity_hash=5, status=404),
        structs.replace(visit(item(3, 0)), content_hash=12, similarity_hash=6),
    )
    path = close(server)
    before = counters(path)
    forget(path, tombstones(GONE), stored(GONE, status=404, is_duplicate=True))
    after = counters(path)
    changes = {name: after[name] - before.get(name, 0) for name in after}
    assert {name: change for name, change in changes.items() if change} == {
        "done.ok": -1,
        "excluded.forgotten": 1,
        "pages": -1,
        "documents": -1,
        "status.404": -1,
        "duplicates": -1,
    }
    assert_adds_up(after)
    assert state(path, GONE) is Exclusion.FORGOTTEN
    journal = Journal(path)
    assert journal.rows("SELECT hash FROM content") == [(12,)]
    assert journal.rows("SELECT url FROM similar") == [(item(3, 0).url,)]
    journal.close()


def test_it_is_never_fetched_again(server: Journals) -> None:
    server.server.add_seeds((Link(GONE),))
    path = close(server)
    forget(path, tombstones(GONE))
    server.start()
    server.server.add_seeds((Link(GONE), Link(item(2, 0))))
    server.server.deliver(Delivery(1, 1, (Link(GONE),)))
    assert [one.url for one in lease(server, FETCHERS[0]).items] == [item(2, 0).url]
    known = server.server.status().counters
    assert (known["found"], known["excluded.forgotten"], known["leased"]) == (2, 1, 1)


def test_nothing_of_it_is_in_the_file(server: Journals) -> None:
    """Neither in the rows, nor where rows have been."""
    url = from_href(f"http://site-1.example/{SECRET}")
    secret = Item(url.href, url.site_hash, url.key, 1, anchor=SECRET)
    found = structs.replace(item(2, 0), parent=secret.url, anchor=SECRET)
    server.server.add_seeds((Link(secret), Link(item(3, 0))))
    server.visit(visit(secret, (Link(found),)))
    path = close(server)
    assert SECRET.encode() in bytes_of(path)
    forget(path, tombstones(secret, links=True), stored(secret))
    assert SECRET.encode() not in bytes_of(path)
    assert [file.name for file in path.parent.glob("*-wal")] == []
    server.start()
    assert counters_add_up(server)["queued"] == 2


def counters_add_up(server: Journals) -> dict[str, float]:
    known = server.server.status().counters
    assert_adds_up(known)
    return known


def test_what_was_found_there_stays_without_its_words(server: Journals) -> None:
    found = structs.replace(item(2, 0), parent=GONE.url, anchor=SECRET)
    elsewhere = structs.replace(item(3, 0), parent=item(4, 0).url, anchor="kept")
    server.server.add_seeds((Link(GONE),))
    server.visit(visit(GONE, (Link(found), Link(elsewhere))))
    path = close(server)
    forget(path, tombstones(GONE), stored(GONE))
    server.start()
    items = {one.url: one for one in lease(server, FETCHERS[0], 9).items}
    assert (items[found.url].parent, items[found.url].anchor) == (GONE.url, "")
    assert items[elsewhere.url].anchor == "kept"


def test_a_host(server: Journals) -> None:
    pages = [item(1, page) for page in range(30)]
    report = HostReport(
        *(HOST, 0.0, 0.0, 0.1, 100, 0),
        robots=(RobotsFile(f"http://{HOST}", NOW, 200, f"# {SECRET}"),),
        cookies=(SECRET,),
    )
    server.server.add_seeds((*(Link(page) for page in pages), Link(item(2, 0))))
    schedule = lease(server, FETCHERS[0])
    visits = tuple(
        structs.replace(visit(one), similarity_hash=1 << one.key % 60) for one in schedule.items
    )
    assert server.server.answer(
        answer(schedule, FETCHERS[0], visits=visits, hosts=(report,))
    ).accepted
    path = close(server)
    facts = [stored(one) for one in schedule.items if host_of(one.url) == HOST]
    assert facts
    hosts = counters(path)["hosts"]
    forget(path, tombstones(hosts=[HOST]), *facts)
    assert SECRET.encode() not in bytes_of(path)
    assert HOST.encode() not in bytes_of(path)
    after = counters(path)
    assert_adds_up(after)
    assert after["excluded.forgotten"] == 30
    assert after["hosts"] == hosts - 1
    assert {state(path, page) for page in pages} == {Exclusion.FORGOTTEN}


def test_what_waits_beyond_a_limit_or_for_a_retry(server: Journals) -> None:
    deep, late = item(1, 1, depth=9), item(1, 2)
    server.server.add_seeds((Link(deep, Exclusion.DEPTH), Link(late), Link(item(1, 3))))
    schedule = lease(server, FETCHERS[0])
    back = tuple(Postponed(one, 60.0, retried=True) for one in schedule.items)
    server.server.answer(answer(schedule, FETCHERS[0], postponed=back))
    path = close(server)
    forget(path, tombstones(deep, late))
    after = counters(path)
    assert_adds_up(after)
    assert (after["excluded.depth"], after["excluded.forgotten"], after["queued"]) == (0, 2, 1)
    journal = Journal(path)
    assert journal.rows("SELECT count(*) FROM beyond") == [(0,)]
    assert journal.rows("SELECT count(*) FROM retry") == [(1,)]
    journal.close()


def test_what_was_left_out(server: Journals) -> None:
    closed = item(1, 1)
    server.server.add_seeds((Link(closed),))
    server.visit(refused=(Refused(closed, Exclusion.ROBOTS),))
    path = close(server)
    forget(path, tombstones(closed, item(1, 7)))  # the other was never found
    after = counters(path)
    assert (after["excluded.robots"], after["excluded.forgotten"]) == (0, 1)
    assert_adds_up(after)
    assert state(path, item(1, 7)) is None


def test_what_is_on_its_way_arrives_as_forgotten(tmp_path: Path) -> None:
    two = SETTINGS.model_copy(update={"queue_servers": 2})
    journal = Journal(tmp_path / "queue-0.db")
    found = structs.replace(item(2, 0), parent=GONE.url, anchor=SECRET)
    batch = msgpack.encode([Link(GONE), Link(found), Link(item(3, 0), Exclusion.DEPTH)])
    with journal.transaction(durable=True) as db:
        db.execute("INSERT INTO outbox(server, links, batch) VALUES(1, 3, ?)", (batch,))
        known = Counters(journal)
        known.add("in_transit", 3)
        known.save()
    journal.close()
    path = tmp_path / "queue-0.db"
    bring_to_rest(path, 0, two, lambda _: None)
    forget(path, tombstones(GONE))
    assert SECRET.encode() not in bytes_of(path)
    journal = Journal(path)
    ((batch,),) = journal.rows("SELECT batch FROM outbox")
    journal.close()
    links = msgpack.decode(batch, type=list[Link])
    assert [link.excluded for link in links] == [Exclusion.FORGOTTEN, None, Exclusion.DEPTH]
    assert links[1].item == structs.replace(found, anchor="")
    assert counters(path)["in_transit"] == 3


def test_what_was_to_be_visited_again(server: Journals) -> None:
    server.server.add_seeds((Link(GONE), Link(item(2, 0))))
    server.visit(visit(GONE), visit(item(2, 0)))
    again = (GONE, item(2, 0))
    server.server.revisit(Revisits(1, again, is_first=True, is_last=False))
    path = close(server)
    forget(path, tombstones(GONE), stored(GONE))
    server.start()
    server.server.revisit(Revisits(1, (), is_first=False, is_last=True))
    known = counters_add_up(server)
    assert (known["queued"], known["pages"], known["excluded.forgotten"]) == (1, 0, 1)


def test_a_page_of_two_rounds_is_counted_once(server: Journals) -> None:
    server.server.add_seeds((Link(GONE),))
    server.visit(visit(GONE))
    path = close(server)
    forget(path, tombstones(GONE), stored(GONE), stored(GONE, status=404))
    after = counters(path)
    assert (after["pages"], after["documents"], after["status.200"]) == (0, 0, 0)
    assert "status.404" not in after


def test_pages_that_are_near_are_found_without_the_gaps(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    journal = Journal(path)
    site = item(1, 0).site
    with journal.transaction(durable=True):
        similar = Similar(journal)
        for page in range(40):
            similar.add(site, 1 << page, item(1, page).url)
    journal.close()
    forget(path, tombstones(*(item(1, page) for page in range(0, 40, 2))))
    journal = Journal(path)
    similar = Similar(journal)
    assert similar.nearest(site, 1 << 39) == (item(1, 39).url, 0)
    nearest = similar.nearest(site, 1 << 38)
    assert nearest is not None
    assert nearest[1] == 2
    with journal.transaction(durable=True):
        similar.add(site, 3, "new")
    assert Similar(journal).nearest(site, 3) == ("new", 0)
    assert journal.rows("SELECT count(*), max(number) FROM similar") == [(21, 20)]
    journal.close()


def test_pages_that_expire_are_no_originals_any_more(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    journal = Journal(path)
    old, new = item(1, 0), item(1, 1)
    with journal.transaction(durable=True) as db:
        similar = Similar(journal)
        for number, page in enumerate((old, new)):
            similar.add(page.site, 1 << number, page.url)
            db.execute(
                "INSERT INTO content VALUES(?,?,?,?)", (number, page.site, page.key, page.url)
            )
    journal.close()
    expire_in_journal(path, [ExpiredPage(old.url, 0), ExpiredPage(new.url, 77)])
    journal = Journal(path)
    # The other has another text by now.
    assert journal.rows("SELECT url FROM content") == [(new.url,)]
    assert journal.rows("SELECT count(*) FROM similar") == [(0,)]
    journal.close()
    expire_in_journal(path, [])


def test_it_knows_how_far_it_has_come(server: Journals) -> None:
    path = close(server)
    assert forgotten_through(path) == 0
    forget(path, tombstones(GONE), through=3)
    assert forgotten_through(path) == 3
    forget(path, Tombstones(before=5.0), through=4)
    assert forgotten_through(path) == 4


def test_a_reader_is_waited_for(server: Journals, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.crawl.forgetting._READERS_MS", 100)
    server.server.add_seeds((Link(GONE),))
    path = close(server)
    reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM seen").fetchall()
    with pytest.raises(StorageError, match="run the same command again"):
        forget(path, tombstones(GONE))
    assert forgotten_through(path) == 0
    reader.close()
    forget(path, tombstones(GONE))
    assert forgotten_through(path) == 1
    assert counters(path)["excluded.forgotten"] == 1


def test_an_import_counts_in_its_own_way(tmp_path: Path) -> None:
    path = tmp_path / "import.db"
    journal = Journal(path)
    with journal.transaction(durable=True):
        journal.put("import_version", 1)
        known = Counters(journal)
        for name in ("found", "found.link", "done.ok", "pages", "documents", "status.200"):
            known.add(name, 5)
        known.save()
    journal.close()
    for _ in range(2):
        forget(path, tombstones(GONE), stored(GONE))
        after = counters(path)
        assert (after["done.ok"], after["pages"], after["excluded.forgotten"]) == (4, 4, 1)


def test_bringing_to_rest_loses_nothing(server: Journals) -> None:
    server.server.add_seeds(tuple(Link(item(host, 0)) for host in range(12)))
    first, second = (lease(server, fetcher) for fetcher in FETCHERS[:2])
    visits = tuple(visit(one, (Link(item(99, one.key)),)) for one in second.items)
    server.server.answer(answer(second, FETCHERS[1], visits=visits))  # waits for its turn
    server.server.close()
    published: list[CommittedAttempt] = []
    bring_to_rest(server.path, 0, SETTINGS, published.extend)
    assert [attempt.staged for attempt in published if attempt.staged] == [second.name]
    journal = Journal(server.path)
    assert journal.rows("SELECT count(*) FROM schedule") == [(0,)]
    journal.close()
    server.start()
    known = counters_add_up(server)
    assert (known["leased"], known["done.ok"]) == (0, len(second.items))
    assert known["queued"] == 12
    again: list[CommittedAttempt] = []
    server.server.close()
    bring_to_rest(server.path, 0, SETTINGS, again.extend)
    assert again == []
    assert first.items


# Any state, any takedown


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 2), st.integers(0, 5), st.sampled_from(["", "", "", "depth", "scope"])
        ),
        min_size=5,
        max_size=40,
    ),
    st.integers(0, 8),
    st.sets(st.tuples(st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=6),
    st.sets(st.integers(0, 2), max_size=1),
)
def test_it_adds_up_whatever_is_forgotten(
    found: list[tuple[int, int, str]],
    taken: int,
    pages: set[tuple[int, int]],
    hosts: set[int],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        frontier = Frontiers(Path(folder))
        for host, page, excluded in found:
            reason = Exclusion(excluded) if excluded else None
            frontier.add(Link(item(host, page), reason))
        visited = []
        for batch in frontier.take(taken) if taken else []:
            frontier.finish(batch.items, Outcome.HTTP_ERROR)
            visited += batch.items
        frontier.release()
        frontier.journal.close()
        names = [f"site-{host}.example" for host in hosts]
        what = tombstones(*(item(*page) for page in pages), hosts=names)
        facts = [
            stored(one, status=0, is_document=False)
            for one in visited
            if (one.site, one.key) in what.urls or host_of(one.url) in what.hosts
        ]
        for _ in range(2):  # the second time changes nothing
            forget(frontier._path, what, *facts)
            frontier._open()
            frontier.check()
            left = frontier.journal.rows("SELECT item FROM queue")
            for (blob,) in left:
                one = msgpack.decode(blob, type=Item)
                assert (one.site, one.key) not in what.urls
                assert host_of(one.url) not in what.hosts
            gone = frontier.journal.rows("SELECT site, key FROM seen WHERE state=?", (_FORGOTTEN,))
            assert frontier.counters["excluded.forgotten"] == len(gone)
            assert not any(Hosts.id_of(name) in _hosts(frontier) for name in names)
            frontier.journal.close()


def _hosts(frontier: Frontiers) -> set[int]:
    return {id for (id,) in frontier.journal.rows("SELECT id FROM host")}


_FORGOTTEN = next(code for code in range(100, 200) if end_of(code) is Exclusion.FORGOTTEN)
