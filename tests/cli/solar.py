"""A small site about the solar system, with one of everything that a report speaks of.

Pages that link to each other, a redirect, a missing page, a duplicate, a page that robots.txt keeps
private, one in another language. Small, so that commands can be tried on it again and again.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

REDIRECTS = {"/moon": "/moons/the-moon", "/planets": "/planets/"}
COPIES = {"/print/mars": "/planets/mars"}
ROBOTS = "User-agent: *\nDisallow: /drafts/\n"

_PAGES = Path(__file__).parent / "solar_pages"
_TEMPLATE = """<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><title>{title}</title></head>
<body>
<nav><a href="/">Home</a> <a href="/planets/">Planets</a> <a href="/moons/">Moons</a>
<a href="/small-bodies">Small bodies</a> <a href="/telescopes">Telescopes</a></nav>
<main>
{body}
</main>
</body>
</html>
"""


class Answer(NamedTuple):
    status: int
    media_type: str
    body: bytes
    location: str = ""


def answer(path: str) -> Answer:
    """What a GET of `path` gives; the query is not looked at."""
    path = path.split("?", 1)[0]
    if path == "/robots.txt":
        return Answer(200, "text/plain; charset=utf-8", ROBOTS.encode())
    if path in REDIRECTS:
        return Answer(301, "text/plain; charset=utf-8", b"Moved.\n", REDIRECTS[path])
    document = _documents().get(COPIES.get(path, path))
    if document is None:
        return Answer(404, "text/html; charset=utf-8", _page("<h1>There is no such page</h1>"))
    return Answer(200, "text/html; charset=utf-8", document)


@contextmanager
def running_site() -> Iterator[str]:
    """The site's address, while it is served."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        found = answer(self.path)
        self.send_response(found.status)
        self.send_header("Content-Type", found.media_type)
        self.send_header("Content-Length", str(len(found.body)))
        if found.location:
            self.send_header("Location", found.location)
        self.end_headers()
        self.wfile.write(found.body)

    def log_message(self, format: str, *args: object) -> None:
        """The crawler's report says it all."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A crawler that is stopped drops its connections: nothing to report."""


@cache
def _documents() -> dict[str, bytes]:
    """Every page by its path: `planets/mars.html` is /planets/mars, `index.html` a folder."""
    found = {}
    for file in sorted(_PAGES.rglob("*.html")):
        path = "/" + file.relative_to(_PAGES).as_posix().removesuffix(".html").removesuffix("index")
        language = "de" if path.startswith("/de/") else "en"
        found[path] = _page(file.read_text(encoding="utf-8"), language)
    return found


def _page(body: str, language: str = "en") -> bytes:
    heading = re.search(r"<h1>(.*?)</h1>", body)
    title = heading[1] if heading else "The solar system"
    return _TEMPLATE.format(language=language, title=title, body=body.strip()).encode()
