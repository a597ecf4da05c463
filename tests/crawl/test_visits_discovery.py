"""Listings, pages that are not wanted, and addresses that are the same."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gossamer.config import CrawlSettings
from gossamer.crawl.filters import Filters, PluginFilter
from gossamer.crawl.known_links import KnownLinks
from gossamer.crawl.link_score import BEST
from gossamer.crawl.visits import Reading, Visited, VisitReader
from gossamer.discovery import LISTING_BYTES, ListingKind
from gossamer.plugins import EnrichedContent, Plugins
from gossamer.records import (
    Directives,
    Exchange,
    Exclusion,
    FoundLink,
    Item,
    Outcome,
    PageContent,
    Unread,
)
from gossamer.urls import KeyRules, Resolver, from_href, parse

SEED = "http://a.example/"
MAP = "http://a.example/sitemap.xml"
RULES = KeyRules.of(CrawlSettings())
SITEMAP = b"<urlset><url><loc>http://a.example/x</loc></url></urlset>"


def item(url: str = MAP, depth: int = 0, **more: Any) -> Item:
    parsed = from_href(url, RULES)
    return Item(parsed.href, parsed.site_hash, parsed.key, depth, **more)


def listing(url: str = MAP, **more: Any) -> Item:
    return item(url, is_listing=True, score=BEST, **more)


def exchange(
    body: bytes = b"", media_type: str = "text/html", status: int = 200, **more: Any
) -> Exchange:
    headers = tuple((name.replace("_", "-").title(), text) for name, text in more.items())
    return Exchange(
        *(MAP, 1e9, 0.25, Outcome.OK, "", status, ""),
        (("Content-Type", media_type), *headers),
        body,
    )


def found(url: str) -> FoundLink:
    return FoundLink(parse(url, RULES), "there", False)


class Reader:
    def __init__(self, plugins: Plugins | None = None, **settings: Any) -> None:
        crawl = CrawlSettings(**{"seeds": (SEED,), **settings})
        own = [PluginFilter(plugins)] if plugins and plugins.has_url_filters else []
        self.known = KnownLinks()
        self.reader = VisitReader(
            *(crawl, Filters(crawl, own), Resolver(rules=RULES), self.known), plugins=plugins
        )

    def read(self, what: Item, answer: Exchange) -> Reading:
        return self.reader.read(what, answer)

    def finish(self, reading: Reading, content: PageContent | Unread | None) -> Visited:
        visited = self.reader.finish(reading, content, set())
        visit = visited.visit
        assert visit.links_found == (
            len(visit.links) + visit.links_known + visit.links_nofollow + visit.links_other
        )
        return visited

    def page(self, content: PageContent, media_type: str = "text/html") -> Visited:
        answer = exchange(b"x", media_type)
        return self.finish(self.read(item("http://a.example/page"), answer), content)


# -- What is a listing


@pytest.mark.parametrize(
    ("what", "media_type", "kind"),
    [
        (listing(), "application/xml", ListingKind.SITEMAP),
        (listing(), "text/html", ListingKind.SITEMAP),  # it was named as one
        (listing(), "", ListingKind.SITEMAP),
        (item(), "text/xml; charset=utf-8", ListingKind.SITEMAP),  # a link led there
        (item(), "application/rss+xml", ListingKind.SITEMAP),
        (item(), "text/html", None),
        (item(), "text/plain", None),
    ],
)
def test_what_is_a_listing(what: Item, media_type: str, kind: ListingKind | None) -> None:
    reading = Reader().read(what, exchange(SITEMAP, media_type))
    assert reading.listing is kind
    assert reading.page is not None
    assert reading.page.media_type == (kind.value if kind else media_type.partition(";")[0])


@pytest.mark.parametrize(
    ("settings", "body", "kind"),
    [
        ({}, b"<rss><channel>", ListingKind.FEED),
        ({"feeds": False}, b"<rss><channel>", None),
        ({"sitemaps": False}, b"<rss><channel>", ListingKind.FEED),
        ({"feeds": False}, SITEMAP, ListingKind.SITEMAP),
        ({"sitemaps": False}, SITEMAP, None),
        ({}, b"<other/>", None),
        ({}, b"<html><body>", None),
    ],
)
def test_listings_that_are_not_wanted(
    settings: dict[str, Any], body: bytes, kind: ListingKind | None
) -> None:
    assert Reader(**settings).read(item(), exchange(body, "text/xml")).listing is kind


def test_a_listing_that_is_a_page_becomes_one() -> None:
    reader = Reader()
    reading = reader.read(listing(), exchange(b"<!doctype html><title>Sorry", "text/html"))
    assert reading.listing is None
    visited = reader.finish(reading, PageContent(title="Hello", text="Hello", classes="t"))
    assert visited.visit.outcome is Outcome.OK
    assert visited.visit.is_document


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("http://a.example/map", Outcome.OK),
        ("http://keeper.example/map", Outcome.UNSUPPORTED),
    ],
)
def test_a_page_where_a_listing_should_be(url: str, outcome: Outcome) -> None:
    """It belongs to the crawl as any page does, and so does what it links to."""
    reader = Reader()
    what = listing(url, parent="http://a.example/robots.txt")
    reading = reader.read(what, exchange(b"<html>", "text/html"))
    links = (found("http://a.example/x"), found("http://keeper.example/x"))
    visited = reader.finish(reading, PageContent(title="Hello", links=links))
    assert (visited.visit.outcome, visited.row.title) == (
        (outcome, "Hello") if outcome is Outcome.OK else (outcome, "")
    )
    excluded = {link.item.url: link.excluded for link in visited.visit.links}
    expected = {"http://a.example/x": None, "http://keeper.example/x": Exclusion.SCOPE}
    assert excluded == (expected if outcome is Outcome.OK else {})


def test_a_listing_is_no_page() -> None:
    reader = Reader()
    reading = reader.read(listing(parent=SEED), exchange(SITEMAP, "application/xml"))
    visited = reader.finish(reading, PageContent(links=(found("http://a.example/x"),)))
    visit, row = visited.visit, visited.row
    assert (visit.outcome, visit.is_document, visit.links_found) == (Outcome.LISTING, False, 1)
    assert not visit.outcome.answered
    assert (row.outcome, row.link_count, row.media_type) == (Outcome.LISTING, 1, "application/xml")
    assert visited.links == ()
    assert visited.exchange is not None
    (link,) = visit.links
    assert (link.is_listed, link.item.depth, link.item.parent) == (True, 1, MAP)


def test_a_listing_that_cannot_be_read_is_none() -> None:
    reader = Reader()
    reading = reader.read(listing(), exchange(SITEMAP, "application/xml"))
    visited = reader.finish(reading, Unread(Outcome.POISON, "why"))
    assert (visited.visit.outcome, visited.row.detail) == (Outcome.POISON, "why")


def test_a_listing_may_forbid_to_follow_it() -> None:
    reader = Reader()
    content = PageContent(
        links=(found("http://a.example/x"),), directives=Directives.NOFOLLOW.value
    )
    reading = reader.read(listing(), exchange(SITEMAP, "text/xml"))
    visited = reader.finish(reading, content)
    assert (visited.visit.links, visited.visit.links_nofollow) == ((), 1)
    assert (visited.visit.outcome, visited.links) == (Outcome.LISTING, ())


# -- Bodies of listings


def test_listings_are_not_cut() -> None:
    body = SITEMAP + b" " * 100
    for what in (listing(), item()):
        reading = Reader(take_bytes=10).read(what, exchange(body, "text/xml"))
        assert reading.page is not None
        assert (reading.page.body, reading.truncated) == (body, False)


def test_packed_files() -> None:
    packed = gzip.compress(SITEMAP)
    for answer in (
        exchange(packed, "application/gzip"),
        exchange(packed, "application/octet-stream"),
        exchange(packed, "text/xml", content_encoding="gzip"),
        exchange(gzip.compress(packed), "text/xml", content_encoding="gzip"),
    ):
        reading = Reader().read(listing(), answer)
        assert reading.page is not None
        assert (reading.page.body, reading.body_bytes) == (SITEMAP, len(SITEMAP))
        assert reading.listing is ListingKind.SITEMAP


def test_a_packed_file_that_is_cut_off() -> None:
    packed = gzip.compress(SITEMAP * 1_000)
    reading = Reader().read(listing(), exchange(packed[: len(packed) // 2], "application/gzip"))
    assert (reading.listing, reading.truncated) == (ListingKind.SITEMAP, True)


def test_a_bomb() -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * (LISTING_BYTES + 1))
    reading = Reader().read(listing(), exchange(bomb, "application/gzip"))
    assert (reading.outcome, reading.page) == (Outcome.TOO_LARGE, None)


def test_a_sitemap_as_large_as_may_be() -> None:
    body = SITEMAP + b" " * (LISTING_BYTES - len(SITEMAP))
    reading = Reader().read(listing(), exchange(gzip.compress(body), "application/gzip"))
    assert reading.listing is ListingKind.SITEMAP


def test_of_a_listing_that_is_too_large_the_beginning_is_read() -> None:
    answer = structs.replace(exchange(SITEMAP, "text/xml"), outcome=Outcome.TOO_LARGE)
    reading = Reader().read(listing(), answer)
    assert (reading.listing, reading.truncated) == (ListingKind.SITEMAP, True)
    assert Reader().read(item(), answer).outcome is Outcome.TOO_LARGE
    assert Reader().read(listing(), structs.replace(answer, body=b"")).page is None


# -- Redirects


def test_a_redirected_listing_stays_one() -> None:
    reader = Reader(scope="prefix")
    answer = exchange(status=301, location="http://cdn.example/map.xml")
    (link,) = reader.read(listing(parent="http://a.example/robots.txt"), answer).links
    assert (link.excluded, link.item.is_listing, link.item.score) == (None, True, BEST)
    assert link.item.parent == "http://a.example/robots.txt"
    (page,) = reader.read(item(depth=1), answer).links
    assert (page.excluded, page.item.is_listing) == (Exclusion.SCOPE, False)


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("http://a.example/x/index.html", "/x/"),
        ("http://a.example/x", "/x?utm_source=y"),
        ("http://a.example/x?utm_source=y", "/x"),
        ("http://a.example/x", "/x;jsessionid=0123456789abcdef"),
    ],
)
def test_a_redirect_to_another_spelling_goes_on_in_place(url: str, location: str) -> None:
    reading = Reader().read(item(url), exchange(status=302, location=location))
    assert (reading.outcome, reading.is_respelled, reading.links) == (Outcome.REDIRECT, True, [])


def test_spellings_in_a_circle() -> None:
    folder, file = "http://a.example/x/", "http://a.example/x/index.html"
    reader = Reader()
    back = exchange(status=302, location=file)
    for via in ((file,), ("http://b.example/", file)):
        reading = reader.read(item(folder, via=via), back)
        assert (reading.outcome, reading.is_respelled) == (Outcome.REDIRECT_LOOP, False)
    reading = Reader(max_redirects=1).read(item(folder, via=("http://b.example/",)), back)
    assert (reading.outcome, reading.is_respelled) == (Outcome.REDIRECT_LIMIT, False)


def test_a_redirect_to_another_page_has_a_place_of_its_own() -> None:
    reading = Reader().read(item("http://a.example/x"), exchange(status=302, location="/y"))
    assert not reading.is_respelled
    assert [link.item.url for link in reading.links] == ["http://a.example/y"]


# -- Pages that are not wanted

MISSING = PageContent(
    title="Page not found",
    text="Page not found\nPage not found\nSorry.",
    classes="t1p",
    links=(found("http://a.example/x"),),
    other_links=2,
)


def test_a_page_that_says_that_it_does_not_exist() -> None:
    visited = Reader().page(MISSING)
    visit = visited.visit
    assert (visit.outcome, visit.is_document, visit.links) == (Outcome.SOFT_404, False, ())
    assert (visit.links_found, visited.links, visited.row.link_count) == (0, (), 0)
    assert visited.row.text == MISSING.text
    assert visited.exchange is not None


def test_only_html_can_say_so() -> None:
    assert Reader().page(MISSING, "application/pdf").visit.outcome is Outcome.OK


GERMAN = PageContent(
    title="Hallo",
    description="Ein Gruß",
    text="Hallo\nWelt",
    classes="tp",
    language="de",
    content_hash=17,
    similarity_hash=18,
    links=(found("http://a.example/x"),),
)


def test_a_page_in_another_language() -> None:
    visited = Reader(languages=("en", "fr")).page(GERMAN)
    visit, row = visited.visit, visited.row
    assert (visit.outcome, visit.is_document, visit.content_hash) == (Outcome.LANGUAGE, False, 0)
    assert [link.item.url for link in visit.links] == ["http://a.example/x"]  # still followed
    assert len(visited.links) == 1
    assert (row.text, row.classes, row.description, row.content_hash) == ("", "", "", 0)
    assert (row.title, row.language, row.similarity_hash) == ("Hallo", "de", 0)
    assert "'de'" in row.detail
    assert visited.exchange is None  # nor are its bytes kept


@pytest.mark.parametrize("languages", [(), ("de",), ("DE-at", "en")])
def test_a_page_in_a_language_that_is_wanted(languages: tuple[str, ...]) -> None:
    visited = Reader(languages=languages).page(GERMAN)
    assert (visited.visit.outcome, visited.row.text) == (Outcome.OK, GERMAN.text)


def test_a_page_whose_language_nobody_can_tell_is_kept() -> None:
    unknown = structs.replace(GERMAN, language="")
    assert Reader(languages=("en",)).page(unknown).visit.outcome is Outcome.OK


# -- Plugins


def test_what_plugins_had_to_say() -> None:
    content = EnrichedContent(
        links=(found("http://a.example/x"),),
        fields='{"price": 3}',
        link_score=700,
        plugin_notes=("plugin a.py, line 1: ValueError", "plugin a.py, line 1: ValueError"),
    )
    visited = Reader().page(content)
    assert [link.item.score for link in visited.visit.links] == [700]
    assert visited.row.detail == "plugin a.py, line 1: ValueError"
    assert visited.visit.outcome is Outcome.OK


def test_a_filter_that_fails_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def keep_url(url, page):\n    return 1 / url.count('q')")
    reader = Reader(Plugins([str(path)]))
    content = PageContent(links=(found("http://a.example/q"), found("http://a.example/y")))
    visited = reader.page(content)
    assert {link.excluded for link in visited.visit.links} == {None}
    assert visited.row.detail == "plugin mine.py, line 2: ZeroDivisionError: division by zero"
    assert reader.page(PageContent()).row.detail == ""


# -- Sitemaps of robots files


def test_sitemaps_of_robots_files() -> None:
    reader = Reader()
    addresses = ("/map.xml", "http://cdn.example/map.xml", "mailto:x", "", "http://[")
    links = reader.reader.sitemap_links(addresses, "http://a.example", 2)
    assert [(link.item.url, link.item.depth) for link in links] == [
        ("http://a.example/map.xml", 2),
        ("http://cdn.example/map.xml", 2),
    ]
