"""Sites whose pages are named by sitemaps and feeds alone: good ones, broken ones, endless ones."""

import gzip
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from tests.web.message import Answer, Handler, Host, Request, document, page, reply
from tests.web.words import paragraph

XML = "application/xml; charset=utf-8"
LARGE = 50_000
LISTED = 4
"""Pages that each sitemap or feed names."""

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def paths_of(listing: str) -> list[str]:
    """The pages that a listing names, and nobody else."""
    return [f"/{listing}/{number}" for number in range(LISTED)]


def _sitemap(urls: Iterable[str]) -> str:
    entries = "".join(
        f"<url>\n  <loc> {url} </loc><lastmod>2024-05-0{1 + at % 9}</lastmod>"
        f"<priority>0.{at % 10}</priority></url>\n"
        for at, url in enumerate(urls)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_NAMESPACE}">{entries}</urlset>'
    )


def _index(urls: Iterable[str]) -> str:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>\n" for url in urls)
    return f'<?xml version="1.0"?><sitemapindex xmlns="{_NAMESPACE}">{entries}</sitemapindex>'


def _urls(request: Request, paths: Iterable[str]) -> list[str]:
    return [request.url(request.host, path) for path in paths]


def _listed(request: Request) -> Answer:
    """A page below the name of a listing."""
    listing, _, number = request.path.strip("/").partition("/")
    if listing not in (*SITEMAPS, *FEEDS, "private") or not number.isdecimal():
        return reply(404, document("Not found", "<p>Nothing stands here.</p>"))
    text = paragraph(sum(map(ord, request.path)) * 97 + int(number), 80)
    return page(f"Page {number} of {listing}", f"<p>{text}</p>")


SITEMAPS = ("plain", "gzipped", "encoded", "text", "odd", "deep", "broken")


def _robots(request: Request) -> Answer:
    named = ("index.xml", "sitemap.txt", "missing.xml", "page-as-sitemap.xml", "empty.xml")
    lines = [f"Sitemap: {url}" for url in _urls(request, (f"/{name}" for name in named))]
    rules = "\n".join(["User-agent: *", "Disallow: /private/", *lines])
    return reply(200, rules, media_type="text/plain")


def _sitemap_pages() -> dict[str, Answer | Handler]:
    def xml(listing: str) -> Handler:
        return lambda request: reply(
            200, _sitemap(_urls(request, paths_of(listing))), media_type=XML
        )

    def index(request: Request) -> Answer:
        names = ("plain.xml", "gzipped.xml.gz", "encoded.xml", "odd.xml", "broken.xml")
        more = ("index.xml", "deeper-index.xml", "missing-too.xml")  # the first one is itself
        urls = _urls(request, (f"/{name}" for name in names + more))
        return reply(200, _index(urls), media_type=XML)

    def deeper(request: Request) -> Answer:
        return reply(200, _index(_urls(request, ("/deep.xml", "/index.xml"))), media_type=XML)

    def gzipped(request: Request) -> Answer:
        packed = gzip.compress(_sitemap(_urls(request, paths_of("gzipped"))).encode())
        return reply(200, packed, media_type="application/gzip")

    def encoded(request: Request) -> Answer:
        packed = gzip.compress(_sitemap(_urls(request, paths_of("encoded"))).encode())
        return reply(200, packed, ("Content-Encoding", "gzip"), media_type="text/xml")

    def text(request: Request) -> Answer:
        lines = ["\ufeff# no comment, but some write one", *_urls(request, paths_of("text")), ""]
        return reply(200, "\r\n".join(lines), media_type="text/plain")

    def odd(request: Request) -> Answer:
        """No namespace, pictures, escapes, other hosts, what robots.txt forbids, what is no URL."""
        urls = [*_urls(request, paths_of("odd")), *_urls(request, ["/private/1"])]
        urls += ["http://elsewhere.test/", "mailto:x@elsewhere.test", "", "http://[", "/odd/99"]
        entries = "".join(
            f"<url><loc><![CDATA[{url}]]></loc><image:image><image:loc>/i.png</image:loc>"
            "</image:image></url>"
            for url in urls
        )
        return reply(200, f"<urlset>{entries}</urlset>", media_type="text/html")

    def broken(request: Request) -> Answer:
        whole = _sitemap(_urls(request, paths_of("broken")))
        return reply(200, whole[: whole.rindex("<loc>") + 9], media_type=XML)

    return {
        "/robots.txt": _robots,
        "/index.xml": index,
        "/deeper-index.xml": deeper,
        "/plain.xml": xml("plain"),
        "/deep.xml": xml("deep"),
        "/gzipped.xml.gz": gzipped,
        "/encoded.xml": encoded,
        "/sitemap.txt": text,
        "/odd.xml": odd,
        "/broken.xml": broken,
        "/empty.xml": reply(200, "", media_type=XML),
        "/page-as-sitemap.xml": page("No sitemap", "<p>This is a page, whatever its name.</p>"),
    }


FEEDS = ("rss", "rdf", "atom", "linked")


def _rss(urls: Sequence[str]) -> str:
    items = "".join(
        f"<item><title>News</title><link>{url}</link><description><![CDATA[<p>Some news &amp; <a "
        f'href="/not-from-here">more</a></p>]]></description><guid>{url}</guid></item>'
        for url in urls
    )
    channel = f"<channel><title>News</title>{items}</channel>"
    return f'<?xml version="1.0"?><rss version="2.0">{channel}</rss>'


def _rdf(urls: Sequence[str]) -> str:
    items = "".join(f'<item rdf:about="{url}"><link>{url}</link></item>' for url in urls)
    return (
        '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        f'xmlns="http://purl.org/rss/1.0/"><channel><title>News</title></channel>{items}</rdf:RDF>'
    )


def _atom(urls: Sequence[str]) -> str:
    entries = "".join(
        f'<entry><title>News</title><link rel="alternate" type="text/html" href="{url}"/>'
        f"<id>{url}</id><updated>2024-05-01T12:00:00Z</updated></entry>"
        for url in urls
    )
    return f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'


def _feed_pages() -> dict[str, Answer | Handler]:
    head = (
        '<link rel="alternate" type="application/rss+xml" href="/rss.xml">'
        '<link rel="alternate" type="application/rdf+xml" href="/rdf.xml">'
        '<link rel="alternate" type="application/atom+xml" href="/atom.xml">'
        '<link rel="stylesheet" type="text/css" href="/style.css">'
    )

    def feed(listing: str, write: Callable[[Sequence[str]], str], media_type: str) -> Handler:
        return lambda request: reply(
            200, write(_urls(request, paths_of(listing))), media_type=media_type
        )

    return {
        "/": page("Feeds", '<p>News: <a href="/linked.xml">subscribe</a></p>', head),
        "/rss.xml": feed("rss", _rss, "application/rss+xml"),
        "/rdf.xml": feed("rdf", _rdf, "application/rdf+xml"),
        "/atom.xml": feed("atom", _atom, "application/atom+xml"),
        "/linked.xml": feed("linked", _rss, "text/xml"),
    }


@cache
def _large(port: int, name: str) -> bytes:
    urls = (f"http://{name}:{port}/article/{number}" for number in range(LARGE))
    return gzip.compress(_sitemap(urls).encode())


def _large_pages() -> dict[str, Answer | Handler]:
    def robots(request: Request) -> Answer:
        lines = f"Sitemap: {request.url(request.host, '/sitemap.xml.gz')}\n"
        return reply(200, lines, media_type="text/plain")

    def sitemap(request: Request) -> Answer:
        return reply(200, _large(request.port, request.host), media_type="application/x-gzip")

    return {"/robots.txt": robots, "/sitemap.xml.gz": sitemap, "/": page("Large")}


def _large_article(request: Request) -> Answer:
    number = request.path.rpartition("/")[2]
    if not request.path.startswith("/article/") or not number.isdecimal():
        return reply(404, document("Not found", "<p>Nothing stands here.</p>"))
    return page(f"Article {number}", f"<p>{paragraph(int(number), 80)}</p>")


def hosts() -> tuple[Host, ...]:
    sitemaps = _sitemap_pages()
    return (
        Host(
            "sitemaps.test",
            "pages that sitemaps of every kind name, and no link",
            sitemaps | {"/": page("Sitemaps", "<p>No link leads anywhere.</p>")},
            _listed,
        ),
        Host("large-sitemap.test", f"a sitemap of {LARGE:,} pages", _large_pages(), _large_article),
        Host("feeds.test", "pages that feeds name, and no link", _feed_pages(), _listed),
    )
