"""Which page of the same site a page nearly repeats.

The similarity hashes of a site's latest pages are compared, all at once; the pages themselves are
on disk. Memory is bounded by the number of pages of a site and of sites at hand.
"""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gossamer.crawl.journal import Journal

HASH_BITS = 64
NEAR_BITS = 3
"""One word of 500 replaced changes 1.6 bits on average; unrelated texts differ in 30."""

WINDOW = 4_096
"""Pages of a site that a new one is compared with."""

_SITES_AT_HAND = 500
_MASK = (1 << 64) - 1


@dataclass(slots=True)
class _Pages:
    hashes: npt.NDArray[np.uint64]
    count: int  # ever; the page with number n lies at n % WINDOW


class Similar:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._db = journal.db
        self._at_hand: OrderedDict[int, _Pages] = OrderedDict()

    def nearest(
        self, site: int, similarity: int, most_bits: int = HASH_BITS
    ) -> tuple[str, int] | None:
        """The page of the site that differs in the fewest bits, and in how many. None: all of its
        pages differ in more than `most_bits`."""
        pages = self._pages(site)
        known = min(pages.count, WINDOW)
        if not known:
            return None
        bits = np.bitwise_count(pages.hashes[:known] ^ np.uint64(similarity & _MASK))
        place = int(bits.argmin())
        if bits[place] > most_bits:
            return None
        row = self._db.execute(
            "SELECT url FROM similar WHERE site=? AND place=?", (site, place)
        ).fetchone()
        return None if row is None else (row[0], int(bits[place]))

    def add(self, site: int, similarity: int, url: str) -> None:
        pages = self._pages(site)
        place = pages.count % WINDOW
        if place >= len(pages.hashes):
            pages.hashes = np.resize(pages.hashes, min(WINDOW, 2 * len(pages.hashes)))
        pages.hashes[place] = similarity & _MASK
        self._db.execute(
            "INSERT OR REPLACE INTO similar VALUES(?,?,?,?,?)",
            (site, place, pages.count, similarity, url),
        )
        pages.count += 1

    def _pages(self, site: int) -> _Pages:
        pages = self._at_hand.get(site)
        if pages is not None:
            self._at_hand.move_to_end(site)
            return pages
        rows = self._journal.rows(
            "SELECT place, number, similarity FROM similar WHERE site=?", (site,)
        )
        pages = _Pages(np.zeros(max(16, len(rows)), np.uint64), 0)
        for place, number, similarity in rows:
            pages.hashes[place] = similarity & _MASK
            pages.count = max(pages.count, int(number) + 1)
        self._at_hand[site] = pages
        if len(self._at_hand) > _SITES_AT_HAND:
            self._at_hand.popitem(last=False)
        return pages
