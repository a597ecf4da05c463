"""What was searched for, how much was found, how long it took: never by whom.

Queries that differ in capitals and spaces alone are one.
"""

import time
from collections.abc import Sequence

import sqlalchemy as sa
from msgspec import Struct

from gossamer.storage.catalogue_database import CatalogueDatabase
from gossamer.storage.catalogue_tables import query as _query

_MOST_CLICKS = 20
_CLICK_SECONDS = 3_600.0
"""A click comes soon after its search, and nobody clicks a hundred times."""


class AskedQuery(Struct, frozen=True):
    """One search, for the log."""

    id: int
    at: float
    index_name: str
    text: str
    total: int
    took_ms: float
    clicks: int | None  # None where they are not counted


class QueryCount(Struct, frozen=True):
    """A query, over all searches for it."""

    index: str
    text: str
    searches: int
    total: float  # found by a search, on average
    took_ms: float
    clicks: float | None  # a search; None where they were not counted


class QueryLog:
    def __init__(self, catalogue: CatalogueDatabase) -> None:
        self._catalogue = catalogue

    def add(self, asked: Sequence[AskedQuery]) -> None:
        rows = [
            {name: getattr(one, name) for name in AskedQuery.__struct_fields__} for one in asked
        ]
        if rows:
            with self._catalogue.transaction(writes=True) as connection:
                connection.execute(_query.insert(), rows)

    def click(self, number: int) -> None:
        """Somebody has followed a result of that search."""
        change = _query.update().where(
            _query.c.id == number,
            _query.c.at > time.time() - _CLICK_SECONDS,
            _query.c.clicks < _MOST_CLICKS,
        )
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(change.values(clicks=_query.c.clicks + 1))

    def forget(self, before: float) -> int:
        """Take out what was asked before that moment; says how much it was."""
        with self._catalogue.transaction(writes=True) as connection:
            return connection.execute(_query.delete().where(_query.c.at < before)).rowcount

    # Questions

    def popular(
        self, since: float, limit: int, index: str = "", least: int = 1
    ) -> list[QueryCount]:
        """What is asked for most, among what found something, at least `least` times each."""
        found = sa.func.count().desc()
        return self._counted(since, limit, index, found, _query.c.total > 0, least)

    def failing(self, since: float, limit: int, index: str = "") -> list[QueryCount]:
        """What found nothing, or nothing that anybody clicked on (where clicks are counted)."""
        return self._counted(
            since,
            limit,
            index,
            sa.func.count().desc(),
            having=sa.or_(sa.func.max(_query.c.total) == 0, sa.func.sum(_query.c.clicks) == 0),
        )

    def slow(self, since: float, limit: int, index: str = "") -> list[QueryCount]:
        return self._counted(since, limit, index, sa.func.avg(_query.c.took_ms).desc())

    def searches(self, since: float) -> int:
        with self._catalogue.transaction() as connection:
            counted = sa.select(sa.func.count()).where(_query.c.at >= since)
            return connection.execute(counted.select_from(_query)).scalar_one()

    def _counted(
        self,
        since: float,
        limit: int,
        index: str,
        order: sa.ColumnElement[int],
        where: sa.ColumnElement[bool] | None = None,
        least: int = 1,
        having: sa.ColumnElement[bool] | None = None,
    ) -> list[QueryCount]:
        query = (
            sa.select(
                _query.c.index_name,
                _query.c.text,
                sa.func.count(),
                sa.func.avg(_query.c.total),
                sa.func.avg(_query.c.took_ms),
                sa.func.avg(_query.c.clicks),
            )
            .where(_query.c.at >= since)
            .group_by(_query.c.index_name, _query.c.text)
            .having(sa.func.count() >= least)
            .order_by(order, _query.c.text)
            .limit(limit)
        )
        if index:
            query = query.where(_query.c.index_name == index)
        if where is not None:
            query = query.where(where)
        if having is not None:
            query = query.having(having)
        with self._catalogue.transaction() as connection:
            return [_count(*row) for row in connection.execute(query)]


def _count(
    index: str, text: str, searches: int, total: float, took_ms: float, clicks: float | None
) -> QueryCount:
    # PostgreSQL's averages of whole numbers are decimals.
    average = None if clicks is None else float(clicks)
    return QueryCount(index, text, searches, float(total), float(took_ms), average)


def normal(text: str) -> str:
    """A query as the log counts it. (PostgreSQL takes no text with a NUL in it.)"""
    return " ".join(text.replace("\0", " ").split()).lower()
