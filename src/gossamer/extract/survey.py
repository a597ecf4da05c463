"""One walk over a parsed page that finds every element some part of the extraction cares about.

The walk is the only loop over all elements, and none of it is ours: a page is a list of nodes and
a string of bytes with the kind of each. To choose those of some kinds, the bytes are translated.
"""

from collections.abc import Iterable, Iterator
from itertools import compress, repeat
from operator import attrgetter
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.records import PieceClass

ARTICLE = "a"
"""Not a class of its own: text of the class of a paragraph, in which a header is no navigation."""
MAIN = "m"
SECTION = "s"
FORM = "f"
HEADER = "h"
"""Navigation, unless it is the header of an article."""

_BLOCKS: dict[str, str] = {
    PieceClass.HEADING_1.value: "h1",
    PieceClass.HEADING_2.value: "h2",
    PieceClass.HEADING_3.value: "h3",
    PieceClass.HEADING_LOW.value: "h4 h5 h6",
    PieceClass.QUOTE.value: "blockquote",
    PieceClass.CODE.value: "pre listing xmp plaintext",
    PieceClass.NAVIGATION.value: "nav footer aside menu",
    PieceClass.PARAGRAPH.value: "center figcaption hgroup legend p search summary",
}
# Blocks that hold other blocks: their names and roles are worth reading.
_CONTAINERS: dict[str, str] = {
    PieceClass.PARAGRAPH.value: "address details dialog dir div dl fieldset figure ol table ul",
    ARTICLE: "article",
    MAIN: "main",
    SECTION: "section",
    FORM: "form",
    HEADER: "header",
}
# An item ends where the next one begins or where its container ends, so its end needs no mark.
_ITEMS: dict[str, str] = {
    PieceClass.LIST.value: "li dt dd",
    PieceClass.TABLE.value: "td th caption",
}
_tags_of_kinds: list[str] = [""]  # all other elements are of the kind 0


def _kind(tags: str) -> int:
    _tags_of_kinds.append(tags)
    return len(_tags_of_kinds) - 1


# Kinds of elements, by the letters of their classes where they have one.
BLOCKS = {letter: _kind(tags) for letter, tags in _BLOCKS.items()}
CONTAINERS = {letter: _kind(tags) for letter, tags in _CONTAINERS.items()}
ITEMS = {letter: _kind(tags) for letter, tags in _ITEMS.items()}
BREAK = _kind("br hr")
LINK = _kind("a area")
_UNREAD = _kind(
    "audio canvas datalist embed noembed noframes noscript script select style svg "
    "template textarea video"
)
_FRAME = _kind("iframe frame")
_META = _kind("meta")
_REFERENCE = _kind("link")
_BASE = _kind("base")
_TITLE = _kind("title")


def _tag_ids(names: str) -> list[int]:
    parser = LexborHTMLParser("")
    return [parser.create_node(name).tag_id for name in names.split()]


_KIND_OF_TAG = {tag: kind for kind, tags in enumerate(_tags_of_kinds) for tag in _tag_ids(tags)}
_tag_id = attrgetter("tag_id")


class Selection:
    """Some of the kinds."""

    def __init__(self, kinds: Iterable[int]) -> None:
        chosen = frozenset(kinds)
        self.flags = bytes(kind in chosen for kind in range(256))
        self.others = bytes(kind for kind in range(256) if kind not in chosen)


_LINKS = Selection([LINK])


class Survey(NamedTuple):
    """All lists are in document order."""

    nodes: list[LexborNode]
    kinds: bytes  # of the nodes
    links: list[LexborNode]  # a, area
    unread: list[LexborNode]  # what is in there is not the page's text
    frames: list[LexborNode]
    metas: list[LexborNode]
    references: list[LexborNode]  # the link element
    bases: list[LexborNode]
    titles: list[LexborNode]

    def selected(self, selection: Selection) -> Iterator[LexborNode]:
        return compress(self.nodes, self.kinds.translate(selection.flags))

    def selected_kinds(self, selection: Selection) -> bytes:
        """Of what `selected` gives."""
        return self.kinds.translate(None, selection.others)


def survey(root: LexborNode) -> Survey:
    nodes = list(root.traverse())
    kinds = bytes(map(_KIND_OF_TAG.get, map(_tag_id, nodes), repeat(0)))
    return Survey(
        nodes,
        kinds,
        list(compress(nodes, kinds.translate(_LINKS.flags))),
        *(_few(nodes, kinds, kind) for kind in (_UNREAD, _FRAME, _META, _REFERENCE, _BASE, _TITLE)),
    )


def _few(nodes: list[LexborNode], kinds: bytes, kind: int) -> list[LexborNode]:
    """Of a kind that is rare: looking for each takes less than looking at all."""
    found = []
    place = kinds.find(kind)
    while place >= 0:
        found.append(nodes[place])
        place = kinds.find(kind, place + 1)
    return found
