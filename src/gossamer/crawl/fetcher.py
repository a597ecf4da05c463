"""The fetcher: takes schedules, visits their URLs, and answers.

Each host has a lane with as many workers as connections; lanes share nothing but the client's
limit on connections, so a slow host holds up only itself. A schedule is answered when all its URLs
have a result, or when its time is over: what was not started goes back untried, and requests that
still run are carried over to a later answer.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping

from gossamer.config import CrawlSettings
from gossamer.crawl.calls import Empty, LeaseReply, LeaseRequest, Receipt, call, handler
from gossamer.crawl.cookies import cookies_for
from gossamer.crawl.fetch import HttpClient
from gossamer.crawl.inflight import InflightMark
from gossamer.crawl.known_links import KnownLinks
from gossamer.crawl.lanes import Lane, Task
from gossamer.crawl.orders import AttemptWriter, LateResult, OpenOrder, Result
from gossamer.crawl.politeness import HostPace
from gossamer.crawl.processing import HeavyProcessor, ProcessingLine, ProcessPages
from gossamer.crawl.queue_role import queue_name
from gossamer.crawl.visitor import IsolatedProcessor, Step, Visitor
from gossamer.crawl.visits import Reading, VisitReader
from gossamer.errors import RuntimeFault, StorageError
from gossamer.records import HostReport, Item, Link, Postponed, Processed, Schedule
from gossamer.runtime.contract import Handler, Peers
from gossamer.urls import host_of

_RETRY_CALL_SECONDS = 0.5
_BUSY_SECONDS = 0.1
"""Who has work in hand asks for more no sooner, unless there is news of its own."""
_FULL_DISK_SECONDS = 2.0
_MAX_ORDERS = 64
_MOST = 0.75
_SHORTEST_REST_SECONDS = 0.25
_STOP_SECONDS = 10.0
_ENOUGH_LINKS = 100_000
"""Sitemaps name tens of thousands of URLs: an answer with so many links goes out, whatever else its
schedule has to do."""


class Fetcher:
    def __init__(
        self,
        name: str,
        settings: CrawlSettings,
        peers: Peers,
        reader: VisitReader,
        known: KnownLinks,
        process: ProcessPages,
        process_isolated: IsolatedProcessor,
        heavy: HeavyProcessor,
        open_attempt: Callable[[str], AttemptWriter],
        mark: InflightMark,
        auth_origins: frozenset[str],
    ) -> None:
        self._name = name
        self._settings = settings
        self._without_delay = settings.model_copy(update={"delay_seconds": 0})
        self._peers = peers
        self._reader = reader
        self._known = known
        self._process = process
        self._process_isolated = process_isolated
        self._heavy = heavy
        self._open_attempt = open_attempt
        self._mark = mark
        self._auth_origins = auth_origins
        self._lanes: dict[str, Lane] = {}
        self._orders: set[OpenOrder] = set()
        self._timers: defaultdict[OpenOrder, list[asyncio.TimerHandle]] = defaultdict(list)
        self._carried: set[Task] = set()
        self._running: set[Task] = set()
        self._late: list[LateResult] = []
        self._tasks: set[asyncio.Future[None]] = set()
        self._bug: BaseException | None = None
        self._news = asyncio.Event()
        self._stopping = asyncio.Event()

    @property
    def handlers(self) -> Mapping[str, Handler]:
        return {"ping": handler(Empty, self._ping)}

    async def _ping(self, _: Empty) -> Empty:
        return Empty()

    def stop(self) -> None:
        self._stopping.set()
        self._news.set()

    async def run(self) -> None:
        try:
            await self._run()
        finally:
            await self._heavy.close()

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._client = HttpClient(self._settings, self._auth_origins)
        self._line = ProcessingLine(self._process, self._mark, self._on_processed)
        # An error in a callback is a bug of ours as well.
        self._loop.set_exception_handler(lambda _, what: self._stop_for(what.get("exception")))
        self._visitor = Visitor(
            *(self._settings, self._client, self._reader, self._line),
            *(self._process_isolated, self._heavy),
        )
        leasing = [
            self._spawn(self._lease_from(server)) for server in range(self._settings.queue_servers)
        ]
        await self._stopping.wait()
        if self._bug is not None:
            raise self._bug
        await asyncio.gather(*leasing)
        await self._wind_up()
        await self._client.close()

    def _spawn(self, work: Awaitable[None]) -> asyncio.Future[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._stop_for(task.exception())

    def _stop_for(self, bug: BaseException | None) -> None:
        """Dying is the safe way to lose nothing by a bug of ours."""
        self._bug = self._bug or bug or RuntimeError("an error in a callback")
        self.stop()

    # Leasing

    async def _lease_from(self, server: int) -> None:
        peer = self._peers.peer(queue_name(server))
        number = 1
        while not self._stopping.is_set():
            self._news.clear()
            if not self._has_room():
                await self._pause(1.0)
                continue
            request = LeaseRequest(self._name, number, self._reportable(server))
            try:
                reply = await call(peer, "lease", request, LeaseReply)
            except RuntimeFault:
                await self._pause(_RETRY_CALL_SECONDS)
                continue
            number += 1
            if reply.schedule is not None:
                self._accept(reply.schedule)
            else:
                least = _BUSY_SECONDS if self._running else 0.0
                await self._pause(max(least, reply.wait_seconds))

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return

    def _has_room(self) -> bool:
        if len(self._orders) >= _MAX_ORDERS:
            return False
        busy = sum(
            min(lane.connections, len(lane.queue) + lane.workers) for lane in self._lanes.values()
        )
        return busy < self._settings.connections

    def _reportable(self, server: int) -> int:
        """Late results that no schedule in our hands can carry."""
        newest = max(
            (
                o.schedule.number
                for o in self._orders
                if o.schedule.server == server and not o.closed
            ),
            default=0,
        )
        return sum(
            late.origin.accepted is True
            and late.origin.schedule.server == server
            and late.origin.schedule.number > newest
            for late in self._late
        )

    def _accept(self, schedule: Schedule) -> None:
        now = self._loop.time()
        order = OpenOrder(
            schedule,
            self._open_attempt(schedule.name),
            opened=now,
            deadline=now + schedule.budget_seconds,
            owed={item.key for item in schedule.items},
            hosts={grant.host for grant in schedule.grants},
        )
        self._orders.add(order)
        for grant in schedule.grants:
            lane = self._lanes.get(grant.host)
            if lane is None:
                ready_at = self._loop.time() + max(0.0, grant.ready_at - time.time())
                # Files of this machine have no host, and need no pauses.
                settings = self._settings if grant.host else self._without_delay
                pace = HostPace(
                    settings, ready_at=ready_at, response_seconds=grant.response_seconds
                )
                lane = self._lanes[grant.host] = Lane(grant.host, pace)
            lane.take_grant(grant, self._settings.agent_name)
            self._client.load_cookies(grant.cookies)
        for position, item in enumerate(schedule.items):
            task = Task(item, order, isolated=position in schedule.isolated)
            self._lanes[host_of(item.url)].add(task)
        for grant in schedule.grants:
            self._man(self._lanes[grant.host])
        if not schedule.items:
            self._close(order)
        else:
            self._later(order.deadline - now, self._close, order)

    # Lanes

    def _man(self, lane: Lane) -> None:
        while lane.workers < min(lane.connections, len(lane.queue)):
            lane.workers += 1
            self._spawn(self._work(lane))

    async def _work(self, lane: Lane) -> None:
        try:
            while lane.queue:
                now = self._loop.time()
                wait = lane.pace.next_start - now
                if wait > 0:
                    task = lane.queue[0]
                    if now + wait > task.order.deadline:
                        lane.queue.popleft()
                        self._note(task, Postponed(task.item, 0.0, retried=False))
                    else:
                        await asyncio.sleep(wait)
                    continue
                task = lane.queue.popleft()
                self._running.add(task)
                result = await self._visitor.visit(lane, task)
                if not isinstance(result, Step):
                    self._note(task, result)
                elif result is Step.AGAIN and not task.order.closed:
                    self._running.discard(task)
                    lane.queue.appendleft(task)
                elif result is Step.AGAIN:
                    self._note(task, Postponed(task.item, 0.0, retried=False))
                await self._line.room()
        finally:
            lane.workers -= 1

    def _note(self, task: Task, result: Result) -> None:
        self._running.discard(task)
        order = task.order
        if order.closed:
            self._carried.discard(task)
            self._late.append(LateResult(order, task.item, result))
            self._news.set()
            return
        if not order.results:
            self._later(_SHORTEST_REST_SECONDS, self._close_if_quiet, order)
        order.add(result)
        order.last_result = self._loop.time()
        order.owed.discard(task.item.key)
        if not order.owed or order.links >= _ENOUGH_LINKS:
            self._close(order)
        elif not order.is_hurried and len(order.results) >= _MOST * len(order.schedule.items):
            # The slow rest gets as long again as most of it took: links that have been found
            # wait for the answer, and quick hosts for their next schedule.
            order.is_hurried = True
            taken = self._loop.time() - order.opened
            self._later(max(_SHORTEST_REST_SECONDS, taken), self._close, order)

    def _later(self, seconds: float, what: Callable[[OpenOrder], None], order: OpenOrder) -> None:
        """Unless the order has been closed by then: a timer would keep all of its pages."""
        self._timers[order].append(self._loop.call_later(seconds, what, order))

    def _close_if_quiet(self, order: OpenOrder) -> None:
        """Of few URLs, a single slow one may be more than a quarter."""
        if order.closed:
            return
        patience = max(2 * _SHORTEST_REST_SECONDS, 2 * (order.last_result - order.opened))
        quiet = self._loop.time() - order.last_result
        if quiet >= patience:
            self._close(order)
        else:
            self._later(patience - quiet, self._close_if_quiet, order)

    def _on_processed(self, task: Task, reading: Reading, processed: Processed) -> None:
        self._note(task, self._visitor.finished(task, reading, processed))

    # Answering

    def _close(self, order: OpenOrder) -> None:
        if order.closed:
            return
        self._line.flush()
        if order.closed:
            return
        for host in order.hosts:
            lane = self._lanes[host]
            for task in [task for task in lane.queue if task.order is order]:
                lane.queue.remove(task)
                order.add(Postponed(task.item, 0.0, retried=False))
        order.closed = True
        for timer in self._timers.pop(order, ()):
            timer.cancel()
        carried = [task for task in self._running if task.order is order]
        self._carried.update(carried)
        self._spawn(self._answer(order, [task.item for task in carried]))

    async def _answer(self, order: OpenOrder, carried: list[Item]) -> None:
        self._take_late(order)
        staged = await self._write(order)
        if staged is None:
            return
        order.sitemaps = tuple(self._sitemaps_of(order.hosts))
        reports = self._reports(order.hosts | order.late_hosts)
        answer = order.answer(self._name, staged, carried, reports)
        peer = self._peers.peer(queue_name(order.schedule.server))
        while True:
            try:
                receipt = await call(peer, "answer", answer, Receipt)
                break
            except RuntimeFault:
                await asyncio.sleep(_RETRY_CALL_SECONDS)
        order.accepted = receipt.accepted
        if receipt.accepted:
            # A late result may be dropped when its turn comes, if its lease had run out.
            own = {item.key for item in order.schedule.items}
            visits = [visit for visit in answer.visits if visit.key in own]
            self._known.learn(visits, answer.sitemaps)
        else:
            await self._loop.run_in_executor(None, order.writer.discard)
            self._late = [late for late in self._late if late.origin is not order]
        self._orders.discard(order)
        self._drop_idle_lanes()
        self._news.set()

    def _sitemaps_of(self, hosts: set[str]) -> Iterator[Link]:
        """What the robots files of these hosts name and the frontier does not know for certain:
        whoever has read the file may have been unable to tell."""
        for host in hosts:
            lane = self._lanes[host]
            if lane.depth is None:
                continue  # it is no host of the crawl: it keeps a sitemap for one
            for origin, rules in lane.rules.items():
                if rules.sitemaps:
                    yield from self._reader.sitemap_links(rules.sitemaps, origin, lane.depth)

    def _reports(self, hosts: set[str]) -> list[HostReport]:
        """What was learned, the cookies included: another fetcher may be the next to visit."""
        now = self._loop.time()
        jar: list[str] = []
        if any(self._lanes[host].sets_cookies for host in hosts):
            jar = self._client.cookies()
        reports = []
        for host in hosts:
            lane = self._lanes[host]
            cookies = cookies_for(host, jar) if lane.sets_cookies else ()
            reports.append(lane.report(now, cookies))
        return reports

    def _take_late(self, order: OpenOrder) -> None:
        """A late result may only follow the commit that carried it over: in a later schedule. It
        is void when its lease had run out and this very schedule brought the URL again."""
        own = {item.key for item in order.schedule.items}
        rest = []
        for late in self._late:
            origin = late.origin
            if not (
                origin.accepted
                and origin.schedule.server == order.schedule.server
                and origin.schedule.number < order.schedule.number
            ):
                rest.append(late)
            elif late.item.key not in own:
                order.add(late.result)
                order.late_hosts.add(host_of(late.item.url))
        self._late = rest

    async def _write(self, order: OpenOrder) -> bool | None:
        """None: we are to stop while the disk is full; the lease will bring the URLs back."""
        while True:
            try:
                return await self._loop.run_in_executor(None, order.writer.finish)
            except StorageError:
                if self._stopping.is_set():
                    return None
                await asyncio.sleep(_FULL_DISK_SECONDS)

    def _drop_idle_lanes(self) -> None:
        needed = {host for order in self._orders for host in order.hosts | order.late_hosts}
        needed |= {host_of(late.item.url) for late in self._late}
        needed |= {host_of(task.item.url) for task in self._carried}
        for host in self._lanes.keys() - needed:
            if not self._lanes[host].workers:
                del self._lanes[host]

    async def _wind_up(self) -> None:
        """Give back what has not been started, and let the rest finish, for a while."""
        for lane in self._lanes.values():
            while lane.queue:
                task = lane.queue.popleft()
                self._note(task, Postponed(task.item, 0.0, retried=False))
        deadline = self._loop.time() + _STOP_SECONDS
        while self._running and self._loop.time() < deadline:
            await asyncio.sleep(0.02)
        for order in list(self._orders):
            self._close(order)
        while self._orders and self._loop.time() < deadline + _STOP_SECONDS:
            await asyncio.sleep(0.02)
        for running in list(self._tasks):
            running.cancel()
