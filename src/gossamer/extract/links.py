"""The links of a page: where they lead, what is written on them, and whether to follow them."""

import re
from functools import lru_cache
from itertools import islice

from selectolax.lexbor import LexborNode

from gossamer.extract.pieces import collapsed, one_line
from gossamer.records import FoundLink
from gossamer.urls import PageResolver, Url

ANCHOR_LENGTH = 200

_NOFOLLOW = frozenset({"nofollow", "sponsored", "ugc"})
_REFRESH = re.compile(r"\s*+[\d.]*+\s*+[;,]\s*+(?:url\s*+=\s*+)?[\"']?([^\"']+)", re.IGNORECASE)
_IMAGE_DESCENDANTS = 30  # how far an image is looked for in a link without text
# Anchors of nested links repeat the same text: beyond this much, in page lengths, they get none.
_ANCHOR_BUDGET = 4


class LinkCollector:
    """Collects the links of one page. A target is kept once for each anchor it stands under."""

    def __init__(self, resolver: PageResolver, page_length: int, nofollow: bool) -> None:
        self._resolver = resolver
        self._nofollow = nofollow
        self._page_length = page_length
        self._found: dict[tuple[int, str], FoundLink] = {}
        self.other_links = 0

    @property
    def links(self) -> tuple[FoundLink, ...]:
        return tuple(self._found.values())

    def add_links(self, nodes: list[LexborNode]) -> None:
        """`a` and `area` elements, whose tree has been marked."""
        found = self._found
        known = self._resolver.known
        budget = _ANCHOR_BUDGET * self._page_length
        for node in nodes:
            attributes = node.attributes
            href = attributes.get("href")
            if href is None:
                if "href" not in attributes:
                    continue
                href = ""  # the page itself, as every other empty address
            url = known(href) or self._resolve(href)
            if url is None:
                continue
            text = node.text_lexbor() if budget > 0 else ""
            budget -= len(text)
            anchor = one_line(text) or collapsed(_image_text(node, attributes))
            if len(anchor) > ANCHOR_LENGTH:
                anchor = anchor[:ANCHOR_LENGTH].rstrip()
            slot = (url.key, anchor)
            if slot not in found:
                rel = attributes.get("rel")
                nofollow = self._nofollow or (rel is not None and _says_nofollow(rel))
                found[slot] = FoundLink(url, anchor, nofollow)

    def add_frames(self, nodes: list[LexborNode]) -> None:
        for node in nodes:
            if source := node.attributes.get("src"):
                self._add_bare(source)

    def add_refresh(self, content: str) -> None:
        """`<meta http-equiv=refresh content="0; url=…">`: a link without an anchor."""
        if match := _REFRESH.match(content):
            self._add_bare(match[1])

    def _add_bare(self, text: str) -> None:
        url = self._resolve(text)
        if url is not None:
            self._found.setdefault((url.key, ""), FoundLink(url, "", self._nofollow))

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
