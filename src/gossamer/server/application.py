"""The routes, and what stands before all of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from gossamer.errors import GossamerError, StorageError
from gossamer.search.contract import SearchRequest
from gossamer.server import (
    api,
    feeds,
    pages,
    pages_access,
    pages_cached,
    pages_home,
    pages_panels,
    pages_people,
    pages_why,
)
from gossamer.server.api.calls import json_answer, route
from gossamer.server.api.openapi import description
from gossamer.server.asking import Ask, page
from gossamer.server.faults import HANDLERS, Bugs
from gossamer.server.guards import BodyLimits, KnownNames, SafeHeaders
from gossamer.server.listening import end_with_parent
from gossamer.server.logs import RequestLog, log
from gossamer.server.site import Site
from gossamer.server.visitors import Role

_STATIC = Path(__file__).parent / "web" / "static"
_FLUSH_SECONDS = 2.0
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
_RARE_WORD = "lighthuse"  # hardly any index has it, so that something like it is looked for


def application(site: Site) -> Starlette:
    made = Starlette(
        routes=_routes(),
        middleware=[
            Middleware(RequestLog, metrics=site.metrics),
            Middleware(SafeHeaders, tls=site.settings.behind_tls),
            Middleware(
                KnownNames,
                listens_at=site.settings.host,
                public_url=site.settings.public_url,
            ),
            Middleware(
                BodyLimits,
                most_bytes=site.settings.request_bytes,
                most_seconds=site.settings.request_seconds,
            ),
            Middleware(Bugs),
        ],
        exception_handlers=HANDLERS,
        lifespan=_lifespan,
    )
    made.state.site = site
    return made


def _routes() -> list[BaseRoute]:
    return [
        Route("/", page(pages.start)),
        Route("/search", page(pages.results, costs=True)),
        Route("/lucky", page(pages.lucky, costs=True)),
        Route("/search.rss", page(feeds.rss, costs=True)),
        Route("/search.csv", page(feeds.csv, costs=True)),
        Route("/opensearch.xml", page(feeds.opensearch)),
        Route("/suggest", page(feeds.suggestions, costs=True)),
        Route("/click/{id:int}", _click, methods=["POST"]),
        *pages_cached.ROUTES,
        *pages_panels.ROUTES,
        *pages_why.ROUTES,
        *pages_access.ROUTES,
        *pages_home.ROUTES,
        *pages_people.ROUTES,
        *(route(call) for call in api.CALLS),
        Route("/api/v1/openapi.json", page(_openapi)),
        Route("/healthz", _health),
        Route("/metrics", page(_metrics)),
        Mount("/static", StaticFiles(directory=_STATIC)),
    ]


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    site: Site = app.state.site
    site.engine.apply_changes()
    tasks = [
        asyncio.create_task(run_in_threadpool(_warm_up, site)),
        asyncio.create_task(_flush_now_and_then(site)),
        asyncio.create_task(end_with_parent()),
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await run_in_threadpool(site.queries.flush)
        site.engine.close()


def _warm_up(site: Site) -> None:
    """What a process loads for its first search and its first correction takes a second or two:
    that is done by now when the first visitor comes."""
    with suppress(GossamerError):
        cards = site.engine.indexes()
        index = site.settings.default_index or (cards[0].name if cards else "")
        if index:
            site.engine.search(index, SearchRequest(_RARE_WORD))
            site.engine.suggest(index, _RARE_WORD[:1], 1)


async def _flush_now_and_then(site: Site) -> None:
    while True:
        await asyncio.sleep(_FLUSH_SECONDS)
        try:
            await run_in_threadpool(site.queries.flush)
        except StorageError as error:
            log.error("The query log cannot be written: %s", error)


async def _health(request: Request) -> Response:
    """Whether this worker answers, and reaches its database."""
    site: Site = request.app.state.site
    try:
        await run_in_threadpool(site.access.accounts.account, "")
    except StorageError as error:
        return PlainTextResponse(f"{error}\n", 503)
    return PlainTextResponse("ok\n")


def _metrics(ask: Ask) -> Response:
    client = ask.request.client
    is_local = client is not None and client.host in ("127.0.0.1", "::1", "testclient")
    # A proxy on this machine that nobody has named asks for somebody else.
    is_local = is_local and not any(name in ask.request.headers for name in _FORWARDED)
    if not (is_local or ask.site.settings.public_metrics):
        ask.visitor.demand(Role.VIEWER)
    return Response(ask.site.metrics.text(), media_type="text/plain; version=0.0.4")


def _openapi(ask: Ask) -> Response:
    return json_answer(description(api.CALLS, ask.site.settings.name, ask.base_url))


async def _click(request: Request) -> Response:
    """A result was followed. Browsers send it by themselves (`ping`), without a form."""
    site: Site = request.app.state.site
    ask = Ask(site, request, site.access.nobody, {})
    number = request.path_params["id"]
    is_ours = request.headers.get("sec-fetch-site", "same-origin") == "same-origin"
    if is_ours and not ask.is_private and number < 1 << 63:
        await run_in_threadpool(site.queries.click, number)
    return Response(status_code=204)
