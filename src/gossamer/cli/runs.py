"""`gossamer runs` and `gossamer run ...`: what there is, and what may be done with it."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from gossamer.cli.counting import shown_count
from gossamer.cli.crawling import finish, watched, with_sample_web
from gossamer.cli.options import GossamerCommand, GossamerGroup, open_home, wishes
from gossamer.cli.terminal import (
    Column,
    count,
    harmless,
    moment,
    say,
    say_json,
    several,
    show_rows,
    size,
    to_json,
)

if TYPE_CHECKING:
    from gossamer.app import Home, RunInfo

_TIMES = ("created_at", "started_at", "ended_at")


@click.command(cls=GossamerCommand)
@click.pass_context
def runs(ctx: click.Context) -> None:
    """List the runs, the newest first."""
    found = open_home(ctx).runs()
    if wishes(ctx).json:
        say_json({"runs": [_run_object(info) for info in found]})
        return
    if not found and sys.stdout.isatty():
        say("No runs yet. Start one: gossamer crawl https://example.org --max-pages 100")
        return
    columns = [
        Column("RUN"),
        Column("STATE"),
        Column("PAGES", right=True),
        Column("QUEUED", right=True),
        Column("STARTED"),
        Column("SEEDS", fold=True),
    ]
    show_rows(
        columns,
        (
            (
                info.name,
                info.state,
                count(info.statistics.get("pages", 0)),
                count(info.statistics.get("queued", 0)),
                moment(info.started_at),
                "  ".join(info.seeds[:3]) + (" …" if len(info.seeds) > 3 else ""),
            )
            for info in found
        ),
    )


def _run_object(info: "RunInfo") -> dict[str, Any]:
    from msgspec import to_builtins

    from gossamer.cli.report import whole_numbers
    from gossamer.config import without_secrets

    values = to_builtins(info)
    times = {
        name: datetime.fromtimestamp(values[name], UTC) if values[name] else None for name in _TIMES
    }
    return {
        **values,
        **times,
        "statistics": whole_numbers(info.statistics),
        "settings": without_secrets(info.settings),
    }


@click.group(cls=GossamerGroup)
def run() -> None:
    """Show, stop, resume, tidy or delete a run."""


@run.command("show")
@click.argument("name", metavar="ID")
@click.pass_context
def run_show(ctx: click.Context, name: str) -> None:
    """Show a run: state, settings and all counts."""
    from gossamer.cli.report import show_run

    info = open_home(ctx).run(name)
    if wishes(ctx).json:
        say_json(_run_object(info))
        return
    times = [("created", moment(info.created_at)), ("started", moment(info.started_at))]
    if info.pid:
        times.append(("process", str(info.pid)))
    elif info.ended_at:
        times.append(("ended", moment(info.ended_at)))
    show_run(info, _changed_settings(info), times)


def _changed_settings(info: "RunInfo") -> dict[str, str]:
    from gossamer.config import CrawlSettings, without_secrets

    defaults = CrawlSettings().model_dump(mode="json")
    shown = without_secrets(info.settings)
    return {
        name: _shown(value)
        for name, value in shown.items()
        if name != "seeds" and to_json(value) != to_json(defaults.get(name))
    }


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else to_json(value)


@run.command("stop")
@click.argument("name", metavar="ID")
@click.pass_context
def run_stop(ctx: click.Context, name: str) -> None:
    """Stop a run that another process is working on.

    Pages being fetched are finished and kept; the command waits for that.
    """
    home = open_home(ctx)
    info = home.run(name)
    home.stop(info.name)
    _done(ctx, info.name, "stopped", f"Run {info.name} has stopped.")


@run.command("resume")
@click.argument("name", metavar="ID")
@click.pass_context
def run_resume(ctx: click.Context, name: str) -> None:
    """Continue a run that was stopped or killed, with its own settings."""
    from gossamer import app
    from gossamer.app.journals import ledgers_of

    home = open_home(ctx)
    info = home.run(name)
    if ledgers_of(home.folder(info.name)):  # an import
        _resume_import(ctx, home, info.name)
        return
    max_pages = int(info.settings.get("max_pages") or 0)
    with with_sample_web(home, info.seeds):
        report = watched(ctx, max_pages, lambda show: app.resume(home, info.name, show))
    finish(ctx, home, report)


def _resume_import(ctx: click.Context, home: "Home", name: str) -> None:
    from gossamer.cli.importing import finish_import, watched_import
    from gossamer.importing.sittings import resume

    finish_import(ctx, watched_import(ctx, lambda show: resume(home, name, show)))


@run.command("tidy")
@click.argument("name", metavar="ID")
@click.pass_context
def run_tidy(ctx: click.Context, name: str) -> None:
    """Remove pages older than 'retain_days', and clean up.

    Also finishes an interrupted 'gossamer forget' and removes leftovers of crashes. Every session
    of the run starts with the same.
    """
    from gossamer.app.takedowns import tidy
    from gossamer.cli.forgetting import say_of_indexes

    home = open_home(ctx)
    info = home.run(name)
    with shown_count("rewritten", quiet=True) as show:
        done = tidy(home, info.name, show)
    if wishes(ctx).json:
        from msgspec import to_builtins

        say_json({**to_builtins(done), "tidied": True})
    elif done.pages or done.links:
        freed = f", {size(done.bytes)} freed" if done.bytes > 0 else ""
        say(f"Removed: {several(done.pages, 'page')} and {several(done.links, 'link')}{freed}.")
    else:
        say("Nothing to tidy up.")
    if done.unclean_indexes:
        if not wishes(ctx).json:
            say_of_indexes(done)
        ctx.exit(1)


@run.command("delete")
@click.argument("name", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_context
def run_delete(ctx: click.Context, name: str, yes: bool) -> None:
    """Delete a run with all its pages."""
    home = open_home(ctx)
    info = home.run(name)
    if not yes:
        if wishes(ctx).json or not sys.stdin.isatty():
            raise click.UsageError("Add --yes to delete a run without confirmation.", ctx)
        pages = several(info.statistics.get("pages", 0), "page")
        click.confirm(f"Delete run {harmless(info.name)} with {pages}?", abort=True)
    home.delete(info.name)
    _done(ctx, info.name, "deleted", f"Run {info.name} is deleted.")


def _done(ctx: click.Context, name: str, what: str, sentence: str) -> None:
    if wishes(ctx).json:
        say_json({"run": name, what: True})
    else:
        say(sentence)
