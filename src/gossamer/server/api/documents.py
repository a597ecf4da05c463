"""Documents of an index, changed one at a time or in batches."""

from itertools import islice
from typing import Annotated

from msgspec import Meta, Struct

from gossamer.edits import ChangeCard, ChangeCounts, ChangeKind, ChangeReport, Edit
from gossamer.errors import NothingThere, UsageError
from gossamer.index.change_input import lines_of, removals_of
from gossamer.server.api.calls import Batch, CallTable, Listing, RawObject
from gossamer.server.asking import Ask
from gossamer.server.contract import Job
from gossamer.server.visitors import Role

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
    report = ask.site.engine.edit(index, removals_of(body.data), wait=query.wait)
    return _noted(ask, report, ChangeKind.REMOVE)


def _batch(ask: Ask, index: str, kind: ChangeKind, query: BatchQuery, body: Batch) -> ChangeReport:
    edits = [Edit(kind, value=line) for line in lines_of(body.data)]
    report = ask.site.engine.edit(
        index, edits, all_or_nothing=query.all_or_nothing, wait=query.wait
    )
    return _noted(ask, report, kind)


@CALLS.add("PUT", "/indexes/{index}/documents/{document:path}", role=Role.EDITOR)
def put_document(
    ask: Ask, index: str, document: str, query: ChangeQuery, body: RawObject
) -> ChangeReport:
    """Add a document, or replace the one with this id as a whole."""
    return _single(ask, index, Edit(ChangeKind.PUT, document, body.data), query)


@CALLS.add("PATCH", "/indexes/{index}/documents/{document:path}", role=Role.EDITOR)
def patch_document(
    ask: Ask, index: str, document: str, query: ChangeQuery, body: RawObject
) -> ChangeReport:
    """Replace some fields of a document; null removes a field."""
    return _single(ask, index, Edit(ChangeKind.PATCH, document, body.data), query)


@CALLS.add("DELETE", "/indexes/{index}/documents/{document:path}", role=Role.EDITOR)
def remove_document(ask: Ask, index: str, document: str, query: ChangeQuery) -> ChangeReport:
    """Remove a document."""
    return _single(ask, index, Edit(ChangeKind.REMOVE, document), query)


def _single(ask: Ask, index: str, edit: Edit, query: ChangeQuery) -> ChangeReport:
    report = ask.site.engine.edit(index, [edit], wait=query.wait)
    if report.refused:
        raise UsageError(report.details[0].message)
    if report.missing:
        raise NothingThere(report.details[0].message)
    return _noted(ask, report, edit.kind)


def _noted(ask: Ask, report: ChangeReport, kind: ChangeKind) -> ChangeReport:
    if report.stored:
        ask.note(f"documents: {kind.value}", report.index, documents=report.stored)
    return report


class ChangesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1, le=1_000, description="How many at once.")] = 100
    after: Annotated[
        int, Meta(ge=0, description="'next' of the part before, or the sequence of a change.")
    ] = 0


@CALLS.add("GET", "/indexes/{index}/changes", role=Role.EDITOR)
def list_changes(ask: Ask, index: str, query: ChangesQuery) -> Listing[ChangeCard]:
    """The stored changes of an index, oldest first: builds and updates apply them after the
    files."""
    changes = ask.site.engine.stored_changes(index, query.after)
    found = list(islice(changes, query.limit + 1))
    part = tuple(found[: query.limit])
    return Listing(part, str(part[-1].sequence) if len(found) > len(part) else "")


@CALLS.add("GET", "/indexes/{index}/changes/counts", role=Role.EDITOR)
def count_changes(ask: Ask, index: str) -> ChangeCounts:
    """How many changes of an index are stored, and how many of them wait."""
    return ask.site.engine.change_counts(index)


class DropQuery(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[
        tuple[str, ...],
        Meta(description="Only the changes of these ids; all if empty.", max_length=100),
    ] = ()
    allow_empty: Annotated[
        bool, Meta(description="A file without any documents is meant to be so.")
    ] = False


@CALLS.add("DELETE", "/indexes/{index}/changes", role=Role.EDITOR)
def drop_changes(ask: Ask, index: str, query: DropQuery) -> Job:
    """Discard stored changes of an index, and update it: as a job."""
    by = ask.visitor.name
    job = ask.site.jobs.start_drop_changes(index, query.id, query.allow_empty, by)
    ask.note(job.kind, index, job=job.id)
    return job
