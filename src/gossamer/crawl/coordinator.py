"""The coordinator: starts the roles of a run, watches them, and ends it.

It holds no state of its own that matters: the journals of the queue servers and the manifest of
the segments are the run, so that a coordinator that is killed can be followed by another.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TypeVar

from msgspec import Struct

from gossamer.crawl.allowances import Limit
from gossamer.crawl.calls import (
    CALL_SECONDS,
    Allowance,
    Committed,
    CommittedRequest,
    Empty,
    Forfeit,
    Reply,
    Revisits,
    Rolled,
    RollReply,
    RollRequest,
    Seeds,
    ServerStatus,
    call,
)
from gossamer.crawl.counters import summed
from gossamer.crawl.endings import FAILURES, told_by, why_nothing_is_left
from gossamer.crawl.partitions import owner_of
from gossamer.crawl.plan import End, Plan, Progress, Speed
from gossamer.crawl.queue_role import queue_name
from gossamer.crawl.roller_role import ROLLER
from gossamer.errors import GossamerError, PeerLost, RuntimeFault, StorageFull
from gossamer.records import CommittedAttempt, Item
from gossamer.runtime.contract import RoleSpec, Runtime

_TICK_SECONDS = 0.2
_PING_EVERY_SECONDS = 2.0
_STOP_SECONDS = 30.0
_ROLL_SECONDS = 600.0
_FULL_DISK_SECONDS = 1.0
_MEASURING_SHARE = 0.02
"""Of the time, at most: asking how much disk a run takes costs more with every file."""
_ATTEMPTS_AT_ONCE = 500
_MANY_SEEDS = 20_000
_MOST_DEATHS = 20
"""Of roles without a single commit in between: then something is wrong that restarts won't mend."""

T = TypeVar("T", bound=Struct)


class Coordinator:
    def __init__(self, plan: Plan, runtime: Runtime) -> None:
        self._plan = plan
        self._settings = plan.settings
        self._runtime = runtime
        self._servers = range(plan.settings.queue_servers)
        self._fetchers: dict[int, int] = {}  # number -> incarnation
        self._stop = asyncio.Event()
        self._started = time.monotonic()
        self._note = ""
        self._paused = True
        self._revisits_alone = False
        self._rolled: dict[int, int] = {}
        self._rolled_pages = 0
        self._last_roll = time.monotonic()
        self._segments = RollReply(0, 0, 0, 0, {})
        self._statistics: dict[str, float] = {}
        self._speed = Speed()
        self._deaths = 0
        self._used_bytes = 0
        self._measure_at = 0.0
        self._idle_since: tuple[int, ...] | None = None
        self._watchers: set[asyncio.Task[None]] = set()

    def stop(self) -> None:
        """Finish what is in flight, publish it, and end."""
        self._stop.set()

    @property
    def is_stopping(self) -> bool:
        return self._stop.is_set()

    @property
    def elapsed(self) -> float:
        return self._plan.elapsed_before + time.monotonic() - self._started

    async def run(self) -> End:
        await self._start()
        watching = asyncio.create_task(self._watch_deaths())
        pinging = asyncio.create_task(self._watch_health())
        try:
            state, reason = await self._work(watching)
        finally:
            watching.cancel()
            pinging.cancel()
        await self._wind_up()
        return End(state, reason, self._statistics)

    # Starting

    async def _start(self) -> None:
        for server in self._servers:
            await self._start_surely(self._plan.queue_spec(server))
        await self._start_surely(self._plan.roller_spec())
        # What was being processed when an earlier sitting was killed may be what killed it.
        processing = self._plan.processing("")
        for server in self._servers:
            await self._ask(server, "forfeit", Forfeit("", processing), Empty)
        for server in self._servers:
            own = tuple(link for link in self._plan.seeds if self._owner(link.item) == server)
            if own:
                await self._ask(server, "seed", Seeds(own), Empty)
            await self._start_round(server)
        await self._take_listed()
        await self._roll()
        self._limits = [
            Limit("pages", self._settings.max_pages),
            Limit("documents", self._settings.max_documents),
        ]
        statuses = await self._statuses()
        for limit in self._limits:
            limit.start(statuses)
        self._revisits_alone = self._has_only_room_for_revisits(statuses)
        await self._allow(paused=True)
        await self._mind_the_disk()  # before a fetcher could lease anything
        for number in range(self._settings.fetcher_count):
            await self._start_fetcher(number)

    async def _take_listed(self) -> None:
        """A batch is asked for when the one before it is safe: the last one ends the list."""
        taken = 0
        for links in self._plan.listed():
            for server in self._servers:
                own = tuple(link for link in links if self._owner(link.item) == server)
                if own:
                    await self._ask(server, "seed", Seeds(own), Empty)
            taken += len(links)
            if taken >= _MANY_SEEDS:
                note = f"reading the seeds: {taken:,} so far"
                figures = (self._plan.run, self.elapsed, 0, 0, 0.0, taken, 0, 0, 0, 0)
                self._plan.on_progress(Progress(*figures, note=note))
            if self._stop.is_set():
                return  # the next sitting begins with the list again

    async def _start_round(self, server: int) -> None:
        """All pages are to be visited again, unless the queue server knows that already."""
        status = await self._ask(server, "status", Empty(), ServerStatus)
        if status.round >= self._plan.round:
            return

        def batch(pages: Iterable[Item], *, is_first: bool, is_last: bool) -> Revisits:
            own = [page for page in pages if self._owner(page) == server]
            return Revisits(self._plan.round, tuple(own), is_first, is_last)

        await self._ask(server, "revisit", batch((), is_first=True, is_last=False), Empty)
        for pages in self._plan.revisits():
            await self._ask(server, "revisit", batch(pages, is_first=False, is_last=False), Empty)
        await self._ask(server, "revisit", batch((), is_first=False, is_last=True), Empty)

    def _owner(self, item: Item) -> int:
        return owner_of(item.site, len(self._servers))

    async def _start_fetcher(self, number: int) -> None:
        incarnation = self._fetchers.get(number, 0) + 1
        self._fetchers[number] = incarnation
        await self._start_surely(self._plan.fetcher_spec(number, incarnation))

    async def _start_surely(self, spec: RoleSpec) -> None:
        """One that ends while it starts may have been killed by accident; not three times."""
        for tries_left in (2, 1, 0):
            try:
                await self._runtime.start(spec)
                return
            except PeerLost:
                if not tries_left:
                    raise

    async def _ask(self, server: int, method: str, request: Struct, reply: type[Reply]) -> Reply:
        """Ask a queue server, again and again while it is being restarted."""
        deadline = time.monotonic() + CALL_SECONDS
        while True:
            try:
                return await call(
                    self._runtime.peers.peer(queue_name(server)), method, request, reply
                )
            except PeerLost:
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(_TICK_SECONDS)

    async def _statuses(self) -> list[ServerStatus]:
        return [
            await self._ask(server, "status", Empty(), ServerStatus) for server in self._servers
        ]

    async def _allow(self, *, paused: bool) -> None:
        self._paused = paused
        pages, documents = self._limits
        for server in self._servers:
            shares = (pages.share(server), documents.share(server))
            allowance = Allowance(*shares, paused, self._revisits_alone)
            granted = await self._ask(server, "allow", allowance, Allowance)
            pages.note(server, granted.pages)
            documents.note(server, granted.documents)

    # Working

    async def _work(self, watching: asyncio.Task[None]) -> tuple[str, str]:
        """Until there is a reason to end: (state, reason)."""
        while True:
            try:
                statuses = await self._statuses()
            except RuntimeFault as fault:
                if StorageFull.__name__ not in str(fault):
                    raise
                await self._sit_out(str(fault))
                continue
            self._statistics = self._summary(statuses)
            self._report(statuses)
            end = self._reason_to_end(statuses)
            if end is not None:
                return end
            if watching.done():
                return "failed", told_by(watching.exception())
            await self._mind_the_disk()
            await self._share_limits(statuses)
            if self._roll_is_due(statuses):
                await self._roll_or_wait()
            # `wait_for` of Python 3.11 forgets a cancellation that comes right after the event:
            # the second Ctrl-C after the first.
            with suppress(TimeoutError):
                async with asyncio.timeout(_TICK_SECONDS):
                    await self._stop.wait()

    def _summary(self, statuses: Sequence[ServerStatus]) -> dict[str, float]:
        total = summed(status.counters for status in statuses)
        total["elapsed_seconds"] = round(self.elapsed, 3)
        total["segments"] = self._segments.segments
        total["stored.pages"] = self._segments.pages
        total["stored.links"] = self._segments.links
        total["stored.bytes"] = self._segments.bytes
        if self._used_bytes:
            total["disk_bytes"] = self._used_bytes
        return total

    def _report(self, statuses: Sequence[ServerStatus]) -> None:
        total = self._statistics
        pages = int(total.get("pages", 0))
        progress = Progress(
            run=self._plan.run,
            elapsed_seconds=self.elapsed,
            pages=pages,
            documents=int(total.get("documents", 0)),
            pages_per_second=self._speed.at(time.monotonic(), pages),
            queued=int(total.get("queued", 0)),
            hosts_waiting=sum(status.hosts_waiting for status in statuses),
            errors=sum(int(total.get(f"done.{name}", 0)) for name in FAILURES),
            in_flight=int(total.get("leased", 0)),
            wire_bytes=int(total.get("wire_bytes", 0)),
            note=self._note,
        )
        self._plan.on_progress(progress)
        self._plan.on_statistics(total, self._note)

    def _reason_to_end(self, statuses: Sequence[ServerStatus]) -> tuple[str, str] | None:
        settings = self._settings
        if self._stop.is_set() or self._plan.stop_asked():
            return "stopped", "stopped by the user"
        if settings.max_seconds and self.elapsed >= settings.max_seconds:
            return "finished", f"the limit of {settings.max_seconds:g} seconds is reached"
        activity = tuple(status.activity for status in statuses)
        if all(status.idle for status in statuses):
            # Links may have moved between two of the looks: two equal rounds are proof.
            if self._idle_since == activity:
                return "finished", why_nothing_is_left(self._statistics)
            self._idle_since = activity
            return None
        self._idle_since = None
        if all(status.starved or status.idle for status in statuses) and not any(
            status.counters.get("leased") or status.counters.get("in_transit")
            for status in statuses
        ):
            for limit in self._limits:
                if limit.is_reached(statuses):
                    return "finished", f"the limit of {limit.limit:,} {limit.name} is reached"
        if self._is_at_its_cap():
            return "stopped", (
                f"max_disk_bytes is reached: the run uses {self._used_bytes / 1e6:,.1f} MB of disk"
            )
        return None

    def _has_only_room_for_revisits(self, statuses: Sequence[ServerStatus]) -> bool:
        """Under a limit, what was never visited would take the place of pages that are to be
        visited again. Without one, nobody has to wait for anybody."""
        is_limited = any(limit.limit for limit in self._limits)
        return is_limited and any(status.revisiting for status in statuses)

    async def _share_limits(self, statuses: Sequence[ServerStatus]) -> None:
        revisits_alone = self._has_only_room_for_revisits(statuses)
        if revisits_alone != self._revisits_alone:
            self._revisits_alone = revisits_alone
            await self._allow(paused=self._paused)
        if len(statuses) > 1 and any(limit.rebalance_needed(statuses) for limit in self._limits):
            for limit in self._limits:
                limit.lower(statuses)
            await self._allow(paused=self._paused)
            for limit in self._limits:
                limit.give_out(statuses)
            await self._allow(paused=self._paused)

    async def _sit_out(self, fault: str) -> None:
        """The disk is so full that not even the journals can be written: nothing is lost by
        waiting, and somebody may make room."""
        self._note = f"paused: {fault}"
        self._report([])
        await asyncio.sleep(_FULL_DISK_SECONDS)

    async def _mind_the_disk(self) -> None:
        """Pause while there is room to write down what is in flight."""
        if self._is_at_its_cap():
            if not self._paused:
                await self._allow(paused=True)
            return
        free = self._plan.free_bytes()
        if free < self._plan.min_free_bytes:
            self._note = (
                f"paused: only {free // 1_000_000} MB of disk are left. Free some space to continue"
            )
            if not self._paused:
                await self._allow(paused=True)
        else:
            self._note = ""
            if self._paused:
                await self._allow(paused=False)

    def _is_at_its_cap(self) -> bool:
        cap = self._settings.max_disk_bytes
        began = time.monotonic()
        if cap and began >= self._measure_at:
            self._used_bytes = self._plan.used_bytes()
            took = time.monotonic() - began
            self._measure_at = began + took / _MEASURING_SHARE
        return 0 < cap <= self._used_bytes

    # Rolling

    def _roll_is_due(self, statuses: Sequence[ServerStatus]) -> bool:
        waiting = self._statistics.get("pages", 0) - self._rolled_pages
        if all(
            status.committed <= self._rolled.get(server, 0)
            for server, status in enumerate(statuses)
        ):
            return False
        late = time.monotonic() - self._last_roll >= self._settings.segment_seconds
        return waiting >= self._settings.segment_pages or late

    async def _roll_or_wait(self) -> None:
        try:
            await self._roll()
        except RuntimeFault as error:
            # A full disk, or a roller that is being restarted: the attempts stay where they are.
            self._note = f"publishing is delayed: {error}"

    async def _roll(self) -> None:
        """Publish everything that has been committed."""
        while True:
            attempts: list[CommittedAttempt] = []
            for server in self._servers:
                request = CommittedRequest(self._rolled.get(server, 0), _ATTEMPTS_AT_ONCE)
                reply = await self._ask(server, "committed", request, Committed)
                attempts += reply.attempts
            roller = self._runtime.peers.peer(ROLLER)
            self._segments = await call(
                roller, "roll", RollRequest(tuple(attempts)), RollReply, _ROLL_SECONDS
            )
            self._rolled = self._segments.watermarks
            for server, through in self._rolled.items():
                if server in self._servers:
                    await self._ask(server, "rolled", Rolled(through), Empty)
            self._last_roll = time.monotonic()
            self._rolled_pages = int(self._statistics.get("pages", 0))
            if not attempts:
                return

    # Watching

    async def _watch_deaths(self) -> None:
        """Start what has died again; give up when that doesn't help."""
        commits = 0.0
        # Each beside the others: no fetcher can be replaced while a queue server is away.
        async with asyncio.TaskGroup() as replacing:
            while True:
                name = await self._runtime.died()
                if self._statistics.get("commits", 0) > commits:
                    commits, self._deaths = self._statistics["commits"], 0
                self._deaths += 1
                if self._deaths > _MOST_DEATHS:
                    raise GossamerError(
                        f"'{name}' died {self._deaths} times without progress. "
                        f"See its messages above"
                    )
                replacing.create_task(self._replace_surely(name))

    async def _replace_surely(self, name: str) -> None:
        """What is killed while it starts has died once more."""
        while True:
            try:
                await self._replace(name)
                return
            except RuntimeFault:
                self._deaths += 1
                if self._deaths > _MOST_DEATHS:
                    raise
                await asyncio.sleep(_TICK_SECONDS)

    async def _replace(self, name: str) -> None:
        kind, _, number = name.partition("-")
        if kind == "queue":
            await self._runtime.start(self._plan.queue_spec(int(number)))
            await self._allow(paused=self._paused)
        elif kind == "fetcher":
            old = f"{name}.{self._fetchers[int(number)]}"
            forfeit = Forfeit(old, self._plan.processing(old))
            for server in self._servers:
                await self._ask(server, "forfeit", forfeit, Empty)
            await self._start_fetcher(int(number))
        else:
            await self._runtime.start(self._plan.roller_spec())

    async def _watch_health(self) -> None:
        """A fetcher whose loop hangs, in a native parser for example, is as good as dead."""
        while True:
            await asyncio.sleep(_PING_EVERY_SECONDS)
            await asyncio.gather(
                *(self._ping(f"fetcher-{number}") for number in range(len(self._fetchers)))
            )

    async def _ping(self, name: str) -> None:
        try:
            peer = self._runtime.peers.peer(name)
            await call(peer, "ping", Empty(), Empty, self._settings.hang_seconds)
        except PeerLost:
            return  # its death is reported elsewhere
        except RuntimeFault:
            self._runtime.kill(name)

    # Ending

    async def _wind_up(self) -> None:
        await self._allow(paused=True)
        await asyncio.gather(
            *(
                self._runtime.stop(f"fetcher-{number}", seconds=_STOP_SECONDS)
                for number in self._fetchers
            )
        )
        await self._roll_or_wait()
        self._statistics = self._summary(await self._statuses())
        for server in self._servers:
            await self._runtime.stop(queue_name(server), seconds=_STOP_SECONDS)
        await self._runtime.stop(ROLLER, seconds=_STOP_SECONDS)
