import sqlite3

import pytest
import sqlalchemy as sa

from gossamer.errors import FormatError, StorageError, StorageFull
from gossamer.storage import database


class PostgresError(Exception):
    def __init__(self, sqlstate: str) -> None:
        super().__init__("could not extend file")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("cause", "fault"),
    [
        (sqlite3.OperationalError("database or disk is full"), StorageFull),
        (PostgresError("53100"), StorageFull),
        (sqlite3.DatabaseError("file is not a database"), FormatError),
        (sqlite3.DatabaseError("database disk image is malformed"), FormatError),
        (sqlite3.OperationalError("unable to open database file"), StorageError),
        (PostgresError("08006"), StorageError),
    ],
)
def test_refusals_are_told_apart(cause: Exception, fault: type[StorageError]) -> None:
    wrapped = sa.exc.OperationalError("select 1", {}, cause)
    for error in (cause, wrapped):
        found = database.fault("The catalogue x", error)
        assert type(found) is fault
        assert "The catalogue x" in str(found)
        assert "select" not in str(found)
