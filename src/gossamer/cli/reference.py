"""The reference pages of the docs, made from the commands and the settings themselves.

python -m gossamer.cli.reference [FOLDER]      (docs/reference, if none is named)
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from gossamer.cli.commands import main
from gossamer.cli.options import PROGRAM, option_name
from gossamer.config import (
    DEFAULT_HOME,
    HOME_VARIABLE,
    IndexSettings,
    RankSettings,
    ServerSettings,
    Setting,
    list_settings,
)

FOLDER = Path("docs/reference")
_WIDTH = 100
_MADE = "<!-- Made by `make docs`: change the definitions, not this page. -->"


def pages() -> dict[str, str]:
    """Every reference page, by its file name."""
    return {
        "settings.md": settings_page(),
        "index-settings.md": index_settings_page(),
        "rank-settings.md": rank_settings_page(),
        "server-settings.md": server_settings_page(),
        "rankings.md": rankings_page(),
        "commands.md": commands_page(),
    }


def settings_page() -> str:
    settings = list_settings()
    lines = [
        "# Settings of a crawl",
        "",
        _MADE,
        "",
        "A setting stands in a crawler file (TOML) under its name, at the top or in the table",
        "`[crawl]`, or on the command line as an option: `max_pages = 100` is `--max-pages 100`.",
        "The command line goes before the file. `gossamer settings` lists them too.",
        "",
        "Where runs are kept is no setting of a crawl: `--home DIR`, or the environment variable",
        f"`{HOME_VARIABLE}`, name the folder; else it is `{DEFAULT_HOME}` in the current folder.",
    ]
    lines += [*_groups(settings), "", *_on_a_command_line(settings)]
    return "\n".join(lines) + "\n"


def index_settings_page() -> str:
    lines = [
        "# Settings of an index",
        "",
        _MADE,
        "",
        "A setting stands in the file that `gossamer index build NAME --config FILE` names",
        "(TOML), at the top or in the table `[index]`. Those of queries can be changed by",
        "`gossamer index tune`, and act at the next query; `gossamer settings index` lists all.",
        *_groups(list_settings(IndexSettings)),
    ]
    return "\n".join(lines) + "\n"


def rank_settings_page() -> str:
    lines = [
        "# Settings of link analysis",
        "",
        _MADE,
        "",
        "A setting stands in the file that `gossamer rank RUN --config FILE` names (TOML), at the",
        "top or in the table `[rank]`, or on the command line as an option: `damping = 0.9` is",
        "`--damping 0.9`. The command line goes before the file. `gossamer settings rank` lists",
        "them too.",
        *_groups(list_settings(RankSettings)),
    ]
    return "\n".join(lines) + "\n"


def server_settings_page() -> str:
    lines = [
        "# Settings of the search site",
        "",
        _MADE,
        "",
        "A setting stands in the file that `gossamer serve --config FILE` names, or in",
        "`server.toml` in the home (TOML), at the top or in the table `[server]`, or on the",
        "command line as an option: `port = 80` is `--port 80`. The command line goes before the",
        "file.",
        "`gossamer settings server` lists them too.",
        *_groups(list_settings(ServerSettings)),
    ]
    return "\n".join(lines) + "\n"


def rankings_page() -> str:
    from gossamer.rank.features import FEATURES
    from gossamer.rank.profiles import load_profile, shipped_names

    profiles = [load_profile(name) for name in shipped_names()]
    lines = [
        "# Rankings",
        "",
        _MADE,
        "",
        "A profile scores documents by a formula over features and over the number fields of an",
        "index. `gossamer search NAME QUERY --profile FILE.toml` takes one of your own;",
        "`--explain` shows every part of a score.",
        "",
        "## Profiles",
        "",
        "| profile | what it is | score |",
        "|---|---|---|",
        *(f"| `{one.name}` | {one.description} | `{one.score.text}` |" for one in profiles),
        "",
        "## Features",
        "",
        "| feature | meaning |",
        "|---|---|",
        *(f"| `{one.name}` | {one.meaning} |" for one in FEATURES.values()),
        "",
        "## Formulas",
        "",
        "Numbers, names of features and fields, `+ - * / **`, comparisons, `and or not`, brackets,",
        "and the functions `log` (natural), `log10`, `log2`, `exp`, `sqrt`, `abs`, `min`, `max`,",
        "`clip(x, low, high)` and `if(condition, then, else)`. Every formula has a value: what is",
        "missing, divides by zero, or is the logarithm or root of nothing counts as 0.",
    ]
    return "\n".join(lines) + "\n"


def _groups(settings: list[Setting]) -> list[str]:
    lines = []
    for group in dict.fromkeys(setting.group for setting in settings):
        lines += ["", f"## {group}", ""]
        lines += ["| setting | allowed | default | meaning |", "|---|---|---|---|"]
        lines += [_setting_row(setting) for setting in settings if setting.group == group]
    return lines


def _setting_row(setting: Setting) -> str:
    cells = (f"`{setting.name}`", setting.type_text, setting.default_text, setting.help)
    return f"| {' | '.join(cells)} |"


def _on_a_command_line(settings: list[Setting]) -> list[str]:
    def names(kind: str) -> str:
        found = [setting.name for setting in settings if setting.kind == kind]
        return ", ".join(f"`{option_name(name)}`" for name in found if name != "seeds")

    return [
        "## On a command line",
        "",
        "- `seeds` are the addresses after `gossamer crawl`; they have no option.",
        f"- A switch is turned on by its name and off by `--no-`: {names('switch')}.",
        f"- A list is given by repeating the option: {names('list')}.",
        f"- A table is given as NAME=VALUE, repeated: {names('table')}.",
    ]


def commands_page() -> str:
    lines = [
        "# Commands",
        "",
        _MADE,
        "",
        "Every command takes `--home DIR` (the folder of the runs) and `--json` (the last line of",
        "the output is one JSON object, also for errors), before or after its name.",
        "",
        "Exit codes: 0 done (also when a crawl was stopped by its user), 1 failed (also when no",
        "server answered at all), 2 wrong usage.",
    ]
    for path, text in command_helps():
        lines += ["", f"## {path}", "", "```text", text, "```"]
    return "\n".join(lines) + "\n"


def command_helps() -> Iterator[tuple[str, str]]:
    """Every command as it is typed, and its help."""
    yield from _helps(main, _context(main, PROGRAM))


def _context(
    command: click.Command, name: str, parent: click.Context | None = None
) -> click.Context:
    # With the width fixed, the page does not depend on the terminal of who makes it.
    return click.Context(
        command, parent, info_name=name, terminal_width=_WIDTH, max_content_width=_WIDTH
    )


def _helps(command: click.Command, ctx: click.Context) -> Iterator[tuple[str, str]]:
    text = command.get_help(ctx)
    yield ctx.command_path, "\n".join(line.rstrip() for line in text.splitlines())
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            assert inner is not None
            yield from _helps(inner, _context(inner, name, ctx))


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
