"""The stored copy of a page, in a frame that can do nothing.

It is a stranger's HTML on our own address: the frame's answer is sandboxed by its own policy (an
origin of its own, no scripts, no forms, nothing loaded from anywhere), also where somebody opens it
without the frame.
"""

from typing import Annotated
from urllib.parse import urlencode

from msgspec import Meta, Struct
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gossamer.server.asking import Ask, page
from gossamer.server.pages_rendering import render

_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"
)


class CachedQuery(Struct, frozen=True):
    url: Annotated[str, Meta(max_length=8_000)]
    index: str = ""


def cached(ask: Ask) -> Response:
    query = ask.query(CachedQuery)
    card = ask.site.index(ask.visitor, query.index)
    copy = ask.site.engine.cached_copy(card.name, query.url)
    frame = "/cached/frame?" + urlencode({"index": card.name, "url": query.url})
    return render(ask, "cached.html", copy=copy, index=card, frame=frame)


def frame(ask: Ask) -> Response:
    query = ask.query(CachedQuery)
    card = ask.site.index(ask.visitor, query.index)
    copy = ask.site.engine.cached_copy(card.name, query.url)
    headers = {
        "content-security-policy": _POLICY,
        "cross-origin-resource-policy": "same-origin",
        "x-robots-tag": "noindex, nofollow",
        "cache-control": "private, no-store",
    }
    return HTMLResponse(copy.html.encode("utf-8", "replace"), headers=headers)


ROUTES = [
    Route("/cached", page(cached, costs=True)),
    Route("/cached/frame", page(frame, costs=True)),
]
