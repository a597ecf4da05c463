"""How are single documents of an index changed?

In: documents, patches and ids. Out: stored changes, and a generation in which they are searchable.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import structs

from gossamer.app.change_batches import Applied, DocumentEditor, StoredEdits, apply_waiting
from gossamer.app.document_loading import located, refuse_emptied
from gossamer.app.index_building import IndexBuilding, OnProgress, read_stamp, unsafe_of
from gossamer.app.index_folders import KIND_LOCK, Description
from gossamer.edits import (
    ChangeCard,
    ChangeCounts,
    ChangeKind,
    ChangeReport,
    Documents,
    Edit,
    Ids,
    PartlyStored,
    each_document,
    each_id,
    edit_of,
)
from gossamer.errors import (
    FormatError,
    GossamerError,
    IndexFault,
    IndexHeld,
    UsageError,
)
from gossamer.index.change_sources import AppliedChanges, ChangedSource
from gossamer.index.document_files import DocumentFiles
from gossamer.index.document_source import DocumentSource
from gossamer.index.fields import Fields
from gossamer.index.generations import IndexFolder
from gossamer.index.writer import Change
from gossamer.lib.locks import FileLock
from gossamer.storage.document_changes import DocumentChanges, StoredChange

_WAIT_SECONDS = 10.0
_PAUSE_SECONDS = 0.05
_CARDS_AT_ONCE = 1_000


class DocumentEditing(IndexBuilding):
    """Changes single documents of indexes."""

    def put_documents(
        self, index: str, documents: Documents, *, all_or_nothing: bool = False, wait: bool = True
    ) -> ChangeReport:
        """Add documents to an index of documents, or replace those with the same id as a whole:
        one or several, each a mapping or a JSON object as bytes. They are stored in the home when
        this returns. `wait`: until they are searchable; else `apply_changes`, the next change,
        update or build applies them, or a server that runs. `all_or_nothing`: one that is refused
        refuses all."""
        edits = (edit_of(ChangeKind.PUT, one) for one in each_document(documents))
        return self.edit(index, edits, all_or_nothing=all_or_nothing, wait=wait)

    def patch_documents(
        self, index: str, documents: Documents, *, all_or_nothing: bool = False, wait: bool = True
    ) -> ChangeReport:
        """Replace some fields of documents: each names its 'id' (or 'url'), and the fields that
        change. A field that is None is removed."""
        edits = (edit_of(ChangeKind.PATCH, one) for one in each_document(documents))
        return self.edit(index, edits, all_or_nothing=all_or_nothing, wait=wait)

    def remove_documents(self, index: str, ids: Ids, *, wait: bool = True) -> ChangeReport:
        """Remove documents from an index of documents."""
        return self.edit(index, (Edit(ChangeKind.REMOVE, one) for one in each_id(ids)), wait=wait)

    def edit(
        self, index: str, edits: Iterable[Edit], *, all_or_nothing: bool = False, wait: bool = True
    ) -> ChangeReport:
        """Store edits of documents, and apply them with `wait`. Raises `PartlyStored` where an
        error ends this early and a part is stored."""
        path = self.folder_of(index)
        stored = StoredEdits(index, DocumentChanges(path))
        editor = DocumentEditor(index, path, lambda: self._check_editable(index))
        try:
            editor.store(stored, edits, all_or_nothing=all_or_nothing)
        except Exception as error:
            number = stored.report().stored
            if not number:
                raise
            changes = "1 change is stored" if number == 1 else f"{number:,} changes are stored"
            message = f"{changes}; line {stored.lines + 1:,} and later are not."
            report = self._awaited(index, stored, wait)
            if isinstance(error, GossamerError):
                raise PartlyStored(f"{error} {message}", report) from error
            error.add_note(message)  # of the iterable that was given
            raise
        return self._awaited(index, stored, wait)

    def _check_editable(self, index: str) -> None:
        """Raise an error where the documents of an index cannot be changed one by one."""
        if self._description(index).runs:
            raise UsageError(
                f"Index '{index}' is built from runs; single documents cannot be changed."
            )
        if FileLock(self.folder_of(index) / KIND_LOCK).holder() is not None:
            raise IndexHeld(
                f"Index '{index}' is being rebuilt from runs; single documents cannot be changed."
            )

    def _awaited(self, index: str, stored: StoredEdits, wait: bool) -> ChangeReport:
        report = stored.report()
        if not report.stored:
            return report
        if not wait:
            return structs.replace(report, searchable=False)
        return stored.applied_report(self._why_waiting(index, stored))

    def _why_waiting(self, index: str, stored: StoredEdits) -> str:
        """Apply changes, or wait until another process has. Returns why those that were `stored`
        are not searchable yet; '' where they are."""
        until = time.monotonic() + _WAIT_SECONDS
        while True:
            reason = "Still applying other changes."
            try:
                self.apply_changes(index)
            except IndexHeld as error:
                reason = str(error)
            except GossamerError as error:  # which may concern other changes alone
                return str(error) if stored.are_waiting() else ""
            if not stored.are_waiting():
                return ""
            if time.monotonic() > until:
                return reason
            time.sleep(_PAUSE_SECONDS)

    # Stored changes

    def stored_changes(self, index: str, after: int = 0) -> Iterator[ChangeCard]:
        """The stored changes of an index, oldest first: those that follow a sequence number."""
        changes = DocumentChanges(self.folder_of(index))
        while some := changes.cards(after, _CARDS_AT_ONCE):
            yield from some
            after = some[-1].sequence

    def change_counts(self, index: str) -> ChangeCounts:
        return DocumentChanges(self.folder_of(index)).counts()

    def drop_changes(
        self,
        index: str,
        ids: Ids | None = None,
        on_progress: OnProgress = lambda _: None,
        *,
        allow_empty: bool = False,
    ) -> tuple[int, Change]:
        """Discard stored changes, all or those of some ids, and update the index: its documents are
        those of its files again. Returns how many there were, and what the update did. If the files
        cannot be read, no change is discarded. `allow_empty`: as for `update`."""
        changes = DocumentChanges(self.folder_of(index))
        wanted = None if ids is None else [one.strip() for one in each_id(ids)]
        dropped = 0

        def drop() -> None:
            nonlocal dropped
            dropped = changes.drop(wanted)

        with self._held(index) as folder:
            try:
                stored = [one.id for one in changes.stored()]
            except FormatError:
                if wanted is not None:
                    raise
                changes.discard()
                stored = []
            change = self._updated(
                folder,
                on_progress,
                allow_empty=allow_empty,
                dropped=set(stored if wanted is None else wanted),
                before_writing=drop,
            )
        self._show(index)
        self._catch_up(index)
        return dropped, change

    def apply_changes(self, index: str) -> bool:
        """Apply stored changes that the index does not hold yet. Returns whether there were any.
        Raises `IndexHeld` while another process writes to the index."""
        changes = DocumentChanges(self.folder_of(index))
        were_any = False
        while changes.has_waiting() and not self._description(index).runs:
            with self._held(index) as folder:  # in a loop: more may come while we write
                waiting = changes.stored(waiting=True)
                if not waiting:
                    break
                self._apply(folder, changes, waiting)
                were_any = True
            self._show(index)
        return were_any

    def _apply(
        self, folder: IndexFolder, changes: DocumentChanges, waiting: Sequence[StoredChange]
    ) -> None:
        """Apply waiting changes. If a patch needs a file that cannot be read, apply the others, and
        raise the error."""
        try:
            applied = self._applied(folder, waiting)
        except (UsageError, IndexFault):
            others = [one for one in waiting if one.kind is not ChangeKind.PATCH]
            if others and len(others) < len(waiting):
                applied = self._applied(folder, others)
                if applied is not None:
                    changes.mark_applied(*applied)
                    self._show(folder.path.name)
            raise
        if applied is None:
            self._updated(folder)
        else:
            changes.mark_applied(*applied)

    def _applied(self, folder: IndexFolder, waiting: Sequence[StoredChange]) -> Applied | None:
        """Publish the index with some changes; None where it has to be updated as a whole."""
        name = folder.path.name
        description, settings = self._description(name), self.settings(name)
        unsafe = unsafe_of(settings)
        versions = None
        if any(one.kind is ChangeKind.PATCH for one in waiting):
            versions = self._versions_in_files(name, description)

        def files(fields: Fields) -> DocumentSource:
            return self._files(name, description, settings, fields, unsafe, versions)

        stamp = read_stamp(settings, description, unsafe)
        return apply_waiting(folder.path, waiting, files, stamp, self._finish(name, settings))

    def _versions_in_files(self, name: str, description: Description) -> Mapping[int, int]:
        """identity -> version. A file that has lost all its documents is refused: patches of them
        wait until it is written again, or the index is updated."""
        stored = self._root / name / description.stored_input
        scan = DocumentFiles(*located(description.documents, stored)).scan(summarises=False)
        counts = [file.documents for file in scan.files]
        held = dict(zip(description.documents, counts, strict=True))
        refuse_emptied(name, held, description.held, allowed=False)
        return scan.versions

    # Documents

    def document_values(self, index: str) -> Iterator[dict[str, Any]]:
        """The documents of an index as they are given: those of the files with stored changes
        applied, then those that were added."""
        description, settings = self._description(index), self.settings(index)
        files = self._files(index, description, settings, Fields(()))
        changes = AppliedChanges(DocumentChanges(self.folder_of(index)).stored())
        yield from ChangedSource(files, changes).values()

    def _catch_up(self, name: str) -> None:
        """Apply what was changed while this process held the writer lock. Another process that
        holds it now does the same."""
        with suppress(GossamerError):  # they stay stored, and the next change tries again
            self.apply_changes(name)
