"""Forget pages for good: takedowns of URLs and hosts, and pages that are kept too long.

A takedown is written down first, and every reader obeys it at once. Then it is carried out, in the
journals and in the segments. Whatever interrupts that, the same command, the next sitting and
`tidy` go on with it: each step knows from the stores themselves what is left to do.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from gossamer.app.home import Home, settings_of, stored_url, typed_url
from gossamer.app.journals import counted, journals_of, ledgers_of, rest
from gossamer.app.ranks import Ranking
from gossamer.config import CrawlSettings
from gossamer.crawl.forgetting import (
    ExpiredPage,
    StoredPage,
    expire_in_journal,
    forget_in_journal,
    forgotten_through,
)
from gossamer.errors import GossamerError, RunError, UrlError
from gossamer.records import Directives, Outcome
from gossamer.roles import RunFolder
from gossamer.storage.catalogue import Run, RunState
from gossamer.storage.compaction import Compacted, Compactor, covered_rows, is_compact
from gossamer.storage.coverage import count_covered, has_older
from gossamer.storage.manifest import Manifest
from gossamer.storage.objects import LocalObjects
from gossamer.storage.tombstones import Takedown, Takedowns, Tombstones, add_takedown
from gossamer.urls import Url, from_href, parse

_DAY_SECONDS = 86_400.0
_COUNTED = (
    "site_hash",
    "key",
    "status",
    "outcome",
    "directives",
    "duplicate_of",
    "near_duplicate_of",
)

OnWritten = Callable[[int, int], None]
"""Told how many segments, or documents of an index, are written anew, and of how many."""


class Forgotten(Struct, frozen=True):
    """What a takedown, or tidying up, has taken away."""

    run: str
    pages: int
    links: int
    segments: int  # written anew
    bytes: int  # by which the run became smaller
    other_runs: tuple[str, ...] = ()  # of the same crawler: they may hold it too
    indexes: tuple[str, ...] = ()  # that were made of the run, and are clean now
    unclean_indexes: dict[str, str] = {}  # those that could not be cleaned, and why


def _quietly(_done: int, _all: int) -> None:
    pass


class Wanted(Struct, frozen=True):
    """What is to be forgotten."""

    urls: tuple[Url, ...]
    hosts: tuple[str, ...]


def read(home: Home, name: str, urls: Sequence[str], hosts: Sequence[str]) -> Wanted:
    """What a person typed, as the run knows it."""
    run = home.record(name)
    return Wanted(tuple(typed_url(run, url) for url in urls), tuple(map(_host, hosts)))


def _host(text: str) -> str:
    if "/" in text:
        raise UrlError(f"'{text}' is not a host: write it as 'example.org', or give --url.")
    return parse(f"http://{text}/").host


def covered_count(home: Home, name: str, wanted: Wanted) -> int:
    """How many published pages a takedown would take away."""
    tombstones = Tombstones(
        urls=frozenset((url.site_hash, url.key) for url in wanted.urls),
        hosts=frozenset(wanted.hosts),
    )
    return count_covered(LocalObjects(home.folder(home.record(name).name).path), tombstones)


def forget(
    home: Home,
    name: str,
    wanted: Wanted,
    *,
    links: bool = False,
    on_written: OnWritten = _quietly,
) -> Forgotten:
    """Take URLs and hosts down, in this run for good, and for all later runs of its crawler."""
    run = home.record(name)
    with home.held(run.name) as folder:
        takedown = Takedown(urls=_slots(wanted.urls), hosts=wanted.hosts, links=links)
        for objects in (LocalObjects(folder.path), _remembered(home, run.crawler)):
            _add_if_new(objects, takedown)
        done = _obey(home, run, folder, on_written)
    Ranking(home).forget(run.name)
    others = [other.name for other in home.catalogue.runs(run.crawler) if other.id != run.id]
    return _report(home, run, done, on_written, tuple(others))


def tidy(home: Home, name: str, on_written: OnWritten = _quietly) -> Forgotten:
    """Carry out what is left to be forgotten, and what `retain_days` asks for."""
    run = home.record(name)
    with home.held(run.name) as folder:
        done = keep_promises(home, run, folder, settings_of(run), on_written)
        LocalObjects(folder.path).sweep()
    Ranking(home).forget(run.name)
    return _report(home, run, done, on_written)


def keep_promises(
    home: Home,
    run: Run,
    folder: RunFolder,
    settings: CrawlSettings,
    on_written: OnWritten = _quietly,
) -> Compacted:
    """What has to be forgotten before a run goes on. The caller holds the run."""
    objects = LocalObjects(folder.path)
    known = Tombstones.load(_remembered(home, run.crawler))
    if known:
        _add_if_new(objects, Takedown(urls=tuple(known.urls), hosts=tuple(known.hosts)))
    if settings.retain_days:
        before = time.time() - settings.retain_days * _DAY_SECONDS
        if has_older(objects, before):
            add_takedown(objects, Takedown(before=before))
    return _obey(home, run, folder, on_written)


def _remembered(home: Home, crawler: str) -> LocalObjects:
    return LocalObjects(home.crawler_folder(crawler))


def _slots(urls: Iterable[Url]) -> tuple[tuple[int, int], ...]:
    """By the key that the run gives a URL, and by that of its plain href: the rules that make keys
    may be others in a later run."""
    found = {(form.site_hash, form.key) for url in urls for form in (url, from_href(url.href))}
    return tuple(sorted(found))


def _add_if_new(objects: LocalObjects, takedown: Takedown) -> None:
    known = Tombstones.load(objects)
    if takedown.links:
        known = known.pointed
    if set(takedown.urls) <= known.urls and set(takedown.hosts) <= known.hosts:
        return
    add_takedown(objects, takedown)


def _obey(home: Home, run: Run, folder: RunFolder, on_written: OnWritten) -> Compacted:
    """Bring journals and segments up to the last takedown."""
    objects = LocalObjects(folder.path)
    takedowns = Takedowns.load(objects)
    journals = [*journals_of(folder), *ledgers_of(folder)]
    if is_compact(objects) and all(forgotten_through(path) >= takedowns.last for path in journals):
        _update_statistics(home, run, folder)  # it may have been killed right before that
        return Compacted()
    if ledgers_of(folder) and run.state is not RunState.FINISHED:
        raise RunError(
            f"'{run.name}' is an unfinished import. The pages are hidden already; to remove them, "
            f"finish the import and run the same command again."
        )
    settings = settings_of(run)
    rest(folder, run, settings)
    read_url = stored_url(run)

    def counted_pages() -> Iterator[StoredPage]:
        rows = covered_rows(objects, _COUNTED, expired=False)
        return (_stored_page(row, settings) for row in rows)

    def expired_pages() -> Iterator[ExpiredPage]:
        rows = covered_rows(objects, ("url", "content_hash"), expired=True)
        return (ExpiredPage(row["url"], row["content_hash"]) for row in rows)

    for path in (*journals_of(folder), *ledgers_of(folder)):
        expire_in_journal(path, expired_pages())
        tombstones = takedowns.after(forgotten_through(path))
        forget_in_journal(path, tombstones, takedowns.last, read_url, counted_pages)
    done = Compactor(objects, folder.path / "scratch", read_url, on_written).compact()
    _update_statistics(home, run, folder)
    return done


def _stored_page(row: dict[str, Any], settings: CrawlSettings) -> StoredPage:
    noindex = settings.obey_robots and row["directives"] & Directives.NOINDEX.value
    return StoredPage(
        site=row["site_hash"],
        key=row["key"],
        status=row["status"],
        outcome=Outcome(row["outcome"]),
        is_document=row["outcome"] == Outcome.OK.value and not noindex,
        is_duplicate=bool(row["duplicate_of"]),
        is_near_duplicate=bool(row["near_duplicate_of"]),
    )


def _update_statistics(home: Home, run: Run, folder: RunFolder) -> None:
    manifest = Manifest.load(LocalObjects(folder.path))
    home.catalogue.update(
        run.id,
        statistics={
            **home.record(run.name).statistics,
            **counted(folder),
            "segments": len(manifest.segments),
            "stored.pages": manifest.pages,
            "stored.links": manifest.links,
            "stored.bytes": manifest.size_bytes,
        },
    )


def _report(
    home: Home, run: Run, done: Compacted, on_written: OnWritten, others: tuple[str, ...] = ()
) -> Forgotten:
    clean, unclean = _clean_indexes(home, run.name, on_written)
    numbers = (done.pages, done.links, done.segments, done.bytes)
    return Forgotten(run.name, *numbers, others, clean, unclean)


def _clean_indexes(
    home: Home, run: str, on_written: OnWritten
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Make the indexes of a run forget as well. The run itself has done so: whatever is in the way
    of an index is told, and does not end the command."""
    if not (home.path / "indexes").exists():
        return (), {}
    from gossamer.app.indexes import Indexes

    indexes = Indexes(home)
    clean: list[str] = []
    unclean: dict[str, str] = {}
    for name in indexes.names():
        try:
            if run in indexes.runs(name) and not indexes.is_clean(name):
                indexes.update(name, lambda progress: on_written(progress.done, progress.of))
                clean.append(name)
        except GossamerError as error:
            unclean[name] = str(error)
    return tuple(clean), unclean
