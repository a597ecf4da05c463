"""The sites of a frontier: how many URLs each has brought, and how many other sites link to it.

A site is a registrable domain: its owner can make up pages and names of hosts without end, but
not other sites that link to it. All rows lie on disk; a bounded number is kept at hand.
"""

from dataclasses import dataclass

from gossamer.crawl.journal import Journal

MOST_ENDORSEMENTS = 1_000
"""More links from others change nothing, and need not be remembered."""

_AT_HAND = 20_000


@dataclass(slots=True)
class Site:
    id: int
    found: int = 0  # URLs that entered the queue
    endorsed: int = 0  # other sites that link to it


class Sites:
    def __init__(self, journal: Journal) -> None:
        self._db = journal.db
        self._at_hand: dict[int, Site] = {}
        self._changed: dict[int, Site] = {}

    def get(self, id: int) -> Site:
        site = self._at_hand.get(id)
        if site is None:
            row = self._db.execute(
                "SELECT id, found, endorsed FROM site WHERE id=?", (id,)
            ).fetchone()
            site = self._at_hand[id] = Site(id) if row is None else Site(*row)
        return site

    def next_place(self, id: int) -> tuple[int, int]:
        """Another URL of the site enters the queue: how many came before it, and how many other
        sites link to this one."""
        site = self.get(id)
        place = site.found
        site.found += 1
        self._changed[id] = site
        return place, site.endorsed

    def endorse(self, id: int, by: int) -> None:
        """A page of the site `by` links to this site."""
        site = self.get(id)
        if site.endorsed >= MOST_ENDORSEMENTS:
            return
        self._db.execute("INSERT OR IGNORE INTO endorsement VALUES(?,?)", (id, by))
        if self._db.changes():
            site.endorsed += 1
            self._changed[id] = site

    def save(self) -> None:
        """As the last step of a transaction."""
        self._db.executemany(
            "INSERT OR REPLACE INTO site VALUES(?,?,?)",
            [(site.id, site.found, site.endorsed) for site in self._changed.values()],
        )
        self._changed.clear()
        if len(self._at_hand) > _AT_HAND:
            for id in list(self._at_hand)[: -(_AT_HAND // 2)]:
                del self._at_hand[id]
