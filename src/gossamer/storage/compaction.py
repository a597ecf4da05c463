"""Segments written anew, without what is to be left out: then the bytes are really gone.

One segment after the other gets a new edition: its files are written under other names, the
manifest is replaced, the old files are deleted. Whatever interrupts it, the manifest tells the
truth; what is left over is cleaned up by the next one that writes. Only for the one that has the
right to write to the run, and while no roller works on it.

What is covered goes: page rows, the links on those pages, their raw exchanges (also those without a
row, of attempts that lost). That can be because of a takedown, because of their age, or because a
later round has stored the page again. What other pages keep of one that is taken down, by having
been found there, goes as well: the text of the link that led to them. A page that repeated one
which is gone is a repeat no more. Where a takedown takes along what points to it
(`Takedown.links`), so do the links to it and its address in the rows of redirects, canonical
addresses and parents.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from msgspec.structs import replace

from gossamer.lib.hashing import hash64
from gossamer.storage import schema
from gossamer.storage.coverage import COVER_COLUMNS, Cover, Covers, covered, without_sources
from gossamer.storage.draft import SEGMENTS
from gossamer.storage.manifest import Manifest, Segment, SegmentFile
from gossamer.storage.objects import ObjectStore, refusals
from gossamer.storage.raw_files import RawPlan, copy_spans, plan_raw
from gossamer.storage.tables import Row, read_tables, rows_of, table_writer
from gossamer.storage.tombstones import ReadUrl, Takedowns, Tombstones
from gossamer.urls import FILE_START

_SCRATCH = "compact-"
_LOOKED_AT = ["url", "parent", "duplicate_of", "near_duplicate_of", "warc_offset", "warc_length"]
_POINTING = ("parent", "location", "canonical")
_REPEATS = ("duplicate_of", "near_duplicate_of")
_ADDRESSES = ("http://", "https://", FILE_START)


def covered_rows(objects: ObjectStore, columns: Sequence[str], *, expired: bool) -> Iterator[Row]:
    """The page rows that compaction takes away: those that are too old, or all the others. The
    newest come first."""
    takedowns = Takedowns.load(objects)
    read = [*columns, *(name for name in COVER_COLUMNS if name not in columns)]
    for segment in reversed(Manifest.load(objects).segments):
        tombstones = takedowns.after(segment.clean_through)
        if expired:
            tombstones = Tombstones(before=tombstones.before)
        else:
            tombstones = replace(tombstones, before=0.0)
        if segment.pages_file is None or not tombstones:
            continue
        for table in read_tables(objects, segment.pages_file, (), read, backwards=True):
            mask = covered(table, Cover(tombstones))
            yield from rows_of(table.filter(mask).select(columns))


def is_compact(objects: ObjectStore) -> bool:
    """Whether no segment may hold anything that is to be left out."""
    manifest = Manifest.load(objects)
    covers = Covers(objects, manifest)
    return not any(covers.of(segment) for segment in manifest.segments)


class Compacted(Struct):
    """What became of the segments."""

    segments: int = 0  # written anew
    pages: int = 0  # rows that are gone
    links: int = 0
    bytes: int = 0  # by which the files became smaller


class Compactor:
    """`scratch` is a local folder; on the disk of the objects, finished files are linked."""

    def __init__(
        self,
        objects: ObjectStore,
        scratch: Path,
        read_url: ReadUrl,
        on_segment: Callable[[int, int], None] = lambda _done, _all: None,
    ) -> None:
        self._objects = objects
        self._scratch = scratch
        self._read_url = read_url
        self._on_segment = on_segment
        self._heirs: dict[str, str] = {}  # of a page that is gone: the first that repeated it
        self._expired: set[int] = set()  # hashes of the URLs that went because of their age
        for leftover in scratch.glob(f"{_SCRATCH}*"):
            shutil.rmtree(leftover, ignore_errors=True)

    def compact(self) -> Compacted:
        """Bring every segment up to the last takedown and the last round. Can be called again after
        any fault."""
        manifest = Manifest.load(self._objects)
        covers = Covers(self._objects, manifest)
        done = Compacted()
        self._delete_orphans(manifest)
        last = manifest.next_number - 1
        marks = {"clean_through": covers.last_takedown, "newest_through": last}
        for place, segment in enumerate(manifest.segments):
            cover = covers.of(segment)
            self._on_segment(place, len(manifest.segments))
            if not cover:
                continue
            edition = self._edition(segment, cover, manifest.run)
            if edition is None:
                # Nothing in it is covered; the next replacement of the manifest says so too.
                manifest = manifest.with_edition(replace(segment, **marks))
                continue
            manifest = manifest.with_edition(replace(edition, **marks))
            manifest.save(self._objects)
            self._delete_orphans(manifest)
            done.segments += 1
            done.pages += segment.pages - edition.pages
            done.links += segment.links - edition.links
            done.bytes += _size(segment) - _size(edition)
        if manifest != Manifest.load(self._objects):
            manifest.save(self._objects)
        return done

    def _delete_orphans(self, manifest: Manifest) -> None:
        named = {file.name for segment in manifest.segments for file in segment.files}
        for name in self._objects.list(SEGMENTS):
            if name not in named:
                self._objects.delete(name)

    def _edition(self, segment: Segment, cover: Cover, run: str) -> Segment | None:
        """The segment written anew; None where nothing in it is covered."""
        tombstones = cover.tombstones
        look = self._look(segment, cover)
        raw = plan_raw(
            self._objects,
            segment.raw_file,
            look.responses,
            lambda uri, moment: self._is_gone(uri, moment, tombstones),
        )
        pointed = tombstones.pointed
        if not look.is_touched and not raw.drops and not self._has_links_to(segment, pointed):
            return None
        with refusals(f"Cannot write a segment in {self._scratch}"):
            self._scratch.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=self._scratch) as folder:
                return self._written(segment, cover, look, raw, run, Path(folder))

    def _is_gone(self, uri: str, moment: float, tombstones: Tombstones) -> bool:
        return moment < tombstones.before or tombstones.covers_href(uri, self._read_url)

    # Looking

    def _look(self, segment: Segment, cover: Cover) -> "_Look":
        look = _Look()
        tombstones = cover.tombstones
        if segment.pages_file is None:
            return look
        columns = [*_LOOKED_AT, *COVER_COLUMNS]
        if tombstones.pointed:
            columns += [name for name in (*_POINTING, "via") if name not in columns]
        kept: set[str] = set()
        for table in read_tables(self._objects, segment.pages_file, (), columns):
            mask = covered(table, cover)
            gone = table.filter(mask)
            rest = table.filter(pc.invert(mask))
            look.gone.update(gone["url"].to_pylist())
            if tombstones.before:
                look.expired.update(_not_stored_again(gone, cover)["url"].to_pylist())
            kept.update(rest["url"].to_pylist())
            look.is_touched = (
                look.is_touched or bool(gone.num_rows) or self._refers(rest, tombstones)
            )
            for part, stays in ((gone, False), (rest, True)):
                lengths = part["warc_length"].to_pylist()
                for start, length in zip(part["warc_offset"].to_pylist(), lengths, strict=True):
                    if length:
                        look.responses[start] = (length, stays)
        look.gone -= kept
        self._expired.update(hash64(url.encode()) for url in look.expired - kept)
        return look

    def _refers(self, rows: Any, tombstones: Tombstones) -> bool:
        """Whether rows that stay say something of what goes."""
        if pc.any(self._mask(rows["parent"], tombstones)).as_py():
            return True
        if any(pc.any(self._repeats_gone(rows[name], tombstones)).as_py() for name in _REPEATS):
            return True
        pointed = tombstones.pointed
        return bool(pointed) and (
            any(pc.any(self._mask(rows[name], pointed)).as_py() for name in _POINTING)
            or any(self._covers(hop, pointed) for hops in rows["via"].to_pylist() for hop in hops)
        )

    def _mask(self, column: Any, tombstones: Tombstones) -> Any:
        """For each address of a column, whether it is covered. Each is looked at once."""
        addresses = [href for href in pc.unique(column).to_pylist() if href]
        found = [href for href in addresses if self._covers(href, tombstones)]
        return pc.is_in(column, value_set=pa.array(found, pa.string()))

    def _repeats_gone(self, column: Any, tombstones: Tombstones) -> Any:
        mask = self._mask(column, tombstones)
        if not self._expired:
            return mask
        originals = [href for href in pc.unique(column).to_pylist() if href]
        gone = [href for href in originals if hash64(href.encode()) in self._expired]
        return pc.or_(mask, pc.is_in(column, value_set=pa.array(gone, pa.string())))

    def _covers(self, href: str, tombstones: Tombstones) -> bool:
        # What a page names its canonical address may be anything.
        return href.startswith(_ADDRESSES) and tombstones.covers_href(href, self._read_url)

    def _has_links_to(self, segment: Segment, pointed: Tombstones) -> bool:
        if segment.links_file is None or not pointed:
            return False
        tables = read_tables(self._objects, segment.links_file, (), ["target"])
        return any(pc.any(self._mask(table["target"], pointed)).as_py() for table in tables)

    # Writing

    def _written(
        self,
        segment: Segment,
        cover: Cover,
        look: "_Look",
        raw: RawPlan,
        run: str,
        folder: Path,
    ) -> Segment:
        tombstones = cover.tombstones
        edition = segment.edition + 1
        suffix = f"{segment.number:06d}-{edition}"
        raw_name = f"raw-{suffix}.warc.gz"
        raw_file = None
        if segment.raw_file is not None and raw.keeps:
            with (folder / raw_name).open("xb") as file:
                moved = copy_spans(self._objects, segment.raw_file, raw, file, raw_name, run)
            raw_file = self._put(folder, raw_name)
        else:
            moved = {}

        def pages() -> Iterator[Any]:
            if segment.pages_file is not None:
                for table in read_tables(self._objects, segment.pages_file):
                    kept = table.filter(pc.invert(covered(table, cover)))
                    kept = _with_raw(kept, moved, SEGMENTS + raw_name)
                    yield self._without_traces(kept, tombstones)

        def links() -> Iterator[Any]:
            if segment.links_file is not None:
                for table in read_tables(self._objects, segment.links_file):
                    kept = without_sources(table, frozenset(look.gone))
                    if tombstones.pointed:
                        to_gone = self._mask(kept["target"], tombstones.pointed)
                        kept = kept.filter(pc.invert(to_gone))
                    yield kept

        pages_name, links_name = f"pages-{suffix}.parquet", f"links-{suffix}.parquet"
        page_rows = _write(folder / pages_name, pages(), schema.REPEATING_PAGE_COLUMNS)
        link_rows = _write(folder / links_name, links(), schema.REPEATING_LINK_COLUMNS)
        return replace(
            segment,
            edition=edition,
            pages=page_rows,
            links=link_rows,
            pages_file=self._put(folder, pages_name) if page_rows else None,
            links_file=self._put(folder, links_name) if link_rows else None,
            raw_file=raw_file,
        )

    def _put(self, folder: Path, name: str) -> SegmentFile:
        size = (folder / name).stat().st_size
        self._objects.put(SEGMENTS + name, folder / name)
        return SegmentFile(SEGMENTS + name, size)

    def _without_traces(self, rows: Any, tombstones: Tombstones) -> Any:
        """Rows that stay, without what they say of pages that go."""
        found_there = self._mask(rows["parent"], tombstones)
        rows = _with(rows, "anchor", pc.if_else(found_there, "", rows["anchor"]))
        for name in _REPEATS:
            rows = self._with_heirs(rows, name, tombstones)
        pointed = tombstones.pointed
        if not pointed:
            return rows
        leads_there = self._mask(rows["location"], pointed)
        rows = _with(rows, "detail", pc.if_else(leads_there, "", rows["detail"]))
        for name in _POINTING:
            cleared = pc.if_else(self._mask(rows[name], pointed), "", rows[name])
            rows = _with(rows, name, cleared)
        hops = [
            [hop for hop in via if not self._covers(hop, pointed)]
            for via in rows["via"].to_pylist()
        ]
        return _with(rows, "via", pa.array(hops, rows.schema.field("via").type))

    def _with_heirs(self, rows: Any, column: str, tombstones: Tombstones) -> Any:
        """The first page that repeated one which is gone is the original now."""
        mask = self._repeats_gone(rows[column], tombstones)
        if not pc.any(mask).as_py():
            return rows
        originals = []
        rewritten = zip(
            rows["url"].to_pylist(), rows[column].to_pylist(), mask.to_pylist(), strict=True
        )
        for url, original, is_gone in rewritten:
            heir = self._heirs.setdefault(original, url) if is_gone else original
            originals.append("" if heir == url else heir)
        return _with(rows, column, pa.array(originals, pa.string()))


class _Look:
    """What a first pass over a segment's pages has shown."""

    def __init__(self) -> None:
        self.gone: set[str] = set()  # URLs of which no row stays
        self.expired: set[str] = set()  # of these, the ones that are not stored elsewhere
        self.responses: dict[int, tuple[int, bool]] = {}  # offset -> (length, whether it stays)
        self.is_touched = False


def _not_stored_again(pages: Any, cover: Cover) -> Any:
    if cover.stored_again is None:
        return pages
    return pages.filter(pc.invert(pc.is_in(pages["key"], value_set=cover.stored_again)))


def _with(rows: Any, name: str, column: Any) -> Any:
    place = rows.schema.get_field_index(name)
    return rows.set_column(place, rows.schema.field(name), column)


def _with_raw(rows: Any, moved: dict[int, int], name: str) -> Any:
    """Rows that know where their responses lie now."""
    lengths = rows["warc_length"].to_pylist()
    offsets = [
        moved[start] if length else 0
        for start, length in zip(rows["warc_offset"].to_pylist(), lengths, strict=True)
    ]
    files = pc.if_else(pc.greater(rows["warc_length"], 0), name, "")
    return _with(_with(rows, "warc_offset", pa.array(offsets, pa.int64())), "warc_file", files)


def _write(path: Path, tables: Iterator[Any], repeating: list[str]) -> int:
    """A Parquet file with a row group for each table; returns the number of rows."""
    rows = 0
    writer: Any = None
    with ExitStack() as stack:
        for table in tables:
            if not table.num_rows:
                continue
            if writer is None:
                file = stack.enter_context(path.open("xb"))
                writer = stack.enter_context(_closing(file, table.schema, repeating))
            writer.write_table(table, row_group_size=table.num_rows)
            rows += table.num_rows
    return rows


@contextmanager
def _closing(file: IO[bytes], columns: Any, repeating: list[str]) -> Iterator[Any]:
    writer = table_writer(file, columns, repeating)
    try:
        yield writer
    finally:
        writer.close()


def _size(segment: Segment) -> int:
    return sum(file.bytes for file in segment.files)
