"""Pages that have arrived and wait to be processed, several at a time.

Doing the same to many pages is cheaper than doing everything to one. Connections need not wait:
they go on while pages gather, until there are too many. A page waits for milliseconds only.

A heavy page, which could take seconds, is processed elsewhere (`HeavyProcessor`). The connection
that brought it waits for that, so that a host with many of them holds up itself alone.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from gossamer.crawl.inflight import InflightMark
from gossamer.crawl.lanes import Task
from gossamer.crawl.visits import Reading
from gossamer.records import Outcome, Processed, RawPage, Unread

ProcessPages = Callable[[Sequence[RawPage], Callable[[int], None]], list[Processed]]
"""What each page says. The callable is told which page is about to be read."""

_ENOUGH = 48
_TOO_MANY = 128
_LONGEST_WAIT_SECONDS = 0.010


class HeavyProcessor(Protocol):
    """Processes pages where they take no time of this process, and can do no harm."""

    async def process(self, page: RawPage, wait_seconds: float) -> Processed | None:
        """None: its turn has not come in that time."""
        ...

    async def close(self) -> None: ...


class ProcessingLine:
    def __init__(
        self,
        process: ProcessPages,
        mark: InflightMark,
        on_processed: Callable[[Task, Reading, Processed], None],
    ) -> None:
        self._process = process
        self._mark = mark
        self._on_processed = on_processed
        self._loop = asyncio.get_running_loop()
        self._waiting: list[tuple[Task, Reading, RawPage]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._has_room = asyncio.Event()
        self._has_room.set()

    async def room(self) -> None:
        await self._has_room.wait()

    def add(self, task: Task, reading: Reading, page: RawPage) -> None:
        self._waiting.append((task, reading, page))
        if len(self._waiting) == _ENOUGH:
            self._loop.call_soon(self.flush)
        elif self._timer is None:
            self._timer = self._loop.call_later(_LONGEST_WAIT_SECONDS, self.flush)
        if len(self._waiting) >= _TOO_MANY:
            self._has_room.clear()

    def flush(self) -> None:
        """Process what is there."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        batch, self._waiting = self._waiting, []
        self._has_room.set()
        for (task, reading, _), processed in zip(batch, self._processed(batch), strict=True):
            self._on_processed(task, reading, processed)

    def _processed(self, batch: list[tuple[Task, Reading, RawPage]]) -> Sequence[Processed]:
        def at(position: int) -> None:
            item = batch[position][0].item
            self._mark.set(item.site, item.key)

        try:
            processed = self._process([page for _, _, page in batch], at)
        except Exception as error:  # a bug of a processor costs the page that shows it, no other
            if len(batch) > 1:
                return [self._processed([one])[0] for one in batch]
            processed = [Unread(Outcome.POISON, f"{type(error).__name__}: {error}")]
        self._mark.clear()
        return processed
