"""Errors to answers: one shape for programs, one page for people, and no traceback for anybody."""

import logging
import math
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gossamer.edits import ChangeReport, PartlyStored
from gossamer.errors import (
    AccessError,
    GossamerError,
    IndexFault,
    IndexNotFound,
    LoginNeeded,
    NothingThere,
    RunError,
    RunNotFound,
    RuntimeFault,
    StorageError,
    TooManyRequests,
    UsageError,
)
from gossamer.server.pages_errors import error_page

_log = logging.getLogger("gossamer.server")

_STATUS: tuple[tuple[type[GossamerError], int], ...] = (
    (TooManyRequests, 429),
    (LoginNeeded, 401),
    (AccessError, 403),
    (IndexNotFound, 404),
    (RunNotFound, 404),
    (NothingThere, 404),
    (UsageError, 400),
    (RunError, 409),
    (IndexFault, 409),
    (StorageError, 503),
    (RuntimeFault, 503),
    (PartlyStored, 503),
)
_NAMES = {400: "UsageError", 404: "NothingThere", 405: "MethodNotAllowed", 413: "TooLarge"}


class Failure(msgspec.Struct, frozen=True, omit_defaults=True):
    type: str
    message: str
    report: ChangeReport | None = None  # of a batch of changes of which a part is stored


class ErrorAnswer(msgspec.Struct, frozen=True):
    """The one shape of errors: that of the commands with `--json`."""

    error: Failure


def status_of(error: GossamerError) -> int:
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def is_for_programs(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def answer(request: Request, status: int, failure: Failure, wait_seconds: float = 0) -> Response:
    headers: dict[str, str] = {}
    if wait_seconds:
        headers["retry-after"] = str(math.ceil(wait_seconds))
    if is_for_programs(request):
        if status == 401:
            headers["www-authenticate"] = "Bearer"
        body = msgspec.json.encode(ErrorAnswer(failure))
        return Response(body, status, headers, "application/json")
    return error_page(request, status, failure.message, headers)


def on_fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, GossamerError)
    status = status_of(error)
    if status >= 500:
        _log.error("%s: %s", type(error).__name__, error)
    wait = error.wait_seconds if isinstance(error, TooManyRequests) else 0
    report = error.report if isinstance(error, PartlyStored) else None
    return answer(request, status, Failure(type(error).__name__, str(error), report), wait)


def on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = {404: "There is nothing at this address.", 405: "This cannot be done here."}.get(
        error.status_code, error.detail
    )
    kind = _NAMES.get(error.status_code, "HttpError")
    found = answer(request, error.status_code, Failure(kind, message))
    for name, value in (error.headers or {}).items():
        found.headers[name] = value
    return found


def _bug_answer(request: Request, error: Exception) -> Response:
    _log.exception("A bug, at %s %s", request.method, request.url.path, exc_info=error)
    message = "Internal error here. The log of the server tells more."
    return answer(request, 500, Failure("InternalError", message))


HANDLERS: dict[Any, Callable[[Request, Exception], Response]] = {
    GossamerError: on_fault,
    HTTPException: on_http_error,
}


class Bugs:
    """What nobody expected is answered, logged once, and ends there."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            if scope["type"] != "http" or has_begun:
                raise
            await _bug_answer(Request(scope), error)(scope, receive, send)
