"""Sitemaps: lists of a site's addresses, and lists of such lists.

https://www.sitemaps.org/protocol.html, as loosely as it is written in practice: whatever stands in
a `loc` is an address, unless it is cut off. The date of its last change is believed where it stands
right behind it, which is where the standard puts it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gossamer.extract.loose_xml import decode_xml, unescaped

# Comments are found so that what is in them is not. Pictures have a `loc`, too.
_LOC = re.compile(
    r"<!--(?:.*?-->|.*+)"
    r"|<(?:(?P<prefix>[^\s<>/:]++):)?(?i:loc)(?:\s[^<>]*+)?>\s*+"
    r"(?:<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>\s*+|(?P<cut>\Z))|(?P<text>[^<]*+)(?=<))"
    # Its end, other languages of the page, and the date.
    r"(?:</[^<>]*+>\s*+(?:<[^<>]*+(?<=/)>\s*+)*+"
    r"<(?:[^\s<>/:]++:)?(?i:lastmod)>\s*+(?P<modified>\d{4}(?:-\d\d){0,2}(?:T[\d:.]{5,16}"
    r"(?:Z|[+-]\d\d:?\d\d)?)?)\s*+<)?",
    re.DOTALL,
)
_PICTURES = re.compile(r"""xmlns:([^\s=<>"']+)\s*=\s*["'][^"']*(?:image|video)""")
_HEAD = 4_096


class Entry(NamedTuple):
    address: str  # as written
    modified: str  # a date of ISO 8601, as written; '' where none is given


def sitemap_entries(body: bytes, charset: str) -> Iterator[Entry]:
    """In order, one a `loc`. Of a broken file, those that can be told."""
    text, _ = decode_xml(body, charset)
    of_pictures = {"image", "video", *_PICTURES.findall(text[:_HEAD])}
    for found in _LOC.finditer(text):
        if found["prefix"] in of_pictures:
            continue
        modified = found["modified"] or ""
        if found["cdata"] is not None and found["cut"] is None:
            yield Entry(found["cdata"].strip(), modified)
        elif found["text"] is not None:
            yield Entry(unescaped(found["text"]).strip(), modified)


def text_addresses(body: bytes, charset: str) -> Iterator[str]:
    """One a line."""
    text, _ = decode_xml(body, charset)
    for line in text.splitlines():
        if address := line.strip():
            yield address
