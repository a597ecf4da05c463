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
from gossamer.index.documents import IndexDocument, Line, identity_of, typed_document
from gossamer.index.fields import Fields, FieldType, refusal
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
    """What is to be known of one line of a batch."""

    line: int  # counted from 1
    id: str
    kind: str  # 'refused', 'missing', 'misfit' or 'unknown field'
    message: str


class ChangeReport(Struct, frozen=True):
    """What a batch of changes did. Every line is counted once in `added`, `changed`, `removed`,
    `missing` or `refused`; misfits and unknown fields are counted beside that."""

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
        document = typed_document(Line(name, 0, value), fields, _no_language)
    except UsageError as error:
        return CheckedLine(None, (Detail(number, "", "refused", str(error)),), 0, 0)
    details = []
    misfits = unknown = 0
    for field, given in value.items():
        if given is None or given in ("", []):
            continue
        problem = _misfit(field, given, fields, document)
        if problem:
            misfits += 1
            details.append(Detail(number, name, "misfit", problem))
        elif fields.type_of(field) is None and field not in _OWN:
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
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise UsageError(f"This is not JSON: {error}.") from None
    name = _name_of(value) if only_id is None else only_id
    own = value.get("id")
    if own is not None and str(own) != name:
        raise UsageError(
            f"The document has the id '{_shortened(own)}', but the request names '{name}'."
        )
    try:
        name.encode()
    except UnicodeEncodeError:
        raise UsageError("The id is no text: it holds half of a surrogate pair.") from None
    if kind is ChangeKind.PUT and own is None and str(value.get("url")) != name:
        value = {**value, "id": name}
        data = msgspec.json.encode({**_raw(data), "id": name})
    return name, value, data


def _name_of(value: Mapping[str, Any]) -> str:
    """The id of a document by the same rule as in files."""
    name = value.get("id", value.get("url"))
    if name is None:
        raise UsageError("The document has neither 'id' nor 'url'.")
    return str(name)


def _shortened(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _raw(data: bytes) -> dict[str, msgspec.Raw]:
    return msgspec.json.decode(data, type=dict[str, msgspec.Raw])


def _no_language(_: str) -> str:
    return ""


def _misfit(field: str, given: Any, fields: Fields, document: IndexDocument) -> str:
    """Why a value does not fit the type of its field; '' where it does."""
    kind = fields.type_of(field)
    if kind in (FieldType.NUMBER, FieldType.DATE) and field not in document.numbers:
        return f"'{field}' is a {kind.value}, but '{_shortened(given)}' is not: it is left out."
    return ""


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
    if isinstance(value, dict):
        value = value.get("id", value.get("url"))
    if value is None or isinstance(value, dict | list):
        raise UsageError("A removal is an id, or a document with an 'id' or a 'url'.")
    return str(value)


# Applying


def values_of(changes: Iterable[StoredChange]) -> Iterator[dict[str, Any]]:
    """The fields that stored changes give, for finding out the types of new fields."""
    for change in changes:
        if change.kind is not ChangeKind.REMOVE:
            yield _decode(change.value)


class LineSource(Protocol):
    """Documents of files, as they stand there."""

    name: str

    def versions(self) -> Mapping[int, int]: ...

    def lines(self, wanted: Container[int]) -> Iterator[Line]:
        """Those of the identities `wanted`, each once; for use after `versions`."""
        ...

    def all_lines(self) -> Iterator[Line]:
        """Everything that stands in the files, repeated documents too."""
        ...

    def typed(self, line: Line) -> IndexDocument: ...


class ChangedSource:
    """A source with stored changes applied over it: the newest change of an id wins."""

    def __init__(self, files: LineSource, changes: Sequence[StoredChange], stamp: str = "") -> None:
        """`stamp`: of how documents are read; where it is another one, all of them have changed."""
        self.name = files.name
        self._files = files
        self._stamp = stamp
        self._changes = {identity_of(change.id): change for change in changes}
        self.without_document = 0
        """Patches of documents that are no longer in the files."""

    @property
    def applied(self) -> int:
        return len(self._changes) - self.without_document

    def versions(self) -> Mapping[int, int]:
        found = dict(self._files.versions())
        self.without_document = 0
        for identity, change in self._changes.items():
            if change.kind is ChangeKind.REMOVE:
                found.pop(identity, None)
            elif change.kind is ChangeKind.PUT:
                found[identity] = _version(change, self._stamp)
            elif identity in found:
                found[identity] = _version(change, str(found[identity]))
            else:
                self.without_document += 1
        return found

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        for line in self._lines(wanted):
            yield self._files.typed(line)

    def values(self) -> Iterator[dict[str, Any]]:
        """All documents as they are given: those of the files first. Nothing is read ahead."""
        for line in self._files.all_lines():
            change = self._changes.get(identity_of(line.name))
            if change is None:
                yield line.value
            elif change.kind is ChangeKind.PATCH:
                yield _patched(line.value, _decode(change.value))
        for change in self._changes.values():
            if change.kind is ChangeKind.PUT:
                yield _decode(change.value)

    def _lines(self, wanted: Container[int]) -> Iterator[Line]:
        puts = {
            identity: change
            for identity, change in self._changes.items()
            if change.kind is ChangeKind.PUT
        }
        for line in self._files.lines(wanted):
            change = self._changes.get(identity_of(line.name))
            if change is None:
                yield line
            elif change.kind is ChangeKind.PATCH:
                value = _patched(line.value, _decode(change.value))
                yield Line(line.name, _version(change, str(line.version)), value)
        for identity, change in puts.items():
            if identity in wanted:
                yield put_line(change, self._stamp)


class WaitingSource:
    """What an index holds, with the changes that wait applied over it. The files are read only
    where a patch needs the document that it changes."""

    def __init__(
        self,
        indexed: Mapping[int, int],
        files: LineSource,
        waiting: Sequence[StoredChange],
        stamp: str = "",
    ) -> None:
        """`indexed`: identity -> version of the documents that the index holds."""
        self.name = files.name
        self._files = files
        self._indexed = indexed
        self._changed = ChangedSource(files, waiting, stamp)
        self._waiting = {identity_of(change.id): change for change in waiting}
        self._stamp = stamp
        self._reads_files = any(change.kind is ChangeKind.PATCH for change in waiting)

    def versions(self) -> Mapping[int, int]:
        found = dict(self._indexed)
        changed = self._changed.versions() if self._reads_files else {}
        for identity, change in self._waiting.items():
            if change.kind is ChangeKind.PUT:
                found[identity] = _version(change, self._stamp)
            elif change.kind is ChangeKind.PATCH and identity in changed:
                found[identity] = changed[identity]
            else:
                found.pop(identity, None)
        return found

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        if self._reads_files:
            yield from self._changed.documents(wanted)
            return
        puts = (
            change
            for identity, change in self._waiting.items()
            if change.kind is ChangeKind.PUT and identity in wanted
        )
        for change in puts:
            yield self._files.typed(put_line(change, self._stamp))


def put_line(change: StoredChange, stamp: str) -> Line:
    return Line(change.id, _version(change, stamp), _decode(change.value))


def _patched(value: dict[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """A document with some fields replaced as a whole; a field that becomes null is removed."""
    merged = {**value, **patch}
    return {name: given for name, given in merged.items() if given is not None}


def _version(change: StoredChange, base: str) -> int:
    """Of a changed document. `base`: how documents are read, or the version that is patched."""
    return hash64(b" ".join((change.kind.value.encode(), base.encode(), change.value)))
