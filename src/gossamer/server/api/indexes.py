"""Indexes: which there are, their documents, building and tuning them."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from gossamer.errors import UsageError
from gossamer.server.api.calls import CallTable, Listing
from gossamer.server.asking import Ask
from gossamer.server.contract import BuildOrder, IndexCard, Job
from gossamer.server.visitors import Role

CALLS = CallTable()
_LARGEST_START = 10_000_000


class PartQuery(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1, le=1_000, description="How many at once.")] = 100
    after: Annotated[str, Meta(description="'next' of the part before.", max_length=200)] = ""


def start_of(query: PartQuery) -> int:
    """A cursor that is a number; '' is the beginning."""
    text = query.after or "0"
    if not (text.isascii() and text.isdecimal()) or int(text[:20]) > _LARGEST_START:
        raise UsageError("'after' is the 'next' of another part, or empty.")
    return int(text)


@CALLS.add("GET", "/indexes")
def list_indexes(ask: Ask, query: PartQuery) -> Listing[IndexCard]:
    """The indexes that who asks may search."""
    cards = sorted(ask.site.indexes(ask.visitor), key=lambda card: card.name)
    left = [card for card in cards if card.name > query.after]
    part = tuple(left[: query.limit])
    return Listing(part, part[-1].name if len(left) > len(part) else "")


@CALLS.add("GET", "/indexes/{index}")
def show_index(ask: Ask, index: str) -> IndexCard:
    """One index: size, fields, languages, settings."""
    return ask.site.index(ask.visitor, index)


@CALLS.add("GET", "/indexes/{index}/documents", costs=True)
def list_documents(ask: Ask, index: str, query: PartQuery) -> Listing[dict[str, Any]]:
    """The documents of an index, in the order in which they came."""
    card = ask.site.index(ask.visitor, index)
    start = start_of(query)
    rows = ask.site.engine.documents(card.name, start, query.limit + 1)
    is_more = len(rows) > query.limit
    return Listing(tuple(rows[: query.limit]), str(start + query.limit) if is_more else "")


class BuildBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Without runs, the index is brought up to what its sources are now. An index that is there
    keeps its settings but for those that are given, or with `reset` none."""

    runs: tuple[str, ...] = ()
    settings: dict[str, Any] = {}
    reset: bool = False


@CALLS.add("POST", "/indexes/{index}/build", role=Role.EDITOR)
def build_index(ask: Ask, index: str, body: BuildBody) -> Job:
    """Build an index of runs, or update it: as a job."""
    order = BuildOrder(body.runs, body.settings, body.reset)
    job = ask.site.jobs.start_build(index, order, ask.visitor.name)
    ask.note(job.kind, index, job=job.id, runs=body.runs)
    return job


class IndexSettingsAnswer(Struct, frozen=True):
    index: str
    settings: dict[str, Any]  # those that differ from the default


@CALLS.add("GET", "/indexes/{index}/settings")
def show_index_settings(ask: Ask, index: str) -> IndexSettingsAnswer:
    """How an index is set."""
    card = ask.site.index(ask.visitor, index)
    return IndexSettingsAnswer(card.name, card.settings)


@CALLS.add("PATCH", "/indexes/{index}/settings", role=Role.EDITOR)
def tune_index(ask: Ask, index: str, body: dict[str, Any]) -> IndexSettingsAnswer:
    """Change settings of an index. Those of queries act at the next one."""
    settings = ask.site.engine.tune(index, body)
    ask.note("index tuned", index, changes=body)
    return IndexSettingsAnswer(index, settings)


@CALLS.add("DELETE", "/indexes/{index}", role=Role.ADMINISTRATOR)
def delete_index(ask: Ask, index: str) -> None:
    """Delete an index. The runs that it was made of stay."""
    ask.site.engine.delete_index(index)
    ask.note("index deleted", index)
