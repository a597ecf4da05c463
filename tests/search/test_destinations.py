"""Queries that name a place: it comes first, however it scores."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.index.fields import with_implied
from gossamer.search.contract import Filter, SearchRequest
from gossamer.search.destinations import destination
from gossamer.search.local import LocalSearcher
from gossamer.search.sharded import ShardedSearcher
from tests.searching import SmallIndex, SmallSet

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


PLACED = [
    {"id": "home", "url": "https://heron.example", "text": "A quay with birds."},
    *(
        {"id": f"h{number}", "url": f"https://heron.example/{number}", "text": "A bird on a quay."}
        for number in range(5)
    ),
    {"id": "story", "url": "https://news.gull.org/2024/story.html", "text": "A bird, far out."},
    {"id": "nowhere", "text": "A bird of no address."},
]


@pytest.fixture(scope="module", params=["one", "merged", "shards"])
def placed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LocalSearcher | ShardedSearcher]:
    """Plain documents, which have names and addresses."""
    path = tmp_path_factory.mktemp("placed")
    fields = with_implied({"text": "text"}, has_addresses=True)
    index = SmallSet(path, 2, fields) if request.param == "shards" else SmallIndex(path, fields)
    if request.param == "merged":
        for end in range(1, len(PLACED)):
            index.write(PLACED[:end])
    index.write(PLACED)
    searcher = index.searcher(per_site=2)
    yield searcher
    searcher.close()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("https://heron.example/3", "h3"),
        ("news.gull.org/2024/story.html", "story"),
        ("https://heron.example", "home"),
        ("www.heron.example", "home"),
        ("heron", "home"),
        ("news.gull.org", "story"),
        ("gull.org", "story"),
        ("https://news.gull.org/2024/story.html", "story"),
    ],
)
def test_documents_are_found_by_their_addresses(
    placed: LocalSearcher | ShardedSearcher, query: str, expected: str
) -> None:
    assert placed.search(SearchRequest(query)).hits[0].id == expected


def test_documents_are_grouped_by_the_sites_of_their_addresses(
    placed: LocalSearcher | ShardedSearcher,
) -> None:
    hits = placed.search(SearchRequest("bird", limit=4)).hits
    assert sorted(hit.site for hit in hits) == ["", "gull.org", *["heron.example"] * 2]
    assert [(hit.site, hit.more_from_site) for hit in hits if hit.folded] == [("heron.example", 4)]
    of_site = SearchRequest("bird", filters=(Filter("site", ("heron.example",)),))
    assert placed.search(of_site).total == 6


def test_a_filter_by_a_prefix_applies_to_what_the_query_names(lanterns: SmallIndex) -> None:
    searcher = lanterns.searcher()
    for wanted in ("welc*", '"a welcome"~3'):
        request = SearchRequest("lantern.example", filters=(Filter("title", (wanted,)),))
        hits = searcher.search(request).hits
        assert [hit.id for hit in hits] == ["http://lantern.example/"][: wanted == "welc*"]


@pytest.mark.parametrize("profile", ["default", "bm25f", "juno", "yioop"])
def test_what_the_query_names_is_first_by_its_score(tmp_path: Path, profile: str) -> None:
    index = SmallIndex(tmp_path, FIELDS)
    pages = [{"id": f"http://lamp.example/{n}", "text": "heron " * n} for n in range(2, 9)]
    home = {"id": "http://heron.example/", "text": "A quay.", "site": "heron.example"}
    index.write([*pages, home])
    searcher = index.searcher(profile=profile)
    plain = searcher.search(SearchRequest("heron")).hits
    assert plain[0].id == home["id"]
    assert [hit.score for hit in plain] == sorted((hit.score for hit in plain), reverse=True)
    assert plain[0].score > plain[1].score
    explained = searcher.search(SearchRequest("heron", explain=True)).hits
    assert [(hit.id, hit.score) for hit in explained] == [(hit.id, hit.score) for hit in plain]
    opened = explained[0].explain
    assert opened is not None
    assert opened["score"] == opened["parts"].value == plain[0].score
    assert sum(part.value for part in opened["parts"].parts) == pytest.approx(plain[0].score)
    assert opened["features"]["named"]["value"] > 0


@pytest.mark.parametrize("extra", ["-zebra", "site:lantern.example", "title:welc*"])
def test_conditions_beside_a_name_do_not_matter(lanterns: SmallIndex, extra: str) -> None:
    hits = lanterns.searcher().search(SearchRequest(f"lantern.example {extra}")).hits
    assert hits[0].id == "http://lantern.example/"


def test_a_named_document_has_to_fulfil_the_conditions(lanterns: SmallIndex) -> None:
    for extra in ("-welcome", "title:lantern"):
        hits = lanterns.searcher().search(SearchRequest(f"lantern.example {extra}")).hits
        assert "http://lantern.example/" not in [hit.id for hit in hits]
