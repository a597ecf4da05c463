"""Which kind of file is this? Decided by its first bytes, as names can be wrong."""

import re
from typing import NamedTuple

from gossamer.index.formats.encoding import wide_encoding
from gossamer.index.formats.tables import Dialect, columns_of, dialect_of

HEAD = 1 << 16

_FOREIGN = (  # first bytes, what that is, what to do
    (b"PK\x03\x04", "a ZIP file (Excel workbooks are such files, too)", "save the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file", "save the table as CSV"),
    (b"%PDF", "a PDF file", "'gossamer crawl' reads folders of them"),
    (b"SQLite format 3", "an SQLite database", "export its table as CSV"),
    (b"BZh", "a file compressed by bzip2", "unpack it, or compress it by gzip or zstd"),
    (b"\xfd7zXZ\x00", "a file compressed by xz", "unpack it, or compress it by gzip or zstd"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it"),
    (b"Obj\x01", "an Avro file", "convert it to Parquet or JSON Lines"),
    (b"ORC", "an ORC file", "convert it to Parquet or JSON Lines"),
    (b"ARROW1", "an Arrow file", "convert it to Parquet"),
    (b"\x89PNG", "a picture", ""),
    (b"\xff\xd8\xff", "a picture", ""),
    (b"GIF8", "a picture", ""),
    (b"WARC/", "a web archive", "'gossamer import' reads it"),
)
_HTML = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_XML = re.compile(r"\s*<(?:\?xml|[A-Za-z][\w.:-]*[\s/>])")
_READ = "JSON Lines, a JSON array, CSV, TSV and Parquet are read, also compressed by gzip or zstd"


class Kind(NamedTuple):
    """A kind of file. `refusal`: why it is not read."""

    name: str
    encoding: str = "utf-8"
    mark: int = 0  # bytes of a byte order mark
    dialect: Dialect | None = None
    refusal: str = ""


def kind_of(head: bytes, *, is_whole: bool) -> Kind:
    """The kind of a text that begins so. `is_whole`: nothing follows."""
    for magic, what, advice in _FOREIGN:
        if head.startswith(magic):
            return _refused(what, advice)
    if head[257:262] == b"ustar":
        return _refused("a tar archive", "unpack it")
    encoding, mark = wide_encoding(head)
    text = head[mark:].decode(encoding, "replace")
    if encoding == "utf-8" and b"\0" in head[:4096] and not text.lstrip().startswith(("{", "[")):
        return _refused("a binary file", "")
    if not is_whole:  # the last line may be half a line
        text = text[: text.rfind("\n") + 1] or text
    start = text.lstrip()[:1]
    if not start:
        return Kind("an empty file", encoding, mark)
    lines = [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]
    if start == "[" and not _are_objects(lines[1:], lines[0]):
        return Kind("JSON array", encoding, mark)
    if sum(line.startswith("{") for line in lines) * 2 >= len(lines):
        return Kind("JSON Lines", encoding, mark)
    if start == "{":
        if len(lines) > 1 and lines[0] != "{" and lines[0].endswith("}"):
            return Kind("JSON Lines", encoding, mark)
        return _refused(
            "one JSON object over several lines",
            "write one object a line, or an array of objects",
        )
    if _HTML.match(text):
        return _refused("an HTML page", "'gossamer crawl' reads pages")
    if _XML.match(text):
        return _refused("XML", "convert it to JSON Lines or CSV")
    return _table(text, encoding, mark)


def _are_objects(lines: list[str], first: str) -> bool:
    """Return True where lines of JSON begin with a broken one, or with one that is a list."""
    return bool(lines) and first.endswith("]") and all(one.startswith("{") for one in lines)


def _table(text: str, encoding: str, mark: int) -> Kind:
    dialect = dialect_of(text)
    columns = columns_of(text, dialect or Dialect(","))
    if not {"id", "url"}.intersection(columns):
        if dialect is None:
            return _refused("plain text", "")
        shown = ", ".join(columns[:10]) + (", ..." if len(columns) > 10 else "")
        return _refused(
            dialect.name,
            f"it needs a column 'id' or 'url', and its columns are: {shown}",
            is_read=True,
        )
    dialect = dialect or Dialect(",")
    return Kind(dialect.name, encoding, mark, dialect)


def _refused(what: str, advice: str, *, is_read: bool = False) -> Kind:
    text = f"this is {what}"
    if advice:
        text += f": {advice}"
    return Kind(what, refusal=text + "." + ("" if is_read else f" {_READ}."))
