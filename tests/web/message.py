"""What a host of the local web is asked, and the ways in which it may answer.

A `Reply` is bytes, sent as they are: right or wrong. A `Play` is a coroutine that holds the
connection and may do anything with it: wait, drip, cut, reset.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import NamedTuple, Protocol

HTML = "text/html; charset=utf-8"


class Request(NamedTuple):
    """One request. `path` is the target as it came, with its query."""

    method: str
    host: str
    path: str
    head: bytes
    port: int  # of the web, for links to other hosts
    scheme: str

    def header(self, name: str) -> str:
        """Value of the first header of that name; '' without one."""
        found = re.search(
            rb"\r\n" + re.escape(name.encode()) + rb":[ \t]*([^\r\n]*)", self.head, re.IGNORECASE
        )
        return found[1].decode("latin-1").strip() if found else ""

    def url(self, host: str, path: str = "/") -> str:
        """Address of a page on any host of this web."""
        return f"{self.scheme}://{host}:{self.port}{path}"


class Wire(Protocol):
    """The connection, as a `Play` sees it."""

    async def send(self, data: bytes) -> None:
        """Sends, and waits while the peer does not read."""

    def close(self) -> None:
        """Ends the connection after what was sent."""

    def reset(self) -> None:
        """Ends the connection with a TCP reset."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Bytes to send after `delay` seconds. `status` is for the log alone."""

    payload: bytes
    status: int
    delay: float = 0.0
    close: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """A coroutine that answers, or does not. It is cancelled when the peer leaves.

    Afterwards the connection closes, unless it is to be kept for the next request.
    """

    script: Callable[[Wire], Awaitable[None]]
    status: int = 0
    keep: bool = False


Answer = Reply | Play
Handler = Callable[[Request], Answer]


@dataclass(frozen=True)
class Host:
    """A name of the web: what it is for, and what stands at its paths.

    A path without an own query also answers with any query. '/' is, if not given, a page that
    links to all the others; what is not found goes to `other` (a 404 by default).
    """

    name: str
    purpose: str
    pages: dict[str, Answer | Handler]
    other: Handler | None = None
    unlinked: frozenset[str] = field(default_factory=frozenset)

    def answer(self, request: Request) -> Answer:
        path = request.path
        found = self.pages.get(path)
        if found is None:
            path = path.partition("?")[0]
            found = self.pages.get(path)
        if found is None:
            if path == "/":
                return self._index()
            if self.other is None:
                return reply(404, document("Not found", "<p>Nothing stands here.</p>"))
            return self.other(request)
        return found if isinstance(found, Reply | Play) else found(request)

    def linked(self) -> list[str]:
        """The paths that '/' links to."""
        return [
            path
            for path in self.pages
            if path not in ("/", "/robots.txt") and path not in self.unlinked
        ]

    def _index(self) -> Reply:
        return reply(200, document(self.name, f"<p>{self.purpose}</p>{anchors(self.linked())}"))


def reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unheard Of"


def head(status: int, headers: Iterable[tuple[str, str]] = ()) -> bytes:
    """Status line and headers, with the empty line."""
    lines = [f"HTTP/1.1 {status} {reason(status)}", *(f"{name}: {text}" for name, text in headers)]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def reply(
    status: int,
    body: bytes | str = b"",
    *headers: tuple[str, str],
    media_type: str = HTML,
    delay: float = 0.0,
    close: bool = False,
) -> Reply:
    """A well-formed answer with Content-Type (unless empty) and Content-Length."""
    content = body.encode() if isinstance(body, str) else body
    lines = [*headers]
    if media_type:
        lines.append(("Content-Type", media_type))
    lines.append(("Content-Length", str(len(content))))
    return Reply(head(status, lines) + content, status, delay, close)


def document(title: str, body: str, extra_head: str = "") -> str:
    """An HTML document around a body."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"{extra_head}</head>\n<body><h1>{title}</h1>\n{body}\n</body></html>\n"
    )


def page(title: str, body: str = "", extra_head: str = "", *headers: tuple[str, str]) -> Reply:
    """A plain page with status 200."""
    return reply(200, document(title, body or f"<p>{title}.</p>", extra_head), *headers)


def anchors(hrefs: Iterable[str]) -> str:
    """A list of links whose text is their address."""
    return "<ul>\n" + "".join(f'<li><a href="{href}">{href}</a></li>\n' for href in hrefs) + "</ul>"


async def forever(wire: Wire) -> None:
    """Holds the connection until the peer gives up."""
    await asyncio.Event().wait()
