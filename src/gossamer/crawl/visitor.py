"""Visiting one URL: may we, the request itself, and what its answer calls for."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from enum import Enum

from msgspec import structs

from gossamer.config import CrawlSettings
from gossamer.crawl.fetch import HttpClient, Request
from gossamer.crawl.lanes import Lane, Task
from gossamer.crawl.orders import Result
from gossamer.crawl.processing import ProcessingLine
from gossamer.crawl.robots import fetch_robots
from gossamer.crawl.visits import Reading, VisitReader
from gossamer.records import (
    Exchange,
    Exclusion,
    Outcome,
    PageContent,
    Postponed,
    RawPage,
    Refused,
)
from gossamer.urls import origin_of

_MAY_PASS = frozenset(
    {Outcome.TIMEOUT, Outcome.CONNECT_ERROR, Outcome.PROTOCOL_ERROR, Outcome.DNS_ERROR}
)
_STATUS_MAY_PASS = frozenset({408, 429, 500, 502, 503, 504})

IsolatedProcessor = Callable[[RawPage], Awaitable["PageContent | str | None"]]
"""Processes a page where it can do no harm; a str is how that ended badly."""


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
    ) -> None:
        self._settings = settings
        self._client = client
        self._reader = reader
        self._line = line
        self._process_isolated = process_isolated
        self._loop = asyncio.get_running_loop()

    async def visit(self, lane: Lane, task: Task) -> Result | Step:
        item = task.item
        if lane.bytes_left == 0:
            return Refused(item, Exclusion.HOST_BYTES)
        if self._settings.obey_robots:
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
            # Its age counts from its arrival: a slow one would have expired on the way.
            file = structs.replace(answer.file, fetched_at=time.time())
            lane.set_robots(file, self._settings.agent_name)
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
        exchange = await self._client.fetch(Request(task.item.url, max_bytes=most))
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
            exchange.header("retry-after"),
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
            return self.finished(task, reading, await self._isolated(reading, reading.page))
        self._line.add(task, reading, reading.page)
        return Step.HANDED_ON

    def finished(self, task: Task, reading: Reading, content: PageContent | None) -> Result:
        sent = set() if task.order.closed else task.order.sent
        return self._reader.finish(reading, content, sent)

    def _goes_on_in_place(self, task: Task, reading: Reading) -> bool:
        """A redirect to itself that sets a cookie is a question whether we keep cookies."""
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

    async def _isolated(self, reading: Reading, page: RawPage) -> PageContent | None:
        content = await self._process_isolated(page)
        if isinstance(content, str):
            reading.outcome, reading.detail = Outcome.POISON, content
            return None
        return content


def _jittered(seconds: float, tries: int) -> float:
    return seconds * 2.0**tries * random.uniform(0.5, 1.5)
