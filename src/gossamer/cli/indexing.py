"""`gossamer index`: build indexes of runs or documents, bring them up to date, tune them."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gossamer.cli.compiling import prepare_kernels
from gossamer.cli.counting import shown_count
from gossamer.cli.load_report import report_as_json, report_lines
from gossamer.cli.options import GossamerCommand, GossamerGroup, open_home, to_type, wishes
from gossamer.cli.terminal import (
    Column,
    complain,
    count,
    moment,
    say,
    say_json,
    say_pairs,
    several,
    show_rows,
    size,
)
from gossamer.errors import FormatError, GossamerError

if TYPE_CHECKING:
    from gossamer.app.indexes import Indexes

_MOST_SHOWN = 4  # entries of a table among the settings


def open_indexes(ctx: click.Context) -> "Indexes":
    from gossamer.app.indexes import Indexes

    return Indexes(open_home(ctx))


boost_option = click.option(
    "--boost", metavar="FORMULA", help="Added to the score: 'log(1 + votes)'."
)
field_weight_option = click.option(
    "--field-weight",
    "field_weights",
    multiple=True,
    metavar="FIELD=WEIGHT",
    help="How much a word counts in a field. Repeatable.",
)


allow_empty_option = click.option(
    "--allow-empty",
    is_flag=True,
    help="Accept empty files: remove their documents.",
)


@click.group(cls=GossamerGroup)
def index() -> None:
    """Make pages and documents searchable."""


@index.command()
@click.argument("name")
@click.option(
    "--from", "runs", multiple=True, metavar="RUN", help="A run to take pages from. Repeatable."
)
@click.option(
    "--documents",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Plain documents instead, each with an 'id' or a 'url': JSON Lines, a JSON array, CSV, "
    "TSV or Parquet, also compressed (gzip, zstd); '-' is the standard input. Can be repeated.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Settings of the index (TOML); 'gossamer settings index' lists them.",
)
@click.option("--shards", type=int, help="Number of shards.")
@click.option(
    "--reset",
    is_flag=True,
    help="Start from the default settings, and detect the types of fields again.",
)
@allow_empty_option
@click.pass_context
def build(
    ctx: click.Context,
    name: str,
    runs: tuple[str, ...],
    documents: tuple[Path, ...],
    config: Path | None,
    shards: int | None,
    *,
    reset: bool,
    allow_empty: bool,
) -> None:
    """Build the index NAME, or rebuild it from other sources.

    An index that is there keeps its settings and the types of its fields, unless --config or
    --shards gives others. Stored changes of single documents are applied after the files.
    Without --from and --documents, it is rebuilt from its own sources.
    """
    from gossamer.config import index_settings, load_index_file

    given = {} if shards is None else {"shards": shards}
    settings = index_settings(load_index_file(config) if config else {}, given)
    prepare_kernels(quiet=wishes(ctx).json)
    with shown_count("documents", quiet=wishes(ctx).json) as show:
        indexes = open_indexes(ctx)
        kept = {} if reset else indexes.kept_settings(name, settings)
        change = indexes.build(
            name,
            runs,
            documents,
            settings,
            lambda progress: show(progress.done, progress.of),
            reset=reset,
            allow_empty=allow_empty,
        )
    _say_change(ctx, name, change, kept)


@index.command()
@click.argument("name")
@allow_empty_option
@click.pass_context
def update(ctx: click.Context, name: str, allow_empty: bool) -> None:
    """Bring an index up to what its runs or its documents are now."""
    prepare_kernels(quiet=wishes(ctx).json)
    with shown_count("documents", quiet=wishes(ctx).json) as show:
        change = open_indexes(ctx).update(
            name,
            lambda progress: show(progress.done, progress.of),
            allow_empty=allow_empty,
        )
    _say_change(ctx, name, change)


def _say_change(
    ctx: click.Context, name: str, change: Any, kept: dict[str, Any] | None = None
) -> None:
    """`kept`: settings that a build took over from the index as it was."""
    found = open_indexes(ctx).info(name)
    report = open_indexes(ctx).report(name) if found.files else None
    if wishes(ctx).json:
        counts = {"documents": found.documents, "cut": found.cut}
        used = {"settings": found.settings, "field_types": found.fields}
        took_over = {} if kept is None else {"kept_settings": list(kept)}
        say_json(
            {
                "index": name,
                **change._asdict(),
                **counts,
                **used,
                **took_over,
                **report_as_json(report),
            }
        )
        return
    for line in report_lines(report):
        complain(line)
    say(
        f"Index {name}: {several(found.documents, 'document')} ({count(change.added)} new, "
        f"{count(change.changed)} changed, {count(change.deleted)} deleted), "
        f"{size(found.size_bytes)}."
    )
    _say_stored_changes(ctx, name, change)
    if kept is not None and found.settings:
        _say_settings(found.settings, kept)
    if found.cut:
        say(
            f"{several(found.cut, 'document')} longer than the limit: the rest of the text is not "
            "searched."
        )
    say(f"Search it: {to_type(ctx, 'search', name, 'your words')}")


def _say_stored_changes(ctx: click.Context, name: str, change: Any) -> None:
    if change.stored_changes:
        say(
            f"{several(change.stored_changes, 'stored change')} applied after the files. Discard "
            f"stored changes: {to_type(ctx, 'index', 'drop-changes', name)}"
        )
    if change.stored_changes_without_document:
        complain(
            f"{several(change.stored_changes_without_document, 'stored change')} not applied: the "
            "documents that they patch are no longer in the files."
        )


def _say_settings(settings: dict[str, Any], kept: dict[str, Any]) -> None:
    """Which settings a build used."""

    def shown(names: Iterable[str]) -> str:
        values = ((name, settings[name]) for name in names)
        return ", ".join(
            f"{several(len(value), name.removesuffix('s'))}"
            if isinstance(value, dict) and len(value) > _MOST_SHOWN
            else f"{name}={value!r}"
            if isinstance(value, str)
            else f"{name}={value}"
            for name, value in values
        )

    old = [name for name in settings if name in kept]
    new = [name for name in settings if name not in kept]
    if old:
        say(f"Settings kept from before: {shown(old)}. --reset starts from the defaults.")
    if new:
        say(f"Settings given: {shown(new)}.")


@index.command("list")
@click.pass_context
def list_indexes(ctx: click.Context) -> None:
    """List the indexes."""
    indexes = open_indexes(ctx)
    infos = []
    for name in indexes.names():
        try:
            infos.append(indexes.info(name))
        except GossamerError as error:
            complain(f"The index {name} is left out: {error}")
    if wishes(ctx).json:
        say_json({"indexes": [_as_json(info) for info in infos]})
        return
    if not infos:
        say(f"There is no index yet: {to_type(ctx, 'index', 'build', 'NAME', '--from', 'RUN')}")
        return
    columns = [Column("INDEX"), Column("DOCUMENTS", right=True), Column("SIZE", right=True)]
    columns += [Column("BUILT"), Column("FROM", fold=True)]
    show_rows(
        columns,
        [
            (
                info.name,
                count(info.documents),
                size(info.size_bytes),
                moment(info.built_at),
                ", ".join(info.runs or info.files),
            )
            for info in infos
        ],
    )


@index.command()
@click.argument("name")
@click.pass_context
def show(ctx: click.Context, name: str) -> None:
    """Show the content and the settings of an index."""
    indexes = open_indexes(ctx)
    info = indexes.info(name)
    report = indexes.report(name) if info.files else None
    if wishes(ctx).json:
        read = {"read": report_as_json(report)} if report else {}
        say_json({**_as_json(info), **read})
        return
    say(f"Index {name}")
    say_pairs(
        "",
        [
            ("documents", count(info.documents)),
            ("built", moment(info.built_at)),
            ("from", ", ".join(info.runs or map(_file_name, info.files))),
            ("size", size(info.size_bytes)),
            ("generation", str(info.generation)),
            *([("not searched to their end", count(info.cut))] if info.cut else []),
            ("shards", str(info.shards)),
            *([("stored changes", changed)] if (changed := _changes_of(info.changes)) else []),
        ],
    )
    languages = [(name or "unknown", count(number)) for name, number in info.languages.items()]
    say_pairs("Languages", languages[:10])
    say_pairs(
        "Fields",
        [
            (field, type_ + _format_of(info.number_formats.get(field)))
            for field, type_ in info.fields.items()
        ],
    )
    for line in report_lines(report):
        say(line)
    say_pairs("Settings", [(key, str(value)) for key, value in info.settings.items()])


def _file_name(name: str) -> str:
    return "standard input" if name == "-" else name


def _format_of(number_format: Any) -> str:
    if number_format is None:
        return ""
    signs = {".": "decimal point", ",": "decimal comma"}
    said = [signs.get(number_format.decimal, ""), number_format.currency]
    return f" ({', '.join(filter(None, said))})"


def _changes_of(counts: Any) -> str:
    if counts is None:
        return "cannot be read"
    if not counts.all:
        return ""
    waiting = f", {count(counts.waiting)} not searchable yet" if counts.waiting else ""
    return (
        f"{count(counts.put)} put, {count(counts.patch)} patched, {count(counts.remove)} removed"
        f"{waiting}"
    )


def _as_json(info: Any) -> dict[str, Any]:
    import msgspec

    found: dict[str, Any] = msgspec.to_builtins(info)
    return found


@index.command()
@click.argument("name")
@click.option("--profile", help="How documents are ranked.")
@click.option("--k", type=float, help="k of BM25.")
@click.option("--b", type=float, help="b of BM25.")
@boost_option
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="WORD=POINTS",
    help="Points for documents with a word; 0 takes them away. Repeatable.",
)
@field_weight_option
@click.option("--small-words", type=int, help="Ignore words of up to this many letters.")
@click.option("--stop-word", "stop_words", multiple=True, help="Not looked for. Repeatable.")
@click.option(
    "--stop-words/--no-stop-words",
    "any_stop_words",
    default=None,
    help="Those of the languages again, or none?",
)
@click.option("--all-words/--any-words", default=None, help="Must documents have all words?")
@click.option("--safe/--no-safe", default=None, help="Leave out what is marked 'adult'?")
@click.option(
    "--synonyms",
    metavar="FILE",
    help="Synonyms and acronyms; '-' is standard input, which is stored in the home; '': none.",
)
@click.option("--per-site", type=int, help="Hits of one site on a page; 0: as many as there are.")
@click.pass_context
def tune(ctx: click.Context, /, name: str, **options: Any) -> None:
    """Change how an index ranks. It takes effect at the next query; no rebuild is needed."""
    indexes = open_indexes(ctx)
    changes = {key: value for key, value in options.items() if value not in (None, ())}
    any_stop_words = changes.pop("any_stop_words", None)
    if any_stop_words is not None:
        if "stop_words" in changes:
            raise click.UsageError("--stop-word names them: leave out --stop-words.", ctx)
        changes["stop_words"] = None if any_stop_words else ()
    before = indexes.settings(name)
    for table in ("weights", "field_weights"):
        if table in changes:
            given = dict(map(named_number, changes[table]))
            changes[table] = {**getattr(before, table), **given}
    if "weights" in changes:  # a field of no weight is another thing: it does not count
        points = changes["weights"].items()
        changes["weights"] = {word: value for word, value in points if value}
    settings = indexes.tune(name, changes).model_dump(mode="json", exclude_defaults=True)
    if wishes(ctx).json:
        say_json({"index": name, "settings": settings})
        return
    say(f"Index {name} has these settings for rankings now:")
    say_pairs("", [(key, str(value)) for key, value in settings.items()] or [("all", "default")])


def named_number(text: str) -> tuple[str, float]:
    """'freiburg=5', as options say it."""
    word, _, value = text.rpartition("=")
    try:
        if word.strip():
            return word.strip(), float(value)
    except ValueError:
        pass
    raise click.UsageError(f"'{text}' must be WORD=NUMBER.")


@index.command(cls=GossamerCommand)
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_context
def delete(ctx: click.Context, name: str, yes: bool) -> None:
    """Delete an index. The runs that it was made of stay."""
    indexes = open_indexes(ctx)
    if not yes:
        if wishes(ctx).json or not sys.stdin.isatty():
            raise click.UsageError("Add --yes to delete an index without being asked.", ctx)
        try:
            info = indexes.info(name)
            held = f" with {several(info.documents, 'document')}"
            if info.changes and info.changes.all:
                held += f" and {several(info.changes.all, 'stored change')} of documents"
        except FormatError:
            held = ", which cannot be read"
        click.confirm(f"Delete the index {name}{held}?", abort=True)
    indexes.delete(name)
    if wishes(ctx).json:
        say_json({"index": name, "deleted": True})
    else:
        say(f"The index {name} is deleted.")
