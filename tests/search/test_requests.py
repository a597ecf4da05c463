"""Requests from calls in Python, and filters as they are sent to a site."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import UsageError
from gossamer.search.contract import Filter, SearchRequest
from gossamer.search.filters import read_filter, written_filter
from gossamer.search.requests import search_request

VALUES = st.text(alphabet='ab|"* .1', min_size=1).filter(str.strip)


@given(st.lists(VALUES.map(str.strip).filter(lambda text: "|" not in text and text[0] != '"')))
def test_values_are_read_as_they_were(values: list[str]) -> None:
    if values:
        made = Filter("kind", tuple(values))
        assert read_filter("kind", written_filter(made)) == made


@given(st.lists(VALUES, min_size=1))
def test_quoted_values_are_read_as_they_were(values: list[str]) -> None:
    made = Filter("kind", (), tuple(values))
    assert read_filter("kind", written_filter(made)) == made


@pytest.mark.parametrize("filters", ["ab", ["ab"], 5, [(1, "a")], [("a",)], {"a": None}, {"a": []}])
def test_wrong_filters_are_named(filters: object) -> None:
    with pytest.raises(UsageError, match="filter"):
        search_request("moon", {"filters": filters})


def test_filters_of_a_request() -> None:
    made = search_request(
        "moon", {"filters": [("a", "1|2"), ("a", [3, "x|y"]), Filter("b", ("z",))]}
    )
    assert made.filters == (
        *(Filter("a", ("1", "2")), Filter("a", ("3", "x|y")), Filter("b", ("z",))),
    )
    assert search_request(made, {}) is made
    with pytest.raises(UsageError, match="SearchRequest"):
        search_request(SearchRequest("moon"), {"limit": 5})


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [
        (5, {}, "The query has a wrong value: expected str, got int."),
        (
            "x",
            {"limit": "a"},
            "The search option 'limit' has a wrong value: expected int, got str.",
        ),
        ("x", {"filters": [("kind",)]}, "has pairs of a field and a value, not"),
        ("x", {"filters": {"kind": {"a": 1}}}, "takes a text, a number or a list of them"),
    ],
)
def test_wrong_values_are_named(query: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        search_request(query, options)
