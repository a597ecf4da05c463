"""Which pages repeat others: word for word anywhere, or nearly so within their site.

What repeats is stored and named all the same; what repeats again and again tells of a trap.
"""

from collections.abc import Callable

from msgspec import Struct

from gossamer.crawl.journal import Journal
from gossamer.crawl.shapes import address_rank, are_alike
from gossamer.crawl.similar import NEAR_BITS, Similar
from gossamer.crawl.traps import Traps
from gossamer.records import Link, Outcome, Visit
from gossamer.urls import FILE_START, host_of

STALE_BITS = 8
"""Of 64. Pages with addresses alike that differ in no more bring nothing new: two or three words of
a hundred, a date, a counter."""


class Found(Struct):
    """url of a page -> url of the page that it repeats."""

    duplicates: dict[str, str]
    near_duplicates: dict[str, str]


class Repeats:
    def __init__(
        self, journal: Journal, traps: Traps | None, is_news: Callable[[Link], bool]
    ) -> None:
        """`traps`: who is told of every page; None: nobody. `is_news`: whether a link would enter
        the queue."""
        self._journal = journal
        self._similar = Similar(journal)
        self._traps = traps
        self._is_news = is_news

    def among(self, visits: list[Visit]) -> Found:
        found = Found({}, {})
        for visit in visits:
            if visit.outcome is Outcome.SOFT_404:
                if traps := self._traps_of(visit.url):
                    traps.note_missing(visit.url)
            elif visit.is_document and visit.content_hash:
                self._compare(visit, found)
        return found

    def _compare(self, visit: Visit, found: Found) -> None:
        url = visit.url
        original = self._same_text(visit)
        if original == url:
            return  # visited again, and unchanged
        if original is not None:
            found.duplicates[url] = original
            self._note_duplicate(visit, original)
            return
        nearest, bits = self._nearest(visit)
        if nearest and bits <= NEAR_BITS:
            found.near_duplicates[url] = nearest
        traps = self._traps_of(url)
        if traps is None:
            return
        if nearest and (bits <= NEAR_BITS or are_alike(url, nearest)):
            traps.note_repeat(url, nearest, brings_links=self._brings_links(visit))
        else:
            traps.note_new(url)

    def _traps_of(self, url: str) -> Traps | None:
        """In a folder of this machine every file is wanted, however alike they are."""
        return None if url.startswith(FILE_START) else self._traps

    def _brings_links(self, visit: Visit) -> bool:
        host = host_of(visit.url)
        return any(
            link.excluded is None
            and host_of(link.item.url) == host
            and not are_alike(link.item.url, visit.url)
            and self._is_news(link)
            for link in visit.links
        )

    def _nearest(self, visit: Visit) -> tuple[str, int]:
        """The page of its site that this one is nearly the same as; '': none."""
        if not visit.similarity_hash:
            return "", 0
        nearest = self._similar.nearest(visit.site, visit.similarity_hash, STALE_BITS)
        if nearest is None or nearest[0] == visit.url:
            nearest = "", 0
        if not nearest[0] or nearest[1] > NEAR_BITS:
            self._similar.add(visit.site, visit.similarity_hash, visit.url)
        return nearest

    def _note_duplicate(self, visit: Visit, original: str) -> None:
        """Which of two addresses was visited first is chance: the worse one is to blame."""
        traps = self._traps_of(visit.url)
        if traps is None or original.startswith(FILE_START):
            return
        if address_rank(visit.url) >= address_rank(original):
            traps.note_repeat(visit.url, original)
            return
        traps.note_new(visit.url)
        traps.note_repeat(original, visit.url, was_new=True)
        self._journal.db.execute(
            "UPDATE content SET site=?, key=?, url=? WHERE hash=?",
            (visit.site, visit.key, visit.url, visit.content_hash),
        )

    def _same_text(self, visit: Visit) -> str | None:
        """The first page with this text, if it is not this one."""
        self._journal.db.execute(
            "INSERT OR IGNORE INTO content VALUES(?,?,?,?)",
            (visit.content_hash, visit.site, visit.key, visit.url),
        )
        if self._journal.db.changes():
            return None
        ((site, key, url),) = self._journal.rows(
            "SELECT site, key, url FROM content WHERE hash=?", (visit.content_hash,)
        )
        return visit.url if (site, key) == (visit.site, visit.key) else str(url)
