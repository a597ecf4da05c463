"""From what should be in an index to a new generation of it.

A source says which documents there should be, each with a version. What is there in the same
version stays, what is there in another one or not at all any more goes, and the rest is added.
So a first build, an update and a build after a crash are the same thing.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from msgspec.structs import replace

from gossamer.index import merge
from gossamer.index.chunks import ChunkTable
from gossamer.index.documents import IndexDocument
from gossamer.index.fields import Fields
from gossamer.index.finder import FinderWriter
from gossamer.index.generations import INDEX_VERSION, IndexFolder, IndexManifest, PartEntry
from gossamer.index.part import Part, PartWriter
from gossamer.index.statics import NO_STATICS, Statics, StaticSource
from gossamer.index.wording import Wording, wording_of
from gossamer.text import ANALYSER_VERSION, Analyser, AnalysisSettings

_PART_WORDS = 64_000_000
"""A part is written when it has so many words: they are in memory until then (320 MB)."""

Finish = Callable[[Path, Wording], None]
"""Told the folder of a generation before it is published, and the words of the index."""


class Source(Protocol):
    name: str

    def versions(self) -> Mapping[int, int]:
        """identity -> version of every document that should be in the index."""
        ...

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        """The documents of the identities `wanted`, each once."""
        ...


class Change(NamedTuple):
    """Counts of what an update has done."""

    added: int
    changed: int
    deleted: int
    unchanged: int
    stored_changes: int = 0  # changes of single documents that were applied after the files
    stored_changes_without_document: int = 0  # patches of documents that the files no longer have


class Progress(NamedTuple):
    done: int
    of: int


class IndexWriter:
    """The one writer of an index: whoever makes it holds the index's lock."""

    def __init__(
        self, folder: IndexFolder, fields: Fields, analysis: AnalysisSettings, source_kind: str
    ) -> None:
        self._folder = folder
        self._fields = fields
        self._analysis = analysis
        self._source_kind = source_kind
        self._analyser = Analyser(analysis)

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
        """Publish a generation that holds what the source says; nothing, if it does already, and
        `stamp` is that of before: how `finish` makes what it makes. Without `finish`, what it made
        for the generation before is kept as it is. Where `statics` alone are others, only they are
        written. With `rebuild` no byte of the generation before is used again: deleted documents
        lie in its files."""
        manifest = self.start(rebuild)
        versions = source.versions()
        known = Known(self._folder, manifest)
        wanted = {
            identity for identity, version in versions.items() if known.version(identity) != version
        }
        leaving = [
            identity
            for identity in known.identities()
            if identity in wanted or identity not in versions
        ]
        changed = len(wanted.intersection(leaving))
        change = Change(
            added=len(wanted) - changed,
            changed=changed,
            deleted=len(leaving) - changed,
            unchanged=len(versions) - len(wanted),
        )
        is_same = manifest.sources == sources and manifest.finish_stamp == stamp
        is_same = (
            bool(manifest.generation) and not wanted and not leaving and is_same and not rebuild
        )
        if is_same and manifest.static_stamp == statics.stamp:
            return change
        before = manifest
        manifest = replace(
            manifest, sources=sources, finish_stamp=stamp, static_stamp=statics.stamp
        )
        if is_same and self._folder.manifest() == before:
            self._replace_statics(manifest, statics.read())
        else:
            read = statics.read()
            self._write(manifest, known, wanted, leaving, source, on_progress, finish, read)
        return change

    def _replace_statics(self, manifest: IndexManifest, statics: Statics | None) -> None:
        self._folder.start_work(goes_on=True)
        generation = manifest.generation + 1
        self._folder.link_generation(generation, manifest.generation)
        self._write_statics(manifest.parts, generation, statics)
        self._folder.publish(replace(manifest, generation=generation, built_at=time.time()))

    def _write_statics(
        self, entries: Iterable[PartEntry], generation: int, statics: Statics | None
    ) -> None:
        if statics is not None:
            for entry in entries:
                statics.write(
                    Part(self._folder.part(entry)), self._folder.statics(generation, entry)
                )

    def current(self) -> IndexManifest:
        """Of the generation to start from: an empty one where the old one does not fit."""
        return self.start(rebuild=False)

    def start(self, rebuild: bool) -> IndexManifest:
        found = self._folder.manifest()
        analysis = asdict(self._analysis)
        if (
            not rebuild
            and found is not None
            and found.fields == self._fields
            and found.analyser_version == ANALYSER_VERSION
            and found.analysis == analysis
        ):
            return found
        return IndexManifest(
            version=INDEX_VERSION,
            generation=found.generation if found else 0,
            analyser_version=ANALYSER_VERSION,
            analysis=analysis,
            fields=self._fields,
            parts=(),
            next_document=found.next_document if found else 1,
            next_part=found.next_part if found else 1,
            languages={},
            words=dict.fromkeys(self._fields.texts, 0),
            source_kind=self._source_kind,
        )

    def _write(
        self,
        manifest: IndexManifest,
        known: "Known",
        wanted: set[int],
        leaving: list[int],
        source: Source,
        on_progress: Callable[[Progress], None],
        finish: Finish | None,
        statics: Statics | None,
    ) -> None:
        finder_folder = self._folder.start_work(goes_on=bool(manifest.parts))
        generation = manifest.generation + 1
        words = dict(manifest.words)
        finder = FinderWriter(finder_folder, self._fields)
        parts = self._without(known, leaving, generation, finder, words)
        number, part_number = manifest.next_document, manifest.next_part
        chunks = ChunkTable(self._analyser)
        part = PartWriter(self._fields, self._analyser, chunks)
        done = 0
        remaining = set(wanted)

        def finish_part() -> None:
            nonlocal part, part_number
            entry = PartEntry(
                part_number, len(part), first=part.first, words=part.words, cut=part.cut
            )
            part.write(self._folder.part(entry))
            parts.append(entry)
            part_number += 1
            chunks.end_part()
            part = PartWriter(self._fields, self._analyser, chunks)

        texts_of = self._fields.texts[:-1]
        for document in source.documents(wanted):
            if document.identity not in remaining:
                continue  # the source names it twice
            remaining.discard(document.identity)
            number = max(number, document.number)
            read = part.add(number, document)
            finder.add(number, read.joined, document)
            for name, span in zip(texts_of, read.spans, strict=False):
                words[name] += span
            number += 1
            done += 1
            if part.words >= _PART_WORDS:
                finish_part()
            if done % 100 == 0:
                on_progress(Progress(done, len(wanted)))
        if len(part):
            finish_part()
        parts, part_number = self._merged(parts, part_number, generation)
        finder.commit()
        if finish is None:
            self._folder.link_companions(generation, manifest.generation)
        else:
            folders = [self._folder.part(entry) for entry in parts]
            finish(self._folder.start_generation(generation), wording_of(folders))
        self._write_statics(parts, generation, statics)
        on_progress(Progress(done, len(wanted)))
        self._folder.publish(
            replace(
                manifest,
                generation=generation,
                parts=tuple(parts),
                next_document=number,
                next_part=part_number,
                languages=self._languages(generation, parts),
                words=words,
                source_kind=self._source_kind,
                built_at=time.time(),
            )
        )

    def _merged(
        self, entries: list[PartEntry], part_number: int, generation: int
    ) -> tuple[list[PartEntry], int]:
        """The parts of the new generation, those that are due made one."""
        found = list(entries)
        for first, end in reversed(merge.due(entries)):
            opened = [
                (Part(folder, self._folder.gone(generation, entry)), folder)
                for entry in entries[first:end]
                for folder in (self._folder.part(entry),)
            ]
            one = merge.merged(opened, part_number, self._folder.part, self._fields, self._analyser)
            found[first:end] = [replace(one, cut=sum(entry.cut for entry in entries[first:end]))]
            part_number += 1
        return found, part_number

    def _languages(self, generation: int, entries: list[PartEntry]) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for entry in entries:
            part = Part(self._folder.part(entry), self._folder.gone(generation, entry))
            counts.update(part.languages())
        return dict(counts.most_common())

    def _without(
        self,
        known: "Known",
        leaving: list[int],
        generation: int,
        finder: FinderWriter,
        words: dict[str, int],
    ) -> list[PartEntry]:
        """The parts of before, less the documents that leave."""
        entries = []
        for entry, part, rows in known.rows_of(leaving):
            if len(rows):
                finder.delete(part.numbers[rows].tolist())
                # Further forms of words are none: they were not counted when they came.
                spans = part.forward.spans[rows, :-1].sum(axis=0).tolist()
                for name, gone in zip(self._fields.texts[:-1], spans, strict=True):
                    words[name] = words.get(name, 0) - int(gone)
                entry = replace(entry, gone=entry.gone + len(rows))
            if entry.gone == entry.documents:
                continue
            if entry.gone:
                folder = self._folder.gone(generation, entry)
                assert folder is not None
                part.write_without(rows, folder)
            entries.append(entry)
        return entries


class Known:
    """The documents of the generation that counts."""

    def __init__(self, folder: IndexFolder, manifest: IndexManifest) -> None:
        self._parts = [
            (entry, Part(folder.part(entry), folder.gone(manifest.generation, entry)))
            for entry in manifest.parts
        ]
        self._versions: dict[int, int] = {}
        for _, part in self._parts:
            rows = part.living()
            self._versions.update(
                zip(part.identities[rows].tolist(), part.versions[rows].tolist(), strict=True)
            )

    def versions(self) -> Mapping[int, int]:
        return self._versions

    def identities(self) -> Iterator[int]:
        return iter(self._versions)

    def version(self, identity: int) -> int | None:
        return self._versions.get(identity)

    def rows_of(self, identities: list[int]) -> Iterator[tuple[PartEntry, Part, Any]]:
        """Where the living ones of these documents lie, part by part."""
        wanted = np.array(identities, np.int64)
        for entry, part in self._parts:
            rows = part.living()
            yield entry, part, rows[np.isin(part.identities[rows], wanted)]


def held_identities(
    folder: IndexFolder, manifest: IndexManifest, wanted: Collection[int]
) -> set[int]:
    """Return the identities that a generation holds: faster than loading all of them."""
    sought = np.array(list(wanted), np.int64)
    found: set[int] = set()
    for entry in manifest.parts:
        part = Part(folder.part(entry), folder.gone(manifest.generation, entry))
        rows = np.flatnonzero(np.isin(part.identities, sought))
        if part.alive is not None:
            rows = rows[part.alive[rows]]
        found.update(part.identities[rows].tolist())
    return found
