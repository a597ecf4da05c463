"""The manifest: which segments a run has. What it does not name does not exist for readers.

Replacing this one object is what publishes a segment. The watermarks in it say what the segments
contain, so that rolling the same attempts again after a crash adds nothing twice.
"""

import msgspec
from msgspec import Struct

from gossamer.errors import FormatError
from gossamer.storage.objects import ObjectStore

MANIFEST_VERSION = 1
_NAME = "manifest.json"


class SegmentFile(Struct, frozen=True):
    name: str  # of the object
    bytes: int


class Segment(Struct, frozen=True):
    """The files of one segment; a kind that would be empty has no file."""

    number: int
    pages: int
    links: int
    pages_file: SegmentFile | None = None
    links_file: SegmentFile | None = None
    raw_file: SegmentFile | None = None
    edition: int = 1  # how often it was written: its files have other names each time
    clean_through: int = 0  # the last takedown whose pages it does not hold any more
    round: int = 0  # of the visits to its pages
    newest_through: int = 0  # the last segment whose pages it does not hold in an older form

    @property
    def files(self) -> tuple[SegmentFile, ...]:
        return tuple(
            file for file in (self.pages_file, self.links_file, self.raw_file) if file is not None
        )


class Manifest(Struct, frozen=True):
    version: int = MANIFEST_VERSION
    run: str = ""
    segments: tuple[Segment, ...] = ()
    watermarks: dict[int, int] = {}  # queue server -> the highest schedule number contained
    pages: int = 0
    links: int = 0

    @classmethod
    def load(cls, objects: ObjectStore) -> "Manifest":
        """The manifest of a run; an empty one where nothing has been rolled yet."""
        data = objects.get(_NAME)
        if data is None:
            return cls()
        try:
            version = msgspec.json.decode(data, type=_Versioned).version
            if version != MANIFEST_VERSION:
                raise FormatError(
                    f"{_NAME} has version {version}, this version of Gossamer reads "
                    f"{MANIFEST_VERSION}. Use the version that wrote it, or crawl again."
                )
            return msgspec.json.decode(data, type=cls)
        except msgspec.DecodeError as error:
            raise FormatError(f"{_NAME} is damaged: {error}.") from error

    def save(self, objects: ObjectStore) -> None:
        objects.put(_NAME, msgspec.json.format(msgspec.json.encode(self), indent=1))

    def with_segment(self, segment: Segment) -> "Manifest":
        return msgspec.structs.replace(
            self,
            segments=(*self.segments, segment),
            pages=self.pages + segment.pages,
            links=self.links + segment.links,
        )

    def with_edition(self, segment: Segment) -> "Manifest":
        """With the segment of that number replaced. One that holds nothing any more is left out,
        unless it is the last: its number must not be given to another."""
        last = self.segments[-1].number
        segments = tuple(
            segment if known.number == segment.number else known for known in self.segments
        )
        kept = tuple(known for known in segments if known.files or known.number == last)
        return msgspec.structs.replace(
            self,
            segments=kept,
            pages=sum(known.pages for known in kept),
            links=sum(known.links for known in kept),
        )

    @property
    def size_bytes(self) -> int:
        return sum(file.bytes for segment in self.segments for file in segment.files)

    @property
    def may_hold_older_forms(self) -> bool:
        """Whether a page of a segment may have been stored again in a later round."""
        last_of = {segment.round: segment.number for segment in self.segments}
        return len(last_of) > 1 and any(
            last > segment.newest_through
            for segment in self.segments
            for visits_round, last in last_of.items()
            if visits_round > segment.round
        )

    @property
    def next_number(self) -> int:
        return self.segments[-1].number + 1 if self.segments else 1


class _Versioned(Struct):
    version: int
