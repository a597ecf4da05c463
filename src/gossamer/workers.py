"""The composition root of worker processes: which implementations the roles of a crawl get.

Named by `roles`, and imported nowhere but in the processes that the roles run in.
"""

import time
from pathlib import Path

import pyarrow
from msgspec import msgpack

from gossamer.config import CrawlSettings
from gossamer.crawl.calls import RollReply
from gossamer.crawl.fetch import ensure_open_files
from gossamer.crawl.fetcher import Fetcher
from gossamer.crawl.filters import Filters, PluginFilter, UrlFilter
from gossamer.crawl.forgotten import ForgottenUrls
from gossamer.crawl.inflight import InflightMark
from gossamer.crawl.journal import Journal
from gossamer.crawl.known_links import KnownLinks
from gossamer.crawl.queue_role import QueueRole
from gossamer.crawl.queue_server import QueueServer
from gossamer.crawl.roller_role import RollerRole
from gossamer.crawl.scopes import NONE_LISTED
from gossamer.crawl.seeds import SeedScope, web_seeds
from gossamer.crawl.visits import VisitReader
from gossamer.errors import RunHeld
from gossamer.extract.allocator import keep_freed_memory
from gossamer.extract.isolated import HeavyProcessors, Limits, process_isolated
from gossamer.extract.processor import build_processors, is_heavy
from gossamer.lib.locks import FileLock
from gossamer.plugins import Plugins
from gossamer.records import CommittedAttempt, PageContent, Processed, RawPage
from gossamer.roles import RunFolder, WorkerSettings
from gossamer.runtime.contract import Peers
from gossamer.storage.objects import LocalObjects
from gossamer.storage.segments import Roller
from gossamer.storage.staging import AttemptWriter
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import KeyRules, Resolver, parse

ISOLATED = Limits(seconds=20.0, memory_bytes=2_000_000_000)
HEAVY_SECONDS = 10.0
HEAVY_BYTES = 1_000_000_000
_LOCK_SECONDS = 30.0

# Arrow's own allocator gives memory back and takes it again, zeroed, for every schedule; the one
# of the system keeps it (`keep_freed_memory`).
pyarrow.set_memory_pool(pyarrow.system_memory_pool())


def _read(settings: bytes) -> WorkerSettings:
    return msgpack.decode(settings, type=WorkerSettings)


def queue_role(settings: bytes, peers: Peers) -> QueueRole:
    worker = _read(settings)
    path = RunFolder(Path(worker.folder)).journal(worker.number)
    lock = FileLock(path.with_suffix(".lock"))
    # After a kill, an old queue server may live an instant longer than its coordinator.
    deadline = time.monotonic() + _LOCK_SECONDS
    while not lock.acquire():
        if time.monotonic() > deadline:
            raise RunHeld(f"process {lock.holder()} still works on {path}")
        time.sleep(0.02)
    server = QueueServer(Journal(path), worker.crawl, worker.number)
    return QueueRole(server, peers, lock.release)


def fetcher_role(settings: bytes, peers: Peers) -> Fetcher:
    worker = _read(settings)
    crawl = worker.crawl
    ensure_open_files(crawl)
    folder = RunFolder(Path(worker.folder))
    objects = LocalObjects(folder.path)
    resolver = Resolver(rules=KeyRules.of(crawl))
    known = KnownLinks()
    plugins = Plugins(crawl.plugins)
    processors = build_processors(
        crawl.agent_name, resolver, link_scope=crawl.link_scope, readers=plugins.readers
    )
    # A lease leaves as much time after a request as a schedule has.
    heavy = Limits(min(HEAVY_SECONDS, crawl.schedule_seconds), HEAVY_BYTES)

    async def isolated(page: RawPage) -> Processed:
        return await process_isolated(
            *(page, crawl.agent_name, ISOLATED), rules=resolver.rules, link_scope=crawl.link_scope
        )

    return Fetcher(
        name=worker.fetcher,
        settings=crawl,
        peers=peers,
        reader=VisitReader(
            *(crawl, _filters(crawl, plugins, folder, objects), resolver, known),
            is_heavy=lambda page: is_heavy(page) and not plugins.reads(page.media_type),
            plugins=plugins if crawl.plugins else None,
        ),
        known=known,
        process=plugins.around(processors.process_all),
        process_isolated=isolated,
        heavy=_Enriched(HeavyProcessors(crawl.agent_name, heavy, rules=resolver.rules), plugins),
        open_attempt=lambda name: AttemptWriter(objects, name, crawl.keep_raw),
        mark=InflightMark(folder.mark(worker.fetcher)),
        auth_origins=frozenset(parse(seed).origin for seed in web_seeds(crawl)),
    )


def _filters(
    crawl: CrawlSettings, plugins: Plugins, folder: RunFolder, objects: LocalObjects
) -> Filters:
    tombstones = Tombstones.load(objects)
    extra: list[UrlFilter] = [ForgottenUrls(tombstones)] if tombstones else []
    if plugins.has_url_filters:
        extra.append(PluginFilter(plugins))
    return Filters(crawl, extra, SeedScope.load(folder.frontier) or NONE_LISTED)


class _Enriched:
    """Heavy pages, and what plugins have to say of them."""

    def __init__(self, processors: HeavyProcessors, plugins: Plugins) -> None:
        self._processors = processors
        self._plugins = plugins

    async def process(self, page: RawPage, wait_seconds: float) -> Processed | None:
        processed = await self._processors.process(page, wait_seconds)
        if isinstance(processed, PageContent) and self._plugins.has_page_hooks:
            return self._plugins.enriched(page, processed)
        return processed

    async def close(self) -> None:
        await self._processors.close()


def roller_role(settings: bytes, _: Peers) -> RollerRole:
    worker = _read(settings)
    crawl = worker.crawl
    folder = RunFolder(Path(worker.folder))
    keep_freed_memory()
    roller = Roller(
        LocalObjects(folder.path),
        folder.path / "scratch",
        run_name=worker.run,
        segment_pages=crawl.segment_pages,
        keep_raw=crawl.keep_raw,
    )

    def roll(attempts: tuple[CommittedAttempt, ...]) -> RollReply:
        manifest = roller.roll(attempts)
        return RollReply(
            segments=len(manifest.segments),
            pages=manifest.pages,
            links=manifest.links,
            bytes=manifest.size_bytes,
            watermarks=manifest.watermarks,
        )

    return RollerRole(roll)
