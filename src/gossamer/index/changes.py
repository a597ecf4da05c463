"""Changes of single documents: reading and checking them, and applying them over the files.

A change comes in as the bytes of a JSON object. What cannot be a document is refused, line by line;
what can is stored as it came. Values that do not fit the type of their field, and fields that the
index does not have, are reported and stored all the same: the next build may read them.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import Struct

from gossamer.errors import UsageError
from gossamer.index.documents import IndexDocument, by_path, identity_of, text_of
from gossamer.index.fields import Field, Fields, FieldType, as_seconds, refusal
from gossamer.index.formats import Row, id_of
from gossamer.index.numbers import as_number
from gossamer.lib.hashing import hash64
from gossamer.storage.document_changes import ChangeKind, Edit, StoredChange

LONGEST_DOCUMENT = 50_000_000
"""Bytes of one document as JSON."""
MOST_DETAILS = 100
"""Lines that a report describes one by one; the others are counted."""
_LONGEST_SHOWN = 60
_OWN = frozenset({"id", "url", "language"})
"""Read from every document, whether or not they are fields of the index."""

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Detail(Struct, frozen=True):
    """A remark on one line of a batch."""

    line: int  # counted from 1
    id: str
    kind: str  # 'refused', 'missing', 'misfit' or 'unknown field'
    message: str


class ChangeReport(Struct, frozen=True):
    """The result of a batch of changes. Every line is counted once in `added`, `changed`,
    `removed`, `missing` or `refused`; misfits and unknown fields are counted beside that."""

    index: str
    added: int = 0
    changed: int = 0
    removed: int = 0
    missing: int = 0  # no document has this id: nothing was stored
    refused: int = 0  # not a document: nothing was stored
    misfits: int = 0  # values that do not fit their field's type: not searchable by that field
    unknown_fields: int = 0  # values of fields that the index does not have yet
    searchable: bool = True  # else the changes are stored, and wait for the writer of the index
    waiting_because: str = ""
    details: tuple[Detail, ...] = ()  # of the first hundred lines

    @property
    def stored(self) -> int:
        return self.added + self.changed + self.removed


class CheckedLine(NamedTuple):
    edit: Edit | None  # None: refused
    details: tuple[Detail, ...]
    misfits: int
    unknown: int


Given = Mapping[str, Any] | bytes
"""A document as programs give it: a mapping, or the bytes of a JSON object."""


def lines_of(data: bytes) -> list[bytes]:
    """The documents of a batch: a JSON array, or JSON Lines. Of lines, blank ones stay in the list,
    so that numbers of lines are right."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    if not text.lstrip().startswith(b"["):
        return text.split(b"\n")
    try:
        return [bytes(item) for item in msgspec.json.decode(text, type=list[msgspec.Raw])]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"The batch is no JSON array: {error}.") from None


def as_line(document: Mapping[str, Any]) -> bytes:
    """A document from Python as JSON."""
    try:
        return msgspec.json.encode(document)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise UsageError(f"The document cannot be written as JSON: {error}.") from None


def checked(
    data: bytes, number: int, kind: ChangeKind, fields: Fields, only_id: str | None = None
) -> CheckedLine:
    """One line of a batch. `only_id`: the id that the document must have, or gets."""
    try:
        name, value, data = _read(data, kind, only_id)
    except UsageError as error:
        return CheckedLine(None, (Detail(number, "", "refused", str(error)),), 0, 0)
    details = []
    misfits = unknown = 0
    by_name = {field.name: field for field in fields.all}
    for field, given in by_path(value).items():
        if given is None or given in ("", []):
            continue
        if field in by_name:
            if wrong := _misfits(by_name[field], given):
                misfits += len(wrong)
                problem = (
                    f"'{field}' is a {by_name[field].type.value}, but '{_shortened(wrong[0])}' is "
                    "not: it is left out."
                )
                details.append(Detail(number, name, "misfit", problem))
        elif field not in _OWN:
            unknown += 1
            why = refusal(field)
            message = (
                f"'{field}' cannot be a field: {why}."
                if why
                else f"The index has no field '{field}' yet; the next build adds it."
            )
            details.append(Detail(number, name, "unknown field", message))
    return CheckedLine(Edit(kind, name, data), tuple(details), misfits, unknown)


def _read(data: bytes, kind: ChangeKind, only_id: str | None) -> tuple[str, dict[str, Any], bytes]:
    """The id and the values of a document, and the JSON to store of it."""
    if len(data) > LONGEST_DOCUMENT:
        raise UsageError(f"The document is longer than {LONGEST_DOCUMENT // 1_000_000} MB.")
    data = data.strip()
    try:
        value = _decode(data)
    except msgspec.ValidationError:
        raise UsageError("A document is a JSON object.") from None
    except (ValueError, RecursionError) as error:  # of msgspec, of Unicode, of long integers
        raise UsageError(f"This is not JSON: {error}.") from None
    own, reason = id_of(value)
    name = own if only_id is None else only_id.strip()
    if only_id is None and reason:
        raise UsageError(f"{reason[0].upper()}{reason[1:]}.")
    if not name:
        raise UsageError("The id is empty.")
    has_own = value.get("id") not in (None, "")
    if has_own and own != name:
        raise UsageError(
            f"The document has the id '{_shortened(value['id'])}', but the request names '{name}'."
        )
    try:
        name.encode()
    except UnicodeEncodeError:
        raise UsageError("The id is no text: it holds half of a surrogate pair.") from None
    if kind is ChangeKind.PUT and own != name:
        value = {**value, "id": name}
        data = msgspec.json.encode({**_raw(data), "id": name})
    return name, value, data


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


def ids_of(data: bytes) -> list[str]:
    """The ids of a batch of removals: a JSON array of them, or one a line: as it stands, or as a
    JSON string or document."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    if text.lstrip().startswith(b"["):
        try:
            return [_id_of(one) for one in msgspec.json.decode(text)]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageError(f"The batch is no JSON array: {error}.") from None
    return [_id_in(line) for line in text.splitlines() if line.strip()]


def _id_in(line: bytes) -> str:
    line = line.strip()
    if line.startswith((b'"', b"{")):
        try:
            return _id_of(msgspec.json.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageError(f"A line of the batch is no JSON: {error}.") from None
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise UsageError("A line of the batch is no UTF-8 text.") from None


def _id_of(value: Any) -> str:
    name, _ = id_of(value if isinstance(value, dict) else {"id": value})
    if not name:
        raise UsageError("A removal is an id, or a document with an 'id' or a 'url'.")
    return name


# Applying


class AppliedChanges:
    """Stored changes as they apply to the rows of files: the newest change of an id wins."""

    def __init__(self, changes: Sequence[StoredChange], stamp: str = "") -> None:
        """`stamp`: of how documents are read; where it is another one, all of them have changed."""
        self._stamp = stamp
        self._by_identity = {identity_of(change.id): change for change in changes}

    def __len__(self) -> int:
        return len(self._by_identity)

    def items(self) -> Iterable[tuple[int, StoredChange]]:
        return self._by_identity.items()

    def applied_to(self, row: Row) -> Row | None:
        """Return the row as it is changed; None where it is removed or replaced."""
        change = self._by_identity.get(identity_of(row.name))
        if change is None:
            return row
        if change.kind is not ChangeKind.PATCH:
            return None
        value = _patched(row.value, _decode(change.value))
        where = f"{row.where}, as changed by a patch"
        return Row(row.name, _version(change, str(row.version)), value, where)

    def added(self, wanted: Container[int] | None = None) -> Iterator[Row]:
        """Return the documents that were put, or those of them that are `wanted`."""
        for identity, change in self._by_identity.items():
            if change.kind is ChangeKind.PUT and (wanted is None or identity in wanted):
                value = _decode(change.value)
                where = f"the stored change of '{change.id}'"
                yield Row(change.id, _version(change, self._stamp), value, where)

    def version(self, identity: int, base: int | None) -> int | None:
        """Return the version of a document that has a change; None where it is not there. `base`:
        its version in the files, if it is there."""
        change = self._by_identity[identity]
        if change.kind is ChangeKind.PUT:
            return _version(change, self._stamp)
        if change.kind is ChangeKind.REMOVE or base is None:
            return None
        return _version(change, str(base))


class RowSource(Protocol):
    """Documents of files, as they stand there."""

    name: str

    def versions(self) -> Mapping[int, int]: ...

    def rows(self, wanted: Container[int]) -> Iterator[Row]:
        """Return the documents of the identities `wanted`; for use after `versions`."""
        ...

    def all_rows(self) -> Iterator[Row]:
        """Everything that stands in the files, repeated documents too."""
        ...

    def typed(self, row: Row) -> IndexDocument: ...


class ChangedSource:
    """A source with stored changes applied over it."""

    def __init__(self, files: RowSource, changes: AppliedChanges) -> None:
        self.name = files.name
        self._files = files
        self._changes = changes
        self.without_document = 0
        """Patches of documents that are no longer in the files."""

    @property
    def applied(self) -> int:
        return len(self._changes) - self.without_document

    def versions(self) -> Mapping[int, int]:
        found = dict(self._files.versions())
        self.without_document = 0
        for identity, change in self._changes.items():
            base = found.pop(identity, None)
            version = self._changes.version(identity, base)
            if version is not None:
                found[identity] = version
            elif change.kind is ChangeKind.PATCH:
                self.without_document += 1
        return found

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        for row in self._files.rows(wanted):
            changed = self._changes.applied_to(row)
            if changed is not None:
                yield self._files.typed(changed)
        for row in self._changes.added(wanted):
            yield self._files.typed(row)

    def values(self) -> Iterator[dict[str, Any]]:
        """All documents as they are given: those of the files first. Nothing is read ahead."""
        for row in self._files.all_rows():
            changed = self._changes.applied_to(row)
            if changed is not None:
                yield changed.value
        for row in self._changes.added():
            yield row.value


class WaitingSource:
    """The content of an index with the waiting changes applied. The files are read only if a patch
    needs the document that it changes."""

    def __init__(
        self, indexed: Mapping[int, int], files: RowSource, waiting: AppliedChanges
    ) -> None:
        """`indexed`: identity -> version of the documents that the index holds."""
        self.name = files.name
        self._files = files
        self._indexed = indexed
        self._waiting = waiting
        self._changed = ChangedSource(files, waiting)
        self._reads_files = any(change.kind is ChangeKind.PATCH for _, change in waiting.items())

    def versions(self) -> Mapping[int, int]:
        found = dict(self._indexed)
        changed = self._changed.versions() if self._reads_files else {}
        for identity, change in self._waiting.items():
            found.pop(identity, None)
            if change.kind is ChangeKind.PATCH:
                version = changed.get(identity)
            else:
                version = self._waiting.version(identity, None)
            if version is not None:
                found[identity] = version
        return found

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        if self._reads_files:
            yield from self._changed.documents(wanted)
            return
        for row in self._waiting.added(wanted):
            yield self._files.typed(row)


def _patched(value: dict[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """A document with some fields replaced as a whole; a field that becomes null is removed."""
    merged = {**value, **patch}
    return {name: given for name, given in merged.items() if given is not None}


def _version(change: StoredChange, base: str) -> int:
    """Of a changed document. `base`: how documents are read, or the version that is patched."""
    return hash64(b" ".join((change.kind.value.encode(), base.encode(), change.value)))
