"""The fields of a document by their types: what a card and a row of a table show of them.

All values are strangers' texts. An address in one is only ever a link if it leads to the web.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from gossamer.search.contract import Hit
from gossamer.server.contract import IndexCard
from gossamer.server.pages_words import day, field_name, is_web_address, number
from gossamer.url_display import readable

_PRICES = ("price", "cost")
_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥"}
_MOST_COLUMNS = 10
_LONGEST_TEXT = 160
_LONG_COLUMN = 60


class Cell(NamedTuple):
    name: str
    label: str
    kind: str  # image, link, price, number, date or text
    text: str
    href: str = ""  # of a link or an image; never anything but a web address


class Column(NamedTuple):
    name: str
    label: str
    kind: str
    sorts: bool


def image_of(hit: Hit, card: IndexCard) -> str:
    """The address of the document's picture; '' where it has none."""
    for name in card.of_type("image"):
        found = _first(hit.fields.get(name))
        if is_web_address(found):
            return str(found)
    return ""


def price_of(hit: Hit) -> str:
    for name in _PRICES:
        value = hit.fields.get(name)
        if value is not None:
            return ", ".join(_text_of(one, "price", hit) for one in _listed(value))
    return ""


def cells(hit: Hit, card: IndexCard) -> list[Cell]:
    """What a card shows beside title, picture and price."""
    shown = []
    for name in card.fields:
        value = hit.fields.get(name)
        kind = _kind(name, card)
        if value in (None, "", []) or kind in ("image", "price") or name == "currency":
            continue
        cell = cell_of(hit, card, name)
        if cell.text != hit.title:
            shown.append(cell)
    return shown


def cell_of(hit: Hit, card: IndexCard, name: str) -> Cell:
    value = hit.fields.get(name)
    kind = _kind(name, card)
    label = field_name(name)
    if value is None:
        return Cell(name, label, kind, "")
    if kind in ("link", "image"):
        address = _first(value)
        href = str(address) if is_web_address(address) else ""
        return Cell(name, label, kind, _shortened(readable(str(address))), href)
    texts = [_text_of(one, kind, hit) for one in _listed(value)]
    is_number = kind == "number" and any(isinstance(one, int | float) for one in _listed(value))
    shown = kind if kind in ("price", "date") or is_number else "text"
    return Cell(name, label, shown, _shortened(", ".join(texts)))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text_of(value: Any, kind: str, hit: Hit) -> str:
    if kind == "price":
        return _price(value, hit.fields.get("currency"))
    if kind == "number" and isinstance(value, int | float):
        return number(value)
    return day(str(value)) if kind == "date" else str(value)


def columns(hits: Sequence[Hit], card: IndexCard) -> list[Column]:
    """The fields that make a table: those that some document has, without long texts."""
    shown = []
    for name in card.fields:
        values = [hit.fields[name] for hit in hits if hit.fields.get(name) not in (None, "", [])]
        kind = _kind(name, card)
        if not values or name == "currency" or _is_long(values, kind):
            continue
        if all(value == hit.title for hit, value in zip(hits, values, strict=False)):
            continue
        shown.append(Column(name, field_name(name), kind, card.fields[name] in ("number", "date")))
    shown.sort(key=lambda column: column.kind != "image")
    return shown[:_MOST_COLUMNS]


def _is_long(values: list[Any], kind: str) -> bool:
    if kind != "text":
        return False
    return sum(len(str(value)) for value in values) > _LONG_COLUMN * len(values)


def _kind(name: str, card: IndexCard) -> str:
    kind = card.fields.get(name, "text")
    if kind == "number" and name in _PRICES:
        return "price"
    return kind if kind in ("image", "link", "number", "date") else "text"


def _price(value: Any, currency: Any) -> str:
    amount = f"{value:,.2f}" if isinstance(value, int | float) else str(value)
    if not currency:
        return amount
    sign = _SIGNS.get(str(currency))
    return f"{sign}{amount}" if sign else f"{amount} {currency}"


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1].rstrip() + "…"
