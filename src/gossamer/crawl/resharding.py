"""Another number of queue servers than last time: the journals are dealt out anew.

Partitions are the unit of ownership; each row goes to the new owner of its site's partition. The
new journals are made beside the old ones and take their place when they are complete, so that a
crash leaves either the old or the new.
"""

import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import msgpack

from gossamer.config import CrawlSettings
from gossamer.crawl.counters import Counters, summed
from gossamer.crawl.journal import Journal
from gossamer.crawl.partitions import owner_of
from gossamer.crawl.queue_server import QueueServer
from gossamer.records import Answer, Item, Link, Postponed
from gossamer.urls import site_of

_LEAVING = "resharding"
_ALL_OLD = "complete"


def reshard(
    folder: Path,
    name_of: Callable[[int], str],
    settings: CrawlSettings,
    published: Mapping[int, int],
) -> None:
    """Make the journals in `folder` fit `settings.queue_servers`. Nobody may have them open.
    `published`: the last commit of each queue server that is in segments."""
    unfinished, old_ones = folder / "new", folder / "old"
    if old_ones.exists():  # interrupted after the new journals were complete
        _replace(folder, unfinished, old_ones)
    shutil.rmtree(unfinished, ignore_errors=True)
    servers = 0
    while (folder / name_of(servers)).exists():
        servers += 1
    if servers in (0, settings.queue_servers):
        return
    unfinished.mkdir()
    sources = []
    for server in range(servers):
        path = folder / name_of(server)
        _give_all_back(path, server, settings.model_copy(update={"queue_servers": servers}))
        sources.append(Journal(path))
    targets = [Journal(unfinished / name_of(n)) for n in range(settings.queue_servers)]
    _deal_out(sources, targets)
    _unpublished(sources, targets, published)
    for journal in (*sources, *targets):
        journal.close()
    old_ones.mkdir()
    _replace(folder, unfinished, old_ones)


def _give_all_back(path: Path, number: int, settings: CrawlSettings) -> None:
    """Bring the window to rest: what is out returns to the queue, what was answered is
    committed in its turn."""
    server = QueueServer(Journal(path), settings, number)
    while (schedule := server.repeat(_LEAVING)) is not None:
        untried = tuple(Postponed(item, 0.0, retried=False) for item in schedule.items)
        server.answer(
            Answer(
                server=number,
                epoch=schedule.epoch,
                number=schedule.number,
                attempt=schedule.attempt,
                fetcher=_LEAVING,
                staged="",
                visits=(),
                postponed=untried,
                refused=(),
                carried=(),
                hosts=(),
                requests=0,
                robots_requests=0,
            )
        )
    server.close()


def _deal_out(sources: list[Journal], targets: list[Journal]) -> None:
    count = len(targets)

    def by_site(row: tuple[Any, ...]) -> int:
        return owner_of(row[0], count)

    def by_item(position: int) -> Callable[[tuple[Any, ...]], int]:
        decode = msgpack.Decoder(Item).decode
        return lambda row: owner_of(decode(row[position]).site, count)

    owners: dict[int, int] = {}
    for journal in sources:
        for id, name in journal.rows("SELECT id, name FROM host"):
            owners[id] = owner_of(site_of(name)[1], count)
    for journal in sources:
        _copy(journal, targets, "seen", by_site)
        _copy(journal, targets, "beyond", by_site)
        _copy(journal, targets, "queue", by_item(3))
        _copy(journal, targets, "retry", by_item(3))
        _copy(journal, targets, "host", lambda row: owners[row[0]])
        _copy(journal, targets, "robots", lambda row: owners[row[1]])
        _copy(journal, targets, "cookies", lambda row: owners[row[0]])
        _copy(journal, targets, "content", lambda row: owner_of(row[1], count))
        _copy(journal, targets, "site", by_site)
        _copy(journal, targets, "endorsement", by_site)
        _copy(journal, targets, "similar", by_site)
        _copy(journal, targets, "shape", lambda row: owners[row[0]])
        _copy(journal, targets, "trap", lambda row: owners[row[0]])
    _in_transit(sources, targets)
    _meta(sources, targets)


def _copy(
    source: Journal, targets: list[Journal], table: str, owner: Callable[[tuple[Any, ...]], int]
) -> None:
    rows: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in source.db.execute(f"SELECT * FROM {table}"):  # noqa: S608 - our own names
        rows[owner(row)].append(row)
    for server, own in rows.items():
        marks = ",".join("?" * len(own[0]))
        with targets[server].transaction(durable=True) as db:
            db.executemany(f"INSERT OR IGNORE INTO {table} VALUES({marks})", own)


def _in_transit(sources: list[Journal], targets: list[Journal]) -> None:
    """Links that were on their way find their new owners by the outbox of the first server. What
    has arrived may still be in the outbox that it came from: the sender died before it knew."""
    by_owner: defaultdict[int, list[Link]] = defaultdict(list)
    for sender, journal in enumerate(sources):
        arrived = [_last_arrived(receiver, sender) for receiver in sources]
        for id, server, batch in journal.rows("SELECT id, server, batch FROM outbox ORDER BY id"):
            if id <= arrived[server]:
                continue
            for link in msgpack.decode(batch, type=tuple[Link, ...]):
                by_owner[owner_of(link.item.site, len(targets))].append(link)
    with targets[0].transaction(durable=True) as db:
        for server, links in by_owner.items():
            db.execute(
                "INSERT INTO outbox(server, links, batch) VALUES(?,?,?)",
                (server, len(links), msgpack.encode(links)),
            )


def _last_arrived(receiver: Journal, sender: int) -> int:
    rows = receiver.rows("SELECT last FROM inbox WHERE server=?", (sender,))
    return _number(rows[0][0]) if rows else 0


def _unpublished(
    sources: list[Journal], targets: list[Journal], published: Mapping[int, int]
) -> None:
    """Commits that are not in segments yet go to the first server, with new numbers."""
    number = _highest(sources, "next_schedule")
    commit = _highest(sources, "commit")
    with targets[0].transaction(durable=True) as db:
        for server, journal in enumerate(sources):
            for staged, outcome in journal.rows(
                "SELECT staged, outcome FROM schedule WHERE state=2 AND committed>?"
                " ORDER BY committed",
                (published.get(server, 0),),
            ):
                commit += 1
                db.execute(
                    "INSERT INTO schedule VALUES(?,1,2,'',0,x'',NULL,?,?,?)",
                    (number, commit, staged, outcome),
                )
                number += 1
        targets[0].put("next_schedule", number)
        targets[0].put("commit", commit)


def _highest(journals: list[Journal], name: str) -> int:
    return max(_number(journal.get(name)) for journal in journals)


def _meta(sources: list[Journal], targets: list[Journal]) -> None:
    """The sums go to the first server; what each server steers by is its own."""
    total = summed(Counters(journal).values for journal in sources)
    for server, journal in enumerate(targets):
        with journal.transaction(durable=True) as db:
            for name in ("epoch", "turn", "next_schedule", "commit", "round"):
                journal.put(name, max(_number(journal.get(name)), _highest(sources, name)))
            counters = Counters(journal)
            if server == 0:
                counters.values.update(total)
            counters.values["queued"] = sum(
                _number(db.execute(f"SELECT count(*) FROM {table}").get)  # noqa: S608
                for table in ("queue", "retry")
            )
            counters.values["in_transit"] = _number(
                db.execute("SELECT coalesce(sum(links), 0) FROM outbox").get
            )
            counters.save()


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _replace(folder: Path, new: Path, old: Path) -> None:
    all_old = old / _ALL_OLD
    if not all_old.exists():
        for path in _journals(folder):
            path.replace(old / path.name)
        all_old.touch()  # from now on, what lies in the folder is new
    for path in _journals(new):
        path.replace(folder / path.name)
    shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old)


def _journals(folder: Path) -> Iterable[Path]:
    return [path for path in sorted(folder.glob("queue-*")) if ".db" in path.name]
