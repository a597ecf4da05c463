from collections.abc import Sequence

from gossamer.crawl.orders import OpenOrder
from gossamer.crawl.visits import Visited
from gossamer.records import (
    Exchange,
    Exclusion,
    FoundLink,
    HostReport,
    Outcome,
    PageRow,
    Postponed,
    Refused,
    Schedule,
)
from tests.crawl.test_visits import Reader, item


class Pages:
    """An attempt that is kept in memory."""

    def __init__(self) -> None:
        self.rows: list[tuple[PageRow, Sequence[FoundLink], Exchange | None]] = []

    def add(self, page: PageRow, links: Sequence[FoundLink], exchange: Exchange | None) -> None:
        self.rows.append((page, links, exchange))

    def finish(self) -> bool:
        return bool(self.rows)

    def discard(self) -> None:
        self.rows.clear()


def test_an_answer_tells_what_became_of_everything() -> None:
    schedule = Schedule(2, 3, 4, 5, 10.0, 40.0, (), ())
    pages = Pages()
    order = OpenOrder(schedule, pages, 0.0, 10.0)
    first, second = (Reader().redirect(f"/{number}") for number in (1, 2))
    late, closed = Postponed(item(), 1.5, retried=True), Refused(item(), Exclusion.ROBOTS)
    for result in (first, late, closed, second):
        order.add(result)
    order.requests, order.robots_requests = 7, 1
    report = HostReport("a.example", 0.0, 1.0, 0.1, 10, 0)
    answer = order.answer("fetcher-0.1", True, [item()], [report])
    assert (answer.server, answer.epoch, answer.number, answer.attempt) == (2, 3, 4, 5)
    assert (answer.fetcher, answer.staged) == ("fetcher-0.1", schedule.name)
    assert answer.visits == (first.visit, second.visit)
    assert (answer.postponed, answer.refused) == ((late,), (closed,))
    assert (answer.carried, answer.hosts) == ((item(),), (report,))
    assert (answer.requests, answer.robots_requests) == (7, 1)
    assert order.answer("fetcher-0.1", False, [], []).staged == ""


def test_what_is_written_is_not_held() -> None:
    order = OpenOrder(Schedule(0, 1, 1, 1, 10.0, 40.0, (), ()), Pages(), 0.0, 10.0)
    visited = Reader().redirect("/1")
    order.add(visited)
    assert order.results == [visited.visit]


def test_only_visits_are_written() -> None:
    pages = Pages()
    order = OpenOrder(Schedule(0, 1, 1, 1, 10.0, 40.0, (), ()), pages, 0.0, 10.0)
    order.add(Postponed(item(), 0.0, retried=False))
    order.add(Refused(item(), Exclusion.HOST_BYTES))
    assert not pages.finish()
    visited: Visited = Reader().redirect("/1")
    order.add(visited)
    assert pages.rows == [(visited.row, visited.links, visited.exchange)]
    assert visited.row.outcome is Outcome.REDIRECT
