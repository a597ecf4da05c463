"""Accounts, tokens, the audit log and the query log."""

import time
from typing import Annotated

from msgspec import Meta, Struct

from gossamer.errors import NotAllowed, NothingThere, UsageError
from gossamer.server.api.calls import CallTable, Listing
from gossamer.server.api.indexes import PartQuery, start_of
from gossamer.server.asking import Ask
from gossamer.server.visitors import Role, includes
from gossamer.storage.accounts import Token
from gossamer.storage.audit import AuditEntry
from gossamer.storage.query_log import QueryCount

CALLS = CallTable()


class AccountCard(Struct, frozen=True):
    name: str
    role: str
    has_password: bool
    created_at: float


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=64)]
    role: Role = Role.VIEWER


class Invitation(Struct, frozen=True):
    name: str
    link: str  # sets the password, once, within a day


@CALLS.add("GET", "/accounts", role=Role.ADMINISTRATOR)
def list_accounts(ask: Ask) -> tuple[AccountCard, ...]:
    """Who has a login."""
    return tuple(
        AccountCard(account.name, account.role, bool(account.password), account.created_at)
        for account in ask.site.access.accounts.accounts()
    )


@CALLS.add("POST", "/accounts", role=Role.ADMINISTRATOR)
def add_account(ask: Ask, body: NewAccount) -> Invitation:
    """A new account; the link in the answer sets its password."""
    secret = ask.site.access.add_account(body.name, body.role)
    ask.note("account made", body.name, role=body.role.value)
    return Invitation(body.name, f"{ask.base_url}/setup/{secret}")


@CALLS.add("POST", "/accounts/{account}/invitation", role=Role.ADMINISTRATOR)
def invite_again(ask: Ask, account: str) -> Invitation:
    """Another link that sets the password of an account."""
    found = ask.site.access.demand_account(account)
    secret = ask.site.access.invite(found.name)
    ask.note("account invited", found.name)
    return Invitation(found.name, f"{ask.base_url}/setup/{secret}")


@CALLS.add("DELETE", "/accounts/{account}", role=Role.ADMINISTRATOR)
def remove_account(ask: Ask, account: str) -> None:
    """Take an account away, with its sessions and tokens."""
    found = ask.site.access.demand_account(account)
    if ask.site.access.is_last_administrator(found.name):
        raise NotAllowed(f"'{found.name}' is the last administrator.")
    ask.site.access.accounts.remove(found.name)
    ask.note("account removed", found.name)


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    label: Annotated[str, Meta(min_length=1, max_length=100, pattern=r"^[^\x00]*$")]
    role: Role = Role.VIEWER


class MadeToken(Struct, frozen=True):
    secret: str  # shown this once
    token: Token


@CALLS.add("GET", "/tokens", role=Role.VIEWER)
def list_tokens(ask: Ask) -> tuple[Token, ...]:
    """One's own tokens, without their secrets."""
    return tuple(ask.site.access.accounts.tokens(ask.visitor.name))


@CALLS.add("POST", "/tokens", role=Role.VIEWER)
def add_token(ask: Ask, body: NewToken) -> MadeToken:
    """A new token of one's own, with no more rights than one has."""
    assert ask.visitor.role is not None
    if not includes(ask.visitor.role, body.role):
        raise UsageError(f"A token of yours cannot have the role '{body.role.value}'.")
    secret, token = ask.site.access.new_token(ask.visitor.name, body.label, body.role)
    ask.note("token made", str(token.id), label=token.label, role=token.role)
    return MadeToken(secret, token)


@CALLS.add("DELETE", "/tokens/{token}", role=Role.VIEWER)
def remove_token(ask: Ask, token: int) -> None:
    """Revoke a token of one's own; administrators those of everybody. A request by a token that is
    not an administrator's revokes that token alone."""
    is_administrator = ask.visitor.may(Role.ADMINISTRATOR)
    owner = "" if is_administrator else ask.visitor.name
    if token not in {known.id for known in ask.site.access.accounts.tokens(owner)}:
        raise NothingThere(f"There is no token {token} of yours.")
    if ask.visitor.by_token and not is_administrator and token != ask.visitor.token:
        raise NotAllowed("A token can only revoke itself. To revoke others, log in.")
    ask.site.access.accounts.remove_token(token)
    ask.note("token taken back", str(token))


@CALLS.add("GET", "/audit", role=Role.ADMINISTRATOR)
def list_audit(ask: Ask, query: PartQuery) -> Listing[AuditEntry]:
    """Who has changed what, the newest first."""
    entries = ask.site.audit.entries(query.limit + 1, start_of(query))
    part = tuple(entries[: query.limit])
    return Listing(part, str(part[-1].id) if len(entries) > len(part) else "")


class QueriesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    days: Annotated[float, Meta(gt=0, le=3_650, description="How far back.")] = 7.0
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 50
    index: str = ""


class QueryReport(Struct, frozen=True):
    searches: int
    popular: tuple[QueryCount, ...]
    failing: tuple[QueryCount, ...]  # found nothing, or nothing that anybody clicked on
    slow: tuple[QueryCount, ...]


@CALLS.add("GET", "/queries", role=Role.EDITOR)
def report_queries(ask: Ask, query: QueriesQuery) -> QueryReport:
    """What is searched for: popular, failing and slow queries."""
    ask.site.queries.flush()
    log = ask.site.queries.log
    since = time.time() - query.days * 86_400
    wanted = (since, query.limit, query.index.replace("\0", ""))
    return QueryReport(
        log.searches(since),
        tuple(log.popular(*wanted)),
        tuple(log.failing(*wanted)),
        tuple(log.slow(*wanted)),
    )
