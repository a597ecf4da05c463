"""`gossamer eval`: how good are profiles and settings on a judged collection?"""

from pathlib import Path

import click

from gossamer.cli.compiling import prepare_kernels
from gossamer.cli.options import GossamerCommand, wishes
from gossamer.cli.terminal import complain, say, say_json


@click.command("eval", cls=GossamerCommand)
@click.option(
    "--dataset",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="A folder with docs.jsonl, queries.tsv and qrels.tsv.",
)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    help="A profile to compare; the first is the baseline. Repeatable.  [that of the settings]",
)
@click.option(
    "--config",
    "configs",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Settings of an index (TOML) to compare. Repeatable.",
)
@click.pass_context
def evaluation(
    ctx: click.Context, dataset: Path, profiles: tuple[str, ...], configs: tuple[Path, ...]
) -> None:
    """Compare rankings on a collection with judged documents.

    The folder holds docs.jsonl (id, title, text, any other fields), queries.tsv (id, text) and
    qrels.tsv (query, document, grade; or TREC's four columns).
    """
    from gossamer.app.evaluating import evaluate
    from gossamer.config import index_settings, load_index_file

    quiet = wishes(ctx).json
    configs = tuple(dict.fromkeys(configs))
    stems = [path.stem for path in configs]
    named = [
        (_label(path, stems) if len(configs) > 1 or not profiles else "", load_index_file(path))
        for path in configs
    ] or [("", {})]
    configurations = [(name, index_settings(values, {})) for name, values in named]
    prepare_kernels(quiet=quiet)
    comparison = evaluate(
        dataset,
        profiles,
        configurations,
        (lambda _: None) if quiet else (lambda step: complain(f"{step} ...")),
    )
    if quiet:
        say_json(comparison.as_json())
    else:
        say(comparison.as_text().rstrip("\n"))


def _label(path: Path, stems: list[str]) -> str:
    """Return the name of a configuration: its file, with the folder if two have the same name."""
    return path.stem if stems.count(path.stem) == 1 else str(path)
