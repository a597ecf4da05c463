"""Queries that name a place: it comes first, however it scores."""

from pathlib import Path

import pytest

from gossamer.search.contract import SearchRequest
from gossamer.search.destinations import destination
from tests.searching import SmallIndex

FIELDS = {"title": "text", "text": "text", "site": "keyword"}
MANY = 400  # more than are ever looked at for one page


@pytest.fixture(scope="module")
def lanterns(tmp_path_factory: pytest.TempPathFactory) -> SmallIndex:
    """A home page that hardly says the name that all others are full of."""
    index = SmallIndex(tmp_path_factory.mktemp("lanterns"), FIELDS)
    home = {"title": "Welcome", "text": "A lantern, once, among many other words. " * 3}
    pages = [
        {"id": f"http://lantern.example/{number}", "title": "Lantern", "text": "Lantern lantern."}
        for number in range(MANY)
    ]
    index.write(
        {**page, "site": "lantern.example"}
        for page in [{"id": "http://lantern.example/", **home}, *pages]
    )
    return index


@pytest.mark.parametrize(
    "query", ["lantern", "Lan tern", "lantern.example", "http://lantern.example/"]
)
def test_what_a_query_names_comes_first(lanterns: SmallIndex, query: str) -> None:
    hits = lanterns.searcher().search(SearchRequest(query)).hits
    assert hits[0].id == "http://lantern.example/"


@pytest.mark.parametrize("query", ["lantern light", "l a n t ern", '"lan" tern', "lan tern?"])
def test_what_only_holds_a_name_leads_nowhere(lanterns: SmallIndex, query: str) -> None:
    assert destination(lanterns.reader(), query) is None


def test_it_is_on_the_first_page_alone_and_nothing_is_lost(lanterns: SmallIndex) -> None:
    searcher = lanterns.searcher()
    pages = [
        hit.id
        for page in range(1, 6)
        for hit in searcher.search(SearchRequest("lantern", page=page, limit=100)).hits
    ]
    assert len(pages) == len(set(pages)) == MANY + 1


def test_it_does_not_disturb_an_order_that_was_asked_for(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, {**FIELDS, "price": "number"})
    index.write(
        [
            {"id": "http://lamp.example/", "text": "lamp", "site": "lamp.example", "price": 9},
            {"id": "http://lamp.example/1", "text": "lamp", "site": "lamp.example", "price": 1},
        ]
    )
    hits = index.searcher().search(SearchRequest("lamp", sort="price")).hits
    assert [hit.fields["price"] for hit in hits] == [1, 9]
