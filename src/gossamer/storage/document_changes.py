"""Stored changes of single documents: a durable table beside an index.

An index of documents is built from files. A document that is put, patched or removed by itself is
recorded here first, one row for each id, and applied to the index after that. The rows stay, and
every later build applies them after the files, until a person drops them.

    changes.db    SQLite: the newest change of each id, and how far the index has applied them

Any process may write, with or without the writer lock of the index. A transaction is on the disk
before it returns.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import msgspec
from msgspec import Struct

from gossamer.errors import FormatError, StorageError, StorageFull

CHANGES_FILE = "changes.db"
CHANGES_VERSION = 1
_BUSY_MILLISECONDS = 30_000
_IDS_A_QUERY = 500
_SYNC_FOLDERS_TOO = 3  # PRAGMA synchronous=EXTRA: a committed change survives a power cut

_SCHEMA = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE change(id TEXT PRIMARY KEY, sequence INTEGER NOT NULL UNIQUE, kind TEXT NOT NULL,
    value BLOB NOT NULL, changed_at REAL NOT NULL) WITHOUT ROWID;
"""


class ChangeKind(StrEnum):
    PUT = "put"  # add the document, or replace it as a whole
    PATCH = "patch"  # replace some of its fields
    REMOVE = "remove"


class Edit(NamedTuple):
    """A change as it is requested. `value`: a JSON object; of a removal, nothing."""

    kind: ChangeKind
    id: str
    value: bytes = b""


class StoredChange(Struct, frozen=True):
    """The newest change of one id. A patch on a stored document is merged into it, and a patch on
    a patch into that; what a patch sets to null is removed from the document."""

    id: str
    sequence: int  # grows with every change of the index
    kind: ChangeKind
    value: bytes
    changed_at: float


class EditResult(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    MISSING = "missing"  # there is no such document: nothing was stored


class ChangeCounts(Struct, frozen=True):
    put: int = 0
    patch: int = 0
    remove: int = 0
    waiting: int = 0  # not applied to the index yet
    last: int = 0  # the sequence number of the newest

    @property
    def all(self) -> int:
        return self.put + self.patch + self.remove


class DocumentChanges:
    """The stored changes of the index in a folder. The file is made by the first change."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / CHANGES_FILE

    def exists(self) -> bool:
        return self._path.exists()

    # Writing

    def add(
        self, edits: Sequence[Edit], is_indexed: Callable[[str], bool], moment: float
    ) -> tuple[list[EditResult], int]:
        """Store changes in their order, all in one transaction, durable when this returns. Gives
        what each of them did, and the sequence number of the last. `is_indexed`: whether the index
        holds an id for which no change is stored."""
        results = []
        with self._transaction() as db:
            sequence = _number(db, "last")
            for edit in edits:
                result, row = _combined(_row(db, edit.id), edit, is_indexed)
                results.append(result)
                if row is not None:
                    sequence += 1
                    db.execute(
                        "INSERT OR REPLACE INTO change VALUES(?,?,?,?,?)",
                        (edit.id, sequence, row[0].value, row[1], moment),
                    )
            db.execute("INSERT OR REPLACE INTO meta VALUES('last', ?)", (sequence,))
        return results, sequence

    def mark_applied(self, sequence: int) -> None:
        """The published index holds all changes up to this one."""
        if self.exists() and sequence:
            with self._transaction() as db:
                db.execute("INSERT OR REPLACE INTO meta VALUES('applied', ?)", (sequence,))

    def drop(self, ids: Collection[str] | None = None) -> int:
        """Forget changes: all, or those of some ids. Gives how many there were."""
        if not self.exists():
            return 0
        with self._transaction() as db:
            before = _count(db)
            if ids is None:
                db.execute("DELETE FROM change")
            else:
                db.executemany("DELETE FROM change WHERE id=?", [(one,) for one in ids])
            return before - _count(db)

    def discard(self) -> None:
        """Delete the file, where it is damaged beyond reading."""
        for name in (CHANGES_FILE, f"{CHANGES_FILE}-journal"):
            self._path.with_name(name).unlink(missing_ok=True)

    # Reading

    def counts(self) -> ChangeCounts:
        if not self.exists():
            return ChangeCounts()
        with self._open() as db:
            kinds: dict[str, int] = dict(
                db.execute("SELECT kind, count(*) FROM change GROUP BY kind").fetchall()  # type: ignore[arg-type]
            )
            applied, last = _number(db, "applied"), _number(db, "last")
            row = db.execute("SELECT count(*) FROM change WHERE sequence>?", (applied,)).fetchone()
            assert row is not None
            waiting = int(row[0])
        return ChangeCounts(**kinds, waiting=waiting, last=last)

    def has_waiting(self) -> bool:
        if not self.exists():
            return False
        with self._open() as db:
            return _newest(db) > _number(db, "applied")

    def applied(self) -> int:
        """The sequence number of the last change that the index holds."""
        if not self.exists():
            return 0
        with self._open() as db:
            return _number(db, "applied")

    def stored(self, *, waiting: bool = False) -> list[StoredChange]:
        """The changes in the order in which they were made; or those that wait to be applied."""
        if not self.exists():
            return []
        with self._open() as db:
            after = _number(db, "applied") if waiting else 0
            rows = db.execute(
                "SELECT id, sequence, kind, value, changed_at FROM change WHERE sequence>? "
                "ORDER BY sequence",
                (after,),
            ).fetchall()
        return [_change(row) for row in rows]

    def part(self, after: int, limit: int) -> list[StoredChange]:
        """The changes after a sequence number."""
        if not self.exists():
            return []
        with self._open() as db:
            rows = db.execute(
                "SELECT id, sequence, kind, value, changed_at FROM change WHERE sequence>? "
                "ORDER BY sequence LIMIT ?",
                (after, limit),
            ).fetchall()
        return [_change(row) for row in rows]

    def known(self, ids: Collection[str]) -> set[str]:
        """The ids of these for which a change is stored."""
        if not self.exists():
            return set()
        found: set[str] = set()
        wanted = list(ids)
        with self._open() as db:
            for start in range(0, len(wanted), _IDS_A_QUERY):
                some = wanted[start : start + _IDS_A_QUERY]
                marks = ",".join("?" * len(some))
                rows = db.execute(f"SELECT id FROM change WHERE id IN ({marks})", some)  # noqa: S608 - question marks only
                found.update(str(row[0]) for row in rows)
        return found

    # The file

    @contextmanager
    def _transaction(self) -> Iterator[apsw.Connection]:
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:  # a full disk may have ended it already
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _open(self) -> Iterator[apsw.Connection]:
        """A connection of its own for each use: none is carried over a fork or to a thread."""
        with _translated(self._path):
            db = apsw.Connection(str(self._path))
            try:
                db.set_busy_timeout(_BUSY_MILLISECONDS)
                db.pragma("synchronous", _SYNC_FOLDERS_TOO)
                _check_version(db, self._path)
                yield db
            finally:
                db.close()


def _check_version(db: apsw.Connection, path: Path) -> None:
    version = db.pragma("user_version")
    if version == 0:
        db.execute("BEGIN IMMEDIATE")
        try:
            if db.pragma("user_version") == 0:  # else another process was quicker
                db.execute(_SCHEMA)
                db.pragma("user_version", CHANGES_VERSION)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
    elif version != CHANGES_VERSION:
        raise FormatError(
            f"{path} has version {version}, this version of Gossamer reads {CHANGES_VERSION}."
        )


def _combined(
    row: tuple[ChangeKind, bytes] | None, edit: Edit, is_indexed: Callable[[str], bool]
) -> tuple[EditResult, tuple[ChangeKind, bytes] | None]:
    """Merge a change with the stored one of the same id: the result, and the row to store."""
    is_there = is_indexed(edit.id) if row is None else row[0] is not ChangeKind.REMOVE
    if edit.kind is ChangeKind.PUT:
        result = EditResult.CHANGED if is_there else EditResult.ADDED
        return result, (ChangeKind.PUT, edit.value)
    if not is_there:
        return EditResult.MISSING, None
    if edit.kind is ChangeKind.REMOVE:
        return EditResult.REMOVED, (ChangeKind.REMOVE, b"")
    if row is None:
        return EditResult.CHANGED, (ChangeKind.PATCH, edit.value)
    kind, before = row
    merged = {**_members(before), **_members(edit.value)}
    if kind is ChangeKind.PUT:
        merged = {name: value for name, value in merged.items() if bytes(value) != b"null"}
    return EditResult.CHANGED, (kind, msgspec.json.encode(merged))


_decode_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def _members(value: bytes) -> dict[str, msgspec.Raw]:
    """The members of a JSON object, each as it was written: no number loses a digit."""
    return _decode_members(value)


def _row(db: apsw.Connection, name: str) -> tuple[ChangeKind, bytes] | None:
    row = db.execute("SELECT kind, value FROM change WHERE id=?", (name,)).fetchone()
    return None if row is None else (ChangeKind(row[0]), _bytes(row[1]))


def _change(row: Sequence[Any]) -> StoredChange:
    name, sequence, kind, value, changed_at = row
    return StoredChange(name, sequence, ChangeKind(kind), _bytes(value), changed_at)


def _bytes(value: Any) -> bytes:
    return bytes(value)


def _number(db: apsw.Connection, name: str) -> int:
    row = db.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
    return 0 if row is None else int(row[0])


def _newest(db: apsw.Connection) -> int:
    row = db.execute("SELECT max(sequence) FROM change").fetchone()
    return 0 if row is None or row[0] is None else int(row[0])


def _count(db: apsw.Connection) -> int:
    row = db.execute("SELECT count(*) FROM change").fetchone()
    assert row is not None
    return int(row[0])


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except apsw.FullError:
        raise StorageFull(
            f"{path}: the disk is full. Free some space and send the change again: it was not "
            "stored."
        ) from None
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise FormatError(
            f"{path} is damaged ({error}). Restore it from a backup, or give up the stored changes "
            "with 'gossamer index drop-changes'."
        ) from None
    except apsw.Error as error:
        raise StorageError(f"{path} cannot be used: {error}.") from None
