"""The journals of a run that nobody works on: how many there are, at rest, and what they count."""

from pathlib import Path

from gossamer.config import CrawlSettings
from gossamer.crawl.counters import Counters, summed
from gossamer.crawl.journal import Journal
from gossamer.roles import RunFolder
from gossamer.storage.catalogue import Run

_LEDGER = "import.db"
"""In place of the queue servers' journals, an import has one file of the same make."""


def ledgers_of(folder: RunFolder) -> list[Path]:
    path = folder.path / _LEDGER
    return [path] if path.exists() else []


def journals_of(folder: RunFolder) -> list[Path]:
    """In the order of their servers."""
    servers = len(list(folder.frontier.glob("queue-*.db")))
    return [folder.journal(server) for server in range(servers)]


def fit_queue_servers(folder: RunFolder, settings: CrawlSettings) -> None:
    """Deal the journals out anew where another number of them is wanted, or where that was
    interrupted."""
    servers = len(journals_of(folder))
    interrupted = (folder.frontier / "old").exists()
    if not interrupted and servers in (0, settings.queue_servers):
        return
    from gossamer.crawl.resharding import reshard
    from gossamer.storage.manifest import Manifest
    from gossamer.storage.objects import LocalObjects

    published = Manifest.load(LocalObjects(folder.path)).watermarks
    reshard(folder.frontier, lambda server: folder.journal(server).name, settings, published)


def rest(folder: RunFolder, run: Run, settings: CrawlSettings) -> None:
    """Publish all that was committed, give back what was out, and leave nothing in staging."""
    from gossamer.crawl.resting import bring_to_rest
    from gossamer.storage.objects import LocalObjects
    from gossamer.storage.segments import Roller
    from gossamer.storage.staging import sweep_staging

    fit_queue_servers(folder, settings)
    objects = LocalObjects(folder.path)
    objects.sweep()
    roller = Roller(
        objects,
        folder.path / "scratch",
        run_name=run.name,
        segment_pages=settings.segment_pages,
        keep_raw=settings.keep_raw,
    )
    for number, path in enumerate(journals_of(folder)):
        bring_to_rest(path, number, settings, roller.roll)
    sweep_staging(objects, keep=())


def counted(folder: RunFolder) -> dict[str, float]:
    """The sums of what the journals count."""
    parts = []
    for path in (*journals_of(folder), *ledgers_of(folder)):
        journal = Journal(path)
        try:
            parts.append(dict(Counters(journal).values))
        finally:
            journal.close()
    return summed(parts)
