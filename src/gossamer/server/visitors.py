"""Who asks, and what they may."""

from enum import StrEnum

from msgspec import Struct

from gossamer.errors import LoginNeeded, NotAllowed


class Role(StrEnum):
    """Each may do what the ones before it may."""

    VIEWER = "viewer"  # searches every index, sees runs and jobs
    EDITOR = "editor"  # crawls, builds and tunes indexes
    ADMINISTRATOR = "administrator"  # accounts, logs, settings


_ORDER = list(Role)


def includes(role: Role, needed: Role) -> bool:
    return _ORDER.index(role) >= _ORDER.index(needed)


class Visitor(Struct, frozen=True):
    name: str = ""  # of the account; '' for somebody without a login
    role: Role | None = None
    by_token: bool = False  # a program, whose requests no browser can be tricked into sending
    token: int = 0  # the number of its token
    form_token: str = ""  # has to come back with every form

    def may(self, role: Role) -> bool:
        return self.role is not None and includes(self.role, role)

    def demand(self, role: Role) -> None:
        if self.role is None:
            raise LoginNeeded("This needs a login, or a token in the header 'Authorization'.")
        if not includes(self.role, role):
            who = "This token" if self.by_token else f"'{self.name}'"
            raise NotAllowed(f"{who} has the role {self.role.value}. This needs {role.value}.")
