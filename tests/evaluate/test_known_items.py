"""Pages of the sample web are found by their titles, and their results say what they say."""

import random
from collections.abc import Iterator

import pytest

from evaluation.__main__ import FLOORS
from evaluation.known_items import (
    ALL,
    INDEX,
    as_text,
    as_typed,
    below_floors,
    has_page,
    known_items,
    make_index,
    measured,
)
from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.search.contract import Hit, SearchRequest

SHOP = "http://wrenandoak.example"
LANTERN = f"{SHOP}/p/tallowmere-storm-lantern"
BANNER = "Free delivery above 80 EUR"


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Indexes]:
    """The sample web, crawled, ranked and indexed as the demo does."""
    made = make_index(Home(tmp_path_factory.mktemp("sample")))
    yield made
    made.close()


def hits(indexes: Indexes, query: str, **wishes: object) -> tuple[Hit, ...]:
    request = SearchRequest(query, deadline_seconds=60.0, **wishes)  # type: ignore[arg-type]
    return indexes.search(INDEX, request).hits


def test_known_items_hold_their_floors(indexes: Indexes) -> None:
    items = known_items(lambda url: has_page(indexes, url))
    kinds = {item.kind for item in items}
    assert kinds == {"encyclopedia", "newspaper", "shop", "universities", "forum"}
    assert len(items) > 800
    shares = measured(indexes, items)
    print(as_text(shares, len(items)))
    assert set(shares["exact"]) == {*kinds, ALL}
    assert below_floors(shares, FLOORS["known_items"]) == []


def test_a_share_below_its_floor_is_named() -> None:
    floors = {"exact": {"all": 0.9, "each": 0.5}}
    shares = {"exact": {"shop": 0.4, "forum": 0.6, "all": 0.8}}
    assert below_floors(shares, floors) == [
        "known items, exact, shop: 0.400, its floor 0.5",
        "known items, exact, all: 0.800, its floor 0.9",
    ]


def test_titles_as_people_type_them() -> None:
    assert as_typed("Moon", random.Random(1)) == "moon"
    assert as_typed("New York", random.Random(1)) == "new york"
    typed = as_typed("Tallowmere Storm Lantern", random.Random(1)).split()
    assert len(typed) == 2
    assert set(typed) < {"tallowmere", "storm", "lantern"}


def test_a_product_is_first_by_its_name(indexes: Indexes) -> None:
    for query in ("tallowmere storm lantern", "Tallowmere Storm Lantern – Wren & Oak"):
        assert hits(indexes, query)[0].url == LANTERN
    assert hits(indexes, "price of a storm lantern")[0].url.startswith(SHOP)


@pytest.mark.parametrize("profile", ["default", "bm25f", "penn", "yioop"])
@pytest.mark.parametrize("query", ["lighthouse keeper", "brass lantern", "moon", "lantern.example"])
def test_results_are_in_the_order_of_their_scores(
    indexes: Indexes, query: str, profile: str
) -> None:
    plain = hits(indexes, query, profile=profile, limit=30, group=False)
    scores = [hit.score for hit in plain]
    assert scores == sorted(scores, reverse=True)
    explained = hits(indexes, query, profile=profile, limit=30, group=False, explain=True)
    assert [(hit.url, hit.score) for hit in explained] == [(hit.url, hit.score) for hit in plain]


@pytest.mark.parametrize("query", ["lighthouse keeper", "storm lantern", "state-of-the-art oven"])
def test_an_explanation_changes_nothing_and_adds_up(indexes: Indexes, query: str) -> None:
    plain = hits(indexes, query, k=0.0, limit=50, group=False)
    explained = hits(indexes, query, k=0.0, limit=50, group=False, explain=True)
    assert [(hit.url, hit.score) for hit in explained] == [(hit.url, hit.score) for hit in plain]
    for hit in explained:
        assert hit.explain is not None
        assert hit.explain["parts"].value == pytest.approx(hit.score)
        for name in ("text", "feedback"):
            feature = hit.explain["features"][name]
            words = sum(word["value"] for word in feature["words"])
            assert words == pytest.approx(feature["value"])
            for word in feature["words"]:
                assert sum(word["fields"].values()) == pytest.approx(word["value"])


@pytest.mark.parametrize("query", ["tallowmere lantern", "lamps", "kitchen knives", "free tents"])
def test_snippets_come_from_the_content(indexes: Indexes, query: str) -> None:
    found = [hit for hit in hits(indexes, query, limit=50) if hit.url.startswith(SHOP)]
    assert found
    assert [hit.url for hit in found if BANNER in hit.snippet] == []
