"""Which address of the sample site has which answer."""

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

REDIRECTS = {"/moon": "/moons/the-moon", "/planets": "/planets/"}
COPIES = {"/print/mars": "/planets/mars"}
ROBOTS = "User-agent: *\nDisallow: /drafts/\n"

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


@cache
def _documents() -> dict[str, bytes]:
    """Every page by its path: `pages/planets/mars.html` is /planets/mars, `index.html` a folder."""
    return dict(_read(files("gossamer.demo") / "pages", "/"))


def _read(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _read(entry, f"{path}{entry.name}/")
        elif entry.name.endswith(".html"):
            name = entry.name.removesuffix(".html")
            language = "de" if path == "/de/" else "en"
            page = _page(entry.read_text(encoding="utf-8"), language)
            found.append((path + ("" if name == "index" else name), page))
    return found


def _page(body: str, language: str = "en") -> bytes:
    heading = re.search(r"<h1>(.*?)</h1>", body)
    title = heading[1] if heading else "The solar system"
    return _TEMPLATE.format(language=language, title=title, body=body.strip()).encode()
