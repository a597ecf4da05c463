"""A queue server brought to rest: nothing is out, nothing waits for its turn or to be published.

For those who change a journal while nobody works on the run. What was leased returns to the queue,
what was answered is committed in its turn, what was committed is published.
"""

from collections.abc import Callable
from pathlib import Path

from gossamer.config import CrawlSettings
from gossamer.crawl.journal import Journal
from gossamer.crawl.queue_server import QueueServer
from gossamer.records import Answer, CommittedAttempt, Postponed, Schedule

_LEAVING = "resting"
_ATTEMPTS_AT_ONCE = 500

Publish = Callable[[tuple[CommittedAttempt, ...]], object]
"""Makes segments of attempts, durably."""


def bring_to_rest(path: Path, number: int, settings: CrawlSettings, publish: Publish) -> None:
    """`settings.queue_servers` must be the number of journals that there are."""
    server = QueueServer(Journal(path), settings, number)
    try:
        while (schedule := server.repeat(_LEAVING)) is not None:
            server.answer(_untried(schedule))
        last = 0
        while attempts := server.committed(last, _ATTEMPTS_AT_ONCE):
            publish(attempts)
            last = attempts[-1].number
            server.rolled(last)
    finally:
        server.close()


def _untried(schedule: Schedule) -> Answer:
    return Answer(
        server=schedule.server,
        epoch=schedule.epoch,
        number=schedule.number,
        attempt=schedule.attempt,
        fetcher=_LEAVING,
        staged="",
        visits=(),
        postponed=tuple(Postponed(item, 0.0, retried=False) for item in schedule.items),
        refused=(),
        carried=(),
        hosts=(),
        requests=0,
        robots_requests=0,
    )
