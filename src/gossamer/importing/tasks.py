"""What the conductor of an import and its workers say to each other."""

from msgspec import Struct

from gossamer.importing.archives import Broken, Shape
from gossamer.records import Visit

WHOLE, CONVERTED, RESPELLED, CUT, REPEATED = 4, 3, 2, 1, 0
"""What a record is worth as its URL's page. A text that was made of a page, a redirect to another
spelling of the same URL, a record that is cut short and one that only says 'the same as before'
count where there is nothing better."""


class Part(Struct, frozen=True):
    """Of a file, to be surveyed."""

    file: int
    path: str
    shape: Shape
    start: int
    end: int | None = None
    exact: bool = True  # a record begins at `start`


class Found(Struct, frozen=True, array_like=True, gc=False):
    """A record that can be a page."""

    site: int
    key: int
    worth: int
    seconds: float  # since 1970
    place: int
    excluded: str = ""  # why its URL is left out


class References(Struct, frozen=True, array_like=True, gc=False):
    """Hashes of the names by which a revisit record says whose content it has; 0: not given."""

    record: int  # WARC-Record-ID, WARC-Refers-To
    moment: int  # address and time
    digest: int  # WARC-Payload-Digest


class Original(Struct, frozen=True, array_like=True, gc=False):
    """A whole record whose content revisits may refer to."""

    place: int
    names: References


class Revisit(Struct, frozen=True, array_like=True, gc=False):
    site: int
    key: int
    url: str
    seconds: float
    place: int
    names: References


class Surveyed(Struct, frozen=True):
    found: tuple[Found, ...]
    broken: tuple[Broken, ...]
    counts: dict[str, int]
    first: int | None  # where the first record begins; None: there is none
    next: int | None  # where the first record behind these begins; None: the file ends here
    can_be_entered: bool = True  # false: it turned out that it cannot, and nothing else counts
    originals: tuple[Original, ...] = ()
    revisits: tuple[Revisit, ...] = ()


class Repeat(Struct, frozen=True, array_like=True, gc=False):
    """A page with the content of a record of another address, or of another time."""

    place: int
    url: str
    seconds: float


class Batch(Struct, frozen=True):
    """Records of a file, to become pages."""

    id: int
    name: str  # of the staging files
    path: str
    shape: Shape
    places: tuple[int, ...]
    repeats: tuple[Repeat, ...] = ()
    isolated: tuple[int, ...] = ()  # places of records that took a process down

    @property
    def first(self) -> int:
        return min((*self.places, *(repeat.place for repeat in self.repeats)))


class Taken(Struct, frozen=True):
    staged: bool
    visits: tuple[Visit, ...]
    missing: int | None = None  # a place where no record stands any more: nothing else counts
