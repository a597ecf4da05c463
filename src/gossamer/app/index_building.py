"""How does an index become what its runs or its files are now?

In: runs or files of documents, and settings. Out: a generation of an index, and its description.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import msgspec

from gossamer.app.document_languages import common_language, language_of
from gossamer.app.document_loading import Loaded, load, located, refuse_emptied
from gossamer.app.home import stored_url
from gossamer.app.index_folders import (
    KIND_LOCK,
    SETTINGS_VERSION,
    Description,
    IndexFolders,
    check_index_name,
    how_to_build,
)
from gossamer.app.index_ranks import statics_for
from gossamer.app.kernels import compile_kernels
from gossamer.app.standard_input import (
    remove_inputs,
    spooled_input,
    store_input,
    store_list,
)
from gossamer.config import STANDARD_INPUT, IndexSettings, index_settings
from gossamer.errors import (
    IndexNotFound,
    UsageError,
)
from gossamer.index.change_sources import AppliedChanges, ChangedSource
from gossamer.index.document_files import DocumentFiles
from gossamer.index.document_source import DocumentSource
from gossamer.index.fields import PAGE_FIELDS, Fields
from gossamer.index.generations import IndexFolder
from gossamer.index.pages import PageSource
from gossamer.index.safety import SafetyList
from gossamer.index.shard_set import ShardSet, ShardSetWriter
from gossamer.index.statics import NO_STATICS
from gossamer.index.wording import Wording
from gossamer.index.writer import Change, Finish, IndexWriter, Progress, Source
from gossamer.lib.counts import several
from gossamer.lib.hashing import hash64
from gossamer.lib.locks import FileLock
from gossamer.query.dictionary import Dictionary
from gossamer.query.synonyms import Synonyms
from gossamer.rank.formula import Formula
from gossamer.rank.profiles import is_file, load_profile
from gossamer.search.checking import check_profile, formula_variables
from gossamer.search.companions import write_companions
from gossamer.storage.document_changes import DocumentChanges
from gossamer.storage.objects import LocalObjects
from gossamer.storage.query_log import QueryLog
from gossamer.storage.tombstones import Takedowns
from gossamer.text import Analyser, AnalysisSettings

_PAST_QUERIES = 10_000
_LEAST_ASKED = 3

OnProgress = Callable[[Progress], None]


class IndexBuilding(IndexFolders):
    """Builds, updates and tunes indexes."""

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
        """Make an index, or make it of something else than before; without `runs` and `documents`,
        rebuild it from its own sources.

        An index that is there keeps its settings, unless `settings` gives others, and the types of
        its fields; with `reset` it keeps neither. Changes of single documents are applied after the
        files. `documents`: files, read in this order; '-' is the standard input, which is stored in
        the home. `allow_empty`: a file that has lost all its documents is meant to be so."""
        check_index_name(name)
        paths = [documents] if isinstance(documents, Path) else list(documents or ())
        before = self._readable_description(name)
        is_rebuilt = before is not None and not runs and not paths
        if before is not None and is_rebuilt:
            runs, paths = before.runs, list(map(Path, before.documents))
        if not runs and not paths:
            raise UsageError(
                f"There is no index '{name}' to build again. Give its sources: --from RUN or "
                "--documents FILE."
            )
        if runs and paths:
            raise UsageError("Give either --from RUN or --documents FILE, not both.")
        for run in runs:
            self._home.record(run)
        files = tuple(
            STANDARD_INPUT if str(path) == STANDARD_INPUT else str(path.absolute())
            for path in paths
        )
        if STANDARD_INPUT in files and STANDARD_INPUT in given_settings_of(settings).values():
            raise UsageError("The standard input ('-') can be read once: documents or a list.")
        with (
            spooled_input(self._root, () if is_rebuilt else files) as spooled,
            self._held(name) as folder,
            self._no_changes(folder) if runs else nullcontext(),
        ):
            before = self._readable_description(name)
            settings, description, loaded = self._planned(
                name, tuple(runs), files, settings, before, spooled, reset=reset
            )
            if loaded:
                refuse_emptied(name, loaded.held, description.held, allow_empty)
            self._clear_damaged(folder)
            if spooled is not None:
                stored = store_input(folder.path, spooled)
                description = msgspec.structs.replace(description, stored_input=stored)
            change, clean = self._cleaned(folder, description, settings, loaded, on_progress)
            self._describe(folder, msgspec.structs.replace(description, clean=clean), loaded)
            remove_inputs(folder.path, kept=description.stored_input)
        self._show(name)
        self._catch_up(name)
        return change

    def _planned(
        self,
        name: str,
        runs: tuple[str, ...],
        documents: tuple[str, ...],
        given: IndexSettings,
        before: Description | None,
        spooled: Path | None,
        *,
        reset: bool,
    ) -> tuple[IndexSettings, Description, Loaded | None]:
        """The sources and settings of an index to build. `spooled`: the standard input, where it
        is not stored yet."""
        kept = {} if reset else kept_settings_of(before, given)
        settings = self._with_whole_paths(name, index_settings(kept, given_settings_of(given)))
        whole = settings.model_dump(mode="json", exclude_defaults=True)
        clean, held = (before.clean, before.held) if before else ({}, {})
        stored = before.stored_input if before and STANDARD_INPUT in documents else ""
        description = Description(SETTINGS_VERSION, runs, documents, whole, clean, held, stored)
        known = self._published_fields(name) if before and before.documents else None
        loaded = self._loaded(name, description, settings, known, spooled, keeps_types=not reset)
        try:
            self._check(settings, loaded.fields if loaded else PAGE_FIELDS)
        except UsageError as error:
            if not kept:
                raise
            raise UsageError(
                f"{error} The index keeps the settings {', '.join(sorted(kept))} from before: "
                "--reset discards them, --config changes them."
            ) from None
        if before and not reset:
            default = before.default_language
            description = msgspec.structs.replace(description, default_language=default)
        return settings, _with_language(description, settings, loaded), loaded

    def _loaded(
        self,
        name: str,
        description: Description,
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
            spooled or folder / description.stored_input,
            settings,
            known,
            keeps_types=keeps_types,
            changes=[change for change in stored if change.id not in dropped],
        )

    def kept_settings(self, name: str, given: IndexSettings) -> dict[str, Any]:
        """The settings that an index would keep if it were built with the settings `given`."""
        return kept_settings_of(self._readable_description(name), given)

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
        description = _with_language(description, settings, loaded)
        change, clean = self._cleaned(folder, description, settings, loaded, on_progress)
        self._describe(folder, msgspec.structs.replace(description, clean=clean), loaded)
        remove_inputs(folder.path, kept=description.stored_input)
        return change

    # Writing

    def _cleaned(
        self,
        folder: IndexFolder,
        description: Description,
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
            self._written(folder, description, settings, loaded, on_progress, rebuild=True)
        self._sweep(folder)
        return change, {run: last for run, last in asked.items() if last}

    def is_clean(self, name: str) -> bool:
        """Whether an index holds nothing of what its runs have had to forget."""
        return self._is_clean(self._description(name))

    def _is_clean(self, description: Description) -> bool:
        clean = description.clean
        return all(clean.get(run, 0) >= self._takedowns(run) for run in description.runs)

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
        description: Description,
        settings: IndexSettings,
        loaded: Loaded | None,
        on_progress: OnProgress,
        *,
        rebuild: bool = False,
    ) -> Change:
        folder.clear_unreadable()
        compile_kernels()
        analysis = AnalysisSettings(stemming=settings.stemming, gram_size=settings.gram_size)
        kind = "documents" if loaded else "runs"
        fields = loaded.fields if loaded else PAGE_FIELDS
        unsafe = unsafe_of(settings)
        source: Source
        statics = NO_STATICS
        changed = None
        if loaded:
            detect = language_of(settings.language, description.default_language)
            files = loaded.source(detect, unsafe, _language_stamp(settings, description))
            applied = AppliedChanges(loaded.changes, read_stamp(settings, description, unsafe))
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
            set_writer = ShardSetWriter(shards, settings.shards, fields, analysis, kind)
            change = set_writer.write(
                source, sources, on_progress, finish, stamp, statics, rebuild=rebuild
            )
            folder.abandon()
        else:
            writer = IndexWriter(folder, fields, analysis, kind)
            change = writer.write(
                source, sources, on_progress, finish, stamp, statics, rebuild=rebuild
            )
            shards.abandon()
        if changed is not None and loaded and loaded.changes:
            DocumentChanges(folder.path).mark_applied(loaded.changes, changed.without_document)
            change = change._replace(
                stored_changes=changed.applied,
                stored_changes_without_document=len(changed.without_document),
            )
        return change

    def _files(
        self,
        name: str,
        description: Description,
        settings: IndexSettings,
        fields: Fields,
        unsafe: SafetyList | None = None,
        versions: Mapping[int, int] | None = None,
    ) -> DocumentSource:
        """The documents of an index as they stand in its files. `versions`: those of a scan."""
        stored = self._root / name / description.stored_input
        files = DocumentFiles(*located(description.documents, stored))
        detect = language_of(settings.language, description.default_language)
        stamp = _language_stamp(settings, description)
        return DocumentSource(files, fields, detect, unsafe, stamp, versions)

    def _finish(self, name: str, settings: IndexSettings) -> tuple[Finish, str]:
        """The sources and settings of the corrections and suggestions of a generation."""
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
        """Queries with results that several people have typed: these are suggested to others. A
        query that only one person has typed is never shown to another."""
        log = QueryLog(self._home.catalogue.database)
        popular = log.popular(0.0, _PAST_QUERIES, name, least=_LEAST_ASKED)
        return {one.text: one.searches for one in popular}

    # Settings

    def tune(self, name: str, changes: dict[str, Any]) -> IndexSettings:
        """Change settings of an index; those of queries act at the next one."""
        self._description(name)
        with self._held(name) as folder:  # what others tune meanwhile would be lost
            description = self._description(name)
            settings = self._with_whole_paths(name, index_settings(description.settings, changes))
            fields = self._published_fields(name) if description.documents else PAGE_FIELDS
            if fields is None:
                raise IndexNotFound(f"'{name}' was never built completely. {how_to_build(name)}.")
            self._check(settings, fields)
            kept = settings.model_dump(mode="json", exclude_defaults=True)
            self._describe(folder, msgspec.structs.replace(description, settings=kept))
        self._catch_up(name)
        return settings

    def _with_whole_paths(self, name: str, settings: IndexSettings) -> IndexSettings:
        """Make paths in the settings of an index absolute, so that a search works from any folder;
        store a list that comes from standard input beside the index."""
        paths = {
            setting: path
            for setting in ("synonyms", "unsafe_list", "dictionary")
            if (path := getattr(settings, setting))
        }
        if is_file(settings.profile):
            paths["profile"] = settings.profile
        if list(paths.values()).count(str(STANDARD_INPUT)) > 1:
            raise UsageError("Standard input ('-') can be read once: for one of the lists.")
        whole = {
            setting: store_list(self._root / name)
            if path == str(STANDARD_INPUT)
            else str(Path(path).absolute())
            for setting, path in paths.items()
        }
        return settings.model_copy(update=whole)

    def _check(self, settings: IndexSettings, fields: Fields) -> None:
        """Check that everything that a setting names exists."""
        check_profile(load_profile(settings.profile, self._profiles), fields)
        if settings.boost:
            Formula.parse(settings.boost, formula_variables(fields))
        unsafe_of(settings)
        _dictionary(settings)
        if settings.synonyms:
            Synonyms.from_file(Path(settings.synonyms))
        for name in settings.field_weights:
            if name not in fields.texts:
                raise UsageError(
                    f"There is no text field '{name}', only: {', '.join(fields.texts)}."
                )

    @property
    def _profiles(self) -> Path:
        return self._home.path / "profiles"

    @contextmanager
    def _no_changes(self, folder: IndexFolder) -> Iterator[None]:
        """Build an index from runs: stored changes cannot be applied to pages. Where there are any,
        the build is refused; until its end, new ones are."""
        name = folder.path.name
        lock = FileLock(folder.path / KIND_LOCK)
        lock.acquire()  # free: only the holder of the writer lock takes it
        try:
            if number := DocumentChanges(folder.path).count():
                changes = several(number, "stored change")
                raise UsageError(
                    f"Index '{name}' has {changes} of single documents, which "
                    "cannot be applied to pages. "
                    f"'gossamer index drop-changes {name}' discards them; or choose another name."
                )
            yield
        finally:
            lock.release()

    # What those that build on this do after an index was written

    def _show(self, name: str) -> None:
        """Have searches in this process see the new generation at once."""

    def _catch_up(self, name: str) -> None:
        """Apply what was changed while this process held the writer lock."""


def kept_settings_of(before: Description | None, given: IndexSettings) -> dict[str, Any]:
    """Settings of an index that those that are given do not replace."""
    if before is None:
        return {}
    return {
        name: value for name, value in before.settings.items() if name not in given.model_fields_set
    }


def given_settings_of(given: IndexSettings) -> dict[str, Any]:
    return {name: getattr(given, name) for name in given.model_fields_set}


def read_stamp(settings: IndexSettings, description: Description, unsafe: SafetyList | None) -> str:
    """How documents are read: where it is another one, all of them have changed."""
    return f"{_language_stamp(settings, description)} {unsafe.stamp if unsafe else ''}"


def _language_stamp(settings: IndexSettings, description: Description) -> str:
    default = description.default_language
    return settings.language or (f"or {default}" if default else "")


def _with_language(
    description: Description, settings: IndexSettings, loaded: Loaded | None
) -> Description:
    """With the language of documents that are too short to tell, unless it is known already."""
    if loaded is None or settings.language or description.default_language:
        return description
    language = common_language(loaded.texts())
    return msgspec.structs.replace(description, default_language=language)


def unsafe_of(settings: IndexSettings) -> SafetyList | None:
    if not settings.unsafe_list:
        return None
    return SafetyList.from_file(Path(settings.unsafe_list), Analyser().words)


def _dictionary(settings: IndexSettings) -> Dictionary | None:
    if not settings.dictionary:
        return None
    return Dictionary.from_file(Path(settings.dictionary), Analyser().words)
