"""From a plain function to a route: reads its arguments, checks who asks, writes its answer."""

import inspect
import re
from collections.abc import AsyncIterator, Callable
from typing import Any, Generic, NamedTuple, TypeVar, get_type_hints

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from gossamer.errors import NothingThere, UsageError
from gossamer.server.asking import Ask, body_of, parameters_of
from gossamer.server.queries import read_query
from gossamer.server.site import Site
from gossamer.server.visitors import Role

PREFIX = "/api/v1"
EVENTS = "text/event-stream"
_EMPTY = 204

T = TypeVar("T")


class Listing(Struct, Generic[T], frozen=True):
    """Part of a longer list. `next`, given as `after`, has the part that follows; '' at its end."""

    items: tuple[T, ...]
    next: str = ""


class Events(NamedTuple):
    """An answer that goes on: events as they happen."""

    stream: AsyncIterator[bytes]


class Batch(NamedTuple):
    """A body of many: a JSON array, or JSON Lines."""

    data: bytes


class RawObject(NamedTuple):
    """A body of one JSON object, as it was sent: no number loses a digit."""

    data: bytes


class Call(NamedTuple):
    method: str
    path: str
    function: Callable[..., Any]
    role: Role | None  # None: anybody
    costs: bool  # counts for the rate limit
    status: int

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def summary(self) -> str:
        return " ".join((inspect.getdoc(self.function) or "").split("\n\n")[0].split())

    @property
    def hints(self) -> dict[str, Any]:
        """Types of what it takes (but for `ask`) and, as 'return', of what it gives."""
        return {
            name: hint
            for name, hint in get_type_hints(self.function, include_extras=True).items()
            if name != "ask"
        }

    @property
    def path_names(self) -> list[str]:
        return re.findall(r"{(\w+)(?::path)?}", self.path)

    @property
    def described_path(self) -> str:
        """As the description has it."""
        return self.path.replace(":path}", "}")


class CallTable:
    """Collects the calls of a module."""

    def __init__(self) -> None:
        self._calls: list[Call] = []

    def __iter__(self) -> Any:
        return iter(self._calls)

    def add(
        self,
        method: str,
        path: str,
        *,
        role: Role | None = None,
        costs: bool = False,
        status: int = 0,
    ) -> Callable[[Callable[..., T]], Callable[..., T]]:
        """`status`: of an answer that is no fault, where it is not the usual one."""

        def added(function: Callable[..., T]) -> Callable[..., T]:
            is_empty = get_type_hints(function)["return"] is type(None)
            usual = _EMPTY if is_empty else 201 if method == "POST" else 200
            self._calls.append(Call(method, path, function, role, costs, status or usual))
            return function

        return added


def route(call: Call) -> Route:
    hints = call.hints
    path_names = call.path_names

    async def endpoint(request: Request) -> Response:
        site: Site = request.app.state.site
        body = await body_of(request) if call.method not in ("GET", "DELETE") else b""

        def answered() -> Response | Events:
            visitor = site.access.visitor(request)
            if call.costs:
                site.limits.spend(request, visitor)
            if call.role is not None:
                visitor.demand(call.role)
            if call.method != "GET":
                site.access.check_form(request, visitor, {})
            arguments: dict[str, Any] = {
                name: _path_value(name, request.path_params[name], hints[name])
                for name in path_names
            }
            if "query" in hints:
                arguments["query"] = read_query(parameters_of(request), hints["query"])
            if "body" in hints:
                arguments["body"] = _read_body(body, hints["body"])
            found = call.function(Ask(site, request, visitor, {}), **arguments)
            if isinstance(found, Events):
                return found
            if call.status == _EMPTY:
                return Response(status_code=_EMPTY)
            return json_answer(found, call.status)

        answer = await run_in_threadpool(answered)
        if isinstance(answer, Events):
            headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
            return StreamingResponse(answer.stream, 200, headers, EVENTS)
        return answer

    return Route(PREFIX + call.path, endpoint, methods=[call.method], name=call.name)


def json_answer(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _path_value(name: str, text: str, hint: Any) -> Any:
    try:
        return msgspec.convert(text, hint, strict=False)
    except msgspec.ValidationError:
        raise NothingThere(f"There is no {name} '{text}'.") from None


def _read_body(body: bytes, into: Any) -> Any:
    if into is Batch:
        return Batch(body)
    if into is RawObject:
        return RawObject(body or b"{}")
    try:
        return msgspec.json.decode(body or b"{}", type=into)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"The body cannot be read: {error}.") from None
