"""Logging in and out, the first password, one's own account."""

import re

from msgspec import Struct
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.errors import LoginNeeded, NothingThere, TooManyRequests, UsageError
from gossamer.server.access import SHORTEST_PASSWORD
from gossamer.server.asking import Ask, page
from gossamer.server.guards import client_of
from gossamer.server.pages_rendering import render
from gossamer.server.visitors import Role, includes

_LONGEST_LABEL = 100
_OWN_PATH = re.compile(r"/(?![/\\])[!-\[\]-~]{0,2000}")
"""Printable, without a backslash, which browsers take for a slash: no other host is meant."""


class LoginQuery(Struct, frozen=True):
    next: str = ""


def show_login(ask: Ask) -> Response:
    wanted = ask.query(LoginQuery).next
    return render(ask, "login.html", has_form=True, message="", name="", next=own_path(wanted))


def log_in(ask: Ask) -> Response:
    name = ask.form.get("name", "")
    wanted = own_path(ask.form.get("next", ""))
    try:
        password = ask.form.get("password", "")
        account = ask.site.access.log_in(name, password, client_of(ask.request))
    except (LoginNeeded, TooManyRequests) as error:
        ask.note("login refused", name[:64])
        status = 429 if isinstance(error, TooManyRequests) else 401
        return render(
            ask,
            "login.html",
            has_form=True,
            status=status,
            message=str(error),
            name=name,
            next=wanted,
        )
    ask.site.audit.note(account.name, "login", account.name)
    return _logged_in(ask, account.name, wanted)


def own_path(wanted: str) -> str:
    """Where to go after a login: a page of this site, whatever a link to the login says."""
    return wanted if _OWN_PATH.fullmatch(wanted) else ""


def log_out(ask: Ask) -> Response:
    response = _to("/")
    ask.site.access.end_session(ask.request, response)
    if ask.visitor.name:
        ask.note("logout", ask.visitor.name)
    return response


def show_invitation(ask: Ask) -> Response:
    account = ask.site.access.invited(ask.request.path_params["secret"])
    if account is None:
        raise NothingThere("This link was used already, or is too old: ask for a new one.")
    return render(
        ask,
        "invitation.html",
        has_form=True,
        account=account,
        shortest=SHORTEST_PASSWORD,
        message="",
    )


def accept_invitation(ask: Ask) -> Response:
    account = ask.site.access.invited(ask.request.path_params["secret"])
    if account is None:
        raise NothingThere("This link was used already, or is too old: ask for a new one.")
    try:
        if ask.form.get("password") != ask.form.get("again"):
            raise UsageError("The two passwords differ.")
        ask.site.access.set_password(account.name, ask.form.get("password", ""))
    except UsageError as error:
        return render(
            ask,
            "invitation.html",
            status=400,
            has_form=True,
            account=account,
            shortest=SHORTEST_PASSWORD,
            message=str(error),
        )
    ask.site.audit.note(account.name, "password set", account.name)
    return _logged_in(ask, account.name)


def show_account(ask: Ask) -> Response:
    return _account(ask)


def change_password(ask: Ask) -> Response:
    access = ask.site.access
    try:
        access.log_in(ask.visitor.name, ask.form.get("old", ""), client_of(ask.request))
        if ask.form.get("password") != ask.form.get("again"):
            raise UsageError("The two passwords differ.")
        access.set_password(ask.visitor.name, ask.form.get("password", ""))
    except (UsageError, LoginNeeded) as error:
        return _account(ask, message=str(error), status=400)
    ask.note("password set", ask.visitor.name)
    return _logged_in(ask, ask.visitor.name)


def add_token(ask: Ask) -> Response:
    label = ask.form.get("label", "").strip()[:_LONGEST_LABEL]
    wanted = ask.form.get("role", Role.VIEWER.value)
    if wanted not in list(Role) or not includes(ask.visitor.role or Role.VIEWER, Role(wanted)):
        raise UsageError(f"A token cannot have the role '{wanted}'.")
    secret, token = ask.site.access.new_token(ask.visitor.name, label or "token", Role(wanted))
    ask.note("token made", str(token.id), label=token.label, role=token.role)
    return _account(ask, new_token=secret)


def remove_token(ask: Ask) -> Response:
    number = ask.request.path_params["id"]
    own = {token.id for token in ask.site.access.accounts.tokens(ask.visitor.name)}
    if number not in own:
        raise NothingThere(f"You have no token {number}.")
    ask.site.access.accounts.remove_token(number)
    ask.note("token taken back", str(number))
    return _to("/account")


def _account(ask: Ask, *, message: str = "", new_token: str = "", status: int = 200) -> Response:
    assert ask.visitor.role is not None
    return render(
        ask,
        "account.html",
        status=status,
        tokens=ask.site.access.accounts.tokens(ask.visitor.name),
        roles=[role.value for role in Role if includes(ask.visitor.role, role)],
        shortest=SHORTEST_PASSWORD,
        message=message,
        new_token=new_token,
    )


def _logged_in(ask: Ask, account: str, path: str = "") -> Response:
    response = _to(path or "/home")
    ask.site.access.begin_session(response, account)
    return response


def _to(path: str) -> Response:
    return RedirectResponse(path, 303)


ROUTES = [
    Route("/login", page(show_login)),
    Route("/login", page(log_in), methods=["POST"]),
    Route("/logout", page(log_out), methods=["POST"]),
    Route("/setup/{secret}", page(show_invitation)),
    Route("/setup/{secret}", page(accept_invitation), methods=["POST"]),
    Route("/account", page(show_account, role=Role.VIEWER)),
    Route("/account/password", page(change_password, role=Role.VIEWER), methods=["POST"]),
    Route("/account/tokens", page(add_token, role=Role.VIEWER), methods=["POST"]),
    Route(
        "/account/tokens/{id:int}/remove", page(remove_token, role=Role.VIEWER), methods=["POST"]
    ),
]
