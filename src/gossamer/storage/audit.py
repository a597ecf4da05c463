"""Who has changed what, and when: rows are added, and never changed."""

import time
from collections.abc import Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from gossamer.storage.catalogue_database import CatalogueDatabase
from gossamer.storage.catalogue_tables import audit as _audit


class AuditEntry(Struct, frozen=True):
    id: int
    at: float
    account: str  # '' for the server itself, and for those who tried to log in
    action: str
    subject: str
    details: dict[str, Any]


class AuditLog:
    def __init__(self, catalogue: CatalogueDatabase) -> None:
        self._catalogue = catalogue

    def note(
        self, account: str, action: str, subject: str, details: Mapping[str, Any] | None = None
    ) -> None:
        values = {"account": account, "action": action, "subject": subject}
        text = msgspec.json.encode(details or {}).decode()
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_audit.insert().values(at=time.time(), details=text, **values))

    def entries(self, limit: int, before: int = 0) -> list[AuditEntry]:
        """The newest first; `before`: older than the entry of that number."""
        query = sa.select(_audit).order_by(_audit.c.id.desc()).limit(limit)
        with self._catalogue.transaction() as connection:
            rows = connection.execute(query.where(_audit.c.id < before) if before else query)
            return [_entry(*row) for row in rows]


def _entry(
    number: int, at: float, account: str, action: str, subject: str, details: str
) -> AuditEntry:
    return AuditEntry(number, at, account, action, subject, msgspec.json.decode(details))
