"""What a run's journals know of a URL, without disturbing the process that works on them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

import apsw
from msgspec import Struct, msgpack, structs

from gossamer.crawl.hosts import Hosts, HostState
from gossamer.crawl.journal import JOURNAL_VERSION
from gossamer.crawl.seen import PENDING, end_of
from gossamer.crawl.shapes import marks_of
from gossamer.errors import FormatError, StorageError
from gossamer.records import Answer, Exclusion, Item, Link, Outcome, RobotsFile
from gossamer.urls import Url

_OUT, _ANSWERED = 0, 1
_PATIENCE_MS = 2_000

_item = msgpack.Decoder(Item).decode
_items = msgpack.Decoder(tuple[Item, ...]).decode
_links = msgpack.Decoder(tuple[Link, ...]).decode
_answer = msgpack.Decoder(Answer).decode
_robots = msgpack.Decoder(RobotsFile).decode


class Whereabouts(StrEnum):
    """Every place that a URL can be in."""

    NOWHERE = "never_found"
    QUEUED = "queued"
    RETRY = "retry"  # tried in vain, and waits for the next try
    LEASED = "leased"  # with a fetcher
    ANSWERED = "answered"  # visited; its answer waits for the turn of its schedule
    STRAGGLING = "straggling"  # with a fetcher, for longer than its schedule
    IN_TRANSIT = "in_transit"  # on its way to the queue server that owns it
    DONE = "done"
    EXCLUDED = "excluded"
    MOVING = "moving"  # between two of these at the moment of the look


class HostFacts(Struct, frozen=True):
    name: str
    state: str  # 'idle', 'ready', 'waiting' or 'held'
    queued: int
    due: float  # no request before
    delay_seconds: float | None
    bytes: int
    hosts_before: int  # with better URLs, ready to be visited


class QueuePlace(Struct, frozen=True):
    before: int  # URLs of its host that come first
    priority: int


class TrapFacts(Struct, frozen=True):
    """What the addresses of one shape, on one host, were worth."""

    visited: int
    repeats: int
    missing: int  # of those, the ones that said that they do not exist


class Known(Struct, frozen=True):
    whereabouts: Whereabouts
    end: Outcome | Exclusion | None = None  # of what is done, excluded or answered
    item: Item | None = None  # where the journal still has it
    place: QueuePlace | None = None
    until: float = 0.0  # of a retry: when it is due; of a lease: its end
    fetcher: str = ""
    host: HostFacts | None = None
    robots: RobotsFile | None = None  # of its origin
    trap: TrapFacts | None = None


def known_state(
    journals: Iterable[Path], url: Url
) -> Outcome | Exclusion | Literal["pending"] | None:
    """None: never found."""
    for path in journals:
        with _reading(path) as look:
            state = look.state(url)
        if state is not None:
            return end_of(state) or "pending"
    return None


def known_ends(
    journals: Iterable[Path], slots: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], Outcome | Exclusion]:
    """What became of URLs, by site and key; those that have come to no end yet are left out."""
    wanted = set(slots)
    ends: dict[tuple[int, int], Outcome | Exclusion] = {}
    for path in journals:
        with _reading(path) as look:
            for slot in wanted:
                state = look.slot_state(*slot)
                if state is not None and (end := end_of(state)) is not None:
                    ends[slot] = end
    return ends


def look_up(journals: Iterable[Path], url: Url) -> Known:
    """All that the journals know of a URL, each at one moment."""
    found = Known(Whereabouts.NOWHERE)
    for path in journals:
        with _reading(path) as look:
            here = look.known(url)
            if here.whereabouts is not Whereabouts.NOWHERE:
                found = here
            # What is known to its owner is not on its way any more, whatever an outbox says.
            if here.whereabouts not in (Whereabouts.NOWHERE, Whereabouts.IN_TRANSIT):
                return found
    return found


@contextmanager
def _reading(path: Path) -> Iterator["_Look"]:
    try:
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            db.set_busy_timeout(_PATIENCE_MS)
            if db.pragma("user_version") != JOURNAL_VERSION:
                raise FormatError(f"{path} is of another version of Gossamer.")
            db.execute("BEGIN")  # all looks see the same moment
            yield _Look(db)
        finally:
            db.close()
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise FormatError(f"{path} is damaged: {error}.") from error
    except (apsw.IOError, apsw.CantOpenError, apsw.BusyError, apsw.SQLError) as error:
        raise StorageError(f"{path} cannot be read: {error}.") from error


class _Look:
    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    def _rows(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        return iter(self._db.execute(sql, values))

    def state(self, url: Url) -> int | None:
        return self.slot_state(url.site_hash, url.key)

    def slot_state(self, site: int, key: int) -> int | None:
        row = next(self._rows("SELECT state FROM seen WHERE site=? AND key=?", site, key), None)
        return None if row is None else int(row[0])

    def known(self, url: Url) -> Known:
        state = self.state(url)
        if state is None:
            link = self._in_transit(url)
            if link is None:
                return Known(Whereabouts.NOWHERE)
            return Known(Whereabouts.IN_TRANSIT, end=link.excluded, item=link.item)
        return structs.replace(
            self._owned(url, state),
            host=self._host(url),
            robots=self._robots(url),
            trap=self._trap(url),
        )

    def _owned(self, url: Url, state: int) -> Known:
        """Where a URL of this server is."""
        if state != PENDING:
            end = end_of(state)
            place = Whereabouts.DONE if isinstance(end, Outcome) else Whereabouts.EXCLUDED
            return Known(place, end=end, item=self._beyond(url))
        for look in (self._queued, self._waiting, self._straggling, self._scheduled):
            if (found := look(url)) is not None:
                return found
        return Known(Whereabouts.MOVING)

    # Where a URL can be

    def _queued(self, url: Url) -> Known | None:
        host = Hosts.id_of(url.host)
        likely = "SELECT priority, turn, item FROM queue WHERE host=? AND instr(item, ?)"
        every = "SELECT priority, turn, item FROM queue WHERE host=?"
        # As it is spelled, it is found at once; another spelling has to be looked for.
        for rows in (self._rows(likely, host, url.href.encode()), self._rows(every, host)):
            for priority, turn, blob in rows:
                item = _item(blob)
                if _is(item, url):
                    before = self._db.execute(
                        "SELECT count(*) FROM queue WHERE host=? AND (priority, turn) < (?, ?)",
                        (host, priority, turn),
                    ).get
                    place = QueuePlace(before, priority)
                    return Known(Whereabouts.QUEUED, item=item, place=place)
        return None

    def _waiting(self, url: Url) -> Known | None:
        rows = self._rows(
            "SELECT due, item FROM retry WHERE site=? AND key=?", url.site_hash, url.key
        )
        for due, blob in rows:
            return Known(Whereabouts.RETRY, item=_item(blob), until=due)
        return None

    def _straggling(self, url: Url) -> Known | None:
        rows = self._rows(
            "SELECT until, fetcher, item FROM straggler WHERE site=? AND key=?",
            *(url.site_hash, url.key),
        )
        for until, fetcher, blob in rows:
            return Known(Whereabouts.STRAGGLING, item=_item(blob), until=until, fetcher=fetcher)
        return None

    def _scheduled(self, url: Url) -> Known | None:
        rows = self._rows(
            "SELECT state, until, fetcher, items, answer FROM schedule WHERE state IN (?, ?)",
            *(_OUT, _ANSWERED),
        )
        for state, until, fetcher, blob, answer in rows:
            item = next((item for item in _items(blob) if _is(item, url)), None)
            if item is None:
                continue
            if state == _OUT or answer is None:
                return Known(Whereabouts.LEASED, item=item, until=until, fetcher=fetcher)
            return Known(Whereabouts.ANSWERED, end=_end_in(_answer(answer), url), item=item)
        return None

    def _in_transit(self, url: Url) -> Link | None:
        for (batch,) in self._rows("SELECT batch FROM outbox ORDER BY id"):
            for link in _links(batch):
                if _is(link.item, url):
                    return link
        return None

    def _beyond(self, url: Url) -> Item | None:
        rows = self._rows("SELECT item FROM beyond WHERE site=? AND key=?", url.site_hash, url.key)
        return next((_item(blob) for (blob,) in rows), None)

    # What is known of its host

    def _host(self, url: Url) -> HostFacts | None:
        rows = self._rows(
            "SELECT name, state, queued, due, delay, bytes, front, turn FROM host WHERE id=?",
            Hosts.id_of(url.host),
        )
        for name, state, queued, due, delay, size, front, turn in rows:
            before = self._db.execute(
                "SELECT count(*) FROM host WHERE state=1 AND (front, turn) < (?, ?)", (front, turn)
            ).get
            state_name = HostState(state).name.lower()
            return HostFacts(name, state_name, queued, due, delay, size, before)
        return None

    def _robots(self, url: Url) -> RobotsFile | None:
        rows = self._rows("SELECT file FROM robots WHERE origin=?", url.origin)
        return next((_robots(blob) for (blob,) in rows), None)

    def _trap(self, url: Url) -> TrapFacts | None:
        """What was learned of the mark that is a trap; of the shape, where none is."""
        host = Hosts.id_of(url.host)
        marks = [mark.hash for mark in marks_of(url.href)]
        closed = {mark for (mark,) in self._rows("SELECT shape FROM trap WHERE host=?", host)}
        wanted = next((mark for mark in marks if mark in closed), marks[0])
        rows = self._rows(
            "SELECT visited, stale, missing FROM shape WHERE host=? AND shape=?", host, wanted
        )
        return next((TrapFacts(*row) for row in rows), None)


def _is(item: Item, url: Url) -> bool:
    return (item.site, item.key) == (url.site_hash, url.key)


def _end_in(answer: Answer, url: Url) -> Outcome | Exclusion | None:
    """What an answer says of a URL; None: it goes back to the queue."""
    for visit in answer.visits:
        if (visit.site, visit.key) == (url.site_hash, url.key):
            return visit.outcome
    for refused in answer.refused:
        if _is(refused.item, url):
            return refused.reason
    return None
