"""The frontier of a set of partitions: what is known, and what comes next.

Front queues by priority decide which host is served; a queue for each host keeps its URLs in
order; URLs found beyond the depth limit and URLs that wait for a retry lie apart. Everything is
on disk: memory does not grow with the number of URLs, but for the bloom filter.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from msgspec import msgpack, structs

from gossamer.config import CrawlSettings
from gossamer.crawl.counters import Counters
from gossamer.crawl.hosts import Host, Hosts
from gossamer.crawl.journal import Journal
from gossamer.crawl.offers import Offers
from gossamer.crawl.order import order_of
from gossamer.crawl.seen import PENDING, SeenSet, end_of, state_of
from gossamer.crawl.sites import Sites
from gossamer.crawl.traps import Traps
from gossamer.records import Exclusion, Item, Link, Outcome
from gossamer.urls import host_of, site_of

_TRAPPED_ROUNDS = 50
"""A lease clears so many batches of a trap out of a queue, and leaves the rest to the next."""
_KEEP_ALIVE_BATCH = 8
"""URLs of one host that are worth a connection, where its pace allows as many."""

_encode = msgpack.Encoder().encode
_decode = msgpack.Decoder(Item).decode
_REVOCABLE = {
    state_of(reason): reason for reason in (Exclusion.DEPTH, Exclusion.SCOPE, Exclusion.LINK_LIMIT)
}
"""They depend on the page that a link was found on: another page may bring the URL in."""
_OUT_OF_SCOPE = state_of(Exclusion.SCOPE)
_KEPT_APART = {state_of(reason): reason for reason in (Exclusion.DEPTH, Exclusion.HOST_BYTES)}
"""They come back when their limit is raised."""
_SETTABLE = (
    *(Exclusion.SCOPE, Exclusion.PATTERN, Exclusion.BLOCKED, Exclusion.FILTER),
    *(Exclusion.LINK_LIMIT, Exclusion.TRAP_GROWTH, Exclusion.TRAP_REPETITION),
)
"""They depend on settings that can be changed between two sittings."""
_ROWS_AT_ONCE = 1_000
_REVISIT = 0
"""The priority of pages that are visited again: the best that there is."""
_BEFORE_ALL = (-(1 << 63), -1, -1)


@dataclass(frozen=True, slots=True)
class HostBatch:
    host: Host
    connections: int
    items: list[Item]


@dataclass(slots=True)
class _Share:
    """What a host contributes to a schedule."""

    host: Host
    connections: int
    room: int  # URLs that its pace allows
    items: list[Item] = field(default_factory=list)


class Frontier:
    def __init__(self, journal: Journal, counters: Counters, settings: CrawlSettings) -> None:
        self._journal = journal
        self._db = journal.db
        self._counters = counters
        self._settings = settings
        self.offers = Offers(settings)
        self.seen = SeenSet(journal)
        self.hosts = Hosts(journal)
        self.sites = Sites(journal)
        self.traps = Traps(journal, settings.trap_pages)
        self._order = order_of(settings, self.sites)
        self._out: Counter[int] = Counter()  # site -> URLs that are leased
        turn = journal.get("turn")
        self._turn = self._saved_turn = turn if isinstance(turn, int) else 0

    def note_out(self, items: Iterable[Item]) -> None:
        """They are leased."""
        self._out.update(item.site for item in items)

    def _note_back(self, sites: Iterable[int]) -> None:
        for site, number in Counter(sites).items():
            self._out[site] -= number
            if self._out[site] <= 0:
                del self._out[site]

    def save(self) -> None:
        """As the last step of a transaction."""
        self._counters.add("hosts", self.hosts.save())
        self.sites.save()
        self.traps.save()
        if self._turn != self._saved_turn:
            self._journal.put("turn", self._turn)
            self._saved_turn = self._turn

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
                fresh[slot] = self._unless_trap(link)
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

    def is_news(self, link: Link) -> bool:
        """Whether it would enter the queue."""
        known = self.seen.state(link.item.site, link.item.key) is not None
        return not known and self._unless_trap(link).excluded is None

    def _unless_trap(self, link: Link) -> Link:
        if link.excluded is not None or not self._settings.traps:
            return link
        objection = self.traps.objection(link.item.url)
        return link if objection is None else structs.replace(link, excluded=objection)

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
            if item.priority < 0:
                item = structs.replace(item, priority=self._order.priority(item))
            priority = item.priority
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

    # Other settings

    def reconsider(self, links: Iterable[Link], now: float) -> None:
        """Take in what earlier settings left out. Links as those of now see them; what was never
        found does not come in this way."""
        for link in links:
            slot = (link.item.site, link.item.key)
            reason = self._reconsidered.get(self.seen.state(*slot) or PENDING)
            if reason is None:
                continue
            link = self._unless_trap(link)
            if link.excluded is None:
                self._bring_back(link.item, reason, now)
            elif link.excluded is Exclusion.DEPTH:
                self._counters.add(f"excluded.{reason}", -1)
                self.seen.set_states([(state_of(Exclusion.DEPTH), *slot)])
                self._set_aside([link])

    @property
    def _reconsidered(self) -> dict[int, Exclusion]:
        reasons = {*_SETTABLE}
        if not self._settings.traps:
            reasons |= {reason for reason in Exclusion if reason.startswith("trap.")}
        if not self._settings.obey_robots:
            reasons.add(Exclusion.ROBOTS)
        return {state_of(reason): reason for reason in reasons}

    def leave_out(self, objection: Callable[[Item], Exclusion | None], now: float) -> None:
        """Take out of the queues what there is an objection to now."""
        last = _BEFORE_ALL
        while rows := self._journal.rows(
            "SELECT host, priority, turn, item FROM queue WHERE (host, priority, turn) > (?,?,?) "
            "ORDER BY host, priority, turn LIMIT ?",
            (*last, _ROWS_AT_ONCE),
        ):
            last = (rows[-1][0], rows[-1][1], rows[-1][2])
            judged = [(row[:3], _decode(row[3])) for row in rows]
            links = [(place, Link(item, objection(item))) for place, item in judged]
            unwanted = [(place, link) for place, link in links if link.excluded is not None]
            self._db.executemany(
                "DELETE FROM queue WHERE host=? AND priority=? AND turn=?",
                [place for place, _ in unwanted],
            )
            self._exclude_queued([link for _, link in unwanted])
            for name, number in Counter(host_of(link.item.url) for _, link in unwanted).items():
                self._shorten(self.hosts.get(name), number, now)
        for due, site, key, blob in self._journal.rows("SELECT due, site, key, item FROM retry"):
            link = Link(_decode(blob), objection(_decode(blob)))
            if link.excluded is not None:
                self._db.execute(
                    "DELETE FROM retry WHERE due=? AND site=? AND key=?", (due, site, key)
                )
                self._exclude_queued([link])

    def _shorten(self, host: Host, number: int, now: float) -> None:
        """So many URLs of a host have left its queue, wherever they were in it."""
        host.queued -= number
        for priority, turn in self._journal.rows(
            "SELECT priority, turn FROM queue WHERE host=? ORDER BY priority, turn LIMIT 1",
            (host.id,),
        ):
            host.front, host.turn = priority, turn
        self.hosts.settle(host, now, self._settings.host_connections)

    # Another round

    def note_again(self, pages: Iterable[Item], *, is_first: bool) -> None:
        """Gather what is to be visited again."""
        if is_first:
            self._db.execute("DELETE FROM again")
        self._db.executemany(
            "INSERT OR REPLACE INTO again VALUES(?,?,?)",
            [(page.site, page.key, _encode(page)) for page in pages],
        )

    def start_again(self, now: float) -> None:
        """What was gathered is queued as if it had not been visited yet."""
        items = []
        for (blob,) in self._journal.rows("SELECT item FROM again"):
            item = _decode(blob)
            end = end_of(self.seen.state(item.site, item.key) or PENDING)
            if not isinstance(end, Outcome):
                continue
            items.append(structs.replace(item, priority=_REVISIT))
            self._counters.add(f"done.{end}", -1)
            if end.answered:
                self._counters.add("pages", -1)
            if item.was_document:
                self._counters.add("documents", -1)
        self._counters.add("revisited", len(items))
        self.seen.set_states([(PENDING, item.site, item.key) for item in items])
        self._enqueue(items, now)
        self._db.execute("DELETE FROM again")

    def has_revisits(self) -> bool:
        """Whether pages wait to be visited again."""
        front = "SELECT 1 FROM host WHERE queued > 0 AND front = ? LIMIT 1"
        return bool(self._journal.rows(front, (_REVISIT,)))

    # Leasing

    def take(
        self,
        fetcher: str,
        number: int,
        most: int,
        fetchers: int,
        now: float,
        *,
        revisits_alone: bool = False,
    ) -> list[HostBatch]:
        """Take up to `most` URLs out of the queues for schedule `number` of a fetcher, from hosts
        that may be visited now, and hold those hosts for it. Breadth over hosts first, but enough
        of each to be worth its connection."""
        self._wake_retries(now)
        self.hosts.wake(now)
        own = [
            host
            for host in self.hosts.held_by(fetcher)
            if host.queued
            and len(host.holders[fetcher].schedules) == 1
            and self.offers.is_fast(host)
        ]
        hosts = own + [
            host
            for host in self.hosts.ready(most)
            # Where nobody has been yet, one fetcher is enough to ask for the robots file.
            if fetcher not in host.holders and (host.response is not None or not host.holders)
        ]
        if revisits_alone:
            hosts = [host for host in hosts if host.front == _REVISIT]
        shares = [_Share(host, *self.offers.offer(host, fetcher, fetchers)) for host in hosts]
        if self._settings.traps:
            self._restrain(shares)
        left = self._fill(shares, most, _REVISIT if revisits_alone else None)
        batches: list[HostBatch] = []
        for share in shares:
            host = share.host
            if share.items:
                self.note_out(share.items)
                batches.append(HostBatch(host, share.connections, share.items))
                self.hosts.hold(host, fetcher, number, share.connections)
            self.hosts.settle(host, now, self._settings.host_connections)
        taken = most - left
        self._counters.add("queued", -taken)
        self._counters.add("leased", taken)
        return batches

    def _restrain(self, shares: "list[_Share]") -> None:
        """A site that has not brought much has few URLs on their way: if it turns out to be a
        trap, all of them are lost."""
        left: dict[int, int] = {}
        for share in shares:
            site = site_of(share.host.name)[1]
            if site not in left:
                endorsed = self.sites.get(site).endorsed
                left[site] = self.traps.most_out(site, endorsed) - self._out[site]
            share.room = max(0, min(share.room, left[site]))
            left[site] -= share.room

    def _fill(self, shares: "list[_Share]", left: int, worst: int | None = None) -> int:
        """Deal out up to `left` URLs, the best first, and return how many are not. `worst`: none
        of a priority beyond that."""
        while left > 0:
            open_ones = [share for share in shares if share.room > 0 and share.host.queued]
            if not open_ones:
                break
            last = self._order.last_alike(min(share.host.front for share in open_ones))
            if worst is not None:
                last = min(last, worst)
            alike = [share for share in open_ones if share.host.front <= last]
            if not alike:
                break
            each = max(left // len(alike), _KEEP_ALIVE_BATCH)
            for share in alike:
                items = self._take_from(share.host, min(left, share.room, each), last)
                share.items += items
                share.room -= len(items)
                left -= len(items)
                if not items and share.host.front <= last:
                    share.room = 0  # nothing but traps, more than one lease can clear
                if left == 0:
                    break
        return left

    def _pop(self, host: Host, most: int, last: int | None = None) -> list[Item]:
        """The best URLs of a host, out of its queue; none of a priority beyond `last`."""
        rows = self._journal.rows(
            "SELECT priority, turn, item FROM queue WHERE host=? ORDER BY priority, turn LIMIT ?",
            (host.id, most + 1),
        )
        if last is not None:
            most = min(most, sum(row[0] <= last for row in rows))
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

    def _take_from(self, host: Host, most: int, last: int) -> list[Item]:
        """What was queued before its shape was known to be a trap is left out now."""
        if not self._settings.traps or not self.traps.has_traps(host.id):
            return self._pop(host, most, last)
        for _ in range(_TRAPPED_ROUNDS):
            items = self._pop(host, most, last)
            links = [Link(item, self.traps.objection(item.url)) for item in items]
            self._exclude_queued([link for link in links if link.excluded is not None])
            wanted = [link.item for link in links if link.excluded is None]
            if wanted or not items:
                return wanted
        return []

    def _exclude_queued(self, links: list[Link]) -> None:
        """URLs that have just been taken out of their queue are not to be visited."""
        self.seen.set_states(
            [(state_of(link.excluded), link.item.site, link.item.key) for link in links]
        )
        self._counters.add("queued", -len(links))
        self._set_aside(links)

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
        self._note_back(item.site for item in items)
        self._enqueue(items, now)

    def retry(self, item: Item, due: float) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO retry VALUES(?,?,?,?)",
            (due, item.site, item.key, _encode(item)),
        )
        self._counters.add("leased", -1)
        self._note_back((item.site,))
        self._counters.add("queued")

    def finish(self, ends: list[tuple[int, int, Outcome]]) -> None:
        """Leased URLs have come to their end: (site, key, how)."""
        self.seen.set_states([(state_of(end), site, key) for site, key, end in ends])
        self._counters.add("leased", -len(ends))
        self._note_back(site for site, _, _ in ends)
        for outcome, number in Counter(end for _, _, end in ends).items():
            self._counters.add(f"done.{outcome}", number)

    def refuse(self, item: Item, reason: Exclusion) -> None:
        """A leased URL turned out to be excluded."""
        self.seen.set_states([(state_of(reason), item.site, item.key)])
        self._counters.add("leased", -1)
        self._note_back((item.site,))
        self._set_aside([Link(item, reason)])

    def drop_host(self, host: Host) -> None:
        """Exclude all that is queued of a host which has used up its bytes."""
        reason = Exclusion.HOST_BYTES
        self._exclude_queued([Link(item, reason) for item in self._pop(host, host.queued)])
