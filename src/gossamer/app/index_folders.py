"""What are the sources of an index, and who may write to it?

In: the name of an index. Out: its folder, its description, and the right to write to it.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gossamer.app.document_languages import are_all_long
from gossamer.app.document_loading import Loaded, LoadReport
from gossamer.app.home import Home
from gossamer.app.standard_input import LISTS, STORED_INPUT, remove_lists
from gossamer.config import IndexSettings, index_settings
from gossamer.errors import (
    FormatError,
    IndexHeld,
    IndexNotFound,
    UsageError,
)
from gossamer.index.fields import Fields
from gossamer.index.generations import IndexFolder
from gossamer.index.reader import IndexReader
from gossamer.index.shard_set import ShardSet
from gossamer.lib.locks import FileLock
from gossamer.search.companions import open_spelling, open_suggestions
from gossamer.storage.document_changes import CHANGES_FILE
from gossamer.storage.objects import LocalObjects, refusals
from gossamer.storage.versioned import decode_versioned, rebuild_advice

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SETTINGS = "settings.json"
_REPORT = "report.json"
SETTINGS_VERSION = 2
KIND_LOCK = "kind.lock"
"""Held while an index is built from runs: then no change of a single document is stored."""
_STORED = (CHANGES_FILE, STORED_INPUT, LISTS, KIND_LOCK)
"""How the names of files begin that lie beside an index and cannot be made again."""


class Description(Struct, frozen=True):
    """The sources and settings of an index: stored beside it, read at every update."""

    version: int
    runs: tuple[str, ...]
    documents: tuple[str, ...]  # paths of files; none where it is made of runs
    settings: dict[str, Any]
    clean: dict[str, int] = {}  # run -> the last of its takedowns that no file holds a trace of
    held: dict[str, int] = {}  # file -> documents that it had when it was last read
    stored_input: str = STORED_INPUT  # the file in its folder with the documents of '-'
    default_language: str = ""  # of documents that are too short to tell


class IndexFolders:
    """The folders of the indexes of a home."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._root = home.path / "indexes"

    def names(self) -> list[str]:
        if not self._root.exists():
            return []
        return sorted(path.parent.name for path in self._root.glob(f"*/{_SETTINGS}"))

    def settings(self, name: str) -> IndexSettings:
        return index_settings(self._description(name).settings, {})

    def runs(self, name: str) -> tuple[str, ...]:
        """The runs that an index is built from."""
        return self._description(name).runs

    def stamp(self, name: str) -> tuple[int, int]:
        """Another one whenever the index or its settings have changed."""
        self._description(name)
        settings = (self._root / name / _SETTINGS).stat().st_mtime_ns
        if (together := ShardSet(self._root / name).manifest()) is not None:
            return together.number, settings
        manifest = self._folder(name).manifest()
        return (manifest.generation if manifest else 0), settings

    def report(self, name: str) -> LoadReport | None:
        """The report of the last time the files of documents were read."""
        self._description(name)
        data = LocalObjects(self._folder(name).path).get(_REPORT)
        try:
            return None if data is None else msgspec.json.decode(data, type=LoadReport)
        except msgspec.DecodeError:
            return None  # it is only a report: the next update writes it again

    # Files

    def _folder(self, name: str) -> IndexFolder:
        return IndexFolder(self._root / name)

    def _description(self, name: str) -> Description:
        path = self._root / name / _SETTINGS
        if not _NAME.fullmatch(name) or not path.exists():
            known = self.names()
            there = f"There are: {', '.join(known)}." if known else how_to_build(name) + "."
            raise IndexNotFound(f"There is no index '{name}'. {there}")
        advice = rebuild_advice(name)
        return decode_versioned(path.read_bytes(), path, Description, SETTINGS_VERSION, advice)

    def _readable_description(self, name: str) -> Description | None:
        """None where there is no index, or where its settings cannot be read."""
        try:
            return self._description(name) if name in self.names() else None
        except FormatError:
            return None

    def _published_fields(self, name: str) -> Fields | None:
        """The fields of the current index; None if it was never built or cannot be read."""
        folder = self._folder(name)
        try:
            found = ShardSet(folder.path).manifest() or folder.manifest()
        except FormatError:
            return None
        return found.fields if found else None

    def _describe(
        self, folder: IndexFolder, description: Description, loaded: Loaded | None = None
    ) -> None:
        """Write what has changed; a new file would make others think that the index has, too."""
        objects = LocalObjects(folder.path)
        written: dict[str, Any] = {_SETTINGS: description}
        if loaded is not None:
            description = msgspec.structs.replace(description, held=loaded.held)
            report, texts = loaded.report, loaded.texts()
            if (default := description.default_language) and not are_all_long(texts):
                report = msgspec.structs.replace(report, default_language=default)
            written = {_REPORT: report, _SETTINGS: description}
        for name, value in written.items():
            data = msgspec.json.format(msgspec.json.encode(value), indent=1)
            if objects.get(name) != data:
                objects.put(name, data)

    def _clear_damaged(self, folder: IndexFolder) -> None:
        """Make room where an index lies that cannot be opened: nothing of it can be used again."""
        stored = [*_STORED]
        try:
            if folder.path.name in self.names():
                self._description(folder.path.name)
                stored.append(_SETTINGS)
            _open_once(folder)
        except FormatError:
            with refusals(f"Cannot write {folder.path}"):
                for path in sorted(folder.path.iterdir(), key=Path.is_dir):  # manifests first
                    if path == folder.lock or path.name.startswith(tuple(stored)):
                        continue
                    if path.is_dir():
                        shutil.rmtree(path)
                    else:
                        path.unlink()

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
            with suppress(FormatError, OSError):  # what cannot be read may name any of them
                self._remove_unused_lists(folder)
            lock.release()

    def _remove_unused_lists(self, folder: IndexFolder) -> None:
        """Remove lists that settings named before, or that were stored for settings that were
        refused."""
        name = folder.path.name
        settings = self._description(name).settings if name in self.names() else {}
        remove_lists(folder.path, {value for value in settings.values() if isinstance(value, str)})

    def folder_of(self, name: str) -> Path:
        self._description(name)
        return self._root / name


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


def check_index_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"'{name}' cannot be the name of an index: letters, digits, '.', '_' and '-'."
        )


def how_to_build(name: str) -> str:
    return f"Build it: 'gossamer index build {name} --from RUN' (or --documents FILE)"
