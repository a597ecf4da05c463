"""Which kinds of pages of a host bring nothing new, and are left.

Every visited page counts for the marks of its URL (see `shapes`): as new, or as stale when it says
that it does not exist or repeats another page; then only for those marks by which its address
differs from the other one. A mark whose pages are stale, nearly all of them, is a trap: what is
queued with it is left out, and so is what is found with it later.
"""

from collections import defaultdict
from dataclasses import dataclass

from gossamer.crawl.hosts import Hosts
from gossamer.crawl.journal import Journal
from gossamer.crawl.shapes import Level, Mark, marks_of, to_blame
from gossamer.records import Exclusion
from gossamer.urls import host_of, site_of

_STALE_SHARE = 0.9
_AT_HAND = 40_000
_NEWS_PER_PAGE_OUT = 8
_NEWS_PER_STALE = 20
_ANY_NUMBER = 1 << 60


@dataclass(slots=True)
class _Tally:
    visited: int = 0
    stale: int = 0
    missing: int = 0  # of the stale ones, those that said that they do not exist


_NOTHING = _Tally()


class Traps:
    def __init__(self, journal: Journal, pages: int) -> None:
        """`pages`: so many pages of a shape are visited before it is judged."""
        self._db = journal.db
        self._pages = pages
        self._tallies: dict[tuple[int, int], _Tally] = {}
        self._changed: set[tuple[int, int]] = set()
        # In memory alone: after a restart a site is trusted anew, but for its traps.
        self._sites: defaultdict[int, _Tally] = defaultdict(_Tally)
        self._closed: dict[int, dict[int, Exclusion]] = {}
        for host, mark, reason in journal.rows("SELECT host, shape, reason FROM trap"):
            self._closed.setdefault(host, {})[mark] = Exclusion(reason)

    def objection(self, url: str) -> Exclusion | None:
        if not self._closed:
            return None
        closed = self._closed.get(Hosts.id_of(host_of(url)))
        if not closed:
            return None
        return next((closed[mark.hash] for mark in marks_of(url) if mark.hash in closed), None)

    def has_traps(self, host: int) -> bool:
        return host in self._closed

    def most_out(self, site: int, endorsed: int) -> int:
        """How many pages of a site may be on their way at once, to which so many others link. One
        that has shown hardly anything but news is not restrained."""
        tally = self._sites.get(site) or _NOTHING
        news = tally.visited - tally.stale
        if news >= _NEWS_PER_STALE * tally.stale:
            return _ANY_NUMBER
        return max(self._pages // 2 * (1 + endorsed), news // _NEWS_PER_PAGE_OUT)

    # Noting

    def note_new(self, url: str) -> None:
        host = self._visited(url, stale=False)
        for mark in marks_of(url):
            self._add((host, mark.hash), visited=1)

    def note_missing(self, url: str) -> None:
        """A page says that it does not exist."""
        host = self._visited(url, stale=True)
        for mark in marks_of(url):
            counts = mark.level in (Level.SHAPE, Level.PARAMETER)
            self._add((host, mark.hash), visited=1, stale=counts, missing=counts)
            self._judge(host, mark)

    def note_repeat(
        self, url: str, original: str, *, brings_links: bool = False, was_new: bool = False
    ) -> None:
        """A page repeats another one. `brings_links`: to pages that nobody knew, and of another
        kind. `was_new`: it has been noted as new, and is not any more."""
        host = self._visited(url, stale=True, again=was_new)
        blamed = to_blame(url, original, brings_links=brings_links)
        for mark in marks_of(url):
            self._add((host, mark.hash), visited=not was_new, stale=mark.hash in blamed)
            self._judge(host, mark)

    def _visited(self, url: str, *, stale: bool, again: bool = False) -> int:
        host = host_of(url)
        tally = self._sites[site_of(host)[1]]
        tally.visited += not again
        tally.stale += stale
        return Hosts.id_of(host)

    def _judge(self, host: int, mark: Mark) -> None:
        tally = self._tally((host, mark.hash))
        # A page that is the same without a parameter proves more than two that are alike.
        needed = self._pages // 2 if mark.level is Level.PARAMETER else self._pages
        if (
            tally.visited >= needed
            and tally.stale >= _STALE_SHARE * tally.visited
            and mark.hash not in self._closed.get(host, ())
        ):
            mostly_missing = tally.missing > tally.stale / 2
            reason = Exclusion.TRAP_SOFT_404 if mostly_missing else mark.kind
            self._closed.setdefault(host, {})[mark.hash] = reason
            self._db.execute(
                "INSERT OR IGNORE INTO trap VALUES(?,?,?)", (host, mark.hash, reason.value)
            )

    def _add(
        self, slot: tuple[int, int], *, visited: int, stale: bool = False, missing: bool = False
    ) -> None:
        tally = self._tally(slot)
        tally.visited += visited
        tally.stale += stale
        tally.missing += missing
        self._changed.add(slot)

    def _tally(self, slot: tuple[int, int]) -> _Tally:
        tally = self._tallies.get(slot)
        if tally is None:
            row = self._db.execute(
                "SELECT visited, stale, missing FROM shape WHERE host=? AND shape=?", slot
            ).fetchone()
            tally = self._tallies[slot] = _Tally(*row) if row else _Tally()
        return tally

    def save(self) -> None:
        """As the last step of a transaction."""
        self._db.executemany(
            "INSERT OR REPLACE INTO shape VALUES(?,?,?,?,?)",
            [
                (*slot, tally.visited, tally.stale, tally.missing)
                for slot in self._changed
                for tally in (self._tallies[slot],)
            ],
        )
        self._changed.clear()
        if len(self._tallies) > _AT_HAND:
            self._tallies.clear()
        if len(self._sites) > _AT_HAND:
            self._sites.clear()
