"""For those who run the site: who has a login, who has changed what, what is searched for."""

from typing import Annotated

from msgspec import Meta, Struct
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.errors import GossamerError, UsageError
from gossamer.server.api import people
from gossamer.server.api.indexes import PartQuery
from gossamer.server.asking import Ask, page
from gossamer.server.faults import status_of
from gossamer.server.pages_rendering import render
from gossamer.server.visitors import Role

_ENTRIES = 50
_QUERIES = 20
_DAYS = (1, 7, 30, 90)


def show_people(ask: Ask) -> Response:
    return _people(ask)


def add_person(ask: Ask) -> Response:
    wanted = ask.form.get("role", Role.VIEWER.value)
    try:
        if wanted not in list(Role):
            raise UsageError(f"There is no role '{wanted}'.")
        body = people.NewAccount(ask.form.get("name", "").strip(), Role(wanted))
        return _people(ask, invitation=people.add_account(ask, body))
    except UsageError as error:
        return _people(ask, fault=error)


def invite_again(ask: Ask) -> Response:
    account = ask.request.path_params["account"]
    return _people(ask, invitation=people.invite_again(ask, account))


def remove_person(ask: Ask) -> Response:
    try:
        people.remove_account(ask, ask.request.path_params["account"])
    except GossamerError as error:
        return _people(ask, fault=error)
    return RedirectResponse("/people", 303)


def _people(
    ask: Ask,
    *,
    invitation: people.Invitation | None = None,
    fault: GossamerError | None = None,
) -> Response:
    return render(
        ask,
        "people.html",
        status=status_of(fault) if fault else 200,
        accounts=people.list_accounts(ask),
        roles=[role.value for role in Role],
        invitation=invitation,
        message=str(fault) if fault else "",
    )


class AuditQuery(Struct, frozen=True):
    after: Annotated[str, Meta(max_length=20)] = ""


def show_audit(ask: Ask) -> Response:
    after = ask.query(AuditQuery).after
    listing = people.list_audit(ask, PartQuery(after=after, limit=_ENTRIES))
    return render(ask, "audit.html", listing=listing, is_first=not after)


class QueriesQuery(Struct, frozen=True):
    days: Annotated[int, Meta(ge=1, le=3_650)] = 7
    index: str = ""


def show_queries(ask: Ask) -> Response:
    query = ask.query(QueriesQuery)
    wanted = people.QueriesQuery(float(query.days), _QUERIES, query.index)
    return render(
        ask,
        "queries.html",
        query=query,
        report=people.report_queries(ask, wanted),
        spans=_DAYS,
        indexes=ask.site.indexes(ask.visitor),
    )


ROUTES = [
    Route("/people", page(show_people, role=Role.ADMINISTRATOR)),
    Route("/people", page(add_person, role=Role.ADMINISTRATOR), methods=["POST"]),
    Route(
        "/people/{account}/invite", page(invite_again, role=Role.ADMINISTRATOR), methods=["POST"]
    ),
    Route(
        "/people/{account}/remove", page(remove_person, role=Role.ADMINISTRATOR), methods=["POST"]
    ),
    Route("/audit", page(show_audit, role=Role.ADMINISTRATOR)),
    Route("/queries", page(show_queries, role=Role.EDITOR)),
]
