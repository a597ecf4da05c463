"""Who asks: sessions of browsers, tokens of programs; passwords, and how fast they may be tried.

A form has to carry a token made of a cookie that no script can read and no other site can send
along, so that nobody's browser can be made to change something here.
"""

import hashlib
import re
import secrets
import threading
import time
from urllib.parse import urlsplit

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from starlette.requests import Request
from starlette.responses import Response

from gossamer.config import ServerSettings
from gossamer.errors import LoginNeeded, NotAllowed, NothingThere, TooManyRequests, UsageError
from gossamer.lib.counts import several
from gossamer.server.visitors import Role, Visitor, includes
from gossamer.storage.accounts import Account, Accounts, Token

SESSION_COOKIE = "gossamer_session"
FORM_COOKIE = "gossamer_form"
FORM_FIELD = "form_token"
FORM_HEADER = "x-form-token"

FIRST_ADMINISTRATOR = "admin"
INVITATION_SECONDS = 24 * 3_600.0
SHORTEST_PASSWORD = 10
_LONGEST_PASSWORD = 1_000
_ACCOUNT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_TOKEN_PREFIX = "gsm_"  # noqa: S105 - by which a token that leaked is found

_FREE_FAILURES = 3
_MOST_ACCOUNT_SECONDS = 30.0
"""An owner must not be locked out by a stranger's guesses for longer than this."""
_MOST_ADDRESS_SECONDS = 900.0
_FORGET_FAILURES_SECONDS = 24 * 3_600.0

_hasher = PasswordHasher()
_one_at_a_time = threading.Lock()
"""A password costs 64 MB and a tenth of a second: a worker looks at one after the other."""


class Access:
    def __init__(self, accounts: Accounts, settings: ServerSettings) -> None:
        self.accounts = accounts
        self._settings = settings
        self.nobody = Visitor()
        self._nobodys_password = _hasher.hash(secrets.token_urlsafe())

    # Who is it?

    def visitor(self, request: Request) -> Visitor:
        header = request.headers.get("authorization", "")
        if header:
            return self._bearer(header)
        secret = request.cookies.get(SESSION_COOKIE, "")
        account = self.accounts.session_account(_digest(secret)) if secret else None
        if account is not None:
            return Visitor(account.name, Role(account.role), form_token=_form_token(secret))
        form = request.cookies.get(FORM_COOKIE, "")
        return Visitor(form_token=_form_token(form) if form else "")

    def _bearer(self, header: str) -> Visitor:
        scheme, _, secret = header.partition(" ")
        if scheme.lower() != "bearer":
            raise LoginNeeded("The header 'Authorization' must be 'Bearer TOKEN'.")
        token = self.accounts.token(_digest(secret.strip()))
        account = self.accounts.account(token.account) if token else None
        if token is None or account is None:
            raise LoginNeeded("This token is not known: it may have been revoked.")
        # A token never has more rights than its owner has by now.
        own, given = Role(account.role), Role(token.role)
        role = given if includes(own, given) else own
        return Visitor(account.name, role, by_token=True, token=token.id)

    # Forms

    @staticmethod
    def new_form_secret() -> tuple[str, str]:
        """The value of a new cookie, and the token for the form."""
        secret = secrets.token_urlsafe(32)
        return secret, _form_token(secret)

    def set_form_cookie(self, response: Response, secret: str) -> None:
        self._set_cookie(response, FORM_COOKIE, secret, None)

    def check_form(self, request: Request, visitor: Visitor, form: dict[str, str]) -> None:
        """Whether what was sent comes from a page of ours."""
        if visitor.by_token:
            return
        given = form.get(FORM_FIELD) or request.headers.get(FORM_HEADER, "")
        known = visitor.form_token
        if not known or not secrets.compare_digest(given.encode(), known.encode()):
            raise NotAllowed("This form is too old, or not ours: load its page again.")
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise NotAllowed("This form was sent from another site.")
        origin = request.headers.get("origin", "")
        if origin and urlsplit(origin).netloc not in self._own_hosts(request):
            raise NotAllowed("This form was sent from another site.")

    def _own_hosts(self, request: Request) -> set[str]:
        return {request.headers.get("host", ""), urlsplit(self._settings.public_url).netloc} - {""}

    # Passwords

    def log_in(self, name: str, password: str, address: str) -> Account:
        """The account, if that is its password. Guesses get slower and slower."""
        subjects = {
            f"account {name[:64]}": _MOST_ACCOUNT_SECONDS,
            f"address {_digest(address)}": _MOST_ADDRESS_SECONDS,
        }
        with _one_at_a_time:
            for subject, most in subjects.items():
                self._demand_patience(subject, most)
            account = self.accounts.account(name) if _ACCOUNT_NAME.fullmatch(name) else None
            stored = account.password if account and account.password else self._nobodys_password
            is_right = _verified(stored, password) and account is not None
            if not is_right or account is None:
                for subject in subjects:
                    before = time.time() - _FORGET_FAILURES_SECONDS
                    self.accounts.note_failure(subject, before)
                raise LoginNeeded("Wrong name or password.")
        for subject in subjects:
            self.accounts.forget_failures(subject)
        if _hasher.check_needs_rehash(account.password):
            self.accounts.rehash_password(account.name, _hasher.hash(password))
        return account

    def _demand_patience(self, subject: str, most_seconds: float) -> None:
        attempts = self.accounts.attempts(subject)
        if attempts.failures < _FREE_FAILURES:
            return
        pause = min(most_seconds, 2.0 ** min(attempts.failures - _FREE_FAILURES, 20))
        wait = attempts.last_at + pause - time.time()
        if wait > 0:
            raise TooManyRequests(
                f"Too many failed logins: try again in {several(max(1, round(wait)), 'second')}.",
                wait,
            )

    @staticmethod
    def check_password(password: str) -> None:
        if not SHORTEST_PASSWORD <= len(password) <= _LONGEST_PASSWORD:
            raise UsageError(f"A password has at least {SHORTEST_PASSWORD} characters.")

    def set_password(self, name: str, password: str) -> None:
        self.check_password(password)
        with _one_at_a_time:
            self.accounts.set_password(name, _hasher.hash(password))

    def has_administrator(self) -> bool:
        """Whether somebody can log in who may do everything."""
        return any(
            account.role == Role.ADMINISTRATOR and account.password
            for account in self.accounts.accounts()
        )

    def is_last_administrator(self, name: str) -> bool:
        others = [
            account.name
            for account in self.accounts.accounts()
            if account.role == Role.ADMINISTRATOR and account.password
        ]
        return others == [name]

    # Accounts and invitations

    def add_account(self, name: str, role: Role) -> str:
        """A new account; gives the secret of the link that sets its password."""
        if not _ACCOUNT_NAME.fullmatch(name):
            raise UsageError(
                f"'{name}' cannot be the name of an account: letters, digits, '.', '_', '@', '-'."
            )
        if not self.accounts.add(name, role.value):
            raise UsageError(f"There is an account '{name}' already.")
        return self.invite(name)

    def demand_account(self, name: str) -> Account:
        account = self.accounts.account(name)
        if account is None:
            raise NothingThere(f"There is no account '{name}'.")
        return account

    def invite(self, name: str) -> str:
        secret = secrets.token_urlsafe(32)
        self.accounts.invite(_digest(secret), name, INVITATION_SECONDS)
        return secret

    def first_invitation(self) -> str:
        """The link that sets the password of the first administrator; '' where there is one."""
        if self.has_administrator():
            return ""
        self.accounts.add(FIRST_ADMINISTRATOR, Role.ADMINISTRATOR.value)
        return self.invite(FIRST_ADMINISTRATOR)

    def invited(self, secret: str) -> Account | None:
        return self.accounts.invited(_digest(secret))

    # Sessions and tokens

    def begin_session(self, response: Response, account: str) -> None:
        secret = secrets.token_urlsafe(32)
        seconds = self._settings.session_days * 86_400
        self.accounts.begin_session(_digest(secret), account, seconds)
        self._set_cookie(response, SESSION_COOKIE, secret, seconds)

    def end_session(self, request: Request, response: Response) -> None:
        self.accounts.end_session(_digest(request.cookies.get(SESSION_COOKIE, "")))
        response.delete_cookie(SESSION_COOKIE)

    def new_token(self, account: str, label: str, role: Role) -> tuple[str, Token]:
        """The secret is shown once: only its digest is kept."""
        secret = _TOKEN_PREFIX + secrets.token_urlsafe(32)
        return secret, self.accounts.add_token(_digest(secret), account, label, role.value)

    def _set_cookie(self, response: Response, name: str, value: str, seconds: int | None) -> None:
        response.set_cookie(
            name,
            value,
            max_age=seconds,
            httponly=True,
            samesite="lax",
            secure=self._settings.behind_tls,
        )


def _digest(secret: str) -> str:
    """Secrets of 256 random bits need no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _form_token(secret: str) -> str:
    return _digest(f"form {secret}")


def _verified(stored: str, password: str) -> bool:
    try:
        return _hasher.verify(stored, password[:_LONGEST_PASSWORD])
    except (VerificationError, InvalidHashError):
        return False
