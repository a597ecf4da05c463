"""The links of a page: where they lead, what is written on them, and whether to follow them."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from msgspec import structs
from selectolax.lexbor import LexborNode

from gossamer.extract.pieces import collapsed, one_line_each
from gossamer.records import FoundLink
from gossamer.urls import PageResolver, Url

ANCHOR_LENGTH = 200

_NOFOLLOW = frozenset({"nofollow", "sponsored", "ugc"})
_REFRESH = re.compile(r"\s*+[\d.]*+\s*+[;,]\s*+(?:url\s*+=\s*+)?[\"']?([^\"']+)", re.IGNORECASE)
_IMAGE_DESCENDANTS = 30  # how far an image is looked for in a link without text
# Anchors of nested links repeat the same text: beyond this much, in page lengths, they get none.
_ANCHOR_BUDGET = 4
_NO_ELEMENT = -1


class LinkElements(NamedTuple):
    """What the elements of links say, taken off a marked tree."""

    attributes: list[dict[str, str | None]]
    texts: list[str]  # with the marks
    pictures: dict[int, str]  # what those without a text say instead


def link_elements(nodes: list[LexborNode], page_length: int) -> LinkElements:
    attributes = [node.attributes for node in nodes]
    texts = []
    pictures = {}
    budget = _ANCHOR_BUDGET * page_length
    for number, node in enumerate(nodes):
        text = node.text_lexbor() if budget > 0 else ""
        budget -= len(text)
        texts.append(text)
        if not text or text.isspace():
            pictures[number] = _image_text(node, attributes[number])
    return LinkElements(attributes, texts, pictures)


class LinkCollector:
    """Collects the links of one page. A target is kept once for each anchor it stands under."""

    def __init__(self, resolver: PageResolver, nofollow: bool) -> None:
        self._resolver = resolver
        self._nofollow = nofollow
        # Of each: the number of its element, the URL, the anchor, whether it is nofollow.
        self._found: list[tuple[int, Url, str, bool]] = []
        self.lengths: list[int] = []
        """Of the text of each element; 0 where it is no link."""
        self.other_links = 0

    def links(self, main: str, places: list[int]) -> tuple[FoundLink, ...]:
        """The links, given the lines that are content ('1'), and the line of each element. One
        that stands in content and elsewhere stands in content."""
        flags = main + (main[-1:] or "1") + "1"  # behind the last line; in no line at all (-1)
        places = [*places, -1]  # of what is no element of its own
        links: dict[tuple[int, str], FoundLink] = {}
        for number, url, anchor, nofollow in self._found:
            identity = url.key, anchor
            boilerplate = flags[places[number]] == "0"
            if identity not in links:
                links[identity] = FoundLink(url, anchor, nofollow, boilerplate)
            elif not boilerplate and links[identity].boilerplate:
                links[identity] = structs.replace(links[identity], boilerplate=False)
        return tuple(links.values())

    def add_links(self, elements: LinkElements) -> None:
        """`a` and `area` elements."""
        texts = one_line_each(elements.texts)
        self.lengths = lengths = list(map(len, texts))
        known = self._resolver.known
        add = self._found.append
        for number, (attributes, anchor) in enumerate(zip(elements.attributes, texts, strict=True)):
            href = attributes.get("href")
            if href is None:
                if "href" not in attributes:  # a place to be led to
                    lengths[number] = 0
                    continue
                href = ""  # the page itself, as every other empty address
            url = known(href) or self._resolve(href)
            if url is None:
                continue
            if not anchor:
                anchor = collapsed(elements.pictures.get(number, ""))
            if len(anchor) > ANCHOR_LENGTH:
                anchor = anchor[:ANCHOR_LENGTH].rstrip()
            rel = attributes.get("rel")
            nofollow = self._nofollow or (rel is not None and _says_nofollow(rel))
            add((number, url, anchor, nofollow))

    def add_frames(self, sources: Iterable[str | None]) -> None:
        for source in sources:
            if source:
                self._add_bare(source)

    def add_refresh(self, content: str) -> None:
        """`<meta http-equiv=refresh content="0; url=…">`: a link without an anchor."""
        if match := _REFRESH.match(content):
            self._add_bare(match[1])

    def _add_bare(self, text: str) -> None:
        url = self._resolve(text)
        if url is not None:
            self._found.append((_NO_ELEMENT, url, "", self._nofollow))

    def _resolve(self, href: str) -> Url | None:
        """None for what leads nowhere, which is counted, and for a place on the page itself,
        which is not."""
        if href.lstrip().startswith("#"):
            return None
        url = self._resolver.resolve(href)
        if url is None:
            self.other_links += 1
        return url


@lru_cache(maxsize=1_024)
def _says_nofollow(rel: str) -> bool:
    return not _NOFOLLOW.isdisjoint(rel.lower().split())


def _image_text(node: LexborNode, attributes: dict[str, str | None]) -> str:
    if alternative := attributes.get("alt"):  # of an area
        return alternative
    for child in islice(node.traverse(), _IMAGE_DESCENDANTS):
        if child.tag == "img" and (alternative := child.attributes.get("alt")):
            return alternative
    return ""
