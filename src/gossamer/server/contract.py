"""What the site needs of those behind it, and what they hand over: `app` implements it.

Everything here is called from worker threads, several at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct

from gossamer.edits import ChangeCard, ChangeCounts, ChangeReport, Edit
from gossamer.index.numbers import NumberFormat
from gossamer.search.contract import Answer, SearchRequest


class IndexCard(Struct, frozen=True):
    """What the site shows of an index."""

    name: str
    documents: int
    built_at: float
    size_bytes: int
    runs: tuple[str, ...]
    fields: dict[str, str]  # name -> type: text, keyword, number, date, link or image
    number_formats: dict[str, NumberFormat]  # of number fields: how values are read
    languages: dict[str, int]
    settings: dict[str, Any]  # those that differ from the default
    has_pages: bool  # made of crawled pages; else of plain documents

    def of_type(self, *types: str) -> list[str]:
        return [name for name, kind in self.fields.items() if kind in types]


class RunCard(Struct, frozen=True):
    """What the site shows of a run."""

    name: str
    crawler: str
    number: int
    state: str
    reason: str
    seeds: tuple[str, ...]
    created_at: float
    started_at: float
    ended_at: float
    statistics: dict[str, float]
    settings: dict[str, Any]  # without passwords


class PageText(Struct, frozen=True):
    """A stored page as text: what a program or a language model reads."""

    url: str
    title: str
    description: str
    language: str
    text: str
    fetched_at: float
    run: str


class CachedCopy(Struct, frozen=True):
    """A stored page as it was received. It is a stranger's: only ever shown in a sandbox."""

    url: str
    title: str
    html: str
    fetched_at: float


class JobState(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"  # it ended with an error, which its log tells
    KILLED = "killed"  # it did not end by itself


class Job(Struct, frozen=True):
    """Work outside of the web process: a crawl, ranks, or an index being built."""

    id: int
    kind: str
    subject: str  # the crawler, the run or the index
    arguments: tuple[str, ...]
    state: JobState
    started_by: str
    created_at: float
    ended_at: float
    pid: int
    exit_code: int | None
    result: dict[str, Any]  # what it said at its end, as `--json` gives it


class CrawlOrder(Struct, frozen=True):
    """A crawl to start, with the settings of `gossamer crawl`."""

    settings: dict[str, Any]
    mode: str = "continue"  # or 'new', 'resume', 'refresh'
    may_go_inward: bool = False  # to folders of the server and private networks


class BuildOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """An index to build of runs, or to bring up to date where no run is named."""

    runs: tuple[str, ...] = ()
    settings: dict[str, Any] = {}
    reset: bool = False  # start from the default settings


class RankOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """Ranks to compute of the links of some runs together."""

    runs: tuple[str, ...]
    settings: dict[str, Any] = {}


class Jobs(Protocol):
    def start_crawl(self, order: CrawlOrder, by: str) -> Job: ...

    def start_build(self, index: str, order: BuildOrder, by: str) -> Job: ...

    def start_drop_changes(self, index: str, ids: Sequence[str], allow_empty: bool, by: str) -> Job:
        """Discard the stored changes of some ids, or all where none is named."""
        ...

    def start_rank(self, order: RankOrder, by: str) -> Job: ...

    def stop(self, job: int) -> Job: ...

    def job(self, job: int) -> Job: ...

    def jobs(self, limit: int, before: int = 0) -> list[Job]: ...

    def log(self, job: int, start: int = 0, most: int = 100_000) -> bytes: ...


class Engine(Protocol):
    """Indexes and runs. What does not exist or cannot be is a `GossamerError`."""

    def indexes(self) -> list[IndexCard]: ...

    def index(self, name: str) -> IndexCard: ...

    def profiles(self) -> Sequence[str]: ...

    def search(self, index: str, request: SearchRequest) -> Answer: ...

    def suggest(self, index: str, text: str, limit: int) -> list[str]: ...

    def page(self, index: str, url: str) -> PageText: ...

    def cached_copy(self, index: str, url: str) -> CachedCopy: ...

    def documents(self, index: str, start: int, limit: int) -> list[dict[str, Any]]: ...

    def edit(
        self, index: str, edits: Sequence[Edit], *, all_or_nothing: bool = False, wait: bool
    ) -> ChangeReport:
        """Store edits of documents; the same as those of `gossamer.open(home)`."""
        ...

    def stored_changes(self, index: str, after: int) -> Iterator[ChangeCard]: ...

    def change_counts(self, index: str) -> ChangeCounts: ...

    def apply_changes(self) -> None:
        """Apply stored changes that wait in any index, and go on doing so: in the background."""
        ...

    def tune(self, index: str, changes: Mapping[str, Any]) -> dict[str, Any]: ...

    def delete_index(self, index: str) -> None: ...

    def runs(self) -> list[RunCard]: ...

    def run(self, name: str) -> RunCard: ...

    def stop_run(self, name: str) -> None: ...

    def run_pages(self, name: str, prefix: str, limit: int | None) -> Iterator[dict[str, Any]]: ...

    def close(self) -> None: ...
