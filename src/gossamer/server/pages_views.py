"""A search as the results page has it: every state of the page is an address."""

from typing import Annotated

import msgspec
from msgspec import Meta

from gossamer.errors import UsageError
from gossamer.index.fields import fields_of
from gossamer.search.reading import check_filter, field_named
from gossamer.server.contract import IndexCard
from gossamer.server.queries import SearchQuery, field_and_value

VIEWS = ("list", "cards", "table")
_PAGE_FACETS = ("site", "lang", "filetype", "year")
_MOST_FACETS = 6
_MOST_VALUES = 8
Number = Annotated[str, Meta(max_length=40)]


class ViewQuery(SearchQuery, frozen=True, forbid_unknown_fields=False):
    """Strange parameters (of trackers) do no harm."""

    view: str = ""  # 'cards', 'table' or 'list'; '' as the fields of the index suggest
    why: int = 0  # the number of the document whose score is shown in its parts
    # A form's own fields: the page answers with the address that has them as a filter.
    range: str = ""
    least: Number = ""
    most: Number = ""

    def plain(self, **changes: object) -> SearchQuery:
        """What is asked of the index."""
        values = {name: getattr(self, name) for name in SearchQuery.__struct_fields__}
        return SearchQuery(**values | changes)

    def without_form(self) -> "ViewQuery":
        field, low, high = self.range.strip(), self.least.strip(), self.most.strip()
        bare = msgspec.structs.replace(self, range="", least="", most="", page=1)
        kept = tuple(text for text in self.filter if not text.startswith(f"{field}:"))
        if low or high:
            kept = (*kept, f"{field}:{low}..{high}")
        return msgspec.structs.replace(bare, filter=kept)

    def filtered(self, field: str) -> str:
        """The value that a field is held to; '' where it is not."""
        for text in self.filter:
            name, _, value = text.partition(":")
            if name.strip() == field:
                return value.strip()
        return ""


def fitting(query: ViewQuery, card: IndexCard) -> tuple[ViewQuery, list[str]]:
    """Return the query without the filters and the order that an index does not know, and a note
    for each: they are left from the index that was selected before."""
    fields = fields_of(card.fields, {}, card.number_formats)
    kept: list[str] = []
    notes: list[str] = []
    for text in query.filter:
        field, value = field_and_value(text)
        try:
            check_filter(field, value, fields)
            kept.append(text)
        except UsageError as error:
            is_unknown = field_named(field, fields) is None
            reason = f"{card.name} has no field '{field}'." if is_unknown else str(error)
            reason = reason.replace(f"The filter '{field}' ", "it ", 1)
            notes.append(f"The filter '{text}' was dropped: {reason}")
    sort = query.sort
    if sort and sort.removeprefix("-") not in card.of_type("number", "date"):
        name = sort.removeprefix("-")
        notes.append(f"The order by '{name}' was dropped: {card.name} has no such field.")
        sort = ""
    return msgspec.structs.replace(query, filter=tuple(kept), sort=sort), notes


def facets_of(card: IndexCard) -> tuple[str, ...]:
    """The fields by which results are narrowed."""
    if card.has_pages:
        return _PAGE_FACETS
    keywords = [name for name in card.of_type("keyword") if name not in ("safety", "currency")]
    return (*keywords, *card.of_type("date"))[:_MOST_FACETS]


def ranges_of(card: IndexCard) -> list[str]:
    """Number fields of documents, to be held between two values."""
    return [] if card.has_pages else card.of_type("number")[:3]


def sorts_of(card: IndexCard) -> list[str]:
    return ["date"] if card.has_pages else card.of_type("number", "date")


def view_of(query: ViewQuery, card: IndexCard) -> str:
    """Documents with pictures are shown as cards."""
    if query.view in VIEWS:
        return query.view
    return "cards" if card.of_type("image") else "list"


def views_of(card: IndexCard) -> tuple[str, ...]:
    """Pages have no fields of their own."""
    return () if card.has_pages else VIEWS


Facets = dict[str, list[tuple[str, int]]]


def told_apart(counted: dict[str, dict[str, int]], query: ViewQuery) -> Facets:
    """The commonest values of the fields that tell results apart. A field does not where
    nearly every document has a value of its own, or all have the same."""
    shown: Facets = {}
    for name, values in counted.items():
        singles = sum(number == 1 for number in values.values())
        if query.filtered(name) or len(values) < 2 or singles > max(_MOST_VALUES, len(values) / 2):
            continue
        if name == "year" or all(value.isdigit() and len(value) == 4 for value in values):
            pairs = sorted(values.items(), reverse=True)
        else:
            pairs = sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
        shown[name] = pairs[:_MOST_VALUES]
    return shown
