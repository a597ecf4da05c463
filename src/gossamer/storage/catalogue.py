"""Which runs there are, with what settings they were started, and how they ended.

A small database for all crawlers of a home, in SQLite or PostgreSQL. Several processes may use it
at once. Times are seconds since 1970; 0 means 'not yet'.
"""

import difflib
import time
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from gossamer.errors import RunNotFound
from gossamer.storage import database
from gossamer.storage.catalogue_database import CatalogueDatabase
from gossamer.storage.catalogue_tables import crawler as _crawler
from gossamer.storage.catalogue_tables import run as _run

_JSON_COLUMNS = ("seeds", "settings", "statistics")


class RunState(StrEnum):
    CREATED = "created"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    STOPPED = "stopped"  # by a person: can go on
    FINISHED = "finished"  # nothing left to do within its limits
    FAILED = "failed"  # by a fault: can go on once that is mended


class Run(Struct, frozen=True):
    id: int
    name: str  # of the crawler, with the number: 'example.org-1'
    crawler: str
    number: int
    state: RunState
    seeds: tuple[str, ...]
    settings: dict[str, Any]
    statistics: dict[str, Any]
    created_at: float
    started_at: float
    ended_at: float
    updated_at: float
    pid: int  # of the process that works on it; 0: none
    reason: str  # why it ended


class Catalogue:
    def __init__(self, url: str) -> None:
        """`sqlite:////path/to/catalogue.db` or `postgresql+driver://…`."""
        self.database = CatalogueDatabase(url)

    def exists(self) -> bool:
        return self.database.exists()

    def create_run(self, crawler: str, seeds: Sequence[str], settings: Mapping[str, Any]) -> Run:
        """A new run with the crawler's next number, which no other run ever gets."""
        now = time.time()
        with self.database.transaction(writes=True) as connection:
            number = _next_number(connection, crawler)
            name = f"{crawler}-{number}"
            values = {
                "name": name,
                "crawler": crawler,
                "number": number,
                "state": RunState.CREATED.value,
                "seeds": _to_json(seeds),
                "settings": _to_json(settings),
                "statistics": "{}",
                "created_at": now,
                "started_at": 0.0,
                "ended_at": 0.0,
                "updated_at": now,
                "pid": 0,
                "reason": "",
            }
            connection.execute(_run.insert().values(values))
            return _only(connection, name)

    def run(self, key: str | int) -> Run:
        """The run of that name or id."""
        with self.database.transaction() as connection:
            return _only(connection, key)

    def runs(self, crawler: str = "") -> list[Run]:
        """All runs, or those of one crawler; the newest first."""
        with self.database.transaction() as connection:
            query = sa.select(_run).order_by(_run.c.id.desc())
            return _select(connection, query.where(_run.c.crawler == crawler) if crawler else query)

    def newest(self, crawler: str) -> Run | None:
        return next(iter(self.runs(crawler)), None)

    def newest_unfinished(self, crawler: str) -> Run | None:
        """The run that the same command goes on with: stopped and failed ones can go on too."""
        runs = self.runs(crawler)
        return next((run for run in runs if run.state is not RunState.FINISHED), None)

    def update(
        self,
        key: str | int,
        *,
        state: RunState | None = None,
        settings: Mapping[str, Any] | None = None,
        statistics: Mapping[str, Any] | None = None,
        started_at: float | None = None,
        ended_at: float | None = None,
        pid: int | None = None,
        reason: str | None = None,
    ) -> Run:
        """Change what is given, and nothing else; returns the run as it is now."""
        changes = {
            "state": None if state is None else state.value,
            "settings": None if settings is None else _to_json(settings),
            "statistics": None if statistics is None else _to_json(statistics),
            "started_at": started_at,
            "ended_at": ended_at,
            "pid": pid,
            "reason": reason,
        }
        given = {name: value for name, value in changes.items() if value is not None}
        with self.database.transaction(writes=True) as connection:
            run = _only(connection, key)
            change = _run.update().where(_run.c.id == run.id)
            connection.execute(change.values(given | {"updated_at": time.time()}))
            return _only(connection, run.id)

    def delete(self, key: str | int) -> None:
        """Forget a run. Its files are the caller's business."""
        with self.database.transaction(writes=True) as connection:
            run = _only(connection, key)
            connection.execute(_run.delete().where(_run.c.id == run.id))


def _next_number(connection: sa.Connection, crawler: str) -> int:
    insert = database.upsert(connection, _crawler).values(name=crawler, last_number=1)
    counted = insert.on_conflict_do_update(
        index_elements=[_crawler.c.name], set_={"last_number": _crawler.c.last_number + 1}
    )
    number: int = connection.execute(counted.returning(_crawler.c.last_number)).scalar_one()
    return number


def _select(connection: sa.Connection, query: sa.Select[Any]) -> list[Run]:
    return [_to_run(row) for row in connection.execute(query).mappings()]


def _only(connection: sa.Connection, key: str | int) -> Run:
    # A name ends in '-' and a number, so that an id is never one.
    is_id = isinstance(key, int) or key.isdecimal()
    found = _select(
        connection, sa.select(_run).where(_run.c.id == int(key) if is_id else _run.c.name == key)
    )
    if not found:
        raise RunNotFound(f"There is no run '{key}'{_advice(connection, str(key))}")
    return found[0]


def _advice(connection: sa.Connection, name: str) -> str:
    names = list(connection.scalars(sa.select(_run.c.name).order_by(_run.c.id.desc())))
    if not names:
        return ": there are no runs yet."
    near = difflib.get_close_matches(name, names, cutoff=0.5) or names[:3]
    return f". Did you mean {' or '.join(repr(known) for known in near)}?"


def _to_run(row: Mapping[Any, Any]) -> Run:
    # SQLAlchemy's column names are a kind of str that msgspec does not take for one.
    values = {str(name): value for name, value in row.items()}
    values |= {name: msgspec.json.decode(row[name]) for name in _JSON_COLUMNS}
    return msgspec.convert(values, Run)


def _to_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
