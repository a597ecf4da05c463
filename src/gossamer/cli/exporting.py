"""`gossamer export`: pages and links of a run as one file."""

import sys
from pathlib import Path

import click

from gossamer.cli.counting import shown_count
from gossamer.cli.options import GossamerCommand, open_home, wishes
from gossamer.cli.terminal import complain, say, say_json, several

_STDOUT = "-"
_FORMATS = ("csv", "jsonl", "parquet")


@click.command(cls=GossamerCommand)
@click.argument("run_name", metavar="RUN")
@click.option(
    "--what", type=click.Choice(["pages", "links"]), default="pages", help="Which rows.  [pages]"
)
@click.option("--to", required=True, metavar="FILE", help="The file; '-': standard output.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(_FORMATS),
    help="Its format.  [as the name of FILE ends: .csv, .jsonl or .parquet]",
)
@click.option(
    "--url",
    "prefix",
    default="",
    metavar="PREFIX",
    help="Only pages with this address prefix, or the links on them.",
)
@click.option("--columns", metavar="A,B,C", help="Only these columns, in this order.  [all]")
@click.option(
    "--raw-cells",
    is_flag=True,
    help="CSV: do not escape texts that a spreadsheet would run as formulas.",
)
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.pass_context
def export(
    ctx: click.Context,
    run_name: str,
    what: str,
    to: str,
    kind: str | None,
    prefix: str,
    columns: str | None,
    raw_cells: bool,
    force: bool,
) -> None:
    """Write the pages or the links of a run to a file.

    FILE gets its name when it is complete. In CSV, a text that begins with = + - @ or a tab gets a
    quote (') before it, so that no spreadsheet takes it for a formula.
    """
    names = _columns(ctx, columns)
    if to == _STDOUT:
        _to_stdout(ctx, run_name, what, kind, prefix, names, raw_cells)
        return
    from gossamer.app.exports import export_file, wanted

    home = open_home(ctx)
    path = Path(to)
    with shown_count(what, quiet=wishes(ctx).json) as show:
        rows = export_file(
            home,
            run_name,
            wanted(what, prefix, names, kind, raw_cells=raw_cells),
            path,
            force=force,
            on_rows=show,
        )
    size = path.stat().st_size
    if wishes(ctx).json:
        say_json({"run": run_name, "what": what, "file": to, "rows": rows, "bytes": size})
    else:
        say(f"Wrote {several(rows, what.removesuffix('s'))} to {path}.")


def _columns(ctx: click.Context, text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(","))
    if len(set(names)) < len(names):
        raise click.UsageError("--columns names a column twice.", ctx)
    return names


def _to_stdout(
    ctx: click.Context,
    run_name: str,
    what: str,
    kind: str | None,
    prefix: str,
    names: tuple[str, ...] | None,
    raw_cells: bool,
) -> None:
    if kind not in ("csv", "jsonl"):
        raise click.UsageError("For standard output, give --format csv or --format jsonl.", ctx)
    if wishes(ctx).json:
        raise click.UsageError(
            "--json cannot be used with '--to -': both write to standard output.", ctx
        )
    if sys.stdout.isatty():
        raise click.UsageError(
            "This would print to the terminal. Give a file, or use 'gossamer pages' to look.", ctx
        )
    from gossamer.app.exports import export_stream, wanted

    sys.stdout.flush()
    asked = wanted(what, prefix, names, kind, raw_cells=raw_cells)
    rows = export_stream(open_home(ctx), run_name, asked, sys.stdout.buffer)
    if not rows:
        complain("No rows match.")
