"""Stored changes of single documents: a durable table beside an index.

An index of documents is built from files. A document that is put, patched or removed by itself is
recorded here first, one row for each id, and applied to the index after that. The rows stay, and
every later build applies them after the files, until a person drops them.

    changes.db    SQLite: the newest change of each id, and whether the index has applied it

Any process may write, with or without the writer lock of the index. A transaction is on the disk
before it returns.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import msgspec
from msgspec import Struct

from gossamer.edits import ChangeCard, ChangeCounts, ChangeKind, ChangeState, Edit
from gossamer.errors import FormatError, StorageError, StorageFull

CHANGES_FILE = "changes.db"
CHANGES_VERSION = 2
_BUSY_MILLISECONDS = 30_000
_SYNC_FOLDERS_TOO = 3  # PRAGMA synchronous=EXTRA: a committed change survives a power cut

_SCHEMA = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE change(id TEXT PRIMARY KEY, sequence INTEGER NOT NULL UNIQUE, kind TEXT NOT NULL,
    value BLOB NOT NULL, changed_at REAL NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX change_by_state ON change(state, sequence);
"""

IndexedIds = Callable[[set[str]], set[str]]
"""Returns those of some ids that the index holds."""


class StoredChange(Struct, frozen=True):
    """The newest change of one id. A patch on a stored document is merged into it, and a patch on
    a patch into that; what a patch sets to null is removed from the document."""

    id: str
    sequence: int  # grows with every change of the index
    kind: ChangeKind
    value: bytes
    changed_at: float


class Stored(NamedTuple):
    """The results of edits that were stored in one transaction."""

    results: list["EditResult"]
    sequences: list[int]  # of each edit; 0: nothing was stored


class EditResult(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    MISSING = "missing"  # there is no such document: nothing was stored


class DocumentChanges:
    """The stored changes of the index in a folder. The file is made by the first change."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / CHANGES_FILE

    def exists(self) -> bool:
        return self._path.exists()

    # Writing

    def add(self, edits: Sequence[Edit], indexed: IndexedIds, moment: float) -> Stored:
        """Store changes in their order, all in one transaction, durable when this returns.
        `indexed`: called once, within the transaction, with the ids whose stored change does not
        tell whether their document exists."""
        found = Stored([], [])
        with self._transaction() as db:
            sequence = _number(db, "last")
            unknown = {edit.id for edit in edits if not _tells(_row(db, edit.id))}
            existing = indexed(unknown)
            for edit in edits:
                row = _row(db, edit.id)
                result, combined = _combined(row, edit, edit.id in existing)
                found.results.append(result)
                if combined is None:
                    found.sequences.append(0)
                    continue
                sequence += 1
                found.sequences.append(sequence)
                kind, value = combined
                db.execute(
                    "INSERT OR REPLACE INTO change VALUES(?,?,?,?,?,?)",
                    (edit.id, sequence, kind.value, value, moment, ChangeState.WAITING.value),
                )
            db.execute("INSERT OR REPLACE INTO meta VALUES('last', ?)", (sequence,))
        return found

    def mark_applied(
        self, changes: Iterable[StoredChange], without_document: Collection[StoredChange] = ()
    ) -> None:
        """Record that the published index holds changes; `without_document`: those of them that
        patch a document that the files no longer have. A change that has been replaced by a newer
        one since keeps waiting."""
        without = {change.sequence for change in without_document}
        states = {True: ChangeState.WITHOUT_DOCUMENT.value, False: ChangeState.APPLIED.value}
        rows = [(states[one.sequence in without], one.sequence) for one in changes]
        if rows and self.exists():
            with self._transaction() as db:
                db.executemany("UPDATE change SET state=?1 WHERE sequence=?2 AND state<>?1", rows)

    def drop(self, ids: Collection[str] | None = None) -> int:
        """Delete changes: all, or those of some ids. Returns how many there were."""
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

    def count(self) -> int:
        """How many changes are stored. Waits for a process that stores some at this moment."""
        if not self.exists():
            return 0
        with self._transaction() as db:
            return _count(db)

    def counts(self) -> ChangeCounts:
        if not self.exists():
            return ChangeCounts()
        with self._open() as db:
            rows = db.execute("SELECT kind, state, count(*) FROM change GROUP BY 1, 2").fetchall()
            last = _number(db, "last")
        kinds: dict[str, int] = {}
        states: dict[str, int] = {}
        for kind, state, number in rows:
            kinds[str(kind)] = kinds.get(str(kind), 0) + int(str(number))
            states[str(state)] = states.get(str(state), 0) + int(str(number))
        return ChangeCounts(
            **kinds,
            waiting=states.get(ChangeState.WAITING, 0),
            without_document=states.get(ChangeState.WITHOUT_DOCUMENT, 0),
            last=last,
        )

    def has_waiting(self) -> bool:
        """Return True if a change waits to be applied."""
        if not self.exists():
            return False
        with self._open() as db:
            found = db.execute("SELECT 1 FROM change WHERE state='waiting' LIMIT 1").fetchone()
            return found is not None

    def sequences(self, state: ChangeState, first: int, last: int) -> list[tuple[int, str]]:
        """(sequence, id) of the changes in a state, within a range of sequence numbers."""
        if not self.exists():
            return []
        with self._open() as db:
            rows = db.execute(
                "SELECT sequence, id FROM change WHERE state=? AND sequence BETWEEN ? AND ? "
                "ORDER BY sequence",
                (state.value, first, last),
            ).fetchall()
        return [(int(str(sequence)), str(name)) for sequence, name in rows]

    def stored(self, *, waiting: bool = False) -> list[StoredChange]:
        """The changes in the order in which they were made; or those that wait to be applied."""
        if not self.exists():
            return []
        where = "WHERE state='waiting' " if waiting else ""
        with self._open() as db:
            rows = db.execute(
                f"SELECT id, sequence, kind, value, changed_at FROM change {where}"  # noqa: S608 - a constant
                "ORDER BY sequence"
            ).fetchall()
        return [_change(row) for row in rows]

    def cards(self, after: int, limit: int) -> list[ChangeCard]:
        """The changes after a sequence number, without their documents."""
        if not self.exists():
            return []
        with self._open() as db:
            rows = db.execute(
                "SELECT id, sequence, kind, changed_at, state FROM change WHERE sequence>? "
                "ORDER BY sequence LIMIT ?",
                (after, limit),
            ).fetchall()
        return [_card(row) for row in rows]

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


_Row = tuple[ChangeKind, bytes, ChangeState]


def _tells(row: _Row | None) -> bool:
    """Return True if the stored change of an id tells whether there is such a document."""
    return row is not None and row[2] is not ChangeState.WITHOUT_DOCUMENT


def _combined(
    row: _Row | None, edit: Edit, is_indexed: bool
) -> tuple[EditResult, tuple[ChangeKind, bytes] | None]:
    """Merge a change with the stored one of the same id: the result, and the row to store."""
    is_there = is_indexed
    if row is not None and _tells(row):
        is_there = row[0] is not ChangeKind.REMOVE
    if edit.kind is ChangeKind.PUT:
        result = EditResult.CHANGED if is_there else EditResult.ADDED
        return result, (ChangeKind.PUT, edit.value)
    if not is_there:
        return EditResult.MISSING, None
    if edit.kind is ChangeKind.REMOVE:
        return EditResult.REMOVED, (ChangeKind.REMOVE, b"")
    if row is None:
        return EditResult.CHANGED, (ChangeKind.PATCH, edit.value)
    kind, before, _ = row
    merged = {**_members(before), **_members(edit.value)}
    if kind is ChangeKind.PUT:
        merged = {name: value for name, value in merged.items() if bytes(value) != b"null"}
    return EditResult.CHANGED, (kind, msgspec.json.encode(merged))


_decode_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def _members(value: bytes) -> dict[str, msgspec.Raw]:
    """The members of a JSON object, each as it was written: no number loses a digit."""
    return _decode_members(value)


def _row(db: apsw.Connection, name: str) -> _Row | None:
    row = db.execute("SELECT kind, value, state FROM change WHERE id=?", (name,)).fetchone()
    return None if row is None else (ChangeKind(row[0]), _bytes(row[1]), ChangeState(row[2]))


def _change(row: Sequence[Any]) -> StoredChange:
    name, sequence, kind, value, changed_at = row
    return StoredChange(name, sequence, ChangeKind(kind), _bytes(value), changed_at)


def _card(row: Sequence[Any]) -> ChangeCard:
    name, sequence, kind, changed_at, state = row
    return ChangeCard(name, sequence, ChangeKind(kind), changed_at, ChangeState(state))


def _bytes(value: Any) -> bytes:
    return bytes(value)


def _number(db: apsw.Connection, name: str) -> int:
    row = db.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
    return 0 if row is None else int(row[0])


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
            f"{path}: the disk is full. Free some space, then send again what was not stored."
        ) from None
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise FormatError(
            f"{path} is damaged ({error}). Restore it from a backup, or discard the stored changes "
            "with 'gossamer index drop-changes'."
        ) from None
    except apsw.Error as error:
        raise StorageError(f"{path} cannot be used: {error}.") from None
