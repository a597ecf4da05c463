"""`gossamer rank`: compute ranks by links, show the best, explain one."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from gossamer.cli.compiling import prepare_kernels
from gossamer.cli.completion import RUN_NAMES
from gossamer.cli.counting import shown_count
from gossamer.cli.options import (
    GossamerCommand,
    GossamerGroup,
    SettingsCommand,
    given_settings,
    open_home,
    to_type,
    wishes,
)
from gossamer.cli.terminal import (
    Column,
    count,
    duration,
    say,
    say_json,
    say_pairs,
    several,
    show_rows,
    shown_address,
)
from gossamer.url_display import readable

if TYPE_CHECKING:
    from gossamer.app.ranks import Explained, Ranked, Ranking
    from gossamer.config import Model
    from gossamer.graph.ranking import OnStage

_TOP = 20
_SITES = 10


class RankSettingsCommand(SettingsCommand):
    """A command with an option for each setting of link analysis."""

    @staticmethod
    def model() -> "Model":
        from gossamer.config import RankSettings

        return RankSettings


class RankGroup(GossamerGroup):
    """What is none of its commands is a run, or an option of computing: `gossamer rank RUN`."""

    default = "compute"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asks_for_help = any(word in ("--help", "-h") for word in args[:1])
        if args and not asks_for_help and not self._names_command(args):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        runs = RUN_NAMES.shell_complete(ctx, ctx.command.params[0], incomplete)
        return [*super().shell_complete(ctx, incomplete), *runs]

    def _names_command(self, args: Sequence[str]) -> bool:
        """Whether the first word that is no shared option is a command."""
        words = iter(args)
        for word in words:
            if word == "--home":
                next(words, None)
            elif word != "--json" and not word.startswith("--home="):
                return word in self.commands
        return False


def open_ranking(ctx: click.Context) -> "Ranking":
    from gossamer.app.ranks import Ranking

    return Ranking(open_home(ctx))


@click.group(cls=RankGroup)
def rank() -> None:
    """Compute PageRank of pages, hosts and domains.

    'gossamer rank RUN' is short for 'gossamer rank compute RUN'.
    """


@rank.command(cls=RankSettingsCommand)
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option(
    "--edges",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE.tsv",
    help="Any list of links instead, also as .gz: a link a line, from and to with a tab between; "
    "'-' is standard input. Its ranks are shown, and not kept.",
)
@click.option(
    "--top", type=click.IntRange(1, 100_000), default=_TOP, help=f"How many to show.  [{_TOP}]"
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Settings (TOML); 'gossamer settings rank' lists them.",
)
@click.pass_context
def compute(
    ctx: click.Context,
    /,
    runs: tuple[str, ...],
    edges: Path | None,
    top: int,
    config: Path | None,
    **options: Any,
) -> None:
    """Compute the ranks of one run, or of several together, and keep them.

    Only segments that are new since the last time are read. The next 'index build' or 'index
    update' puts the ranks into the index.
    """
    from gossamer.config import RankSettings, load_rank_file, rank_settings

    given = given_settings(options, RankSettings)
    settings = rank_settings(load_rank_file(config) if config else {}, given)
    if bool(runs) == (edges is not None):
        raise click.UsageError("Give runs, or a list of links (--edges).", ctx)
    prepare_kernels(quiet=wishes(ctx).json)
    if edges is not None:
        _rank_edges(ctx, edges, settings, top)
        return
    ranking = open_ranking(ctx)
    with _stages(ctx) as on_stage:
        ranked = ranking.rank(runs, settings, on_stage)
    rows = ranking.top(ranked.runs[-1], "page", top)
    if wishes(ctx).json:
        import msgspec

        said: dict[str, Any] = msgspec.to_builtins(ranked)
        say_json({**said, "top": [{"url": row.name, "page_rank": row.rank} for row in rows]})
        return
    _say_ranked(ctx, ranked)


@contextmanager
def _stages(ctx: click.Context) -> "Iterator[OnStage]":
    """Progress, one stage after the other on the same line."""
    with shown_count("", quiet=wishes(ctx).json) as show:

        def on_stage(what: str, done: int, total: int) -> None:
            show(done, total, what)

        yield on_stage


def _say_ranked(ctx: click.Context, ranked: "Ranked") -> None:
    say(
        f"{', '.join(ranked.runs)}: {several(ranked.nodes, 'page')} "
        f"({count(ranked.crawled)} fetched), {several(ranked.edges, 'link')}, "
        f"{several(ranked.hosts, 'host')}, {several(ranked.domains, 'domain')}."
    )
    say(
        f"{several(ranked.iterations, 'iteration')}, residual {ranked.residual:.1e}, "
        f"{duration(ranked.seconds)}. Segments re-read: "
        f"{count(ranked.segments_read)} of {count(ranked.segments)}."
    )
    if ranked.farms:
        say(f"{several(ranked.farms, 'link farm')} found; their outgoing links are ignored.")
    run = ranked.runs[-1]
    say(f"Show the top pages: {to_type(ctx, 'rank', 'show', run)}")
    say(f"Use the ranks in an index: {to_type(ctx, 'index', 'build', 'NAME', '--from', run)}")


@rank.command()
@click.argument("run_name", metavar="RUN")
@click.option("--top", type=click.IntRange(1, 100_000), default=_TOP, help=f"How many.  [{_TOP}]")
@click.option(
    "--by",
    type=click.Choice(["page", "host", "domain", "farm"]),
    default="page",
    help="Pages, hosts or domains, or the link farms that were found?  [page]",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.png",
    help="Draw it too, as PNG or SVG: how ranks are spread, the best as bars, or the largest farm.",
)
@click.pass_context
def show(ctx: click.Context, run_name: str, top: int, by: str, plot: Path | None = None) -> None:
    """List the top pages, hosts or domains of a run, or its link farms."""
    if plot is not None:
        open_ranking(ctx).draw(run_name, plot, by, top)
    if by == "farm":
        _show_farms(ctx, run_name, top)
        return
    rows = open_ranking(ctx).top(run_name, by, top)
    if wishes(ctx).json:
        say_json({"run": run_name, "by": by, "top": [_row_as_json(row, by) for row in rows]})
        return
    if by == "page":
        columns = [Column("RANK", right=True), Column("COMBINED", right=True)]
        columns += [Column("LINKS", right=True), Column("URL", fold=True)]
        cells: list[tuple[str, ...]] = [
            (
                f"{row.rank:.3f}",
                f"{row.combined_rank:.3f}",
                count(row.in_degree),
                shown_address(row.name) + ("" if row.crawled else "  (not fetched)"),
            )
            for row in rows
        ]
    else:
        columns = [Column("RANK", right=True), Column("PAGES", right=True), Column(by.upper())]
        cells = [(f"{row.rank:.3f}", count(row.pages), row.name) for row in rows]
    show_rows(columns, cells)


def _show_farms(ctx: click.Context, run_name: str, top: int) -> None:
    import msgspec

    reports = open_ranking(ctx).farms(run_name, top)
    if wishes(ctx).json:
        farms = []
        for report in reports:
            farm: dict[str, Any] = msgspec.to_builtins(report.farm)
            named = {"urls": report.urls, "sites": report.sites, "boosted": report.boosted}
            farms.append({**farm, **named, "pages": report.size, "best": report.best})
        say_json({"run": run_name, "by": "farm", "farms": farms})
        return
    if not reports:
        say(f"No link farms known. To look for them: {to_type(ctx, 'rank', run_name, '--farms')}")
    for report in reports:
        farm_row = report.farm
        say(f"{farm_row.number}. {several(report.size, 'page')}: {farm_row.why}")
        say_pairs(
            "",
            [
                ("rank", f"{farm_row.rank_before:.2f} before, {farm_row.rank_after:.2f} after"),
                ("largest gains", ", ".join(map(readable, report.best))),
                ("its rank", f"{farm_row.best_before:.2f}, then {farm_row.best_after:.2f}"),
                ("sites", f"{count(farm_row.hosts)}: {', '.join(report.sites[:_SITES])}"),
            ],
        )


def _row_as_json(row: Any, by: str) -> dict[str, Any]:
    if by != "page":
        return {by: row.name, f"{by}_rank": row.rank, "pages": row.pages}
    return {
        "url": row.name,
        "page_rank": row.rank,
        "host_rank": row.host_rank,
        "combined_rank": row.combined_rank,
        "in_degree": row.in_degree,
        "crawled": row.crawled,
        "farm": row.farm,
    }


@rank.command(cls=GossamerCommand)
@click.argument("run_name", metavar="RUN")
@click.argument("url")
@click.option("--top", type=click.IntRange(1, 10_000), default=10, help="Links and anchors.  [10]")
@click.pass_context
def explain(ctx: click.Context, run_name: str, url: str, top: int) -> None:
    """Explain the rank of a page: its strongest links and their anchor texts."""
    found = open_ranking(ctx).explain(run_name, url, top)
    if wishes(ctx).json:
        say_json(_explained_as_json(found))
        return
    page = found.page
    say(readable(page.url) + ("" if page.crawled else "  (known from links only)"))
    if page.url != found.typed:
        say(f"  stands for {readable(found.typed)}")
    say_pairs(
        "Ranks (mean: 1)",
        [
            ("page", f"{page.page_rank:.4f}, place {count(found.place)} of {count(found.nodes)}"),
            ("host", f"{page.host_rank:.4f}"),
            ("domain", f"{page.domain_rank:.4f}"),
            ("combined", f"{page.combined_rank:.4f}"),
            (
                "links to it",
                f"{count(page.in_degree)}, from {several(page.in_hosts, 'other host')}",
            ),
            ("farm", f"{page.farm}: {found.why_farm}" if page.farm else "no"),
        ],
    )
    if found.in_links:
        say("\nStrongest links")
        columns = [
            Column("CONTRIBUTION", right=True),
            Column("RANK", right=True),
            Column("FROM", fold=True),
        ]
        show_rows(
            columns,
            [
                (
                    f"{link.contribution:.4f}",
                    f"{link.page_rank:.3f}",
                    shown_address(link.url) + ("  (farm: cut)" if link.farm else ""),
                )
                for link in found.in_links
            ],
        )
    say_pairs("Anchor texts", [(anchor.text, count(anchor.links)) for anchor in found.anchors])
    say_pairs("Other addresses", [(readable(alias), "") for alias in found.aliases])


def _explained_as_json(found: "Explained") -> dict[str, Any]:
    return {
        **found.page._asdict(),
        "asked": found.typed,
        "place": found.place,
        "nodes": found.nodes,
        "farm_why": found.why_farm,
        "in_links": [link._asdict() for link in found.in_links],
        "anchors": [anchor._asdict() for anchor in found.anchors],
        "aliases": found.aliases,
    }


def _rank_edges(ctx: click.Context, path: Path, settings: Any, top: int) -> None:
    from gossamer.app.ranks import rank_edges
    from gossamer.app.standard_input import as_file

    with as_file(path) as file:
        found = rank_edges(file, settings, top)
    if wishes(ctx).json:
        say_json(found)
        return
    say(
        f"{several(found['nodes'], 'page')}, {several(found['edges'], 'link')}: "
        f"{several(found['iterations'], 'iteration')}, residual {found['residual']:.1e}, "
        f"{duration(found['seconds'])}."
    )
    show_rows(
        [Column("RANK", right=True), Column("PAGE", fold=True)],
        [(f"{row['page_rank']:.8f}", shown_address(row["url"])) for row in found["top"]],
    )
