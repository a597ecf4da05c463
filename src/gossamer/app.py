"""The composition root: what a person can ask for, and which implementations do it."""

import asyncio
import os
import resource
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from gossamer.advice import advice
from gossamer.config import CrawlSettings
from gossamer.crawl.content_encoding import decode_body
from gossamer.crawl.coordinator import Coordinator, End, Plan, Progress
from gossamer.crawl.inflight import marked
from gossamer.crawl.lookup import known_state
from gossamer.errors import RunError, RunHeld, SettingsError, StorageError
from gossamer.lib.locks import FileLock
from gossamer.records import Exclusion, Item, Link, Outcome
from gossamer.roles import WORKERS, RunFolder, WorkerSpecs
from gossamer.runtime.contract import Runtime
from gossamer.runtime.local import LocalRuntime
from gossamer.runtime.processes import ProcessRuntime
from gossamer.storage.catalogue import Catalogue, Run, RunState
from gossamer.urls import parse

if TYPE_CHECKING:
    from gossamer.storage.pages import PageStore

__all__ = ["Home", "Progress", "Report", "RunInfo", "crawl", "resume"]

Mode = Literal["continue", "new", "resume"]

_SAVE_EVERY_SECONDS = 2.0
_STOP_WAIT_SECONDS = 60.0
_LARGEST_PAGE = 1 << 30
_LIMITS = ("max_pages", "max_documents", "max_seconds", "max_depth", "max_bytes_per_host")
_OPEN_STATES = frozenset({RunState.RUNNING, RunState.PAUSED, RunState.STOPPING})


class RunInfo(Struct, frozen=True):
    name: str
    crawler: str
    number: int
    state: str
    reason: str
    seeds: tuple[str, ...]
    created_at: float
    started_at: float
    ended_at: float
    pid: int
    statistics: dict[str, float]
    settings: dict[str, Any]


class Report(Struct, frozen=True):
    run: str
    state: str
    reason: str
    elapsed_seconds: float
    cpu_seconds: float
    statistics: dict[str, float]
    advice: list[str]


class Home:
    """A folder that holds everything: the catalogue, and a folder for each run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.catalogue = Catalogue(f"sqlite:///{path.absolute() / 'catalogue.db'}")

    def make(self) -> None:
        try:
            (self.path / "runs").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{self.path} cannot be made: {error.strerror}.") from error

    def _exists(self) -> bool:
        return (self.path / "catalogue.db").exists()

    def folder(self, run: str) -> RunFolder:
        return RunFolder(self.path / "runs" / run)

    # Runs

    def runs(self) -> list[RunInfo]:
        return [self._info(run) for run in self.catalogue.runs()] if self._exists() else []

    def run(self, name: str) -> RunInfo:
        return self._info(self.record(name))

    def record(self, name: str) -> Run:
        if not self._exists():
            raise RunError(f"There is nothing in {self.path} yet: 'gossamer crawl URL' starts.")
        return self.catalogue.run(name)

    def _info(self, run: Run) -> RunInfo:
        state, reason, pid = run.state, run.reason, run.pid
        if state in _OPEN_STATES and FileLock(self.folder(run.name).lock).holder() is None:
            state, reason, pid = RunState.FAILED, "its process was killed; resume it", 0
        return RunInfo(
            *(run.name, run.crawler, run.number, state.value, reason, run.seeds),
            *(run.created_at, run.started_at, run.ended_at, pid),
            *(run.statistics, run.settings),
        )

    def stop(self, run: str) -> None:
        """Ask the process that works on the run to stop, and wait until it has."""
        name = self.record(run).name
        folder = self.folder(name)
        lock = FileLock(folder.lock)
        if lock.holder() is None:
            raise RunError(f"'{name}' is not running.")
        folder.control.write_text("stop\n")
        deadline = time.monotonic() + _STOP_WAIT_SECONDS
        while (pid := lock.holder()) is not None:
            if time.monotonic() > deadline:
                raise RunError(f"'{name}' (process {pid}) has not stopped yet; it will soon.")
            time.sleep(0.05)

    def delete(self, run: str) -> None:
        name = self.record(run).name
        with _held(self.folder(name)):
            self.catalogue.delete(name)
            shutil.rmtree(self.folder(name).path, ignore_errors=True)

    # Pages

    def _store(self, run: str) -> "PageStore":
        # Arrow takes a while to import: commands that show no pages need not wait for it.
        from gossamer.storage.objects import LocalObjects
        from gossamer.storage.pages import PageStore

        return PageStore(LocalObjects(self.folder(self.record(run).name).path))

    def pages(
        self, run: str, url_prefix: str = "", limit: int | None = None
    ) -> Iterator[dict[str, Any]]:
        return self._store(run).pages(url_prefix, limit)

    def page(self, run: str, url: str) -> dict[str, Any]:
        store = self._store(run)
        row = store.find(parse(url).href)
        if row is None:
            raise RunError(
                f"{url} is not among the published pages of '{run}': {self._known(run, url)}."
            )
        return {**row, "aliases": [alias["url"] for alias in store.aliases(row["url"])]}

    def _known(self, run: str, url: str) -> str:
        """What the frontier knows of a URL that has no page."""
        folder = self.folder(self.record(run).name)
        state = known_state(sorted(folder.frontier.glob("queue-*.db")), parse(url))
        if state is None:
            return "it was never found"
        if isinstance(state, Exclusion):
            return f"it was found and left out ({state})"
        if isinstance(state, Outcome):
            return f"it was visited ({state}), and will be published with the next segment"
        return "it is waiting in the queue, or being fetched"

    def page_links(self, run: str, url: str) -> list[dict[str, Any]]:
        return self._store(run).links(self.page(run, url)["url"])

    def page_html(self, run: str, url: str) -> str:
        from gossamer.extract.decode import decode

        row = self.page(run, url)
        raw = self._store(run).raw(row)
        if raw is None:
            raise RunError(f"'{run}' did not keep {url} as received (setting 'keep_raw').")
        encodings = [value for name, value in raw.headers if name.lower() == "content-encoding"]
        body = decode_body(raw.body, encodings, _LARGEST_PAGE).body
        return decode(body, row["charset"])[0]


# Crawling


def crawl(
    home: Home,
    settings: CrawlSettings,
    *,
    mode: Mode = "continue",
    on_progress: Callable[[Progress], None],
) -> Report:
    """Start a run, or go on with the newest one of the same crawler."""
    if not settings.seeds:
        raise SettingsError("There is nothing to crawl: give a URL, or 'seeds' in a crawler file.")
    seeds = [parse(seed) for seed in settings.seeds]
    home.make()
    crawler = settings.name or seeds[0].host.replace(":", "-").strip("[]")
    newest = None if mode == "new" else home.catalogue.newest(crawler)
    if mode == "continue" and newest is not None and _came_to_nothing(newest):
        newest = None
    if newest is None:
        if mode == "resume":
            raise RunError(f"There is no run of '{crawler}' to resume.")
        run = home.catalogue.create_run(
            crawler, [seed.href for seed in seeds], settings.model_dump(mode="json")
        )
        return _sit(home, run, settings, on_progress)
    if mode == "continue":
        _check_same_crawl(newest, settings)
    return _go_on(home, newest, settings, on_progress)


def resume(home: Home, name: str, on_progress: Callable[[Progress], None]) -> Report:
    """Go on with a run, with the settings that it has."""
    run = home.record(name)
    return _go_on(home, run, CrawlSettings.model_validate(run.settings), on_progress)


def _check_same_crawl(run: Run, settings: CrawlSettings) -> None:
    before = CrawlSettings.model_validate(run.settings)
    if _hrefs(before.seeds) != _hrefs(settings.seeds):
        changed = "other seeds"
    elif before.scope != settings.scope:
        changed = "another scope"
    else:
        return
    raise RunError(
        f"'{run.name}' was made with {changed}: --new starts another run, "
        f"--resume goes on with this one and the changed settings."
    )


def _hrefs(seeds: Sequence[str]) -> set[str]:
    return {parse(seed).href for seed in seeds}


def _came_to_nothing(run: Run) -> bool:
    """Whether no server answered: then the same command tries again from the start."""
    return run.state is RunState.FINISHED and not run.statistics.get("pages")


def _go_on(
    home: Home, run: Run, settings: CrawlSettings, on_progress: Callable[[Progress], None]
) -> Report:
    before = CrawlSettings.model_validate(run.settings)
    if run.state is RunState.FINISHED and not _reaches_further(before, settings):
        return Report(
            run=run.name,
            state=run.state.value,
            reason=f"{run.reason}. To crawl it again, use --new",
            elapsed_seconds=run.statistics.get("elapsed_seconds", 0.0),
            cpu_seconds=0.0,
            statistics=run.statistics,
            advice=[],
        )
    return _sit(home, run, settings, on_progress)


def _reaches_further(before: CrawlSettings, after: CrawlSettings) -> bool:
    """Whether a finished run has something to do under the new settings."""
    for name in _LIMITS:
        old, new = getattr(before, name), getattr(after, name)
        unlimited = None if name == "max_depth" else 0
        if old != unlimited and (new == unlimited or new > old):
            return True
    return after.seeds != before.seeds or after.scope != before.scope


@contextmanager
def _held(folder: RunFolder) -> Iterator[None]:
    """The right to write to a run: one process at a time."""
    lock = FileLock(folder.lock)
    folder.frontier.mkdir(parents=True, exist_ok=True)
    if not lock.acquire():
        name = folder.path.name
        raise RunHeld(
            f"Process {lock.holder()} works on '{name}': wait for it, or stop it with "
            f"'gossamer run stop {name}'."
        )
    try:
        yield
    finally:
        lock.release()


def _sit(
    home: Home, run: Run, settings: CrawlSettings, on_progress: Callable[[Progress], None]
) -> Report:
    """One sitting of a run, from start to stop."""
    folder = home.folder(run.name)
    with _held(folder):
        folder.control.unlink(missing_ok=True)
        home.catalogue.update(
            run.id,
            state=RunState.RUNNING,
            pid=os.getpid(),
            started_at=time.time(),
            reason="",
            settings=settings.model_dump(mode="json"),
        )
        try:
            end = asyncio.run(_conduct(home, run, settings, on_progress))
        except BaseException as error:
            state, reason = RunState.FAILED, str(error)
            if isinstance(error, asyncio.CancelledError):
                state, reason = RunState.STOPPED, "stopped at once by the user"
            home.catalogue.update(run.id, state=state, pid=0, ended_at=time.time(), reason=reason)
            raise
        home.catalogue.update(
            run.id,
            state=RunState(end.state),
            pid=0,
            ended_at=time.time(),
            reason=end.reason,
            statistics=end.statistics,
        )
    return Report(
        run=run.name,
        state=end.state,
        reason=end.reason,
        elapsed_seconds=end.statistics["elapsed_seconds"],
        cpu_seconds=_cpu_seconds(),
        statistics=end.statistics,
        advice=advice(end.statistics, settings),
    )


async def _conduct(
    home: Home, run: Run, settings: CrawlSettings, on_progress: Callable[[Progress], None]
) -> End:
    folder = home.folder(run.name)
    _fit_queue_servers(folder, settings)
    specs = WorkerSpecs(folder, run.name, settings)
    runtime: Runtime = ProcessRuntime([WORKERS]) if settings.processes else LocalRuntime()
    saved = 0.0

    def save(statistics: dict[str, float], note: str) -> None:
        nonlocal saved
        if time.monotonic() - saved >= _SAVE_EVERY_SECONDS:
            saved = time.monotonic()
            state = RunState.PAUSED if note.startswith("paused") else RunState.RUNNING
            with suppress(StorageError):  # of a full disk the note tells, and it may pass
                home.catalogue.update(run.id, statistics=statistics, state=state, reason=note)

    def processing(fetcher: str) -> tuple[tuple[int, int], ...]:
        paths = [folder.mark(fetcher)] if fetcher else sorted(folder.frontier.glob("*.mark"))
        return tuple(mark for path in paths if (mark := marked(path)) is not None)

    coordinator = Coordinator(
        Plan(
            run=run.name,
            settings=settings,
            seeds=tuple(_seed_link(seed) for seed in settings.seeds),
            queue_spec=specs.queue,
            fetcher_spec=specs.fetcher,
            roller_spec=specs.roller,
            processing=processing,
            free_bytes=lambda: shutil.disk_usage(folder.path).free,
            stop_asked=folder.control.exists,
            on_progress=on_progress,
            on_statistics=save,
            elapsed_before=run.statistics.get("elapsed_seconds", 0.0),
            min_free_bytes=settings.min_free_bytes,
        ),
        runtime,
    )
    _stop_on_signals(coordinator)
    try:
        return await coordinator.run()
    finally:
        await runtime.close()


def _fit_queue_servers(folder: RunFolder, settings: CrawlSettings) -> None:
    if not folder.journal(0).exists():
        return
    servers = len(list(folder.frontier.glob("queue-*.db")))
    if servers == settings.queue_servers and not (folder.frontier / "old").exists():
        return
    from gossamer.crawl.resharding import reshard
    from gossamer.storage.manifest import Manifest
    from gossamer.storage.objects import LocalObjects

    published = Manifest.load(LocalObjects(folder.path)).watermarks
    reshard(folder.frontier, lambda server: folder.journal(server).name, settings, published)


def _seed_link(seed: str) -> Link:
    url = parse(seed)
    return Link(Item(url.href, url.site_hash, url.key, depth=0))


def _stop_on_signals(coordinator: Coordinator) -> None:
    """The first Ctrl-C finishes what is in flight; the second ends at once, and loses nothing
    that was committed."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None

    def on_signal() -> None:
        if coordinator.is_stopping:
            task.cancel()
        coordinator.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, on_signal)


def _cpu_seconds() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(usage.ru_utime + usage.ru_stime for usage in usages), 3)
