"""`gossamer index put`, `patch`, `remove`, `changes`, `drop-changes`: single documents."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

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
    from gossamer.index.changes import ChangeReport, Given
    from gossamer.index.formats import BadRow

_STANDARD_INPUT = "-"
_SHOWN_DETAILS = 10  # on a screen; --json has a hundred
_SHOWN_CHANGES = 20
_HEAD_BYTES = 10_000

file_argument = click.argument(
    "file", default=_STANDARD_INPUT, type=click.Path(dir_okay=False, allow_dash=True)
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

    FILE holds JSON objects, one a line or in an array; '-', the default, is the standard input. A
    file may also be CSV, TSV, Parquet or compressed, as for 'index build'. The documents are stored
    in the home: every later build applies them after the files that the index is made of, until
    'index drop-changes' gives them up.
    """
    with _documents(file) as documents:
        report = open_indexes(ctx).put_documents(
            name, documents, all_or_nothing=all_or_nothing, wait=wait
        )
    _say_report(ctx, report)


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
    with _documents(file) as documents:
        report = open_indexes(ctx).patch_documents(
            name, documents, all_or_nothing=all_or_nothing, wait=wait
        )
    _say_report(ctx, report)


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
    from gossamer.index.changes import ids_of

    if not ids and file is None:
        raise click.UsageError("Name the documents to remove: ID, or --from-file FILE.", ctx)
    wanted = list(ids)
    if file is not None:
        with _opened(file) as lines:
            wanted += ids_of(lines.read())
    _say_report(ctx, open_indexes(ctx).remove_documents(name, wanted, wait=wait))


@index.command()
@click.argument("name")
@click.option("--limit", type=click.IntRange(1, 100_000), default=_SHOWN_CHANGES, help="How many.")
@click.pass_context
def changes(ctx: click.Context, name: str, limit: int) -> None:
    """List the stored changes of documents of the index NAME, oldest first."""
    indexes = open_indexes(ctx)
    found = indexes.stored_changes(name, limit=limit)
    counts = indexes.change_counts(name)
    if wishes(ctx).json:
        from msgspec import to_builtins

        rows = [
            {"id": one.id, "kind": one.kind.value, "changed_at": one.changed_at} for one in found
        ]
        say_json({"index": name, **to_builtins(counts), "changes": rows})
        return
    if not counts.all:
        say(f"The index {name} has no stored changes.")
        return
    columns = [Column("ID", fold=True), Column("CHANGE"), Column("WHEN")]
    show_rows(
        columns, [(harmless(one.id), one.kind.value, moment(one.changed_at)) for one in found]
    )
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
    """Give up the stored changes of the index NAME, all or those of some ids.

    The index is updated: its documents are those of its files again.
    """
    indexes = open_indexes(ctx)
    if not yes:
        if wishes(ctx).json or not sys.stdin.isatty():
            raise click.UsageError("Add --yes to give up changes without being asked.", ctx)
        what = f"the changes of {several(len(ids), 'document')}" if ids else "all stored changes"
        click.confirm(f"Give up {what} of the index {name}?", abort=True)
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
        f"{several(dropped, 'stored change')} of the index {name} given up: "
        f"{several(indexes.info(name).documents, 'document')} now."
    )


@contextmanager
def _documents(file: str) -> Iterator["Iterable[Given | BadRow]"]:
    """The documents of a file: its lines, where it is JSON; else its rows."""
    from gossamer.app.document_changes import read_lines, rows_of

    with _opened(file) as opened:
        if file == _STANDARD_INPUT:
            yield read_lines(opened)
        else:
            yield rows_of(Path(file)) if _is_other_format(opened) else read_lines(opened)


def _is_other_format(opened: BinaryIO) -> bool:
    """Return True where a file begins with something else than JSON."""
    head = opened.read(_HEAD_BYTES)
    opened.seek(0)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return bool(text) and not text.startswith((b"{", b"["))


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == _STANDARD_INPUT:
        if sys.stdin.isatty():
            complain("Reading documents from standard input; Ctrl-D ends it.")
        yield sys.stdin.buffer
        return
    try:
        with Path(file).open("rb") as opened:
            yield opened
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None


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
            complain(f"More such documents: --json lists the first {len(report.details)}.")
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
