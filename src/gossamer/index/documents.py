"""What goes into an index: a document with typed fields, and where such documents come from."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from gossamer.errors import UsageError
from gossamer.index.fields import Fields, FieldType, as_number, as_seconds, inferred
from gossamer.lib.hashing import hash64

LanguageOf = Callable[[str], str]
"""Tells the language of a text: ISO 639-1, or ''."""

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


def read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with their line numbers; a fault names the line."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                if len(line) > _LONGEST_LINE:
                    raise UsageError(f"{path}, line {number}: longer than 50 MB.")
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise UsageError(f"{path}, line {number}: this is not JSON: {error}.") from None
                if not isinstance(value, dict):
                    raise UsageError(f"{path}, line {number}: a document is a JSON object.")
                yield number, value
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None


def inferred_fields(path: Path) -> dict[str, str]:
    return inferred(value for _, value in islice(read_json_lines(path), _SAMPLES))


def json_documents(path: Path, fields: Fields, detect: LanguageOf) -> Iterator[IndexDocument]:
    """The documents of a JSON Lines file. `detect` tells the language of a text."""
    for number, value in read_json_lines(path):
        name = value.get("id", value.get("url"))
        if name is None:
            raise UsageError(f"{path}, line {number}: the document has neither 'id' nor 'url'.")
        yield typed_document(str(name), value, fields, detect)


def typed_document(
    name: str, value: Mapping[str, Any], fields: Fields, detect: LanguageOf
) -> IndexDocument:
    texts: dict[str, str] = {}
    numbers: dict[str, float] = {}
    keywords: dict[str, tuple[str, ...]] = {}
    for field in fields.all:
        given = value.get(field.name)
        if given is None:
            continue
        if field.type is FieldType.TEXT:
            texts[field.name] = _text(given)
        elif field.type is FieldType.KEYWORD:
            keywords[field.name] = _keywords(given)
        elif field.type in (FieldType.NUMBER, FieldType.DATE):
            read = as_number if field.type is FieldType.NUMBER else as_seconds
            found = read(given)
            if found is not None:
                numbers[field.name] = found
    text = texts.get("text") or texts.get("body") or max(texts.values(), key=len, default="")
    language = value.get("language")
    shown: dict[str, Any] = {
        "id": name,
        "url": str(value.get("url", name)),
        "title": _text(value.get("title", value.get("name", ""))),
        "text": text,
        "fields": {
            field.name: value[field.name]
            for field in fields.all
            if field.name in value
            and field.name not in ("title", "url")
            and value[field.name] is not None
            and not (field.type is FieldType.TEXT and texts.get(field.name) == text)
        },
    }
    version = hash64(json.dumps(value, sort_keys=True, ensure_ascii=True).encode())
    return IndexDocument(
        identity=hash64(name.encode("utf-8", "replace")),
        version=version,
        language=language if isinstance(language, str) and len(language) == 2 else detect(text),
        texts=texts,
        numbers=numbers,
        keywords=keywords,
        shown=shown,
    )


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_text(one) for one in value)
    return "" if value is None else str(value)


def _keywords(value: Any) -> tuple[str, ...]:
    values: Iterable[Any] = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(_text(one).strip() for one in values if _text(one).strip()))
