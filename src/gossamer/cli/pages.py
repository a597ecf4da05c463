"""`gossamer pages` and `gossamer page`: what a run has stored."""

from collections.abc import Iterator
from typing import Any

import click

from gossamer.cli.options import GossamerCommand, open_home, wishes
from gossamer.cli.terminal import (
    Column,
    complain,
    count,
    duration,
    moment,
    say_json,
    say_json_list,
    say_pairs,
    show_rows,
    shown_address,
    size,
    write_content,
)
from gossamer.url_display import readable

_DIRECTIVES = {1: "noindex", 2: "nofollow", 4: "nosnippet", 8: "noarchive"}
_ADULT = 16


@click.command(cls=GossamerCommand)
@click.argument("run_name", metavar="RUN")
@click.option(
    "--url", "prefix", default="", metavar="PREFIX", help="Only addresses with this prefix."
)
@click.option(
    "--limit", type=click.IntRange(min=0), default=100, metavar="N", help="0: all.  [100]"
)
@click.pass_context
def pages(ctx: click.Context, run_name: str, prefix: str, limit: int) -> None:
    """List the pages of a run."""
    found = open_home(ctx).pages(run_name, prefix, limit + 1 if limit else None)
    shown = 0
    more = False

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal shown, more
        for page in found:
            if limit and shown == limit:
                more = True
                return
            shown += 1
            yield page

    if wishes(ctx).json:
        say_json_list({"run": run_name}, "pages", rows(), lambda: {"more": more})
        return
    columns = [
        Column("STATUS", right=True, width=6),
        Column("OUTCOME", width=13),
        Column("LANG", width=4),
        Column("DEPTH", right=True, width=5, wide=True),
        Column("SIZE", right=True, width=8),
        Column("URL", fold=True),
        Column("TITLE", width=30, wide=True),
    ]
    show_rows(
        columns,
        (
            (
                str(page["status"] or "-"),
                str(page["outcome"]),
                str(page["language"] or "-"),
                str(page["depth"]),
                size(page["wire_bytes"]),
                shown_address(page["url"]),
                page["title"],
            )
            for page in rows()
        ),
    )
    if more:
        complain(f"Showing the first {limit} pages; --limit 0 shows all.")
    elif not shown:
        complain(
            f"No published page has an address starting with '{prefix}'."
            if prefix
            else "No pages are published yet. A running crawl publishes them at intervals."
        )


@click.command(cls=GossamerCommand)
@click.argument("run_name", metavar="RUN")
@click.argument("url")
@click.option("--text", "part", flag_value="text", help="Its text alone.")
@click.option("--html", "part", flag_value="html", help="The page as it was received.")
@click.option("--links", "part", flag_value="links", help="The links on it.")
@click.pass_context
def page(ctx: click.Context, run_name: str, url: str, part: str | None) -> None:
    """Show one page of a run."""
    home = open_home(ctx)
    as_json = wishes(ctx).json
    if part == "html":
        html = home.page_html(run_name, url)
        say_json({"url": url, "html": html}) if as_json else write_content(html)
    elif part == "links":
        links = home.page_links(run_name, url)
        say_json({"url": url, "links": links}) if as_json else _show_links(links)
    else:
        found = home.page(run_name, url)
        if part == "text":
            text = found["text"]
            say_json({"url": found["url"], "text": text}) if as_json else write_content(text + "\n")
        elif as_json:
            say_json(found)
        else:
            say_pairs("", _page_rows(found))


def _show_links(links: list[dict[str, Any]]) -> None:
    columns = [Column("TARGET", fold=True), Column("ANCHOR"), Column("REL")]
    show_rows(
        columns,
        (
            (shown_address(link["target"]), link["anchor"], "nofollow" if link["nofollow"] else "")
            for link in links
        ),
    )


def _page_rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    asked = [name for bit, name in _DIRECTIVES.items() if found["directives"] & bit]
    detail = "" if found["detail"] == found["location"] else found["detail"]
    rows = {
        "url": readable(found["url"]),
        "title": found["title"],
        "description": found["description"],
        "outcome": f"{found['outcome']} {detail}".strip(),
        "status": str(found["status"] or "-"),
        "redirects to": readable(found["location"]),
        "fetched": f"{moment(found['fetched_at'])}, in {duration(found['seconds'])}",
        "last changed": found["last_modified"] or found["listed_modified"],
        "tries": str(found["tries"]) if found["tries"] > 1 else "",
        "server address": found["address"],
        "size": f"{size(found['wire_bytes'])} received, {size(found['body_bytes'])} uncompressed",
        "type": f"{found['media_type']} {found['charset']}".strip(),
        "language": found["language"],
        "found on": readable(found["parent"]) or "(a seed)",
        "depth": str(found["depth"]),
        "redirected from": " > ".join(map(readable, found["via"])),
        "canonical": readable(found["canonical"]),
        "same text as": readable(found["duplicate_of"]),
        "nearly the same as": readable(found["near_duplicate_of"]),
        "also known as": "  ".join(map(readable, found["aliases"])),
        "robots directives": ", ".join(asked),
        "self-rating": "adult" if found["directives"] & _ADULT else "",
        "links": count(found["link_count"]),
        "characters": count(len(found["text"])),
    }
    return [(label, value) for label, value in rows.items() if value]
