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
                    f"{MANIFEST_VERSION}: use the version that wrote it, or crawl anew."
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

    @property
    def size_bytes(self) -> int:
        return sum(file.bytes for segment in self.segments for file in segment.files)

    @property
    def next_number(self) -> int:
        return self.segments[-1].number + 1 if self.segments else 1


class _Versioned(Struct):
    version: int
