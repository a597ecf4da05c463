"""Documents as they were given, read by the types of their fields; what is odd is kept."""

from pathlib import Path
from typing import Any

import pytest

from gossamer.index.documents import by_path, typed_document
from gossamer.index.fields import Fields, as_seconds, fields_of
from gossamer.index.formats import Row
from gossamer.index.numbers import NumberFormat
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.filters import filters_of
from tests.searching import SmallIndex, SmallSet

FIELDS = {"title": "text", "text": "text", "price": "number", "date": "date"}
NESTED = {"text": "text", "dims.w": "number", "kind": "keyword", "at": "date"}


def request(query: str, **more: Any) -> SearchRequest:
    """With time for a busy machine."""
    return SearchRequest(query, deadline_seconds=120, **more)


@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize(
    "odd",
    [
        {"price": int("9" * 400)},
        {"price": 2**64},
        {"price": {"a": [-(2**70)]}},
        {"date": "2024-13-45"},
        {"title": 5, "date": 5},
        {"": "nameless", "a b": [None, True]},
        {"title": "\x00\x1b[31m", "text": "stone\x00"},
        {"title": {"a": 1}, "url": ["x", {"y": 2}]},
    ],
)
def test_odd_values_do_not_hinder(tmp_path: Path, shards: int, odd: dict[str, object]) -> None:
    index = SmallIndex(tmp_path, FIELDS) if shards == 1 else SmallSet(tmp_path, shards, FIELDS)
    index.write([{"id": "1", "text": "stone", **odd}, {"id": "2", "text": "stone", "price": 3}])
    searcher = index.searcher()
    try:
        answer = searcher.search(request("stone", sort="price"))
        assert {hit.id for hit in answer.hits} == {"1", "2"}
    finally:
        searcher.close()


@pytest.mark.parametrize(
    ("document", "paths"),
    [
        ({"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 2]}),
        ({"a": {"b": {"c": 1}, "d": 2}}, {"a.b.c": 1, "a.d": 2}),
        ({"a": [{"b": 1}, {"b": [2, 3]}, {"c": 4}]}, {"a.b": [1, 2, 3], "a.c": 4}),
        ({"a": [1, {"b": 2}, [3, [4]]]}, {"a": [1, 3, 4], "a.b": 2}),
        ({"a.b": 1, "a": {"b": 2}}, {"a.b": [1, 2]}),
        ({"a": {}, "b": []}, {"b": []}),
    ],
)
def test_fields_of_objects_have_paths(document: dict[str, Any], paths: dict[str, Any]) -> None:
    assert by_path(document) == paths


def test_depth_is_no_danger() -> None:
    deep: Any = 1
    for _ in range(900):
        deep = {"a": [deep]}
    assert by_path({"id": "1", "deep": deep}) == {"id": "1"}


def typed(value: dict[str, Any], fields: Fields) -> Any:
    return typed_document(Row("1", 1, value, "line 1"), fields, lambda _: "en")


def test_lists_count_with_all_their_values() -> None:
    fields = fields_of(FIELDS, {}, {"price": NumberFormat(",")})
    found = typed({"price": [7, "1,5", "x", 7], "date": ["2024-05-06", "2023"]}, fields)
    assert (found.numbers["price"], found.more_numbers["price"]) == (1.5, (7.0,))
    assert found.numbers["date"] < found.more_numbers["date"][0]


def both(tmp_path: Path, shards: int, documents: list[dict[str, Any]]) -> Any:
    index = SmallIndex(tmp_path, NESTED) if shards == 1 else SmallSet(tmp_path, shards, NESTED)
    for size in range(1, len(documents) + 1):  # one part after the other, merged in between
        index.write([{"text": "stone", "id": str(at), **documents[at]} for at in range(size)])
    return index.searcher()


def ids(answer: Answer) -> list[str]:
    return [hit.id for hit in answer.hits]


@pytest.mark.parametrize("shards", [1, 2])
def test_every_value_of_a_field_counts(tmp_path: Path, shards: int) -> None:
    documents: list[dict[str, Any]] = [
        {"dims": {"w": [3, 30]}, "at": ["2024-02-01", "2024-03-01", "2022"]},
        {"dims": [{"w": 20}, {"w": 1}], "at": "2022-05-01"},
        {"dims": {"w": 10}},
        *({"dims": {"w": -5}} for _ in range(7)),
        {},
    ]
    searcher = both(tmp_path, shards, documents)
    try:
        for query, wanted in {
            "dims.w:30": "0",
            "dims.w:20": "1",
            "dims.w:10..40": "012",
            "stone dims.w:>=20": "01",
            "at:2024": "0",
            "at:2022": "01",
        }.items():
            assert sorted(ids(searcher.search(request(query)))) == list(wanted), query
            field, _, value = query.removeprefix("stone ").partition(":")
            narrowed = searcher.search(request("stone", filters=filters_of({field: value})))
            assert sorted(ids(narrowed)) == list(wanted), query
        up = ids(searcher.search(request("stone", sort="dims.w", limit=11)))
        assert up[7:] == ["1", "0", "2", "10"]  # by the smallest value
        down = ids(searcher.search(request("stone", sort="-dims.w", limit=11)))
        assert down[:3] == ["0", "1", "2"]  # by the largest one
        assert down[-1] == "10"
        counts = searcher.search(request("stone", facets=("dims.w", "at"))).facets
        assert counts["dims.w"] == {"-10..9": 9, "10..": 3}
        assert counts["at"] == {"2022": 2, "2024": 1}
        boosted = searcher.search(request("stone", boost="1000 * (dims.w == 10)"))
        assert ids(boosted)[0] == "2"
    finally:
        searcher.close()


@pytest.mark.parametrize("shards", [1, 2])
def test_minus_zero_is_zero(tmp_path: Path, shards: int) -> None:
    searcher = both(tmp_path, shards, [{"dims": {"w": -0.0}}, {"dims": {"w": "0"}}])
    try:
        for query in ("dims.w:0", "dims.w:-0", "dims.w:-0.0", "dims.w:0..1", "dims.w:-1..-0"):
            assert searcher.search(request(query)).total == 2, query
        facets = searcher.search(request("stone", facets=("dims.w",))).facets
        assert facets == {"dims.w": {"0": 2}}
    finally:
        searcher.close()


@pytest.mark.parametrize("last", ["23:59:59.9999", "23:59:59.999999", "23:59:59.99999999"])
@pytest.mark.parametrize("year", [1970, 2024, 2999, 9998])
def test_the_last_moment_of_a_day_belongs_to_it(tmp_path: Path, last: str, year: int) -> None:
    index = SmallIndex(tmp_path, NESTED)
    index.write(
        [
            {"id": "1", "text": "stone", "at": f"{year}-05-06T{last}"},
            {"id": "2", "text": "stone", "at": f"{year}-05-07"},
        ]
    )
    searcher = index.searcher()
    try:
        assert ids(searcher.search(request(f"at:{year}-05-06"))) == ["1"]
        assert ids(searcher.search(request(f"at:{year}-05-07"))) == ["2"]
        assert ids(searcher.search(request(f"at:<={year}-05-06"))) == ["1"]
        assert ids(searcher.search(request(f"at:>{year}-05-06"))) == ["2"]
    finally:
        searcher.close()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1970", 0.0),
        ("1970-01-01T00:00:00.5Z", 0.5),
        ("1969-12-31T23:59:59.25", -0.75),
        ("0001-01-01", -62135596800.0),
        ("9999-12-31T23:59:59", 253402300799.0),
        ("1970-01-01T01:00+01:00", 0.0),
        (5, 5.0),
        ("soon", None),
        (None, None),
    ],
)
def test_moments(value: Any, seconds: float | None) -> None:
    assert as_seconds(value) == seconds


def test_queries_are_read_in_the_number_format_of_the_field(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, {"text": "text", "price": "number"})
    index.fields = fields_of(
        {"text": "text", "price": "number"}, {}, {"price": NumberFormat(",", "EUR")}
    )
    prices = ("39,50", "1.234,50 EUR", "1.234", 395)
    index.write({"id": str(at), "text": "a", "price": price} for at, price in enumerate(prices))
    searcher = index.searcher()
    try:
        for query, wanted in {
            "price:39,5": "0",
            "price:39.5": "0",
            "price:39,50€": "0",
            "price:1.234": "2",
            "price:1.234,50": "1",
            "price:1.000..2.000": "12",
            "price:<39,6": "0",
        }.items():
            assert sorted(ids(searcher.search(request(query)))) == list(wanted), query
            value = query.partition(":")[2]
            found = searcher.search(request("a", filters=filters_of({"price": value})))
            assert sorted(ids(found)) == list(wanted), query
    finally:
        searcher.close()


def test_a_list_of_many_objects_is_read_in_one_pass() -> None:
    """So many that copying the values found so far for each of them would not end."""
    many = 400_000
    found = by_path({"sizes": [{"w": number} for number in range(many)]})
    assert found["sizes.w"] == list(range(many))
    found = by_path({"x" * 1_000_000: [{"w": number} for number in range(many)]})
    assert list(found) == ["x" * 1_000_000]  # which is too long for a field


def test_values_of_the_same_path_are_joined_and_the_document_stays_as_it_is() -> None:
    document = {"t": [{"g": ["a"]}, {"g": "b"}, 2, [{"g": ["c", "d"]}, 4]], "e": [], "d": {"g": 1}}
    given = {"g": ["a"]}, {"g": "b"}, 2, [{"g": ["c", "d"]}, 4]
    found = by_path(document)
    assert found == {"t.g": ["a", "b", "c", "d"], "t": [2, 4], "e": [], "d.g": 1}
    assert tuple(document["t"]) == given
