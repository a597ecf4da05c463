"""One sitting of a run, from start to stop: a new run, or one that goes on."""

import asyncio
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from gossamer.advice import advice, failed_pages
from gossamer.app.home import Home, settings_of
from gossamer.app.journals import fit_queue_servers, ledgers_of
from gossamer.app.minutes import Minutes, Report, minutes, report_of_finished, stop_on_signals
from gossamer.app.reconsidering import are_others, ask_to_reconsider, reconsider_if_asked
from gossamer.app.rounds import ask_for_round, revisits, wanted_round
from gossamer.app.standard_input import store_list
from gossamer.config import STANDARD_INPUT, CrawlSettings, blaming
from gossamer.crawl.coordinator import Coordinator
from gossamer.crawl.files import FolderPatterns
from gossamer.crawl.forgotten import ForgottenUrls
from gossamer.crawl.inflight import marked
from gossamer.crawl.plan import End, Plan, Progress
from gossamer.crawl.preflight import check_settings
from gossamer.crawl.seeds import (
    Collected,
    batches,
    collected,
    crawler_name,
    settled,
    shown,
    web_seeds,
)
from gossamer.errors import RunError, SettingsError
from gossamer.records import Exclusion, Item, Link
from gossamer.roles import WORKERS, RunFolder, WorkerSpecs
from gossamer.runtime.contract import Runtime
from gossamer.runtime.local import LocalRuntime
from gossamer.runtime.processes import ProcessRuntime
from gossamer.storage.catalogue import Run, RunState
from gossamer.storage.manifest import Manifest
from gossamer.storage.objects import LocalObjects
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import KeyRules, Url, parse

Mode = Literal["continue", "new", "resume", "refresh"]

_LIMITS = ("max_pages", "max_documents", "max_seconds", "max_depth", "max_bytes_per_host")


def _with_stored_lists(home: Home, settings: CrawlSettings) -> CrawlSettings:
    """A block list from standard input is stored in the home: the run goes on with it."""
    names = (*settings.seed_files, *settings.block_lists)
    if names.count(STANDARD_INPUT) > 1:
        raise SettingsError("Standard input ('-') can be read once: seeds or a block list.")
    if STANDARD_INPUT not in settings.block_lists:
        return settings
    stored = store_list(home.path)
    lists = tuple(stored if name == STANDARD_INPUT else name for name in settings.block_lists)
    return settings.model_copy(update={"block_lists": lists})


def crawl(
    home: Home,
    settings: CrawlSettings,
    *,
    mode: Mode = "continue",
    on_progress: Callable[[Progress], None],
) -> Report:
    """Start a run, or go on with the newest one of the same crawler."""
    if not settings.seeds and not settings.seed_files:
        raise SettingsError("No seeds given. Give an address, or 'seeds' in a crawler file.")
    with blaming("seeds"):
        settings = home.with_local_hosts(settled(settings))
        seeds = [parse(seed) for seed in web_seeds(settings)]
    settings = _with_stored_lists(home, settings)
    try:
        check_settings(settings)
        home.make()
        with collected(settings, home.path) as listed:
            first = seeds[0] if seeds else listed.first
            if first is None:
                raise SettingsError("The folder holds no files.")
            return _crawl(home, settings, crawler_name(settings, first), mode, listed, on_progress)
    except BaseException:
        home.remove_unused_lists(settings.block_lists)
        raise


def _crawl(
    home: Home,
    settings: CrawlSettings,
    crawler: str,
    mode: Mode,
    listed: Collected,
    on_progress: Callable[[Progress], None],
) -> Report:
    newest = None if mode == "new" else home.catalogue.newest(crawler)
    if mode == "continue" and newest is not None and _came_to_nothing(newest):
        newest = None
    if newest is None:
        if mode in ("resume", "refresh"):
            raise RunError(
                f"Crawler '{crawler}' has no run to {mode}. Run the command without --{mode}."
            )
        run = home.catalogue.create_run(crawler, shown(settings), settings.model_dump(mode="json"))
        return _sit(home, run, settings, on_progress, listed)
    _refuse_import(home, newest)
    if mode != "resume":
        _check_same_crawl(newest, settings)
    if mode == "refresh":
        return _refresh(home, newest, settings, on_progress, listed)
    # Whoever asks for it may have changed a list or a plugin, of which we know the name alone.
    return _go_on(home, newest, settings, on_progress, listed, looks_again=mode == "resume")


def resume(home: Home, name: str, on_progress: Callable[[Progress], None]) -> Report:
    """Go on with a run, with the settings that it has."""
    run = home.record(name)
    _refuse_import(home, run)
    settings = home.with_local_hosts(settings_of(run))
    check_settings(settings)
    return _go_on(home, run, settings, on_progress)


def _refuse_import(home: Home, run: Run) -> None:
    if ledgers_of(home.folder(run.name)):
        raise RunError(
            f"'{run.name}' is an import, and cannot be crawled. "
            f"Use --new to start a crawl beside it."
        )


def _check_same_crawl(run: Run, settings: CrawlSettings) -> None:
    before = settings_of(run)
    if _hrefs(before.seeds) != _hrefs(settings.seeds) or before.seed_files != settings.seed_files:
        changed = "other seeds"
    elif before.scope != settings.scope:
        changed = "another scope"
    else:
        return
    raise RunError(
        f"'{run.name}' was made with {changed}. Use --new to start another run, "
        f"or --resume to continue this one with the changed settings."
    )


def _hrefs(seeds: Sequence[str]) -> set[str]:
    return {parse(seed).href for seed in seeds}


def _came_to_nothing(run: Run) -> bool:
    """Whether no server answered: then the same command tries again from the start."""
    return run.state is RunState.FINISHED and not run.statistics.get("pages")


def _go_on(
    home: Home,
    run: Run,
    settings: CrawlSettings,
    on_progress: Callable[[Progress], None],
    listed: Collected | None = None,
    *,
    looks_again: bool = False,
) -> Report:
    before = settings_of(run)
    if KeyRules.of(before) != KeyRules.of(settings):
        raise RunError(
            f"'{run.name}' was made with other address rules (drop_parameters, "
            f"drop_session_ids, index_files). Use --new to start another run."
        )
    has_new_seeds = listed is not None and listed.is_new_to(home.folder(run.name).frontier)
    follows_others = looks_again or are_others(before, settings)
    reaches_further = has_new_seeds or follows_others or _reaches_further(before, settings)
    if run.state is RunState.FINISHED and not reaches_further:
        return report_of_finished(run, "To crawl it again, use --refresh or --new")
    if follows_others:
        with home.held(run.name) as folder:
            ask_to_reconsider(folder)
    return _sit(home, run, settings, on_progress, listed)


def _refresh(
    home: Home,
    run: Run,
    settings: CrawlSettings,
    on_progress: Callable[[Progress], None],
    listed: Collected,
) -> Report:
    """Visit all pages of a finished run again; go on with that where it was interrupted."""
    folder = home.folder(run.name)
    if run.state is RunState.FINISHED:
        with home.held(run.name):
            ask_for_round(folder)
    elif not wanted_round(folder):
        raise RunError(
            f"'{run.name}' is not finished yet. To continue it, run the command without --refresh."
        )
    return _sit(home, run, settings, on_progress, listed)


def _reaches_further(before: CrawlSettings, after: CrawlSettings) -> bool:
    """Whether a finished run has something to do under the new settings."""
    for name in _LIMITS:
        old, new = getattr(before, name), getattr(after, name)
        unlimited = None if name == "max_depth" else 0
        if old != unlimited and (new == unlimited or new > old):
            return True
    return False


def _sit(
    home: Home,
    run: Run,
    settings: CrawlSettings,
    on_progress: Callable[[Progress], None],
    listed: Collected | None = None,
) -> Report:
    """One sitting of a run, from start to stop. `listed`: seeds from lists and folders; without
    them, it goes on with those that it has."""
    with home.held(run.name) as folder:
        if listed is not None:
            listed.hand_over(folder.frontier)
        with minutes(home, run, settings) as written:
            _forget_first(home, run, folder, settings)
            reconsider_if_asked(folder, run, settings)
            # Before the event loop, and before any journal is open: it forks.
            runtime = ProcessRuntime([WORKERS]) if settings.processes else LocalRuntime()
            end = asyncio.run(_conduct(home, run, settings, runtime, written, on_progress))
        return written.close(
            RunState(end.state),
            end.reason,
            end.statistics,
            [*advice(end.statistics, settings), *failed_pages(end.statistics, run.name)],
        )


def _forget_first(home: Home, run: Run, folder: RunFolder, settings: CrawlSettings) -> None:
    """What has to be forgotten goes before anything else is done, and so do old forms of pages.
    Most runs have nothing of the kind, and need not wait for the libraries that it takes."""
    traces = (folder.path / "tombstones", home.crawler_folder(run.crawler))
    if (
        settings.retain_days
        or any(path.exists() for path in traces)
        or Manifest.load(LocalObjects(folder.path)).may_hold_older_forms
    ):
        from gossamer.app.takedowns import keep_promises

        keep_promises(home, run, folder, settings)


async def _conduct(
    home: Home,
    run: Run,
    settings: CrawlSettings,
    runtime: Runtime,
    written: Minutes,
    on_progress: Callable[[Progress], None],
) -> End:
    try:
        coordinator = _coordinator(home, run, settings, runtime, written, on_progress)
        stop_on_signals(coordinator)
        return await coordinator.run()
    finally:
        await runtime.close()


def _coordinator(
    home: Home,
    run: Run,
    settings: CrawlSettings,
    runtime: Runtime,
    written: Minutes,
    on_progress: Callable[[Progress], None],
) -> Coordinator:
    folder = home.folder(run.name)
    fit_queue_servers(folder, settings)
    specs = WorkerSpecs(folder, run.name, settings)
    rules = KeyRules.of(settings)
    forgotten = ForgottenUrls(Tombstones.load(LocalObjects(folder.path)))
    patterns = FolderPatterns(settings)

    def objection(url: Url) -> Exclusion | None:
        return forgotten.exclusion(url) or patterns.exclusion(url)

    def processing(fetcher: str) -> tuple[tuple[int, int], ...]:
        paths = [folder.mark(fetcher)] if fetcher else sorted(folder.frontier.glob("*.mark"))
        return tuple(mark for path in paths if (mark := marked(path)) is not None)

    return Coordinator(
        Plan(
            run=run.name,
            settings=settings,
            seeds=tuple(_seed_link(seed, rules, forgotten) for seed in web_seeds(settings)),
            listed=lambda: batches(folder.frontier, rules, objection),
            queue_spec=specs.queue,
            fetcher_spec=specs.fetcher,
            roller_spec=specs.roller,
            processing=processing,
            free_bytes=lambda: shutil.disk_usage(folder.path).free,
            stop_asked=folder.control.exists,
            on_progress=on_progress,
            on_statistics=written.save,
            elapsed_before=run.statistics.get("elapsed_seconds", 0.0),
            min_free_bytes=settings.min_free_bytes,
            used_bytes=lambda: _bytes_below(folder.path),
            round=wanted_round(folder),
            revisits=lambda: revisits(folder, settings),
        ),
        runtime,
    )


def _seed_link(seed: str, rules: KeyRules, forgotten: ForgottenUrls) -> Link:
    url = parse(seed, rules)
    return Link(Item(url.href, url.site_hash, url.key, depth=0), forgotten.exclusion(url))


def _bytes_below(folder: Path) -> int:
    """Of all files in a folder that others are writing to."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += os.lstat(os.path.join(parent, name)).st_size  # noqa: PTH118 - half the time
    return total
