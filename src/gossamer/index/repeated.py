"""Which lines stand on many pages of a site? They are no content of any of them.

A fetcher knows of the pages before only, and of those of its own; an index has all pages of a site.
A bounded number of pages of each site is looked at. Of a page, the edges of the content are
compared: what is taken for content and is none mostly stands there.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

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
    def __init__(self) -> None:
        self._pages: Counter[str] = Counter()
        self._counts: dict[str, Counter[int]] = defaultdict(Counter)

    def wants(self, site: str) -> bool:
        """Return True if more pages of a site should be looked at."""
        return self._pages[site] < PAGES

    def add(self, site: str, text: str) -> None:
        """Count the lines of a page, whether they were taken for content there or not."""
        self._pages[site] += 1
        lines = text.split("\n", _LINES)[:_LINES]
        self._counts[site].update(
            {hash64(line.encode()) for line in lines if len(line) <= _LONGEST}
        )

    def without(self, site: str, text: str, classes: str, main: str) -> str:
        """`main` of a page, less the lines that repeat."""
        least = max(LEAST_PAGES, _SHARE * self._pages[site])
        counts = self._counts.get(site)
        if counts is None or self._pages[site] < LEAST_PAGES:
            return main
        repeated = {
            line
            for line in _edges(text, classes, main)
            if counts.get(hash64(line.encode()), 0) >= least
        }
        if not repeated:
            return main
        return "".join(
            "0" if flag != "0" and letter in _CLASSES and line in repeated else flag
            for line, letter, flag in zip(text.split("\n"), classes, main, strict=False)
        )


def _edges(text: str, classes: str, main: str) -> Iterator[str]:
    lines = text.split("\n")
    content = [place for place, flag in enumerate(main[: len(lines)]) if flag != "0"]
    for place in dict.fromkeys((*content[:_EDGE], *content[-_EDGE:])):
        if classes[place : place + 1] in _CLASSES and len(lines[place]) <= _LONGEST:
            yield lines[place]
