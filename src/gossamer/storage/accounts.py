"""Who has a login, and with what: accounts, sessions, tokens, invitations, failed attempts.

Secrets come in as digests: whoever reads the database can log in nowhere.
"""

import time

import sqlalchemy as sa
from msgspec import Struct

from gossamer.storage import database
from gossamer.storage.catalogue_database import CatalogueDatabase
from gossamer.storage.catalogue_tables import account as _account
from gossamer.storage.catalogue_tables import attempt as _attempt
from gossamer.storage.catalogue_tables import invitation as _invitation
from gossamer.storage.catalogue_tables import session as _session
from gossamer.storage.catalogue_tables import token as _token

_SEEN_EVERY_SECONDS = 3_600.0
"""How exactly the last use of a token is known: a search must not wait for a write."""


class Account(Struct, frozen=True):
    name: str
    role: str
    password: str  # as argon2 writes it; '' until the invitation was followed
    created_at: float


class Token(Struct, frozen=True):
    id: int
    account: str
    label: str
    role: str
    created_at: float
    used_at: float


class Attempts(Struct, frozen=True):
    failures: int = 0
    last_at: float = 0.0


class Accounts:
    def __init__(self, catalogue: CatalogueDatabase) -> None:
        self._catalogue = catalogue

    # Accounts

    def accounts(self) -> list[Account]:
        with self._catalogue.transaction() as connection:
            rows = connection.execute(sa.select(_account).order_by(_account.c.name))
            return [Account(*row) for row in rows]

    def account(self, name: str) -> Account | None:
        with self._catalogue.transaction() as connection:
            row = connection.execute(sa.select(_account).where(_account.c.name == name)).first()
            return Account(*row) if row else None

    def add(self, name: str, role: str) -> bool:
        """False where there is one of that name."""
        with self._catalogue.transaction(writes=True) as connection:
            values = {"name": name, "role": role, "password": "", "created_at": time.time()}
            added = database.upsert(connection, _account).values(values)
            found = connection.execute(added.on_conflict_do_nothing().returning(_account.c.name))
            return found.first() is not None

    def set_password(self, name: str, password: str) -> None:
        """Every session and token of the account ends: an intruder is locked out."""
        with self._catalogue.transaction(writes=True) as connection:
            change = _account.update().where(_account.c.name == name)
            connection.execute(change.values(password=password))
            for table in (_session, _token, _invitation):
                connection.execute(table.delete().where(table.c.account == name))

    def rehash_password(self, name: str, password: str) -> None:
        """Store the same password by a newer hash."""
        with self._catalogue.transaction(writes=True) as connection:
            change = _account.update().where(_account.c.name == name)
            connection.execute(change.values(password=password))

    def set_role(self, name: str, role: str) -> None:
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_account.update().where(_account.c.name == name).values(role=role))

    def remove(self, name: str) -> None:
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_account.delete().where(_account.c.name == name))
            for table in (_session, _token, _invitation):
                connection.execute(table.delete().where(table.c.account == name))

    # Sessions

    def begin_session(self, digest: str, account: str, seconds: float) -> None:
        now = time.time()
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_session.delete().where(_session.c.expires_at < now))
            values = {"digest": digest, "account": account, "created_at": now}
            connection.execute(_session.insert().values(**values, expires_at=now + seconds))

    def session_account(self, digest: str) -> Account | None:
        found = (
            sa.select(_account)
            .join(_session, _session.c.account == _account.c.name)
            .where(_session.c.digest == digest, _session.c.expires_at > time.time())
        )
        with self._catalogue.transaction() as connection:
            row = connection.execute(found).first()
            return Account(*row) if row else None

    def end_session(self, digest: str) -> None:
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_session.delete().where(_session.c.digest == digest))

    # Tokens

    def add_token(self, digest: str, account: str, label: str, role: str) -> Token:
        now = time.time()
        values = {"account": account, "label": label, "role": role, "created_at": now}
        with self._catalogue.transaction(writes=True) as connection:
            added = _token.insert().values(digest=digest, used_at=0.0, **values)
            number: int = connection.execute(added.returning(_token.c.id)).scalar_one()
        return Token(number, account, label, role, now, 0.0)

    def tokens(self, account: str = "") -> list[Token]:
        """Those of one account, or all."""
        columns = (_token.c[name] for name in Token.__struct_fields__)
        query = sa.select(*columns).order_by(_token.c.id)
        with self._catalogue.transaction() as connection:
            found = query.where(_token.c.account == account) if account else query
            return [Token(*row) for row in connection.execute(found)]

    def token(self, digest: str) -> Token | None:
        columns = (_token.c[name] for name in Token.__struct_fields__)
        with self._catalogue.transaction() as connection:
            row = connection.execute(sa.select(*columns).where(_token.c.digest == digest)).first()
        if row is None:
            return None
        found = Token(*row)
        if time.time() - found.used_at > _SEEN_EVERY_SECONDS:
            with self._catalogue.transaction(writes=True) as connection:
                change = _token.update().where(_token.c.id == found.id)
                connection.execute(change.values(used_at=time.time()))
        return found

    def remove_token(self, number: int) -> None:
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_token.delete().where(_token.c.id == number))

    # Invitations: links that set a password, once

    def invite(self, digest: str, account: str, seconds: float) -> None:
        """The newest link counts: those before it lead nowhere."""
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_invitation.delete().where(_invitation.c.account == account))
            values = {"digest": digest, "account": account, "expires_at": time.time() + seconds}
            connection.execute(_invitation.insert().values(values))

    def invited(self, digest: str) -> Account | None:
        found = (
            sa.select(_account)
            .join(_invitation, _invitation.c.account == _account.c.name)
            .where(_invitation.c.digest == digest, _invitation.c.expires_at > time.time())
        )
        with self._catalogue.transaction() as connection:
            row = connection.execute(found).first()
            return Account(*row) if row else None

    # Failed logins

    def attempts(self, subject: str) -> Attempts:
        with self._catalogue.transaction() as connection:
            query = sa.select(_attempt.c.failures, _attempt.c.last_at)
            row = connection.execute(query.where(_attempt.c.subject == subject)).first()
            return Attempts(*row) if row else Attempts()

    def note_failure(self, subject: str, forget_before: float) -> None:
        """One more. What lies further back than `forget_before` is forgotten."""
        now = time.time()
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_attempt.delete().where(_attempt.c.last_at < forget_before))
            first = database.upsert(connection, _attempt).values(
                subject=subject, failures=1, last_at=now
            )
            counted = {"failures": _attempt.c.failures + 1, "last_at": now}
            connection.execute(
                first.on_conflict_do_update(index_elements=[_attempt.c.subject], set_=counted)
            )

    def forget_failures(self, subject: str) -> None:
        with self._catalogue.transaction(writes=True) as connection:
            connection.execute(_attempt.delete().where(_attempt.c.subject == subject))
