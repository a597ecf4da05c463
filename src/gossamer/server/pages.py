"""The start page and the results: plain pages that work without a script."""

from urllib.parse import quote

from msgspec import Struct
from starlette.responses import Response

from gossamer.server import searching
from gossamer.server.asking import Ask
from gossamer.server.pages_fields import columns
from gossamer.server.pages_panels import panel_names
from gossamer.server.pages_rendering import render
from gossamer.server.pages_views import (
    ViewQuery,
    facets_of,
    fitting,
    ranges_of,
    sorts_of,
    told_apart,
    view_of,
    views_of,
)
from gossamer.server.pages_words import is_web_address, led_to

_PAGES_SHOWN = 7


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
    if query.range:
        return _to(query.without_form().address())
    card = ask.site.index(ask.visitor, query.index)
    query, dropped = fitting(query, card)
    wanted = query.plain(
        index=card.name,
        facet=query.facet or facets_of(card),
        explain=query.explain or query.why > 0,
    )
    found = searching.search(ask.site, ask.visitor, wanted, is_private=ask.is_private)
    answer = found.answer
    pages = answer.last_page
    first = max(1, min(query.page - _PAGES_SHOWN // 2, pages - _PAGES_SHOWN + 1))
    view = view_of(query, card)
    return render(
        ask,
        "results.html",
        query=query,
        answer=answer,
        dropped=dropped,
        index=found.index,
        indexes=ask.site.indexes(ask.visitor),
        view=view,
        views=views_of(card),
        columns=columns(answer.hits, card) if view == "table" else (),
        search_id=found.id if ask.site.settings.count_clicks else 0,
        pages=range(first, min(pages, first + _PAGES_SHOWN - 1) + 1),
        last_page=pages,
        profiles=ask.site.engine.profiles(),
        sorts=sorts_of(card),
        ranges=ranges_of(card),
        facets=told_apart(answer.facets, query),
        panels=panel_names(ask.site, query.q),
    )


def lucky(ask: Ask) -> Response:
    """To the first result. Not by a redirect: the policy keeps forms on this site."""
    query = ask.query(ViewQuery)
    found = searching.search(ask.site, ask.visitor, query, is_private=ask.is_private)
    urls = [hit.url for hit in found.answer.hits if is_web_address(hit.url)]
    if not urls:
        return _to(query.address("/search"))
    url = led_to(urls[0], ask.site.settings.link_hosts)
    response = render(ask, "lucky.html", url=url)
    response.headers["refresh"] = f"0; url={quote(url, safe=_URL_SIGNS)}"
    return response


_URL_SIGNS = "!#$%&'()*+,/:=?@[]~"
"""Every sign of a written URL but ';' and what could end a header's value."""


def _to(address: str) -> Response:
    return Response(status_code=303, headers={"location": address})
