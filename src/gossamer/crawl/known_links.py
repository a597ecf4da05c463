"""The links that the frontier has for certain, as far as one fetcher can tell.

Most links of a page stand on its neighbours too. A link that came with a *committed* answer need
not be sent again. One that was only sent must be: the answer may have been lost.
"""

from collections.abc import Iterable

from gossamer.records import Exclusion, Visit

_CAPACITY = 200_000


class KnownLinks:
    """Two generations of each: when the young one is full, the old one is forgotten."""

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._young: set[int] = set()
        self._old: set[int] = set()
        self._left_out: dict[int, Exclusion] = {}

    @property
    def settled(self) -> tuple[set[int], set[int]]:
        """Keys of URLs that are in the crawl: sending them again changes nothing."""
        return self._young, self._old

    def is_left_out(self, key: int, objection: Exclusion) -> bool:
        """Whether the URL is known to be left out for this very reason. A URL that one page's
        link left out may come in by another's."""
        return self._left_out.get(key) is objection

    def learn(self, visits: Iterable[Visit]) -> None:
        """An answer with these visits has been accepted, and they are certain to be committed."""
        for visit in visits:
            for link in visit.links:
                if link.excluded is None:
                    self._young.add(link.item.key)
                else:
                    self._left_out[link.item.key] = link.excluded
        if len(self._young) >= self._capacity:
            self._old, self._young = self._young, set()
        if len(self._left_out) >= self._capacity:
            self._left_out.clear()
