"""What differs between SQLite and PostgreSQL, so that the catalogue need not know."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from gossamer.errors import FormatError, SettingsError, StorageError, StorageFull
from gossamer.storage.objects import refusals

_BUSY_SECONDS = 30.0
_PAUSE_SECONDS = 0.02
_OPENING_LOCK = 7_361_002  # of PostgreSQL: any number that all versions of us agree on
_WRITES = "gossamer_writes"

REFUSALS = (sa.exc.DBAPIError, sqlite3.Error)
"""What a database raises; `fault` says what it means."""


def read_url(text: str) -> sa.URL:
    try:
        return sa.make_url(text)
    except sa.exc.ArgumentError as error:
        raise SettingsError("The catalogue's address is not the URL of a database.") from error


def open_engine(url: sa.URL) -> sa.Engine:
    # A connection for each transaction: none is carried over a fork, and none is left open.
    if url.get_backend_name() != "sqlite":
        try:
            return sa.create_engine(url, poolclass=sa.NullPool)
        except (sa.exc.ArgumentError, ImportError) as error:
            raise SettingsError(
                f"The catalogue is to be a database of the kind '{url.drivername}': {error}. "
                "Install its driver, or name another: sqlite, postgresql+psycopg."
            ) from error
    if url.database:
        with refusals(f"Cannot create the folder of {url.database}"):
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args={"timeout": _BUSY_SECONDS})
    sa.event.listen(engine, "connect", _leave_transactions_to_us)
    sa.event.listen(engine, "begin", _begin)
    _use_write_ahead_log(engine)
    return engine


@contextmanager
def transaction(engine: sa.Engine, writes: bool) -> Iterator[sa.Connection]:
    with engine.connect().execution_options(**{_WRITES: writes}) as connection, connection.begin():
        yield connection


def serialise_opening(connection: sa.Connection) -> None:
    """Of several processes that find no tables, one creates them. (SQLite's transactions that
    write exclude each other anyway.)"""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_OPENING_LOCK)))


def upsert(connection: sa.Connection, table: sa.Table) -> Any:
    """An insert that can say what to do on a conflict."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # takes a tenth of a command's start

    return postgresql.insert(table)


def fault(what: str, error: Exception) -> StorageError:
    cause = getattr(error, "orig", error)
    text = str(cause)
    if "disk is full" in text or getattr(cause, "sqlstate", "") == "53100":
        return StorageFull(f"{what}: the disk is full. Free some space and try again.")
    if "not a database" in text or "malformed" in text:
        return FormatError(f"{what} is damaged: {text}.")
    return StorageError(f"{what} cannot be used: {text}.")


def _leave_transactions_to_us(connection: Any, record: object) -> None:  # noqa: ARG001
    """The driver would begin late, and take the write lock in the middle of a transaction, where
    it can be refused at once however long we are ready to wait."""
    connection.isolation_level = None


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _use_write_ahead_log(engine: sa.Engine) -> None:
    """Readers and the writer do not block each other. The switch itself does not wait for others
    that have just opened the file, so that it may take several tries."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        connection = engine.raw_connection()
        try:
            connection.cursor().execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_SECONDS)
        finally:
            connection.close()
