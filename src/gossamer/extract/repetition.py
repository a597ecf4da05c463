"""Which lines and links stand on most pages of a site? They are boilerplate, however they look.

The memory is bounded: for some hundred hosts, how many of their recent pages had a line or a link,
some hundred of these each, 20 MB in all. Only the edges of the content are remembered, because what
is taken for content and is none mostly stands there. The first pages of a host do not profit.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeVar

from msgspec.structs import replace

from gossamer.records import FoundLink
from gossamer.urls import host_of

LEAST_PAGES = 5
"""So many pages must share a line before it is believed to repeat."""
HOSTS = 500
ENTRIES = 400
"""Lines and links that are counted for a host."""

_RECENT_PAGES = 64  # beyond, everything that was counted counts half
_LONGEST = 300  # characters of a line: longer ones are hardly ever written for more than one page
_EDGE = (
    12  # lines, and links, that are looked at from the beginning and from the end of the content
)
_CLASSES = "1234plq"  # cells repeat by their nature, and so does code

_Any = TypeVar("_Any")


class Repetition:
    """All hosts of a process. What it holds is bounded by HOSTS times ENTRIES."""

    def __init__(self) -> None:
        self._hosts: dict[str, HostMemory] = {}

    def of(self, url: str) -> "HostMemory":
        """The memory of the host of a page. The longest unused one makes room for a new one."""
        host = host_of(url)
        memory = self._hosts.pop(host, None)
        if memory is None:
            memory = HostMemory()
            if len(self._hosts) >= HOSTS:
                del self._hosts[next(iter(self._hosts))]
        self._hosts[host] = memory
        return memory


class HostMemory:
    """Keys of lines and of links share one count: both are 64-bit hashes."""

    def __init__(self) -> None:
        self._pages = 0
        self._counts: dict[int, int] = {}

    def without_repeated(self, lines: list[str], classes: str, main: str) -> str:
        """`main` of the next page, less the lines that repeat."""
        self._begin_page()
        begin, end = main.find("1"), main.rfind("1") + 1
        if end == 0:
            return main
        numbers = [
            number
            for number in _edges(range(begin, end))
            if classes[number] in _CLASSES and len(lines[number]) <= _LONGEST
        ]
        repeated = self._repeated({hash(lines[number]) for number in numbers})
        if not repeated:
            return main
        flags = list(main)
        size = 0
        for number in numbers:
            if flags[number] == "1" and hash(lines[number]) in repeated:
                flags[number] = "0"
                size += len(lines[number])
        content = sum(len(line) for line, flag in zip(lines, main, strict=True) if flag == "1")
        # A page that consists of such lines is the same page again, not a page of the same site.
        return main if 2 * size > content else "".join(flags)

    def with_repeated(self, links: tuple[FoundLink, ...]) -> tuple[FoundLink, ...]:
        """The links of the same page, with those that repeat as boilerplate."""
        content = [link.url.key for link in links if not link.boilerplate]
        repeated = self._repeated(set(_edges(content)))
        if not repeated:
            return links
        return tuple(
            replace(link, boilerplate=True) if link.url.key in repeated else link for link in links
        )

    def _begin_page(self) -> None:
        self._pages += 1
        if self._pages > _RECENT_PAGES:
            self._pages //= 2
            self._counts = {key: count // 2 for key, count in self._counts.items() if count > 1}
        if len(self._counts) > ENTRIES - 4 * _EDGE:
            self._forget()

    def _forget(self) -> None:
        """Make room. What has been seen least goes first; and half of all, so that it is not to be
        done for every page."""
        least = 2
        while len(self._counts) > ENTRIES // 2:
            self._counts = {key: count for key, count in self._counts.items() if count >= least}
            least += 1

    def _repeated(self, keys: set[int]) -> set[int]:
        """Count these; those that are on most of the recent pages."""
        counts = self._counts
        for key in keys:
            counts[key] = counts.get(key, 0) + 1
        enough = max(LEAST_PAGES, self._pages // 2 + 1)
        if self._pages < LEAST_PAGES:
            return set()
        return {key for key in keys if counts[key] >= enough}


def _edges(of: Sequence[_Any]) -> Iterable[_Any]:
    return of if len(of) <= 2 * _EDGE else chain(of[:_EDGE], of[-_EDGE:])
