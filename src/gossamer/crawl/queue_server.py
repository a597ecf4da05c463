"""The queue server: owns the frontier of a set of partitions, and hands out its schedules.

A schedule's way: `lease` takes URLs out of the frontier and gives them a number. `answer` records
a result, durably, whenever it comes. When its turn has come (see `window`) one transaction commits
it: URLs are done, their links are added here or put into the outbox for their owners, and the
attempt can be rolled into a segment. A lease that runs out, or whose fetcher has died, is sent
again under the same number.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import msgpack, structs

from gossamer.config import CrawlSettings
from gossamer.crawl.calls import (
    Allowance,
    Delivery,
    Forfeit,
    LeaseReply,
    LeaseRequest,
    Receipt,
    Revisits,
    ServerStatus,
)
from gossamer.crawl.commit import Committer, committed_attempts
from gossamer.crawl.counters import Counters
from gossamer.crawl.frontier import Frontier, HostBatch
from gossamer.crawl.grants import grant_of
from gossamer.crawl.hosts import STRAGGLERS
from gossamer.crawl.journal import Journal
from gossamer.crawl.window import SlidingWindow
from gossamer.records import (
    Answer,
    CommittedAttempt,
    Exclusion,
    HostGrant,
    Item,
    Link,
    Schedule,
)
from gossamer.urls import host_of

OUT, ANSWERED, COMMITTED = 0, 1, 2
CRASHES_BEFORE_ISOLATION = 2
_LONGEST_WAIT_SECONDS = 1.0
_SHORTEST_WAIT_SECONDS = 0.02
_NOBODY = ""

_items = msgpack.Decoder(tuple[Item, ...]).decode
_answer = msgpack.Decoder(Answer).decode
_encode = msgpack.Encoder().encode


class QueueServer:
    def __init__(
        self,
        journal: Journal,
        settings: CrawlSettings,
        number: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._journal = journal
        self._settings = settings
        self._number = number
        self._clock = clock
        self._allowance = Allowance(None, None, paused=True)
        self._activity = 0
        self._last_reply: dict[str, tuple[int, LeaseReply]] = {}
        with journal.transaction(durable=True):
            epoch = journal.get("epoch")
            self._epoch = (epoch if isinstance(epoch, int) else 0) + 1
            journal.put("epoch", self._epoch)
        self._load()
        self._start_epoch()

    # State

    def _load(self) -> None:
        """Everything in memory is made from the journal: at the start, and after a transaction
        that failed half-way."""
        self._counters = Counters(self._journal)
        self._frontier = Frontier(self._journal, self._counters, self._settings)
        self._committer = Committer(
            *(self._journal, self._frontier, self._counters, self._settings),
            server=self._number,
            epoch=self._epoch,
        )
        commits = self._journal.get("commit")
        self._commits = commits if isinstance(commits, int) else 0
        rows = self._journal.rows("SELECT number, state, fetcher, items FROM schedule")
        next_number = self._journal.get("next_schedule")
        self._window = SlidingWindow(
            self._settings.window,
            self._settings.ordered,
            next_number if isinstance(next_number, int) else 1,
            out=[number for number, state, *_ in rows if state == OUT],
            answered=[number for number, state, *_ in rows if state == ANSWERED],
        )
        for number, state, fetcher, items in rows:
            if state != COMMITTED:
                self._frontier.note_out(_items(items))
            if state == OUT:
                self._hold(number, fetcher, _items(items))
        for fetcher, blob in self._journal.rows("SELECT fetcher, item FROM straggler"):
            straggler = (msgpack.decode(blob, type=Item),)
            self._frontier.note_out(straggler)
            self._hold_stragglers(fetcher, straggler)

    def _hold(self, number: int, fetcher: str, items: tuple[Item, ...]) -> None:
        """A host stays with a schedule that is out until it is answered, also over a restart:
        nobody else may visit it."""
        for name in {host_of(item.url) for item in items}:
            host = self._frontier.hosts.get(name)
            self._frontier.hosts.hold(host, fetcher, number, self._settings.host_connections)
            self._settle(host.name)

    def _hold_stragglers(self, fetcher: str, items: tuple[Item, ...]) -> None:
        """Requests that still run keep their connections."""
        for item in items:
            host = self._frontier.hosts.get(host_of(item.url))
            self._frontier.hosts.hold(host, fetcher, STRAGGLERS, 1)
            self._settle(host.name)

    def _settle(self, name: str) -> None:
        hosts = self._frontier.hosts
        hosts.settle(hosts.get(name), self._clock(), self._settings.host_connections)

    def _start_epoch(self) -> None:
        """Fetchers of an earlier epoch are gone: what they had is to be sent again at once."""
        with self._transaction(durable=True):
            for (name,) in self._journal.rows("SELECT name FROM host WHERE state=3"):
                self._settle(name)
            for (fetcher,) in self._journal.rows(
                "SELECT fetcher FROM schedule WHERE state=0 UNION SELECT fetcher FROM straggler"
            ):
                self._take_back(fetcher, frozenset())
            self._frontier.raise_limits(self._clock())

    @contextmanager
    def _transaction(self, *, durable: bool) -> Iterator[None]:
        """A transaction of the journal that keeps our memory true to it."""
        try:
            with self._journal.transaction(durable=durable):
                yield
                self._frontier.save()
                self._counters.save()
        except BaseException:
            self._load()
            raise

    # Adding

    def add_seeds(self, links: tuple[Link, ...]) -> None:
        with self._transaction(durable=True):
            self._frontier.add(links, "seed", self._clock())
        self._activity += 1

    def reconsider(self, links: tuple[Link, ...]) -> None:
        """Links that earlier settings may have left out, as those of now see them."""
        with self._transaction(durable=True):
            self._frontier.reconsider(links, self._clock())

    def leave_out(self, objection: Callable[[Item], Exclusion | None]) -> None:
        """Exclude what is queued and not wanted any more."""
        with self._transaction(durable=True):
            self._frontier.leave_out(objection, self._clock())

    @property
    def round(self) -> int:
        known = self._journal.get("round")
        return known if isinstance(known, int) else 0

    def revisit(self, revisits: Revisits) -> None:
        if revisits.round <= self.round:
            return
        with self._transaction(durable=True):
            self._frontier.note_again(revisits.pages, is_first=revisits.is_first)
            if revisits.is_last:
                self._frontier.start_again(self._clock())
                self._journal.put("round", revisits.round)
                self._journal.put("revisiting", 1)
        self._activity += 1

    def deliver(self, delivery: Delivery) -> None:
        """Links that another queue server found for us."""
        last = self._journal.rows("SELECT last FROM inbox WHERE server=?", (delivery.sender,))
        if last and last[0][0] >= delivery.id:
            return
        with self._transaction(durable=True):
            self._committer.take_in(delivery.links, self._clock())
            self._journal.db.execute(
                "INSERT OR REPLACE INTO inbox VALUES(?,?)", (delivery.sender, delivery.id)
            )
        self._activity += 1

    def outgoing(self, most: int) -> list[tuple[int, Delivery]]:
        """The oldest batches for other queue servers: (server, delivery)."""
        rows = self._journal.rows(
            "SELECT id, server, batch FROM outbox ORDER BY id LIMIT ?", (most,)
        )
        return [
            (server, Delivery(self._number, id, msgpack.decode(batch, type=tuple[Link, ...])))
            for id, server, batch in rows
        ]

    def delivered(self, id: int, links: int) -> None:
        with self._transaction(durable=False):
            self._journal.db.execute("DELETE FROM outbox WHERE id=?", (id,))
            self._counters.add("in_transit", -links)
        self._activity += 1

    # Leasing

    def allow(self, allowance: Allowance) -> Allowance:
        """Take a new allowance; return it as it is in force: what is used can't be taken back."""
        leased = self._counters["leased"]
        pages, documents = allowance.pages, allowance.documents
        if pages is not None:
            pages = max(pages, self._counters["pages"] + leased)
        if documents is not None:
            documents = max(documents, self._counters["documents"] + leased)
        self._allowance = structs.replace(allowance, pages=pages, documents=documents)
        return self._allowance

    def lease(self, request: LeaseRequest) -> LeaseReply:
        last = self._last_reply.get(request.fetcher)
        if last is not None and last[0] == request.request:
            return last[1]
        reply = self._lease(request)
        self._last_reply[request.fetcher] = (request.request, reply)
        return reply

    def _lease(self, request: LeaseRequest) -> LeaseReply:
        if self._allowance.paused:
            return LeaseReply(None, _LONGEST_WAIT_SECONDS)
        repeated = self.repeat(request.fetcher)
        if repeated is not None:
            return LeaseReply(repeated)
        if not self._window.has_room:
            return LeaseReply(None, _SHORTEST_WAIT_SECONDS)
        now = self._clock()
        most = self._room()
        if self._counters["queued"] > 0 or request.stragglers:
            with self._transaction(durable=False):
                batches = self._frontier.take(
                    request.fetcher,
                    self._window.next_number,
                    most,
                    self._settings.fetcher_count,
                    now,
                    revisits_alone=self._allowance.revisits_alone,
                )
                if batches or request.stragglers:
                    return LeaseReply(self._send(request.fetcher, batches))
        return LeaseReply(None, self._wait(now))

    def _room(self) -> int:
        """How many URLs may be leased so that no limit can be passed, however they end."""
        rooms = [self._settings.schedule_urls]
        if self._allowance.pages is not None:
            rooms.append(self._allowance.pages - self._counters["pages"] - self._counters["leased"])
        if self._allowance.documents is not None:
            rooms.append(
                self._allowance.documents - self._counters["documents"] - self._counters["leased"]
            )
        return max(0, min(rooms))

    def _wait(self, now: float) -> float:
        due = self._frontier.next_event()
        if due is None:
            return _SHORTEST_WAIT_SECONDS if self._counters["leased"] else _LONGEST_WAIT_SECONDS / 4
        return min(_LONGEST_WAIT_SECONDS, max(_SHORTEST_WAIT_SECONDS, due - now))

    def _send(self, fetcher: str, batches: list[HostBatch]) -> Schedule:
        """Without URLs, it is a vehicle for what became of the fetcher's stragglers."""
        number = self._window.open()
        items = tuple(item for batch in batches for item in batch.items)
        until = self._clock() + self._settings.lease_seconds
        self._journal.db.execute(
            "INSERT INTO schedule(number, attempt, state, fetcher, until, items)"
            " VALUES(?,1,0,?,?,?)",
            (number, fetcher, until, _encode(items)),
        )
        self._journal.put("next_schedule", number + 1)
        self._counters.add("schedules")
        grants = [self._grant(batch.host.name, batch.connections) for batch in batches]
        return self._schedule(number, 1, items, grants)

    def _schedule(
        self, number: int, attempt: int, items: tuple[Item, ...], grants: list[HostGrant]
    ) -> Schedule:
        return Schedule(
            server=self._number,
            epoch=self._epoch,
            number=number,
            attempt=attempt,
            budget_seconds=self._settings.schedule_seconds,
            lease_seconds=self._settings.lease_seconds,
            items=items,
            grants=tuple(grants),
            isolated=tuple(
                position
                for position, item in enumerate(items)
                if item.crashes >= CRASHES_BEFORE_ISOLATION
            ),
        )

    def _grant(self, name: str, connections: int) -> HostGrant:
        host = self._frontier.hosts.get(name)
        return grant_of(host, connections, self._journal, self._settings.max_bytes_per_host)

    # Repeating

    def repeat(self, fetcher: str) -> Schedule | None:
        """The oldest lease that has run out, sent again."""
        rows = self._journal.rows(
            "SELECT number, attempt, fetcher, items FROM schedule WHERE state=0 AND until<=?"
            " ORDER BY number LIMIT 1",
            (self._clock() - self._settings.lease_grace_seconds,),
        )
        if not rows:
            return None
        number, attempt, holder, blob = rows[0]
        items = _items(blob)
        names = sorted({host_of(item.url) for item in items})
        hosts = [self._frontier.hosts.get(name) for name in names]
        if any(
            hold.schedules != {number}
            for host in hosts
            for name, hold in host.holders.items()
            if name not in (_NOBODY, fetcher)
        ):
            return None  # another fetcher visits one of the hosts: wait until it is done
        with self._transaction(durable=False):
            for host in hosts:
                self._frontier.hosts.release(host, holder, number)
            self._hold(number, fetcher, items)
            self._journal.db.execute(
                "UPDATE schedule SET attempt=?, fetcher=?, until=? WHERE number=?",
                (attempt + 1, fetcher, self._clock() + self._settings.lease_seconds, number),
            )
            self._counters.add("schedules.repeated")
            if holder != _NOBODY:
                self._counters.add("lease_timeouts")
        grants = [self._grant(name, self._settings.host_connections) for name in names]
        return self._schedule(number, attempt + 1, items, grants)

    def forfeit(self, forfeit: Forfeit) -> None:
        """A fetcher is gone: its leases are free at once."""
        with self._transaction(durable=True):
            self._take_back(forfeit.fetcher, frozenset(forfeit.processing))
        self._last_reply.pop(forfeit.fetcher, None)
        self._activity += 1

    def _take_back(self, fetcher: str, processing: frozenset[tuple[int, int]]) -> None:
        for number, blob in self._journal.rows(
            "SELECT number, items FROM schedule WHERE state=0 AND fetcher=?", (fetcher,)
        ):
            items = tuple(self._crashed(item, processing) for item in _items(blob))
            self._journal.db.execute(
                "UPDATE schedule SET fetcher=?, until=0, items=? WHERE number=?",
                (_NOBODY, _encode(items), number),
            )
            self._frontier.hosts.release_all(fetcher, number)
            self._hold(number, _NOBODY, items)
        rows = self._journal.rows("SELECT item FROM straggler WHERE fetcher=?", (fetcher,))
        stragglers = [msgpack.decode(row[0], type=Item) for row in rows]
        self._journal.db.execute("DELETE FROM straggler WHERE fetcher=?", (fetcher,))
        for host in self._frontier.hosts.release_all(fetcher, STRAGGLERS):
            self._settle(host.name)
        self._frontier.give_back(
            [self._crashed(item, processing) for item in stragglers], self._clock()
        )

    def _crashed(self, item: Item, processing: frozenset[tuple[int, int]]) -> Item:
        if (item.site, item.key) not in processing:
            return item
        self._counters.add("crashes")
        return structs.replace(item, crashes=item.crashes + 1)

    def _expire_stragglers(self) -> None:
        """A fetcher that lives, but never told what became of a request that it kept."""
        now = self._clock()
        rows = self._journal.rows(
            "SELECT site, key, fetcher, item FROM straggler WHERE until<=?",
            (now - self._settings.lease_grace_seconds,),
        )
        if rows:
            with self._transaction(durable=False):
                for site, key, fetcher, _ in rows:
                    self._journal.db.execute(
                        "DELETE FROM straggler WHERE site=? AND key=?", (site, key)
                    )
                    self._committer.release_hosts_without_stragglers(fetcher, now)
                self._frontier.give_back([msgpack.decode(row[3], type=Item) for row in rows], now)
                self._counters.add("lease_timeouts", len(rows))

    # Answers

    def answer(self, answer: Answer) -> Receipt:
        if answer.epoch != self._epoch:
            return Receipt(accepted=False)
        if not self._window.is_out(answer.number):
            return Receipt(accepted=self._has_won(answer))
        with self._transaction(durable=True):
            released = self._frontier.hosts.release_all(answer.fetcher, answer.number)
            self._committer.note_hosts(answer.hosts, self._clock())
            for host in released:
                self._settle(host.name)
            self._hold_stragglers(answer.fetcher, answer.carried)
            due = self._window.answer(answer.number)
            if answer.number not in due:
                self._journal.db.execute(
                    "UPDATE schedule SET state=1, attempt=?, fetcher=?, answer=?, staged=?"
                    " WHERE number=?",
                    (
                        *(answer.attempt, answer.fetcher, _encode(answer), answer.staged),
                        answer.number,
                    ),
                )
            for number in due:
                self._commit(answer if number == answer.number else self._waiting_answer(number))
        self._activity += 1
        return Receipt(accepted=True)

    def _has_won(self, answer: Answer) -> bool:
        """The same answer again, because our first receipt was lost?"""
        rows = self._journal.rows(
            "SELECT staged, attempt FROM schedule WHERE number=?", (answer.number,)
        )
        return bool(rows) and rows[0] == (answer.staged, answer.attempt)

    def _waiting_answer(self, number: int) -> Answer:
        return _answer(
            self._journal.rows("SELECT answer FROM schedule WHERE number=?", (number,))[0][0]
        )

    def _commit(self, answer: Answer) -> None:
        rows = self._journal.rows("SELECT items FROM schedule WHERE number=?", (answer.number,))
        commit = self._committer.commit(answer, _items(rows[0][0]), self._clock(), round=self.round)
        self._window.committed(answer.number)
        self._commits += 1
        self._journal.put("commit", self._commits)
        self._journal.db.execute(
            "UPDATE schedule SET state=2, attempt=?, items=x'', answer=NULL, staged=?,"
            " outcome=?, committed=? WHERE number=?",
            (
                *(answer.attempt, answer.staged, _encode(commit)),
                *(self._commits, answer.number),
            ),
        )

    # Rolling

    def committed(self, after: int, most: int) -> tuple[CommittedAttempt, ...]:
        return committed_attempts(self._journal, self._number, after, most)

    def rolled(self, through: int) -> None:
        with self._transaction(durable=False):
            self._journal.db.execute(
                "DELETE FROM schedule WHERE state=2 AND committed<=?", (through,)
            )

    # Looking

    def status(self) -> ServerStatus:
        self._expire_stragglers()
        busy = (
            self._counters["queued"]
            + self._counters["leased"]
            + self._counters["in_transit"]
            + self._window.unfinished
        )
        return ServerStatus(
            counters=dict(self._counters.values),
            hosts_waiting=self._frontier.hosts.waiting(),
            schedules_out=len(self._window.out),
            idle=busy == 0,
            starved=self._counters["queued"] > 0 and self._room() <= 0,
            activity=self._activity,
            committed=self._commits,
            round=self.round,
            revisiting=self._is_revisiting(),
        )

    def _is_revisiting(self) -> bool:
        """Those that are out may come back untried."""
        if not self._journal.get("revisiting"):
            return False
        if self._counters["leased"] > 0 or self._frontier.has_revisits():
            return True
        with self._transaction(durable=False):
            self._journal.put("revisiting", 0)
        return False

    def close(self) -> None:
        self._journal.close()
