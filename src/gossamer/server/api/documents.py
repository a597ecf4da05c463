"""Documents of an index, changed one at a time or in batches."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from gossamer.errors import NothingThere, UsageError
from gossamer.index.changes import ChangeReport, as_line, ids_of, lines_of
from gossamer.server.api.calls import Batch, CallTable, Listing
from gossamer.server.api.indexes import PartQuery, start_of
from gossamer.server.asking import Ask
from gossamer.server.contract import Job
from gossamer.server.visitors import Role
from gossamer.storage.document_changes import ChangeKind

CALLS = CallTable()

_WAIT = (
    "Answer when the changes are searchable, not only stored. Another process that writes to the "
    "index is waited for ten seconds at most."
)


class ChangeQuery(Struct, frozen=True, forbid_unknown_fields=True):
    wait: Annotated[bool, Meta(description=_WAIT)] = False


class BatchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    wait: Annotated[bool, Meta(description=_WAIT)] = False
    all_or_nothing: Annotated[
        bool, Meta(description="Store nothing where a document of the batch is refused.")
    ] = False


@CALLS.add("PUT", "/indexes/{index}/documents", role=Role.EDITOR)
def put_documents(ask: Ask, index: str, query: BatchQuery, body: Batch) -> ChangeReport:
    """Add documents, or replace those with the same id. They are stored when this is answered, and
    searchable within seconds."""
    return _batch(ask, index, ChangeKind.PUT, query, body)


@CALLS.add("PATCH", "/indexes/{index}/documents", role=Role.EDITOR)
def patch_documents(ask: Ask, index: str, query: BatchQuery, body: Batch) -> ChangeReport:
    """Replace some fields of documents: each names its id and the fields that change; null removes
    a field."""
    return _batch(ask, index, ChangeKind.PATCH, query, body)


@CALLS.add("POST", "/indexes/{index}/documents/remove", role=Role.EDITOR, status=200)
def remove_documents(ask: Ask, index: str, query: ChangeQuery, body: Batch) -> ChangeReport:
    """Remove documents: the body lists their ids. An id that the index does not have is counted as
    missing."""
    ids = ids_of(body.data)
    report = ask.site.engine.remove_documents(index, ids, wait=query.wait)
    return _noted(ask, report, ChangeKind.REMOVE)


def _batch(ask: Ask, index: str, kind: ChangeKind, query: BatchQuery, body: Batch) -> ChangeReport:
    lines = lines_of(body.data)
    report = ask.site.engine.change_documents(
        index, kind, lines, all_or_nothing=query.all_or_nothing, wait=query.wait
    )
    return _noted(ask, report, kind)


@CALLS.add("PUT", "/indexes/{index}/documents/{document:path}", role=Role.EDITOR)
def put_document(
    ask: Ask, index: str, document: str, query: ChangeQuery, body: dict[str, Any]
) -> ChangeReport:
    """Add a document, or replace the one with this id as a whole."""
    return _single(ask, index, ChangeKind.PUT, document, query, body)


@CALLS.add("PATCH", "/indexes/{index}/documents/{document:path}", role=Role.EDITOR)
def patch_document(
    ask: Ask, index: str, document: str, query: ChangeQuery, body: dict[str, Any]
) -> ChangeReport:
    """Replace some fields of a document; null removes a field."""
    return _single(ask, index, ChangeKind.PATCH, document, query, body)


@CALLS.add("DELETE", "/indexes/{index}/documents/{document:path}", role=Role.EDITOR)
def remove_document(ask: Ask, index: str, document: str, query: ChangeQuery) -> ChangeReport:
    """Remove a document."""
    return _single(ask, index, ChangeKind.REMOVE, document, query, {})


def _single(
    ask: Ask,
    index: str,
    kind: ChangeKind,
    document: str,
    query: ChangeQuery,
    body: dict[str, Any],
) -> ChangeReport:
    value = b"" if kind is ChangeKind.REMOVE else as_line(body)
    report = ask.site.engine.change_document(index, kind, document, value, wait=query.wait)
    if report.refused:
        raise UsageError(report.details[0].message)
    if report.missing:
        raise NothingThere(report.details[0].message)
    return _noted(ask, report, kind)


def _noted(ask: Ask, report: ChangeReport, kind: ChangeKind) -> ChangeReport:
    if report.stored:
        ask.note(f"documents: {kind.value}", report.index, documents=report.stored)
    return report


class ChangeCard(Struct, frozen=True):
    """A stored change."""

    id: str
    kind: ChangeKind
    changed_at: float


@CALLS.add("GET", "/indexes/{index}/changes", role=Role.EDITOR)
def list_changes(ask: Ask, index: str, query: PartQuery) -> Listing[ChangeCard]:
    """The stored changes of an index, oldest first: builds and updates apply them after the
    files."""
    found = ask.site.engine.stored_changes(index, start_of(query), query.limit + 1)
    part = found[: query.limit]
    cards = tuple(ChangeCard(one.id, one.kind, one.changed_at) for one in part)
    return Listing(cards, str(part[-1].sequence) if len(found) > len(part) else "")


@CALLS.add("DELETE", "/indexes/{index}/changes", role=Role.EDITOR)
def drop_changes(ask: Ask, index: str) -> Job:
    """Give up all stored changes of an index, and update it: as a job."""
    job = ask.site.jobs.start_drop_changes(index, ask.visitor.name)
    ask.note(job.kind, index, job=job.id)
    return job
