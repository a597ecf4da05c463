"""What went wrong, and what to do next, for people."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from gossamer.server.asking import Ask
from gossamer.server.pages_rendering import render
from gossamer.server.site import Site
from gossamer.server.visitors import Visitor

_TITLES = {
    400: "This was not understood",
    401: "A login is needed",
    403: "Not allowed",
    404: "Nothing here",
    409: "Not now",
    413: "Too long",
    429: "Too many requests",
    503: "Out of order",
}


def error_page(request: Request, status: int, message: str, headers: Mapping[str, str]) -> Response:
    site: Site = request.app.state.site
    ask = Ask(site, request, Visitor(), {})
    title = _TITLES.get(status, "Something is broken")
    response = render(ask, "error.html", status=status, title=title, message=message)
    response.headers.update(headers)
    return response
