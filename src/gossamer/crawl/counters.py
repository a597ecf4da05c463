"""The statistics of a run: flat counters, changed only by the transaction that changes the fact.

Each queue server keeps its own; those of a run are their sum. At any moment, for every queue
server and for the run:

    found = queued + leased + sum(done.*) + sum(excluded.*)
    found = found.seed + found.link + found.redirect + found.sitemap

and for the run:

    links.found = links.new + links.known + links.other + links.nofollow

once nothing is in transit between queue servers (`in_transit`). Of an import, which follows no
links: found = found.archive, and links.found = links.unfollowed + links.other + links.nofollow.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import msgpack

from gossamer.crawl.journal import Journal
from gossamer.records import Visit

_NAME = "counters"
_NONE = msgpack.encode({})


class Counters:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        blob = journal.get(_NAME)
        self._saved = blob if isinstance(blob, bytes) else _NONE
        known = msgpack.decode(self._saved, type=dict[str, float])
        self.values: defaultdict[str, float] = defaultdict(int, known)

    def add(self, name: str, amount: float = 1) -> None:
        self.values[name] += amount

    def __getitem__(self, name: str) -> int:
        return int(self.values.get(name, 0))

    def save(self) -> None:
        """As the last step of a transaction. One that changed nothing need not write."""
        blob = msgpack.encode(dict(self.values))
        if blob != self._saved:
            self._journal.put(_NAME, blob)
            self._saved = blob


def count_visits(counters: Counters, visits: Sequence[Visit]) -> None:
    """What is counted of every visit, in crawls and in imports."""
    add = counters.add
    for outcome, number in Counter(visit.outcome for visit in visits).items():
        if outcome.answered:
            add("pages", number)
    for status, number in Counter(visit.status for visit in visits).items():
        if status:
            add(f"status.{status}", number)
    add("documents", sum(visit.is_document for visit in visits))
    add("wire_bytes", sum(visit.wire_bytes for visit in visits))
    add("body_bytes", sum(visit.body_bytes for visit in visits))
    add("links.found", sum(visit.links_found for visit in visits))
    add("links.cross_site", sum(visit.links_cross_site for visit in visits))
    add("links.nofollow", sum(visit.links_nofollow for visit in visits))
    add("links.other", sum(visit.links_other for visit in visits))


def summed(parts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    total: defaultdict[str, float] = defaultdict(int)
    for part in parts:
        for name, value in part.items():
            total[name] += value
    return dict(sorted(total.items()))
