"""Server-sent events: what changes while somebody looks.

The state is looked up now and then rather than pushed: a job belongs to no web process, and any
worker can tell of any job.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

import msgspec
from starlette.concurrency import run_in_threadpool

from gossamer.server.listening import closing

_LOOK_SECONDS = 0.5
_ALIVE_SECONDS = 15.0
_LONGEST_SECONDS = 3_600.0


class Event(NamedTuple):
    name: str
    data: Any

    def encoded(self) -> bytes:
        # JSON has no line breaks, so that no stranger's text can end an event.
        return b"event: %b\ndata: %b\n\n" % (self.name.encode(), msgspec.json.encode(self.data))


class News(NamedTuple):
    """What has happened since the last look, and whether more can come."""

    events: list[Event]
    is_over: bool


async def stream(look: Callable[[], News]) -> AsyncIterator[bytes]:
    """Events until it is over, the client has gone (the task is cancelled), or the server ends."""
    begin = heard = time.monotonic()
    while not closing.is_set() and time.monotonic() - begin < _LONGEST_SECONDS:
        news = await run_in_threadpool(look)
        for event in news.events:
            heard = time.monotonic()
            yield event.encoded()
        if news.is_over:
            return
        if time.monotonic() - heard > _ALIVE_SECONDS:
            heard = time.monotonic()
            yield b": still there\n\n"
        await asyncio.sleep(_LOOK_SECONDS)
