"""Visiting one URL: may we, the request itself, and what its answer calls for."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from enum import Enum

from msgspec import structs

from gossamer.config import CrawlSettings
from gossamer.crawl.fetch import HttpClient, Request
from gossamer.crawl.files import FilesClient
from gossamer.crawl.lanes import Lane, Task
from gossamer.crawl.orders import Result
from gossamer.crawl.processing import HeavyProcessor, ProcessingLine
from gossamer.crawl.robots import fetch_robots
from gossamer.crawl.visits import Reading, VisitReader
from gossamer.records import (
    Exchange,
    Exclusion,
    Outcome,
    Postponed,
    Processed,
    RawPage,
    Refused,
)
from gossamer.urls import FILE_START, origin_of

_MAY_PASS = frozenset(
    {Outcome.TIMEOUT, Outcome.CONNECT_ERROR, Outcome.PROTOCOL_ERROR, Outcome.DNS_ERROR}
)
_STATUS_MAY_PASS = frozenset({408, 429, 500, 502, 503, 504})

_HEAVY_WAIT_SECONDS = 5.0
_HEAVY_LATER_SECONDS = 30.0

IsolatedProcessor = Callable[[RawPage], Awaitable[Processed]]
"""Processes a page where it can do no harm."""


class Step(Enum):
    """What else a visit can lead to than a result."""

    AGAIN = "again"  # when the host's pace allows
    HANDED_ON = "handed on"  # to be processed


class Visitor:
    def __init__(
        self,
        settings: CrawlSettings,
        client: HttpClient,
        reader: VisitReader,
        line: ProcessingLine,
        process_isolated: IsolatedProcessor,
        heavy: HeavyProcessor,
    ) -> None:
        self._settings = settings
        self._client = client
        self._files = FilesClient(settings)
        self._reader = reader
        self._line = line
        self._process_isolated = process_isolated
        self._heavy = heavy
        self._loop = asyncio.get_running_loop()

    async def visit(self, lane: Lane, task: Task) -> Result | Step:
        item = task.item
        if lane.bytes_left == 0:
            return Refused(item, Exclusion.HOST_BYTES)
        if self._settings.obey_robots and not item.url.startswith(FILE_START):
            origin = origin_of(item.url)
            if lane.needs_robots(origin, time.time(), self._settings):
                await self._ask_robots(lane, task, origin)
                return Step.AGAIN
            rules = lane.rules[origin]
            if rules.waits:
                return await self._without_robots(lane, task, origin)
            if not rules.allows(item.url):
                return Refused(item, Exclusion.ROBOTS)
        return await self._result(lane, task, await self._fetch(lane, task))

    async def _ask_robots(self, lane: Lane, task: Task, origin: str) -> None:
        """Fetch the rules, once for all workers of the lane."""
        asking = lane.asking_robots.get(origin)
        if asking is not None:
            await asking
            return
        asking = lane.asking_robots[origin] = self._loop.create_future()
        started = self._loop.time()
        lane.pace.started(started)
        try:
            answer = await fetch_robots(self._client, origin, self._settings, time.time())
            now = self._loop.time()
            lane.pace.finished(now, now - started, answer.file.status)
            lane.set_robots(answer.file, self._settings.agent_name)
            lane.pace.rest(now)  # for as long as the file itself asks for
            # Its age counts from when it can be used first: one that is slow, or asks for a long
            # pause, would have expired until then, and be asked for without end.
            usable_at = time.time() + lane.pace.ready_in(now)
            file = lane.files[origin] = structs.replace(answer.file, fetched_at=usable_at)
            lane.new_files.append(file)
            task.order.requests += answer.requests
            task.order.robots_requests += answer.requests
        finally:
            del lane.asking_robots[origin]
            asking.set_result(None)

    async def _without_robots(self, lane: Lane, task: Task, origin: str) -> Result | Step:
        """The rules cannot be had: a host that is not there ends its URLs as they would have
        ended themselves, one that answers with an error is asked again later."""
        file = lane.files[origin]
        if file.failure is not Outcome.OK:
            detail = f"robots.txt: {file.detail}"
            failed = Exchange(task.item.url, time.time(), 0.0, file.failure, detail)
            return await self._result(lane, task, failed)
        item = task.item
        if item.tries < self._settings.retries:
            again = structs.replace(item, tries=item.tries + 1)
            seconds = _jittered(self._settings.robots_retry_seconds, item.tries)
            return Postponed(again, seconds, retried=True)
        return Refused(item, Exclusion.ROBOTS)

    async def _fetch(self, lane: Lane, task: Task) -> Exchange:
        lane.pace.started(self._loop.time())
        most = lane.bytes_left
        url = task.item.url
        client = self._files if url.startswith(FILE_START) else self._client
        exchange = await client.fetch(
            Request(url, task.item.etag, task.item.last_modified, max_bytes=most)
        )
        task.order.requests += 1
        lane.spend(len(exchange.body))
        if exchange.outcome is Outcome.TOO_LARGE and 0 <= most < self._settings.max_wire_bytes:
            lane.bytes_left = 0  # what is left of the host's bytes is too little for its pages
        lane.pace.met(exchange.address)
        earlier = lane.pace.backoffs
        lane.pace.finished(
            self._loop.time(),
            exchange.seconds,
            exchange.status,
            exchange.header("retry-after") if exchange.status in _STATUS_MAY_PASS else "",
            time.time(),
        )
        lane.backoffs += lane.pace.backoffs > earlier
        if self._settings.cookies and exchange.header("set-cookie"):
            lane.sets_cookies = True
        return exchange

    async def _result(self, lane: Lane, task: Task, exchange: Exchange) -> Result | Step:
        item = task.item
        may_pass = exchange.outcome in _MAY_PASS or exchange.status in _STATUS_MAY_PASS
        if may_pass and item.tries < self._settings.retries:
            again = structs.replace(item, tries=item.tries + 1)
            seconds = _jittered(self._settings.retry_backoff_seconds, item.tries)
            return Postponed(again, seconds, retried=True)
        if exchange.outcome is Outcome.TOO_LARGE and lane.bytes_left == 0:
            return Refused(item, Exclusion.HOST_BYTES)
        reading = self._reader.read(item, exchange)
        if self._goes_on_in_place(task, reading):
            return Step.AGAIN
        if reading.page is None:
            return self.finished(task, reading, None)
        if task.isolated:
            return self.finished(task, reading, await self._process_isolated(reading.page))
        if reading.is_heavy:
            return await self._heavily_processed(task, reading, reading.page)
        self._line.add(task, reading, reading.page)
        return Step.HANDED_ON

    def finished(self, task: Task, reading: Reading, processed: Processed | None) -> Result:
        sent = set() if task.order.closed else task.order.sent
        return self._reader.finish(reading, processed, sent)

    async def _heavily_processed(self, task: Task, reading: Reading, page: RawPage) -> Result:
        # Its lease ends soon: where others come first for too long, it comes again later.
        wait = min(_HEAVY_WAIT_SECONDS, self._settings.schedule_seconds / 2)
        processed = await self._heavy.process(page, wait)
        if processed is None:
            return Postponed(task.item, _jittered(_HEAVY_LATER_SECONDS, 0), retried=False)
        return self.finished(task, reading, processed)

    def _goes_on_in_place(self, task: Task, reading: Reading) -> bool:
        """A redirect to another spelling of the same URL has no place of its own in the queue; one
        to itself that sets a cookie is a question whether we keep cookies."""
        if reading.is_respelled and reading.target is not None:
            item = task.item
            task.item = structs.replace(item, url=reading.target.href, via=(*item.via, item.url))
            return True
        if (
            reading.outcome is Outcome.REDIRECT_LOOP
            and reading.target is not None
            and reading.target.key == task.item.key
            and self._settings.cookies
            and reading.exchange.header("set-cookie")
            and task.hops < self._settings.max_redirects
            and not task.order.closed
        ):
            task.hops += 1
            return True
        return False


def _jittered(seconds: float, tries: int) -> float:
    return seconds * 2.0**tries * random.uniform(0.5, 1.5)
