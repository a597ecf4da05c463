"""Which URLs have been found, exactly: a table on disk behind a bloom filter.

Most links are new to the filter or known to the fetcher that saw them; the filter lets the new
ones skip the look-up. It costs 1.2 bytes a URL in memory, and is made again from the table when
the queue server starts.
"""

from rbloom import Bloom

from gossamer.crawl.journal import Journal
from gossamer.records import Exclusion, Outcome

PENDING = 0
"""Queued, leased, or waiting for a retry: the other tables tell which."""

_DONE = {outcome: 1 + position for position, outcome in enumerate(Outcome)}
_EXCLUDED = {reason: 100 + position for position, reason in enumerate(Exclusion)}
_MEANING: dict[int, Outcome | Exclusion] = {
    **{code: outcome for outcome, code in _DONE.items()},
    **{code: reason for reason, code in _EXCLUDED.items()},
}
_FALSE_POSITIVES = 0.01
_SMALLEST = 100_000
_MASK = (1 << 64) - 1


def state_of(end: Outcome | Exclusion | None) -> int:
    if end is None:
        return PENDING
    return _DONE[end] if isinstance(end, Outcome) else _EXCLUDED[end]


def end_of(state: int) -> Outcome | Exclusion | None:
    return _MEANING.get(state)


def _same(value: int) -> int:
    return value


class SeenSet:
    def __init__(self, journal: Journal) -> None:
        self._db = journal.db
        self._looking = journal.db.cursor()  # kept: making one costs as much as a look
        self._count: int = self._db.execute("SELECT count(*) FROM seen").get
        self._bloom = self._filter_for_table()

    def _filter_for_table(self) -> Bloom:
        """Room to double: a filter that is too full answers 'maybe' to everything."""
        self._room = max(_SMALLEST, 2 * self._count)
        bloom = Bloom(self._room, _FALSE_POSITIVES, hash_func=_same)
        bloom.update(
            site << 64 | key & _MASK for site, key in self._db.execute("SELECT site, key FROM seen")
        )
        return bloom

    def __len__(self) -> int:
        return self._count

    def state(self, site: int, key: int) -> int | None:
        """None: never found."""
        if site << 64 | key & _MASK not in self._bloom:
            return None
        # `get` ends the statement: one that is left open would keep the log from being emptied.
        state: int | None = self._looking.execute(
            "SELECT state FROM seen WHERE site=? AND key=?", (site, key)
        ).get
        return state

    def add(self, rows: list[tuple[int, int, int]]) -> None:
        """(site, key, state) of URLs that `state` has said to be new."""
        self._db.executemany("INSERT INTO seen VALUES(?,?,?)", sorted(rows))
        self._bloom.update(site << 64 | key & _MASK for site, key, _ in rows)
        self._count += len(rows)
        if self._count > self._room:
            self._bloom = self._filter_for_table()

    def set_states(self, rows: list[tuple[int, int, int]]) -> None:
        """(state, site, key) of URLs that are in the set."""
        self._db.executemany("UPDATE seen SET state=? WHERE site=? AND key=?", rows)
