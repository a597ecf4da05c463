"""`gossamer forget`: take pages down for good."""

import sys
from typing import TYPE_CHECKING

import click

from gossamer.cli.counting import shown_count
from gossamer.cli.options import GossamerCommand, open_home, wishes
from gossamer.cli.terminal import complain, count, harmless, say, say_json, several, size

if TYPE_CHECKING:
    from gossamer.app.takedowns import Forgotten


@click.command(cls=GossamerCommand)
@click.argument("run_name", metavar="RUN")
@click.option("--url", "urls", multiple=True, metavar="URL", help="A page. Repeatable.")
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="HOST",
    help="All pages of a host, 'example.org' or 'example.org:8080'. Repeatable.",
)
@click.option(
    "--links", is_flag=True, help="Forget also the links on other pages that point there."
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_context
def forget(
    ctx: click.Context,
    run_name: str,
    urls: tuple[str, ...],
    hosts: tuple[str, ...],
    links: bool,
    yes: bool,
) -> None:
    """Remove pages for good: their texts, links and raw bytes.

    Nobody reads them from that moment on, their bytes are taken out of all files of the run and of
    the indexes that are made of it, and no later crawl of this crawler fetches them again. Not
    while the run goes on: stop it first. After an interruption, the same command finishes it.
    """
    if not urls and not hosts:
        raise click.UsageError("Say what to forget: --url or --host.", ctx)
    from gossamer.app import takedowns

    home = open_home(ctx)
    info = home.run(run_name)
    wanted = takedowns.read(home, info.name, urls, hosts)
    if not yes:
        if wishes(ctx).json or not sys.stdin.isatty():
            raise click.UsageError("Add --yes to forget without confirmation.", ctx)
        pages = count(takedowns.covered_count(home, info.name, wanted))
        named = ", ".join(harmless(name) for name in (*urls, *hosts))
        click.confirm(f"Forget {named} in {harmless(info.name)}, {pages} pages?", abort=True)
    with shown_count("rewritten", quiet=True) as show:
        done = takedowns.forget(home, info.name, wanted, links=links, on_written=show)
    if wishes(ctx).json:
        from msgspec import to_builtins

        say_json({**to_builtins(done), "urls": list(urls), "hosts": list(hosts), "forgotten": True})
    else:
        say(f"Forgotten: {_taken(done)}.")
        say_of_indexes(done)
        if done.other_runs:
            say(f"Other runs of this crawler may contain it too: {', '.join(done.other_runs)}.")
        say("Files exported earlier still contain it.")
    if done.unclean_indexes:
        ctx.exit(1)


def say_of_indexes(done: "Forgotten") -> None:
    """Which indexes have forgotten it too, and which still show it."""
    if done.indexes:
        few = "index" if len(done.indexes) == 1 else "indexes"
        say(f"Also removed from the {few}: {', '.join(done.indexes)}.")
    for name, fault in done.unclean_indexes.items():
        complain(f"Error: The index '{name}' may still contain it: {harmless(fault)}")
        complain(f"Run the same command again, or 'gossamer index update {name}'.")


def _taken(done: "Forgotten") -> str:
    if not done.pages and not done.links:
        return "nothing of it was stored; it will not be fetched"
    freed = f", {size(done.bytes)} freed" if done.bytes > 0 else ""
    return f"{several(done.pages, 'page')} and {several(done.links, 'link')}{freed}"
