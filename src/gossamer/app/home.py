"""A folder that holds everything: which runs there are, who works on one, and its pages."""

import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from gossamer.app.standard_input import LISTS
from gossamer.config import CrawlSettings, catalogue_address
from gossamer.crawl.content_encoding import decode_body
from gossamer.crawl.lookup import known_state
from gossamer.errors import FormatError, RankHeld, RunError, RunHeld, StorageError
from gossamer.lib.locks import FileLock
from gossamer.records import Exclusion, Outcome
from gossamer.roles import RunFolder
from gossamer.storage.catalogue import Catalogue, Run, RunState
from gossamer.storage.objects import LocalObjects
from gossamer.urls import KeyRules, Url, from_href, parse

if TYPE_CHECKING:
    from gossamer.storage.pages import PageStore

_STOP_WAIT_SECONDS = 60.0
_LOCAL_HOSTS = "local_hosts.json"
_LARGEST_PAGE = 1 << 30
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


class Home:
    """The catalogue, and a folder for each run."""

    def __init__(self, path: Path, catalogue: str = "") -> None:
        """`catalogue`: the URL of its database; '' for the usual one."""
        self.path = path
        self.catalogue = Catalogue(catalogue or catalogue_address(path))

    def make(self) -> None:
        try:
            (self.path / "runs").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{self.path} cannot be made: {error.strerror}.") from error

    def _exists(self) -> bool:
        return self.catalogue.exists()

    def folder(self, run: str) -> RunFolder:
        return RunFolder(self.path / "runs" / run)

    def crawler_folder(self, crawler: str) -> Path:
        """What is remembered for all runs of a crawler, those to come too."""
        return self.path / "crawlers" / crawler

    # Hosts of this machine

    def local_hosts(self) -> dict[str, str]:
        """Return the hosts that are served on this machine for this home, each with its address:
        all runs of the home may crawl them."""
        path = self.path / _LOCAL_HOSTS
        try:
            return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
        except FileNotFoundError:
            return {}
        except msgspec.DecodeError as error:
            raise FormatError(
                f"{path} is damaged ({error}): remove it, or run 'gossamer demo' again."
            ) from None

    def set_local_hosts(self, hosts: Mapping[str, str]) -> None:
        self.make()
        data = msgspec.json.format(msgspec.json.encode(hosts), indent=1)
        LocalObjects(self.path).put(_LOCAL_HOSTS, data)

    def with_local_hosts(self, settings: CrawlSettings) -> CrawlSettings:
        """Return the settings of a crawl with the local hosts of this home, at the addresses that
        they have now."""
        both = settings.local_hosts | self.local_hosts()
        return settings.model_copy(update={"local_hosts": both})

    # Runs

    def runs(self) -> list[RunInfo]:
        return [self._info(run) for run in self.catalogue.runs()] if self._exists() else []

    def run(self, name: str) -> RunInfo:
        return self._info(self.record(name))

    def record(self, name: str) -> Run:
        if not self._exists():
            raise RunError(f"{self.path} is empty. Start with 'gossamer crawl URL'.")
        return self.catalogue.run(name)

    def _info(self, run: Run) -> RunInfo:
        state, reason, pid = run.state, run.reason, run.pid
        if state in _OPEN_STATES and FileLock(self.folder(run.name).lock).holder() is None:
            state, reason, pid = RunState.FAILED, "its process was killed; resume it to continue", 0
        return RunInfo(
            *(run.name, run.crawler, run.number, state.value, reason, run.seeds),
            *(run.created_at, run.started_at, run.ended_at, pid),
            *(run.statistics, run.settings),
        )

    @contextmanager
    def held(self, run: str) -> Iterator[RunFolder]:
        """The right to write to a run: one process at a time."""
        folder = self.folder(run)
        lock = FileLock(folder.lock)
        folder.frontier.mkdir(parents=True, exist_ok=True)
        if not lock.acquire():
            raise RunHeld(
                f"Process {lock.holder()} is working on '{run}'. Wait for it, or stop it with "
                f"'gossamer run stop {run}'."
            )
        try:
            yield folder
        finally:
            lock.release()

    def stop(self, run: str) -> None:
        """Ask the process that works on the run to stop, and wait until it has."""
        name = self.ask_to_stop(run)
        lock = FileLock(self.folder(name).lock)
        deadline = time.monotonic() + _STOP_WAIT_SECONDS
        while (pid := lock.holder()) is not None:
            if time.monotonic() > deadline:
                raise RunError(
                    f"'{name}' (process {pid}) is still stopping. Try again in a moment."
                )
            time.sleep(0.05)

    def ask_to_stop(self, run: str) -> str:
        """The same without waiting; gives the name of the run."""
        name = self.record(run).name
        folder = self.folder(name)
        if FileLock(folder.lock).holder() is None:
            raise RunError(f"'{name}' is not running.")
        folder.control.write_text("stop\n")
        return name

    def delete(self, run: str) -> None:
        record = self.record(run)
        with self.held(record.name) as folder:
            self.catalogue.delete(record.name)
            shutil.rmtree(folder.path, ignore_errors=True)
        self.remove_unused_lists(record.settings.get("block_lists", ()))
        self._forget_ranks()

    def remove_unused_lists(self, paths: Iterable[str]) -> None:
        """Remove those of these lists that were stored from standard input and no run names."""
        named = {path for run in self.runs() for path in run.settings.get("block_lists", ())}
        for path in set(paths) - named:
            if Path(path).parent == (self.path / LISTS).absolute():
                Path(path).unlink(missing_ok=True)

    def _forget_ranks(self) -> None:
        """Those of runs that are no more. Where somebody computes ranks, that is done next time."""
        path = self.path / "ranks"
        if not path.exists():
            return
        from gossamer.graph.store import RankStore

        store = RankStore(path)
        with suppress(RankHeld), store.writing():
            store.forget_runs(frozenset(run.name for run in self.catalogue.runs()))

    # Pages

    def store(self, run: Run) -> "PageStore":
        # Arrow takes a while to import: commands that show no pages need not wait for it.
        from gossamer.storage.objects import LocalObjects
        from gossamer.storage.pages import PageStore

        return PageStore(LocalObjects(self.folder(run.name).path))

    def pages(
        self, run: str, url_prefix: str = "", limit: int | None = None
    ) -> Iterator[dict[str, Any]]:
        return self.store(self.record(run)).pages(url_prefix, limit)

    def page(self, run: str, url: str) -> dict[str, Any]:
        record = self.record(run)
        store = self.store(record)
        wanted = typed_url(record, url)
        row = store.find(wanted)
        if row is None:
            known = self._known(record, wanted)
            raise RunError(f"{url} is not among the published pages of '{run}': {known}.")
        return {**row, "aliases": [alias["url"] for alias in store.aliases(row["url"])]}

    def _known(self, run: Run, url: Url) -> str:
        """What the frontier knows of a URL that has no page."""
        state = known_state(self.folder(run.name).frontier.glob("queue-*.db"), url)
        if state is None:
            return "it was never found"
        if isinstance(state, Exclusion):
            return f"it was found, but excluded ({state}); 'gossamer why' explains it"
        if isinstance(state, Outcome):
            return f"it was visited ({state}), and will be published with the next segment"
        return "it is queued or being fetched"

    def page_links(self, run: str, url: str) -> list[dict[str, Any]]:
        return self.store(self.record(run)).links(self.page(run, url)["url"])

    def page_html(self, run: str, url: str) -> str:
        from gossamer.extract.decode import decode

        row = self.page(run, url)
        raw = self.store(self.record(run)).raw(row)
        if raw is None:
            raise RunError(f"'{run}' did not store {url} as received (setting 'keep_raw').")
        encodings = [value for name, value in raw.headers if name.lower() == "content-encoding"]
        body = decode_body(raw.body, encodings, _LARGEST_PAGE).body
        return decode(body, row["charset"])[0]


def settings_of(run: Run) -> CrawlSettings:
    return CrawlSettings.model_validate(run.settings)


def typed_url(run: Run, text: str) -> Url:
    """An address that a person typed, as the run knows it."""
    return parse(text, KeyRules.of(settings_of(run)))


def stored_url(run: Run) -> Callable[[str], Url]:
    """Reads an href that the run has stored, as the run knows it."""
    rules = KeyRules.of(settings_of(run))
    return lambda href: from_href(href, rules)
