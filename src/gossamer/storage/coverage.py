"""Which rows of a segment are to be left out, found for a whole table at once.

Takedowns cover rows, and so do later rounds of visits: a page that was stored again takes the place
of what it was before. A page row tells by itself whether it is covered. A link row belongs to the
page that it was found on, and that page's row lies in the same segment.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from gossamer.storage.manifest import Manifest, Segment
from gossamer.storage.objects import ObjectStore
from gossamer.storage.tables import earlier, read_tables
from gossamer.storage.tombstones import Takedowns, Tombstones

COVER_COLUMNS = ("site_hash", "key", "host", "fetched_at")
"""Of the page table: what tells whether a row is covered."""


@dataclass(frozen=True)
class Cover:
    """What is to be left out of one segment."""

    tombstones: Tombstones
    stored_again: Any = None  # an Arrow array: keys of pages that a later round has stored

    def __bool__(self) -> bool:
        return bool(self.tombstones) or self.stored_again is not None


class Covers:
    """Of all segments of a run, at one moment."""

    def __init__(self, objects: ObjectStore, manifest: Manifest) -> None:
        self._objects = objects
        self._segments = manifest.segments
        self._takedowns = Takedowns.load(objects)
        self._keys: dict[tuple[int, int], Any] = {}

    @property
    def last_takedown(self) -> int:
        return self._takedowns.last

    def of(self, segment: Segment) -> Cover:
        place = (segment.round, segment.newest_through)
        if place not in self._keys:
            self._keys[place] = self._stored_after(*place)
        return Cover(self._takedowns.after(segment.clean_through), self._keys[place])

    def _stored_after(self, visits_round: int, number: int) -> Any:
        """The keys of the pages that later rounds have stored, in segments after that number."""
        keys = [
            table["key"].combine_chunks()
            for later in self._segments
            if later.round > visits_round and later.number > number and later.pages_file is not None
            for table in read_tables(self._objects, later.pages_file, (), ["key"])
        ]
        return pa.concat_arrays(keys) if keys else None


def covered(pages: Any, cover: Cover) -> Any:
    """For each row of a table of pages, whether it is to be left out."""
    tombstones = cover.tombstones
    if tombstones.whole_run:
        return pa.array([True] * pages.num_rows, pa.bool_())
    mask = _is_in(pages["host"], tombstones.hosts, pa.string())
    if tombstones.before:
        moment = pa.scalar(round(tombstones.before * 1000), pa.timestamp("ms", "UTC"))
        mask = pc.or_(mask, pc.less(pages["fetched_at"], moment))
    if tombstones.urls:
        mask = pc.or_(mask, _has_slot(pages, tombstones))
    if cover.stored_again is not None:
        mask = pc.or_(mask, pc.is_in(pages["key"], value_set=cover.stored_again))
    return mask


def _has_slot(pages: Any, tombstones: Tombstones) -> Any:
    candidates = _is_in(pages["key"], {key for _, key in tombstones.urls}, pa.int64())
    if not pc.any(candidates).as_py():
        return candidates
    slots = zip(pages["site_hash"].to_pylist(), pages["key"].to_pylist(), strict=True)
    return pa.array([slot in tombstones.urls for slot in slots], pa.bool_())


def _is_in(column: Any, values: Any, kind: Any) -> Any:
    return pc.is_in(column, value_set=pa.array(sorted(values), kind))


def without_covered(pages: Any, cover: Cover) -> Any:
    if not cover:
        return pages
    mask = covered(pages, cover)
    return pages.filter(pc.invert(mask)) if pc.any(mask).as_py() else pages


def covered_pages(objects: ObjectStore, segment: Segment, cover: Cover) -> frozenset[str]:
    """The URLs of a segment whose rows are all covered: their links are to be left out too."""
    if segment.pages_file is None or not cover:
        return frozenset()
    gone: set[str] = set()
    kept: set[str] = set()
    for table in read_tables(objects, segment.pages_file, (), ["url", *COVER_COLUMNS]):
        mask = covered(table, cover)
        if pc.any(mask).as_py():
            gone.update(table["url"].filter(mask).to_pylist())
            if cover.tombstones.before:  # a page may have been fetched again, in the same segment
                kept.update(table["url"].filter(pc.invert(mask)).to_pylist())
    return frozenset(gone - kept)


def count_covered(objects: ObjectStore, tombstones: Tombstones) -> int:
    """How many page rows a further takedown would cover."""
    manifest = Manifest.load(objects)
    covers = Covers(objects, manifest)
    count = 0
    for segment in manifest.segments:
        if segment.pages_file is not None:
            for table in read_tables(objects, segment.pages_file, (), COVER_COLUMNS):
                rest = without_covered(table, covers.of(segment))
                count += pc.sum(covered(rest, Cover(tombstones))).as_py() or 0
    return count


def has_older(objects: ObjectStore, moment: float) -> bool:
    """Whether any page was fetched before a moment that is still there."""
    manifest = Manifest.load(objects)
    covers = Covers(objects, manifest)
    older = [earlier("fetched_at", datetime.fromtimestamp(moment, UTC))]
    for segment in manifest.segments:
        if segment.pages_file is not None:
            for table in read_tables(objects, segment.pages_file, older, COVER_COLUMNS):
                if without_covered(table, covers.of(segment)).num_rows:
                    return True
    return False


def without_sources(links: Any, sources: frozenset[str]) -> Any:
    """A table of links without those of some pages."""
    if not sources:
        return links
    return links.filter(pc.invert(_is_in(links["source"], sources, pa.string())))
