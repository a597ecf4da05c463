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

from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec import msgpack

from gossamer.crawl.journal import Journal

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


def summed(parts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    total: defaultdict[str, float] = defaultdict(int)
    for part in parts:
        for name, value in part.items():
            total[name] += value
    return dict(sorted(total.items()))
