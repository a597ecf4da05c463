"""XML as the web has it: broken, cut off, in the wrong charset or namespace.

A reader that goes by the book gives up at the first fault. This one goes from tag to tag and takes
what is there, in one pass over the text. It knows no document types: what they declare is skipped,
so no entity is ever replaced by anything but the one character that XML itself gives it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gossamer.extract.charsets import charset_of
from gossamer.extract.decode import decode

_DECLARED = re.compile(rb"""\s*+<\?xml\s[^>]*?encoding\s*+=\s*+["']([\w.:-]+)""")
_UTF16 = {b"<\0": "utf-16le", b"\0<": "utf-16be"}

# Neither a tag nor a value in one holds a '<': so nothing here looks further than the next one.
_TOKEN = re.compile(
    r"<!--(?:.*?-->|.*+)"
    r"|<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)"
    r"|<[?!][^<>]*+>?"
    r"|<(?P<end>/?)(?:(?P<prefix>[^\s<>/:=\"']++):)?(?P<name>[^\s<>/:=\"']++)"
    r"(?P<attributes>(?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+')*+)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([^\s=/"'<>]++)\s*+=\s*+(?:"([^"<]*+)"|'([^'<]*+)'|([^\s"'<>]++))""")
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6}));")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_LAST_CHARACTER = 0x10FFFF


class Tag(NamedTuple):
    """A start, an end, or (`<name/>`) both."""

    prefix: str
    name: str  # without its prefix, in lower case
    attributes: str  # as written
    starts: bool
    ends: bool


def decode_xml(body: bytes, header_charset: str) -> tuple[str, str]:
    """The text, and the charset that was used."""
    if not header_charset:
        declared = _DECLARED.match(body[:1024])
        if declared:
            header_charset = declared[1].decode("ascii")
        header_charset = _UTF16.get(body[:2]) or charset_of(header_charset)
    return decode(body, header_charset)


def tokens(text: str) -> Iterator[Tag | str]:
    """Tags, and the texts between them; a section of CDATA is a text of its own."""
    place = 0
    for found in _TOKEN.finditer(text):
        start = found.start()
        if start > place and not (between := text[place:start]).isspace():
            yield unescaped(between)
        place = found.end()
        if found["name"] is not None:
            attributes = found["attributes"]
            is_empty = attributes.endswith("/")
            yield Tag(
                found["prefix"] or "",
                found["name"].lower(),
                attributes,
                not found["end"],
                bool(found["end"]) or is_empty,
            )
        elif found["cdata"] is not None:
            yield found["cdata"]
    if (rest := text[place:]) and not rest.isspace():
        yield unescaped(rest)


def attributes_of(tag: Tag) -> dict[str, str]:
    """By name with prefix, in lower case; the first of each counts."""
    values: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(tag.attributes):
        values.setdefault(name.lower(), unescaped(double or single or bare))
    return values


def unescaped(text: str) -> str:
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    named, decimal, hexadecimal = reference.groups()
    if named:
        return _CHARACTERS[named]
    number = int(decimal) if decimal else int(hexadecimal, 16)
    is_one = 0 < number <= _LAST_CHARACTER and not 0xD800 <= number <= 0xDFFF
    return chr(number) if is_one else ""
