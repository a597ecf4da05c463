"""Jobs of the search site: processes of the `gossamer` command on the same home."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import tomli_w

from gossamer.app.home import Home
from gossamer.app.index_folders import check_index_name
from gossamer.app.indexes import Indexes
from gossamer.config import (
    CATALOGUE_VARIABLE,
    HOME_VARIABLE,
    PROGRESS_VARIABLE,
    crawl_settings,
    index_settings,
    rank_settings,
)
from gossamer.errors import NotAllowed, UsageError
from gossamer.jobs import JobKeeper, JobStatus
from gossamer.server.contract import BuildOrder, CrawlOrder, Job, JobState, RankOrder
from gossamer.storage.jobs import JobRecords

_MODES = ("continue", "new", "resume", "refresh")
_FILES = ("seed_files", "block_lists", "plugins", "synonyms", "unsafe_list", "dictionary")
"""Settings that name files of this machine, or run code on it: not for whoever comes by the web."""
_INWARD = ("allow_private", "local_hosts", "resolve", "proxies")
"""Settings that lead a crawl into a private network."""


class HomeJobs:
    """Jobs as processes of the `gossamer` command on the same home."""

    def __init__(self, home: Home, catalogue: str) -> None:
        self._home = home
        self._indexes = Indexes(home)
        self._folder = home.path / "jobs"
        self._keeper = JobKeeper(JobRecords(home.catalogue.database), self._folder)
        self._environment = {HOME_VARIABLE: str(home.path.absolute()), PROGRESS_VARIABLE: "1"}
        if catalogue:
            self._environment[CATALOGUE_VARIABLE] = catalogue

    def start_crawl(self, order: CrawlOrder, by: str) -> Job:
        settings = crawl_settings(order.settings, {})  # what is wrong is told now
        if order.mode not in _MODES:
            raise UsageError(f"The mode of a crawl is one of: {', '.join(_MODES)}.")
        if not settings.seeds:
            raise UsageError("There is nothing to start from: 'seeds' is empty.")
        refuse_files(order.settings)
        is_inward = any(order.settings.get(name) for name in _INWARD)
        is_folder = any(not _is_web_address(seed) for seed in settings.seeds)
        if (is_inward or is_folder) and not order.may_go_inward:
            raise NotAllowed(
                "Folders of the server and private networks are crawled by administrators alone."
            )
        file = self._written("crawler", {"crawl": dict(order.settings)})
        mode = () if order.mode == "continue" else (f"--{order.mode}",)
        subject = settings.name or settings.seeds[0]
        return self._started("crawl", subject, ("crawl", "--crawler", str(file), *mode), by)

    def start_build(self, index: str, order: BuildOrder, by: str) -> Job:
        check_index_name(index)
        if not order.runs:
            self._indexes.info(index)
            return self._started("index update", index, ("index", "update", index), by)
        for run in order.runs:
            self._home.record(run)
        index_settings(order.settings, {})
        refuse_files(order.settings)
        file = self._written("index", {"index": dict(order.settings)})
        runs = [word for run in order.runs for word in ("--from", run)]
        reset = ("--reset",) if order.reset else ()
        arguments = ("index", "build", index, *runs, "--config", str(file), *reset)
        return self._started("index build", index, arguments, by)

    def start_drop_changes(self, index: str, ids: Sequence[str], allow_empty: bool, by: str) -> Job:
        self._indexes.folder_of(index)
        option = ("--allow-empty",) if allow_empty else ()
        # Behind '--', so that no id can be taken for an option.
        arguments = ("index", "drop-changes", "--yes", *option, "--", index, *ids)
        return self._started("index drop-changes", index, arguments, by)

    def start_rank(self, order: RankOrder, by: str) -> Job:
        if not order.runs:
            raise UsageError("Ranks are computed of runs: 'runs' is empty.")
        names = [self._home.record(run).name for run in order.runs]
        rank_settings(order.settings, {})
        file = self._written("rank", {"rank": dict(order.settings)})
        arguments = ("rank", "compute", "--config", str(file), *names)
        return self._started("rank", ", ".join(names), arguments, by)

    def _written(self, kind: str, tables: Mapping[str, Any]) -> Path:
        """The settings as a file, so that none of them can be taken for an option."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(
            "wb", prefix=f"{kind}-", suffix=".toml", dir=self._folder, delete=False
        ) as file:
            tomli_w.dump(tables, file)
            return Path(file.name)

    def _started(self, kind: str, subject: str, arguments: Sequence[str], by: str) -> Job:
        return _job(self._keeper.start(kind, subject, arguments, by, self._environment))

    def stop(self, job: int) -> Job:
        return _job(self._keeper.stop(job))

    def job(self, job: int) -> Job:
        return _job(self._keeper.status(job))

    def jobs(self, limit: int, before: int = 0) -> list[Job]:
        return [_job(status) for status in self._keeper.statuses(limit, before)]

    def log(self, job: int, start: int = 0, most: int = 100_000) -> bytes:
        return self._keeper.log(job, start, most)


def _job(status: JobStatus) -> Job:
    record = status.record
    if status.is_running:
        state = JobState.RUNNING
    elif record.exit_code is None or record.exit_code < 0:
        state = JobState.KILLED
    else:
        state = JobState.DONE if record.exit_code == 0 else JobState.FAILED
    return Job(
        id=record.id,
        kind=record.kind,
        subject=record.subject,
        arguments=record.arguments,
        state=state,
        started_by=record.started_by,
        created_at=record.created_at,
        ended_at=record.ended_at,
        pid=record.pid if status.is_running else 0,
        exit_code=record.exit_code,
        result=record.result,
    )


def refuse_files(settings: Mapping[str, Any]) -> None:
    for name in _FILES:
        if settings.get(name):
            raise NotAllowed(
                f"'{name}' names files of the server: it is set on the command line alone."
            )


def _is_web_address(seed: str) -> bool:
    scheme, colon, _ = seed.partition("://")
    return scheme in ("http", "https") if colon else not seed.startswith(("/", ".", "~"))
