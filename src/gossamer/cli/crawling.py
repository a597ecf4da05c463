"""`gossamer crawl` and `gossamer demo`: start a crawl, show it, say how it ended."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gossamer.cli.options import (
    GossamerCommand,
    SettingsCommand,
    given_settings,
    open_home,
    to_type,
    wishes,
)
from gossamer.cli.serving import SERVER_FILE, open_demo_site
from gossamer.cli.terminal import say, say_json

if TYPE_CHECKING:
    from gossamer.app import Home, Progress, Report

_DEMO_INDEX = "demo"
_DEMO_SHOP = "shop"
_DEMO_QUERY = "why the moon has phases"
_DEMO_SEARCH = {
    "profile": "",
    "limit": 3,
    "page": 1,
    "sort": "",
    "filters": (),
    "facets": (),
    "explain": False,
    "all_words": False,
    "no_group": False,
}
_DEMO_PAGES = 8
_DEMO_CONNECTIONS = 8
_DEMO_DEPTH = 12
"""All of the sample web lies within it, but for the newspaper's calendar, which has no end."""


@click.command(cls=SettingsCommand)
@click.argument("urls", nargs=-1, metavar="[URLS]...")
@click.option(
    "--crawler", type=click.Path(path_type=Path), metavar="FILE", help="Read settings from a file."
)
@click.option("--new", is_flag=True, help="Start a new run, even if there is one to continue.")
@click.option("--resume", is_flag=True, help="Continue the newest run, with changed settings.")
@click.option(
    "--refresh",
    is_flag=True,
    help="Visit the pages of the newest run again. Unchanged pages are not stored again.",
)
@click.pass_context
def crawl(
    ctx: click.Context,
    /,
    urls: tuple[str, ...],
    crawler: Path | None,
    new: bool,
    resume: bool,
    refresh: bool,
    **options: Any,
) -> None:
    """Crawl the web from URLS, or as set in a crawler file.

    Run the same command again to continue an interrupted crawl. Ctrl-C stops cleanly: pages being
    fetched are finished and kept. A second Ctrl-C stops immediately.
    """
    from gossamer import app
    from gossamer.config import crawl_settings, load_crawler_file, pointing_at

    if new + resume + refresh > 1:
        raise click.UsageError("Use only one of --new, --resume and --refresh.", ctx)
    given = given_settings(options)
    if urls:
        given["seeds"] = urls
    from_file = load_crawler_file(crawler) if crawler else {}
    settings = crawl_settings(from_file, given)
    if not settings.seeds and not settings.seed_files:
        where = f"or 'seeds' to {crawler}" if crawler else "or a file with --crawler"
        raise click.UsageError(f"No seeds given: give an address, {where}.", ctx)
    home = open_home(ctx)
    mode: Literal["continue", "new", "resume", "refresh"] = (
        "new" if new else "resume" if resume else "refresh" if refresh else "continue"
    )
    unchanged = {name: value for name, value in from_file.items() if name not in given}
    with pointing_at(crawler, unchanged), with_sample_web(home, settings.seeds):
        report = watched(
            ctx,
            settings.max_pages,
            lambda show: app.crawl(home, settings, mode=mode, on_progress=show),
        )
    finish(ctx, home, report)


def watched(
    ctx: click.Context,
    max_pages: int,
    work: "Callable[[Callable[[Progress], None]], Report]",
) -> "Report":
    """Do the work of a crawl with its progress on the screen."""
    from asyncio import CancelledError

    from gossamer.cli.progress import shown_progress

    try:
        with shown_progress(max_pages, quiet=wishes(ctx).json) as show:
            return work(show)
    except CancelledError:
        raise click.ClickException(
            "Stopped immediately by the second Ctrl-C. Everything committed is kept; run the same "
            "command again to continue."
        ) from None


def finish(ctx: click.Context, home: "Home", report: "Report") -> None:
    """Say how a crawl ended, and end with the exit code for it."""
    show_end(ctx, home, report)
    ctx.exit(exit_code(report))


def exit_code(report: "Report") -> int:
    """A run that stopped because someone asked is done; one that failed, waits, or found nobody to
    answer is not."""
    fruitless = report.state == "finished" and not report.statistics.get("pages")
    return 1 if fruitless or report.state not in ("finished", "stopped") else 0


def show_end(ctx: click.Context, home: "Home", report: "Report") -> None:
    from msgspec import to_builtins

    from gossamer.cli.report import contact_advice, show_report, whole_numbers

    settings = home.run(report.run).settings
    advice = [*report.advice, *contact_advice(settings, report.statistics)]
    if wishes(ctx).json:
        statistics = whole_numbers(report.statistics)
        say_json({**to_builtins(report), "statistics": statistics, "advice": advice})
        return
    show_report(report, advice)
    if report.state != "finished":
        say(f"\nContinue: {to_type(ctx, 'run', 'resume', report.run)}")
    if report.statistics.get("pages"):
        say(f"\nList the pages: {to_type(ctx, 'pages', report.run)}")
    elif report.statistics.get("stored.pages"):
        say(f"\nShow what failed: {to_type(ctx, 'errors', report.run)}")


@click.command(cls=GossamerCommand)
@click.option("--serve", is_flag=True, help="Only serve the sites, until Ctrl-C.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port; 0: any free one.  [0]",
)
@click.option("--site/--no-site", default=True, help="Open the search site at the end.  [yes]")
@click.option(
    "--site-port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port of the search site; 0: any free one.  [0]",
)
@click.pass_context
def demo(ctx: click.Context, serve: bool, port: int, site: bool, site_port: int) -> None:
    """Crawl and search the sample web: five small sites on this machine.

    An encyclopedia, a newspaper, a shop, a table of universities and a forum are served on loopback
    and crawled. Then the demo lists runs and pages, computes ranks, builds two indexes (of the
    pages and of the shop's products), and opens the search site: on a terminal until Ctrl-C, else
    only to check its pages. With --serve, the five sites are served until Ctrl-C, for a browser or
    a crawl of your own.
    """
    from gossamer.demo import hosts, link_hosts, sample_web, serve_web

    if serve:
        serve_web(port, lambda port: _say_served(ctx, port))
        return
    from gossamer import app
    from gossamer.config import crawl_settings

    home = open_home(ctx)
    home.make()
    with sample_web(home, port) as port:
        if not wishes(ctx).json:
            say(f"Serving the sample web at http://127.0.0.1:{port}/ and crawling it.")
        given = {
            "seeds": [f"http://{host}/" for host in hosts()],
            "name": "demo",
            "delay_seconds": 0,
            "connections_per_host": _DEMO_CONNECTIONS,
            "max_depth": _DEMO_DEPTH,
        }
        crawler = _write_settings(home, given)
        settings = crawl_settings(given, {})
        report = watched(
            ctx, 0, lambda show: app.crawl(home, settings, mode="new", on_progress=show)
        )
        show_end(ctx, home, report)
        if not wishes(ctx).json and report.statistics.get("stored.pages"):
            _tour(ctx, report.run, crawler)
            _build_shop(ctx)
            if site:
                # The sample web stays up: results lead to it, and cards show its pictures.
                settings_of_site = {
                    "port": site_port,
                    "default_index": _DEMO_INDEX,
                    "shop_index": _DEMO_SHOP,
                    "link_hosts": link_hosts(port),
                }
                open_demo_site(ctx, _DEMO_QUERY, settings_of_site)
    ctx.exit(exit_code(report))


def _write_settings(home: "Home", crawl: dict[str, Any]) -> Path:
    """Write the settings of the demo: those of the site, unless the home has its own, for the next
    'gossamer serve', and those of its crawl, for crawling the sample web again. Return the file of
    the latter."""
    import tomli_w

    site = home.path / SERVER_FILE
    if not site.exists():
        settings = {"default_index": _DEMO_INDEX, "shop_index": _DEMO_SHOP}
        site.write_text(tomli_w.dumps({"server": settings}), encoding="utf-8")
    folder = home.path / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    crawler = folder / "crawler.toml"
    crawler.write_text(tomli_w.dumps({"crawl": crawl}), encoding="utf-8")
    return crawler


def with_sample_web(home: "Home", seeds: Sequence[str]) -> AbstractContextManager[object]:
    """Serve the sample web while it is crawled again, unless `gossamer serve` does so."""
    if home.local_hosts():
        from gossamer.demo import is_of_sample_web, sample_web

        if is_of_sample_web(seeds):
            return sample_web(home, may_share=True)
    return nullcontext()


def _say_served(ctx: click.Context, port: int) -> None:
    from gossamer.demo import hosts, local_address

    start = f"http://127.0.0.1:{port}/"
    if wishes(ctx).json:
        sites = {host: local_address(host, port) for host in hosts()}
        say_json({"address": start, "sites": sites})
        return
    say(f"Serving the sample web (Ctrl-C ends it). Open in a browser: {start}, or")
    for host in hosts():
        say(f"  {local_address(host, port)}")
    say("\nTo crawl one of its sites, in another terminal:")
    host = hosts()[0]
    resolve = f"{host}=127.0.0.1:{port}"
    say("  " + to_type(ctx, "crawl", f"http://{host}/", "--resolve", resolve, "--allow-private"))


def _tour(ctx: click.Context, run: str, crawler: Path) -> None:
    """What can be done with a run, shown on the one that has just been made."""
    from gossamer.cli.indexing import build
    from gossamer.cli.pages import pages
    from gossamer.cli.ranking import compute
    from gossamer.cli.ranking import show as show_ranks
    from gossamer.cli.runs import runs
    from gossamer.cli.searching import search
    from gossamer.demo import hosts

    say(f"\n$ {to_type(ctx, 'runs')}")
    ctx.invoke(runs)
    article = f"http://{hosts()[0]}/wiki/Moon"
    prefix = article.removesuffix("oon")
    shown = ("--url", prefix, "--limit", str(_DEMO_PAGES))
    say(f"\n$ {to_type(ctx, 'pages', run, *shown)}")
    ctx.invoke(pages, run_name=run, prefix=prefix, limit=_DEMO_PAGES)
    say(f"\n$ {to_type(ctx, 'rank', run)}")
    ctx.invoke(compute, runs=(run,), edges=None, top=_DEMO_PAGES, config=None)
    say(f"\n$ {to_type(ctx, 'rank', 'show', run, '--top', str(_DEMO_PAGES))}")
    ctx.invoke(show_ranks, run_name=run, top=_DEMO_PAGES, by="page")
    say(f"\n$ {to_type(ctx, 'index', 'build', _DEMO_INDEX, '--from', run)}")
    ctx.invoke(build, name=_DEMO_INDEX, runs=(run,), documents=None, config=None)
    say(f"\n$ {to_type(ctx, 'search', _DEMO_INDEX, _DEMO_QUERY, '--limit', '3')}")
    ctx.invoke(search, name=_DEMO_INDEX, query=_DEMO_QUERY, **_DEMO_SEARCH)
    say("Try next, in another terminal:")
    for words in (
        ("search", _DEMO_INDEX, "lighthuse", "--explain"),
        ("suggest", _DEMO_INDEX, "univ"),
        ("rank", "explain", run, article),
        ("page", run, article, "--text"),
        ("page", run, article, "--links"),
        ("run", "show", run),
        ("crawl", "--crawler", str(crawler), "--refresh"),
        ("demo", "--serve"),
        ("crawl", "https://example.org", "--max-pages", "100"),
        ("settings",),
    ):
        say(f"  {to_type(ctx, *words)}")


def _build_shop(ctx: click.Context) -> None:
    """The shop's products as documents with fields: an index of their own."""
    import json

    from gossamer.cli.indexing import build
    from gossamer.demo import product_documents, product_fields

    folder = open_home(ctx).path / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    documents, config = folder / "products.jsonl", folder / "products.toml"
    with documents.open("w", encoding="utf-8") as file:
        for document in product_documents():
            file.write(json.dumps(document, ensure_ascii=False) + "\n")
    lines = [f'{name} = "{kind}"' for name, kind in product_fields().items()]
    config.write_text("[fields]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    words = ("index", "build", _DEMO_SHOP, "--documents", str(documents), "--config", str(config))
    say(f"\n$ {to_type(ctx, *words)}")
    ctx.invoke(build, name=_DEMO_SHOP, runs=(), documents=(documents,), config=config)
