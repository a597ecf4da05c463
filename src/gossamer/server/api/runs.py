"""Runs: which there are, their pages; starting, stopping and watching crawls."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from gossamer.server.api.calls import CallTable, Events, Listing
from gossamer.server.api.indexes import PartQuery, start_of
from gossamer.server.asking import Ask
from gossamer.server.contract import CrawlOrder, Job, RankOrder, RunCard
from gossamer.server.events import Event, News, stream
from gossamer.server.visitors import Role

CALLS = CallTable()
_ENDED = ("finished", "stopped", "failed")


@CALLS.add("GET", "/runs", role=Role.VIEWER)
def list_runs(ask: Ask, query: PartQuery) -> Listing[RunCard]:
    """All runs, the newest first."""
    start = start_of(query)
    runs = ask.site.engine.runs()
    end = start + query.limit
    return Listing(tuple(runs[start:end]), str(end) if len(runs) > end else "")


@CALLS.add("GET", "/runs/{run}", role=Role.VIEWER)
def show_run(ask: Ask, run: str) -> RunCard:
    """One run: state, statistics, settings."""
    return ask.site.engine.run(run)


class PagesQuery(PartQuery, frozen=True, forbid_unknown_fields=True):
    prefix: Annotated[str, Meta(description="Of their addresses.", max_length=2_000)] = ""


@CALLS.add("GET", "/runs/{run}/pages", role=Role.VIEWER)
def list_pages(ask: Ask, run: str, query: PagesQuery) -> Listing[dict[str, Any]]:
    """The stored pages of a run, without their texts."""
    start = start_of(query)
    end = start + query.limit
    rows = list(ask.site.engine.run_pages(run, query.prefix, end + 1))
    return Listing(tuple(rows[start:end]), str(end) if len(rows) > end else "")


class CrawlBody(Struct, frozen=True, forbid_unknown_fields=True):
    settings: Annotated[
        dict[str, Any], Meta(description="As in a crawler file: {'seeds': ['https://…']}.")
    ]
    mode: Annotated[str, Meta(description="continue, new, resume or refresh.")] = "continue"


@CALLS.add("POST", "/runs", role=Role.EDITOR)
def start_run(ask: Ask, body: CrawlBody) -> Job:
    """Crawl: go on with the newest run of that crawler, or start one. As a job."""
    may_go_inward = ask.visitor.may(Role.ADMINISTRATOR)
    order = CrawlOrder(body.settings, body.mode, may_go_inward)
    job = ask.site.jobs.start_crawl(order, ask.visitor.name)
    ask.note("crawl started", job.subject, job=job.id, mode=body.mode)
    return job


class RankBody(Struct, frozen=True, forbid_unknown_fields=True):
    runs: Annotated[tuple[str, ...], Meta(description="Whose links count together.")]
    settings: Annotated[
        dict[str, Any], Meta(description="As 'gossamer settings rank' lists them.")
    ] = {}


@CALLS.add("POST", "/ranks", role=Role.EDITOR)
def start_ranking(ask: Ask, body: RankBody) -> Job:
    """Compute the ranks of runs by their links, as a job. An index has them after an update."""
    job = ask.site.jobs.start_rank(RankOrder(body.runs, body.settings), ask.visitor.name)
    ask.note("ranking started", job.subject, job=job.id)
    return job


@CALLS.add("POST", "/runs/{run}/stop", role=Role.EDITOR)
def stop_run(ask: Ask, run: str) -> RunCard:
    """Ask a run to stop: what is being fetched is finished and kept."""
    ask.site.engine.stop_run(run)
    ask.note("run stopped", run)
    return ask.site.engine.run(run)


@CALLS.add("GET", "/runs/{run}/events", role=Role.VIEWER)
def watch_run(ask: Ask, run: str) -> Events:
    """The run as events, whenever something of it has changed, until it has ended."""
    engine = ask.site.engine
    engine.run(run)
    last: RunCard | None = None

    def look() -> News:
        nonlocal last
        now = engine.run(run)
        events = [Event("run", now)] if now != last else []
        last = now
        return News(events, now.state in _ENDED)

    return Events(stream(look))
