"""What a person can ask for: begin an import, or go on with one."""

import asyncio
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct, msgpack

from gossamer.app import Home, Report
from gossamer.app.home import settings_of
from gossamer.app.minutes import Minutes, minutes, report_of_finished, stop_on_signals
from gossamer.config import CrawlSettings
from gossamer.crawl.inflight import marked
from gossamer.crawl.preflight import check_settings
from gossamer.errors import RunError, UsageError
from gossamer.importing.archives import shape_of
from gossamer.importing.conductor import Conductor, ImportPlan, ImportProgress
from gossamer.importing.ledger import Archive, ArchiveState, BrokenPlace, Ledger
from gossamer.importing.worker import ImporterSettings
from gossamer.roles import WORKERS, RunFolder, WorkerSpecs
from gossamer.runtime.contract import RoleSpec, Runtime
from gossamer.runtime.local import LocalRuntime
from gossamer.runtime.processes import ProcessRuntime
from gossamer.storage.catalogue import Run, RunState

_WORKER = "gossamer.importing.worker"
_LEDGER = "import.db"
_MOST_BROKEN_TOLD = 1_000
_FILES_NAMED = 20
_PACKING_ENDINGS = re.compile(r"\.(warc|gz|zst|lz4|wet|wat)$", re.IGNORECASE)

OnProgress = Callable[[ImportProgress], None]


class Imported(Struct, frozen=True):
    report: Report
    broken: list[BrokenPlace]  # the first ones; the statistics tell how many there are


def is_import(home: Home, name: str) -> bool:
    return (home.folder(home.record(name).name).path / _LEDGER).exists()


def import_files(
    home: Home,
    files: Sequence[Path],
    settings: CrawlSettings,
    *,
    new: bool = False,
    on_progress: OnProgress,
) -> Imported:
    """Make a run of WARC files, or go on with the newest one that was made of the same files."""
    if not files:
        raise UsageError("No file given. Name a WARC file.")
    check_settings(settings)
    archives = _archives(files)
    # What is in a file has been fetched: nothing that keeps a crawl within bounds is asked.
    settings = settings.model_copy(update={"scope": "anywhere", "seeds": (), "traps": False})
    home.make()
    crawler = settings.name or name_of(Path(archives[0].path))
    newest = None if new else home.catalogue.newest(crawler)
    if newest is None:
        named = [archive.path for archive in archives[:_FILES_NAMED]]
        if len(archives) > _FILES_NAMED:
            named.append(f"and {len(archives) - _FILES_NAMED:,} more files")
        run = home.catalogue.create_run(crawler, named, settings.model_dump(mode="json"))
        return _sit(home, run, settings, archives, on_progress)
    if not is_import(home, newest.name):
        if newest.state is RunState.CREATED and not newest.started_at:
            return _sit(home, newest, settings, archives, on_progress)
        raise RunError(f"'{newest.name}' is not an import: choose another --name, or --new.")
    return _go_on(home, newest, settings, archives, on_progress)


def resume(home: Home, name: str, on_progress: OnProgress) -> Imported:
    """Go on with an import, with the settings and the files that it has."""
    run = home.record(name)
    return _go_on(home, run, settings_of(run), None, on_progress)


def name_of(path: Path) -> str:
    """The name of a run that is made of this file."""
    name = path.name
    while (shorter := _PACKING_ENDINGS.sub("", name)) != name:
        name = shorter
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")
    return name[:100] or "import"


def _archives(files: Sequence[Path]) -> list[Archive]:
    """All of them are looked at before anything is done: every fault is told at once."""
    found: dict[str, Archive] = {}
    faults = []
    for file in files:
        try:
            shape = shape_of(file)
            path = file.resolve()
            stat = path.stat()
            found[str(path)] = Archive(str(path), stat.st_size, stat.st_mtime_ns, shape)
        except UsageError as error:
            faults.append(str(error))
        except (OSError, UnicodeError) as error:
            faults.append(f"'{file}' cannot be read: {error}.")
    if faults:
        raise UsageError("\n".join(faults[:20]))
    return list(found.values())


def _go_on(
    home: Home,
    run: Run,
    settings: CrawlSettings,
    archives: list[Archive] | None,
    on_progress: OnProgress,
) -> Imported:
    with home.held(run.name) as folder, _opened(folder) as ledger:
        known = ledger.files()
        broken = ledger.broken(_MOST_BROKEN_TOLD)
        if (
            known
            and archives is not None
            and {one.path for one in archives} != {one.archive.path for one in known}
        ):
            raise RunError(
                f"'{run.name}' was made from other files. To make another run, use --new."
            )
    if run.state is RunState.FINISHED:
        report = report_of_finished(run, "To import it again, use --new")
        return Imported(report, broken)
    # Without files, it was killed before it had noted them.
    return _sit(home, run, settings, None if known else archives, on_progress)


def _unchanged(known: Sequence[ArchiveState]) -> None:
    for one in known:
        archive = one.archive
        try:
            stat = Path(archive.path).stat()
        except OSError as error:
            reason = error.strerror or error
            raise RunError(f"'{archive.path}' cannot be read any more: {reason}.") from None
        if (stat.st_size, stat.st_mtime_ns) != (archive.bytes, archive.changed):
            raise RunError(
                f"'{archive.path}' has changed since the import began. Use --new to import it "
                f"again."
            )


@contextmanager
def _opened(folder: RunFolder) -> Iterator[Ledger]:
    ledger = Ledger(folder.path / _LEDGER)
    try:
        yield ledger
    finally:
        ledger.close()


@contextmanager
def _begun(home: Home, run: Run, settings: CrawlSettings, folder: RunFolder) -> Iterator[Ledger]:
    """What was taken down from earlier runs of the same name is known before anything is read."""
    if not (folder.path / _LEDGER).exists() and home.crawler_folder(run.crawler).exists():
        from gossamer.app.takedowns import keep_promises

        keep_promises(home, run, folder, settings)
    with _opened(folder) as ledger:
        yield ledger


def _sit(
    home: Home,
    run: Run,
    settings: CrawlSettings,
    archives: list[Archive] | None,
    on_progress: OnProgress,
) -> Imported:
    """One sitting of an import, from start to stop."""
    with home.held(run.name) as folder, _begun(home, run, settings, folder) as ledger:
        if archives is not None:
            ledger.add_files(archives)
        _unchanged(ledger.files())
        _sweep(folder, ledger)
        with minutes(home, run, settings) as written:
            is_done, statistics = asyncio.run(
                _conduct(home, run, settings, ledger, written, on_progress)
            )
        state = RunState.FINISHED if is_done else RunState.STOPPED
        reason = _why_finished(statistics) if is_done else "stopped by the user"
        report = written.close(state, reason, statistics)
        return Imported(report, ledger.broken(_MOST_BROKEN_TOLD))


def _sweep(folder: RunFolder, ledger: Ledger) -> None:
    """What an earlier sitting has left half-done."""
    # Arrow takes a while to import: an import that is refused need not wait for it.
    from gossamer.storage.objects import LocalObjects
    from gossamer.storage.staging import sweep_staging

    objects = LocalObjects(folder.path)
    objects.sweep()
    sweep_staging(objects, ledger.staged())


async def _conduct(
    home: Home,
    run: Run,
    settings: CrawlSettings,
    ledger: Ledger,
    written: Minutes,
    on_progress: OnProgress,
) -> tuple[bool, dict[str, float]]:
    folder = home.folder(run.name)
    runtime: Runtime = ProcessRuntime([WORKERS, _WORKER]) if settings.processes else LocalRuntime()
    text = settings.model_dump_json()

    def worker_spec(number: int) -> RoleSpec:
        name = f"importer-{number}"
        values = ImporterSettings(str(folder.path), name, text)
        return RoleSpec(name, f"{_WORKER}:importer_role", msgpack.encode(values))

    conductor = Conductor(
        ImportPlan(
            run=run.name,
            settings=settings,
            worker_spec=worker_spec,
            roller_spec=WorkerSpecs(folder, run.name, settings).roller,
            processing=lambda worker: marked(folder.mark(f"importer-{worker}")),
            free_bytes=lambda: shutil.disk_usage(folder.path).free,
            stop_asked=folder.control.exists,
            on_progress=on_progress,
            on_statistics=written.save,
            elapsed_before=run.statistics.get("elapsed_seconds", 0.0),
        ),
        ledger,
        runtime,
    )
    stop_on_signals(conductor)
    try:
        is_done = await conductor.run()
    finally:
        await runtime.close()
    return is_done, conductor.statistics


def _why_finished(statistics: dict[str, float]) -> str:
    if statistics.get("pages"):
        return "all records have been imported"
    return "the files contain no pages"
