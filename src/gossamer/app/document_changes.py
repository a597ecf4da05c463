"""Changes of single documents of an index: checked, stored, then applied.

A change is acknowledged when it is on the disk of the home (`storage.document_changes`), whether or
not another process writes to the index at that moment. The holder of the writer lock
checks for waiting changes again after it has released the lock, so that none is left behind.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.errors import GossamerError, IndexHeld, IndexNotFound, UsageError
from gossamer.index.changes import (
    MOST_DETAILS,
    AppliedChanges,
    ChangeReport,
    CheckedLine,
    Detail,
    Given,
    RowSource,
    WaitingSource,
    as_line,
    checked,
    lines_of,
)
from gossamer.index.documents import identity_of
from gossamer.index.fields import Fields
from gossamer.index.formats import BadRow, FileReader
from gossamer.index.generations import IndexFolder, IndexManifest
from gossamer.index.shard_set import SetManifest, ShardSet, ShardSetWriter
from gossamer.index.writer import Change, Finish, IndexWriter, Known, held_identities
from gossamer.storage.document_changes import (
    ChangeKind,
    DocumentChanges,
    Edit,
    EditResult,
    StoredChange,
)
from gossamer.text import AnalysisSettings

if TYPE_CHECKING:
    from gossamer.app.document_editing import DocumentEditing

_LINES_AT_ONCE = 1_000  # stored in one transaction
_BYTES_AT_ONCE = 16_000_000
_PAUSE_SECONDS = 0.05
_CHEAP_COMPANIONS = 5_000
"""Documents: corrections and suggestions of so few are made again with every change. Of more, they
stay as they are until the next update, or until a twentieth of them has changed at once."""
_CHANGED_SHARE = 20
_KIND = "documents"
_BEHIND = "corrections and suggestions are behind"

FilesOf = Callable[[Fields], RowSource]
"""Opens the files of an index; their documents get values of these fields."""


class DocumentEditor:
    """Stores changes of the documents of one index, and has them applied."""

    def __init__(self, indexes: "DocumentEditing", name: str) -> None:
        self._indexes = indexes
        self._name = name
        self._path = indexes.demand_documents(name)
        self._changes = DocumentChanges(self._path)
        self._fields, self._folders = _layout(name, self._path)

    def edit(
        self,
        kind: ChangeKind,
        lines: Iterable[Given | BadRow],
        *,
        only_id: str | None = None,
        all_or_nothing: bool = False,
    ) -> tuple[ChangeReport, int]:
        """Store whole documents or patches, each the JSON of an object or a mapping; blank lines
        are skipped, and rows that could not be read are refused. Gives the report,
        and the sequence number of the last change."""
        read = (
            self._checked(line, number, kind, only_id)
            for number, line in enumerate(lines, 1)
            if not isinstance(line, bytes) or line.strip()
        )
        if all_or_nothing:
            whole = list(read)
            if any(one.edit is None for _, one in whole):
                return _refusal(self._name, whole), 0
            return self._store([whole])
        return self._store(_batches(read))

    def remove(self, ids: Iterable[str]) -> tuple[ChangeReport, int]:
        """Store the removal of documents."""
        read = (
            (number, CheckedLine(Edit(ChangeKind.REMOVE, one.strip()), (), 0, 0))
            for number, one in enumerate(ids, 1)
        )
        return self._store(_batches(read))

    def _checked(
        self, line: Given | BadRow, number: int, kind: ChangeKind, only_id: str | None
    ) -> tuple[int, CheckedLine]:
        try:
            if isinstance(line, BadRow):
                raise UsageError(f"{line.where}: {line.reason}.")
            data = line if isinstance(line, bytes) else as_line(line)
        except UsageError as error:
            refused = Detail(number, "", "refused", str(error))
            return number, CheckedLine(None, (refused,), 0, 0)
        return number, checked(data, number, kind, self._fields, only_id)

    def _store(self, batches: Iterable[list[tuple[int, CheckedLine]]]) -> tuple[ChangeReport, int]:
        counts = dict.fromkeys(EditResult, 0)
        refused = misfits = unknown = last = 0
        details: list[Detail] = []
        for batch in batches:
            edits = [(number, one.edit) for number, one in batch if one.edit is not None]
            refused += len(batch) - len(edits)
            misfits += sum(one.misfits for _, one in batch)
            unknown += sum(one.unknown for _, one in batch)
            details += [detail for _, one in batch for detail in one.details]
            if not edits:
                continue
            indexed = self._indexed({edit.id for _, edit in edits})
            plain = [edit for _, edit in edits]
            results, last = self._changes.add(plain, indexed.__contains__, time.time())
            for (number, edit), result in zip(edits, results, strict=True):
                counts[result] += 1
                if result is EditResult.MISSING:
                    message = f"The index '{self._name}' has no document '{edit.id}'."
                    details.append(Detail(number, edit.id, "missing", message))
            del details[MOST_DETAILS:]
        report = ChangeReport(
            self._name,
            added=counts[EditResult.ADDED],
            changed=counts[EditResult.CHANGED],
            removed=counts[EditResult.REMOVED],
            missing=counts[EditResult.MISSING],
            refused=refused,
            misfits=misfits,
            unknown_fields=unknown,
            details=tuple(details[:MOST_DETAILS]),
        )
        return report, last

    def _indexed(self, ids: set[str]) -> set[str]:
        """The ids that are in the index."""
        wanted = {identity_of(one): one for one in ids - self._changes.known(ids)}
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


def _batches(
    read: Iterator[tuple[int, CheckedLine]],
) -> Iterator[list[tuple[int, CheckedLine]]]:
    batch: list[tuple[int, CheckedLine]] = []
    size = 0
    for number, one in read:
        batch.append((number, one))
        size += len(one.edit.value) if one.edit else 0
        if len(batch) >= _LINES_AT_ONCE or size >= _BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _refusal(name: str, whole: Sequence[tuple[int, CheckedLine]]) -> ChangeReport:
    """Of a batch of which nothing was stored."""
    wrong = [one for _, one in whole if one.edit is None]
    details = [detail for one in wrong for detail in one.details]
    return ChangeReport(name, refused=len(wrong), details=tuple(details[:MOST_DETAILS]))


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
            f"The index '{name}' was never built to its end. Build it before changing documents: "
            f"'gossamer index build {name} --documents FILE'."
        )
    return manifest.fields, [folder]


def read_lines(file: Iterable[bytes]) -> Iterator[bytes]:
    """The documents in a file of JSON Lines or with a JSON array, one after the other."""
    lines = iter(file)
    first = next(lines, b"").removeprefix(b"\xef\xbb\xbf")
    while not first.strip():
        following = next(lines, None)
        if following is None:
            return
        yield first  # blank: it counts as a line
        first = following
    if first.lstrip().startswith(b"["):
        yield from lines_of(b"".join([first, *lines]))
        return
    yield first
    yield from lines


def rows_of(path: Path) -> Iterator[Mapping[str, Any] | BadRow]:
    """The documents of a file of any format that an index can be built from."""
    for row in FileReader(path).rows():
        yield row if isinstance(row, BadRow) else row.value


# Applying


def wait_until_applied(indexes: "DocumentEditing", name: str, sequence: int, seconds: float) -> str:
    """Apply changes, or wait until another process has. Gives why they are not searchable yet; ''
    where they are."""
    changes = DocumentChanges(indexes.folder_of(name))
    until = time.monotonic() + seconds
    while True:
        try:
            indexes.apply_changes(name)
        except IndexHeld as error:
            reason = str(error)
        except GossamerError as error:
            return str(error)
        else:
            reason = ""
        if changes.applied() >= sequence:
            return ""
        if time.monotonic() > until:
            return reason or "Other changes came in between."
        time.sleep(_PAUSE_SECONDS)


def apply_waiting(
    path: Path,
    waiting: Sequence[StoredChange],
    files_of: FilesOf,
    read_stamp: str,
    finishing: tuple[Finish, str],
) -> Change | None:
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
    return writer.write(
        source,
        whole.sources,
        finish=finish if few else None,
        stamp=finish_stamp if few else _BEHIND,  # the next update sees that it is another one
    )
