"""The indexes of a home: built from runs or from documents, tuned, and searched."""

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gossamer.app.document_loading import (
    STANDARD_INPUT,
    STORED_INPUT,
    Loaded,
    LoadReport,
    load,
    located,
    refuse_emptied,
    stored_input,
)
from gossamer.app.home import Home, stored_url
from gossamer.app.index_documents import stored_document
from gossamer.app.index_ranks import statics_for
from gossamer.app.kernels import compile_kernels
from gossamer.config import IndexSettings, index_settings
from gossamer.errors import FormatError, IndexHeld, IndexNotFound, NothingThere, UsageError
from gossamer.index.document_files import DocumentFiles
from gossamer.index.fields import PAGE_FIELDS, Fields
from gossamer.index.generations import IndexFolder
from gossamer.index.pages import PageSource
from gossamer.index.reader import IndexReader
from gossamer.index.safety import SafetyList
from gossamer.index.shard_set import ShardSet, ShardSetWriter
from gossamer.index.statics import NO_STATICS
from gossamer.index.wording import Wording
from gossamer.index.writer import Change, IndexWriter, Progress, Source
from gossamer.lib.hashing import hash64
from gossamer.lib.locks import FileLock
from gossamer.query.dictionary import Dictionary
from gossamer.query.synonyms import Synonyms
from gossamer.rank.formula import Formula
from gossamer.rank.profiles import is_file, load_profile
from gossamer.search.companions import open_spelling, open_suggestions, write_companions
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.filters import filters_of
from gossamer.search.local import LocalSearcher
from gossamer.search.shard import check_profile, formula_variables
from gossamer.search.sharded import ShardedSearcher
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
        )

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
        allow_empty: bool = False,
    ) -> Change:
        """Make an index, or make it of something else than before.

        `documents`: files, read in this order; '-' is the standard input, which is stored in the
        home. `allow_empty`: a file that has lost all its documents is meant to be so."""
        check_index_name(name)
        paths = [documents] if isinstance(documents, Path) else list(documents or ())
        if bool(runs) == bool(paths):
            raise UsageError("An index is made of runs (--from) or of documents (--documents).")
        for run in runs:
            self._home.record(run)
        settings = _with_whole_paths(settings)
        description = _Description(
            _SETTINGS_VERSION,
            tuple(runs),
            tuple(STANDARD_INPUT if str(path) == "-" else str(path.absolute()) for path in paths),
            settings.model_dump(mode="json", exclude_defaults=True),
        )
        with stored_input(self._root, description.documents) as spooled:
            loaded = self._loaded(name, description, settings, spooled)
            fields = loaded.fields if loaded else PAGE_FIELDS
            self._check(settings, fields)
            with self._held(name) as folder:
                self._clear_damaged(folder)
                before = self._description(name) if name in self.names() else None
                if loaded:
                    refuse_emptied(name, loaded, before.held if before else {}, allow_empty)
                clean = before.clean if before else {}
                known = msgspec.structs.replace(description, clean=clean)
                change, clean = self._cleaned(folder, known, settings, loaded, on_progress)
                if spooled is not None:
                    spooled.replace(folder.path / STORED_INPUT)
                self._describe(folder, msgspec.structs.replace(description, clean=clean), loaded)
                if spooled is None:
                    (folder.path / STORED_INPUT).unlink(missing_ok=True)
        self._show(name)
        return change

    def _loaded(
        self,
        name: str,
        description: _Description,
        settings: IndexSettings,
        spooled: Path | None = None,
        *,
        keeps_types: bool = False,
    ) -> Loaded | None:
        """The documents of files, read once; None where an index is made of runs. `spooled`: the
        standard input, where it is not stored yet. `keeps_types`: the fields of the index so far
        keep their types."""
        if not description.documents:
            return None
        stored = spooled or self._root / name / STORED_INPUT
        known = self._published_fields(name)
        return load(description.documents, stored, settings, known, keeps_types=keeps_types)

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
        try:
            if folder.path.name in self.names():
                self._description(folder.path.name)
            _open_once(folder)
        except FormatError:
            with refusals(f"Cannot write {folder.path}"):
                for path in sorted(folder.path.iterdir(), key=Path.is_dir):  # manifests first
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
        settings = self.settings(name)
        with self._held(name) as folder:
            description = self._description(name)
            loaded = self._loaded(name, description, settings, keeps_types=True)
            if loaded:
                refuse_emptied(name, loaded, description.held, allow_empty)
            change, clean = self._cleaned(folder, description, settings, loaded, on_progress)
            self._describe(folder, msgspec.structs.replace(description, clean=clean), loaded)
        self._show(name)
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
        if loaded:
            source = loaded.source(language_of(settings.language), unsafe, settings.language)
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
        grams, dictionary = settings.spelling_grams, _dictionary(settings)
        past = self._past_queries(folder.path.name)
        asked = hash64(repr(sorted(past)).encode()) if past else ""
        stamp = f"{grams} {dictionary.stamp if dictionary else ''} {asked}"

        def finish(generation: Path, wording: Wording) -> None:
            write_companions(generation, wording, grams, dictionary, past)

        shards = ShardSet(folder.path)
        if settings.shards > 1:
            several = ShardSetWriter(shards, settings.shards, fields, analysis, kind)
            change = several.write(source, sources, on_progress, finish, stamp, statics, anew=anew)
            folder.abandon()
        else:
            writer = IndexWriter(folder, fields, analysis, kind)
            change = writer.write(source, sources, on_progress, finish, stamp, statics, anew=anew)
            shards.abandon()
        return change

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

    def document_files(self, name: str) -> DocumentFiles:
        """The files that an index is made of."""
        description = self._description(name)
        stored = self._root / name / STORED_INPUT
        return DocumentFiles(*located(description.documents, stored))

    # Settings

    def settings(self, name: str) -> IndexSettings:
        return index_settings(self._description(name).settings, {})

    def tune(self, name: str, changes: dict[str, Any]) -> IndexSettings:
        """Change settings of an index; those of queries act at the next one."""
        self._description(name)
        with self._held(name) as folder:  # what others tune meanwhile would be lost
            description = self._description(name)
            settings = _with_whole_paths(index_settings(description.settings, changes))
            fields = self._published_fields(name) if description.documents else PAGE_FIELDS
            if fields is None:
                raise IndexNotFound(f"'{name}' was never built to its end: {_how_to_build(name)}.")
            self._check(settings, fields)
            kept = settings.model_dump(mode="json", exclude_defaults=True)
            self._describe(folder, msgspec.structs.replace(description, settings=kept))
        return settings

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

    # Searching

    def search(self, name: str, query: str | SearchRequest, **options: Any) -> Answer:
        """Answer a query; `options` are the fields of a `SearchRequest`, filters as `filters_of`
        reads them."""
        if "filters" in options:
            options["filters"] = filters_of(options["filters"])
        request = query if isinstance(query, SearchRequest) else SearchRequest(query, **options)
        return self.searcher(name).search(request)

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


def _with_whole_paths(settings: IndexSettings) -> IndexSettings:
    """Files that settings name are found from wherever somebody searches."""
    named = {name: getattr(settings, name) for name in ("synonyms", "unsafe_list", "dictionary")}
    if is_file(settings.profile):
        named["profile"] = settings.profile
    return settings.model_copy(
        update={name: str(Path(path).absolute()) for name, path in named.items() if path}
    )


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
