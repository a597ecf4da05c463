"""The frontier of a set of partitions: what is known, and what comes next.

Front queues by priority decide which host is served; a queue for each host keeps its URLs in
order; URLs found beyond the depth limit and URLs that wait for a retry lie apart. Everything is
on disk: memory does not grow with the number of URLs, but for the bloom filter.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from msgspec import msgpack

from gossamer.config import CrawlSettings
from gossamer.crawl.counters import Counters
from gossamer.crawl.hosts import Host, Hosts
from gossamer.crawl.journal import Journal
from gossamer.crawl.seen import PENDING, SeenSet, state_of
from gossamer.records import Exclusion, Item, Link, Outcome
from gossamer.urls import host_of

_UNKNOWN_RESPONSE_SECONDS = 1.0
_SLICES = 4
"""A host gets URLs for this fraction of a schedule's time. The hosts of a schedule are held until
all of them are done: equal times keep the quick ones from waiting for the slow."""
_SMALLEST_RESPONSE_SECONDS = 0.002
_PUBLIC_DELAY_SECONDS = 1.0
_KEEP_ALIVE_BATCH = 8
"""URLs of one host that are worth a connection, where its pace allows as many."""

_encode = msgpack.Encoder().encode
_decode = msgpack.Decoder(Item).decode
_REVOCABLE = {state_of(reason): reason for reason in (Exclusion.DEPTH, Exclusion.SCOPE)}
"""They depend on the page that a link was found on: another page may bring the URL in."""
_OUT_OF_SCOPE = state_of(Exclusion.SCOPE)
_KEPT_APART = {state_of(reason): reason for reason in (Exclusion.DEPTH, Exclusion.HOST_BYTES)}
"""They come back when their limit is raised."""


class Order(Protocol):
    """The order of a crawl: the lower the number, the sooner."""

    def priority(self, item: Item) -> int: ...


class BreadthFirst:
    def priority(self, item: Item) -> int:
        return item.depth


@dataclass(frozen=True, slots=True)
class HostBatch:
    host: Host
    connections: int
    items: list[Item]


class Frontier:
    def __init__(
        self, journal: Journal, counters: Counters, settings: CrawlSettings, order: Order
    ) -> None:
        self._journal = journal
        self._db = journal.db
        self._counters = counters
        self._settings = settings
        self._order = order
        self.seen = SeenSet(journal)
        self.hosts = Hosts(journal)
        turn = journal.get("turn")
        self._turn = turn if isinstance(turn, int) else 0

    def save(self) -> None:
        """As the last step of a transaction."""
        self._counters.add("hosts", self.hosts.save())
        self._journal.put("turn", self._turn)

    # Adding

    def add(self, links: Iterable[Link], origin: str, now: float) -> int:
        """Add what is new; adding twice is harmless. Return how many were. `origin` says for the
        statistics how they were found: 'seed', 'link' or 'redirect'."""
        fresh: dict[tuple[int, int], Link] = {}
        added = 0
        for link in links:
            item = link.item
            slot = (item.site, item.key)
            earlier = fresh.get(slot)
            if earlier is not None:
                if earlier.excluded is not None and link.excluded is None:
                    fresh[slot] = link
                continue
            state = self.seen.state(*slot)
            if state is None:
                fresh[slot] = link
            elif state in _REVOCABLE and link.excluded is None:
                self._bring_back(item, _REVOCABLE[state], now)
            elif state == _OUT_OF_SCOPE and link.excluded is Exclusion.DEPTH:
                # A way into the crawl after all, for whoever raises the depth.
                self._counters.add("excluded.scope", -1)
                self.seen.set_states([(state_of(Exclusion.DEPTH), *slot)])
                self._set_aside([link])
        if fresh:
            added = len(fresh)
            self.seen.add(
                [(site, key, state_of(link.excluded)) for (site, key), link in fresh.items()]
            )
            self._enqueue([link.item for link in fresh.values() if link.excluded is None], now)
            self._set_aside([link for link in fresh.values() if link.excluded is not None])
            self._counters.add("found", added)
            self._counters.add(f"found.{origin}", added)
        return added

    def _bring_back(self, item: Item, reason: Exclusion, now: float) -> None:
        """Found again on a way that leads into the crawl."""
        self._db.execute("DELETE FROM beyond WHERE site=? AND key=?", (item.site, item.key))
        self.seen.set_states([(PENDING, item.site, item.key)])
        self._counters.add(f"excluded.{reason}", -1)
        self._enqueue([item], now)

    def _set_aside(self, links: list[Link]) -> None:
        for link in links:
            self._counters.add(f"excluded.{link.excluded}")
        self._db.executemany(
            "INSERT OR REPLACE INTO beyond VALUES(?,?,?)",
            [
                (link.item.site, link.item.key, _encode(link.item))
                for link in links
                if link.excluded in _KEPT_APART.values()
            ],
        )

    def _enqueue(self, items: list[Item], now: float) -> None:
        rows = []
        touched: dict[str, Host] = {}
        for item in items:
            name = host_of(item.url)
            host = touched.get(name)
            if host is None:
                host = touched[name] = self.hosts.get(name)
            priority = self._order.priority(item)
            self._turn += 1
            rows.append((host.id, priority, self._turn, _encode(item)))
            if not host.queued or priority < host.front:
                host.front, host.turn = priority, self._turn
            host.queued += 1
        self._db.executemany("INSERT INTO queue VALUES(?,?,?,?)", rows)
        self._counters.add("queued", len(rows))
        for host in touched.values():
            self.hosts.settle(host, now, self._settings.host_connections)

    def raise_limits(self, now: float) -> None:
        """Take in what earlier, lower limits kept out."""
        limits = f"{self._settings.max_depth} {self._settings.max_bytes_per_host}"
        known = self._journal.get("limits")
        self._journal.put("limits", limits)
        if known == limits:
            return
        for (blob,) in self._journal.rows("SELECT item FROM beyond"):
            item = _decode(blob)
            reason = _KEPT_APART[self.seen.state(item.site, item.key) or 0]
            if self._is_allowed(item, reason):
                self._bring_back(item, reason, now)

    def _is_allowed(self, item: Item, reason: Exclusion) -> bool:
        if reason is Exclusion.DEPTH:
            return self._settings.max_depth is None or item.depth <= self._settings.max_depth
        most = self._settings.max_bytes_per_host
        return not most or self.hosts.get(host_of(item.url)).bytes < most

    # Leasing

    def take(
        self, fetcher: str, number: int, most: int, fetchers: int, now: float
    ) -> list[HostBatch]:
        """Take up to `most` URLs out of the queues for schedule `number` of a fetcher, from hosts
        that may be visited now, and hold those hosts for it. Breadth over hosts first, but enough
        of each to be worth its connection."""
        self._wake_retries(now)
        self.hosts.wake(now)
        own = [
            host
            for host in self.hosts.held_by(fetcher)
            if host.queued and len(host.holders[fetcher].schedules) == 1 and self._is_fast(host)
        ]
        hosts = own + [host for host in self.hosts.ready(most) if fetcher not in host.holders]
        batches: list[HostBatch] = []
        left = most
        share = max(1, most // max(1, len(hosts)))
        for host in hosts:
            if left <= 0:
                break
            connections = self._connections(host, fetcher, fetchers)
            pace = self._pace(host, connections)
            wanted = min(left, pace, max(share, _KEEP_ALIVE_BATCH))
            items = self._pop(host, wanted)
            if items:
                batches.append(HostBatch(host, connections, items))
                left -= len(items)
                self.hosts.hold(host, fetcher, number, connections)
            self.hosts.settle(host, now, self._settings.host_connections)
        taken = most - left
        self._counters.add("queued", -taken)
        self._counters.add("leased", taken)
        return batches

    def delay_of(self, host: Host) -> float:
        setting = self._settings.delay_seconds
        if setting != "auto":
            return max(setting, host.delay or 0.0)
        if host.delay is not None:
            return host.delay
        return 0.0 if self._settings.allow_private else _PUBLIC_DELAY_SECONDS

    def _is_fast(self, host: Host) -> bool:
        """Whether a second schedule may wait at the fetcher while it works on the first."""
        return self.delay_of(host) == 0.0 and not self._settings.max_bytes_per_host

    def _connections(self, host: Host, fetcher: str, fetchers: int) -> int:
        """A host without delay is shared out over the fetchers; the pauses of a delayed one can
        only be kept by a single fetcher."""
        if fetcher in host.holders:
            return host.holders[fetcher].connections
        free = self._settings.host_connections - host.taken
        # Nobody has been there: one fetcher is enough to ask for its robots file.
        if self.delay_of(host) > 0 or host.response is None:
            return free
        return min(free, ceil(self._settings.host_connections / fetchers))

    def _pace(self, host: Host, connections: int) -> int:
        """How many URLs a schedule can visit in a slice of its time."""
        response = host.response if host.response is not None else _UNKNOWN_RESPONSE_SECONDS
        delay = self.delay_of(host)
        seconds = max(delay, response / connections, _SMALLEST_RESPONSE_SECONDS)
        return max(1, int(self._settings.schedule_seconds / _SLICES / seconds))

    def _pop(self, host: Host, most: int) -> list[Item]:
        rows = self._journal.rows(
            "SELECT priority, turn, item FROM queue WHERE host=? ORDER BY priority, turn LIMIT ?",
            (host.id, most + 1),
        )
        taken, rest = rows[:most], rows[most:]
        if not taken:
            return []
        self._db.execute(
            "DELETE FROM queue WHERE host=? AND (priority, turn) <= (?, ?)",
            (host.id, taken[-1][0], taken[-1][1]),
        )
        host.queued -= len(taken)
        if rest:
            host.front, host.turn = rest[0][0], rest[0][1]
        return [_decode(row[2]) for row in taken]

    def _wake_retries(self, now: float) -> None:
        rows = self._journal.rows(
            "SELECT due, site, key, item FROM retry WHERE due<=? LIMIT 1000", (now,)
        )
        if rows:
            self._db.executemany(
                "DELETE FROM retry WHERE due=? AND site=? AND key=?", [row[:3] for row in rows]
            )
            self._counters.add("queued", -len(rows))
            self._enqueue([_decode(row[3]) for row in rows], now)

    def next_event(self) -> float | None:
        """When the next waiting host or retry is due."""
        times = [self._db.execute("SELECT min(due) FROM retry").get, self.hosts.next_due()]
        return min((time for time in times if time is not None), default=None)

    # Giving back

    def give_back(self, items: list[Item], now: float) -> None:
        """Leased URLs return to their queues, untried."""
        self._counters.add("leased", -len(items))
        self._enqueue(items, now)

    def retry(self, item: Item, due: float) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO retry VALUES(?,?,?,?)",
            (due, item.site, item.key, _encode(item)),
        )
        self._counters.add("leased", -1)
        self._counters.add("queued")

    def finish(self, ends: list[tuple[int, int, Outcome]]) -> None:
        """Leased URLs have come to their end: (site, key, how)."""
        self.seen.set_states([(state_of(end), site, key) for site, key, end in ends])
        self._counters.add("leased", -len(ends))
        for _, _, end in ends:
            self._counters.add(f"done.{end}")

    def refuse(self, item: Item, reason: Exclusion) -> None:
        """A leased URL turned out to be excluded."""
        self.seen.set_states([(state_of(reason), item.site, item.key)])
        self._counters.add("leased", -1)
        self._set_aside([Link(item, reason)])

    def drop_host(self, host: Host) -> None:
        """Exclude all that is queued of a host which has used up its bytes."""
        items = self._pop(host, host.queued)
        reason = Exclusion.HOST_BYTES
        self.seen.set_states([(state_of(reason), item.site, item.key) for item in items])
        self._counters.add("queued", -len(items))
        self._set_aside([Link(item, reason) for item in items])
