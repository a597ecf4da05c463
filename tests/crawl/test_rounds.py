"""Visiting all pages again: a round counts when all of it is known, and only once."""

from pathlib import Path

import pytest
from msgspec import structs

from gossamer.crawl.calls import Revisits
from gossamer.records import Link
from tests.crawl.test_queue_server import FETCHERS, Servers, answer, counters, item, lease, visit
from tests.crawling import assert_adds_up

PAGES = [item(host, 0) for host in range(5)]
AGAIN = tuple(structs.replace(page, was_document=True) for page in PAGES)


@pytest.fixture
def servers(tmp_path: Path) -> Servers:
    """All pages have been visited once."""
    made = Servers(tmp_path)
    made.server.add_seeds(tuple(Link(page) for page in PAGES))
    visit_all(made, request=1)
    assert counters(made)["pages"] == len(PAGES)
    return made


def visit_all(servers: Servers, request: int) -> int:
    schedule = lease(servers, FETCHERS[0], request)
    visits = tuple(visit(one) for one in schedule.items)
    assert servers.server.answer(answer(schedule, FETCHERS[0], visits=visits)).accepted
    return len(visits)


def state(servers: Servers) -> tuple[float, float, float]:
    known = counters(servers)
    assert_adds_up(known)
    return known["queued"], known["pages"], known["documents"]


def test_every_page_is_visited_again(servers: Servers) -> None:
    servers.server.revisit(Revisits(1, AGAIN[:3], is_first=True, is_last=False))
    assert state(servers) == (0, 5, 5)
    servers.server.revisit(Revisits(1, AGAIN[3:], is_first=False, is_last=True))
    assert state(servers) == (5, 0, 0)
    assert servers.server.status().round == 1
    assert visit_all(servers, request=2) == 5
    assert state(servers) == (0, 5, 5)
    assert [attempt.round for attempt in servers.server.committed(0, 10)] == [0, 1]


def test_a_round_that_was_cut_off_starts_over(servers: Servers) -> None:
    servers.server.revisit(Revisits(1, AGAIN[:3], is_first=True, is_last=False))
    servers.restart()
    assert servers.server.status().round == 0
    servers.server.revisit(Revisits(1, AGAIN[4:], is_first=True, is_last=False))
    servers.server.revisit(Revisits(1, (), is_first=False, is_last=True))
    assert state(servers) == (1, 4, 4)


def test_a_round_starts_once(servers: Servers) -> None:
    whole = Revisits(1, AGAIN, is_first=True, is_last=True)
    servers.server.revisit(whole)
    visit_all(servers, request=2)
    servers.restart()
    servers.server.revisit(whole)
    assert state(servers) == (0, 5, 5)


def test_what_was_never_visited_is_no_matter_of_a_round(servers: Servers) -> None:
    unknown = item(99, 9)
    servers.server.revisit(Revisits(1, (unknown,), is_first=True, is_last=True))
    assert state(servers) == (0, 5, 5)
