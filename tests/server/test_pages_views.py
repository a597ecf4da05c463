import msgspec
import pytest

from gossamer.errors import UsageError
from gossamer.index.numbers import NumberFormat
from gossamer.server.contract import IndexCard
from gossamer.server.pages_views import (
    ViewQuery,
    facets_of,
    fitting,
    told_apart,
    view_of,
    views_of,
)


def card(has_pages: bool, **fields: str) -> IndexCard:
    return IndexCard("x", 1, 0.0, 0, (), fields, {}, {}, {}, has_pages)


def test_a_range_becomes_a_filter() -> None:
    query = ViewQuery(q="kite", filter=("price:1..2", "lang:en"), range="price", least="10", page=3)
    assert query.without_form().address() == "/search?q=kite&filter=lang%3Aen&filter=price%3A10.."
    emptied = ViewQuery(q="kite", filter=("price:1..2",), range="price").without_form()
    assert emptied.address() == "/search?q=kite"


def test_what_is_asked_of_the_index_has_no_looks() -> None:
    query = ViewQuery(q="kite", view="table", why=7, sort="price")
    asked = query.plain(index="shop")
    assert not hasattr(asked, "view")
    assert (asked.q, asked.sort, asked.index) == ("kite", "price", "shop")


def test_views() -> None:
    shop = card(False, image="image", price="number", brand="keyword", released="date")
    assert view_of(ViewQuery(), shop) == "cards"
    assert view_of(ViewQuery(view="table"), shop) == "table"
    assert view_of(ViewQuery(view="<b>"), card(False, price="number")) == "list"
    assert views_of(card(True, site="keyword")) == ()
    assert facets_of(shop) == ("brand", "released")
    assert facets_of(card(True)) == ("site", "lang", "filetype", "year")


def test_facets_that_tell_results_apart() -> None:
    counted = {
        "brand": {"Oak": 2, "Wren": 5, "Ash": 2},
        "currency": {"EUR": 9},
        "feature": {f"feature {number}": 1 for number in range(30)},
        "released": {"2021": 7, "2023": 2},
        "lang": {"en": 5, "de": 4},
    }
    shown = told_apart(counted, ViewQuery(filter=("lang:en",)))
    assert shown == {
        "brand": [("Wren", 5), ("Ash", 2), ("Oak", 2)],
        "released": [("2023", 2), ("2021", 7)],
    }


def test_values_are_checked_in_the_number_format_of_the_index() -> None:
    shop = card(False, title="text", price="number")
    euros = msgspec.structs.replace(shop, number_formats={"price": NumberFormat(",", "EUR")})
    whole = ViewQuery(filter=("price:10 EUR..39,50 EUR",))
    assert fitting(whole, euros) == (whole, [])


def test_what_another_index_does_not_know_is_dropped() -> None:
    shop = card(False, title="text", brand="keyword", price="number", image="image")
    given = ("brand:Oak", "site:a.example", "price:1..2", "price:cheap", "image:x")
    query, notes = fitting(ViewQuery(q="kite", filter=given, sort="-date", page=2), shop)
    assert query == ViewQuery(q="kite", filter=("brand:Oak", "price:1..2"), page=2)
    assert [note.partition(" was dropped")[0] for note in notes] == [
        "The filter 'site:a.example'",
        "The filter 'price:cheap'",
        "The filter 'image:x'",
        "The order by 'date'",
    ]
    pages = card(True, title="text", site="keyword", lang="keyword", date="date")
    whole = ViewQuery(filter=("site:a.example", "year:2024", "language:de"), sort="-date")
    assert fitting(whole, pages) == (whole, [])
    with pytest.raises(UsageError, match="FIELD:VALUE"):
        fitting(ViewQuery(filter=("kite",)), shop)
