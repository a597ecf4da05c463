"""Which lines stand on many pages of a site? They are no content of any of them.

A fetcher knows of the pages before only, and of those of its own; an index has all pages of a site.
A bounded number of pages of each site is looked at. Of a page, the edges of the content are
compared: what is taken for content and is none mostly stands there.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping

from gossamer.lib.hashing import hash64

PAGES = 64
"""Of a site, the first ones: these are looked at."""
LEAST_PAGES = 5
_SHARE = 0.2  # of the pages that were looked at must have a line
_LINES = 300  # of a page that are counted
_EDGE = 12  # lines of the content, from its beginning and from its end
_LONGEST = 300  # characters: a longer line is hardly ever written for more than one page
_CLASSES = frozenset("234plq")  # titles are a page's own; cells and code repeat by their nature


class RepeatedLines:
    """Of a site that is being counted, the hashes of its lines are kept; then, of those that
    repeat. Of a site with few pages nothing is kept."""

    def __init__(self, pages: Mapping[str, int]) -> None:
        """`pages`: how many there are of each site."""
        self._left = {
            site: min(PAGES, count) for site, count in pages.items() if count >= LEAST_PAGES
        }
        self._counted: dict[str, _CountedLines] = {}
        self._repeated: dict[str, frozenset[int]] = {}

    def wants(self, site: str) -> bool:
        """Return True if more pages of a site should be looked at."""
        return site in self._left

    def add(self, site: str, text: str) -> None:
        """Count the lines of a page, whether they were taken for content there or not."""
        counted = self._counted.get(site)
        if counted is None:
            counted = self._counted[site] = _CountedLines()
        lines = text.split("\n", _LINES)[:_LINES]
        counted.add({hash64(line.encode()) for line in lines if len(line) <= _LONGEST})
        self._left[site] -= 1
        if not self._left[site]:
            self._finish(site)

    def _finish(self, site: str) -> None:
        del self._left[site]
        if repeated := self._counted.pop(site).repeated():
            self._repeated[site] = repeated

    def without(self, site: str, text: str, classes: str, main: str) -> str:
        """`main` of a page, less the lines that repeat."""
        if site in self._counted:  # it has fewer pages than it had
            self._finish(site)
        known = self._repeated.get(site)
        if not known:
            return main
        repeated = {line for line in _edges(text, classes, main) if hash64(line.encode()) in known}
        if not repeated:
            return main
        return "".join(
            "0" if flag != "0" and letter in _CLASSES and line in repeated else flag
            for line, letter, flag in zip(text.split("\n"), classes, main, strict=False)
        )


class _CountedLines:
    """The lines of some pages, as hashes: eight bytes each."""

    def __init__(self) -> None:
        self._pages = 0
        self._hashes = array("q")

    def add(self, hashes: set[int]) -> None:
        self._pages += 1
        self._hashes.extend(hashes)

    def repeated(self) -> frozenset[int]:
        least = max(LEAST_PAGES, _SHARE * self._pages)
        return frozenset(one for one, count in Counter(self._hashes).items() if count >= least)


def _edges(text: str, classes: str, main: str) -> Iterator[str]:
    lines = text.split("\n")
    content = [place for place, flag in enumerate(main[: len(lines)]) if flag != "0"]
    for place in dict.fromkeys((*content[:_EDGE], *content[-_EDGE:])):
        if classes[place : place + 1] in _CLASSES and len(lines[place]) <= _LONGEST:
            yield lines[place]
