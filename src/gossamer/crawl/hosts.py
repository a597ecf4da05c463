"""The hosts of a frontier: which have work, which must wait, and who holds them.

All rows lie on disk; a bounded number is kept at hand. The *ready* index is the front queue:
hosts in the order of the best URL that each has queued. Hosts that must wait (crawl delay,
back-off) lie in the *waiting* index by time, and cost nothing until they are due.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

from gossamer.crawl.journal import Journal
from gossamer.lib.hashing import hash64

STRAGGLERS = -1
"""Stands for a schedule in a hold: requests that outlived theirs."""

_AT_HAND = 20_000
_WAKE_AT_ONCE = 1_000


FILE_SLOTS = 256
"""Files of this machine have no host's name, and nobody minds how many read them."""


class HostState(IntEnum):
    IDLE = 0  # nothing queued
    READY = 1
    WAITING = 2  # not before `due`
    HELD = 3  # fetchers have all of its connections


@dataclass(slots=True)
class Host:
    id: int
    name: str
    state: HostState = HostState.IDLE
    front: int = 0  # priority and turn of the best queued URL
    turn: int = 0
    queued: int = 0
    due: float = 0.0
    delay: float | None = None  # None: not known yet
    response: float | None = None
    bytes: int = 0
    holders: dict[str, "Hold"] = field(default_factory=dict)

    @property
    def taken(self) -> int:
        """Connections that fetchers have."""
        return sum(hold.connections for hold in self.holders.values())


@dataclass(slots=True)
class Hold:
    """A fetcher's share of a host's connections."""

    connections: int
    schedules: set[int] = field(default_factory=set)


class Hosts:
    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._db = journal.db
        self._at_hand: dict[int, Host] = {}
        self._changed: dict[int, Host] = {}
        self._new = 0
        self._held_by: defaultdict[str, set[int]] = defaultdict(set)

    @staticmethod
    def id_of(name: str) -> int:
        return hash64(name.encode())

    def get(self, name: str) -> Host:
        """The host of that name, made when it is new."""
        id = self.id_of(name)
        host = self._find(id)
        if host is None:
            host = Host(id, name)
            self._new += 1
            self._at_hand[id] = host
            self._changed[id] = host
        return host

    def by_id(self, id: int) -> Host:
        host = self._find(id)
        assert host is not None
        return host

    def _find(self, id: int) -> Host | None:
        host = self._at_hand.get(id)
        if host is not None:
            return host
        row = self._db.execute(
            "SELECT id, name, state, front, turn, queued, due, delay, response, bytes"
            " FROM host WHERE id=?",
            (id,),
        ).fetchone()
        if row is None:
            return None
        host = Host(*row)
        host.state = HostState(host.state)
        self._at_hand[id] = host
        return host

    def _make_room(self) -> None:
        """Only between transactions: within one, a host must not be read again from a row that
        is not written yet."""
        if len(self._at_hand) > _AT_HAND:
            for id, host in list(self._at_hand.items())[: -(_AT_HAND // 2)]:
                if not host.holders:
                    del self._at_hand[id]

    def changed(self, host: Host) -> None:
        self._changed[host.id] = host

    def settle(self, host: Host, now: float, slots: int) -> None:
        """Decide the state anew after a change."""
        slots = slots if host.name else FILE_SLOTS
        if not host.queued:
            host.state = HostState.IDLE
        elif host.taken >= slots:
            host.state = HostState.HELD
        elif host.due > now:
            host.state = HostState.WAITING
        else:
            host.state = HostState.READY
        self._changed[host.id] = host

    def save(self) -> int:
        """As the last step of a transaction. Return how many hosts were new."""
        self._write_changed()
        self._make_room()
        new, self._new = self._new, 0
        return new

    def _write_changed(self) -> None:
        self._db.executemany(
            "INSERT OR REPLACE INTO host VALUES(?,?,?,?,?,?,?,?,?,?)",
            [
                (
                    *(h.id, h.name, int(h.state), h.front, h.turn, h.queued),
                    *(h.due, h.delay, h.response, h.bytes),
                )
                for h in self._changed.values()
            ],
        )
        self._changed.clear()

    def wake(self, now: float) -> None:
        """Move the hosts whose time has come to the front queue."""
        due = self._journal.rows(
            "SELECT id FROM host WHERE state=2 AND due<=? ORDER BY due LIMIT ?",
            (now, _WAKE_AT_ONCE),
        )
        for (id,) in due:
            host = self.by_id(id)
            host.state = HostState.READY
            self._changed[id] = host
        self._write_changed()

    def next_due(self) -> float | None:
        row = self._db.execute("SELECT min(due) FROM host WHERE state=2").fetchone()
        return None if row is None else row[0]

    def waiting(self) -> int:
        count: int = self._db.execute("SELECT count(*) FROM host WHERE state=2").get
        return count

    def ready(self, limit: int) -> list[Host]:
        rows = self._journal.rows(
            "SELECT id FROM host WHERE state=1 ORDER BY front, turn LIMIT ?", (limit,)
        )
        return [self.by_id(id) for (id,) in rows]

    def held_by(self, fetcher: str) -> list[Host]:
        return [self._at_hand[id] for id in self._held_by[fetcher]]

    def hold(self, host: Host, fetcher: str, number: int, connections: int) -> None:
        hold = host.holders.setdefault(fetcher, Hold(connections))
        hold.schedules.add(number)
        self._held_by[fetcher].add(host.id)
        self._at_hand[host.id] = host

    def release(self, host: Host, fetcher: str, number: int) -> None:
        hold = host.holders.get(fetcher)
        if hold is None:
            return
        hold.schedules.discard(number)
        if not hold.schedules:
            del host.holders[fetcher]
            self._held_by[fetcher].discard(host.id)

    def release_all(self, fetcher: str, number: int) -> Iterable[Host]:
        """End the holds of a schedule, and tell of which hosts."""
        hosts = [
            host for host in self.held_by(fetcher) if number in host.holders[fetcher].schedules
        ]
        for host in hosts:
            self.release(host, fetcher, number)
        return hosts
