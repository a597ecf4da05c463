"""A schedule in the hands of a fetcher, and what has come of it so far."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from gossamer.crawl.visits import Visited
from gossamer.records import (
    Answer,
    Exchange,
    FoundLink,
    HostReport,
    Item,
    Link,
    PageRow,
    Postponed,
    Refused,
    Schedule,
    Visit,
)

Result = Visited | Postponed | Refused


class AttemptWriter(Protocol):
    """Where the pages of an attempt go."""

    def add(self, page: PageRow, links: Sequence[FoundLink], exchange: Exchange | None) -> None: ...

    def finish(self) -> bool:
        """Make it durable; False where there was nothing to write."""
        ...

    def discard(self) -> None: ...


@dataclass(slots=True, eq=False)
class OpenOrder:
    schedule: Schedule
    writer: AttemptWriter
    opened: float  # on the loop's clock
    deadline: float  # nothing is started later
    owed: set[int] = field(default_factory=set)  # keys of URLs without a result
    hosts: set[str] = field(default_factory=set)
    late_hosts: set[str] = field(default_factory=set)  # of results of earlier schedules
    sent: set[int] = field(default_factory=set)  # keys of links in this answer
    results: list[Visit | Postponed | Refused] = field(default_factory=list)
    last_result: float = 0.0
    is_hurried: bool = False
    closed: bool = False
    accepted: bool | None = None  # None: no receipt yet
    requests: int = 0
    robots_requests: int = 0
    links: int = 0
    sitemaps: tuple[Link, ...] = ()

    def add(self, result: Result) -> None:
        if not isinstance(result, Visited):
            self.results.append(result)
            return
        # The page itself is the writer's: held here, its bytes would fill the memory.
        self.results.append(result.visit)
        if not result.is_stored:
            self.writer.add(result.row, result.links, result.exchange)
            self.links += len(result.visit.links)

    def answer(
        self, fetcher: str, staged: bool, carried: Iterable[Item], hosts: Iterable[HostReport]
    ) -> Answer:
        schedule = self.schedule
        return Answer(
            server=schedule.server,
            epoch=schedule.epoch,
            number=schedule.number,
            attempt=schedule.attempt,
            fetcher=fetcher,
            staged=schedule.name if staged else "",
            visits=tuple(r for r in self.results if isinstance(r, Visit)),
            postponed=tuple(r for r in self.results if isinstance(r, Postponed)),
            refused=tuple(r for r in self.results if isinstance(r, Refused)),
            carried=tuple(carried),
            hosts=tuple(hosts),
            requests=self.requests,
            robots_requests=self.robots_requests,
            sitemaps=self.sitemaps,
        )


@dataclass(frozen=True, slots=True)
class LateResult:
    """Of a request that outlived its schedule: it travels with a later one of the same server."""

    origin: OpenOrder
    item: Item
    result: Result
