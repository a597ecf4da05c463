"""Where ranks are kept: a folder for each set of runs, whose generations are published whole.

    writer.lock               one process at a time computes ranks
    links/RUN/RULES/SEGMENT/  the links of a segment, read once (`link_files`)
    sets/NAME/
        manifest.json         names the generation that counts; replacing it publishes another
        generations/000001/   names, graph and ranks of one generation, and a copy of its manifest

Killed at any moment, a writer leaves the ranks of before, or the new ones. Readers are never
refused: what they have open stays until they let go of it.
"""

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gossamer.errors import FormatError, RankHeld
from gossamer.graph.names import ADVICE
from gossamer.lib.hashing import hash64
from gossamer.lib.locks import FileLock
from gossamer.storage.generations import READER_LOCK, hold_newest, nobody_reads, subfolders, sync
from gossamer.storage.objects import LocalObjects, refusals
from gossamer.storage.versioned import decode_versioned

RANKS_VERSION = 1
_MANIFEST = "manifest.json"


class RankManifest(Struct, frozen=True):
    version: int
    generation: int
    runs: tuple[str, ...]  # the newest last
    rules: dict[str, Any]  # by which addresses have keys
    settings: dict[str, Any]
    segments: tuple[str, ...]  # of all runs, as they were read
    nodes: int
    edges: int
    crawled: int  # pages that were fetched
    hosts: int
    domains: int
    iterations: int
    residual: float
    host_iterations: int
    domain_iterations: int
    seconds: float
    built_at: float
    farms: int = 0

    @property
    def stamp(self) -> str:
        """Another one for other ranks."""
        return f"{','.join(self.runs)} {self.generation} {self.built_at}"


class RankSet:
    """The ranks of some runs together."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._objects = LocalObjects(path)

    def generation(self, number: int) -> Path:
        return self.path / "generations" / f"{number:06d}"

    def manifest(self) -> RankManifest | None:
        """Of the generation that counts; None where there is none."""
        data = self._objects.get(_MANIFEST)
        if data is None:
            return None
        path = self.path / _MANIFEST
        return decode_versioned(data, path, RankManifest, RANKS_VERSION, ADVICE)

    def start(self) -> tuple[int, Path]:
        """The folder of the next generation, empty. What a killed writer has left goes."""
        self.sweep()
        before = self._readable()
        number = before.generation + 1 if before else 1
        while self.generation(number).exists():
            number += 1  # somebody reads one that was abandoned
        folder = self.generation(number)
        with refusals(f"Cannot write {folder}"):
            folder.mkdir(parents=True)
        return number, folder

    def publish(self, manifest: RankManifest) -> None:
        folder = self.generation(manifest.generation)
        with refusals(f"Cannot write {folder}"):
            (folder / READER_LOCK).touch()
            for path in (folder, folder.parent):
                sync(path)
        data = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
        self._objects.put(_MANIFEST, data)
        self.sweep()

    def sweep(self) -> None:
        """Delete what neither counts nor is being read. For the one writer."""
        manifest = self._readable()
        current = self.generation(manifest.generation) if manifest else None
        for folder in subfolders(self.path / "generations"):
            if folder != current and nobody_reads(folder):
                shutil.rmtree(folder, ignore_errors=True)

    def delete(self) -> None:
        """There are no ranks here any more. For the one writer."""
        with refusals(f"Cannot delete {self.path}"):
            (self.path / _MANIFEST).unlink(missing_ok=True)
        self.sweep()

    def _readable(self) -> RankManifest | None:
        """As `manifest`; what cannot be read counts as nothing: it is about to be replaced."""
        try:
            return self.manifest()
        except FormatError:
            return None

    def hold(self) -> tuple[int, RankManifest] | None:
        """The generation that counts; it stays until the descriptor is closed."""
        return hold_newest(self.manifest, lambda one: self.generation(one.generation), ADVICE)


class RankStore:
    """All ranks of a home."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def links(self) -> Path:
        return self.path / "links"

    def set_of(self, runs: Sequence[str]) -> RankSet:
        """Of exactly these runs, in any order."""
        if len(runs) == 1:
            name = runs[0]
        else:
            name = f"{len(runs)}-runs-{as_hex(hash64(chr(10).join(sorted(runs)).encode()))}"
        return RankSet(self.path / "sets" / name)

    def sets(self) -> list[tuple[RankSet, RankManifest]]:
        """Those that can be read, the newest first."""
        found = []
        for folder in subfolders(self.path / "sets"):
            one = RankSet(folder)
            try:
                manifest = one.manifest()
            except FormatError:
                continue
            if manifest is not None:
                found.append((one, manifest))
        return sorted(found, key=lambda pair: -pair[1].built_at)

    def best_for(self, runs: Sequence[str]) -> list[RankSet]:
        """The ranks to use for some runs: theirs together; else those of more runs, or those of
        some of them, the newest first, as far as they are there."""
        exact = self.set_of(runs)
        if exact.manifest() is not None:
            return [exact]
        known = self.sets()
        wanted = frozenset(runs)
        wider = [one for one, manifest in known if wanted <= frozenset(manifest.runs)]
        if wider:
            return wider[:1]
        missing = set(wanted)
        found = []
        for one, manifest in known:
            if missing.intersection(manifest.runs):
                found.append(one)
                missing.difference_update(manifest.runs)
        return found

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The right to compute ranks: one process at a time."""
        lock = FileLock(self.path / "writer.lock")
        if not lock.acquire():
            raise RankHeld(
                f"Process {lock.holder()} computes ranks: wait for it, and run the same command "
                "again."
            )
        try:
            yield
        finally:
            lock.release()

    def forget_runs(self, known: frozenset[str]) -> None:
        """Delete what was read of runs that are no more, and their ranks. For the one writer."""
        for folder in subfolders(self.links):
            if folder.name not in known:
                shutil.rmtree(folder, ignore_errors=True)
        for one, manifest in self.sets():
            if not known.issuperset(manifest.runs):
                one.delete()


def as_hex(number: int) -> str:
    """A hash as a part of a name."""
    return f"{number & (1 << 64) - 1:016x}"


def now() -> float:
    return time.time()
