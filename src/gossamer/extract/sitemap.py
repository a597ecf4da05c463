"""Sitemaps: lists of a site's addresses, and lists of such lists.

https://www.sitemaps.org/protocol.html, as loosely as it is written in practice: whatever stands in
a `loc` is an address, unless it is cut off.
"""

import re
from collections.abc import Iterator

from gossamer.extract.loose_xml import decode_xml, unescaped

# Comments are found so that what is in them is not. Pictures have a `loc`, too.
_LOC = re.compile(
    r"<!--(?:.*?-->|.*+)"
    r"|<(?:(?P<prefix>[^\s<>/:]++):)?(?i:loc)(?:\s[^<>]*+)?>\s*+"
    r"(?:<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|(?P<cut>\Z))|(?P<text>[^<]*+)(?=<))",
    re.DOTALL,
)
_PICTURES = re.compile(r"""xmlns:([^\s=<>"']+)\s*=\s*["'][^"']*(?:image|video)""")
_HEAD = 4_096


def sitemap_addresses(body: bytes, charset: str) -> Iterator[str]:
    """As written, in order, one a `loc`. Of a broken file, those that can be told."""
    text, _ = decode_xml(body, charset)
    of_pictures = {"image", "video", *_PICTURES.findall(text[:_HEAD])}
    for found in _LOC.finditer(text):
        if found["prefix"] in of_pictures:
            continue
        if found["cdata"] is not None and found["cut"] is None:
            yield found["cdata"].strip()
        elif found["text"] is not None:
            yield unescaped(found["text"]).strip()


def text_addresses(body: bytes, charset: str) -> Iterator[str]:
    """One a line."""
    text, _ = decode_xml(body, charset)
    for line in text.splitlines():
        if address := line.strip():
            yield address
