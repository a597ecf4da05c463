"""The links of a page that stand in the parts of it which a person has chosen by an XPath.

The page is parsed a second time for that, since its own parser knows no XPath. What that one has
found is kept in any case; links in other parts are marked as such.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from gossamer.lib.xpaths import compiled
from gossamer.records import FoundLink
from gossamer.urls import PageResolver

_LINKS = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}


class LinkScope:
    def __init__(self, expression: str) -> None:
        """Raises `ValueError` where it is no XPath."""
        from lxml import etree

        self._etree = etree
        self._find = compiled(expression)

    def keys(self, html: str, resolver: PageResolver) -> set[int]:
        """Of the links in the chosen parts."""
        return {url.key for text in self._inside(html) if (url := resolver.resolve(text))}

    def _inside(self, html: str) -> Iterator[str]:
        parser = self._etree.HTMLParser(encoding="utf-8")
        try:
            root = self._etree.fromstring(html.encode("utf-8", "replace"), parser)
            selected = self._find(root) if root is not None else []
        except self._etree.LxmlError:  # an empty page, or an XPath that ends in a fault on this one
            return
        yield from (found for found in selected if isinstance(found, str))
        chosen = {found for found in selected if not isinstance(found, str)}
        if chosen:
            yield from self._addresses(root, chosen)

    def _addresses(self, root: Any, chosen: set[Any]) -> Iterator[str]:
        """One walk over the page, however the parts lie in each other."""
        depth = 0
        for event, element in self._etree.iterwalk(root, events=("start", "end")):
            is_chosen = element in chosen
            if event == "end":
                depth -= is_chosen
                continue
            depth += is_chosen
            if depth and (name := _LINKS.get(element.tag)) and (text := element.get(name)):
                yield text


def marked_outside(links: tuple[FoundLink, ...], inside: set[int]) -> tuple[FoundLink, ...]:
    """The same links; those of other keys are marked."""
    return tuple(
        link if link.url.key in inside else structs.replace(link, is_outside=True) for link in links
    )
