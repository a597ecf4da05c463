"""The start page and the results: plain pages that work without a script."""

from urllib.parse import quote

from msgspec import Struct
from starlette.responses import Response

from gossamer.server import searching
from gossamer.server.asking import Ask
from gossamer.server.pages_panels import panel_names
from gossamer.server.pages_rendering import render
from gossamer.server.pages_words import is_web_address
from gossamer.server.queries import SearchQuery

_PAGES_SHOWN = 9
_FACETS = 6


class ViewQuery(SearchQuery, frozen=True, forbid_unknown_fields=False):
    """A search as the results page has it. Strange parameters (of trackers) do no harm."""

    view: str = ""  # 'cards', 'table' or 'list'; '' as the fields of the index suggest


class StartQuery(Struct, frozen=True):
    index: str = ""


def start(ask: Ask) -> Response:
    cards = ask.site.indexes(ask.visitor)
    wanted = ask.query(StartQuery).index
    chosen = next((card for card in cards if card.name == wanted), cards[0] if cards else None)
    trending = ask.site.queries.trending(chosen.name) if chosen else []
    return render(ask, "start.html", indexes=cards, index=chosen, trending=trending)


def results(ask: Ask) -> Response:
    query = ask.query(ViewQuery)
    card = ask.site.index(ask.visitor, query.index)
    facets = tuple(card.of_type("keyword")[:_FACETS])
    found = searching.search(
        ask.site, ask.visitor, _with(query, card.name, facets), is_private=ask.is_private
    )
    answer = found.answer
    pages = min((answer.total + query.limit - 1) // query.limit, 100)
    first = max(1, min(query.page - _PAGES_SHOWN // 2, pages - _PAGES_SHOWN + 1))
    return render(
        ask,
        "results.html",
        query=query,
        answer=answer,
        index=found.index,
        indexes=ask.site.indexes(ask.visitor),
        view=query.view or _view(card.fields),
        search_id=found.id if ask.site.settings.count_clicks else 0,
        pages=range(first, min(pages, first + _PAGES_SHOWN - 1) + 1),
        last_page=pages,
        profiles=ask.site.engine.profiles(),
        sorts=card.of_type("number", "date"),
        facets=_facets(answer.facets),
        panels=panel_names(ask.site, query.q),
    )


def lucky(ask: Ask) -> Response:
    """To the first result. Not by a redirect: the policy keeps forms on this site."""
    query = ask.query(ViewQuery)
    found = searching.search(ask.site, ask.visitor, query, is_private=ask.is_private)
    urls = [hit.url for hit in found.answer.hits if is_web_address(hit.url)]
    if not urls:
        return Response(status_code=303, headers={"location": query.address("/search")})
    response = render(ask, "lucky.html", url=urls[0])
    response.headers["refresh"] = f"0; url={quote(urls[0], safe=_URL_SIGNS)}"
    return response


_URL_SIGNS = "!#$%&'()*+,/:=?@[]~"
"""Every sign of a written URL but ';' and what could end a header's value."""


def _with(query: ViewQuery, index: str, facets: tuple[str, ...]) -> SearchQuery:
    names = [name for name in SearchQuery.__struct_fields__ if name not in ("index", "facet")]
    return SearchQuery(
        **{name: getattr(query, name) for name in names},
        index=index,
        facet=query.facet or facets,
    )


def _view(fields: dict[str, str]) -> str:
    """Documents with pictures are shown as cards."""
    return "cards" if "image" in fields.values() else "list"


def _facets(counted: dict[str, dict[str, int]]) -> dict[str, list[tuple[str, int]]]:
    """The commonest values of the fields that tell results apart."""
    return {
        name: sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))[:10]
        for name, values in counted.items()
        if len(values) > 1
    }
