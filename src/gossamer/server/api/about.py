"""The site itself: its settings, the settings there are, the rankings to choose from."""

from typing import Any, Literal

from msgspec import Struct

from gossamer import __version__
from gossamer.config import (
    CrawlSettings,
    IndexSettings,
    Model,
    ServerSettings,
    list_settings,
    without_secrets,
)
from gossamer.server.api.calls import CallTable
from gossamer.server.asking import Ask
from gossamer.server.visitors import Role

CALLS = CallTable()
_MODELS: dict[str, Model] = {
    "crawl": CrawlSettings,
    "index": IndexSettings,
    "server": ServerSettings,
}


class About(Struct, frozen=True):
    name: str
    version: str
    profiles: tuple[str, ...]
    visitor: str
    role: Role | None
    form_token: str  # a browser's session sends it back in the header 'X-Form-Token'


@CALLS.add("GET", "/about")
def about(ask: Ask) -> About:
    """The site, and who asks."""
    visitor = ask.visitor
    profiles = tuple(ask.site.engine.profiles())
    name = ask.site.settings.name
    return About(name, __version__, profiles, visitor.name, visitor.role, visitor.form_token)


class SettingCard(Struct, frozen=True):
    name: str
    group: str
    type: str
    default: str
    help: str


@CALLS.add("GET", "/settings/{kind}")
def list_settings_of(
    ask: Ask,  # noqa: ARG001 - every call has it
    kind: Literal["crawl", "index", "server"],
) -> tuple[SettingCard, ...]:
    """Every setting of a kind: name, default, meaning."""
    return tuple(
        SettingCard(one.name, one.group, one.type_text, one.default_text, one.help)
        for one in list_settings(_MODELS[kind])
    )


@CALLS.add("GET", "/settings", role=Role.ADMINISTRATOR)
def show_settings(ask: Ask) -> dict[str, Any]:
    """How this site is set; passwords are blotted out."""
    return without_secrets(ask.site.settings.model_dump(mode="json"))
