"""`gossamer index put`, `patch`, `remove`, `changes`, `drop-changes`: single documents."""

import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gossamer.cli.counting import shown_count
from gossamer.cli.indexing import allow_empty_option, index, open_indexes
from gossamer.cli.options import to_type, wishes
from gossamer.cli.terminal import (
    Column,
    complain,
    count,
    harmless,
    moment,
    say,
    say_json,
    several,
    show_rows,
)
from gossamer.errors import UsageError

if TYPE_CHECKING:
    from gossamer.edits import ChangeKind, ChangeReport

_SHOWN_DETAILS = 10  # on a screen; --json has a hundred
_SHOWN_CHANGES = 20

file_argument = click.argument(
    "file", default="-", type=click.Path(dir_okay=False, allow_dash=True)
)
whole_option = click.option(
    "--all-or-nothing", is_flag=True, help="Store nothing if a document of the file is refused."
)
wait_option = click.option(
    "--wait/--no-wait",
    default=True,
    help="Wait until the changes are searchable; for another process that writes to the index, ten "
    "seconds at most.  [--wait]",
)


@index.command()
@click.argument("name")
@file_argument
@whole_option
@wait_option
@click.pass_context
def put(ctx: click.Context, name: str, file: str, *, all_or_nothing: bool, wait: bool) -> None:
    """Add documents to the index NAME, or replace those with the same id.

    FILE holds JSON objects, one a line or in an array, or it is CSV, TSV or Parquet, also
    compressed, as for 'index build'; '-', the default, is the standard input. The documents are
    stored in the home: every later build applies them after the files that the index is made of,
    until 'index drop-changes' discards them.
    """
    from gossamer.edits import ChangeKind

    _edit(ctx, ChangeKind.PUT, name, file, all_or_nothing=all_or_nothing, wait=wait)


@index.command()
@click.argument("name")
@file_argument
@whole_option
@wait_option
@click.pass_context
def patch(ctx: click.Context, name: str, file: str, *, all_or_nothing: bool, wait: bool) -> None:
    """Replace some fields of documents of the index NAME.

    FILE is as for 'index put'. Each object names the 'id' (or 'url') of a document and the fields
    that change; null removes a field. The other fields stay as they are.
    """
    from gossamer.edits import ChangeKind

    _edit(ctx, ChangeKind.PATCH, name, file, all_or_nothing=all_or_nothing, wait=wait)


@index.command()
@click.argument("name")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option(
    "--from-file",
    "file",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Take the ids from a file, one a line; '-' is standard input.",
)
@wait_option
@click.pass_context
def remove(
    ctx: click.Context, name: str, ids: tuple[str, ...], file: str | None, *, wait: bool
) -> None:
    """Remove documents from the index NAME, by their ids.

    The removal is stored in the home: later builds leave these documents out. To delete a whole
    index, use 'index delete'.
    """
    from gossamer.app.standard_input import as_file
    from gossamer.edits import ChangeKind, Edit
    from gossamer.index.change_input import removals_of

    if not ids and file is None:
        raise click.UsageError("Name the documents to remove: ID, or --from-file FILE.", ctx)
    edits = [Edit(ChangeKind.REMOVE, one) for one in ids]
    if file is not None:
        with as_file(Path(file)) as path:
            try:
                edits += removals_of(path.read_bytes())
            except OSError as error:
                raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    _say_report(ctx, open_indexes(ctx).edit(name, edits, wait=wait))


@index.command()
@click.argument("name")
@click.option("--limit", type=click.IntRange(1, 100_000), default=_SHOWN_CHANGES, help="How many.")
@click.pass_context
def changes(ctx: click.Context, name: str, limit: int) -> None:
    """List the stored changes of documents of the index NAME, oldest first."""
    indexes = open_indexes(ctx)
    found = list(islice(indexes.stored_changes(name), limit))
    counts = indexes.change_counts(name)
    if wishes(ctx).json:
        from msgspec import to_builtins

        say_json({"index": name, **to_builtins(counts), "changes": to_builtins(found)})
        return
    if not counts.all:
        say(f"The index {name} has no stored changes.")
        return
    columns = [Column("ID", fold=True), Column("CHANGE"), Column("STATE"), Column("WHEN")]
    rows = [
        (harmless(one.id), one.kind.value, one.state.value, moment(one.changed_at)) for one in found
    ]
    show_rows(columns, rows)
    if counts.all > len(found):
        say(f"{count(len(found))} of {count(counts.all)} changes; --limit shows more.")


@index.command("drop-changes")
@click.argument("name")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@allow_empty_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def drop_changes(
    ctx: click.Context, name: str, ids: tuple[str, ...], *, allow_empty: bool, yes: bool
) -> None:
    """Discard the stored changes of the index NAME, all or those of some ids.

    The index is updated: its documents are those of its files again.
    """
    indexes = open_indexes(ctx)
    if not yes:
        if wishes(ctx).json or not sys.stdin.isatty():
            raise click.UsageError("Add --yes to discard changes without being asked.", ctx)
        what = f"the changes of {several(len(ids), 'document')}" if ids else "all stored changes"
        click.confirm(f"Discard {what} of the index {name}?", abort=True)
    with shown_count("documents", quiet=wishes(ctx).json) as show:
        dropped, change = indexes.drop_changes(
            name,
            ids or None,
            lambda progress: show(progress.done, progress.of),
            allow_empty=allow_empty,
        )
    if wishes(ctx).json:
        say_json({"index": name, "dropped": dropped, **change._asdict()})
        return
    say(
        f"{several(dropped, 'stored change')} of the index {name} discarded: "
        f"{several(indexes.info(name).documents, 'document')} now."
    )


def _edit(
    ctx: click.Context,
    kind: "ChangeKind",
    name: str,
    file: str,
    *,
    all_or_nothing: bool,
    wait: bool,
) -> None:
    """Put or patch the documents of a file of any format that an index can be built from."""
    from gossamer.app.standard_input import as_file
    from gossamer.edits import Edit
    from gossamer.index.formats import BadRow, FileReader, Row, number_of

    def edit_of(row: Row | BadRow) -> Edit:
        line = number_of(row.where)
        if isinstance(row, BadRow):
            return Edit(kind, line=line, fault=f"{row.reason[0].upper()}{row.reason[1:]}.")
        return Edit(kind, value=row.data, line=line)

    with as_file(Path(file)) as path:
        rows = FileReader(path, "The standard input" if path != Path(file) else file).rows()
        edits = map(edit_of, rows)
        report = open_indexes(ctx).edit(name, edits, all_or_nothing=all_or_nothing, wait=wait)
    _say_report(ctx, report)


def _say_report(ctx: click.Context, report: "ChangeReport") -> None:
    """Print what was stored. Exit code 1 if a document was refused or missing."""
    if wishes(ctx).json:
        from msgspec import to_builtins

        say_json(to_builtins(report))
    else:
        for detail in report.details[:_SHOWN_DETAILS]:
            which = f" ({harmless(detail.id)})" if detail.id else ""
            complain(f"Document {detail.line}{which} {detail.kind}: {harmless(detail.message)}")
        if len(report.details) > _SHOWN_DETAILS:
            complain(f"More problems: --json lists the first {len(report.details)}.")
        counts = [("added", report.added), ("changed", report.changed), ("removed", report.removed)]
        counts += [("missing", report.missing), ("refused", report.refused)]
        done = ", ".join(f"{count(number)} {what}" for what, number in counts if number)
        say(f"Index {report.index}: {done or 'nothing changed'}.")
        if report.stored and not report.searchable:
            why = f": {report.waiting_because}" if report.waiting_because else "."
            say(f"The changes are stored, and not searchable yet{why}")
            say(f"Apply them: {to_type(ctx, 'index', 'update', report.index)}")
    if report.missing or report.refused:
        ctx.exit(1)
