"""Changes of single documents in batches: checked, stored, then applied to an index.

A change is acknowledged when it is on the disk of the home (`storage.document_changes`), whether or
not another process writes to the index at that moment. The holder of the writer lock checks for
waiting changes again after it has released the lock, so that none is left behind.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from gossamer.edits import (
    MOST_DETAILS,
    ChangeKind,
    ChangeReport,
    ChangeState,
    Detail,
    Edit,
)
from gossamer.errors import IndexNotFound
from gossamer.index.change_input import CheckedLine, checked
from gossamer.index.change_sources import AppliedChanges, RowSource, WaitingSource
from gossamer.index.documents import identity_of
from gossamer.index.fields import Fields
from gossamer.index.generations import IndexFolder, IndexManifest
from gossamer.index.shard_set import SetManifest, ShardSet, ShardSetWriter
from gossamer.index.writer import Finish, IndexWriter, Known, held_identities
from gossamer.storage.document_changes import DocumentChanges, EditResult, StoredChange
from gossamer.text import AnalysisSettings

_LINES_AT_ONCE = 1_000  # stored in one transaction
_BYTES_AT_ONCE = 16_000_000
_CHEAP_COMPANIONS = 5_000
"""Documents: corrections and suggestions of so few are made again with every change. Of more, they
stay as they are until the next update, or until a twentieth of them has changed at once."""
_CHANGED_SHARE = 20
_KIND = "documents"
_BEHIND = "corrections and suggestions are behind"

FilesOf = Callable[[Fields], RowSource]
"""Opens the files of an index; their documents get values of these fields."""


class Batch(NamedTuple):
    """Changes that were stored in one transaction, under adjacent sequence numbers."""

    first: int
    lines: list[int]


class StoredEdits:
    """The edits of one call that have been stored, and their report."""

    def __init__(self, index: str, changes: DocumentChanges) -> None:
        self._index = index
        self._changes = changes
        self._counts = dict.fromkeys(EditResult, 0)
        self._refused = self._misfits = self._unknown = 0
        self._details: list[Detail] = []
        self._batches: list[Batch] = []
        self.lines = 0
        """The last line that is stored or refused."""

    def describe(self, lines: Iterable[CheckedLine]) -> None:
        """Count the lines that are refused, and describe what is wrong with any."""
        for line in lines:
            self.lines = line.line
            self._refused += line.edit is None
            self._misfits += line.misfits
            self._unknown += line.unknown
            self._describe(line.details)

    def add(
        self, edits: Sequence[tuple[int, Edit]], results: list[EditResult], sequences: list[int]
    ) -> None:
        lines: list[int] = []
        for (line, edit), result, sequence in zip(edits, results, sequences, strict=True):
            self._counts[result] += 1
            if sequence:
                lines.append(line)
            else:
                message = f"Index '{self._index}' has no document '{edit.id}'."
                self._describe([Detail(line, edit.id, "missing", message)])
        if lines:
            self._batches.append(Batch(max(sequences) - len(lines) + 1, lines))

    def _describe(self, details: Iterable[Detail]) -> None:
        self._details += details
        del self._details[MOST_DETAILS:]

    def are_waiting(self) -> bool:
        """Return True if any of them is not applied to the index yet."""
        return any(
            self._changes.sequences(ChangeState.WAITING, one.first, one.first + len(one.lines) - 1)
            for one in self._batches
        )

    def report(self) -> ChangeReport:
        counts = self._counts
        return ChangeReport(
            self._index,
            added=counts[EditResult.ADDED],
            changed=counts[EditResult.CHANGED],
            removed=counts[EditResult.REMOVED],
            missing=counts[EditResult.MISSING],
            refused=self._refused,
            misfits=self._misfits,
            unknown_fields=self._unknown,
            details=tuple(self._details),
        )

    def applied_report(self, why_waiting: str) -> ChangeReport:
        """The report after they were applied: a patch of a document that is no longer in its file
        has changed nothing, and is counted as missing."""
        report = replace(self.report(), searchable=not why_waiting, waiting_because=why_waiting)
        details = list(report.details)
        missing = 0
        for one in self._batches:
            last = one.first + len(one.lines) - 1
            found = self._changes.sequences(ChangeState.WITHOUT_DOCUMENT, one.first, last)
            missing += len(found)
            for sequence, name in found[:MOST_DETAILS]:
                message = (
                    f"Document '{name}' is no longer in its file: not changed. The patch is "
                    "stored, in case the document returns."
                )
                details.append(Detail(one.lines[sequence - one.first], name, "missing", message))
        return replace(
            report,
            changed=report.changed - missing,
            missing=report.missing + missing,
            details=tuple(details[:MOST_DETAILS]),
        )


class DocumentEditor:
    """Checks and stores changes of the documents of one index."""

    def __init__(self, index: str, path: Path, check: Callable[[], object]) -> None:
        """`check`: raises an error where documents of the index cannot be changed; called again
        whenever changes are stored."""
        check()
        self._index = index
        self._check = check
        self._changes = DocumentChanges(path)
        self._fields, self._folders = _layout(index, path)

    def store(
        self, stored: StoredEdits, edits: Iterable[Edit], *, all_or_nothing: bool = False
    ) -> None:
        """Store edits, a batch at a time; blank lines are skipped. `stored` counts them, also if
        an error ends this early."""
        lines = (
            checked(edit, edit.line or number, self._fields)
            for number, edit in enumerate(edits, 1)
            if edit.id or edit.fault or edit.value.strip() or edit.kind is ChangeKind.REMOVE
        )
        if not all_or_nothing:
            for batch in _batches(lines):
                self._store(stored, batch)
            return
        whole = list(lines)
        if refused := [line for line in whole if line.edit is None]:
            stored.describe(refused)
        else:
            self._store(stored, whole)

    def _store(self, stored: StoredEdits, batch: Sequence[CheckedLine]) -> None:
        edits = [(line.line, line.edit) for line in batch if line.edit is not None]
        if edits:
            plain = [edit for _, edit in edits]
            results, sequences = self._changes.add(plain, self._indexed, time.time())
            stored.add(edits, results, sequences)
        stored.describe(batch)

    def _indexed(self, ids: set[str]) -> set[str]:
        """The ids that are in the index. Called while nothing else can be stored."""
        self._check()
        wanted = {identity_of(one): one for one in ids}
        found: set[str] = set()
        for folder in self._folders if wanted else ():
            held = folder.hold()
            if held is None:
                continue
            descriptor, manifest = held
            try:
                found |= {wanted[one] for one in held_identities(folder, manifest, wanted)}
            finally:
                os.close(descriptor)
        return found


def _batches(lines: Iterator[CheckedLine]) -> Iterator[list[CheckedLine]]:
    batch: list[CheckedLine] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line.edit.value) if line.edit else 0
        if len(batch) >= _LINES_AT_ONCE or size >= _BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _layout(name: str, path: Path) -> tuple[Fields, list[IndexFolder]]:
    """The fields of an index, and the folders of its shards."""
    shards = ShardSet(path)
    together = shards.manifest()
    if together is not None:
        return together.fields, shards.folders(len(together.generations))
    folder = IndexFolder(path)
    manifest = folder.manifest()
    if manifest is None:
        raise IndexNotFound(
            f"The index '{name}' was never built completely. Build it before changing documents: "
            f"'gossamer index build {name} --documents FILE'."
        )
    return manifest.fields, [folder]


# Applying


class Applied(NamedTuple):
    """The result of applying waiting changes."""

    changes: Sequence[StoredChange]
    without_document: Sequence[StoredChange]


def apply_waiting(
    path: Path,
    waiting: Sequence[StoredChange],
    files_of: FilesOf,
    read_stamp: str,
    finishing: tuple[Finish, str],
) -> Applied | None:
    """Publish a generation with the waiting changes, without reading all documents again. None:
    the index has to be updated as a whole. For the holder of the writer lock. `read_stamp`: of how
    documents are read; `finishing`: what makes corrections and suggestions, and how."""
    shards = ShardSet(path)
    together = shards.manifest()
    folders = shards.folders(len(together.generations)) if together else [IndexFolder(path)]
    manifests = [one for folder in folders if (one := folder.manifest()) is not None]
    if len(manifests) < len(folders):
        return None
    if together and together.generations != tuple(one.generation for one in manifests):
        return None  # a writer was killed: some shards are ahead of the others
    whole: SetManifest | IndexManifest = together or manifests[0]
    fields, analysis = whole.fields, AnalysisSettings(**whole.analysis)
    indexed: dict[int, int] = {}
    for folder, manifest in zip(folders, manifests, strict=True):
        if IndexWriter(folder, fields, analysis, _KIND).current() != manifest:
            return None  # it was analysed by another version
        indexed.update(Known(folder, manifest).versions())
    source = WaitingSource(indexed, files_of(fields), AppliedChanges(waiting, read_stamp))
    finish, finish_stamp = finishing
    few = len(indexed) <= _CHEAP_COMPANIONS or len(waiting) * _CHANGED_SHARE >= len(indexed)
    writer = (
        ShardSetWriter(shards, len(folders), fields, analysis, _KIND)
        if together
        else IndexWriter(folders[0], fields, analysis, _KIND)
    )
    writer.write(
        source,
        whole.sources,
        finish=finish if few else None,
        stamp=finish_stamp if few else _BEHIND,  # the next update sees that it is another one
    )
    return Applied(waiting, source.without_document)
