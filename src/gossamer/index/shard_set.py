"""An index in several shards: each an index of its own, published together.

    shards.json          the set that counts: of each shard a generation
    shards/4/0 ... 3     the shards of a set of four
    sets/000001/         of one set:
        moments.npy      when the documents of all shards were crawled
        spelling/ ...    what others keep beside it, of all shards
        reader.lock      held in common by readers
    spool/               documents on their way to their shards

A shard publishes generations as any index does, but nobody looks at those until a set names them:
replacing `shards.json` is the last step. What the set that counts names is held while a writer
works, so that no shard sweeps it. Killed at any moment, the writer leaves the set of before, or the
next one; shards that are ahead of the set are taken as they are by the next writer.

A page belongs to the shard of its site, any other document to that of its identity. Numbers are
given by the set, so they are unique in all of it, and those of a shard have gaps.
"""

import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from gossamer.errors import FormatError
from gossamer.index.documents import IndexDocument
from gossamer.index.fields import Fields
from gossamer.index.generations import IndexFolder, IndexManifest, Whole
from gossamer.index.reader import IndexReader, ShardOf
from gossamer.index.spool import Spool
from gossamer.index.statics import NO_STATICS, StaticSource
from gossamer.index.wording import wording_of
from gossamer.index.writer import Change, Finish, IndexWriter, Known, Progress, Source
from gossamer.lib.hashing import hash64
from gossamer.storage.arrays import save
from gossamer.storage.generations import held, link_all, nobody_reads, subfolders
from gossamer.storage.objects import LocalObjects, refusals
from gossamer.storage.versioned import decode_versioned, rebuild_advice
from gossamer.text import AnalysisSettings

SET_VERSION = 2
_MANIFEST = "shards.json"
_MOMENTS = "moments.npy"


class SetManifest(Struct, frozen=True):
    version: int
    number: int  # of this set
    generations: tuple[int, ...]  # of each shard
    whole: Whole
    fields: Fields
    analysis: dict[str, Any]
    sources: tuple[str, ...]
    built_at: float
    finish_stamp: str = ""  # how its corrections and suggestions were made
    static_stamp: str = ""  # which ranks its documents have


class HeldSet(NamedTuple):
    """A set that stays until `release`."""

    manifest: SetManifest
    descriptors: tuple[int, ...]

    def release(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)


class ShardSet:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._objects = LocalObjects(path)

    def manifest(self) -> SetManifest | None:
        """Of the set that counts; None where there is none."""
        data = self._objects.get(_MANIFEST)
        if data is None:
            return None
        path = self.path / _MANIFEST
        return decode_versioned(data, path, SetManifest, SET_VERSION, rebuild_advice())

    def exists(self) -> bool:
        return (self.path / _MANIFEST).exists()

    def folders(self, count: int) -> list[IndexFolder]:
        """The folders of the shards of a set of `count`."""
        parent = self.path / "shards" / str(count)
        return [IndexFolder(parent / str(shard)) for shard in range(count)]

    def companions(self, number: int) -> Path:
        return self.path / "sets" / f"{number:06d}"

    def shard_of(self, manifest: SetManifest, shard: int) -> ShardOf:
        moments = self.companions(manifest.number) / _MOMENTS
        return ShardOf(manifest.generations[shard], manifest.whole, moments)

    def hold(self) -> HeldSet | None:
        """The set that counts; None where there is none."""
        while True:
            manifest = self.manifest()
            if manifest is None:
                return None
            folders = self.folders(len(manifest.generations))
            wanted = [
                self.companions(manifest.number),
                *(
                    folder.generation(number)
                    for folder, number in zip(folders, manifest.generations, strict=True)
                ),
            ]
            descriptors = [held(folder) for folder in wanted]
            found = tuple(one for one in descriptors if one is not None)
            if len(found) == len(wanted):
                return HeldSet(manifest, found)
            HeldSet(manifest, found).release()
            if self.manifest() == manifest:  # else it was replaced in between
                missing = wanted[descriptors.index(None)]
                raise FormatError(f"{missing} is missing. {rebuild_advice()}")

    def parts(self, manifest: SetManifest) -> list[IndexManifest]:
        """The manifest of each shard of a set."""
        found = []
        for folder, number in zip(
            self.folders(len(manifest.generations)), manifest.generations, strict=True
        ):
            one = folder.hold_generation(number)
            if one is None:
                raise FormatError(f"{folder.path} is damaged. {rebuild_advice()}")
            os.close(one[0])
            found.append(one[1])
        return found

    # Writing

    def publish(self, manifest: SetManifest) -> None:
        folder = self.companions(manifest.number)
        with refusals(f"Cannot write {folder}"):
            (folder / "reader.lock").touch()
        data = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        self._objects.put(_MANIFEST, data)

    def sweep(self) -> None:
        """Delete what neither counts nor is being read. For the one writer."""
        counting = self.hold()  # or a shard that is ahead of the set would delete what that names
        try:
            self._sweep(counting.manifest if counting else None)
        finally:
            if counting is not None:
                counting.release()

    def _sweep(self, manifest: SetManifest | None) -> None:
        count = len(manifest.generations) if manifest else 0
        shutil.rmtree(self.path / "spool", ignore_errors=True)
        for parent in subfolders(self.path / "shards"):
            for folder in subfolders(parent):
                index = IndexFolder(folder)
                if parent.name == str(count):
                    index.sweep()
                elif all(nobody_reads(one) for one in subfolders(folder / "generations")):
                    shutil.rmtree(folder, ignore_errors=True)
        for folder in subfolders(self.path / "sets"):
            counts = manifest is not None and folder == self.companions(manifest.number)
            if not counts and nobody_reads(folder):
                shutil.rmtree(folder, ignore_errors=True)

    def abandon(self) -> None:
        """There is no set any more."""
        (self.path / _MANIFEST).unlink(missing_ok=True)
        self.sweep()


def owner_of(document: IndexDocument, count: int) -> int:
    """The shard of a document: pages of a site stay together."""
    site = document.keywords.get("site", ())
    is_page = bool(document.shown.get("site")) and bool(site)
    key = hash64(site[0].encode("utf-8", "replace")) if is_page else document.identity
    return key % count


class ShardSetWriter:
    """The one writer of a set: whoever makes it holds the index's lock."""

    def __init__(
        self,
        shards: ShardSet,
        count: int,
        fields: Fields,
        analysis: AnalysisSettings,
        source_kind: str,
    ) -> None:
        self._set = shards
        self._folders = shards.folders(count)
        self._fields = fields
        self._analysis = analysis
        self._writers = [
            IndexWriter(folder, fields, analysis, source_kind) for folder in self._folders
        ]

    def write(
        self,
        source: Source,
        sources: tuple[str, ...],
        on_progress: Callable[[Progress], None] = lambda _: None,
        finish: Finish | None = lambda _folder, _wording: None,
        stamp: str = "",
        statics: StaticSource = NO_STATICS,
        *,
        rebuild: bool = False,
    ) -> Change:
        """Publish a set that holds what the source says; nothing, if it does already, and `stamp`
        is that of before: how `finish` makes what it makes. Without `finish`, what it made for the
        set before is kept as it is. Where `statics` alone are others, only
        they are written. `rebuild`: as for a single index."""
        before = self._set.hold()
        try:
            self._set.sweep()
            return self._write(
                before, source, sources, on_progress, finish, stamp, statics, rebuild
            )
        finally:
            if before is not None:
                before.release()
            self._set.sweep()

    def _write(
        self,
        before: HeldSet | None,
        source: Source,
        sources: tuple[str, ...],
        on_progress: Callable[[Progress], None],
        finish: Finish | None,
        stamp: str,
        statics: StaticSource,
        rebuild: bool,
    ) -> Change:
        versions = source.versions()
        starts = [writer.start(rebuild) for writer in self._writers]
        known = [
            dict(Known(folder, start).versions())
            for folder, start in zip(self._folders, starts, strict=True)
        ]
        there = {identity: version for one in known for identity, version in one.items()}
        wanted = {
            identity for identity, version in versions.items() if there.get(identity) != version
        }
        leaving = [one for one in there if one in wanted or one not in versions]
        changed = len(wanted.intersection(leaving))
        change = Change(
            added=len(wanted) - changed,
            changed=changed,
            deleted=len(leaving) - changed,
            unchanged=len(versions) - len(wanted),
        )
        generations = tuple(start.generation for start in starts)
        is_same = (
            before is not None
            and before.manifest.generations == generations
            and before.manifest.sources == sources
            and before.manifest.finish_stamp == stamp
            and not wanted
            and not leaving
            and not rebuild
        )
        if is_same and before is not None and before.manifest.static_stamp == statics.stamp:
            return change
        read = statics.read()  # once for all shards
        known_statics = StaticSource(statics.stamp, lambda: read)
        spools = self._spooled(source, versions, wanted, known, starts, before, on_progress)
        for writer, spool in zip(self._writers, spools, strict=True):
            writer.write(spool, sources, finish=None, statics=known_statics, rebuild=rebuild)
        if is_same:
            finish = None
        self._publish(before, sources, finish, stamp, statics.stamp)
        on_progress(Progress(len(wanted), len(wanted)))
        return change

    def _spooled(
        self,
        source: Source,
        versions: Mapping[int, int],
        wanted: set[int],
        known: list[dict[int, int]],
        starts: list[IndexManifest],
        before: HeldSet | None,
        on_progress: Callable[[Progress], None],
    ) -> list[Spool]:
        """Write the documents of each shard into a spool."""
        folder = self._set.path / "spool"
        spools = [
            Spool(
                folder / str(shard),
                {one: version for one, version in mine.items() if versions.get(one) == version},
            )
            for shard, mine in enumerate(known)
        ]
        number = max(
            before.manifest.whole.next_document if before else 1,
            *(start.next_document for start in starts),
        )
        remaining = set(wanted)
        for document in source.documents(wanted):
            if document.identity not in remaining:
                continue  # the source names it twice
            remaining.discard(document.identity)
            shard = owner_of(document, len(spools))
            spools[shard].add(replace(document, number=number))
            number += 1
            if number % 100 == 0:
                on_progress(Progress(len(wanted) - len(remaining), 2 * len(wanted)))
        for spool in spools:
            spool.close()
        return spools

    def _publish(
        self,
        before: HeldSet | None,
        sources: tuple[str, ...],
        finish: Finish | None,
        stamp: str,
        static_stamp: str,
    ) -> None:
        manifests = [writer.current() for writer in self._writers]
        number = before.manifest.number + 1 if before else 1
        while self._set.companions(number).exists():
            number += 1  # somebody reads an abandoned one, or a killed writer has left it
        languages: Counter[str] = Counter()
        words: Counter[str] = Counter()
        for one in manifests:
            languages.update(one.languages)
            words.update(one.words)
        whole = Whole(
            documents=sum(one.documents for one in manifests),
            next_document=max(one.next_document for one in manifests),
            languages=dict(languages.most_common()),
            words=dict(words),
        )
        folder = self._set.companions(number)
        with refusals(f"Cannot write {folder}"):
            folder.mkdir(parents=True)
        with ExitStack() as stack:
            moments = []
            for index in self._folders:
                reader = IndexReader(index)
                stack.callback(reader.close)
                moments.append(reader.own_moments())
            save(folder / _MOMENTS, np.sort(np.concatenate(moments)))
        if finish is not None:
            parts = [
                index.part(entry)
                for index, one in zip(self._folders, manifests, strict=True)
                for entry in one.parts
            ]
            finish(folder, wording_of(parts))
        elif before is not None:
            for path in subfolders(self._set.companions(before.manifest.number)):
                link_all(path, folder / path.name)
        self._set.publish(
            SetManifest(
                version=SET_VERSION,
                number=number,
                generations=tuple(one.generation for one in manifests),
                whole=whole,
                fields=self._fields,
                analysis=manifests[0].analysis,
                sources=sources,
                built_at=time.time(),
                finish_stamp=stamp,
                static_stamp=static_stamp,
            )
        )
