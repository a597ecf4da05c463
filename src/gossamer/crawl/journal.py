"""One SQLite file a queue server: the journal of its partitions.

Every change of a frontier happens in one transaction here. A commit of results is synced before
it is answered; a lease is not: after a power cut its URLs are simply queued again.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from gossamer.errors import FormatError, StorageError, StorageFull

JOURNAL_VERSION = 2

_CACHE_KIB = 64 * 1024
_CHECKPOINT_PAGES = 4_000

_SCHEMA = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- Every URL ever found. Keyed by site first, so that the links of a page land near each other.
CREATE TABLE seen(site INTEGER, key INTEGER, state INTEGER NOT NULL, PRIMARY KEY(site, key))
    WITHOUT ROWID;

CREATE TABLE queue(host INTEGER, priority INTEGER, turn INTEGER, item BLOB NOT NULL,
    PRIMARY KEY(host, priority, turn)) WITHOUT ROWID;

-- Beyond a limit that can be raised, on depth or on a host's bytes: then they come back.
CREATE TABLE beyond(site INTEGER, key INTEGER, item BLOB NOT NULL, PRIMARY KEY(site, key))
    WITHOUT ROWID;

-- Waiting for another try, whatever their host does meanwhile.
CREATE TABLE retry(due REAL, site INTEGER, key INTEGER, item BLOB NOT NULL,
    PRIMARY KEY(due, site, key)) WITHOUT ROWID;

CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT NOT NULL, state INTEGER NOT NULL,
    front INTEGER NOT NULL, turn INTEGER NOT NULL, queued INTEGER NOT NULL, due REAL NOT NULL,
    delay REAL, response REAL, bytes INTEGER NOT NULL);
CREATE INDEX host_ready ON host(front, turn) WHERE state = 1;
CREATE INDEX host_waiting ON host(due) WHERE state = 2;

-- What the budgets of the order are reckoned from.
CREATE TABLE site(id INTEGER PRIMARY KEY, found INTEGER NOT NULL, endorsed INTEGER NOT NULL);
CREATE TABLE endorsement(site INTEGER, from_site INTEGER, PRIMARY KEY(site, from_site))
    WITHOUT ROWID;

-- What the pages of one shape were worth, and the shapes that are left.
CREATE TABLE shape(host INTEGER, shape INTEGER, visited INTEGER NOT NULL, stale INTEGER NOT NULL,
    missing INTEGER NOT NULL, PRIMARY KEY(host, shape)) WITHOUT ROWID;
CREATE TABLE trap(host INTEGER, shape INTEGER, reason TEXT NOT NULL, PRIMARY KEY(host, shape))
    WITHOUT ROWID;

CREATE TABLE robots(origin TEXT PRIMARY KEY, host INTEGER NOT NULL, file BLOB NOT NULL)
    WITHOUT ROWID;
CREATE INDEX robots_host ON robots(host);

CREATE TABLE cookies(host INTEGER PRIMARY KEY, lines BLOB NOT NULL);

-- The window. state: 0 out, 1 answered and waiting for its turn, 2 committed and not yet rolled.
CREATE TABLE schedule(number INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, state INTEGER NOT NULL,
    fetcher TEXT NOT NULL, until REAL NOT NULL, items BLOB NOT NULL, answer BLOB,
    committed INTEGER, staged TEXT, outcome BLOB);
CREATE INDEX schedule_committed ON schedule(committed) WHERE state = 2;

-- Requests that outlived their schedule, still with their fetcher.
CREATE TABLE straggler(site INTEGER, key INTEGER, fetcher TEXT NOT NULL, until REAL NOT NULL,
    item BLOB NOT NULL, PRIMARY KEY(site, key)) WITHOUT ROWID;

CREATE TABLE content(hash INTEGER PRIMARY KEY, site INTEGER NOT NULL, key INTEGER NOT NULL,
    url TEXT NOT NULL);

-- The latest pages of each site, by what they say.
CREATE TABLE similar(site INTEGER, place INTEGER, number INTEGER NOT NULL,
    similarity INTEGER NOT NULL, url TEXT NOT NULL, PRIMARY KEY(site, place)) WITHOUT ROWID;

-- Pages to be visited again, until all of them are known.
CREATE TABLE again(site INTEGER, key INTEGER, item BLOB NOT NULL, PRIMARY KEY(site, key))
    WITHOUT ROWID;

CREATE TABLE outbox(id INTEGER PRIMARY KEY AUTOINCREMENT, server INTEGER NOT NULL,
    links INTEGER NOT NULL, batch BLOB NOT NULL);
CREATE TABLE inbox(server INTEGER PRIMARY KEY, last INTEGER NOT NULL);
"""


class Journal:
    """The open file. All access is by one thread of one process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _translated(path):
            self.db = apsw.Connection(str(path))
            self.db.set_busy_timeout(0)
            self._is_durable = False
            self.db.execute(
                f"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                f"PRAGMA cache_size=-{_CACHE_KIB}; PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES};"
                f"PRAGMA temp_store=MEMORY"
            )
            version = self.db.pragma("user_version")
            if version == 0:
                with self.db:
                    self.db.execute(_SCHEMA)
                    self.db.pragma("user_version", JOURNAL_VERSION)
            elif version != JOURNAL_VERSION:
                raise FormatError(
                    f"{path} has version {version}, this program reads {JOURNAL_VERSION}."
                )

    @contextmanager
    def transaction(self, *, durable: bool) -> Iterator[apsw.Connection]:
        """All or nothing; when `durable`, on the disk before it returns."""
        with _translated(self._path):
            if durable is not self._is_durable:
                self.db.pragma("synchronous", 2 if durable else 1)
                self._is_durable = durable
            self.db.execute("BEGIN")
            try:
                yield self.db
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:  # a full disk may have ended it already
                    self.db.execute("ROLLBACK")
                raise

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.db.execute(sql, values).fetchall()

    def get(self, name: str) -> object:
        row = self.db.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
        return None if row is None else row[0]

    def put(self, name: str, value: int | str | bytes) -> None:
        self.db.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (name, value))

    def close(self) -> None:
        self.db.close()


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except apsw.FullError as error:
        raise StorageFull(f"The disk is full: {path} cannot grow. Free some space.") from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise FormatError(f"{path} is damaged: {error}") from error
    except (apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise StorageError(f"{path} cannot be used: {error}") from error
