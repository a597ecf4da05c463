"""The indexes of a home: built from runs or from documents, tuned, and searched."""

import re
import shutil
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gossamer.app.document_changes import DocumentEditor, apply_waiting, wait_until_applied
from gossamer.app.document_loading import Loaded, LoadReport, load, located, refuse_emptied
from gossamer.app.home import Home, stored_url
from gossamer.app.index_documents import stored_document
from gossamer.app.index_ranks import statics_for
from gossamer.app.kernels import compile_kernels
from gossamer.app.standard_input import STANDARD_INPUT, STORED_INPUT, store_list, stored_input
from gossamer.config import IndexSettings, index_settings
from gossamer.errors import (
    FormatError,
    GossamerError,
    IndexFault,
    IndexHeld,
    IndexNotFound,
    NothingThere,
    StorageError,
    UsageError,
)
from gossamer.index.changes import AppliedChanges, ChangedSource, ChangeReport, Given
from gossamer.index.document_files import DocumentFiles
from gossamer.index.document_source import DocumentSource
from gossamer.index.fields import PAGE_FIELDS, Fields
from gossamer.index.formats import BadRow
from gossamer.index.generations import IndexFolder
from gossamer.index.pages import PageSource
from gossamer.index.reader import IndexReader
from gossamer.index.safety import SafetyList
from gossamer.index.shard_set import ShardSet, ShardSetWriter
from gossamer.index.statics import NO_STATICS
from gossamer.index.wording import Wording
from gossamer.index.writer import Change, Finish, IndexWriter, Progress, Source
from gossamer.lib.hashing import hash64
from gossamer.lib.locks import FileLock
from gossamer.query.dictionary import Dictionary
from gossamer.query.synonyms import Synonyms
from gossamer.rank.formula import Formula
from gossamer.rank.profiles import is_file, load_profile
from gossamer.search.companions import open_spelling, open_suggestions, write_companions
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.local import LocalSearcher
from gossamer.search.requests import search_request
from gossamer.search.shard import check_profile, formula_variables
from gossamer.search.sharded import ShardedSearcher
from gossamer.storage.document_changes import (
    CHANGES_FILE,
    ChangeCounts,
    ChangeKind,
    DocumentChanges,
    StoredChange,
)
from gossamer.storage.objects import LocalObjects, refusals
from gossamer.storage.query_log import QueryLog
from gossamer.storage.tombstones import Takedowns
from gossamer.text import Analyser, AnalysisSettings

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SETTINGS = "settings.json"
_REPORT = "report.json"
_SETTINGS_VERSION = 2
_PAST_QUERIES = 10_000
_LEAST_ASKED = 3
_WAIT_SECONDS = 10.0
_STORED = frozenset({CHANGES_FILE, f"{CHANGES_FILE}-journal", STORED_INPUT})
"""What lies beside an index, and cannot be made again from anything else."""

OnProgress = Callable[[Progress], None]


class _Description(Struct, frozen=True):
    """What an index is made of, and how: kept beside it, and read again at every update."""

    version: int
    runs: tuple[str, ...]
    documents: tuple[str, ...]  # paths of files; none where it is made of runs
    settings: dict[str, Any]
    clean: dict[str, int] = {}  # run -> the last of its takedowns that no file holds a trace of
    held: dict[str, int] = {}  # file -> documents that it had when it was last read


class IndexInfo(Struct, frozen=True):
    name: str
    documents: int
    generation: int
    shards: int
    parts: int
    built_at: float
    size_bytes: int
    cut: int  # documents that are not searched to their end
    runs: tuple[str, ...]
    files: tuple[str, ...]  # of documents; '-' is the stored standard input
    languages: dict[str, int]
    fields: dict[str, str]
    settings: dict[str, Any]
    changes: ChangeCounts | None  # stored changes of single documents; None: cannot be read


class Indexes:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._root = home.path / "indexes"
        self._searchers: dict[str, LocalSearcher | ShardedSearcher] = {}

    # Which there are

    def names(self) -> list[str]:
        if not self._root.exists():
            return []
        return sorted(path.parent.name for path in self._root.glob(f"*/{_SETTINGS}"))

    def info(self, name: str) -> IndexInfo:
        description = self._description(name)
        folder = self._folder(name)
        shards = ShardSet(folder.path)
        together = shards.manifest()
        if together is not None:
            folders = shards.folders(len(together.generations))
            manifests = shards.parts(together)
            generation, whole = together.number, together.whole
            paths = [shards.companions(together.number)]
        elif (manifest := folder.manifest()) is not None:
            folders, manifests = [folder], [manifest]
            generation, whole = manifest.generation, manifest.whole
            paths = []
        else:
            raise IndexNotFound(f"'{name}' was never built to its end: {_how_to_build(name)}.")
        for one, manifest in zip(folders, manifests, strict=True):
            paths.append(one.generation(manifest.generation))
            paths += [one.part(entry) for entry in manifest.parts]
        return IndexInfo(
            name=name,
            documents=whole.documents,
            generation=generation,
            shards=len(folders),
            parts=sum(len(manifest.parts) for manifest in manifests),
            built_at=max(manifest.built_at for manifest in manifests),
            size_bytes=sum(_size(path) for path in paths),
            cut=sum(manifest.cut for manifest in manifests),
            runs=description.runs,
            files=description.documents,
            languages=whole.languages,
            fields={field.name: field.type.value for field in manifests[0].fields.all},
            settings=description.settings,
            changes=self._change_counts(name),
        )

    def _change_counts(self, name: str) -> ChangeCounts | None:
        """An index can be searched even if the changes beside it are damaged."""
        try:
            return DocumentChanges(self._root / name).counts()
        except StorageError:
            return None

    def stamp(self, name: str) -> tuple[int, int]:
        """Another one whenever the index or its settings have changed."""
        self._description(name)
        settings = (self._root / name / _SETTINGS).stat().st_mtime_ns
        if (together := ShardSet(self._root / name).manifest()) is not None:
            return together.number, settings
        manifest = self._folder(name).manifest()
        return (manifest.generation if manifest else 0), settings

    def runs(self, name: str) -> tuple[str, ...]:
        """Those that an index is made of."""
        return self._description(name).runs

    def is_clean(self, name: str) -> bool:
        """Whether an index holds nothing of what its runs have had to forget."""
        return self._is_clean(self._description(name))

    def _is_clean(self, description: _Description) -> bool:
        clean = description.clean
        return all(clean.get(run, 0) >= self._takedowns(run) for run in description.runs)

    def delete(self, name: str) -> None:
        if name not in self.names():
            self._description(name)  # says so
        with self._held(name) as folder:
            shutil.rmtree(folder.path, ignore_errors=True)

    # Building

    def build(
        self,
        name: str,
        runs: Sequence[str],
        documents: Path | Sequence[Path] | None,
        settings: IndexSettings,
        on_progress: OnProgress = lambda _: None,
        *,
        reset: bool = False,
        allow_empty: bool = False,
    ) -> Change:
        """Make an index, or make it of something else than before.

        An index that is there keeps its settings, unless `settings` gives others, and the types of
        its fields; with `reset` it keeps neither. Changes of single documents are applied after the
        files. `documents`: files, read in this order; '-' is the standard input, which is stored in
        the home. `allow_empty`: a file that has lost all its documents is meant to be so."""
        check_index_name(name)
        paths = [documents] if isinstance(documents, Path) else list(documents or ())
        if bool(runs) == bool(paths):
            raise UsageError("An index is made of runs (--from) or of documents (--documents).")
        for run in runs:
            self._home.record(run)
        if runs:
            self._check_no_changes(name)
        files = tuple(
            STANDARD_INPUT if str(path) == STANDARD_INPUT else str(path.absolute())
            for path in paths
        )
        if STANDARD_INPUT in files and STANDARD_INPUT in _given_settings(settings).values():
            raise UsageError("The standard input ('-') can be read once: documents or a list.")
        with stored_input(self._root, files) as spooled, self._held(name) as folder:
            before = self._readable_description(name)
            settings, description, loaded = self._planned(
                name, tuple(runs), files, settings, before, spooled, reset=reset
            )
            if loaded:
                refuse_emptied(name, loaded.held, description.held, allow_empty)
            self._clear_damaged(folder)
            change, clean = self._cleaned(folder, description, settings, loaded, on_progress)
            if spooled is not None:
                spooled.replace(folder.path / STORED_INPUT)
            self._describe(folder, msgspec.structs.replace(description, clean=clean), loaded)
            if spooled is None:
                (folder.path / STORED_INPUT).unlink(missing_ok=True)
        self._show(name)
        self._catch_up(name)
        return change

    def _planned(
        self,
        name: str,
        runs: tuple[str, ...],
        documents: tuple[str, ...],
        given: IndexSettings,
        before: _Description | None,
        spooled: Path | None,
        *,
        reset: bool,
    ) -> tuple[IndexSettings, _Description, Loaded | None]:
        """What an index is going to be made of, and how. `spooled`: the standard input, where it is
        not stored yet."""
        kept = {} if reset else _kept_settings(before, given)
        settings = self._with_whole_paths(index_settings(kept, _given_settings(given)))
        whole = settings.model_dump(mode="json", exclude_defaults=True)
        clean, held = (before.clean, before.held) if before else ({}, {})
        description = _Description(_SETTINGS_VERSION, runs, documents, whole, clean, held)
        known = self._published_fields(name) if before and before.documents else None
        loaded = self._loaded(name, description, settings, known, spooled, keeps_types=not reset)
        try:
            self._check(settings, loaded.fields if loaded else PAGE_FIELDS)
        except UsageError as error:
            if not kept:
                raise
            raise UsageError(
                f"{error} The index keeps the settings {', '.join(sorted(kept))} from before: "
                "--reset gives them up, --config changes them."
            ) from None
        return settings, description, loaded

    def _loaded(
        self,
        name: str,
        description: _Description,
        settings: IndexSettings,
        known: Fields | None,
        spooled: Path | None = None,
        *,
        keeps_types: bool = True,
        dropped: Container[str] = (),
    ) -> Loaded | None:
        """The documents of files, read once, with the stored changes to apply; None where an index
        is made of runs. `known`: the fields of the index so far. `dropped`: ids of changes that are
        not applied."""
        if not description.documents:
            return None
        folder = self._root / name
        stored = DocumentChanges(folder).stored()
        return load(
            description.documents,
            spooled or folder / STORED_INPUT,
            settings,
            known,
            keeps_types=keeps_types,
            changes=[change for change in stored if change.id not in dropped],
        )

    def kept_settings(self, name: str, given: IndexSettings) -> dict[str, Any]:
        """The settings that an index would keep if it were built with the settings `given`."""
        return _kept_settings(self._readable_description(name), given)

    def _readable_description(self, name: str) -> _Description | None:
        """None where there is no index, or where its settings cannot be read."""
        try:
            return self._description(name) if name in self.names() else None
        except FormatError:
            return None

    def _published_fields(self, name: str) -> Fields | None:
        """Those of the index as it is; None where it was never built, or cannot be read."""
        folder = self._folder(name)
        try:
            found = ShardSet(folder.path).manifest() or folder.manifest()
        except FormatError:
            return None
        return found.fields if found else None

    def report(self, name: str) -> LoadReport | None:
        """What was found in the files of documents when they were last read."""
        self._description(name)
        data = LocalObjects(self._folder(name).path).get(_REPORT)
        try:
            return None if data is None else msgspec.json.decode(data, type=LoadReport)
        except msgspec.DecodeError:
            return None  # it is only a report: the next update writes it again

    def _clear_damaged(self, folder: IndexFolder) -> None:
        """Make room where an index lies that cannot be opened: nothing of it can be used again."""
        stored = set(_STORED)
        try:
            if folder.path.name in self.names():
                self._description(folder.path.name)
                stored.add(_SETTINGS)
            _open_once(folder)
        except FormatError:
            with refusals(f"Cannot write {folder.path}"):
                for path in sorted(folder.path.iterdir(), key=Path.is_dir):  # manifests first
                    if path.name in stored:
                        continue
                    if path.is_dir():
                        shutil.rmtree(path)
                    elif path not in (folder.lock, folder.path / STORED_INPUT):
                        path.unlink()

    def update(
        self,
        name: str,
        on_progress: OnProgress = lambda _: None,
        *,
        allow_empty: bool = False,
    ) -> Change:
        """Bring an index up to what its runs or its documents are now. If pages of its runs were
        forgotten, they are gone from its answers first, and then from its files. `allow_empty`: a
        file that has lost all its documents is meant to be so."""
        with self._held(name) as folder:
            change = self._updated(folder, on_progress, allow_empty=allow_empty)
        self._show(name)
        self._catch_up(name)
        return change

    def _updated(
        self,
        folder: IndexFolder,
        on_progress: OnProgress = lambda _: None,
        *,
        allow_empty: bool = False,
        dropped: Container[str] = (),
        before_writing: Callable[[], None] = lambda: None,
    ) -> Change:
        """`before_writing`: called when all documents have been read, before anything changes."""
        name = folder.path.name
        description, settings = self._description(name), self.settings(name)
        known = self._published_fields(name)
        loaded = self._loaded(name, description, settings, known, dropped=dropped)
        if loaded:
            refuse_emptied(name, loaded.held, description.held, allow_empty)
        before_writing()
        change, clean = self._cleaned(folder, description, settings, loaded, on_progress)
        self._describe(folder, msgspec.structs.replace(description, clean=clean), loaded)
        return change

    def _show(self, name: str) -> None:
        """Whoever has written an index finds it so at once."""
        if name in self._searchers:
            self._searchers[name].look()

    def _cleaned(
        self,
        folder: IndexFolder,
        description: _Description,
        settings: IndexSettings,
        loaded: Loaded | None,
        on_progress: OnProgress,
    ) -> tuple[Change, dict[str, int]]:
        """Write an index; if pages of its runs were forgotten since, so that no file of it holds
        them any more. Returns the takedowns that it is clean of then, too."""
        asked = {run: self._takedowns(run) for run in description.runs}
        is_new = not folder.exists() and not ShardSet(folder.path).exists()
        is_clean = is_new or self._is_clean(description)
        change = self._written(folder, description, settings, loaded, on_progress)
        if not is_clean:
            self._written(folder, description, settings, loaded, on_progress, anew=True)
        self._sweep(folder)
        return change, {run: last for run, last in asked.items() if last}

    def _takedowns(self, run: str) -> int:
        """The number of the last takedown in a run."""
        folder = self._home.folder(self._home.record(run).name)
        return Takedowns.load(LocalObjects(folder.path)).last

    def _sweep(self, folder: IndexFolder) -> None:
        shards = ShardSet(folder.path)
        (shards if shards.exists() else folder).sweep()

    def _written(
        self,
        folder: IndexFolder,
        description: _Description,
        settings: IndexSettings,
        loaded: Loaded | None,
        on_progress: OnProgress,
        *,
        anew: bool = False,
    ) -> Change:
        folder.clear_unreadable()
        compile_kernels()
        analysis = AnalysisSettings(stemming=settings.stemming, gram_size=settings.gram_size)
        kind = "documents" if loaded else "runs"
        fields = loaded.fields if loaded else PAGE_FIELDS
        unsafe = _unsafe(settings)
        source: Source
        statics = NO_STATICS
        changed = None
        if loaded:
            detect = language_of(settings.language)
            files = loaded.source(detect, unsafe, settings.language)
            applied = AppliedChanges(loaded.changes, _read_stamp(settings, unsafe))
            source = changed = ChangedSource(files, applied)
        else:
            stores = [self._home.store(self._home.record(run)) for run in description.runs]
            source = pages = PageSource(
                stores,
                unsafe,
                anchors=settings.anchors,
                uncrawled=settings.uncrawled_pages,
                is_forgotten=self._forgets(description.runs),
            )
            statics = statics_for(self._home, description.runs, pages.groups)
        sources = description.runs or description.documents
        finish, stamp = self._finish(folder.path.name, settings)
        shards = ShardSet(folder.path)
        if settings.shards > 1:
            several = ShardSetWriter(shards, settings.shards, fields, analysis, kind)
            change = several.write(source, sources, on_progress, finish, stamp, statics, anew=anew)
            folder.abandon()
        else:
            writer = IndexWriter(folder, fields, analysis, kind)
            change = writer.write(source, sources, on_progress, finish, stamp, statics, anew=anew)
            shards.abandon()
        if changed is not None and loaded and loaded.changes:
            DocumentChanges(folder.path).mark_applied(loaded.changes[-1].sequence)
            change = change._replace(
                stored_changes=changed.applied,
                stored_changes_without_document=changed.without_document,
            )
        return change

    def _files(
        self,
        name: str,
        description: _Description,
        settings: IndexSettings,
        fields: Fields,
        unsafe: SafetyList | None = None,
        versions: Mapping[int, int] | None = None,
    ) -> DocumentSource:
        """The documents of an index as they stand in its files. `versions`: those of a scan."""
        files = DocumentFiles(*located(description.documents, self._root / name / STORED_INPUT))
        detect = language_of(settings.language)
        return DocumentSource(files, fields, detect, unsafe, settings.language, versions)

    def _finish(self, name: str, settings: IndexSettings) -> tuple[Finish, str]:
        """What makes corrections and suggestions for a generation, and how it does that."""
        grams, dictionary = settings.spelling_grams, _dictionary(settings)
        past = self._past_queries(name)
        asked = hash64(repr(sorted(past)).encode()) if past else ""
        stamp = f"{grams} {dictionary.stamp if dictionary else ''} {asked}"

        def finish(generation: Path, wording: Wording) -> None:
            write_companions(generation, wording, grams, dictionary, past)

        return finish, stamp

    def _forgets(self, runs: Sequence[str]) -> Callable[[str], bool]:
        """Tells whether an address is to be forgotten in any of the runs."""
        known = []
        for name in runs:
            run = self._home.record(name)
            if gone := self._home.store(run).forgotten():
                known.append((gone, stored_url(run)))
        return lambda url: any(gone.covers_href(url, read_url) for gone, read_url in known)

    def _past_queries(self, name: str) -> dict[str, int]:
        """What several people have looked for in the index, and found: it is suggested to others.
        What only one has typed stays with them."""
        log = QueryLog(self._home.catalogue.database)
        popular = log.popular(0.0, _PAST_QUERIES, name, least=_LEAST_ASKED)
        return {one.text: one.searches for one in popular}

    # Settings

    def settings(self, name: str) -> IndexSettings:
        return index_settings(self._description(name).settings, {})

    def tune(self, name: str, changes: dict[str, Any]) -> IndexSettings:
        """Change settings of an index; those of queries act at the next one."""
        self._description(name)
        with self._held(name) as folder:  # what others tune meanwhile would be lost
            description = self._description(name)
            settings = self._with_whole_paths(index_settings(description.settings, changes))
            fields = self._published_fields(name) if description.documents else PAGE_FIELDS
            if fields is None:
                raise IndexNotFound(f"'{name}' was never built to its end: {_how_to_build(name)}.")
            self._check(settings, fields)
            kept = settings.model_dump(mode="json", exclude_defaults=True)
            self._describe(folder, msgspec.structs.replace(description, settings=kept))
        self._catch_up(name)
        return settings

    def _with_whole_paths(self, settings: IndexSettings) -> IndexSettings:
        """Files that settings name are found from wherever somebody searches; a list from standard
        input is stored in the home."""
        named = {
            name: path
            for name in ("synonyms", "unsafe_list", "dictionary")
            if (path := getattr(settings, name))
        }
        if is_file(settings.profile):
            named["profile"] = settings.profile
        if list(named.values()).count(str(STANDARD_INPUT)) > 1:
            raise UsageError("Standard input ('-') can be read once: for one of the lists.")
        whole = {
            name: store_list(self._home.path)
            if path == str(STANDARD_INPUT)
            else str(Path(path).absolute())
            for name, path in named.items()
        }
        return settings.model_copy(update=whole)

    def _check(self, settings: IndexSettings, fields: Fields) -> None:
        """What a setting names has to be there, before anybody asks."""
        check_profile(load_profile(settings.profile, self._profiles), fields)
        if settings.boost:
            Formula.parse(settings.boost, formula_variables(fields))
        _unsafe(settings)
        _dictionary(settings)
        if settings.synonyms:
            Synonyms.from_file(Path(settings.synonyms))
        for name in settings.field_weights:
            if name not in fields.texts:
                raise UsageError(
                    f"There is no text field '{name}', only: {', '.join(fields.texts)}."
                )

    # Changes of single documents

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
        unsafe = _unsafe(settings)
        versions = None
        if any(one.kind is ChangeKind.PATCH for one in waiting):
            versions = self._versions_in_files(name, description)

        def files(fields: Fields) -> DocumentSource:
            return self._files(name, description, settings, fields, unsafe, versions)

        stamp = _read_stamp(settings, unsafe)
        return apply_waiting(folder.path, waiting, files, stamp, self._finish(name, settings))

    def _versions_in_files(self, name: str, description: _Description) -> Mapping[int, int]:
        """identity -> version. A file that has lost all its documents is refused: patches of them
        wait until it is written again, or the index is updated."""
        stored = self._root / name / STORED_INPUT
        scan = DocumentFiles(*located(description.documents, stored)).scan(summarises=False)
        counts = [file.documents for file in scan.files]
        held = dict(zip(description.documents, counts, strict=True))
        refuse_emptied(name, held, description.held, allowed=False)
        return scan.versions

    def _catch_up(self, name: str) -> None:
        """Apply what was changed while this process held the writer lock. Another process that
        holds it now does the same."""
        with suppress(GossamerError):  # they stay stored, and the next change tries again
            self.apply_changes(name)

    def document_values(self, name: str) -> Iterator[dict[str, Any]]:
        """The documents of an index as they are given: those of the files with stored changes
        applied, then those that were added."""
        path = self.demand_documents(name)
        description, settings = self._description(name), self.settings(name)
        files = self._files(name, description, settings, Fields(()))
        changes = AppliedChanges(DocumentChanges(path).stored())
        yield from ChangedSource(files, changes).values()

    def folder_of(self, name: str) -> Path:
        self._description(name)
        return self._root / name

    def demand_documents(self, name: str) -> Path:
        """The folder of an index of documents; a fault where it is made of pages."""
        if self._description(name).runs:
            raise UsageError(
                f"The index '{name}' is made of the pages of runs: its documents are not changed "
                "one by one. Build an index of documents (--documents) for your own; "
                "'gossamer forget' removes a page."
            )
        return self._root / name

    def _check_no_changes(self, name: str) -> None:
        """Stored changes cannot be applied to pages."""
        counts = DocumentChanges(self._root / name).counts()
        if counts.all:
            raise UsageError(
                f"The index '{name}' has {counts.all} stored changes of single documents, which "
                "cannot be applied to pages of runs. 'gossamer index drop-changes "
                f"{name}' gives them up; or choose another name."
            )

    # Searching

    def search(self, index: str, query: str | SearchRequest, **options: Any) -> Answer:
        """Answer a query; `options` are the fields of a `SearchRequest`, filters as `filters_of`
        reads them."""
        return self.searcher(index).search(search_request(query, options))

    def suggest(self, index: str, text: str, limit: int = 10) -> list[str]:
        """Complete a query that is being typed."""
        return self.searcher(index).suggest(text, limit)

    def document(self, name: str, id: str) -> dict[str, Any]:
        """Return a document as it is stored: id, url, title, text, fields."""
        self._description(name)
        found = stored_document(self._root / name, id)
        if found is None:
            raise NothingThere(f"The index '{name}' has no document '{id}'.")
        return found

    def searcher(self, name: str) -> LocalSearcher | ShardedSearcher:
        shards = ShardSet(self._root / name)
        known = self._searchers.get(name)
        if known is not None and isinstance(known, ShardedSearcher) != shards.exists():
            known.close()  # it was built anew, in another way
            known = None
        if known is None:
            self.info(name)
            compile_kernels()  # before any search has a deadline, and before shards are started

            def settings() -> IndexSettings:
                return self.settings(name)

            if shards.exists():
                known = ShardedSearcher(shards, settings, self._profiles)
            else:
                known = LocalSearcher(self._folder(name), settings, self._profiles)
            self._searchers[name] = known
        return known

    def __enter__(self) -> "Indexes":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for searcher in self._searchers.values():
            searcher.close()
        self._searchers.clear()

    @property
    def _profiles(self) -> Path:
        return self._home.path / "profiles"

    # Files

    def _folder(self, name: str) -> IndexFolder:
        return IndexFolder(self._root / name)

    def _description(self, name: str) -> _Description:
        path = self._root / name / _SETTINGS
        if not _NAME.fullmatch(name) or not path.exists():
            known = self.names()
            there = f"There are: {', '.join(known)}." if known else _how_to_build(name) + "."
            raise IndexNotFound(f"There is no index '{name}'. {there}")
        try:
            description = msgspec.json.decode(path.read_bytes(), type=_Description)
        except msgspec.DecodeError as error:
            raise FormatError(f"{path} is damaged ({error}): build the index anew.") from None
        if description.version != _SETTINGS_VERSION:
            raise FormatError(
                f"{path} has version {description.version}, this version of Gossamer reads "
                f"{_SETTINGS_VERSION}: build the index anew."
            )
        return description

    def _describe(
        self, folder: IndexFolder, description: _Description, loaded: Loaded | None = None
    ) -> None:
        """Write what has changed; a new file would make others think that the index has, too."""
        objects = LocalObjects(folder.path)
        written: dict[str, Any] = {_SETTINGS: description}
        if loaded is not None:
            description = msgspec.structs.replace(description, held=loaded.held)
            written = {_REPORT: loaded.report, _SETTINGS: description}
        for name, value in written.items():
            data = msgspec.json.format(msgspec.json.encode(value), indent=1)
            if objects.get(name) != data:
                objects.put(name, data)

    @contextmanager
    def _held(self, name: str) -> Iterator[IndexFolder]:
        """The right to write to an index: one process at a time."""
        folder = self._folder(name)
        lock = FileLock(folder.lock)
        with refusals(f"Cannot write {folder.path}"):
            is_ours = lock.acquire()
        if not is_ours:
            raise IndexHeld(f"Process {lock.holder()} works on the index '{name}': wait for it.")
        try:
            yield folder
        finally:
            lock.release()


def _kept_settings(before: _Description | None, given: IndexSettings) -> dict[str, Any]:
    """Settings of an index that those that are given do not replace."""
    if before is None:
        return {}
    return {
        name: value for name, value in before.settings.items() if name not in given.model_fields_set
    }


def _given_settings(given: IndexSettings) -> dict[str, Any]:
    return {name: getattr(given, name) for name in given.model_fields_set}


def _read_stamp(settings: IndexSettings, unsafe: SafetyList | None) -> str:
    """How documents are read: where it is another one, all of them have changed."""
    return f"{settings.language} {unsafe.stamp if unsafe else ''}"


def _open_once(folder: IndexFolder) -> None:
    """Raises `FormatError` where a file of an index is damaged, or of another version."""
    shards = ShardSet(folder.path)
    if (together := shards.manifest()) is not None:
        for number, shard in enumerate(shards.folders(len(together.generations))):
            IndexReader(shard, shards.shard_of(together, number)).close()
        companions = shards.companions(together.number)
    elif folder.exists():
        reader = IndexReader(folder)
        companions = reader.generation
        reader.close()
    else:
        return
    open_spelling(companions)
    open_suggestions(companions)


def _unsafe(settings: IndexSettings) -> SafetyList | None:
    if not settings.unsafe_list:
        return None
    return SafetyList.from_file(Path(settings.unsafe_list), Analyser().words)


def _dictionary(settings: IndexSettings) -> Dictionary | None:
    if not settings.dictionary:
        return None
    return Dictionary.from_file(Path(settings.dictionary), Analyser().words)


def check_index_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"'{name}' cannot be the name of an index: letters, digits, '.', '_' and '-'."
        )


def _how_to_build(name: str) -> str:
    return f"'gossamer index build {name} --from RUN' makes it"


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def language_of(fixed: str) -> Callable[[str], str]:
    """Tells the language of a text: the one that is set, or what the text is in."""
    if fixed:
        return lambda _: fixed
    from gossamer.extract.language import detect, sample_of

    return lambda text: detect(sample_of(text.split("\n")))
