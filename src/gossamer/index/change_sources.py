"""Stored changes of single documents, applied over the rows of files.

In: the documents of files, and the newest change of each id. Out: the documents of an index.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from gossamer.edits import ChangeKind
from gossamer.index.documents import IndexDocument, identity_of
from gossamer.index.formats import Row
from gossamer.lib.hashing import hash64
from gossamer.storage.document_changes import StoredChange

_decode = msgspec.json.Decoder(dict[str, Any]).decode


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
        self.without_document: list[StoredChange] = []
        """Patches of documents that are no longer in the files."""

    @property
    def applied(self) -> int:
        return len(self._changes) - len(self.without_document)

    def versions(self) -> Mapping[int, int]:
        found = dict(self._files.versions())
        self.without_document = []
        for identity, change in self._changes.items():
            base = found.pop(identity, None)
            version = self._changes.version(identity, base)
            if version is not None:
                found[identity] = version
            elif change.kind is ChangeKind.PATCH:
                self.without_document.append(change)
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

    @property
    def without_document(self) -> list[StoredChange]:
        """Patches of documents that are no longer in the files. These documents stay as they are
        indexed: only an update deletes what the files no longer have."""
        return self._changed.without_document

    def versions(self) -> Mapping[int, int]:
        found = dict(self._indexed)
        changed = self._changed.versions() if self._reads_files else {}
        for identity, change in self._waiting.items():
            if change.kind is ChangeKind.PATCH:
                version = changed.get(identity, found.get(identity))
            else:
                version = self._waiting.version(identity, None)
            found.pop(identity, None)
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
