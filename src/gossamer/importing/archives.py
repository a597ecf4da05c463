"""What lies in a WARC file, and where: its records, one after another, and its broken places.

Reads what others write: WARC 0.17 to 1.1, plain, in gzip (a member for each record, or one for
all), in zstd (with a dictionary or without) and in LZ4. A broken place costs what lies in it: the
next record behind it is looked for, where a file can be entered in the middle at all.
"""

import re
import warnings
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from msgspec import Struct

from gossamer.errors import UsageError

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # fastwarc warns of its own old classes
    from fastwarc.stream_io import GzipReader, Lz4Reader, ZstdReader
    from fastwarc.warc import ArchiveIterator, WarcRecordType

MOST_BROKEN_PLACES = 1_000
"""Of a file: then its rest is given up. One that is broken throughout takes long, for nothing."""

_MAGIC = b"WARC/"
_GZIP = b"\x1f\x8b\x08"
_PACKINGS = {
    _GZIP: "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x5d\x2a\x4d\x18": "zstd",  # a dictionary comes first
    b"\x04\x22\x4d\x18": "lz4",
}
_READERS = {"gzip": GzipReader, "zstd": ZstdReader, "lz4": Lz4Reader}
_FIRST_LINE = re.compile(rb"WARC/[01]\.[0-9]+\r?\n")
_PLAIN_START = re.compile(rb"\nWARC/[01]\.[0-9]+\r?\n")
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"\nContent-Length:[ \t]*([0-9]{1,18})[ \t]*\r?\n", re.IGNORECASE)
_NUMBER = re.compile(r"[ \t]*[0-9]{1,18}[ \t]*")
_LONGEST_START = 32
_LOOK_BYTES = 1_000_000
_MOST_CANDIDATES = 100_000  # places that look like the beginning of a record, and are not
_PEEK_BYTES = 512
_STATUS_BYTES = 12
_LARGEST_HEADER = 128 * 1024
_DATE_PARTS = re.compile(r"[0-9]+")

_KINDS = {
    int(WarcRecordType.response): "response",
    int(WarcRecordType.resource): "resource",
    int(WarcRecordType.revisit): "revisit",
    int(WarcRecordType.conversion): "conversion",
}


class Shape(Struct, frozen=True):
    """How a file is packed."""

    packing: str  # '', 'gzip', 'zstd' or 'lz4'
    can_be_entered: bool  # each record begins at a place of its own, where reading can start
    bare_lines: bool = False  # its lines end in LF alone


class Broken(Struct, frozen=True):
    """A place in a file that cannot be read, or not to its end."""

    place: int  # a byte offset, or the record's number where the file cannot be entered
    reason: str


class Record:
    """A record, as long as the next one has not been asked for."""

    __slots__ = ("_read", "_record", "broken", "can_be_entered", "kind", "length", "place")

    def __init__(self, record: Any, place: int, can_be_entered: bool) -> None:
        self._record = record
        self.place = place
        self.can_be_entered = can_be_entered  # reading can start at its place
        self.kind = _KINDS.get(int(record.record_type), "")  # '': nothing that can be a page
        self.length: int = record.content_length
        self._read = 0
        self.broken = ""
        if not _NUMBER.fullmatch(self.header("Content-Length")):
            self.broken = "its header is cut short, or tells no length"

    @property
    def url(self) -> str:
        """As it stands there; some writers put it into angle brackets."""
        text: str = self._record.headers.get("WARC-Target-URI") or ""
        return text.strip().strip("<>")

    @property
    def seconds(self) -> float:
        """Since 1970; 0 where there is no date to be read."""
        date = self._record.record_date
        if date is not None:
            return _within_reason(date)
        return date_of(self.header("WARC-Date"))

    def header(self, name: str) -> str:
        return self._record.headers.get(name) or ""

    def block(self, most: int) -> bytes:
        """What follows of the content, up to so many bytes. What could not be read is told by
        `broken`."""
        wanted = min(self.length - self._read, most)
        try:
            data: bytes = self._record.reader.read(wanted)
            while len(data) < wanted:
                more = self._record.reader.read(wanted - len(data))
                if not more:
                    self._cut(self._read + len(data))
                    break
                data += more
        except OSError as error:
            self.broken = _reason(error)
            return b""
        self._read += len(data)
        return data

    def start(self) -> bytes:
        """The first bytes of the content: those of a status line. To be read before the rest."""
        return self.block(_STATUS_BYTES)

    def skip(self) -> None:
        """Go to the end: only there it shows whether all of it is there."""
        try:
            there = self._read + self._record.consume()
        except OSError as error:
            self.broken = _reason(error)
            return
        if there < self.length:
            self._cut(there)

    def _cut(self, there: int) -> None:
        self.broken = f"it is cut short: {there:,} of {self.length:,} bytes are there"


def shape_of(path: Path) -> Shape:
    """How the file is packed; raises `UsageError` where it is no WARC file."""
    try:
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "is not a file that can be read twice"
            raise UsageError(f"'{path}' {what if path.exists() else 'does not exist'}.")
        with path.open("rb", buffering=0) as file:
            packing = _packing(file)
            start = _first_bytes(file, packing)
            if not _FIRST_LINE.match(start):
                raise UsageError(f"'{path}' is no WARC file: {_what_it_is(start)}.")
            bare_lines = start.partition(b"\n")[0][-1:] != b"\r"
            entered = not packing or (packing == "gzip" and _has_members(file))
    except OSError as error:
        raise UsageError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    return Shape(packing, entered, bare_lines)


def records(
    path: Path, shape: Shape, start: int = 0, *, exact: bool = True
) -> Iterator[Record | Broken]:
    """The records from a place on, and where they are broken. `exact`: a record begins at `start`;
    otherwise the first one behind it is looked for."""
    with path.open("rb", buffering=0) as file:
        if not shape.can_be_entered:
            yield from _counted(file, shape, start)
            return
        place = start if exact else _next_start(file, shape, start)
        vague: Broken | None = None
        told = 0
        while place is not None:
            last: Record | None = None
            trouble: Broken | None = None
            for found in _from(file, shape, place):
                if isinstance(found, Broken):
                    trouble = found
                    continue
                if vague is not None:
                    yield vague
                    vague = None
                last = found
                yield found
            after = (place if last is None else last.place) + 1
            if trouble is None:
                # Some damage looks like the end of the file.
                place = _next_start(file, shape, after) if shape.packing else None
                if place is not None:
                    vague = Broken(after, "it is followed by something unreadable")
                continue
            told += 1
            if last is None or last.broken:
                vague = None  # this is the place that it was about
                yield trouble
            else:
                # Somewhere behind a sound record: the next look may tell where.
                vague = trouble
            if told == MOST_BROKEN_PLACES:
                yield Broken(trouble.place, f"so are {told:,} places: the rest is left out")
                return
            place = _next_start(file, shape, after)
        if vague is not None:
            yield vague


def _from(file: IO[bytes], shape: Shape, start: int) -> Iterator[Record | Broken]:
    """The records from one that begins at `start`. Ends with a `Broken` where it has to."""
    file.seek(start)
    stream = _unpacked(file, shape.packing)
    place = start
    try:
        for raw in _iterator(stream, shape):
            place = raw.stream_pos
            entered = not shape.packing or stream.frame_start_position() == place
            record = Record(raw, place, entered)
            if not record.broken:
                yield record
            if record.broken:
                yield Broken(place, record.broken)
                return
    except OSError as error:
        if shape.packing == "gzip" and not _is_about_header(error):
            # The member that could not be unpacked: it need not be the last record's.
            place = max(place, stream.frame_start_position() or 0)
        yield Broken(place, _reason(error))


def _counted(file: IO[bytes], shape: Shape, start: int) -> Iterator[Record | Broken]:
    """Records by their number, those before `start` left out."""
    file.seek(0)
    number = 0
    try:
        for raw in _iterator(_unpacked(file, shape.packing), shape):
            record = Record(raw, number, can_be_entered=False)
            if number >= start and not record.broken:
                yield record
            if record.broken:
                yield Broken(number, f"{record.broken}: the rest of the file is lost")
                return
            number += 1
    except OSError as error:
        yield Broken(number, f"{_reason(error)}: the rest of the file is lost")


def _iterator(stream: Any, shape: Shape) -> Any:
    return ArchiveIterator(
        stream,
        parse_http=False,
        stream_detect=False,
        quirks_mode=shape.bare_lines,
        max_header_len=_LARGEST_HEADER,
    )


def _unpacked(file: IO[bytes], packing: str) -> Any:
    reader = _READERS.get(packing)
    return reader(file) if reader else file


def _packing(file: IO[bytes]) -> str:
    start = file.read(4)
    return next((packing for magic, packing in _PACKINGS.items() if start.startswith(magic)), "")


def _first_bytes(file: IO[bytes], packing: str) -> bytes:
    file.seek(0)
    try:
        if packing == "gzip":  # by hand: a little of it is sound even if what follows is not
            return zlib.decompressobj(31).decompress(file.read(_PEEK_BYTES), _LONGEST_START)
        data: bytes = _unpacked(file, packing).read(_LONGEST_START)
    except (OSError, zlib.error):
        return b""
    return data


def _what_it_is(start: bytes) -> str:
    if not start:
        return "it is empty, or cannot be unpacked"
    if start.startswith(b"filedesc:"):
        return "it is an ARC file, the format before WARC"
    if start.startswith(_MAGIC):
        return "its version is not known"
    shown = start[:20].decode("latin-1")
    return f"it begins with {shown!r}"


def _has_members(file: IO[bytes]) -> bool:
    """Whether the first gzip member holds the first record and nothing else."""
    file.seek(0)
    member = zlib.decompressobj(31)
    start, unpacked, whole = b"", 0, _LARGEST_HEADER
    try:
        while not member.eof and unpacked <= whole:
            packed = file.read(_LOOK_BYTES)
            if not packed:
                return False
            while packed and unpacked <= whole:
                data = member.decompress(packed, _LOOK_BYTES)
                packed = member.unconsumed_tail
                unpacked += len(data)
                if len(start) < _LARGEST_HEADER:
                    start += data
                    whole = _first_length(start)
    except zlib.error:
        return False
    return member.eof and unpacked <= whole


def _first_length(start: bytes) -> int:
    """Of the record that these bytes begin, with its header and the lines that end it."""
    head = _HEAD_END.search(start)
    length = _LENGTH.search(start, 0, head.end()) if head else None
    if head is None or length is None:
        return _LARGEST_HEADER
    return head.end() + int(length[1]) + len(b"\r\n\r\n")


def _begins_record(file: IO[bytes], place: int) -> bool:
    """Whether a gzip member with a record at its beginning stands there."""
    file.seek(place)
    try:
        start = zlib.decompressobj(31).decompress(file.read(_PEEK_BYTES), len(_MAGIC))
    except zlib.error:
        return False
    return start == _MAGIC


def _next_start(file: IO[bytes], shape: Shape, start: int) -> int | None:
    """The first place at or behind `start` where a record begins; None: there is none."""
    if start == 0:
        return 0
    # A plain record is told by its first line, and that by the line end before it.
    position = start if shape.packing else start - 1
    tries = 0
    while True:
        file.seek(position)
        data = file.read(_LOOK_BYTES)
        for place in _candidates(data, shape):
            if not shape.packing or _begins_record(file, position + place):
                return position + place
            tries += 1
            if tries == _MOST_CANDIDATES:
                return None
        if len(data) < _LOOK_BYTES:
            return None
        position += len(data) - _LONGEST_START


def _candidates(data: bytes, shape: Shape) -> Iterator[int]:
    if not shape.packing:
        yield from (match.start() + 1 for match in _PLAIN_START.finditer(data))
        return
    place = data.find(_GZIP)
    while place >= 0:
        yield place
        place = data.find(_GZIP, place + 1)


def _is_about_header(error: OSError) -> bool:
    return "header" in str(error).lower()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).strip().rstrip(".")


def _within_reason(date: datetime) -> float:
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, date.timestamp())


def date_of(text: str) -> float:
    """Dates of less precision than a second are allowed, and others are seen."""
    digits = "".join(_DATE_PARTS.findall(text))[:14]
    for length, form in ((14, "%Y%m%d%H%M%S"), (8, "%Y%m%d"), (6, "%Y%m"), (4, "%Y")):
        if len(digits) >= length:
            try:
                return _within_reason(datetime.strptime(digits[:length], form))
            except ValueError:
                return 0.0
    return 0.0
