"""What went wrong, and what to do next, for people."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from gossamer.server.asking import Ask
from gossamer.server.pages_rendering import render
from gossamer.server.site import Site
from gossamer.server.visitors import Visitor

_TITLES = {
    400: "Invalid request",
    401: "Login required",
    403: "Not allowed",
    404: "Not found",
    409: "Not now",
    413: "Too long",
    429: "Too many requests",
    503: "Temporarily unavailable",
}


def error_page(request: Request, status: int, message: str, headers: Mapping[str, str]) -> Response:
    site: Site = request.app.state.site
    ask = Ask(site, request, Visitor(), {})
    title = _TITLES.get(status, "Internal error")
    response = render(ask, "error.html", status=status, title=title, message=message)
    response.headers.update(headers)
    return response
