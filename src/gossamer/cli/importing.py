"""`gossamer import`: make a run of WARC files, show it, say how it ended."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gossamer.cli.crawling import exit_code
from gossamer.cli.options import (
    SettingOption,
    SettingsCommand,
    given_settings,
    open_home,
    to_type,
    wishes,
)
from gossamer.cli.progress import Picture, shown
from gossamer.cli.terminal import (
    count,
    duration,
    rate,
    say,
    say_json,
    say_pairs,
    several,
    size,
)

if TYPE_CHECKING:
    from gossamer.importing.conductor import ImportProgress
    from gossamer.importing.ledger import BrokenPlace
    from gossamer.importing.sittings import Imported

SETTINGS = frozenset(
    {
        *("name", "include", "exclude", "block_lists", "link_scope", "languages", "plugins"),
        *("drop_parameters", "drop_session_ids", "index_files", "agent_name", "obey_robots"),
        *("max_wire_bytes", "max_body_bytes", "take_bytes", "keep_raw", "min_free_bytes"),
        *("segment_pages", "segment_seconds", "fetchers", "processes", "hang_seconds"),
    }
)
"""What a page that has been fetched already leaves to be decided."""

_BROKEN_SHOWN = 10


class ImportCommand(SettingsCommand):
    """A command with an option for each setting that an import uses."""

    help_texts = {  # noqa: RUF012 - a constant
        "name": "Name of the run, before its number; made from the first file's name if empty.",
        "include": "Import only pages with addresses like these: '*' stands for anything, 're:' "
        "begins a regular expression.",
        "exclude": "Import no pages with addresses like these.",
        "block_lists": "Files with hosts to leave out, one a line, subdomains included.",
        "link_scope": "An XPath: store links from these parts of a page only.",
        "agent_name": "The name that directives for robots in pages are looked up by.",
        "obey_robots": "Obey the robots directives of pages (noindex, nofollow ...).",
        "max_wire_bytes": "Do not read a record with a larger body than this.",
        "max_body_bytes": "Do not read a body that unpacks to more than this.",
        "keep_raw": "Copy the pages as received into the run, so that it needs the files no more.",
        "fetchers": "Worker processes; 0: one for each core.",
        "hang_seconds": "Kill a worker that has not been heard of for this long.",
        "processes": "Use worker processes; false: do everything in this one.",
    }
    groups = {  # noqa: RUF012 - a constant
        "What to crawl": "What to import",
        "Politeness": "Robots directives",
        "Fetching": "Reading",
    }

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [
            parameter
            for parameter in super().get_params(ctx)
            if not isinstance(parameter, SettingOption) or parameter.name in SETTINGS
        ]


@click.command("import", cls=ImportCommand)
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."
)
@click.option("--new", is_flag=True, help="Make a new run, even if there is one to continue.")
@click.pass_context
def import_files(ctx: click.Context, /, files: tuple[Path, ...], new: bool, **options: Any) -> None:
    """Import WARC files as a run.

    The files may come from other tools or from earlier runs. Their pages are read as if they had
    just been fetched; links are stored, but not followed. If an address has several records, the
    newest is used. Run the same command again to continue an import that was interrupted.
    """
    from gossamer.config import crawl_settings
    from gossamer.importing.sittings import import_files as conduct

    settings = crawl_settings({}, given_settings(options))
    home = open_home(ctx)
    imported = watched_import(
        ctx, lambda show: conduct(home, files, settings, new=new, on_progress=show)
    )
    finish_import(ctx, imported)


def watched_import(
    ctx: click.Context, work: "Callable[[Callable[[ImportProgress], None]], Imported]"
) -> "Imported":
    """Do the work of an import with its progress on the screen."""
    from asyncio import CancelledError

    try:
        with shown(_picture, quiet=wishes(ctx).json) as show:
            return work(show)
    except CancelledError:
        raise click.ClickException(
            "Stopped immediately by the second Ctrl-C. Everything committed is kept; run the same "
            "command again to continue."
        ) from None


def finish_import(ctx: click.Context, imported: "Imported") -> None:
    """Say how an import ended, and end with the exit code for it."""
    from msgspec import to_builtins

    from gossamer.cli.report import show_report, whole_numbers

    report = imported.report
    if wishes(ctx).json:
        statistics = whole_numbers(report.statistics)
        broken = to_builtins(imported.broken)
        say_json({**to_builtins(report), "statistics": statistics, "broken": broken})
        ctx.exit(exit_code(report))
    show_report(report, report.advice)
    say_pairs("Records", record_rows(report.statistics))
    _say_broken(imported.broken, int(report.statistics.get("records.broken", 0)))
    if report.state != "finished":
        say("\nContinue: run the same command again.")
    if report.statistics.get("stored.pages"):
        say(f"\nList the pages: {to_type(ctx, 'pages', report.run)}")
    ctx.exit(exit_code(report))


def record_rows(numbers: dict[str, float]) -> list[tuple[str, str]]:
    """In the files = pages + repeated + not from the web + others."""
    labels = {
        "records": "in the files",
        "records.pages": "  pages",
        "records.older": "    of these, superseded by a newer one of the same address",
        "records.revisit": "  revisits (same content as an earlier record)",
        "records.resolved": "    of these, resolved (the earlier record is in the files)",
        "records.unaddressed": "  not web addresses",
        "records.other": "  requests, metadata and other records",
        "records.broken": "damaged places",
        "files": "files",
    }
    return [(label, count(numbers[name])) for name, label in labels.items() if numbers.get(name)]


def _say_broken(places: "list[BrokenPlace]", total: int) -> None:
    if not places:
        return
    say("\nDamaged")
    for one in places[:_BROKEN_SHOWN]:
        where = f"record {one.place:,}" if one.by_number else f"byte {one.place:,}"
        say(f"  {one.path}, {where}: {one.reason}")
    if total > _BROKEN_SHOWN:
        say(f"  and {total - _BROKEN_SHOWN:,} more; --json lists the first thousand")


# Progress


def figures(progress: "ImportProgress") -> list[str]:
    if progress.is_survey:
        parts = [
            f"scanning the files: {size(progress.done)} of {size(progress.total)}",
            f"{size(progress.per_second)}/s",
        ]
    else:
        parts = [
            f"{count(progress.done)} of {count(progress.total)} pages",
            f"{rate(progress.per_second)}/s",
        ]
    if progress.broken:
        parts.append(several(progress.broken, "damaged place"))
    return [*parts, duration(progress.elapsed_seconds)]


def _picture(progress: "ImportProgress") -> Picture:
    total = max(progress.total, 1)
    return Picture(progress.run, [figures(progress)], progress.done, total, progress.note)
