"""What a coordinator is given, what it tells while a run goes on, and how it says that it ended."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from gossamer.config import CrawlSettings
from gossamer.records import Item, Link
from gossamer.runtime.contract import RoleSpec


class Progress(Struct, frozen=True):
    """What is going on right now."""

    run: str
    elapsed_seconds: float
    pages: int
    documents: int
    pages_per_second: float
    queued: int
    hosts_waiting: int
    errors: int
    in_flight: int
    wire_bytes: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class End:
    state: str  # 'finished', 'stopped' or 'failed'
    reason: str
    statistics: dict[str, float]


@dataclass(slots=True)
class Plan:
    """What the composition root decides for the coordinator."""

    run: str
    settings: CrawlSettings
    seeds: tuple[Link, ...]
    queue_spec: Callable[[int], RoleSpec]
    fetcher_spec: Callable[[int, int], RoleSpec]  # number, incarnation
    roller_spec: Callable[[], RoleSpec]
    processing: Callable[[str], tuple[tuple[int, int], ...]]  # what a dead fetcher was at
    free_bytes: Callable[[], int]
    stop_asked: Callable[[], bool]
    on_progress: Callable[[Progress], None]
    on_statistics: Callable[[dict[str, float], str], None]
    min_free_bytes: int
    elapsed_before: float = 0.0
    listed: Callable[[], Iterable[Sequence[Link]]] = tuple  # seeds that are many, in batches
    used_bytes: Callable[[], int] = int  # of the disk, by the run
    round: int = 0  # how often all pages are to have been visited again
    revisits: Callable[[], Iterable[Sequence[Item]]] = tuple  # those pages, in batches


@dataclass(slots=True)
class Speed:
    """Pages per second over the last few seconds."""

    points: list[tuple[float, int]] = field(default_factory=list)

    def at(self, now: float, pages: int) -> float:
        self.points.append((now, pages))
        while len(self.points) > 2 and self.points[0][0] < now - 5.0:
            self.points.pop(0)
        (then, before), (now, pages) = self.points[0], self.points[-1]
        return (pages - before) / (now - then) if now > then else 0.0
