"""How are single documents of an index changed?

In: documents, patches and ids. Out: stored changes, and a generation in which they are searchable.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from gossamer.app.document_changes import DocumentEditor, apply_waiting, wait_until_applied
from gossamer.app.document_loading import located, refuse_emptied
from gossamer.app.index_building import IndexBuilding, OnProgress, read_stamp, unsafe_of
from gossamer.app.index_folders import Description
from gossamer.errors import (
    FormatError,
    GossamerError,
    IndexFault,
    UsageError,
)
from gossamer.index.changes import AppliedChanges, ChangedSource, ChangeReport, Given
from gossamer.index.document_files import DocumentFiles
from gossamer.index.document_source import DocumentSource
from gossamer.index.fields import Fields
from gossamer.index.formats import BadRow
from gossamer.index.generations import IndexFolder
from gossamer.index.writer import Change
from gossamer.storage.document_changes import (
    ChangeCounts,
    ChangeKind,
    DocumentChanges,
    StoredChange,
)

_WAIT_SECONDS = 10.0


class DocumentEditing(IndexBuilding):
    """Changes single documents of indexes."""

    def put_documents(
        self,
        index: str,
        documents: Iterable[Given | BadRow] | Mapping[str, Any],
        *,
        all_or_nothing: bool = False,
        wait: bool = True,
    ) -> ChangeReport:
        """Add documents to an index of documents, or replace those with the same id as a whole:
        mappings, or JSON objects as bytes; rows that could not be read are refused. They are stored
        in the home when this returns. `wait`: until they are searchable; else `apply_changes`, the
        next change, update or build applies them, or a server that runs. `all_or_nothing`: one that
        is refused refuses all."""
        return self._edited(ChangeKind.PUT, index, documents, all_or_nothing, wait)

    def patch_documents(
        self,
        index: str,
        documents: Iterable[Given | BadRow] | Mapping[str, Any],
        *,
        all_or_nothing: bool = False,
        wait: bool = True,
    ) -> ChangeReport:
        """Replace some fields of documents: each names its 'id' (or 'url'), and the fields that
        change. A field that is None is removed."""
        return self._edited(ChangeKind.PATCH, index, documents, all_or_nothing, wait)

    def _edited(
        self,
        kind: ChangeKind,
        index: str,
        documents: Iterable[Given | BadRow] | Mapping[str, Any],
        all_or_nothing: bool,
        wait: bool,
    ) -> ChangeReport:
        lines = [documents] if isinstance(documents, Mapping) else documents
        editor = DocumentEditor(self, index)
        return self._awaited(*editor.edit(kind, lines, all_or_nothing=all_or_nothing), wait)

    def remove_documents(
        self, index: str, ids: Iterable[str] | str, *, wait: bool = True
    ) -> ChangeReport:
        """Remove documents from an index of documents."""
        editor = DocumentEditor(self, index)
        return self._awaited(*editor.remove([ids] if isinstance(ids, str) else ids), wait)

    def change_document(
        self, name: str, kind: ChangeKind, document: str, value: bytes, *, wait: bool = True
    ) -> ChangeReport:
        """Change the document with this id, of which `value` is the JSON."""
        editor = DocumentEditor(self, name)
        if kind is ChangeKind.REMOVE:
            return self._awaited(*editor.remove([document]), wait)
        return self._awaited(*editor.edit(kind, [value], only_id=document), wait)

    def _awaited(self, report: ChangeReport, sequence: int, wait: bool) -> ChangeReport:
        if not report.stored:
            return report
        if not wait:
            return msgspec.structs.replace(report, searchable=False)
        why = wait_until_applied(self, report.index, sequence, _WAIT_SECONDS)
        return msgspec.structs.replace(report, searchable=not why, waiting_because=why)

    # Stored changes

    def stored_changes(self, name: str, after: int = 0, limit: int = 100) -> list[StoredChange]:
        """Part of the stored changes of an index, in the order in which they were made: those that
        follow a sequence number."""
        return DocumentChanges(self.demand_documents(name)).part(after, limit)

    def change_counts(self, name: str) -> ChangeCounts:
        return DocumentChanges(self.demand_documents(name)).counts()

    def drop_changes(
        self,
        name: str,
        ids: Iterable[str] | None = None,
        on_progress: OnProgress = lambda _: None,
        *,
        allow_empty: bool = False,
    ) -> tuple[int, Change]:
        """Give up stored changes, all or those of some ids, and update the index: its documents are
        those of its files again. Gives how many there were, and what the update did. If the files
        cannot be read, no change is given up. `allow_empty`: as for `update`."""
        changes = DocumentChanges(self.demand_documents(name))
        wanted = None if ids is None else [one.strip() for one in ids]
        dropped = 0

        def drop() -> None:
            nonlocal dropped
            dropped = changes.drop(wanted)

        with self._held(name) as folder:
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
        self._show(name)
        self._catch_up(name)
        return dropped, change

    def apply_changes(self, name: str) -> bool:
        """Apply stored changes that the index does not hold yet. Gives whether there were any.
        Raises `IndexHeld` while another process writes to the index."""
        changes = DocumentChanges(self.folder_of(name))
        were_any = False
        while changes.has_waiting():  # also those that come while we write
            with self._held(name) as folder:
                waiting = changes.stored(waiting=True)
                if not waiting:
                    break
                try:
                    change = self._apply(folder, waiting)
                except (UsageError, IndexFault):  # a patch needs a file that cannot be read
                    others = [one for one in waiting if one.kind is not ChangeKind.PATCH]
                    self._apply(folder, others)
                    self._show(name)
                    raise
                if change is None:
                    self._updated(folder)
                else:
                    changes.mark_applied(waiting[-1].sequence)
                were_any = True
            self._show(name)
        return were_any

    def _apply(self, folder: IndexFolder, waiting: Sequence[StoredChange]) -> Change | None:
        """Apply some changes to an index; None where it has to be updated as a whole."""
        name = folder.path.name
        description, settings = self._description(name), self.settings(name)
        unsafe = unsafe_of(settings)
        versions = None
        if any(one.kind is ChangeKind.PATCH for one in waiting):
            versions = self._versions_in_files(name, description)

        def files(fields: Fields) -> DocumentSource:
            return self._files(name, description, settings, fields, unsafe, versions)

        stamp = read_stamp(settings, unsafe)
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

    def document_values(self, name: str) -> Iterator[dict[str, Any]]:
        """The documents of an index as they are given: those of the files with stored changes
        applied, then those that were added."""
        path = self.demand_documents(name)
        description, settings = self._description(name), self.settings(name)
        files = self._files(name, description, settings, Fields(()))
        changes = AppliedChanges(DocumentChanges(path).stored())
        yield from ChangedSource(files, changes).values()

    def demand_documents(self, name: str) -> Path:
        """The folder of an index of documents; a fault where it is made of pages."""
        if self._description(name).runs:
            raise UsageError(
                f"The index '{name}' is made of the pages of runs: its documents are not changed "
                "one by one. Build an index of documents (--documents) for your own; "
                "'gossamer forget' removes a page."
            )
        return self._root / name

    def _catch_up(self, name: str) -> None:
        """Apply what was changed while this process held the writer lock. Another process that
        holds it now does the same."""
        with suppress(GossamerError):  # they stay stored, and the next change tries again
            self.apply_changes(name)
