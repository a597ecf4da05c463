"""Generations of an index: readers see a whole one at a time.

    manifest.json              names the generation that counts; replacing it publishes another
    parts/000001/              pieces of the forward store, shared by generations
    generations/000001/        of one generation:
        manifest.json          a copy, which tells which parts it needs
        finder/                tantivy's files, linked from the work folder
        spelling/ ...          what others keep beside it
        static-000001/         columns of a part that change without its documents: ranks
        gone-000001/           which documents of a part are deleted, and its statistics without
        reader.lock            held in common by readers; whoever gets it alone may delete
    work/                      where the next generation grows; worth nothing after a crash

A writer commits to the work folder, links the files, and replaces the manifest. Killed at any
moment, it leaves the generation of before, or the next one.
"""

import shutil
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gossamer.errors import FormatError
from gossamer.index.fields import Fields
from gossamer.storage.generations import held, hold_newest, link_all, nobody_reads, subfolders, sync
from gossamer.storage.objects import LocalObjects, refusals
from gossamer.storage.versioned import decode_versioned, rebuild_advice

INDEX_VERSION = 4
_MANIFEST = "manifest.json"


class PartEntry(Struct, frozen=True):
    number: int
    documents: int  # those that are deleted among them
    gone: int = 0
    first: int = 0  # the number of its first document
    words: int = 0
    cut: int = 0  # documents of which a text was too long to be searched as a whole

    @property
    def name(self) -> str:
        return f"{self.number:06d}"


class Whole(Struct, frozen=True):
    """Statistics of an index over all its shards."""

    documents: int
    next_document: int
    languages: dict[str, int]
    words: dict[str, int]


class IndexManifest(Struct, frozen=True):
    version: int
    generation: int
    analyser_version: int
    analysis: dict[str, Any]  # how its words were taken apart
    fields: Fields
    parts: tuple[PartEntry, ...]
    next_document: int
    next_part: int
    languages: dict[str, int]  # how many documents are in each
    words: dict[str, int]  # by text field: of all living documents together
    sources: tuple[str, ...] = ()  # runs, or the file of documents
    source_kind: str = "runs"
    built_at: float = 0.0
    finish_stamp: str = ""  # how its corrections and suggestions were made
    static_stamp: str = ""  # which ranks its documents have

    @property
    def cut(self) -> int:
        """Documents that are not searched to their end; those that are deleted among them."""
        return sum(part.cut for part in self.parts)

    @property
    def documents(self) -> int:
        return sum(part.documents - part.gone for part in self.parts)

    @property
    def whole(self) -> Whole:
        """Where there are no other shards."""
        return Whole(self.documents, self.next_document, self.languages, self.words)


class IndexFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._objects = LocalObjects(path)

    @property
    def lock(self) -> Path:
        return self.path / "writer.lock"

    @property
    def work(self) -> Path:
        return self.path / "work"

    def generation(self, number: int) -> Path:
        return self.path / "generations" / f"{number:06d}"

    def part(self, entry: PartEntry) -> Path:
        return self.path / "parts" / entry.name

    def gone(self, generation: int, entry: PartEntry) -> Path | None:
        return self.generation(generation) / f"gone-{entry.name}" if entry.gone else None

    def statics(self, generation: int, entry: PartEntry) -> Path:
        return self.generation(generation) / f"static-{entry.name}"

    def exists(self) -> bool:
        return (self.path / _MANIFEST).exists()

    def manifest(self) -> IndexManifest | None:
        """Of the generation that counts; None where there is none yet."""
        data = self._objects.get(_MANIFEST)
        return None if data is None else _decoded(data, self.path / _MANIFEST)

    # Writing

    def clear_unreadable(self) -> None:
        """Make room for an index where one lies that nobody can read: of another version, or
        damaged. The manifest goes first, so that half of it is never taken for a whole."""
        try:
            self.manifest()
        except FormatError:
            with refusals(f"Cannot write {self.path}"):
                (self.path / _MANIFEST).unlink(missing_ok=True)
                for name in ("generations", "parts", "work"):
                    shutil.rmtree(self.path / name, ignore_errors=True)

    def start_work(self, goes_on: bool) -> Path:
        """A fresh work folder; if the work goes on, with the finder's files of the generation that
        counts. That one stays until another is published, in any case."""
        manifest = self.manifest()
        finder = self.work / "finder"
        with refusals(f"Cannot write {self.work}"):
            shutil.rmtree(self.work, ignore_errors=True)
            finder.mkdir(parents=True)
            if goes_on and manifest is not None:
                link_all(self.generation(manifest.generation) / "finder", finder)
        self._sweep(manifest)
        return finder

    def link_generation(self, number: int, before: int) -> Path:
        """The folder of a generation that differs from another in its static columns alone."""
        folder = self.start_generation(number)
        with refusals(f"Cannot write {folder}"):
            for path in subfolders(self.generation(before)):
                if path.name != "finder" and not path.name.startswith("static-"):
                    link_all(path, folder / path.name)
        return folder

    def link_companions(self, number: int, before: int) -> None:
        """Keep what `finish` made for another generation: a new one with other documents uses it
        as it is."""
        folder = self.start_generation(number)
        with refusals(f"Cannot write {folder}"):
            for path in subfolders(self.generation(before)):
                if path.name != "finder" and not path.name.startswith(("static-", "gone-")):
                    link_all(path, folder / path.name)

    def start_generation(self, number: int) -> Path:
        """The folder of a generation that is not published yet."""
        folder = self.generation(number)
        with refusals(f"Cannot write {folder}"):
            folder.mkdir(parents=True, exist_ok=True)
        return folder

    def publish(self, manifest: IndexManifest) -> None:
        """Make the generation whose files are in place the one that counts."""
        target = self.generation(manifest.generation)
        with refusals(f"Cannot write {target}"):
            link_all(self.work / "finder", target / "finder")
            (target / "reader.lock").touch()
            for folder in (target / "finder", target, target.parent, self.path / "parts"):
                if folder.exists():
                    sync(folder)
        data = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        LocalObjects(target).put(_MANIFEST, data)
        self._objects.put(_MANIFEST, data)
        shutil.rmtree(self.work, ignore_errors=True)
        self._sweep(manifest)

    def abandon(self) -> None:
        """There is no index here any more: it is in shards now."""
        (self.path / _MANIFEST).unlink(missing_ok=True)
        shutil.rmtree(self.work, ignore_errors=True)
        self._sweep(None)

    def sweep(self) -> None:
        """Delete what neither counts nor is being read. For its one writer."""
        self._sweep(self.manifest())

    def _sweep(self, manifest: IndexManifest | None) -> None:
        """Delete what neither counts nor is being read."""
        current = self.generation(manifest.generation) if manifest else None
        needed = {part.name for part in manifest.parts} if manifest else set()
        for folder in subfolders(self.path / "generations"):
            if folder == current:
                continue
            if nobody_reads(folder):
                shutil.rmtree(folder, ignore_errors=True)
            else:
                kept = _decoded((folder / _MANIFEST).read_bytes(), folder / _MANIFEST)
                needed |= {part.name for part in kept.parts}
        for folder in subfolders(self.path / "parts"):
            if folder.name not in needed:
                shutil.rmtree(folder, ignore_errors=True)

    # Reading

    def hold(self) -> tuple[int, IndexManifest] | None:
        """The generation that counts; it stays until the descriptor is closed. None where there is
        none yet."""
        return hold_newest(
            self.manifest, lambda one: self.generation(one.generation), rebuild_advice()
        )

    def hold_generation(self, number: int) -> tuple[int, IndexManifest] | None:
        """Another generation than the one that counts; None where it is swept."""
        path = self.generation(number)
        descriptor = held(path)
        if descriptor is None:
            return None
        return descriptor, _decoded((path / _MANIFEST).read_bytes(), path / _MANIFEST)


def _decoded(data: bytes, path: Path) -> IndexManifest:
    return decode_versioned(data, path, IndexManifest, INDEX_VERSION, rebuild_advice())
