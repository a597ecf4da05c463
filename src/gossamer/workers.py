"""The composition root of worker processes: which implementations the roles of a crawl get.

Named by `roles`, and imported nowhere but in the processes that the roles run in.
"""

import time
from pathlib import Path

from msgspec import msgpack

from gossamer.crawl.calls import RollReply
from gossamer.crawl.fetch import ensure_open_files
from gossamer.crawl.fetcher import Fetcher
from gossamer.crawl.filters import Filters
from gossamer.crawl.inflight import InflightMark
from gossamer.crawl.journal import Journal
from gossamer.crawl.known_links import KnownLinks
from gossamer.crawl.queue_role import QueueRole
from gossamer.crawl.queue_server import QueueServer
from gossamer.crawl.roller_role import RollerRole
from gossamer.crawl.visits import VisitReader
from gossamer.errors import RunHeld
from gossamer.extract.isolated import Crashed, process_isolated
from gossamer.extract.processor import build_processors
from gossamer.lib.locks import FileLock
from gossamer.records import CommittedAttempt, PageContent, RawPage
from gossamer.roles import RunFolder, WorkerSettings
from gossamer.runtime.contract import Peers
from gossamer.storage.objects import LocalObjects
from gossamer.storage.segments import Roller
from gossamer.storage.staging import AttemptWriter
from gossamer.urls import Resolver, parse

ISOLATED_SECONDS = 20.0
ISOLATED_BYTES = 2_000_000_000
_LOCK_SECONDS = 30.0


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
    resolver = Resolver()
    known = KnownLinks()
    processors = build_processors(crawl.agent_name, resolver)

    async def isolated(page: RawPage) -> PageContent | str | None:
        content = await process_isolated(page, crawl.agent_name, ISOLATED_SECONDS, ISOLATED_BYTES)
        return content.reason if isinstance(content, Crashed) else content

    return Fetcher(
        name=worker.fetcher,
        settings=crawl,
        peers=peers,
        reader=VisitReader(crawl, Filters(crawl), resolver, known),
        known=known,
        process=processors.process_all,
        process_isolated=isolated,
        open_attempt=lambda name: AttemptWriter(objects, name, crawl.keep_raw),
        mark=InflightMark(folder.mark(worker.fetcher)),
        auth_origins=frozenset(parse(seed).origin for seed in crawl.seeds),
    )


def roller_role(settings: bytes, _: Peers) -> RollerRole:
    worker = _read(settings)
    crawl = worker.crawl
    folder = RunFolder(Path(worker.folder))
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
