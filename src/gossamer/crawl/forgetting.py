"""A takedown in the journal of a queue server, while nobody works on the run.

What is forgotten leaves the queues and the tables of texts, and stays known as forgotten, so that
it is never fetched again. The statistics change with it in the same transaction: they add up before
and after. What the journal keeps of a forgotten page elsewhere, the texts of its links, is cleared.

At last the file is written anew: SQLite leaves what was deleted in unused parts of its file.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw
from msgspec import msgpack, structs

from gossamer.crawl.counters import Counters
from gossamer.crawl.hosts import Hosts, HostState
from gossamer.crawl.journal import Journal
from gossamer.crawl.seen import PENDING, end_of, state_of
from gossamer.crawl.similar import WINDOW
from gossamer.errors import StorageError, StorageFull
from gossamer.records import Exclusion, Item, Link, Outcome
from gossamer.storage.tombstones import ReadUrl, Tombstones
from gossamer.urls import site_of

_MARK = "forgotten"
_AT_ONCE = 10_000
_READERS_MS = 30_000
_FORGOTTEN = state_of(Exclusion.FORGOTTEN)
_NOT_MODIFIED = 304

_encode = msgpack.Encoder().encode
_item = msgpack.Decoder(Item).decode
_links = msgpack.Decoder(tuple[Link, ...]).decode


class StoredPage(NamedTuple):
    """A page that was published, as far as the statistics have counted it."""

    site: int
    key: int
    outcome: Outcome
    status: int
    is_document: bool
    is_duplicate: bool
    is_near_duplicate: bool


Pages = Callable[[], Iterable[StoredPage]]


def forgotten_through(path: Path) -> int:
    """The number of the last takedown that a journal has obeyed to the end."""
    journal = Journal(path)
    try:
        return _mark_of(journal)
    finally:
        journal.close()


def _mark_of(journal: Journal) -> int:
    mark = journal.get(_MARK)
    return mark if isinstance(mark, int) else 0


def forget_in_journal(
    path: Path, tombstones: Tombstones, through: int, read_url: ReadUrl, pages: Pages
) -> None:
    """`pages`: the published ones that are to be forgotten, of this journal or of others; the
    newest first. `through`: the number of the last takedown in `tombstones`. Can be repeated after
    any fault."""
    journal = Journal(path)
    try:
        if tombstones.urls or tombstones.hosts:
            with journal.transaction(durable=True):
                _Forgetting(journal, tombstones, read_url).run(pages())
            _write_anew(journal, path)
        with journal.transaction(durable=True):
            journal.put(_MARK, through)
    finally:
        journal.close()


class ExpiredPage(NamedTuple):
    """A page that is too old to be kept. Its URL may be visited again."""

    url: str
    content_hash: int


def expire_in_journal(path: Path, pages: Iterable[ExpiredPage]) -> None:
    """Nothing is a repeat of pages that are kept no more."""
    journal = Journal(path)
    try:
        journal.db.execute("PRAGMA temp_store=FILE")  # there may be many
        journal.db.execute("CREATE TEMP TABLE expired(hash INTEGER, url TEXT)")
        journal.db.executemany("INSERT INTO expired VALUES(?,?)", _both(pages))
        journal.db.execute("CREATE INDEX temp.by_url ON expired(url, hash)")
        with journal.transaction(durable=True) as db:
            db.execute(
                "DELETE FROM content WHERE EXISTS (SELECT 1 FROM temp.expired AS gone"
                " WHERE gone.url=content.url AND gone.hash=content.hash)"
            )
            sites = journal.rows(
                "SELECT DISTINCT site FROM similar WHERE url IN (SELECT url FROM temp.expired)"
            )
            for (site,) in sites:
                kept = journal.rows(
                    "SELECT similarity, url FROM similar WHERE site=?"
                    " AND url NOT IN (SELECT url FROM temp.expired) ORDER BY number",
                    (site,),
                )
                _keep_similar(journal, site, kept)
    finally:
        journal.close()


def _both(pages: Iterable[ExpiredPage]) -> Iterator[tuple[int, str]]:
    return ((page.content_hash, page.url) for page in pages)


def _keep_similar(journal: Journal, site: int, rows: list[tuple[Any, ...]]) -> None:
    """The pages of a site that are left move up: there is no place without a page."""
    journal.db.execute("DELETE FROM similar WHERE site=?", (site,))
    journal.db.executemany(
        "INSERT INTO similar VALUES(?,?,?,?,?)",
        [(site, number % WINDOW, number, *row) for number, row in enumerate(rows)],
    )


def _write_anew(journal: Journal, path: Path) -> None:
    journal.db.set_busy_timeout(_READERS_MS)
    try:
        journal.db.execute("VACUUM")
        busy = journal.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").get[0]
    except apsw.FullError as error:
        raise StorageFull(
            f"The disk is full: {path} has to be written anew to be rid of what is forgotten. "
            f"Free some space, and run the same command again."
        ) from error
    except apsw.BusyError:
        busy = 1
    if busy:
        raise StorageError(
            f"Another process reads {path}, which has to be written anew to be rid of what is "
            f"forgotten: run the same command again when it is done."
        )


class _Forgetting:
    """Within one transaction."""

    def __init__(self, journal: Journal, tombstones: Tombstones, read_url: ReadUrl) -> None:
        self._journal = journal
        self._db = journal.db
        self._counters = Counters(journal)
        self._tombstones = tombstones
        self._read_url = read_url
        self._is_import = journal.get("import_version") is not None

    def run(self, pages: Iterable[StoredPage]) -> None:
        self._leave_queues()
        self._leave_beyond()
        self._clear_items("again", ("site", "key"), self._drop_nothing_else)
        self._clear_outbox()
        for page in pages:
            self._forget_visited(page)
        for site, key in self._tombstones.urls:
            self._forget_known(site, key)
        self._clear_contents()
        self._clear_similar()
        self._clear_hosts()
        self._counters.save()

    # What is covered

    def _covers(self, href: str) -> bool:
        return self._tombstones.covers_href(href, self._read_url)

    def _is_gone(self, item: Item) -> bool:
        return (item.site, item.key) in self._tombstones.urls or self._covers(item.url)

    def _cleared(self, item: Item) -> Item:
        """An item that stays, without what it has from pages that go."""
        if item.parent and self._covers(item.parent):
            item = structs.replace(item, anchor="")
        pointed = self._tombstones.pointed
        if not pointed:
            return item
        if item.parent and pointed.covers_href(item.parent, self._read_url):
            item = structs.replace(item, parent="")
        via = tuple(hop for hop in item.via if not pointed.covers_href(hop, self._read_url))
        return item if via == item.via else structs.replace(item, via=via)

    # Items

    def _leave_queues(self) -> None:
        left: Counter[int] = Counter()

        def from_queue(key: tuple[Any, ...], item: Item) -> None:
            left[key[0]] += 1
            self._leave(item)

        self._clear_items("queue", ("host", "priority", "turn"), from_queue)
        self._clear_items("retry", ("due", "site", "key"), lambda _, item: self._leave(item))
        for host in left:
            self._settle(host)

    def _leave(self, item: Item) -> None:
        """A queued URL is excluded instead."""
        self._set(item.site, item.key)
        self._counters.add("queued", -1)
        self._counters.add(f"excluded.{Exclusion.FORGOTTEN}")

    def _settle(self, host: int) -> None:
        (queued,) = self._journal.rows("SELECT count(*) FROM queue WHERE host=?", (host,))[0]
        if not queued:
            self._db.execute(
                "UPDATE host SET queued=0, state=? WHERE id=?", (int(HostState.IDLE), host)
            )
            return
        front, turn = self._journal.rows(
            "SELECT priority, turn FROM queue WHERE host=? ORDER BY priority, turn LIMIT 1", (host,)
        )[0]
        self._db.execute(
            "UPDATE host SET queued=?, front=?, turn=? WHERE id=?", (queued, front, turn, host)
        )

    def _leave_beyond(self) -> None:
        def from_beyond(_: tuple[Any, ...], item: Item) -> None:
            self._forget_known(item.site, item.key)

        self._clear_items("beyond", ("site", "key"), from_beyond)

    def _drop_nothing_else(self, _: tuple[Any, ...], item: Item) -> None:
        """The row goes, and that is all."""

    def _clear_items(
        self,
        table: str,
        names: tuple[str, ...],
        on_gone: Callable[[tuple[Any, ...], Item], None],
    ) -> None:
        """Delete the rows of a table whose items go, and clear those that stay."""
        same = " AND ".join(f"{name}=?" for name in names)
        for rows in self._chunks(table, names, "item"):
            gone, changed = [], []
            for *key, blob in rows:
                item = _item(blob)
                if self._is_gone(item):
                    gone.append(tuple(key))
                    on_gone(tuple(key), item)
                elif (cleared := self._cleared(item)) != item:
                    changed.append((_encode(cleared), *key))
            self._db.executemany(f"DELETE FROM {table} WHERE {same}", gone)  # noqa: S608
            self._db.executemany(f"UPDATE {table} SET item=? WHERE {same}", changed)  # noqa: S608

    def _chunks(
        self, table: str, names: tuple[str, ...], *more: str
    ) -> Iterator[list[tuple[Any, ...]]]:
        """All rows of a table, some at a time: they may be changed in between."""
        columns, order = ", ".join((*names, *more)), ", ".join(names)
        marks = ", ".join("?" * len(names))
        start, last = "", ()
        while rows := self._journal.rows(
            f"SELECT {columns} FROM {table} {start} ORDER BY {order} LIMIT {_AT_ONCE}",  # noqa: S608
            last,
        ):
            yield rows
            start, last = f"WHERE ({order}) > ({marks})", rows[-1][: len(names)]

    def _clear_outbox(self) -> None:
        """What is on its way to another server arrives as forgotten."""
        for rows in self._chunks("outbox", ("id",), "batch"):
            for id, blob in rows:
                links = _links(blob)
                cleared = tuple(
                    structs.replace(
                        link,
                        item=self._cleared(link.item),
                        excluded=Exclusion.FORGOTTEN if self._is_gone(link.item) else link.excluded,
                    )
                    for link in links
                )
                if cleared != links:
                    self._db.execute("UPDATE outbox SET batch=? WHERE id=?", (_encode(cleared), id))

    # Known URLs

    def _state(self, site: int, key: int) -> int | None:
        rows = self._journal.rows("SELECT state FROM seen WHERE site=? AND key=?", (site, key))
        return rows[0][0] if rows else None

    def _set(self, site: int, key: int) -> None:
        self._db.execute("UPDATE seen SET state=? WHERE site=? AND key=?", (_FORGOTTEN, site, key))

    def _forget_known(self, site: int, key: int) -> Outcome | None:
        """A URL that is not queued becomes a forgotten one; returns how its visit had ended."""
        state = self._state(site, key)
        if state in (None, PENDING, _FORGOTTEN):
            return None
        end = end_of(state)
        self._set(site, key)
        self._counters.add(f"excluded.{Exclusion.FORGOTTEN}")
        if isinstance(end, Outcome):
            self._counters.add(f"done.{end}", -1)
            if end.answered:
                self._counters.add("pages", -1)
            return end
        self._counters.add(f"excluded.{end}", -1)
        return None

    def _forget_visited(self, page: StoredPage) -> None:
        if self._is_import:
            self._note_imported(page)
        end = self._forget_known(page.site, page.key)
        if end is None:
            return  # of another server, or forgotten before
        status = page.status
        if end is Outcome.NOT_MODIFIED and self._counters[f"status.{_NOT_MODIFIED}"]:
            status = _NOT_MODIFIED  # the page was stored by an earlier visit than the last
        if status:
            self._counters.add(f"status.{status}", -1)
        self._counters.add("documents", -page.is_document)
        self._counters.add("duplicates", -page.is_duplicate)
        self._counters.add("near_duplicates", -page.is_near_duplicate)

    def _note_imported(self, page: StoredPage) -> None:
        """An import knows its URLs otherwise; here, those that it has to forget."""
        self._db.execute(
            "INSERT OR IGNORE INTO seen VALUES(?,?,?)",
            (page.site, page.key, state_of(page.outcome)),
        )

    # What they said

    def _clear_contents(self) -> None:
        for rows in self._chunks("content", ("hash",), "site", "key", "url"):
            gone = [
                (hash_,)
                for hash_, site, key, url in rows
                if (site, key) in self._tombstones.urls or self._covers(url)
            ]
            self._db.executemany("DELETE FROM content WHERE hash=?", gone)

    def _clear_similar(self) -> None:
        sites = self._tombstones.sites | {site_of(host)[1] for host in self._tombstones.hosts}
        for site in sites:
            rows = self._journal.rows(
                "SELECT similarity, url FROM similar WHERE site=? ORDER BY number", (site,)
            )
            kept = [row for row in rows if not self._covers(row[1])]
            if len(kept) < len(rows):
                _keep_similar(self._journal, site, kept)

    def _clear_hosts(self) -> None:
        for name in self._tombstones.hosts:
            host = (Hosts.id_of(name),)
            for table in ("robots", "cookies", "shape", "trap"):
                self._db.execute(f"DELETE FROM {table} WHERE host=?", host)  # noqa: S608
            self._db.execute("DELETE FROM host WHERE id=?", host)
            self._counters.add("hosts", -self._db.changes())
