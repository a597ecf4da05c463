"""`gossamer why` and `gossamer errors`: what became of a URL, and what went wrong in a run."""

from typing import TYPE_CHECKING

import click

from gossamer.cli.options import GossamerCommand, open_home, wishes
from gossamer.cli.terminal import (
    Column,
    count,
    duration,
    moment,
    say,
    say_json,
    say_pairs,
    several,
    show_rows,
    shown_address,
)
from gossamer.url_display import readable

if TYPE_CHECKING:
    from gossamer.app.failures import ExcludedGroup, Failure, Failures
    from gossamer.app.questions import Why


@click.command(cls=GossamerCommand)
@click.argument("run_name", metavar="RUN")
@click.argument("url")
@click.pass_context
def why(ctx: click.Context, run_name: str, url: str) -> None:
    """Explain why a URL was crawled, or was not.

    Which rule left it out, where it waits, how its visit ended; how it was found, who links to it,
    and what to do for the opposite. Also while the run goes on.
    """
    from msgspec import to_builtins

    from gossamer.app.questions import why as ask

    answer = ask(open_home(ctx), run_name, url)
    if wishes(ctx).json:
        say_json({**to_builtins(answer), "visit": answer.visit})
    else:
        _show_why(answer)


def _show_why(answer: "Why") -> None:
    say(readable(answer.url))
    for line in answer.because:
        say(f"  {line}")
    say_pairs("Visit", _visit_rows(answer))
    if answer.path:
        say("\nHow it was found")
        if not answer.path_is_whole:
            say("  (the earlier pages are not stored)")
        for place, step in enumerate(answer.path):
            by = f' by "{step.anchor}"' if step.anchor else ""
            redirects = f" after {' > '.join(map(readable, step.via))}" if step.via else ""
            say(f"  {'  ' * min(place, 20)}{readable(step.url)}{by}{redirects}")
    if answer.links_to:
        say(f"\nLinks to it: {count(answer.links_to)}")
        show_rows(
            [Column("FROM", fold=True), Column("ANCHOR"), Column("REL")],
            (
                (
                    f"  {shown_address(link['source'])}",
                    link["anchor"],
                    "nofollow" if link["nofollow"] else "",
                )
                for link in answer.some_links_to
            ),
        )
    say_pairs("Other addresses", _address_rows(answer))
    if answer.advice:
        say("\nWhat to do")
        for line in answer.advice:
            say(f"  - {line}")


def _visit_rows(answer: "Why") -> list[tuple[str, str]]:
    visit = answer.visit
    if visit is None:
        return []
    rows = {
        "outcome": visit["outcome"],
        "status": str(visit["status"] or "-"),
        "fetched": f"{moment(visit['fetched_at'])}, in {duration(visit['seconds'])}",
        "tries": str(visit["tries"]),
        "depth": str(visit["depth"]),
        "type": visit["media_type"],
        "title": visit["title"],
    }
    return [(label, value) for label, value in rows.items() if value]


def _address_rows(answer: "Why") -> list[tuple[str, str]]:
    rows = [("redirects here", readable(alias)) for alias in answer.aliases]
    rows += [("calls it canonical", readable(other)) for other in answer.canonical_of]
    return rows


@click.command(cls=GossamerCommand)
@click.argument("run_name", metavar="RUN")
@click.pass_context
def errors(ctx: click.Context, run_name: str) -> None:
    """List the failures of a run by cause, and what to do about them.

    First failed visits, by outcome, status and detail, with hosts and examples; then excluded
    addresses, by reason.
    """
    from msgspec import to_builtins

    from gossamer.app.failures import failures

    found = failures(open_home(ctx), run_name)
    if wishes(ctx).json:
        say_json(to_builtins(found))
    else:
        _show_failures(found)


def _show_failures(found: "Failures") -> None:
    if found.failures:
        say(f"{count(found.failed)} of {count(found.visited)} visits failed.")
        for failure in found.failures:
            _show_failure(failure)
    else:
        say(f"No failures in {several(found.visited, 'visit')}.")
    if found.unpublished:
        say(
            f"\n{count(found.unpublished)} more failed; they will be published with the next "
            f"segment."
        )
    if found.excluded:
        total = sum(reason.count for reason in found.excluded)
        say(f"\n{count(total)} of {count(found.found)} addresses were excluded.")
        for reason in found.excluded:
            _show_left_out(reason)


def _show_failure(failure: "Failure") -> None:
    detail = f": {failure.detail}" if failure.detail else ""
    say(f"\n{count(failure.count)}  {failure.label}{detail} ({failure.share:.1%})")
    hosts = [f"{host} ({count(number)})" for host, number in failure.hosts.items()]
    more = failure.host_count - len(hosts)
    others = f" and {several(more, 'more host')}" if more else ""
    if any(failure.hosts):  # files have no host
        say(f"  on {', '.join(hosts)}{others}")
    _show_examples(failure.examples, failure.advice)


def _show_left_out(reason: "ExcludedGroup") -> None:
    say(f"\n{count(reason.count)}  {reason.label} ({reason.share:.1%})")
    _show_examples(reason.examples, reason.advice)


def _show_examples(examples: tuple[str, ...], advice: str) -> None:
    for example in examples:
        say(f"    {readable(example)}")
    if advice:
        say(f"  - {advice}")
