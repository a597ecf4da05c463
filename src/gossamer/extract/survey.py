"""One walk over a parsed page that finds every element some part of the extraction cares about.

The walk is the only loop over all elements, so it does nothing but sort them by kind.
"""

import re
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.records import PieceClass

ARTICLE = "a"
"""Not a class of its own: text of the class of a paragraph, in which a header is no navigation."""
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
    PieceClass.PARAGRAPH.value: "address center details dialog dir div dl fieldset figcaption "
    "figure form hgroup legend ol p search summary table ul",
    ARTICLE: "article main section",
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
_NAVIGATION_ROLES = ("navigation", "banner", "contentinfo", "complementary")
_HAS_ROLE = re.compile(rf"""role\s*=\s*["']?(?:{"|".join(_NAVIGATION_ROLES)})""")


class Survey(NamedTuple):
    """Elements by kind, each list in document order."""

    blocks: list[tuple[str, LexborNode]]  # with the letter of their class
    items: list[tuple[str, LexborNode]]  # blocks whose end needs no mark
    breaks: list[LexborNode]
    unread: list[LexborNode]  # what is in there is not the page's text
    links: list[LexborNode]  # a, area
    frames: list[LexborNode]
    metas: list[LexborNode]
    references: list[LexborNode]  # the link element
    bases: list[LexborNode]
    titles: list[LexborNode]


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


# Tag number -> name of a list of `Survey`, and the letter of the class in the lists with letters.
_KINDS = (
    {tag: ("blocks", letter) for letter, names in _BLOCKS.items() for tag in _tag_ids(names)}
    | {tag: ("items", letter) for letter, names in _ITEMS.items() for tag in _tag_ids(names)}
    | {tag: (kind, "") for kind, names in _PLAIN_KINDS.items() for tag in _tag_ids(names)}
)


def survey(root: LexborNode) -> Survey:
    lists: dict[str, list[Any]] = {kind: [] for kind in Survey._fields}
    kind_of = _KINDS.get
    for node in root.traverse():
        kind = kind_of(node.tag_id)
        if kind is not None:
            lists[kind[0]].append((kind[1], node) if kind[1] else node)
    return Survey(**lists)


def navigation_by_role(tree: LexborHTMLParser, html: str) -> list[LexborNode]:
    """Elements of any name whose `role` makes them navigation."""
    if not _HAS_ROLE.search(html):
        return []
    return [node for node in tree.css("[role]") if node.attributes.get("role") in _NAVIGATION_ROLES]
