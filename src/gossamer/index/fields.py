"""The fields of an index: their names, types and weights.

Every index has text fields, in which words are found, and value fields, by which documents are
filtered, sorted and boosted. Pages of runs have the same fields in every index; those of plain
documents are told by a person, or inferred from the first of them.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any
from unicodedata import normalize

from msgspec import Struct

from gossamer.errors import UsageError
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

    def weight_of(self, name: str) -> float:
        return next((field.weight for field in self.all if field.name == name), 1.0)


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

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_RESERVED = frozenset(
    {
        *(EXTRAS, "id", "all", "doc", "crawled", "url_length", "url_slashes", "documents_after"),
        *(*TITLE_COLUMNS, PROSE_COLUMN),
    }
)
_LONG_TEXT = 60
_FEW_VALUES = 0.3  # of the documents: a field with so few different values is a keyword
_LINK = re.compile(r"https?://\S+")
_IMAGE = re.compile(r"https?://\S+\.(?:png|jpe?g|gif|webp|svg|avif)(?:\?\S*)?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?)?")
_TRUTH = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}


def fields_of(declared: Mapping[str, str], weights: Mapping[str, float]) -> Fields:
    """The fields that a person has named with their types."""
    fields = []
    for name, type_text in declared.items():
        if refusal(name):
            raise UsageError(
                f"'{name}' cannot be the name of a field: letters, digits and '_', and none of "
                f"{', '.join(sorted(_RESERVED))}."
            )
        if type_text not in list(FieldType):
            raise UsageError(
                f"Field '{name}' has the type '{type_text}': it must be one of "
                f"{', '.join(FieldType)}."
            )
        fields.append(Field(name, FieldType(type_text), weights.get(name, _weight(name))))
    found = Fields(tuple(fields))
    if len(found.texts) > MAX_FIELDS:
        raise UsageError(f"An index has {MAX_FIELDS - 1} text fields at most.")
    if len(found.texts) == 1:
        raise UsageError("No field holds text: there would be nothing to search.")
    return found


def with_implied(declared: Mapping[str, str], has_addresses: bool) -> dict[str, str]:
    """With what is known of documents beside their own fields: the language, and the site of an
    address."""
    implied = {"lang": FieldType.KEYWORD.value}
    if has_addresses:
        implied |= dict.fromkeys(("site", "host"), FieldType.KEYWORD.value)
    return {**implied, **declared}


def _weight(name: str) -> float:
    return {"title": 3.0, "name": 3.0, "headings": 2.0}.get(name, 1.0)


def refusal(name: str) -> str:
    """Why a name cannot be that of a field; '' where it can."""
    if name in _RESERVED:
        return "every index has one of its own"
    if not _NAME.fullmatch(name):
        return "a name has up to 64 of the letters a to z, digits and '_', and no digit first"
    return ""


def inferred(samples: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The types of the fields of plain documents, from some of them."""
    values: dict[str, list[Any]] = {}
    for sample in samples:
        for name, value in sample.items():
            if not refusal(name) and value not in (None, "", []):
                values.setdefault(name, []).append(value)
    return {name: _type_of(name, known).value for name, known in values.items()}


def _type_of(name: str, values: list[Any]) -> FieldType:
    if name in ("title", "text", "body", "name", "description"):
        return FieldType.TEXT
    if name == "safety":
        return FieldType.KEYWORD  # by which safe search knows what to leave out
    if all(isinstance(value, int | float) for value in values):
        return FieldType.NUMBER
    texts = [value for value in values if isinstance(value, str)]
    if not texts:
        return FieldType.KEYWORD  # lists of texts
    if all(_IMAGE.fullmatch(text) for text in texts):
        return FieldType.IMAGE
    if all(_LINK.fullmatch(text) for text in texts):
        return FieldType.LINK
    if all(_DATE.fullmatch(text) for text in texts):
        return FieldType.DATE
    if any(len(text) > _LONG_TEXT for text in texts):
        return FieldType.TEXT
    few = len(set(texts)) <= max(1.0, _FEW_VALUES * len(texts))
    return FieldType.KEYWORD if few else FieldType.TEXT


def keyword_key(value: str) -> str:
    """Return what keywords are compared by: 'Lumen & Latch' and 'lumen & latch' are the same."""
    return " ".join(normalize("NFC", value).casefold().split())


def as_number(value: Any) -> float | None:
    """A number, also as a text says it; None where it is none."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        try:
            number = float(value)
        except OverflowError:  # an integer of more than 308 digits
            return None
        return number if abs(number) < float("inf") else None
    if isinstance(value, str):
        text = value.replace(",", "").strip()
        try:
            number = float(_TRUTH.get(text.lower(), text))
        except ValueError:
            return None
        return number if abs(number) < float("inf") else None
    return None


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
    return moment.timestamp()
