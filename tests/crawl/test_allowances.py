from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.crawl.allowances import Limit
from gossamer.crawl.calls import Allowance, ServerStatus


class Server:
    """A queue server as far as limits are concerned. Every URL it leases ends as a page, and some
    pages are documents."""

    def __init__(self, queued: int, pages: int = 0, documents: int = 0, leased: int = 0) -> None:
        self.queued, self.leased = queued, leased
        self.pages, self.documents = pages, documents
        self.allowance = Allowance(0, 0, paused=True)

    def room(self) -> int:
        rooms = [10**9]
        if self.allowance.pages is not None:
            rooms.append(self.allowance.pages - self.pages - self.leased)
        if self.allowance.documents is not None:
            rooms.append(self.allowance.documents - self.documents - self.leased)
        return min(rooms)

    def lease(self, most: int) -> None:
        taken = max(0, min(most, self.queued, self.room()))
        self.queued -= taken
        self.leased += taken

    def commit(self, pages: int, documents: int, found: int = 0) -> None:
        done = min(pages, self.leased)
        self.leased -= done
        self.pages += done
        self.documents += min(documents, done)
        self.queued += found

    def allow(self, allowance: Allowance) -> Allowance:
        pages, documents = allowance.pages, allowance.documents
        if pages is not None:
            pages = max(pages, self.pages + self.leased)
        if documents is not None:
            documents = max(documents, self.documents + self.leased)
        self.allowance = Allowance(pages, documents, allowance.paused)
        return self.allowance

    def status(self) -> ServerStatus:
        counters: dict[str, float] = {
            "pages": self.pages,
            "documents": self.documents,
            "leased": self.leased,
        }
        starved = self.queued > 0 and self.room() <= 0
        idle = not (self.queued or self.leased)
        return ServerStatus(counters, 0, 0, idle, starved, 0, 0, 0)


class Crowd:
    """The servers, and the coordinator's part."""

    def __init__(self, servers: list[Server], max_pages: int, max_documents: int) -> None:
        self.servers = servers
        self.pages, self.documents = Limit("pages", max_pages), Limit("documents", max_documents)
        self.limits = [self.pages, self.documents]
        for limit in self.limits:
            limit.start([server.status() for server in servers])
        self.allow()

    def allow(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        for number, server in enumerate(self.servers):
            meanwhile()
            wanted = Allowance(self.pages.share(number), self.documents.share(number), False)
            granted = server.allow(wanted)
            self.pages.note(number, granted.pages)
            self.documents.note(number, granted.documents)

    def share(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        statuses = []
        for server in self.servers:
            statuses.append(server.status())
            meanwhile()
        if any(limit.rebalance_needed(statuses) for limit in self.limits):
            for limit in self.limits:
                limit.lower(statuses)
            self.allow(meanwhile)
            for limit in self.limits:
                limit.give_out(statuses)
            self.allow(meanwhile)

    def total(self, name: str) -> int:
        return sum(int(server.status().counters[name]) for server in self.servers)

    def check(self) -> None:
        """However all that is out ends, no limit is passed."""
        leased = self.total("leased")
        for limit in self.limits:
            if limit.limit:
                assert self.total(limit.name) + leased <= limit.limit
                granted = [getattr(server.allowance, limit.name) for server in self.servers]
                assert sum(granted) <= limit.limit


SERVERS = st.lists(st.integers(0, 60), min_size=1, max_size=5)


@settings(max_examples=200, deadline=None)
@given(SERVERS, st.integers(0, 60), st.integers(0, 60), st.data())
def test_limits_hold_whatever_the_servers_do_meanwhile(
    queued: list[int], max_pages: int, max_documents: int, data: st.DataObject
) -> None:
    crowd = Crowd([Server(number) for number in queued], max_pages, max_documents)

    def meanwhile() -> None:
        for _ in range(data.draw(st.integers(0, 3))):
            server = data.draw(st.sampled_from(crowd.servers))
            if data.draw(st.booleans()):
                server.lease(data.draw(st.integers(1, 30)))
            else:
                pages = data.draw(st.integers(1, 30))
                server.commit(pages, data.draw(st.integers(0, pages)), data.draw(st.integers(0, 9)))
            crowd.check()

    for _ in range(data.draw(st.integers(0, 6))):
        meanwhile()
        crowd.share(meanwhile)
        crowd.check()


def run_dry(crowd: Crowd, documents: bool = True) -> None:
    """Let everybody work until nothing changes any more."""
    idle_rounds = 0
    while idle_rounds < 20:
        before = crowd.total("pages")
        for server in crowd.servers:
            server.lease(7)
            server.commit(7, 7 if documents else 0)
        crowd.share()
        crowd.check()
        idle_rounds = 0 if crowd.total("pages") > before else idle_rounds + 1


@settings(max_examples=100, deadline=None)
@given(SERVERS, st.integers(1, 100), st.booleans())
def test_what_some_can_spare_reaches_those_who_need_it(
    queued: list[int], limit: int, documents: bool
) -> None:
    """Without a limit on the other kind, exactly the limit is reached, wherever the work lies."""
    limits = (0, limit) if documents else (limit, 0)
    crowd = Crowd([Server(number) for number in queued], *limits)
    run_dry(crowd)
    assert crowd.total("documents" if documents else "pages") == min(limit, sum(queued))


@settings(max_examples=100, deadline=None)
@given(SERVERS, st.integers(1, 100), st.integers(1, 100), st.booleans())
def test_two_limits_do_not_get_in_each_others_way(
    queued: list[int], max_pages: int, max_documents: int, documents: bool
) -> None:
    crowd = Crowd([Server(number) for number in queued], max_pages, max_documents)
    run_dry(crowd, documents)
    most = min(max_pages, max_documents) if documents else max_pages
    assert crowd.total("pages") == min(most, sum(queued))


def test_a_share_that_was_taken_away_for_another_limits_sake_can_be_had_again() -> None:
    """Shares of documents are lowered each time that pages are moved about. Nobody has any to
    spare in the end, yet there are some that nobody has."""
    crowd = Crowd([Server(0), Server(0), Server(0), Server(3)], max_pages=3, max_documents=8)
    run_dry(crowd)
    assert crowd.total("pages") == 3


def test_a_run_that_goes_on_starts_with_what_it_has() -> None:
    servers = [Server(100, pages=10, leased=5), Server(100, pages=3), Server(0)]
    crowd = Crowd(servers, max_pages=30, max_documents=0)
    assert [crowd.pages.share(number) for number in range(3)] == [19, 7, 4]
    run_dry(crowd)
    assert crowd.total("pages") == 30


def test_a_limit_that_was_passed_in_an_earlier_sitting_allows_no_more() -> None:
    servers = [Server(100, pages=10), Server(100, pages=30)]
    statuses = [server.status() for server in servers]
    limit = Limit("pages", 20)
    limit.start(statuses)
    assert [limit.share(number) for number in range(2)] == [10, 30]
    assert limit.is_reached(statuses)


def test_odd_rests_are_shared_out_too() -> None:
    limit = Limit("pages", 10)
    limit.start([Server(0).status() for _ in range(4)])
    assert [limit.share(number) for number in range(4)] == [3, 3, 2, 2]


@pytest.mark.parametrize("name", ["pages", "documents"])
def test_no_limit(name: str) -> None:
    limit = Limit(name, 0)
    statuses = [Server(5, pages=10**6, documents=10**6).status()]
    limit.start(statuses)
    assert limit.share(0) is None
    assert not limit.is_reached(statuses)
    assert not limit.rebalance_needed(statuses)
    limit.lower(statuses)
    limit.note(0, None)
    limit.give_out(statuses)
    assert limit.share(0) is None
