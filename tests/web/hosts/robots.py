"""robots-*.test: robots.txt in all its states, and pages with robots directives of their own.

Each host has /public, /private and /private/open; what a crawler may fetch depends on its
robots.txt alone. `MAY_FETCH` says what RFC 9309 allows an agent that is named nowhere.
"""

import asyncio
from itertools import pairwise

from tests.web.message import (
    Answer,
    Handler,
    Host,
    Play,
    Reply,
    Wire,
    document,
    forever,
    page,
    reply,
)

_PATHS = ("/public", "/private", "/private/open")


def _text(body: str | bytes, status: int = 200, *headers: tuple[str, str]) -> Reply:
    return reply(status, body, *headers, media_type="text/plain")


_BLOCK = "User-agent: *\nDisallow: /private\nAllow: /private/open\n"
_MOST = frozenset({"/", "/public", "/private/open"})
_ALL = frozenset({"/", *_PATHS})
_NONE: frozenset[str] = frozenset()


async def _drip(wire: Wire) -> None:
    content = _BLOCK.encode()
    await wire.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n")
    await wire.send(b"Content-Length: %d\r\n\r\n" % len(content))
    for byte in content:
        await wire.send(bytes([byte]))
        await asyncio.sleep(0.02)


def _redirect_chain(hops: int) -> dict[str, Answer | Handler]:
    """robots.txt behind that many redirects on the same host."""
    stops = ["/robots.txt", *(f"/robots-{hop}.txt" for hop in range(1, hops)), "/rules.txt"]
    chain: dict[str, Answer | Handler] = {
        here: reply(302, "", ("Location", there)) for here, there in pairwise(stops)
    }
    return {**chain, "/rules.txt": _text(_BLOCK)}


_HUGE = (
    "User-agent: *\n"
    + "".join(f"Disallow: /never-{number}\n" for number in range(2_000))
    + "Disallow: /private\nAllow: /private/open\n"
    + "# filler\n" * 60_000
    + "Disallow: /\n"  # past the 500 KiB that RFC 9309 asks to be read
)

# name -> (what it is for, the answer to /robots.txt, what may be fetched);
# None where the RFC and custom differ.
_VARIANTS: dict[str, tuple[str, Answer | Handler, frozenset[str] | None]] = {
    "disallow-all": ("everything is disallowed", _text("User-agent: *\nDisallow: /\n"), _NONE),
    "allow-list": (
        "all is disallowed but /public",
        _text("User-agent: *\nDisallow: /\nAllow: /public\n"),
        frozenset({"/public"}),
    ),
    "empty": ("an empty file: all is free", _text(""), _ALL),
    "404": ("404: all is free", _text("none", 404), _ALL),
    "403": ("403: all is free", _text("no", 403), _ALL),
    "401": ("401: all is free", _text("no", 401), _ALL),
    "410": ("410: all is free", _text("gone", 410), _ALL),
    "429": ("429: too many requests, come later", _text("", 429, ("Retry-After", "2")), None),
    "500": ("500: wait", _text("broken", 500), _NONE),
    "503": ("503 with Retry-After 2: wait", _text("", 503, ("Retry-After", "2")), _NONE),
    "hanging": ("robots.txt is never answered: wait", Play(forever), _NONE),
    "slow": ("robots.txt drips in over two seconds", Play(_drip, 200), _MOST),
    "delayed": ("robots.txt comes after a second", reply(200, _BLOCK, delay=1.0), _MOST),
    "huge": ("580 kB, of which the first 500 KiB count", _text(_HUGE), _MOST),
    "binary": ("bytes that are no text: no rule", _text(bytes(range(256)) * 40), _ALL),
    "html": (
        "an HTML page in its place: no rule",
        page("Not found, but with status 200"),
        _ALL,
    ),
    "bom": ("begins with a byte order mark", _text(b"\xef\xbb\xbf" + _BLOCK.encode()), _MOST),
    "mac-lines": ("lines end in CR alone", _text(_BLOCK.replace("\n", "\r")), _MOST),
    "crawl-delay": (
        "Crawl-delay 1",
        _text("User-agent: *\nCrawl-delay: 1\nDisallow: /private\nAllow: /private/open\n"),
        _MOST,
    ),
    "wildcards": (
        "rules with * and $",
        _text("User-agent: *\nDisallow: /p*e$\nAllow: /*/open$\n"),
        _MOST,
    ),
    "sitemaps": (
        "two Sitemap lines, one of them in no group",
        _text(
            "Sitemap: http://robots-sitemaps.test/first.xml\n\n" + _BLOCK + "Sitemap: /second.xml\n"
        ),
        _MOST,
    ),
    "agents": (
        "groups for certain agents: Gossamer may read all, BadBot nothing",
        _text(
            "User-agent: BadBot\nDisallow: /\n\nUser-agent: gossamer\nUser-agent: OtherBot\n"
            "Disallow:\n\nUser-agent: *\nDisallow: /private\nAllow: /private/open\n"
        ),
        _MOST,
    ),
    "case": (
        "odd cases and spaces",
        _text("USER-AGENT : *\n  disallow:/private\n"),
        frozenset({"/", "/public"}),
    ),
    "dropped": (
        "the connection closes instead of an answer: wait",
        Reply(b"", 0, close=True),
        _NONE,
    ),
}

MAY_FETCH: dict[str, frozenset[str]] = {
    **{
        f"robots-{name}.test": allowed
        for name, (_, _, allowed) in _VARIANTS.items()
        if allowed is not None
    },
    "robots-redirected.test": _MOST,
    "robots-redirected-5.test": _MOST,
    "robots-redirect-loop.test": _ALL,
    "robots-elsewhere.test": _MOST,
}

# path -> (header, meta): what the page says of itself
DIRECTIVES: dict[str, tuple[str, str]] = {
    "/meta-noindex": ("", '<meta name="robots" content="noindex">'),
    "/meta-nofollow": ("", '<meta name="robots" content="nofollow">'),
    "/meta-none": ("", '<meta name="robots" content="none">'),
    "/meta-all": ("", '<meta name="robots" content="all">'),
    "/meta-nosnippet": ("", '<meta name="robots" content="nosnippet">'),
    "/meta-noarchive": ("", '<meta name="robots" content="noarchive">'),
    "/meta-several": ("", '<META NAME="Robots" CONTENT=" NoIndex ,NOFOLLOW, noarchive">'),
    "/meta-twice": (
        "",
        '<meta name="robots" content="noindex"><meta name="robots" content="nofollow">',
    ),
    "/meta-for-us": ("", '<meta name="gossamer" content="noindex">'),
    "/meta-for-others": ("", '<meta name="badbot" content="noindex, nofollow">'),
    "/header-noindex": ("noindex", ""),
    "/header-nofollow": ("nofollow", ""),
    "/header-none": ("none", ""),
    "/header-several": ("noarchive, nosnippet", ""),
    "/header-for-us": ("gossamer: noindex", ""),
    "/header-for-others": ("badbot: noindex, nofollow", ""),
    "/header-past-date": ("unavailable_after: 25 Jun 2010 15:00:00 GMT", ""),
    "/header-and-meta": ("noindex", '<meta name="robots" content="nofollow">'),
}


def _directive_pages() -> dict[str, Answer | Handler]:
    pages: dict[str, Answer | Handler] = {}
    for path, (header, meta) in DIRECTIVES.items():
        behind = f"/behind{path}"
        body = f'<p>A page with a directive. <a href="{behind}">Behind it.</a></p>'
        headers = [("X-Robots-Tag", header)] if header else []
        pages[path] = reply(200, document(path[1:], body, meta), *headers)
        pages[behind] = page(f"Behind {path[1:]}")
    body = '<p><a rel="nofollow" href="/behind-rel">no</a> <a href="/behind-plain">yes</a></p>'
    pages["/rel-nofollow"] = reply(200, document("A link with rel=nofollow", body))
    pages["/behind-rel"] = page("Behind rel=nofollow")
    pages["/behind-plain"] = page("Behind a plain link")
    return pages


def hosts() -> tuple[Host, ...]:
    content: dict[str, Answer | Handler] = {
        path: page(f"The page {path}", f'<p>{path} <a href="/">home</a></p>') for path in _PATHS
    }
    variants = [
        Host(f"robots-{name}.test", f"robots.txt: {purpose}", {"/robots.txt": answer, **content})
        for name, (purpose, answer, _) in _VARIANTS.items()
    ]
    directives = _directive_pages()
    rules = frozenset({f"/robots-{hop}.txt" for hop in range(1, 5)} | {"/rules.txt"})
    return (
        *variants,
        Host(
            "robots-redirected.test",
            "robots.txt: behind one redirect",
            {**_redirect_chain(1), **content},
            unlinked=rules,
        ),
        Host(
            "robots-redirected-5.test",
            "robots.txt: behind five redirects, which are to be followed",
            {**_redirect_chain(5), **content},
            unlinked=rules,
        ),
        Host(
            "robots-redirect-loop.test",
            "robots.txt: redirects to itself: all is free",
            {"/robots.txt": reply(302, "", ("Location", "/robots.txt")), **content},
        ),
        Host(
            "robots-elsewhere.test",
            "robots.txt: redirects to that of robots-bom.test",
            {
                "/robots.txt": lambda request: reply(
                    301, "", ("Location", request.url("robots-bom.test", "/robots.txt"))
                ),
                **content,
            },
        ),
        Host(
            "directives.test",
            "robots meta elements and X-Robots-Tag headers",
            directives,
            unlinked=frozenset(path for path in directives if path.startswith("/behind")),
        ),
    )
