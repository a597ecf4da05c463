"""Hosts whose pages are found in other ways than by ordinary links, or are not wanted."""

from tests.web.message import Answer, Handler, Host, Request, document, page, reply
from tests.web.words import paragraph

XML = "application/xml"
PROSE = {
    "en": "The harbour of the old town lies at the mouth of the river, and most of its ships carry "
    "timber to the islands. In the evening the fishermen mend their nets on the quay.",
    "de": "Der Hafen der alten Stadt liegt an der Mündung des Flusses, und die meisten seiner "
    "Schiffe bringen Holz zu den Inseln. Am Abend flicken die Fischer am Kai ihre Netze.",
    "fr": "Le port de la vieille ville se trouve à l'embouchure du fleuve, et la plupart de ses "
    "navires portent du bois vers les îles. Le soir, les pêcheurs réparent leurs filets.",
}


def _links(*paths: str) -> str:
    return "".join(f'<p><a href="{path}">{path}</a></p>' for path in paths)


def _article(title: str, *paths: str) -> Answer:
    text = "".join(f"<p>{paragraph(sum(map(ord, title)) + part, 60)}</p>" for part in range(3))
    return page(title, text + _links(*paths))


def _sitemap(request: Request, *paths: str, host: str = "") -> Answer:
    urls = [request.url(host or request.host, path) for path in paths]
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return reply(200, f"<urlset>{entries}</urlset>", media_type=XML)


def _index(request: Request, *paths: str) -> Answer:
    urls = [request.url(request.host, path) for path in paths]
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return reply(200, f"<sitemapindex>{entries}</sitemapindex>", media_type=XML)


def _robots(request: Request, *sitemaps: str) -> Answer:
    lines = "".join(f"Sitemap: {sitemap}\n" for sitemap in sitemaps)
    return reply(200, lines, media_type="text/plain")


def _mapped() -> Host:
    """Sitemaps on another host, nested without end, and what they may not name."""

    def endless(request: Request) -> Answer:
        number = request.path.removeprefix("/nest/")
        if not number.isdecimal():
            return reply(404)
        return _index(request, f"/nest/{int(number) + 1}", f"/leaf/{number}.xml")

    def other(request: Request) -> Answer:
        if request.path.startswith("/leaf/"):
            return _sitemap(request, f"/from{request.path.removesuffix('.xml')}")
        if request.path.startswith("/from/"):
            return _article(request.path)
        return endless(request)

    return Host(
        "mapped.test",
        "",
        {
            "/": _article("Start"),
            "/robots.txt": lambda request: _robots(
                *(request, "/nest/0", request.url("keeper.test", "/map.xml"))
            ),
            "/far": _article("Far"),
        },
        other,
    )


def _keeper() -> Host:
    """Keeps the sitemap of another host, and names its own pages in it."""

    def map_(request: Request) -> Answer:
        urls = [request.url("mapped.test", "/far"), request.url("keeper.test", "/own")]
        entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
        return reply(200, f"<urlset>{entries}</urlset>", media_type=XML)

    return Host(
        "keeper.test",
        "",
        {
            "/map.xml": map_,
            "/own": _article("Own"),
            # It has a map of its own, which is none of ours.
            "/robots.txt": lambda request: _robots(request, "/own-map.xml"),
            "/own-map.xml": lambda request: _sitemap(request, "/own"),
        },
    )


def _spelled() -> Host:
    """One page under many addresses; some lead to others."""

    def moved(location: str) -> Answer:
        return reply(301, "", ("Location", location))

    return Host(
        "spelled.test",
        "",
        {
            "/": _article(
                "Start",
                *("/a/index.html", "/a/?utm_source=start", "/b?utm_source=x", "/b", "/c/"),
                *("/d;jsessionid=0123456789ABCDEF", "/d;jsessionid=FEDCBA9876543210", "/d"),
                *("/circle/", "/e?sid=1", "/e?sid=2"),
            ),
            "/a/index.html": moved("/a/"),
            "/a/": _article("A"),
            "/b": _article("B"),
            "/c/": moved("/c/index.html"),
            "/c/index.html": _article("C"),
            "/circle/": moved("/circle/index.html"),
            "/circle/index.html": moved("/circle/"),
        },
        lambda request: (
            _article(request.path) if request.path.startswith(("/d", "/e")) else reply(404)
        ),
    )


def _tongues() -> Host:
    pages: dict[str, Answer | Handler] = {
        f"/{language}": page(language, f"<p>{text} {text}</p>" + _links(f"/{language}/more"))
        for language, text in PROSE.items()
    }
    pages |= {f"/{language}/more": _article(f"More {language}") for language in PROSE}
    return Host("tongues.test", "", {"/": page("Start", _links("/en", "/de", "/fr")), **pages})


def _parts() -> Host:
    body = (
        f"<nav>{_links('/menu')}</nav><main>{_links('/in')}<p>{paragraph(5, 80)}</p></main>"
        f"<footer>{_links('/foot', '/soft')}</footer>"
    )
    soft = document("Page not found", f"<p>Sorry.</p>{_links('/behind')}")
    return Host(
        "parts.test",
        "",
        {
            "/": page("Start", body),
            "/menu": _article("Menu"),
            "/in": _article("In", "/deeper"),
            "/deeper": _article("Deeper"),
            "/foot": _article("Foot"),
            "/soft": reply(200, soft),
            "/behind": _article("Behind"),
            "/table.csv": reply(200, "name,price\nlamp,17\n", media_type="text/csv"),
        },
    )


def hosts() -> tuple[Host, ...]:
    return (_mapped(), _keeper(), _spelled(), _tongues(), _parts())
