"""Feeds: RSS 0.9x, 1.0 and 2.0, Atom, and whatever claims to be one of them.

What each entry links to, and its title. Elements are known by their names without namespaces:
feeds mix those of all formats.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gossamer.extract.loose_xml import Tag, attributes_of, decode_xml, tokens
from gossamer.extract.pieces import collapsed
from gossamer.urls import PageResolver

_ENTRIES = frozenset({"item", "entry"})
_READ = frozenset({"title", "link", "guid", "origlink"})
_OF_MEDIA = frozenset({"media", "itunes"})
_FIELD_LENGTH = 4_096
_DEEPEST_BASE = 100
_MOST_BASES = 1_000
_WEB = ("http://", "https://")


class Entry(NamedTuple):
    address: str  # as written
    title: str
    resolver: PageResolver  # knows what the address is relative to


def feed_entries(text: str, resolver: PageResolver) -> Iterator[Entry]:
    """The entries that link to anything, in order."""
    reader = _Reader(resolver)
    for token in tokens(text):
        if isinstance(token, str):
            reader.on_text(token)
            continue
        if token.starts:
            if token.name in _ENTRIES and (entry := reader.finished()):
                yield entry  # its end is missing
            reader.on_start(token)
        if token.ends:
            if token.name in _ENTRIES and (entry := reader.finished()):
                yield entry
            reader.on_end(token)
    if entry := reader.finished():
        yield entry


class _Reader:
    """Where in a feed we are, and what of an entry has been read."""

    def __init__(self, resolver: PageResolver) -> None:
        self._bases = [("", resolver)]
        self._bases_left = _MOST_BASES  # each is remembered by the resolver of all pages
        self._entry: dict[str, str] | None = None
        self._entry_resolver = resolver
        self._field = ""
        self._text: list[str] = []
        self._in_source = False

    def on_text(self, text: str) -> None:
        if self._field:
            self._text.append(text[:_FIELD_LENGTH])

    def on_start(self, tag: Tag) -> None:
        if "base" in tag.attributes:
            self._enter_base(tag)
        if tag.name in _ENTRIES:
            self._entry = {"about": attributes_of(tag).get("rdf:about", "")}
            self._entry_resolver = self._bases[-1][1]
            self._field = ""
            self._in_source = False
        elif self._entry is None or self._in_source:
            return
        elif tag.name == "source":  # where an entry was taken from has a title and links, too
            self._in_source = not tag.ends
        elif tag.name in _READ and tag.prefix not in _OF_MEDIA and not self._field:
            self._open_field(tag)

    def _open_field(self, tag: Tag) -> None:
        assert self._entry is not None
        if tag.name in ("link", "guid"):
            attributes = attributes_of(tag)
            if tag.name == "guid" and attributes.get("ispermalink", "").lower() == "false":
                return
            if "href" in attributes:
                if attributes.get("rel", "alternate").lower() == "alternate":
                    self._put("link", attributes["href"])
                return
        if not tag.ends:
            self._field = tag.name
            self._text = []

    def on_end(self, tag: Tag) -> None:
        if tag.name == self._field:
            self._put(self._field, "".join(self._text))
            self._field = ""
        elif tag.name == "source":
            self._in_source = False
        if self._bases[-1][0] == tag.name:
            self._bases.pop()

    def _put(self, field: str, text: str) -> None:
        assert self._entry is not None
        if text := collapsed(text)[:_FIELD_LENGTH]:
            self._entry.setdefault(field, text)

    def _enter_base(self, tag: Tag) -> None:
        base = attributes_of(tag).get("xml:base")
        if base is None or tag.ends or len(self._bases) >= _DEEPEST_BASE or not self._bases_left:
            return
        self._bases_left -= 1
        self._bases.append((tag.name, self._bases[-1][1].based_at(base)))

    def finished(self) -> Entry | None:
        """The entry that ends here."""
        entry, self._entry = self._entry, None
        self._field = ""
        if entry is None:
            return None
        # A service that counts clicks puts its own address in front of the original one.
        address = entry.get("origlink") or entry.get("link") or ""
        for name in ("guid", "about"):
            if not address and entry.get(name, "").startswith(_WEB):
                address = entry[name]
        if not address:
            return None
        return Entry(address, entry.get("title", ""), self._entry_resolver)


def read_feed(body: bytes, charset: str, resolver: PageResolver) -> Iterator[Entry]:
    return feed_entries(decode_xml(body, charset)[0], resolver)
