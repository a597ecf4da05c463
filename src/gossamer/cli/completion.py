"""Completion of the names of runs and indexes in a shell.

Names are read from the folders of the home: a key press must not wait for a database.
"""

from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from gossamer.cli.options import wishes

_RUN_LABELS = frozenset({"RUN", "[RUN]...", "ID"})


class _NameType(click.ParamType):  # type: ignore[type-arg] # generic since click 8.3 only
    """A text that a shell completes with the names in a folder of the home, the newest first."""

    name = "text"

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's signature
        incomplete: str,
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in self.names(ctx) if name.startswith(incomplete)]

    def names(self, ctx: click.Context) -> list[str]:
        from gossamer.config import default_home

        home = wishes(ctx).home or default_home()
        try:
            found = [(path.stat().st_mtime, path) for path in home.glob(self._pattern)]
        except OSError:
            return []
        return [_name(home, path) for _, path in sorted(found, reverse=True)]


def _name(home: Path, path: Path) -> str:
    """The folder below `runs` or `indexes`."""
    return path.relative_to(home).parts[1]


RUN_NAMES = _NameType("runs/*/")
_INDEX_NAMES = _NameType("indexes/*/settings.json")


def complete_names(root: click.Group) -> None:
    """Let shells complete the arguments of all commands that name a run or an index."""
    for group, command in _commands(root):
        names_index = group == "index" or command.name in ("search", "suggest")
        for parameter in command.params:
            if parameter.metavar in _RUN_LABELS:
                parameter.type = RUN_NAMES
            elif names_index and isinstance(parameter, click.Argument) and parameter.name == "name":
                parameter.type = _INDEX_NAMES


def _commands(group: click.Group) -> Iterator[tuple[str, click.Command]]:
    """All commands below a group, each with the name of its own group."""
    for command in group.commands.values():
        yield group.name or "", command
        if isinstance(command, click.Group):
            yield from _commands(command)
