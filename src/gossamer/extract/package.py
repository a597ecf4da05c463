"""Documents that are XML files in a zip: opened, unpacked and parsed within limits.

Nothing is unpacked beyond what is read, a zip in the zip stays closed, and XML with declarations of
its own is refused: no entity is ever expanded, nothing outside the package is ever looked at.
"""

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from xml.parsers import expat

MAX_MEMBERS = 20_000
MAX_BYTES = 64_000_000
"""Of a member that is read, unpacked."""

_MAX_SIDE_BYTES = 8_000_000  # of a member that can be done without
_MAX_XML_DEPTH = 2_000
# A tag that has not ended yet is read again with every chunk that follows.
_MAX_TAG_BYTES = 1_000_000
_BOMB_RATIO = 300  # no document of a person packs that well
_CHUNK_BYTES = 65_536
_DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"
_LONGEST_PROPERTY = 10_000
_ENCRYPTED = 0x1
_ENCODINGS = frozenset({"utf-8", "utf-16", "us-ascii", "iso-8859-1"})
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError),
    *(ValueError, OverflowError),
)


class Broken(Exception):
    """Damaged from here on: what was read before is good. The message is for people."""


class Refused(Exception):
    """Not to be read at all, or not readable by us. The message is for people."""


class Handler:
    """Is told of the elements of an XML file. Their names are 'namespace name'."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """It ends."""

    def text(self, text: str) -> None:
        """Characters, not necessarily all of them at once."""


class Properties(Handler):
    """What a document says of itself, in the words that all kinds of documents share."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}
        self._open = ""

    def __getitem__(self, name: str) -> str:
        return self._found.get(name, "")

    def start(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        space, _, local = name.rpartition(" ")
        self._open = local if space == _DUBLIN_CORE else ""

    def end(self, name: str) -> None:  # noqa: ARG002
        self._open = ""

    def text(self, text: str) -> None:
        if self._open and len(self[self._open]) < _LONGEST_PROPERTY:
            self._found[self._open] = self[self._open] + text


class Package:
    """`is_full`: nothing more is to be read, for whatever reason."""

    def __init__(self, body: bytes, is_full: Callable[[], bool]) -> None:
        self._is_full = is_full
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
            self._members = {member.filename: member for member in self._zip.infolist()}
        except _DAMAGE as error:
            raise Broken("broken: a zip that is damaged or cut off") from error
        if len(self._members) > MAX_MEMBERS:
            raise Refused(f"refused: {len(self._members):,} files in it, which no document has")

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def parse_if_whole(self, name: str, handler: Handler) -> None:
        """Read a member that can be done without."""
        if name in self:
            try:
                self.parse(name, handler, _MAX_SIDE_BYTES)
            except Broken:
                return

    def parse(self, name: str, handler: Handler, most_bytes: int = MAX_BYTES) -> None:
        """Read a member as XML."""
        parser = _parser(handler)
        done = 0
        try:
            for chunk in self._unpacked(name):
                parser.Parse(chunk, not chunk)
                done += len(chunk)
                if done - parser.CurrentByteIndex > _MAX_TAG_BYTES:
                    raise Broken(f"broken: a tag of more than {_MAX_TAG_BYTES:,} bytes in {name}")
                if done >= most_bytes:
                    raise Broken(
                        f"too large: only the first {most_bytes:,} bytes of {name} were read"
                    )
        except expat.ExpatError as error:
            parser.buffer_text = False  # hands over the characters up to here
            raise Broken(f"broken: {name} is no proper XML ({error})") from error

    def _unpacked(self, name: str) -> Iterator[bytes]:
        """Chunk by chunk; the last one is empty."""
        member = self._members[name]
        _refuse_odd(member)
        try:
            file = self._zip.open(member)
        except _DAMAGE as error:
            raise Broken(f"broken: {name} cannot be unpacked ({error})") from error
        with file:
            chunk = b" "
            while chunk and not self._is_full():
                try:
                    chunk = file.read(_CHUNK_BYTES)
                except _DAMAGE as error:
                    raise Broken(f"broken: {name} cannot be unpacked ({error})") from error
                yield chunk


def _refuse_odd(member: zipfile.ZipInfo) -> None:
    name, packed, unpacked = member.filename, member.compress_size, member.file_size
    if member.flag_bits & _ENCRYPTED:
        raise Refused("encrypted: it opens with a password only")
    if member.compress_type not in _METHODS:
        raise Refused(f"broken: {name} is packed in a way that no document is")
    # No more than it announces is ever unpacked, so that its word can be taken for it.
    if unpacked > MAX_BYTES and unpacked > _BOMB_RATIO * packed:
        raise Refused(f"refused, a zip bomb: {name} unpacks from {packed:,} to {unpacked:,} bytes")


def _parser(handler: Handler) -> expat.XMLParserType:
    parser = expat.ParserCreate(namespace_separator=" ")
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_XML_DEPTH:
            raise Refused(f"refused: elements nested {depth:,} deep")
        handler.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(name)

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    parser.XmlDeclHandler = _refuse_encoding
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    return parser


def _refuse_encoding(_: str, encoding: str | None, __: int) -> None:
    # Others would be looked for among Python's codecs, which hold more than encodings.
    if encoding is not None and encoding.lower() not in _ENCODINGS:
        raise Refused("broken: its XML has an encoding that no document has")


def _refuse(*_: object) -> None:
    raise Refused("refused: its XML declares entities, which no document needs")
