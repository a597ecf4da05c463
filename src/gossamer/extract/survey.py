"""One walk over a parsed page that finds every element some part of the extraction cares about.

The walk is the only loop over all elements, so it does nothing but sort them by kind.
"""

from typing import Any, NamedTuple

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
_UNREAD = (
    "audio canvas datalist embed noembed noframes noscript script select style svg "
    "template textarea video"
)


class Survey(NamedTuple):
    """Elements by kind, each list in document order."""

    blocks: dict[str, list[LexborNode]]  # by the letter of their class
    containers: dict[str, list[LexborNode]]  # the same: blocks that hold others
    items: dict[str, list[LexborNode]]  # the same: blocks whose end needs no mark
    breaks: list[LexborNode]
    unread: list[LexborNode]  # what is in there is not the page's text
    links: list[LexborNode]  # a, area
    frames: list[LexborNode]
    metas: list[LexborNode]
    references: list[LexborNode]  # the link element
    bases: list[LexborNode]
    titles: list[LexborNode]


_LETTERED = {"blocks": _BLOCKS, "containers": _CONTAINERS, "items": _ITEMS}
_PLAIN_KINDS = {
    "breaks": "br hr",
    "unread": _UNREAD,
    "links": "a area",
    "frames": "iframe frame",
    "metas": "meta",
    "references": "link",
    "bases": "base",
    "titles": "title",
}


def _tag_ids(names: str) -> list[int]:
    parser = LexborHTMLParser("")
    return [parser.create_node(name).tag_id for name in names.split()]


# The lists of a `Survey`, by kind and letter, and the number of the list that a tag belongs to.
_LISTS = [
    *((kind, letter) for kind, letters in _LETTERED.items() for letter in letters),
    *((kind, "") for kind in _PLAIN_KINDS),
]
_LIST_OF_TAG = {
    tag: number
    for number, (kind, letter) in enumerate(_LISTS)
    for tag in _tag_ids(_LETTERED[kind][letter] if letter else _PLAIN_KINDS[kind])
}


def survey(root: LexborNode) -> Survey:
    lists: list[list[LexborNode]] = [[] for _ in _LISTS]
    list_of = _LIST_OF_TAG.get
    for node in root.traverse():
        number = list_of(node.tag_id)
        if number is not None:
            lists[number].append(node)
    found: dict[str, Any] = {kind: {} for kind in _LETTERED}
    for (kind, letter), nodes in zip(_LISTS, lists, strict=True):
        if letter:
            found[kind][letter] = nodes
        else:
            found[kind] = nodes
    return Survey(**found)
