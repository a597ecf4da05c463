"""The conductor of an import: starts its workers, gives out the work, commits, publishes.

First all files are surveyed, then the records that count become pages. All that matters is in the
ledger and the manifest, so that a conductor that is killed can be followed by another.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass

from msgspec import Struct

from gossamer.config import CrawlSettings
from gossamer.crawl.calls import Empty, Reply, RollReply, RollRequest, call
from gossamer.crawl.roller_role import ROLLER
from gossamer.errors import DeadlineExceeded, GossamerError, PeerLost, RunError, RuntimeFault
from gossamer.importing.ledger import SERVER, BatchState, Ledger
from gossamer.importing.order import BatchOrder, SurveyOrder
from gossamer.importing.tasks import Surveyed, Taken
from gossamer.runtime.contract import RoleSpec, Runtime

_WORK_SECONDS = 86_400.0  # a part or a batch may take long; a worker that hangs is found by pings
_PING_EVERY_SECONDS = 2.0
_TICK_SECONDS = 0.2
_ROLL_SECONDS = 600.0
_STOP_SECONDS = 10.0
_ATTEMPTS_AT_ONCE = 500
_FULL_DISK_SECONDS = 1.0
_MOST_DEATHS = 5
"""Over one part or batch, with no record to blame for it."""


class ImportProgress(Struct, frozen=True):
    """What is going on right now. While files are surveyed, the figures are bytes."""

    run: str
    is_survey: bool
    done: int
    total: int
    per_second: float
    elapsed_seconds: float
    broken: int = 0
    note: str = ""


@dataclass(slots=True)
class ImportPlan:
    """What the composition root decides for the conductor."""

    run: str
    settings: CrawlSettings
    worker_spec: Callable[[int], RoleSpec]
    roller_spec: Callable[[], RoleSpec]
    processing: Callable[[int], tuple[int, int] | None]  # (batch, place) that a worker died at
    free_bytes: Callable[[], int]
    stop_asked: Callable[[], bool]
    on_progress: Callable[[ImportProgress], None]
    on_statistics: Callable[[dict[str, float], str], None]
    elapsed_before: float = 0.0


class Conductor:
    def __init__(self, plan: ImportPlan, ledger: Ledger, runtime: Runtime) -> None:
        self._plan = plan
        self._ledger = ledger
        self._runtime = runtime
        self._workers = range(plan.settings.fetcher_count)
        self._started = time.monotonic()
        self._is_stopping = False
        self._note = ""
        self._segments = RollReply(0, 0, 0, 0, {})
        self._rolling: asyncio.Task[None] | None = None
        self._last_roll = time.monotonic()
        self._rolled_pages = 0.0
        self._total_bytes = sum(known.archive.bytes for known in ledger.files())
        self._show: Callable[[], None] = lambda: None

    def stop(self) -> None:
        """Finish what is in hand, publish it, and end."""
        self._is_stopping = True

    @property
    def is_stopping(self) -> bool:
        return self._is_stopping or self._plan.stop_asked()

    @property
    def elapsed(self) -> float:
        return self._plan.elapsed_before + time.monotonic() - self._started

    @property
    def statistics(self) -> dict[str, float]:
        return {
            **self._ledger.statistics,
            "elapsed_seconds": round(self.elapsed, 3),
            "segments": self._segments.segments,
            "stored.pages": self._segments.pages,
            "stored.links": self._segments.links,
            "stored.bytes": self._segments.bytes,
        }

    async def run(self) -> bool:
        """Whether all is done; otherwise it was stopped."""
        await self._runtime.start(self._plan.roller_spec())
        await self._roll()  # what an earlier sitting has committed
        for worker in self._workers:
            await self._runtime.start(self._plan.worker_spec(worker))
        showing = asyncio.create_task(self._keep_showing())
        try:
            if not self._ledger.is_planned:
                await self._survey()
                if self.is_stopping:
                    return False
                self._ledger.plan()
            await self._make_pages()
        except BaseException:
            if self._rolling is not None:
                self._rolling.cancel()
                await asyncio.gather(self._rolling, return_exceptions=True)
            raise
        finally:
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)
        await self._publish()
        self._show()
        for worker in self._workers:
            await self._runtime.stop(_name(worker), seconds=_STOP_SECONDS)
        await self._runtime.stop(ROLLER, seconds=_STOP_SECONDS)
        return not self._ledger.waiting()

    async def _together(self, work: Callable[[int], Coroutine[None, None, None]]) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for worker in self._workers:
                    group.create_task(work(worker))
        except BaseExceptionGroup as faults:
            raise faults.exceptions[0] from None  # one fault is enough to end it

    # The survey

    async def _survey(self) -> None:
        order = SurveyOrder(self._ledger)
        since = time.monotonic()
        at_first = self._total_bytes - order.bytes_left

        def show() -> None:
            done = self._total_bytes - order.bytes_left
            speed = (done - at_first) / max(time.monotonic() - since, 0.001)
            self._tell(is_survey=True, done=done, total=self._total_bytes, speed=speed)

        self._show = show

        async def work(worker: int) -> None:
            while not self.is_stopping and (given := order.next()) is not None:
                stretch, part = given
                while not self.is_stopping:
                    surveyed = await self._asked(worker, "survey", part, Surveyed)
                    following = order.take_in(stretch, part, surveyed)
                    if following is None:
                        break
                    part = following

        await self._together(work)

    async def _asked(self, worker: int, method: str, request: Struct, reply: type[Reply]) -> Reply:
        for left in reversed(range(_MOST_DEATHS)):
            try:
                return await self._call(worker, method, request, reply)
            except (PeerLost, DeadlineExceeded):
                if not left:
                    raise
                await self._runtime.start(self._plan.worker_spec(worker))
        raise AssertionError("unreachable")

    async def _call(self, worker: int, method: str, request: Struct, reply: type[Reply]) -> Reply:
        """Ask, and kill a worker that hangs."""
        peer = self._runtime.peers.peer(_name(worker))
        watching = asyncio.create_task(self._watch(worker))
        try:
            return await call(peer, method, request, reply, _WORK_SECONDS)
        finally:
            watching.cancel()

    async def _watch(self, worker: int) -> None:
        peer = self._runtime.peers.peer(_name(worker))
        while True:
            await asyncio.sleep(_PING_EVERY_SECONDS)
            try:
                await call(peer, "ping", Empty(), Empty, self._plan.settings.hang_seconds)
            except PeerLost:
                return
            except RuntimeFault:
                self._runtime.kill(_name(worker))
                return

    # Pages

    async def _make_pages(self) -> None:
        order = BatchOrder(self._ledger)
        since = time.monotonic()
        numbers = self._ledger.statistics
        total = int(numbers.get("found", 0) - _sum(numbers, "excluded."))
        at_first = total - int(numbers.get("queued", 0))

        def show() -> None:
            done = total - int(self._ledger.statistics.get("queued", 0))
            speed = (done - at_first) / max(time.monotonic() - since, 0.001)
            self._tell(is_survey=False, done=done, total=total, speed=speed)

        self._show = show

        async def work(worker: int) -> None:
            while not self.is_stopping and (state := order.next(worker)) is not None:
                await self._room_on_disk()
                if self.is_stopping:
                    return
                await self._take(worker, order, state)

        await self._together(work)

    async def _take(self, worker: int, order: BatchOrder, state: BatchState) -> None:
        archive = order.archive(state)
        deaths = 0
        for attempt in range(1, 10_000):
            batch = self._ledger.batch(state, archive, attempt)
            try:
                taken = await self._call(worker, "take", batch, Taken)
                break
            except (PeerLost, DeadlineExceeded):
                at = self._plan.processing(worker)
                if at is not None and at[0] == batch.id and at[1] not in batch.isolated:
                    self._ledger.note_poison(state.file, at[1])
                else:
                    deaths += 1
                    if deaths == _MOST_DEATHS:
                        raise GossamerError(
                            f"A worker died {deaths} times over '{archive.path}', at byte "
                            f"{batch.first} or behind it; see its messages."
                        ) from None
                await self._runtime.start(self._plan.worker_spec(worker))
        if taken.missing is not None:
            raise RunError(
                f"'{archive.path}' has changed since the import began: there is no record at "
                f"{taken.missing} any more. Use --new to import it again."
            )
        self._ledger.commit(batch, taken.staged, taken.visits)
        if self._rolling is not None and self._rolling.done():
            self._rolling.result()
            self._rolling = None
        if self._rolling is None and self._roll_is_due():
            self._rolling = asyncio.create_task(self._roll())

    async def _room_on_disk(self) -> None:
        """Pause while there is room to write down what is in flight."""
        while (free := self._plan.free_bytes()) < self._plan.settings.min_free_bytes:
            self._note = (
                f"paused: only {free // 1_000_000} MB of disk are left. Free some space to continue"
            )
            await asyncio.sleep(_FULL_DISK_SECONDS)
            if self.is_stopping:
                return
        self._note = ""

    # Publishing

    def _roll_is_due(self) -> bool:
        waiting = self._ledger.statistics.get("pages", 0) - self._rolled_pages
        late = time.monotonic() - self._last_roll >= self._plan.settings.segment_seconds
        return waiting >= self._plan.settings.segment_pages or (late and waiting > 0)

    async def _roll(self) -> None:
        """Publish everything that has been committed."""
        self._last_roll = time.monotonic()
        self._rolled_pages = self._ledger.statistics.get("pages", 0)
        roller = self._runtime.peers.peer(ROLLER)
        while True:
            after = self._segments.watermarks.get(SERVER, 0)
            attempts = self._ledger.committed(after, _ATTEMPTS_AT_ONCE)
            self._segments = await call(
                roller, "roll", RollRequest(attempts), RollReply, _ROLL_SECONDS
            )
            if not attempts:
                return
            self._ledger.published(self._segments.watermarks[SERVER])

    async def _publish(self) -> None:
        if self._rolling is not None:
            await self._rolling
            self._rolling = None
        await self._roll()

    # Telling

    async def _keep_showing(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            self._show()

    def _tell(self, *, is_survey: bool, done: int, total: int, speed: float) -> None:
        self._plan.on_progress(
            ImportProgress(
                run=self._plan.run,
                is_survey=is_survey,
                done=done,
                total=total,
                per_second=speed,
                elapsed_seconds=self.elapsed,
                broken=self._ledger.broken_places,
                note=self._note,
            )
        )
        self._plan.on_statistics(self.statistics, self._note)


def _name(worker: int) -> str:
    return f"importer-{worker}"


def _sum(numbers: dict[str, float], prefix: str) -> float:
    return sum(value for name, value in numbers.items() if name.startswith(prefix))
