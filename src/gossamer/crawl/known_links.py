"""The links that the frontier has for certain, as far as one fetcher can tell.

Most links of a page stand on its neighbours too. A link that came with a *committed* answer need
not be sent again. One that was only sent must be: the answer may have been lost.
"""

from collections.abc import Iterable

from gossamer.records import Exclusion, Link, Visit

_CAPACITY = 200_000


def endorsement(site: int, target: int) -> int:
    """'The first site links to the second one', as a number that can stand among keys."""
    return hash((site, target))


class KnownLinks:
    """Two generations of each: when the young one is full, the old one is forgotten."""

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._young: set[int] = set()
        self._old: set[int] = set()
        self._left_out: dict[int, Exclusion] = {}

    @property
    def settled(self) -> tuple[set[int], set[int]]:
        """Keys of URLs that are in the crawl, and endorsements that it knows of: sending them again
        changes nothing."""
        return self._young, self._old

    def is_left_out(self, key: int, objection: Exclusion) -> bool:
        """Whether the URL is known to be left out for this very reason. A URL that one page's
        link left out may come in by another's."""
        return self._left_out.get(key) is objection

    def learn(self, visits: Iterable[Visit], others: Iterable[Link] = ()) -> None:
        """An answer with these visits and links has been accepted, and they are certain to be
        committed."""
        for visit in visits:
            self._learn(visit.links)
        self._learn(others)
        if len(self._young) >= self._capacity:
            self._old, self._young = self._young, set()
        if len(self._left_out) >= self._capacity:
            self._left_out.clear()

    def _learn(self, links: Iterable[Link]) -> None:
        for link in links:
            item = link.item
            if link.excluded is not None:
                self._left_out[item.key] = link.excluded
                continue
            self._young.add(item.key)
            if link.from_site:
                self._young.add(endorsement(link.from_site, item.site))
