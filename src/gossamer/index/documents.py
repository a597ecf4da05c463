"""Documents with typed fields, as they go into an index, from documents as they were given."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from gossamer.index import safety
from gossamer.index.fields import LONGEST_NAME, Field, Fields, FieldType, as_seconds, field_name
from gossamer.index.formats import Row
from gossamer.index.numbers import as_number
from gossamer.index.titles import NO_CUT, Cut
from gossamer.lib.directions import one_direction
from gossamer.lib.hashing import hash64
from gossamer.urls import site_of

LanguageOf = Callable[[str], str]
"""Tells the language of a text: ISO 639-1, or ''."""

LONGEST_TEXT = 10_000_000
"""Characters of one field that are searched and shown. What is longer is cut, and counted."""

_DEEPEST = 32  # objects in each other: longer paths are too long for a name


class IndexDocument(Struct, frozen=True):
    """One document, read and typed; its words are not yet taken apart."""

    identity: int  # the same for the same document in every version of it
    version: int  # another one whenever something of it has changed
    language: str  # ISO 639-1; '' where it is not known
    texts: Mapping[str, str]  # by text field
    numbers: Mapping[str, float]  # numbers, and dates as seconds since 1970
    keywords: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, Any]  # what an answer may show; 'text' is what snippets are cut from
    number: int = 0  # its number in the index, where a set of shards has given it one
    address: int = 0  # of its url, by which it is found, too, where its identity is another
    title_cut: Cut = NO_CUT  # which parts of its title name the site
    more_numbers: Mapping[str, tuple[float, ...]] = {}
    """By field with several values: those beside the smallest, which stands in `numbers`."""


def identity_of(name: str) -> int:
    return hash64(name.encode("utf-8", "replace"))


def _address_of(url: str) -> int:
    """As pages have it: the address of a home page ends with a '/'."""
    host = url.partition("://")[2]
    return identity_of(url if not host or "/" in host else url + "/")


def by_path(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values of a document by the paths of their fields: {'dims': {'w': 47}} has 'dims.w'.

    Names become names of fields (`field_name`). Objects in a list have their values in a list:
    {'sizes': [{'w': 1}, {'w': 2}]} has 'sizes.w' with both.
    """
    if not any(isinstance(value, dict | list) for value in document.values()) and all(
        field_name(name) == name for name in document
    ):
        return document
    found: dict[str, list[Any]] = {}
    for name, value in document.items():
        _collect(field_name(name), value, found, 0)
    return {
        path: pieces[0] if len(pieces) == 1 else _joined(pieces) for path, pieces in found.items()
    }


def _collect(path: str, value: Any, found: dict[str, list[Any]], depth: int) -> None:
    """Append the values below a path to those that `found` has by their paths."""
    if depth >= _DEEPEST and isinstance(value, dict | list):
        return
    if isinstance(value, dict):
        if len(path) > LONGEST_NAME:  # no field can be below: its name would be longer still
            found.setdefault(path, []).append(value)
            return
        for name, one in value.items():
            _collect(field_name(f"{path}.{name}"), one, found, depth + 1)
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        for one in value:
            _collect(path, [one] if not isinstance(one, dict | list) else one, found, depth + 1)
    else:
        found.setdefault(path, []).append(value)


def _joined(pieces: list[Any]) -> list[Any]:
    """The values of several lists and single values, in one list."""
    return [one for piece in pieces for one in (piece if isinstance(piece, list) else [piece])]


def typed_document(
    row: Row, fields: Fields, detect: LanguageOf, unsafe: safety.SafetyList | None = None
) -> IndexDocument:
    """The document of a row, read by the types of its fields; marked, where a list says so. Values
    that are not of the type of their field are left out; they are still shown."""
    name, version, document = row[:3]
    value = by_path(document)
    texts: dict[str, str] = {}
    numbers: dict[str, float] = {}
    more_numbers: dict[str, tuple[float, ...]] = {}
    keywords: dict[str, tuple[str, ...]] = {}
    for field in fields.all:
        given = value.get(field.name)
        if given is None:
            continue
        if field.type is FieldType.TEXT:
            texts[field.name] = text_of(given)
        elif field.type is FieldType.KEYWORD:
            keywords[field.name] = _keywords(given)
        elif field.type in (FieldType.NUMBER, FieldType.DATE):
            first, *others = _numbers(given, field) or (None,)
            if first is not None:
                numbers[field.name] = first
            if others:
                more_numbers[field.name] = tuple(others)
    main = next(
        (field for field in ("text", "body") if texts.get(field)),
        max(texts, key=lambda field: len(texts[field]), default=""),
    )
    text = texts.get(main, "")
    declared = value.get("language")
    language = declared if isinstance(declared, str) and len(declared) == 2 else detect(text)
    shown: dict[str, Any] = {
        "id": name,
        "url": text_of(value.get("url") or name),
        "title": one_direction(text_of(value.get(_title_field(value, texts), ""))),
        "text": text,
        "text_field": main,
        "language": language,
        "fields": {
            field.name: _storable(value[field.name])
            for field in fields.all
            if value.get(field.name) is not None and field.name not in ("title", "url", main)
        },
    }
    host = shown["url"].partition("://")[2].partition("/")[0].rpartition("@")[2].lower()
    known = {"lang": language, "host": host, "site": site_of(host)[0] if host else ""}
    for own, found_out in known.items():
        if found_out and own not in value and fields.type_of(own) is FieldType.KEYWORD:
            keywords[own] = (found_out,)
    if known["site"] in keywords.get("site", ()):  # or more of it could not be asked for
        shown["site"] = known["site"]
    said = (shown["title"], text_of(value.get("description", "")))
    if unsafe is not None and unsafe.lists(host, said):
        keywords[safety.FIELD] = (safety.ADULT,)
    return IndexDocument(
        identity=identity_of(name),
        version=version,
        language=language,
        texts=texts,
        numbers=numbers,
        keywords=keywords,
        shown=shown,
        more_numbers=more_numbers,
        address=_address_of(shown["url"]) if host else 0,
    )


def _title_field(value: Mapping[str, Any], texts: Iterable[str]) -> str:
    """The field that is shown as the title: 'title', 'name', or a text such as 'Product_name'."""
    for own in ("title", "name"):
        if own in value:
            return own
    return next((name for name in texts if name.lower().endswith(("title", "name"))), "")


def _storable(value: Any) -> Any:
    """As a value can be stored and sent: of integers beyond 64 bits, the digits."""
    if isinstance(value, list):
        return [_storable(one) for one in value]
    if isinstance(value, dict):
        return {key: _storable(one) for key, one in value.items()}
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return str(value)
    return value


def text_of(value: Any) -> str:
    """Return a value as the text of a field: lists are lines."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(text_of(one) for one in value)
    return "" if value is None else str(value)


def _keywords(value: Any) -> tuple[str, ...]:
    values: Iterable[Any] = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(text_of(one).strip() for one in values if text_of(one).strip()))


def _numbers(value: Any, field: Field) -> list[float]:
    """The different values of a number or date field, the smallest first."""
    values: Iterable[Any] = value if isinstance(value, list) else [value]
    if field.type is FieldType.DATE:
        found = (as_seconds(one) for one in values)
    else:
        found = (as_number(one, field.number_format) for one in values)
    return sorted({one for one in found if one is not None})
