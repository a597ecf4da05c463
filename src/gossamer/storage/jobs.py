"""Which jobs were started, as which process, and how they ended."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from gossamer.storage.catalogue_database import CatalogueDatabase
from gossamer.storage.catalogue_tables import job as _job


class JobRecord(Struct, frozen=True):
    id: int
    kind: str
    subject: str
    arguments: tuple[str, ...]
    started_by: str
    created_at: float
    ended_at: float  # 0 while nobody has seen it end
    pid: int  # 0 where it could not be started
    pid_started: int  # in ticks since the machine started: with the pid, one process for good
    exit_code: int | None  # None where nobody knows it
    result: dict[str, Any]


class JobRecords:
    def __init__(self, catalogue: CatalogueDatabase) -> None:
        self._catalogue = catalogue

    def add(self, kind: str, subject: str, arguments: Sequence[str], started_by: str) -> int:
        values = {
            "kind": kind,
            "subject": subject,
            "arguments": msgspec.json.encode(arguments).decode(),
            "started_by": started_by,
            "created_at": time.time(),
            "ended_at": 0.0,
            "pid": 0,
            "pid_started": 0,
            "exit_code": None,
            "result": "{}",
        }
        with self._catalogue.transaction(writes=True) as connection:
            added = _job.insert().values(values).returning(_job.c.id)
            number: int = connection.execute(added).scalar_one()
            return number

    def started(self, number: int, pid: int, pid_started: int) -> None:
        self._change(number, pid=pid, pid_started=pid_started)

    def ended(
        self, number: int, ended_at: float, exit_code: int | None, result: Mapping[str, Any]
    ) -> None:
        text = msgspec.json.encode(result).decode()
        self._change(number, ended_at=ended_at, exit_code=exit_code, result=text)

    def record(self, number: int) -> JobRecord | None:
        with self._catalogue.transaction() as connection:
            row = connection.execute(sa.select(_job).where(_job.c.id == number)).first()
            return _record(row) if row else None

    def records(self, limit: int, before: int = 0) -> list[JobRecord]:
        """The newest first; `before`: older than the one of that number."""
        query = sa.select(_job).order_by(_job.c.id.desc()).limit(limit)
        with self._catalogue.transaction() as connection:
            rows = connection.execute(query.where(_job.c.id < before) if before else query)
            return [_record(row) for row in rows]

    def _change(self, number: int, **values: Any) -> None:
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_job.update().where(_job.c.id == number).values(values))


def _record(row: sa.Row[Any]) -> JobRecord:
    values = dict(zip(JobRecord.__struct_fields__, row, strict=True))
    values |= {name: msgspec.json.decode(values[name]) for name in ("arguments", "result")}
    return msgspec.convert(values, JobRecord)
