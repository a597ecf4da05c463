"""Which site answers a request, and for whom are its links written?

A crawl asks for the hosts by their names. A person's browser knows no `lantern.example`, but leads
`lantern.localhost` to this machine by itself: there the same pages are given with their links
rewritten, and a start page lists all sites.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from gossamer.demo.answers import OPENING_DAY, TEXT, Answer, page
from gossamer.demo.html import document, link, text
from gossamer.demo.library import (
    HOSTS,
    article_url,
    library,
    product_picture_url,
    product_url,
    story_url,
    thread_url,
    university_url,
)
from gossamer.demo.site import Site
from gossamer.demo.sites.campus_table import CampusTable
from gossamer.demo.sites.courier import Courier
from gossamer.demo.sites.lantern import Lantern
from gossamer.demo.sites.long_bench import LongBench
from gossamer.demo.sites.wren_and_oak import WrenAndOak

_LOCAL = ".localhost"
_KEPT_ANSWERS = 4_096
_MOST_PARAMETERS = 20
_SAMPLE_HOST = re.compile(
    rb"http://(" + b"|".join(host.partition(".")[0].encode() for host in HOSTS) + rb")\.example"
)
_WRITTEN = ("text/", "application/xml", "application/rss", "application/atom", "image/svg")


def hosts() -> tuple[str, ...]:
    return tuple(HOSTS)


def main_content(url: str) -> str | None:
    """Title and content of a page as a reader sees them, a line for each paragraph; None where it
    is not known: lists, files, and addresses without a page."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    return _answer(host, parts.path or "/", parts.query).main if host in HOSTS else None


class TitledPage(NamedTuple):
    """A page about one thing, which has a title of its own."""

    kind: str  # of its site
    title: str  # without the name of the site
    url: str


def titled_pages() -> Iterator[TitledPage]:
    """All pages about single things, kind by kind: no lists, no files."""
    known = library()
    for article in known.articles.values():
        yield TitledPage("encyclopedia", article.title, article_url(article))
    for story in known.stories.values():
        yield TitledPage("newspaper", story.title, story_url(story))
    for product in known.products.values():
        yield TitledPage("shop", product.name, product_url(product))
    for university in known.universities.values():
        yield TitledPage("universities", university.name, university_url(university))
    for thread in known.threads.values():
        yield TitledPage("forum", thread.title, thread_url(thread))


def product_fields() -> dict[str, str]:
    """The types of those fields, as the settings of an index name them."""
    return {
        "url": "link",
        "name": "text",
        "summary": "text",
        "description": "text",
        "features": "text",
        "brand": "keyword",
        "category": "keyword",
        "colour": "keyword",
        "currency": "keyword",
        "price": "number",
        "rating": "number",
        "votes": "number",
        "stock": "number",
        "weight_grams": "number",
        "released": "date",
        "image": "image",
    }


def product_documents() -> Iterator[dict[str, Any]]:
    """The fields of the shop's products, each with its URL."""
    for product in library().products.values():
        yield {
            "url": product_url(product),
            "image": product_picture_url(product),
            "name": product.name,
            "brand": product.brand,
            "category": product.category,
            "price": product.price,
            "currency": "EUR",
            "rating": product.rating,
            "votes": product.votes,
            "stock": product.stock,
            "colour": product.colour,
            "weight_grams": product.weight_grams,
            "released": product.released.isoformat(),
            "summary": product.summary,
            "description": product.description,
            "features": list(product.features),
        }


def answer(host: str, target: str) -> Answer:
    """What a GET gives: `host` as in the Host header, `target` as in the request line."""
    name, _, port = host.lower().partition(":")
    path, _, query = target.partition("#")[0].partition("?")
    if name in HOSTS:
        return _answer(name, path, query)
    label = name.removesuffix(_LOCAL)
    if f"{label}.example" in HOSTS and label != name:
        return _rewritten(_answer(f"{label}.example", path, query), port)
    if name in ("127.0.0.1", "localhost"):
        return _start_page(port) if path == "/" else Answer(b"Nothing here.\n", TEXT, 404)
    return Answer(b"This host is not part of the sample web.\n", TEXT, 421)


def local_address(host: str, port: int | str) -> str:
    """Where a browser on this machine finds a site."""
    return f"http://{host.partition('.')[0]}{_LOCAL}{f':{port}' if port else ''}/"


@cache
def sites() -> dict[str, Site]:
    known = library()
    made = (Lantern, Courier, WrenAndOak, CampusTable, LongBench)
    return {site.host: site(known) for site in made}


@lru_cache(_KEPT_ANSWERS)
def _answer(host: str, path: str, query: str) -> Answer:
    try:
        fields = dict(parse_qsl(query, max_num_fields=_MOST_PARAMETERS))
    except ValueError:
        fields = {}
    return sites()[host].answer(unquote(path), fields)


def _rewritten(answer: Answer, port: str) -> Answer:
    """The same with its links to the sample hosts in the form that a browser finds."""
    local = f"{_LOCAL}:{port}" if port else _LOCAL
    location = _SAMPLE_HOST.sub(rb"http://\1" + local.encode(), answer.location.encode()).decode()
    if not answer.media_type.startswith(_WRITTEN):
        return answer._replace(location=location)
    body = _SAMPLE_HOST.sub(rb"http://\1" + local.encode(), answer.body)
    return answer._replace(location=location, body=body)


def _start_page(port: str) -> Answer:
    items = "\n".join(
        f"<li>{link(local_address(host, port), title)}<br><small>{text(host)}</small></li>"
        for host, title in HOSTS.items()
    )
    html = document(
        title="The sample web",
        description="Five sites that come with Gossamer, to crawl and to search.",
        canonical="",
        style="data:text/css,",
        head="<style>body{font:18px/1.5 system-ui,sans-serif;max-width:34em;margin:3em auto;"
        "padding:0 1em;color:#222}li{margin:.8em 0}small{color:#666}</style>",
        body=f"""<body>
<h1>The sample web</h1>
<p>Five small sites that link to each other, made to be crawled and searched:</p>
<ul>
{items}
</ul>
<p>A crawl visits them under their own names; here they have names that a browser finds.</p>
</body>""",
    )
    return page(html, OPENING_DAY)
