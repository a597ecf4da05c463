"""The database behind the catalogue: opened at the first use, made where it is missing, refused
where another version or somebody else has written it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import sqlalchemy as sa

from gossamer.errors import FormatError
from gossamer.storage import database
from gossamer.storage.catalogue_tables import CATALOGUE_VERSION, meta, metadata, run

_READABLE = range(1, CATALOGUE_VERSION + 1)


class CatalogueDatabase:
    """Opened at the first use, so that commands which need no run touch no database."""

    def __init__(self, url: str) -> None:
        """`sqlite:////path/to/catalogue.db` or `postgresql+driver://…`."""
        self._url = database.read_url(url)

    def exists(self) -> bool:
        """Whether anything was ever put in; a server is taken to be there."""
        path = self._url.database if self._url.get_backend_name() == "sqlite" else None
        return path is None or Path(path).exists()

    @contextmanager
    def transaction(self, writes: bool = False) -> Iterator[sa.Connection]:
        """What the database refuses becomes one of our faults."""
        try:
            with database.transaction(self._engine, writes) as connection:
                yield connection
        except database.REFUSALS as error:
            raise database.fault(f"The catalogue {self._place}", error) from error

    @property
    def _place(self) -> str:
        return self._url.render_as_string(hide_password=True)

    @cached_property
    def _engine(self) -> sa.Engine:
        engine = database.open_engine(self._url)
        # Only a new catalogue needs the right to write: readers never wait for a writer.
        with database.transaction(engine, writes=False) as connection:
            is_ready = _version(connection, self._place) == CATALOGUE_VERSION
        if not is_ready:
            with database.transaction(engine, writes=True) as connection:
                database.serialise_opening(connection)
                self._make(connection)
        return engine

    def _make(self, connection: sa.Connection) -> None:
        found = _version(connection, self._place)
        metadata.create_all(connection)
        if not found:
            version = {"name": "version", "value": str(CATALOGUE_VERSION)}
            connection.execute(meta.insert().values(version))
        else:
            change = meta.update().where(meta.c.name == "version")
            connection.execute(change.values(value=str(CATALOGUE_VERSION)))


def _version(connection: sa.Connection, place: str) -> int:
    """The version of the catalogue that is there, 0 for none; one that we cannot use is a fault."""
    tables = sa.inspect(connection).get_table_names()
    if meta.name not in tables:
        if run.name in tables:
            raise FormatError(f"{place} is not a catalogue of Gossamer: it has other tables.")
        return 0
    found = connection.scalar(sa.select(meta.c.value).where(meta.c.name == "version"))
    if found is None or found not in map(str, _READABLE):
        raise FormatError(
            f"The catalogue {place} has version {found}, this version of Gossamer reads "
            f"{CATALOGUE_VERSION}: use the version that wrote it, or another home."
        )
    return int(found)
