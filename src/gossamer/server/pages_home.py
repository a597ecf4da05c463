"""The first page after a login: which runs and indexes there are."""

from starlette.responses import Response
from starlette.routing import Route

from gossamer.server.asking import Ask, page
from gossamer.server.pages_rendering import render
from gossamer.server.visitors import Role

_RUNS = 50


def show_home(ask: Ask) -> Response:
    runs = ask.site.engine.runs()
    return render(
        ask,
        "home.html",
        indexes=ask.site.indexes(ask.visitor),
        runs=runs[:_RUNS],
        more_runs=max(0, len(runs) - _RUNS),
    )


ROUTES = [Route("/home", page(show_home, role=Role.VIEWER))]
