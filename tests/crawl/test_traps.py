"""Shapes of addresses whose pages bring nothing new are left; others never are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from gossamer.records import Exclusion, Item, Link
from gossamer.urls import from_href
from tests.crawl.test_commit import FETCHER, NOW, Commits
from tests.crawl.test_queue_server import answer, visit

PAGES = 10
CALENDAR = "http://a.example/calendar/2030/{}"


@pytest.fixture
def commits(tmp_path: Path) -> Iterator[Commits]:
    opened = Commits(tmp_path, trap_pages=PAGES)
    yield opened
    opened.journal.close()


def item(address: str) -> Item:
    url = from_href(address)
    return Item(url.href, url.site_hash, url.key, 1)


def visit_all(commits: Commits, items: list[Item], content: int | None) -> None:
    """All of them with one text, or each with its own."""
    schedule = commits.lease(*items)
    visits = [
        structs.replace(visit(one), content_hash=content or number + 1)
        for number, one in enumerate(schedule.items)
    ]
    commits.commit(schedule, answer(schedule, FETCHER, visits=tuple(visits)))


def objection(commits: Commits, url: str) -> Exclusion | None:
    return commits.frontier.traps.objection(url)


def test_a_shape_that_repeats_itself_is_left(commits: Commits) -> None:
    visit_all(commits, [item(CALENDAR.format(day)) for day in range(PAGES + 1)], content=7)
    assert objection(commits, CALENDAR.format(99)) is Exclusion.TRAP_CALENDAR
    assert objection(commits, "http://a.example/about") is None
    assert objection(commits, CALENDAR.format(99).replace("a.ex", "b.ex")) is None


def test_a_shape_with_news_is_not(commits: Commits) -> None:
    visit_all(commits, [item(CALENDAR.format(day)) for day in range(5 * PAGES)], content=None)
    assert objection(commits, CALENDAR.format(99)) is None


def test_too_few_pages_are_no_proof(commits: Commits) -> None:
    visit_all(commits, [item(CALENDAR.format(day)) for day in range(PAGES - 1)], content=7)
    assert objection(commits, CALENDAR.format(99)) is None


def test_what_is_found_and_what_is_queued_of_a_trap_is_left_out(commits: Commits) -> None:
    queued = [item(CALENDAR.format(day)) for day in range(100, 130)]
    visit_all(commits, [item(CALENDAR.format(day)) for day in range(PAGES + 1)], content=7)
    # Queued before anybody knew: as if the trap had not been there.
    closed, commits.frontier.traps._closed = commits.frontier.traps._closed, {}
    with commits.journal.transaction(durable=False):
        commits.frontier.add([Link(one) for one in queued], "link", NOW)
        commits.save()
    assert commits.count("queued") == (30,)
    commits.frontier.traps._closed = closed
    schedule = commits.lease(item(CALENDAR.format(200)), item("http://a.example/about"))
    assert [one.url for one in schedule.items] == ["http://a.example/about"]
    assert commits.count("queued", "leased", "excluded.trap.calendar") == (0, 1, 31)


def test_traps_are_remembered(tmp_path: Path) -> None:
    first = Commits(tmp_path, trap_pages=PAGES)
    visit_all(first, [item(CALENDAR.format(day)) for day in range(PAGES + 1)], content=7)
    first.journal.close()
    again = Commits(tmp_path, trap_pages=PAGES)
    assert objection(again, CALENDAR.format(99)) is Exclusion.TRAP_CALENDAR
    again.journal.close()


def test_without_traps_everything_is_visited(tmp_path: Path) -> None:
    commits = Commits(tmp_path, trap_pages=PAGES, traps=False)
    visit_all(commits, [item(CALENDAR.format(day)) for day in range(5 * PAGES)], content=7)
    assert objection(commits, CALENDAR.format(99)) is None
    commits.journal.close()
