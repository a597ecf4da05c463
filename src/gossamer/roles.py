"""A run as the processes that work on it know it: where its files lie, and which roles it has.

Kept apart from `workers`, so that a process which only starts workers imports none of their
libraries.
"""

from pathlib import Path

from msgspec import Struct, msgpack

from gossamer.config import CrawlSettings
from gossamer.crawl.queue_role import queue_name
from gossamer.crawl.roller_role import ROLLER
from gossamer.runtime.contract import RoleSpec

WORKERS = "gossamer.workers"
"""The module that makes the roles."""


class RunFolder:
    """Where a run's files lie."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def frontier(self) -> Path:
        return self.path / "frontier"

    @property
    def lock(self) -> Path:
        return self.path / "run.lock"

    @property
    def control(self) -> Path:
        """Written by other processes to say what they want of the one that works on the run."""
        return self.path / "control"

    def journal(self, server: int) -> Path:
        return self.frontier / f"{queue_name(server)}.db"

    def mark(self, fetcher: str) -> Path:
        return self.frontier / f"{fetcher.partition('.')[0]}.mark"


class WorkerSettings(Struct, frozen=True):
    folder: str
    run: str
    number: int
    fetcher: str  # its number and incarnation: leases are bound to it
    settings: str  # CrawlSettings as JSON

    @property
    def crawl(self) -> CrawlSettings:
        return CrawlSettings.model_validate_json(self.settings)


class WorkerSpecs:
    """The roles of one run."""

    def __init__(self, folder: RunFolder, run: str, settings: CrawlSettings) -> None:
        self._folder = folder
        self._run = run
        self._settings = settings.model_dump_json()

    def _spec(self, name: str, factory: str, number: int = 0, fetcher: str = "") -> RoleSpec:
        values = WorkerSettings(str(self._folder.path), self._run, number, fetcher, self._settings)
        return RoleSpec(name, f"{WORKERS}:{factory}", msgpack.encode(values))

    def queue(self, number: int) -> RoleSpec:
        return self._spec(queue_name(number), "queue_role", number)

    def fetcher(self, number: int, incarnation: int) -> RoleSpec:
        name = f"fetcher-{number}"
        return self._spec(name, "fetcher_role", number, f"{name}.{incarnation}")

    def roller(self) -> RoleSpec:
        return self._spec(ROLLER, "roller_role")
