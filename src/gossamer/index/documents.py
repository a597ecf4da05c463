"""What goes into an index: a document with typed fields, and where such documents come from."""

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from gossamer.errors import UsageError
from gossamer.index import safety
from gossamer.index.fields import Fields, FieldType, as_number, as_seconds, inferred, refusal
from gossamer.index.titles import NO_CUT, Cut
from gossamer.lib.hashing import hash64
from gossamer.urls import site_of

LanguageOf = Callable[[str], str]
"""Tells the language of a text: ISO 639-1, or ''."""

LONGEST_TEXT = 10_000_000
"""Characters of one field that are searched and shown. What is longer is cut, and counted."""

_SAMPLES = 1_000
_LONGEST_LINE = 50_000_000


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


class Line(NamedTuple):
    """A document as it stands in a file."""

    name: str  # its id
    version: int
    value: dict[str, Any]


def read_json_lines(path: Path) -> Iterator[Line]:
    """The documents of a file; a fault names the line."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if number == 1:
                    line = line.removeprefix(BOM_UTF8)
                if line.isspace():
                    continue
                yield _line(line, f"{path}, line {number}")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None


def _line(line: bytes, where: str) -> Line:
    if len(line) > _LONGEST_LINE:
        raise UsageError(f"{where}: longer than {_LONGEST_LINE // 1_000_000} MB.")
    try:
        value = _decoder.decode(line)
    except msgspec.ValidationError as error:
        raise UsageError(f"{where}: a document is a JSON object. {error}.") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(f"{where}: this is not JSON: {error}.") from None
    name = value.get("id", value.get("url"))
    if name is None:
        raise UsageError(f"{where}: the document has neither 'id' nor 'url'.")
    return Line(str(name), hash64(line.strip()), value)


_decoder = msgspec.json.Decoder(dict[str, Any])


def identity_of(name: str) -> int:
    return hash64(name.encode("utf-8", "replace"))


def _address_of(url: str) -> int:
    """As pages have it: the address of a home page ends with a '/'."""
    host = url.partition("://")[2]
    return identity_of(url if not host or "/" in host else url + "/")


def inferred_fields(path: Path) -> dict[str, str]:
    return inferred(line.value for line in islice(read_json_lines(path), _SAMPLES))


def left_out_fields(path: Path) -> dict[str, str]:
    """The fields of a file that cannot be those of an index, and why."""
    lines = islice(read_json_lines(path), _SAMPLES)
    names = dict.fromkeys(name for line in lines for name in line.value if name != "id")
    return {name: why for name in names if (why := refusal(name))}


def typed_document(
    line: Line, fields: Fields, detect: LanguageOf, unsafe: safety.SafetyList | None = None
) -> IndexDocument:
    """The document of a line, read by the types of its fields; marked, where a list says so."""
    name, version, value = line
    texts: dict[str, str] = {}
    numbers: dict[str, float] = {}
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
            read = as_number if field.type is FieldType.NUMBER else as_seconds
            found = read(given)
            if found is not None:
                numbers[field.name] = found
    main = next(
        (field for field in ("text", "body") if texts.get(field)),
        max(texts, key=lambda field: len(texts[field]), default=""),
    )
    text = texts.get(main, "")
    declared = value.get("language")
    language = declared if isinstance(declared, str) and len(declared) == 2 else detect(text)
    shown: dict[str, Any] = {
        "id": name,
        "url": str(value.get("url", name)),
        "title": text_of(value.get("title", value.get("name", ""))),
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
        address=_address_of(shown["url"]) if host else 0,
    )


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
    """What a text field holds: lists are lines."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(text_of(one) for one in value)
    return "" if value is None else str(value)


def _keywords(value: Any) -> tuple[str, ...]:
    values: Iterable[Any] = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(text_of(one).strip() for one in values if text_of(one).strip()))
