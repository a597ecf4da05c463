"""The fields of an index: their names, types and weights.

Every index has text fields, in which words are found, and value fields, by which documents are
filtered, sorted and boosted. Pages of runs have the same fields in every index; those of plain
documents are declared in the settings, or detected from all documents (`field_detection`). What
lies in an object within a document has its path as its name: `dims.w`.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache
from math import inf, nextafter
from typing import Any
from unicodedata import normalize

from msgspec import Struct

from gossamer.errors import UsageError
from gossamer.index.numbers import MACHINE, NumberFormat, as_number
from gossamer.matches import MAX_FIELDS, PROSE_COLUMN, TITLE_COLUMNS, TITLE_FIELDS

EXTRAS = "extras"
"""The last text field of every index: further forms of words, which have no place of their own."""


AROUND_CONTENT = frozenset({"boilerplate", "anchor", "site_anchor", "url", EXTRAS})
"""Text fields that are not what a document itself says: navigation, words of others, its address,
and further forms."""


class FieldType(StrEnum):
    TEXT = "text"  # words are found in it
    KEYWORD = "keyword"  # compared as a whole, counted in facets
    NUMBER = "number"
    DATE = "date"
    LINK = "link"  # shown, not searched
    IMAGE = "image"  # the same

    @property
    def is_value(self) -> bool:
        return self in (FieldType.KEYWORD, FieldType.NUMBER, FieldType.DATE)


class Field(Struct, frozen=True):
    name: str
    type: FieldType
    weight: float = 1.0  # of a hit in it, for the profiles that weigh fields
    number_format: NumberFormat = MACHINE  # of a number field: how its texts are read


class Fields(Struct, frozen=True):
    """All fields of an index. The order of the text fields is that of the forward store."""

    all: tuple[Field, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        names = (field.name for field in self.all if field.type is FieldType.TEXT)
        return (*names, EXTRAS)

    @property
    def title(self) -> int | None:
        """The place of the title among the text fields; None where there is none."""
        texts = self.texts
        return next((texts.index(name) for name in TITLE_FIELDS if name in texts), None)

    def of_type(self, *types: FieldType) -> tuple[str, ...]:
        return tuple(field.name for field in self.all if field.type in types)

    def type_of(self, name: str) -> FieldType | None:
        return next((field.type for field in self.all if field.name == name), None)

    def named(self, typed: str) -> str | None:
        """The name of the field that is typed so. Capitals only matter between fields that differ
        in nothing else."""
        names = [field.name for field in self.all]
        if typed in names:
            return typed
        return next((name for name in names if name.lower() == typed.lower()), None)

    def number(self, name: str, value: Any) -> float | None:
        """Return a value in the number format of a field, of a document or a query; None where it
        is none."""
        field = next((field for field in self.all if field.name == name), None)
        return as_number(value, field.number_format if field else MACHINE)


PAGE_FIELDS = Fields(
    (
        Field("title", FieldType.TEXT, 3.0),
        Field("headings", FieldType.TEXT, 2.0),
        Field("body", FieldType.TEXT, 1.0),
        Field("boilerplate", FieldType.TEXT, 0.1),
        Field("anchor", FieldType.TEXT, 2.0),
        Field("site_anchor", FieldType.TEXT, 1.0),
        Field("url", FieldType.TEXT, 1.5),
        Field("description", FieldType.TEXT, 1.0),
        Field("site", FieldType.KEYWORD),
        Field("host", FieldType.KEYWORD),
        Field("lang", FieldType.KEYWORD),
        Field("filetype", FieldType.KEYWORD),
        Field("safety", FieldType.KEYWORD),
        Field("date", FieldType.DATE),
        Field("depth", FieldType.NUMBER),
        Field("size", FieldType.NUMBER),
    )
)

MOST_TEXT_FIELDS = MAX_FIELDS - 1  # beside `EXTRAS`
MOST_FIELDS = 250
"""Of all types: each is a field of the finder and a column of every part."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*")
LONGEST_NAME = 64
_NO_NAME = re.compile(r"[^A-Za-z0-9_]+")
_MARKS = re.compile(r"[\u0300-\u036f]")
_KNOWN_NAMES = frozenset({"url", "title", "name", "text", "body", "description", "language"})
_RESERVED = frozenset(
    {
        *(EXTRAS, "id", "all", "doc", "crawled", "url_length", "url_slashes", "documents_after"),
        *(*TITLE_COLUMNS, PROSE_COLUMN),
    }
)


def fields_of(
    declared: Mapping[str, str],
    weights: Mapping[str, float],
    formats: Mapping[str, NumberFormat] | None = None,
) -> Fields:
    """The fields of these names and types; `formats`: those of number fields."""
    fields = []
    for name, type_text in declared.items():
        type_ = checked_type(name, type_text)
        weight = weights.get(name, _weight(name))
        number_format = (formats or {}).get(name, MACHINE)
        fields.append(Field(name, type_, weight, number_format))
    found = Fields(tuple(fields))
    if len(found.texts) > MAX_FIELDS:
        raise UsageError(f"An index has {MOST_TEXT_FIELDS} text fields at most.")
    if len(found.all) > MOST_FIELDS:
        raise UsageError(f"An index has {MOST_FIELDS} fields at most.")
    return found


def checked_type(name: str, type_text: str) -> FieldType:
    """Return the type of a declared field. Raises `UsageError` where it is none, or the name cannot
    be that of a field."""
    if why := refusal(name):
        raise UsageError(f"'{name}' cannot be the name of a field: {why}.")
    if type_text not in list(FieldType):
        raise UsageError(
            f"Field '{name}' has the type '{type_text}': it must be one of {', '.join(FieldType)}."
        )
    return FieldType(type_text)


def with_implied(declared: Mapping[str, str], has_addresses: bool) -> dict[str, str]:
    """With what is known of documents beside their own fields: the language, and the site of an
    address."""
    implied = {"lang": FieldType.KEYWORD.value}
    if has_addresses:
        implied |= dict.fromkeys(("site", "host"), FieldType.KEYWORD.value)
    return {**implied, **declared}


def _weight(name: str) -> float:
    return {"title": 3.0, "name": 3.0, "headings": 2.0}.get(name, 1.0)


@lru_cache(maxsize=10_000)
def field_name(given: str) -> str:
    """The name of a field that documents call so: 'Unit price' is 'unit_price', 'Größe' 'grosse',
    and 'Title' the 'title' of the document. A name that cannot be one is left as it is."""
    if given.lower() in _KNOWN_NAMES:
        return given.lower()
    if _NAME.fullmatch(given) or len(given) > LONGEST_NAME:
        return given
    letters = normalize("NFKD", given.replace("ß", "ss"))
    parts = (_NO_NAME.sub("_", _MARKS.sub("", part)).strip("_") for part in letters.split("."))
    name = ".".join(filter(None, parts)).lower()
    name = "_" + name if name[:1].isdigit() else name
    return name if _NAME.fullmatch(name) else given


def refusal(name: str) -> str:
    """Why a name cannot be that of a field; '' where it can."""
    if name in _RESERVED:
        return "every index has a field of its own of that name"
    if len(name) > LONGEST_NAME or not _NAME.fullmatch(name):
        return (
            f"a name has up to {LONGEST_NAME} of the letters A to Z and a to z, digits and '_', no "
            "digit first, and '.' before the fields of an object"
        )
    return ""


def keyword_key(value: str) -> str:
    """Return what keywords are compared by: 'Lumen & Latch' and 'lumen & latch' are the same."""
    return " ".join(normalize("NFC", value).casefold().split())


def as_seconds(value: Any) -> float | None:
    """A date or a moment as seconds since 1970; None where it is none."""
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, date):
        moment = datetime(value.year, value.month, value.day)
    elif isinstance(value, str):
        text = value.strip()
        if re.fullmatch(r"\d{4}", text):
            text += "-01-01"
        elif re.fullmatch(r"\d{4}-\d{2}", text):
            text += "-01"
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
    else:
        return as_number(value)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    if not moment.microsecond:
        return moment.timestamp()
    # A float of a late year is too coarse for the last microseconds of a second: they stay in it.
    second = moment.replace(microsecond=0).timestamp()
    return min(second + moment.microsecond / 1e6, nextafter(second + 1.0, -inf))
