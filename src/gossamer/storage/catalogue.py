"""Which runs there are, with what settings they were started, and how they ended.

A small database for all crawlers of a home, in SQLite or PostgreSQL. Several processes may use it
at once. Times are seconds since 1970; 0 means 'not yet'.
"""

import difflib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import cached_property
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from gossamer.errors import FormatError, RunNotFound
from gossamer.storage import database

CATALOGUE_VERSION = 1

_metadata = sa.MetaData()

_meta = sa.Table(
    "meta",
    _metadata,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("value", sa.String, nullable=False),
)

_crawler = sa.Table(
    "crawler",
    _metadata,
    sa.Column("name", sa.String, primary_key=True),
    # Kept apart from the runs: the number of a deleted run is never given to another.
    sa.Column("last_number", sa.Integer, nullable=False),
)

_run = sa.Table(
    "run",
    _metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("name", sa.String, nullable=False, unique=True),
    sa.Column("crawler", sa.String, nullable=False, index=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("state", sa.String, nullable=False),
    sa.Column("seeds", sa.Text, nullable=False),
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("statistics", sa.Text, nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("started_at", sa.Double, nullable=False),
    sa.Column("ended_at", sa.Double, nullable=False),
    sa.Column("updated_at", sa.Double, nullable=False),
    sa.Column("pid", sa.Integer, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)

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
    """Opened at the first use, so that commands which need no run touch no database."""

    def __init__(self, url: str) -> None:
        """`sqlite:////path/to/catalogue.db` or `postgresql+driver://…`."""
        self._url = database.read_url(url)

    def create_run(self, crawler: str, seeds: Sequence[str], settings: Mapping[str, Any]) -> Run:
        """A new run with the crawler's next number, which no other run ever gets."""
        now = time.time()
        with self._connection(writes=True) as connection:
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
        with self._connection() as connection:
            return _only(connection, key)

    def runs(self, crawler: str = "") -> list[Run]:
        """All runs, or those of one crawler; the newest first."""
        with self._connection() as connection:
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
        with self._connection(writes=True) as connection:
            run = _only(connection, key)
            change = _run.update().where(_run.c.id == run.id)
            connection.execute(change.values(given | {"updated_at": time.time()}))
            return _only(connection, run.id)

    def delete(self, key: str | int) -> None:
        """Forget a run. Its files are the caller's business."""
        with self._connection(writes=True) as connection:
            run = _only(connection, key)
            connection.execute(_run.delete().where(_run.c.id == run.id))

    @contextmanager
    def _connection(self, writes: bool = False) -> Iterator[sa.Connection]:
        """A transaction; what the database refuses becomes one of our faults."""
        place = self._url.render_as_string(hide_password=True)
        try:
            with database.transaction(self._engine, writes) as connection:
                yield connection
        except database.REFUSALS as error:
            raise database.fault(f"The catalogue {place}", error) from error

    @cached_property
    def _engine(self) -> sa.Engine:
        place = self._url.render_as_string(hide_password=True)
        engine = database.open_engine(self._url)
        # Only a new catalogue needs the right to write: readers never wait for a writer.
        with database.transaction(engine, writes=False) as connection:
            exists = _checked(connection, place)
        if not exists:
            with database.transaction(engine, writes=True) as connection:
                database.serialise_opening(connection)
                if not _checked(connection, place):
                    _metadata.create_all(connection)
                    version = {"name": "version", "value": str(CATALOGUE_VERSION)}
                    connection.execute(_meta.insert().values(version))
        return engine


def _checked(connection: sa.Connection, place: str) -> bool:
    """Whether there is a catalogue; one that we cannot use is a fault."""
    tables = sa.inspect(connection).get_table_names()
    if _meta.name not in tables:
        if _run.name in tables:
            raise FormatError(f"{place} is not a catalogue of Gossamer: it has other tables.")
        return False
    found = connection.scalar(sa.select(_meta.c.value).where(_meta.c.name == "version"))
    if found != str(CATALOGUE_VERSION):
        raise FormatError(
            f"The catalogue {place} has version {found}, this version of Gossamer reads "
            f"{CATALOGUE_VERSION}: use the version that wrote it, or another home."
        )
    return True


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
    return f". There is {' and '.join(repr(known) for known in near)}."


def _to_run(row: Mapping[Any, Any]) -> Run:
    # SQLAlchemy's column names are a kind of str that msgspec does not take for one.
    values = {str(name): value for name, value in row.items()}
    values |= {name: msgspec.json.decode(row[name]) for name in _JSON_COLUMNS}
    return msgspec.convert(values, Run)


def _to_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
