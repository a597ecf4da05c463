"""Logs on the standard error: one JSON object a line, or sentences where that is a terminal.

No address of a client and no query stands in them: they are passed on, backed up and forgotten.
"""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gossamer.server.metrics import Metrics

log = logging.getLogger("gossamer.server")
_NO_ROUTE = "(none)"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "pid": record.process,
        }
        entry |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[0] is not None:
            entry["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(entry, ensure_ascii=True, default=str)


class Sentences(logging.Formatter):
    """For a person who looks at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.capitalize()}: "
        text = f"{time} {level}{_on_a_line(record.getMessage())}"
        facts = getattr(record, "facts", {})
        if facts:
            named = ", ".join(f"{name} {_on_a_line(value)}" for name, value in facts.items())
            text += f" ({named})"
        if record.exc_info and record.exc_info[0] is not None:
            lines = "".join(traceback.format_exception(*record.exc_info)).rstrip().split("\n")
            text += "".join(f"\n  {_on_a_line(line)}" for line in lines)
        return text


def _on_a_line(value: object) -> str:
    """Replace control characters, so that input cannot move the cursor or begin a new line."""
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in str(value))


def configure(is_brief: bool = False) -> None:
    """For this process: everything that is logged goes there, whoever logs it. `is_brief`: only
    what is wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Sentences() if sys.stderr.isatty() else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # A person at a terminal wants to read what is wrong, and not every request.
    root.setLevel(logging.WARNING if is_brief or sys.stderr.isatty() else logging.INFO)
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers[:] = []
        logging.getLogger(name).propagate = True


class RequestLog:
    """Every answer is logged and counted, by its route."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = perf_counter()
        status = 0
        size = 0

        async def watched(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "http.response.body":
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            seconds = perf_counter() - begin
            route = getattr(scope.get("route"), "path", _NO_ROUTE)
            method = scope["method"] if scope["method"] in _METHODS else "OTHER"
            self._metrics.answered(route, method, status, seconds)
            facts = {"method": method, "route": route, "status": status, "bytes": size}
            log.info("request", extra={"facts": {**facts, "ms": round(seconds * 1000, 2)}})
