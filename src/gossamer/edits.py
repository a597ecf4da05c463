"""Edits of single documents of an index, and the report of a batch of them.

Plain data without an index behind it: a client of a site uses the same types as the site.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from gossamer.errors import GossamerError, UsageError

MOST_DETAILS = 100
"""Lines that a report describes one by one; the others are counted."""

Document = Mapping[str, Any] | bytes
"""A document as programs give it: a mapping, or the bytes of a JSON object."""
Documents = Iterable[Document] | Document
Ids = Iterable[str | int] | str | int


class ChangeKind(StrEnum):
    PUT = "put"  # add the document, or replace it as a whole
    PATCH = "patch"  # replace some of its fields
    REMOVE = "remove"


class ChangeState(StrEnum):
    WAITING = "waiting"  # not applied to the index yet
    APPLIED = "applied"
    WITHOUT_DOCUMENT = "without document"  # a patch of a document that the files no longer have


class Edit(NamedTuple):
    """A change as it is requested."""

    kind: ChangeKind
    id: str = ""  # '': the one that the document names
    value: bytes = b""  # a JSON object; of a removal, nothing
    line: int = 0  # its number in a file or a batch; 0: its place in the order
    fault: str = ""  # why it is refused, if it could not be read


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
    missing: int = 0  # no document has this id, or its file has it no longer
    refused: int = 0  # not a document: nothing was stored
    misfits: int = 0  # values that do not fit their field's type: not searchable by that field
    unknown_fields: int = 0  # values of fields that the index does not have yet
    searchable: bool = True  # else the changes are stored, and wait for the writer of the index
    waiting_because: str = ""
    details: tuple[Detail, ...] = ()  # of the first hundred lines

    @property
    def stored(self) -> int:
        return self.added + self.changed + self.removed


class PartlyStored(GossamerError):
    """A batch of changes was interrupted: `report` counts the part that is stored."""

    def __init__(self, message: str, report: ChangeReport) -> None:
        super().__init__(message)
        self.report = report


class ChangeCard(Struct, frozen=True):
    """A stored change, without its document."""

    id: str
    sequence: int  # grows with every change of the index
    kind: ChangeKind
    changed_at: float
    state: ChangeState


class ChangeCounts(Struct, frozen=True):
    """How many changes of an index are stored: of each kind, and of those how many wait."""

    put: int = 0
    patch: int = 0
    remove: int = 0
    waiting: int = 0  # not applied to the index yet
    without_document: int = 0  # patches of documents that the files no longer have
    last: int = 0  # the sequence number of the newest

    @property
    def all(self) -> int:
        return self.put + self.patch + self.remove


def each_document(documents: Documents) -> Iterable[Document]:
    """Return the documents of a call: of one or of several."""
    if isinstance(documents, Mapping | bytes):
        return [documents]
    if isinstance(documents, str | bytearray | memoryview) or not isinstance(documents, Iterable):
        raise UsageError(
            f"A document is a mapping or JSON as bytes, not {type(documents).__name__}."
        )
    return documents


def each_id(ids: Ids) -> Iterable[str]:
    """Return the ids of a call: of one or of several, each as text."""
    if _is_id(ids):
        return [str(ids)]
    if isinstance(ids, bytes | bytearray | memoryview | Mapping) or not isinstance(ids, Iterable):
        raise _no_id(ids)
    return map(_as_id, ids)


def _as_id(given: object) -> str:
    if not _is_id(given):
        raise _no_id(given)
    return str(given)


def _is_id(given: object) -> bool:
    return isinstance(given, str | int) and not isinstance(given, bool)


def _no_id(given: object) -> UsageError:
    return UsageError(f"An id is text or a whole number, not {type(given).__name__}.")


def as_line(document: Mapping[str, Any]) -> bytes:
    """A document from Python as JSON."""
    try:
        return msgspec.json.encode(document)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise UsageError(f"The document cannot be written as JSON: {error}.") from None


def edit_of(kind: ChangeKind, document: Document) -> Edit:
    """The edit that puts or patches a document; one that cannot be written is refused."""
    if isinstance(document, bytes):
        return Edit(kind, value=document)
    try:
        return Edit(kind, value=as_line(document))
    except UsageError as error:
        return Edit(kind, fault=str(error))
