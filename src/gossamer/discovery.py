"""What fetching and reading have to agree on about addresses that no ordinary link brings.

A *listing* is a sitemap or a feed: it is fetched like a page and read for its addresses alone. It
has to be known for one as soon as it arrives, since a page is cut at a length that a listing is
not; so it is told here by its first bytes, and both stages go by that.
"""

import re
from enum import StrEnum

LISTING_BYTES = 52_428_800
"""The largest sitemap that the standard allows, unpacked."""

MOST_NESTED = 4
"""Sitemaps that name sitemaps that name sitemaps: so many below the first one are read."""

XML_TYPES = frozenset(
    {
        *("text/xml", "application/xml", "application/x-xml"),
        *("application/rss+xml", "application/atom+xml", "application/rdf+xml"),
        *("application/x-rss+xml", "text/rss+xml", "application/feed+xml"),
    }
)
"""Media types under which listings are sent."""

_HEAD_BYTES = 4_096
_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_ROOT = re.compile(
    rb"\s*+(?:(?:<\?[^>]*+>|<!--.*?-->|<![A-Za-z](?:[^<>\[]|\[[^\]]*+\])*+>)\s*+)*+"
    rb"<(?:[\w.-]+:)?(urlset|sitemapindex|rss|feed|rdf|channel)[\s/>]",
    re.IGNORECASE | re.DOTALL,
)
_ADDRESS_LINE = re.compile(rb"[^\S\r\n]*+https?://[^\s<>\"]++[^\S\r\n]*+", re.IGNORECASE)
_LOOKED_AT_LINES = 20


class ListingKind(StrEnum):
    """The value is the media type under which the stage that reads it knows it."""

    SITEMAP = "application/x-gossamer-sitemap"
    SITEMAP_INDEX = "application/x-gossamer-sitemap-index"
    SITEMAP_TEXT = "application/x-gossamer-sitemap-text"
    FEED = "application/x-gossamer-feed"


_KINDS = {
    b"urlset": ListingKind.SITEMAP,
    b"sitemapindex": ListingKind.SITEMAP_INDEX,
    b"rss": ListingKind.FEED,
    b"feed": ListingKind.FEED,
    b"rdf": ListingKind.FEED,
    b"channel": ListingKind.FEED,
}


def listing_kind(body: bytes, *, expected: bool) -> ListingKind | None:
    """Which listing these bytes are, if any. A bare list of addresses is one only where one is
    expected: as an ordinary page it is a text."""
    head = body[:_HEAD_BYTES]
    for mark in _MARKS:
        head = head.removeprefix(mark)
    head = head.replace(b"\0", b"")  # readable even where it is UTF-16
    root = _ROOT.match(head)
    if root:
        kind = _KINDS[root[1].lower()]
        if kind is ListingKind.FEED and root[1].lower() == b"rdf" and b"/rss" not in head:
            return None  # other data in RDF
        return kind
    return ListingKind.SITEMAP_TEXT if expected and _names_addresses(head) else None


def _names_addresses(head: bytes) -> bool:
    """Whether one of the first lines is an address and nothing else, and none is markup."""
    lines = head.splitlines()[:_LOOKED_AT_LINES]
    return b"<" not in b"".join(lines) and any(map(_ADDRESS_LINE.fullmatch, lines))
