from typing import Any

import pytest

from gossamer.search.contract import Hit
from gossamer.server.contract import IndexCard
from gossamer.server.pages_fields import cell_of, cells, columns, image_of, price_of

FIELDS = {
    "name": "text",
    "story": "text",
    "brand": "keyword",
    "currency": "keyword",
    "price": "number",
    "rating": "number",
    "released": "date",
    "home": "link",
    "image": "image",
}
CARD = IndexCard("shop", 1, 0.0, 0, (), FIELDS, {}, {}, {}, False)
KITE = {
    "name": "Kite",
    "story": "long " * 50,
    "brand": ["Wren", "Oak"],
    "currency": "EUR",
    "price": 1234.5,
    "rating": 4.0,
    "released": "2024-05-31",
    "home": "https://kite.example/",
    "image": "https://kite.example/kite.svg",
}


def hit(**fields: Any) -> Hit:
    return Hit(1, "k", "", "Kite", "", (), 1.0, fields)


@pytest.mark.parametrize(
    ("name", "kind", "text", "href"),
    [
        ("brand", "text", "Wren, Oak", ""),
        ("price", "price", "€1,234.50", ""),
        ("rating", "number", "4", ""),
        ("released", "date", "31 May 2024", ""),
        ("home", "link", "https://kite.example/", "https://kite.example/"),
    ],
)
def test_values_by_their_types(name: str, kind: str, text: str, href: str) -> None:
    cell = cell_of(hit(**KITE), CARD, name)
    assert (cell.kind, cell.text, cell.href) == (kind, text, href)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:image/svg+xml,x", 7, [], [None]])
def test_only_web_addresses_become_links(address: Any) -> None:
    fields = {"home": address, "image": address}
    assert cell_of(hit(**fields), CARD, "home").href == ""
    assert image_of(hit(**fields), CARD) == ""


def test_what_is_not_what_its_type_says_is_text() -> None:
    odd = hit(price="on request", rating="good", released="soon")
    assert price_of(odd) == "on request"
    assert cell_of(odd, CARD, "rating").text == "good"
    assert cell_of(odd, CARD, "released").text == "soon"
    assert price_of(hit(price=3, currency="CHF")) == "3.00 CHF"
    assert price_of(hit()) == ""


def test_several_values_are_shown_one_by_one() -> None:
    many = hit(price=[3, 1234.5], rating=[4.0, "good"], released=["2024-05-31", "2023"])
    assert cell_of(many, CARD, "price").text == price_of(many) == "3.00, 1,234.50"
    assert cell_of(many, CARD, "rating").text == "4, good"
    assert cell_of(many, CARD, "released").text == "31 May 2024, 2023"


def test_a_card_does_not_repeat_title_picture_and_price() -> None:
    shown = [cell.name for cell in cells(hit(**KITE), CARD)]
    assert shown == ["story", "brand", "rating", "released", "home"]


def test_columns_are_those_that_somebody_has() -> None:
    shown = columns([hit(**KITE), hit(brand="Oak")], CARD)
    assert [column.name for column in shown] == [
        *("image", "brand", "price", "rating", "released", "home")
    ]
    assert [column.name for column in shown if column.sorts] == ["price", "rating", "released"]
    assert columns([hit()], CARD) == []
