"""Reading and checking changes of single documents.

A change comes in as the bytes of a JSON object. What cannot be a document is refused, line by line;
what can is stored as it came. Values that do not fit the type of their field, and fields that the
index does not have, are reported and stored all the same: the next build may read them.
"""

from typing import Any, NamedTuple

import msgspec

from gossamer.edits import ChangeKind, Detail, Edit
from gossamer.errors import UsageError
from gossamer.index.documents import by_path, text_of
from gossamer.index.fields import Field, Fields, FieldType, as_seconds, refusal
from gossamer.index.formats import id_of
from gossamer.index.numbers import as_number

LONGEST_DOCUMENT = 50_000_000
"""Bytes of one document as JSON."""
_LONGEST_SHOWN = 60
_OWN = frozenset({"id", "url", "language"})
"""Read from every document, whether or not they are fields of the index."""

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class CheckedLine(NamedTuple):
    edit: Edit | None  # None: refused
    line: int
    details: tuple[Detail, ...]
    misfits: int
    unknown: int


def lines_of(data: bytes) -> list[bytes]:
    """The documents of a batch: a JSON array, or JSON Lines. Of lines, blank ones stay in the list,
    so that numbers of lines are right."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    if not text.lstrip().startswith(b"["):
        return text.split(b"\n")
    try:
        return [bytes(item) for item in msgspec.json.decode(text, type=list[msgspec.Raw])]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"Invalid JSON array: {error}.") from None


def checked(edit: Edit, line: int, fields: Fields) -> CheckedLine:
    """One line of a batch, whose number is `line`, with its id."""
    try:
        if edit.fault:
            raise UsageError(edit.fault)
        if edit.kind is ChangeKind.REMOVE:
            found = Edit(edit.kind, _valid_id(edit.id))
            return CheckedLine(found, line, (), 0, 0)
        name, value, data = _read(edit)
    except UsageError as error:
        return CheckedLine(None, line, (Detail(line, "", "refused", str(error)),), 0, 0)
    details = []
    misfits = unknown = 0
    by_name = {field.name: field for field in fields.all}
    for field, given in by_path(value).items():
        if given is None or given in ("", []):
            continue
        if field in by_name:
            if wrong := _misfits(by_name[field], given):
                misfits += len(wrong)
                kind = by_name[field].type.value
                problem = f"'{_shortened(wrong[0])}' is not a {kind}: not indexed in '{field}'."
                details.append(Detail(line, name, "misfit", problem))
        elif field not in _OWN:
            unknown += 1
            why = refusal(field)
            message = (
                f"'{field}' cannot be a field: {why}."
                if why
                else f"The index has no field '{field}' yet; the next build adds it."
            )
            details.append(Detail(line, name, "unknown field", message))
    found = Edit(edit.kind, name, data)
    return CheckedLine(found, line, tuple(details), misfits, unknown)


def _read(edit: Edit) -> tuple[str, dict[str, Any], bytes]:
    """The id and the values of a document, and the JSON to store of it."""
    if len(edit.value) > LONGEST_DOCUMENT:
        raise UsageError(f"The document is longer than {LONGEST_DOCUMENT // 1_000_000} MB.")
    data = edit.value.strip()
    try:
        value = _decode(data)
    except msgspec.ValidationError:
        raise UsageError("A document is a JSON object.") from None
    except (ValueError, RecursionError) as error:  # of msgspec, of Unicode, of long integers
        raise UsageError(f"This is not JSON: {error}.") from None
    own, reason = id_of(value)
    if not edit.id and reason:
        raise UsageError(f"{reason[0].upper()}{reason[1:]}.")
    name = _valid_id(edit.id or own)
    has_own = value.get("id") not in (None, "")
    if has_own and own != name:
        raise UsageError(
            f"The document has the id '{_shortened(value['id'])}', but the request names '{name}'."
        )
    if edit.kind is ChangeKind.PUT and own != name:
        value = {**value, "id": name}
        data = msgspec.json.encode({**_raw(data), "id": name})
    return name, value, data


def _valid_id(name: str) -> str:
    name = name.strip()
    if not name:
        raise UsageError("The id is empty.")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise UsageError("The id is not valid Unicode.") from None
    return name


def _shortened(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _raw(data: bytes) -> dict[str, msgspec.Raw]:
    return msgspec.json.decode(data, type=dict[str, msgspec.Raw])


def _misfits(field: Field, given: Any) -> list[Any]:
    """Values that are not of the type of their field."""
    values = given if isinstance(given, list) else [given]
    present = [one for one in values if one is not None and text_of(one).strip()]
    if field.type is FieldType.NUMBER:
        return [one for one in present if as_number(one, field.number_format) is None]
    if field.type is FieldType.DATE:
        return [one for one in present if as_seconds(one) is None]
    return []


def removals_of(data: bytes) -> list[Edit]:
    """The removals of a batch of ids: a JSON array of them, or one a line: as it stands, or as a
    JSON string or document. One that cannot be read is refused."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    lines = [one.strip() for one in lines_of(text)]
    if text.lstrip().startswith(b"["):
        return [_removal(number, one, is_json=True) for number, one in enumerate(lines, 1)]
    return [
        _removal(number, one, is_json=one.startswith((b'"', b"{")))
        for number, one in enumerate(lines, 1)
        if one
    ]


def _removal(number: int, line: bytes, *, is_json: bool) -> Edit:
    name = fault = ""
    try:
        name = _id_of(msgspec.json.decode(line)) if is_json else line.decode()
    except UsageError as error:
        fault = str(error)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        fault = f"Invalid JSON or UTF-8 in a line of the batch: {error}."
    return Edit(ChangeKind.REMOVE, name, b"", number, fault)


def _id_of(value: Any) -> str:
    name, _ = id_of(value if isinstance(value, dict) else {"id": value})
    if not name:
        raise UsageError("A removal is an id, or a document with an 'id' or a 'url'.")
    return name
