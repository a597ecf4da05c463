"""Which URLs come first; above all, that nobody who makes up pages crowds out the others."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.crawl.sites import MOST_ENDORSEMENTS, Sites
from gossamer.records import Item, Link
from gossamer.urls import from_href, site_of
from tests.crawl.frontiers import Open, link, urls

FLOOD = 100_000


def to(address: str, depth: int = 1, **more: Any) -> Link:
    url = from_href(address)
    return Link(Item(url.href, url.site_hash, url.key, depth, **more))


@pytest.fixture
def order(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Open]:
    opened = Open(tmp_path, schedule_seconds=100_000, **request.param)
    yield opened
    opened.check()
    opened.journal.close()


@pytest.mark.parametrize("order", [{"order": "breadth"}], indirect=True)
def test_breadth_first(order: Open) -> None:
    order.add(*(link(0, depth, depth) for depth in (3, 1, 2)))
    assert urls(order.take(3)) == [f"http://site-0.example/{depth}" for depth in (1, 2, 3)]


@pytest.mark.parametrize("order", [{"order": "depth"}], indirect=True)
def test_depth_first(order: Open) -> None:
    order.add(*(link(0, depth, depth) for depth in (3, 1, 5_000, 2)))
    assert urls(order.take(4)) == [f"http://site-0.example/{depth}" for depth in (5_000, 3, 2, 1)]


@pytest.mark.parametrize("order", [{"order": "best"}], indirect=True)
def test_best_first_goes_by_the_score_of_the_link(order: Open) -> None:
    order.add(*(to(f"http://a.example/{score}", score=score) for score in (10, 900, 500)))
    assert urls(order.take(3)) == [f"http://a.example/{score}" for score in (900, 500, 10)]


@pytest.mark.parametrize("order", [{"order": "budget"}], indirect=True)
def test_what_comes_back_keeps_its_tier(order: Open) -> None:
    order.add(*(link(0, page) for page in range(100)))
    first = [one for batch in order.take(5) for one in batch.items]
    order.release()
    order.give_back(first)
    again = [one for batch in order.take(10) for one in batch.items]
    assert {one.url for one in first} < {one.url for one in again}
    order.give_back(again)


@pytest.mark.parametrize("order", [{"order": "budget"}], indirect=True)
@pytest.mark.parametrize("flood", ["pages", "subdomains"])
def test_a_flood_of_one_domain_does_not_crowd_out_the_rest(order: Open, flood: str) -> None:
    """The flood is there first, and is as near to the seeds as the others."""
    if flood == "pages":
        order.add(*(to(f"http://flood.example/{number}") for number in range(FLOOD)))
    else:
        order.add(*(to(f"http://x{number}.flood.example/") for number in range(FLOOD)))
    order.add(
        *(to(f"http://good-{site}.example/{page}") for page in range(40) for site in range(50))
    )

    taken: Counter[str] = Counter()
    while sum(taken.values()) < 2_000:
        batches = order.take(200)
        taken.update(site_of(batch.host.name)[0] for batch in batches for _ in batch.items)
        order.finish([one for batch in batches for one in batch.items])
        order.release()
    assert taken["flood.example"] <= 60
    assert all(taken[f"good-{site}.example"] >= 35 for site in range(50))


@pytest.mark.parametrize("order", [{"order": "breadth"}], indirect=True)
def test_without_budgets_a_flood_of_subdomains_takes_what_it_can(order: Open) -> None:
    """That the test above can fail."""
    order.add(*(to(f"http://x{number}.flood.example/") for number in range(3_000)))
    order.add(
        *(to(f"http://good-{site}.example/{page}") for page in range(40) for site in range(50))
    )
    taken = Counter(site_of(batch.host.name)[0] for batch in order.take(1_000) for _ in batch.items)
    assert taken["flood.example"] > 900


@pytest.mark.parametrize("order", [{"order": "budget"}], indirect=True)
def test_a_domain_that_others_link_to_gets_more_into_the_early_tiers(order: Open) -> None:
    with order.journal.transaction(durable=False):
        for source in range(20):
            order.frontier.sites.endorse(site_of("known.example")[1], source)
            order.frontier.sites.endorse(site_of("known.example")[1], source)
        order.save()
    for page in range(400):
        order.add(to(f"http://known.example/{page}"), to(f"http://unknown.example/{page}"))
    first = Counter(batch.host.name for batch in order.take(200) for _ in batch.items)
    assert first == {"known.example": 190, "unknown.example": 10}


def test_endorsements_count_once_for_each_site_and_are_kept(tmp_path: Path) -> None:
    opened = Open(tmp_path)
    with opened.journal.transaction(durable=False):
        for source in (1, 2, 1, 3, 2):
            opened.frontier.sites.endorse(7, source)
        opened.save()
    assert opened.frontier.sites.get(7).endorsed == 3
    opened.reopen()
    assert opened.frontier.sites.get(7).endorsed == 3
    with opened.journal.transaction(durable=False):
        for source in range(2 * MOST_ENDORSEMENTS):
            opened.frontier.sites.endorse(7, source)
        opened.save()
    assert opened.frontier.sites.get(7).endorsed == MOST_ENDORSEMENTS
    rows = opened.journal.rows("SELECT count(*) FROM endorsement")
    assert rows == [(MOST_ENDORSEMENTS,)]
    opened.journal.close()


def test_more_sites_than_fit_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.crawl.sites._AT_HAND", 10)
    opened = Open(tmp_path)
    for round in range(3):
        for site in range(50):
            with opened.journal.transaction(durable=False):
                assert opened.frontier.sites.next_place(site) == (round, 0)
                opened.save()
    assert len(opened.frontier.sites._at_hand) <= 10
    assert isinstance(opened.frontier.sites, Sites)
    opened.journal.close()
