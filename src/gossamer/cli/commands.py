"""The root of the commands: arguments to calls, and answers to text.

Exit codes: 0 done, 1 failed, 2 wrong usage. The app is imported by the command that needs it:
`gossamer --help` must not wait for the crawler's libraries.
"""

import sys

import click

from gossamer import __version__
from gossamer.cli import changing as changing  # adds commands to `index`
from gossamer.cli.completion import complete_names
from gossamer.cli.crawling import crawl, demo
from gossamer.cli.evaluating import evaluation
from gossamer.cli.exporting import export
from gossamer.cli.faults import RootGroup
from gossamer.cli.forgetting import forget
from gossamer.cli.importing import import_files
from gossamer.cli.indexing import index
from gossamer.cli.options import PROGRAM, GossamerCommand, option_name, wishes
from gossamer.cli.pages import page, pages
from gossamer.cli.questions import errors, why
from gossamer.cli.ranking import rank
from gossamer.cli.runs import run, runs
from gossamer.cli.searching import search, suggest
from gossamer.cli.serving import mcp, serve, users
from gossamer.cli.terminal import Column, say, say_json, show_rows


@click.group(cls=RootGroup)
@click.version_option(__version__, prog_name=PROGRAM)
def main() -> None:
    """Gossamer: a web search engine that anyone can own and configure."""


@click.command(cls=GossamerCommand)
@click.argument(
    "kind",
    type=click.Choice(["crawl", "index", "rank", "server"]),
    default="crawl",
    metavar="[crawl|index|rank|server]",
)
@click.pass_context
def settings(ctx: click.Context, kind: str) -> None:
    """List every setting: name, default, meaning."""
    from gossamer.config import (
        CrawlSettings,
        IndexSettings,
        Model,
        RankSettings,
        ServerSettings,
        list_settings,
    )

    models: dict[str, Model] = {
        "crawl": CrawlSettings,
        "index": IndexSettings,
        "rank": RankSettings,
        "server": ServerSettings,
    }
    known = list_settings(models[kind])
    if wishes(ctx).json:
        objects = [
            {
                "name": setting.name,
                "option": "URLS" if setting.name == "seeds" else option_name(setting.name),
                "group": setting.group,
                "type": setting.type_text,
                "default": setting.default_text,
                "help": setting.help,
            }
            for setting in known
        ]
        say_json({"kind": kind, "settings": objects})
        return
    columns = [
        Column("SETTING", width=max(len(setting.name) for setting in known)),
        Column("DEFAULT", width=max(len(setting.default_text) for setting in known)),
        Column("MEANING", fold=True),
    ]
    for group in dict.fromkeys(setting.group for setting in known):
        if sys.stdout.isatty():
            say(f"\n{group}")
        show_rows(
            columns,
            (
                (setting.name, setting.default_text, setting.help)
                for setting in known
                if setting.group == group
            ),
        )


for command in (
    crawl,
    import_files,
    runs,
    run,
    pages,
    page,
    why,
    errors,
    export,
    forget,
    rank,
    index,
    search,
    suggest,
    serve,
    users,
    mcp,
    evaluation,
    settings,
    demo,
):
    main.add_command(command)
complete_names(main)
