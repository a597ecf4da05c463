"""Searching: results, suggestions, explanations, stored pages."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from gossamer.query.parser import MOST_CHARACTERS
from gossamer.search.contract import Answer
from gossamer.server import searching
from gossamer.server.api.calls import CallTable
from gossamer.server.asking import Ask
from gossamer.server.contract import PageText
from gossamer.server.queries import SearchQuery

CALLS = CallTable()


class SearchAnswer(Struct, frozen=True):
    index: str
    id: str  # of the search, for counting clicks; '' where nothing is remembered
    answer: Answer


@CALLS.add("GET", "/search", costs=True)
def search(ask: Ask, query: SearchQuery) -> SearchAnswer:
    """Search an index."""
    found = searching.search(ask.site, ask.visitor, query, is_private=ask.is_private)
    return SearchAnswer(found.index.name, str(found.id or ""), found.answer)


class SuggestQuery(Struct, frozen=True, forbid_unknown_fields=True):
    q: Annotated[str, Meta(description="What was typed so far.", max_length=200)]
    index: Annotated[str, Meta(description="The index; the site's own if empty.")] = ""
    limit: Annotated[int, Meta(ge=1, le=50)] = 10


class Suggestions(Struct, frozen=True):
    q: str
    suggestions: tuple[str, ...]


@CALLS.add("GET", "/suggest", costs=True)
def suggest(ask: Ask, query: SuggestQuery) -> Suggestions:
    """What somebody may be about to type."""
    found = searching.suggest(ask.site, ask.visitor, query.index, query.q, query.limit)
    return Suggestions(query.q, tuple(found))


class ExplainQuery(Struct, frozen=True, forbid_unknown_fields=True):
    q: Annotated[str, Meta(description="The query.", max_length=MOST_CHARACTERS)]
    url: Annotated[str, Meta(description="The address or id of the document.", max_length=8_000)]
    index: str = ""
    profile: str = ""


class Explanation(Struct, frozen=True):
    index: str
    profile: str
    url: str
    position: int  # among the best; 0 where it is not among them
    score: float
    explain: dict[str, Any]  # the score in its parts; empty where it is not among the best


_EXPLAINED = 100


@CALLS.add("GET", "/explain", costs=True)
def explain(ask: Ask, query: ExplainQuery) -> Explanation:
    """Why a document is where it is among the best hundred."""
    wanted = SearchQuery(
        q=query.q,
        index=query.index,
        profile=query.profile,
        limit=_EXPLAINED,
        group=False,
        explain=True,
    )
    found = searching.search(ask.site, ask.visitor, wanted, is_private=True)
    for position, hit in enumerate(found.answer.hits, 1):
        if query.url in (hit.url, hit.id):
            return Explanation(
                found.index.name,
                found.answer.profile,
                query.url,
                position,
                hit.score,
                hit.explain or {},
            )
    return Explanation(found.index.name, found.answer.profile, query.url, 0, 0.0, {})


class PageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    url: Annotated[str, Meta(max_length=8_000)]
    index: str = ""


@CALLS.add("GET", "/page", costs=True)
def page(ask: Ask, query: PageQuery) -> PageText:
    """A stored page as text."""
    card = ask.site.index(ask.visitor, query.index)
    return ask.site.engine.page(card.name, query.url)
