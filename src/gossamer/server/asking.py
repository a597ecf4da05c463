"""From a request to a call in a worker thread.

Whatever an answer needs (the session, the search, the page) is done by one plain function in one
thread; the event loop only reads and writes.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, TypeVar
from urllib.parse import parse_qs

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from gossamer.errors import UsageError
from gossamer.server.queries import read_query
from gossamer.server.site import Site
from gossamer.server.visitors import Role, Visitor

_MOST_PARAMETERS = 100
T = TypeVar("T", bound=Struct)


class Ask(NamedTuple):
    """One request: who asks for what."""

    site: Site
    request: Request
    visitor: Visitor
    form: Mapping[str, str]

    def query(self, into: type[T]) -> T:
        return read_query(parameters_of(self.request), into)

    @property
    def is_private(self) -> bool:
        """Whether the browser asks not to be tracked."""
        headers = self.request.headers
        return headers.get("dnt") == "1" or headers.get("sec-gpc") == "1"

    @property
    def base_url(self) -> str:
        """The address of the site as its visitors know it, without a slash at its end."""
        return self.site.settings.public_url.rstrip("/") or str(self.request.base_url).rstrip("/")

    def note(self, action: str, subject: str, **details: object) -> None:
        """Into the audit log."""
        self.site.audit.note(self.visitor.name, action, subject, details)


Page = Callable[[Ask], Response]
Endpoint = Callable[[Request], Awaitable[Response]]


def page(handler: Page, *, role: Role | None = None, costs: bool = False) -> Endpoint:
    """A page for people. `role`: who may see it. `costs`: it counts for the rate limit."""

    async def endpoint(request: Request) -> Response:
        site: Site = request.app.state.site
        is_form = request.method not in ("GET", "HEAD")
        body = await body_of(request) if is_form else b""

        def call() -> Response:
            visitor = site.access.visitor(request)
            if costs:
                site.limits.spend(request, visitor)
            form = _form(body) if is_form else {}
            if is_form:
                site.access.check_form(request, visitor, form)
            if role is not None:
                visitor.demand(role)
            return handler(Ask(site, request, visitor, form))

        return await run_in_threadpool(call)

    return endpoint


def parameters_of(request: Request) -> dict[str, list[str]]:
    try:
        return parse_qs(request.url.query, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS)
    except ValueError:
        raise UsageError(f"An address has at most {_MOST_PARAMETERS} parameters.") from None


async def body_of(request: Request) -> bytes:
    """The body, if it is no longer than allowed and comes in time (the guards see to both)."""
    try:
        return await request.body()
    except ClientDisconnect:
        raise UsageError("The request was cut short, came too slowly, or is too long.") from None


def _form(body: bytes) -> dict[str, str]:
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_PARAMETERS)
    except (UnicodeDecodeError, ValueError):
        raise UsageError("The form cannot be read.") from None
    return {name: values[-1] for name, values in fields.items()}
