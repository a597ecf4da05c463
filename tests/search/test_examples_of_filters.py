"""Filters, browsing and sorting: by the smallest documents, and by every path."""

from typing import Any

import pytest

from gossamer.errors import UsageError
from tests.cli.commands import call
from tests.oracle.engine import Engine, ids_of
from tests.server.sites import ServedSite

FIELDS = {
    "title": "text",
    "text": "text",
    "tags": "keyword",
    "kind": "keyword",
    "price": "number",
    "date": "date",
    "url": "link",
}
GOODS: list[dict[str, Any]] = [
    {"id": "1", "tags": ["brass", "oak"], "kind": "lamps", "price": 30},
    {"id": "2", "tags": ["brass"], "kind": "tools", "price": -0.0},
    {"id": "3", "tags": ["oak"], "kind": "lamps", "price": 10.5},
    {"id": "4", "tags": ["tin"], "kind": "a|b", "price": 0},
    {"id": "5", "kind": "lamps", "date": "2024-02-29T23:59:59.9999Z"},
    {"id": "6", "kind": "Lumen & Latch", "date": "2024-03-01"},
]
SITE = "http://shop.test"


@pytest.fixture
def goods(engine: Engine) -> Engine:
    """All of one site, so that grouping would hold most of them back."""
    records = [
        {**good, "url": f"{SITE}/{good['id']}", "text": "a thing", "title": f"Thing {good['id']}"}
        for good in GOODS
    ]
    engine.build("goods", records, fields=FIELDS, language="en")
    return engine


FILTERS: list[tuple[list[tuple[str, str]], set[str]]] = [
    ([("tags", "brass")], {"1", "2"}),
    ([("tags", "brass"), ("tags", "oak")], {"1"}),
    ([("tags", "brass|oak")], {"1", "2", "3"}),
    ([("tags", "brass|oak"), ("kind", "lamps")], {"1", "3"}),
    ([("tags", "brass|tin"), ("tags", "oak|tin")], {"1", "4"}),
    ([("kind", '"a|b"')], {"4"}),
    ([("kind", '"a|b"|tools')], {"2", "4"}),
    ([("kind", "lumen & latch")], {"6"}),
    ([("price", "0")], {"2", "4"}),
    ([("price", "0|30")], {"1", "2", "4"}),
    ([("price", "0..10|20..40")], {"1", "2", "4"}),
    ([("date", "2024-02-29")], {"5"}),
    ([("date", "2024-02")], {"5"}),
    ([("date", ">2024-02")], {"6"}),
]


@pytest.mark.parametrize("query", ["", "*", "thing"])
def test_filters_in_python(goods: Engine, query: str) -> None:
    for filters, expected in FILTERS:
        assert set(ids_of(goods.ask("goods", query, filters=filters))) == expected, filters


def test_a_list_of_python_is_any_of_its_values(goods: Engine) -> None:
    for value, expected in (
        (["lamps", "tools"], {"1", "2", "3", "5"}),
        (["a|b"], {"4"}),
        (["lamps"], {"1", "3", "5"}),
    ):
        assert set(ids_of(goods.ask("goods", "thing", filters={"kind": value}))) == expected
    prices = goods.ask("goods", "thing", filters={"price": [0, 10.5]})
    assert set(ids_of(prices)) == {"2", "3", "4"}


def test_filters_on_the_command_line(goods: Engine) -> None:
    for filters, expected in FILTERS:
        options = [part for name, value in filters for part in ("--filter", f"{name}={value}")]
        ended = call("search", "goods", "thing", "--no-group", "--json", *options, home=goods.home)
        assert {hit["id"] for hit in ended.object["hits"]} == expected, filters


def test_filters_over_http(goods: Engine) -> None:
    with ServedSite(goods.home) as site:
        for filters, expected in FILTERS:
            for query in ("thing", ""):
                given = [("filter", f"{name}:{value}") for name, value in filters]
                parameters = [("q", query), ("index", "goods"), ("group", "false"), *given]
                reply = site.get("/api/v1/search", params=parameters)
                assert reply.status_code == 200, reply.text
                hits = reply.json()["answer"]["hits"]
                assert {hit["id"] for hit in hits} == expected, filters


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("kind:lamps|tools", {"1", "2", "3", "5"}),
        ("kind:lamps|tools brass", set()),
        ("thing kind:lamps|tools", {"1", "2", "3", "5"}),
        ("thing -kind:lamps|tools", {"4", "6"}),
        ('kind:"a|b"', {"4"}),
        ('kind:"a|b"|tools', {"2", "4"}),
        ('kind:tools|"a|b"', {"2", "4"}),
        ("price:0..10|20..40", {"1", "2", "4"}),
        ("kind:lamps|tools tags:oak", {"1", "3"}),
        ("date:2024-02-29T23:59:59", {"5"}),
        ("date:>2024-02-29T23:59:59", {"6"}),
        ("date:2024-02-29T12:00..2024-02-29T23:59", {"5"}),
        ("date:<2024-02-29T23:59", set()),
    ],
)
def test_conditions_in_queries(goods: Engine, query: str, expected: set[str]) -> None:
    answer = goods.ask("goods", query)
    assert set(ids_of(answer)) == expected
    assert not answer.notes
    if query.startswith(("kind", "price", "date")) and " " not in query:
        name, _, value = query.partition(":")
        assert set(ids_of(goods.ask("goods", "", filters=[(name, value)]))) == expected


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("price", "abc", "'abc' is not a number"),
        ("price", "1..x", "'x' is not a number"),
        ("date", "05.01.2024", "'05.01.2024' is not a date (dates are written 2024, 2024-01,"),
        ("date", "2024-01-05T25:00", "is not a date (dates are written"),
        ("kind", ">5", "'kind' has no ranges"),
    ],
)
def test_a_value_that_is_none_is_named(goods: Engine, name: str, value: str, fault: str) -> None:
    note = goods.ask("goods", f"thing {name}:{value}").notes[0]
    assert note.startswith(f"'{name}:{value}' was read as plain words: ")
    assert fault in note
    if name != "kind":  # the value of a keyword may be written so
        with pytest.raises(UsageError) as refused:
            goods.ask("goods", "", filters=[(name, value)])
        assert fault in str(refused.value)


# Sorting, browsing


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("price", ["2", "4", "3", "1", "5", "6"]),
        ("-price", ["1", "3", "2", "4", "5", "6"]),
        ("date", ["5", "6", "1", "2", "3", "4"]),
        ("-date", ["6", "5", "1", "2", "3", "4"]),
    ],
)
def test_a_sort_is_not_broken_by_grouping(goods: Engine, sort: str, expected: list[str]) -> None:
    """-0.0 equals 0; what has no value comes last; what is equal stands in the order of the file.
    All three paths show all documents, though they are of one site."""
    python = goods.ask("goods", "", sort=sort, group=True, limit=10)
    assert ids_of(python) == expected
    command = call("search", "goods", "", "--sort", sort, "--json", home=goods.home).object
    assert [hit["id"] for hit in command["hits"]] == expected
    with ServedSite(goods.home) as site:
        parameters = {"q": "", "index": "goods", "sort": sort}
        answer = site.get("/api/v1/search", params=parameters).json()["answer"]
        assert [hit["id"] for hit in answer["hits"]] == expected


def test_an_empty_query_needs_no_argument(goods: Engine) -> None:
    for query in ("", "*"):
        found = call("search", "goods", query, "--json", "--no-group", home=goods.home).object
        assert found["total"] == len(found["hits"]) == len(GOODS)


def test_minus_zero_is_one_value_of_a_facet(goods: Engine) -> None:
    facets = goods.ask("goods", "", facets=("price",), limit=1).facets["price"]
    assert sum(facets.values()) == 4
    for value, count in facets.items():
        assert goods.ask("goods", "", filters={"price": value}, limit=1).total == count
