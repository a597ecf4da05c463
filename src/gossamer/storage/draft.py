"""One segment while it is written to local files, before its objects are put.

Memory holds one attempt and one row group of each table, however long the segment becomes.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from gossamer import __version__
from gossamer.records import CommittedAttempt
from gossamer.storage import kernels as pc
from gossamer.storage import schema
from gossamer.storage.manifest import Segment, SegmentFile
from gossamer.storage.objects import ObjectStore
from gossamer.storage.staging import StagedAttempt
from gossamer.storage.warc import warcinfo_member

SEGMENTS = "segments/"

_PAGE_GROUP_ROWS = 2_000
_LINK_GROUP_ROWS = 100_000
_GROUP_BYTES = 32_000_000
"""A row group is held in memory: long pages make it smaller."""

_ZSTD_LEVEL = 3


class SegmentDraft:
    def __init__(self, folder: Path, number: int, run_name: str, keep_raw: bool) -> None:
        self._number = number
        self._keep_raw = keep_raw
        self._pages = _Table(
            folder, f"pages-{number:06d}.parquet", schema.PAGES, schema.REPEATING_PAGE_COLUMNS
        )
        self._links = _Table(
            folder, f"links-{number:06d}.parquet", schema.LINKS, schema.REPEATING_LINK_COLUMNS
        )
        self._raw = _Raw(folder, f"raw-{number:06d}.warc.gz", run_name)

    def __enter__(self) -> "SegmentDraft":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for part in (self._pages, self._links, self._raw):
            part.abandon()

    @property
    def pages(self) -> int:
        return self._pages.rows

    def append(self, attempt: CommittedAttempt, staged: StagedAttempt) -> None:
        raw_start = 0
        if self._keep_raw and staged.raw_bytes:
            raw_start = self._raw.append(staged)
        # The raw file is a log of what was exchanged: there, a dropped page may stay.
        pages = _without(staged.pages, "url", attempt.dropped)
        links = _without(staged.links, "source", attempt.dropped)
        if pages.num_rows:
            self._pages.append(self._page_rows(attempt, pages, raw_start), _PAGE_GROUP_ROWS)
        if links.num_rows:
            self._links.append(links, _LINK_GROUP_ROWS)

    def put(self, objects: ObjectStore) -> Segment | None:
        """Put the files into the store; None where there is not a single row."""
        if not self._pages.rows and not self._links.rows:
            return None
        return Segment(
            number=self._number,
            pages=self._pages.rows,
            links=self._links.rows,
            pages_file=self._pages.put(objects),
            links_file=self._links.put(objects),
            raw_file=self._raw.put(objects),
        )

    def _page_rows(self, attempt: CommittedAttempt, rows: Any, raw_start: int) -> Any:
        count = rows.num_rows
        length = rows["warc_length"] if self._keep_raw else _repeated(0, pa.int64(), count)
        has_raw = pc.greater(length, 0)
        added = {
            "warc_offset": pc.if_else(has_raw, pc.add(rows["warc_offset"], raw_start), 0),
            "warc_length": length,
            "warc_file": pc.if_else(has_raw, SEGMENTS + self._raw.name, ""),
            "duplicate_of": _originals(attempt.duplicates, rows),
            "near_duplicate_of": _originals(attempt.near_duplicates, rows),
            "schedule_server": _repeated(attempt.server, pa.int32(), count),
            "schedule_number": _repeated(attempt.number, pa.int64(), count),
        }
        columns = [added[name] if name in added else rows[name] for name in schema.PAGES.names]
        return pa.Table.from_arrays(columns, schema=schema.PAGES)


def _originals(repeats: Mapping[str, str], rows: Any) -> Any:
    """For each row the page that it repeats, or ''."""
    if not repeats:
        return _repeated("", pa.string(), rows.num_rows)
    return pa.array([repeats.get(url, "") for url in rows["url"].to_pylist()], pa.string())


def _without(rows: Any, column: str, urls: Sequence[str]) -> Any:
    if not urls:
        return rows
    return rows.filter(pc.invert(pc.is_in(rows[column], pa.array(urls, pa.string()))))


def _repeated(value: Any, kind: Any, count: int) -> Any:
    return pa.repeat(pa.scalar(value, kind), count)


class _File:
    """A local file that is made when its first bytes come."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self._path = folder / name
        self._file: IO[bytes] | None = None

    def _open(self) -> IO[bytes]:
        if self._file is None:
            self._file = self._path.open("xb")
        return self._file

    def _complete(self) -> None:
        """Write what is still held."""

    def abandon(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # what it still holds finds no place on a full disk
                self._file.close()

    def put(self, objects: ObjectStore) -> SegmentFile | None:
        if self._file is None:
            return None
        self._complete()
        self._file.close()
        objects.put(SEGMENTS + self.name, self._path)
        return SegmentFile(SEGMENTS + self.name, self._path.stat().st_size)


class _Table(_File):
    """A Parquet file, written a row group at a time."""

    def __init__(self, folder: Path, name: str, columns: Any, repeating: Sequence[str]) -> None:
        super().__init__(folder, name)
        self.rows = 0
        self._columns = columns
        self._repeating = repeating
        self._held: list[Any] = []
        self._held_rows = 0
        self._held_bytes = 0
        self._writer: Any = None

    def append(self, rows: Any, group_rows: int) -> None:
        if self._writer is None:
            self._writer = pq.ParquetWriter(
                self._open(),
                self._columns,
                compression="zstd",
                compression_level=_ZSTD_LEVEL,
                use_dictionary=list(self._repeating),
                write_page_checksum=True,
            )
        self._held.append(rows)
        self.rows += rows.num_rows
        self._held_rows += rows.num_rows
        self._held_bytes += rows.nbytes
        if self._held_rows >= group_rows or self._held_bytes >= _GROUP_BYTES:
            self._write_group()

    def _write_group(self) -> None:
        group = pa.concat_tables(self._held)
        self._held.clear()
        self._held_rows = self._held_bytes = 0
        self._writer.write_table(group, row_group_size=group.num_rows)

    def _complete(self) -> None:
        if self._held:
            self._write_group()
        self._writer.close()

    def abandon(self) -> None:
        if self._writer is not None:
            with suppress(OSError):
                self._writer.close()
        super().abandon()


class _Raw(_File):
    """A WARC file: the records of the attempts, behind one that says where they come from."""

    def __init__(self, folder: Path, name: str, run_name: str) -> None:
        super().__init__(folder, name)
        self._run_name = run_name

    def append(self, staged: StagedAttempt) -> int:
        """Copy the members of an attempt, and tell where they start."""
        if self._file is None:
            software = f"gossamer/{__version__}"
            info = warcinfo_member(self.name, software, self._run_name, time.time())
            self._open().write(info)
        file = self._open()
        start = file.tell()
        for piece in staged.raw():
            file.write(piece)
        return start
