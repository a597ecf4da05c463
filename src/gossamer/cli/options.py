"""Options that every command takes, and options made from the settings.

`--home` and `--json` stand before or after the command's name, as people type them both ways.
"""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gossamer.app import Home
    from gossamer.config import Model

PROGRAM = "gossamer"


class Wishes:
    """What the shared options said, for the command to read."""

    def __init__(self) -> None:
        self.home: Path | None = None
        self.json = False


def wishes(ctx: click.Context) -> Wishes:
    found = ctx.find_root().ensure_object(Wishes)
    assert isinstance(found, Wishes)
    return found


def open_home(ctx: click.Context) -> "Home":
    # Imported here: `gossamer --help` must not wait for the crawler's libraries.
    from gossamer.app import Home
    from gossamer.config import default_home

    return Home(wishes(ctx).home or default_home())


def to_type(ctx: click.Context, *words: str) -> str:
    """A command for people to type next: it reaches the same program and the same home."""
    home = wishes(ctx).home
    where = ["--home", str(home)] if home and words[0] != "settings" else []
    return " ".join([_program(), *(shlex.quote(word) for word in [*words, *where])])


def _program() -> str:
    script = Path(sys.argv[0])
    if script.name == "__main__.py":
        return "python -m gossamer.cli"
    if script.name != PROGRAM or shutil.which(PROGRAM) == str(script.absolute()):
        return PROGRAM
    path = shlex.quote(os.path.relpath(script))
    return path if "/" in path else f"./{path}"


def _remember(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None and value is not False:
        setattr(wishes(ctx), str(parameter.name), value)


def shared_options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--home"],
            type=click.Path(path_type=Path, file_okay=False),
            metavar="DIR",
            expose_value=False,
            callback=_remember,
            help="Folder of the runs  [GOSSAMER_HOME, or ./gossamer-data]",
        ),
        click.Option(
            ["--json"],
            is_flag=True,
            expose_value=False,
            callback=_remember,
            help="For programs: the last line of the output is one JSON object.",
        ),
    ]


class GossamerCommand(click.Command):
    """A command with the shared options."""

    def __init__(self, *args: Any, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.params += shared_options()


class GossamerGroup(click.Group):
    command_class = GossamerCommand
    group_class = type  # a group in a group is of the same kind

    def __init__(self, *args: Any, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.params += shared_options()

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.commands)  # in the order of a first visit, not of the alphabet


class SettingType(click.ParamType):  # type: ignore[type-arg] # generic since click 8.3 only
    """Reads a setting's value by the one definition of that setting."""

    name = "setting"

    def __init__(self, setting_name: str, model: "Model") -> None:
        self.setting_name = setting_name
        self._model = model

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from gossamer.config import setting_from_text

        if not isinstance(value, str):
            return value
        try:
            return setting_from_text(self.setting_name, value, self._model)
        except ValueError as error:
            self.fail(f"'{value}' {error}.", param, ctx)


class PairType(click.ParamType):  # type: ignore[type-arg] # generic since click 8.3 only
    """NAME=VALUE."""

    name = "NAME=VALUE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        name, equals, text = value.partition("=")
        if not equals or not name.strip():
            self.fail(f"'{value}' must be NAME=VALUE.", param, ctx)
        return name.strip(), text.strip()


_ALIASES = {"seed_files": ("--seeds-from",)}
"""Other names of options, for those who think of them so."""


class SettingOption(click.Option):
    """An option made from a setting; `group` is the heading that it stands under in the help."""

    group: str


class SettingsCommand(GossamerCommand):
    """A command with one option for each setting of a crawl (seeds are its arguments).

    The options are made when they are first asked for, so that `gossamer --help` stays quick.
    """

    _made = False
    help_texts: Mapping[str, str] = {}
    """Of settings that mean something else to this command."""
    groups: Mapping[str, str] = {}
    """Other headings in place of those of the settings."""

    @staticmethod
    def model() -> "Model":
        from gossamer.config import CrawlSettings

        return CrawlSettings

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if not self._made:
            self._made = True
            self.params += _setting_options(self.model(), self.help_texts, self.groups)
        return super().get_params(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                groups.setdefault(getattr(parameter, "group", "Options"), []).append(record)
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)


class ServerSettingsCommand(SettingsCommand):
    """The same for the settings of the search site."""

    @staticmethod
    def model() -> "Model":
        from gossamer.config import ServerSettings

        return ServerSettings


def given_settings(values: dict[str, Any], model: "Model | None" = None) -> dict[str, Any]:
    """The settings that were really given on the command line, as the settings have them: those of
    a crawl, or of another kind."""
    from gossamer.config import CrawlSettings, list_settings

    given: dict[str, Any] = {}
    for setting in list_settings(model or CrawlSettings):
        value = values.get(setting.name)
        if value is None or value == ():
            continue
        given[setting.name] = dict(value) if setting.kind == "table" else value
    return given


def option_name(setting_name: str) -> str:
    return "--" + setting_name.replace("_", "-")


def _setting_options(
    model: "Model", help_texts: Mapping[str, str], groups: Mapping[str, str]
) -> list[click.Parameter]:
    from gossamer.config import Setting, list_settings

    def made(setting: Setting) -> click.Parameter:
        name = option_name(setting.name)
        text = f"{help_texts.get(setting.name, setting.help)}  [{setting.default_text}]"
        if setting.kind == "switch":
            off = name.replace("--", "--no-", 1)
            option = SettingOption([f"{name}/{off}", setting.name], default=None, help=text)
        elif setting.kind == "table":
            option = SettingOption(
                [name, setting.name], type=PairType(), multiple=True, help=f"{text} Repeatable."
            )
        else:
            several = setting.kind == "list"
            option = SettingOption(
                [name, *_ALIASES.get(setting.name, ()), setting.name],
                type=SettingType(setting.name, model),
                metavar=_label(setting.type_text),
                multiple=several,
                help=f"{text} Repeatable." if several else text,
            )
        option.group = groups.get(setting.group, setting.group)
        return option

    return [made(setting) for setting in list_settings(model) if setting.name != "seeds"]


def _label(type_text: str) -> str:
    """What stands for the value in the help: the choices as they are typed, the rest by kind."""
    kind = "NUMBER" if "number" in type_text else "TEXT"
    choices = re.findall(r"'(\w+)'", type_text)
    return "|".join([*choices, kind] if kind == "NUMBER" else choices or [kind])
