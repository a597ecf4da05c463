"""Sitemaps and feeds, read by the processor that a crawl gives them to."""

import time
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.discovery import ListingKind
from gossamer.extract import listing
from gossamer.extract.draft import PageDraft
from gossamer.extract.listing import ListingProcessor
from gossamer.records import Directives, RawPage
from gossamer.urls import Resolver

URL = "http://a.example/maps/one.xml"
_DAY = "2024-05-01"
_WITH_TIME = "2024-05-01T10:00:00+02:00"


def read(body: str | bytes, kind: ListingKind, url: str = URL, **more: str) -> PageDraft:
    content = body.encode() if isinstance(body, str) else body
    page = RawPage(url, kind.value, more.get("charset", ""), content)
    return ListingProcessor("Gossamer", Resolver()).read(page)


def urls(draft: PageDraft) -> list[str]:
    return [link.url.href for link in draft.links]


def sitemap(body: str | bytes, **more: str) -> list[str]:
    return urls(read(body, ListingKind.SITEMAP, **more))


def feed(body: str | bytes, url: str = URL) -> list[tuple[str, str]]:
    return [(link.url.href, link.anchor) for link in read(body, ListingKind.FEED, url).links]


# -- Sitemaps


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<urlset><url><loc>http://a.example/x</loc></url></urlset>", ["/x"]),
        ("<urlset><url><loc>\n http://a.example/x \n</loc></url></urlset>", ["/x"]),
        ("<urlset><url><loc><![CDATA[http://a.example/x?a&b]]></loc></url>", ["/x?a&b"]),
        ("<urlset><loc>http://a.example/x?a&amp;b&#61;1</loc>", ["/x?a&b=1"]),
        ("<urlset><loc>http://a.example/x?a=1&copy=2</loc>", ["/x?a=1&copy=2"]),
        ("<s:urlset xmlns:s='x'><s:url><s:loc>http://a.example/x</s:loc>", ["/x"]),
        ("<urlset xmlns='wrong'><LOC lang='en'>http://a.example/x</LOC>", ["/x"]),
        ("<urlset><loc>/x</loc><loc>HTTP://a.example/y</loc><loc>z</loc>", ["/x", "/y"]),
        ("<urlset><loc>http://a.example/x</loc><loc>http://a.example/x#f</loc>", ["/x"]),
        ("<urlset><!-- <loc>http://a.example/no</loc> --><loc>/x</loc>", ["/x"]),
        ("<urlset><loc>/x</loc><!-- <loc>/never-closed</loc>", ["/x"]),
        ("<urlset><url><loc>/x</loc><url><loc>/y</url><url><loc>/z/and", ["/x", "/y"]),
        ("<urlset><loc>/x</loc><loc><![CDATA[/y/and", ["/x"]),
        ("<urlset><url>& < </url><loc>/x</loc>", ["/x"]),
        ("<urlset><locale>/no</locale><location>/no</location>", []),
        ("<urlset><loc/><loc></loc><loc> </loc>", []),
        ("", []),
    ],
)
def test_what_a_sitemap_names(body: str, expected: list[str]) -> None:
    assert sitemap(body) == [f"http://a.example{path}" for path in expected]


def test_pictures_and_films_are_no_pages() -> None:
    body = (
        "<urlset xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'><url><loc>/x</loc>"
        "<image:image><image:loc>/a.png</image:loc></image:image><i:image><i:loc>/b.png</i:loc>"
        "<video:video><video:player_loc>/c</video:player_loc></video:video></url></urlset>"
    )
    assert sitemap(body) == ["http://a.example/x"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_charsets_of_sitemaps(encoding: str) -> None:
    body = "<?xml version='1.0'?><urlset><loc>http://a.example/ä</loc></urlset>"
    assert sitemap(body.encode(encoding)) == ["http://a.example/%C3%A4"]


def test_a_declared_charset() -> None:
    body = "<?xml version='1.0' encoding='windows-1251'?><urlset><loc>/ж</loc></urlset>"
    assert sitemap(body.encode("cp1251")) == ["http://a.example/%D0%B6"]


def test_entities_are_not_expanded() -> None:
    laughs = "".join(f"<!ENTITY l{at} '{f'&l{at - 1};' * 10}'>" for at in range(1, 30))
    body = f"<!DOCTYPE x [<!ENTITY l0 'ha'>{laughs}]><urlset><loc>/x?&l29;</loc></urlset>"
    assert sitemap(body) == ["http://a.example/x?&l29;"]


def test_what_leads_nowhere_is_counted() -> None:
    body = "<urlset><loc>mailto:x</loc><loc>http://[</loc><loc></loc><loc>/x</loc>"
    draft = read(body, ListingKind.SITEMAP)
    assert (len(draft.links), draft.other_links) == (1, 3)


def test_an_index_names_listings() -> None:
    draft = read(
        "<sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>",
        ListingKind.SITEMAP_INDEX,
    )
    assert [link.is_listing for link in draft.links] == [True]
    other = read("<urlset><loc>/a.xml</loc></urlset>", ListingKind.SITEMAP)
    assert [link.is_listing for link in other.links] == [False]


def test_a_list_of_lines() -> None:
    body = "\ufeff# ours\nhttp://a.example/x\r\n\r\n  http://a.example/y  \nmailto:z\nhttp://a.example/x"
    draft = read(body, ListingKind.SITEMAP_TEXT)
    assert urls(draft) == ["http://a.example/x", "http://a.example/y"]
    assert draft.other_links == 2


def test_directives_of_a_listing_are_reported() -> None:
    page = RawPage(URL, ListingKind.SITEMAP.value, "", b"<urlset>", ("noindex, nofollow",))
    draft = ListingProcessor("Gossamer", Resolver()).read(page)
    assert draft.directives == Directives.NOINDEX | Directives.NOFOLLOW


@pytest.mark.parametrize(
    ("entry", "modified"),
    [
        ("<loc>/x</loc><lastmod>2024-05-01</lastmod>", "2024-05-01"),
        ("<loc>/x</loc>\n  <lastmod> 2024-05-01T10:00:00+02:00 </lastmod>", _WITH_TIME),
        ("<loc><![CDATA[/x]]></loc><lastmod>2024</lastmod>", "2024"),
        ("<s:loc>/x</s:loc><s:lastmod>2024-05</s:lastmod>", "2024-05"),
        ("<loc>/x</loc><xhtml:link rel='alternate' href='/y'/><lastmod>2024-05-01</lastmod>", _DAY),
        ("<loc>/x</loc><changefreq>daily</changefreq>", ""),
        ("<loc>/x</loc><lastmod>yesterday</lastmod>", ""),
        ("<loc>/x</loc><lastmod>2024-05-01", _DAY),
        ("<loc>/x</loc></url><url><lastmod>2024-05-01</lastmod>", ""),
    ],
)
def test_the_date_of_the_last_change(entry: str, modified: str) -> None:
    body = f"<urlset><url>{entry}</url><url><loc>/z</loc></url></urlset>"
    links = read(body, ListingKind.SITEMAP).links
    assert [link.url.href[-2:] for link in links] == ["/x", "/z"]
    assert [link.modified for link in links] == [modified, ""]


def test_a_listing_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MOST_ADDRESSES", 10)
    draft = read("".join(f"<loc>/{at}</loc>" for at in range(11)), ListingKind.SITEMAP)
    assert (len(draft.links), draft.is_partial) == (10, True)
    assert "10 addresses" in draft.note
    exact = read("".join(f"<loc>/{at}</loc>" for at in range(10)), ListingKind.SITEMAP)
    assert (len(exact.links), exact.is_partial, exact.note) == (10, False, "")


def _large(count: int) -> bytes:
    entries = "".join(
        f"<url><loc>https://www.example.org/page-{at}.html</loc><lastmod>2024-01-01</lastmod></url>"
        for at in range(count)
    )
    return f"<urlset>{entries}</urlset>".encode()


def test_fifty_thousand_entries() -> None:
    body = _large(50_000)
    started = time.process_time()
    assert len(read(body, ListingKind.SITEMAP).links) == 50_000
    assert time.process_time() - started < 5


# -- Feeds


def test_rss_2() -> None:
    body = """<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
    <channel><title>Channel</title><link>http://a.example/</link>
    <atom:link href="http://a.example/feed" rel="self"/>
    <item><title>One &amp; only</title><link>http://a.example/1</link>
      <guid isPermaLink="false">tag:1</guid><description>&lt;a href="/no"&gt;</description></item>
    <item><title><![CDATA[Two <b>bold</b>]]></title><link><![CDATA[http://a.example/2?a&b]]></link>
      <atom:link rel="replies" href="/comments"/><media:title>Picture</media:title></item>
    <item><guid>http://a.example/3</guid></item>
    <item><guid isPermaLink="false">http://a.example/no</guid><title>Without</title></item>
    <item><title>Empty</title><link></link></item>
    </channel></rss>"""
    assert feed(body) == [
        ("http://a.example/1", "One & only"),
        ("http://a.example/2?a&b", "Two <b>bold</b>"),
        ("http://a.example/3", ""),
    ]


def test_rss_1_and_rdf() -> None:
    body = """<rdf:RDF xmlns:rdf="x" xmlns="http://purl.org/rss/1.0/">
    <channel rdf:about="http://a.example/"><link>http://a.example/</link>
    <items><rdf:Seq><rdf:li resource="http://a.example/1"/></rdf:Seq></items></channel>
    <item rdf:about="http://a.example/1"><title>One</title><link>http://a.example/one</link></item>
    <item rdf:about="http://a.example/2"><title>Two</title></item></rdf:RDF>"""
    assert feed(body) == [("http://a.example/one", "One"), ("http://a.example/2", "Two")]


def test_atom() -> None:
    body = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b.example/blog/">
    <title>Feed</title><link href="http://b.example/"/><link rel="self" href="/feed"/>
    <entry><title>One</title><link rel="edit" href="/edit/1"/>
      <link rel="alternate" type="text/html" href="1?a&amp;b"/><link href="/second"/></entry>
    <entry xml:base="archive/"><link href="2"/><title type="html">Two</title></entry>
    <entry><link href="3"/>
      <source><title>Elsewhere</title><link href="http://c.example/"/></source><title>3</title>
    </entry>
    <entry><title>Without</title><id>tag:x</id></entry></feed>"""
    assert feed(body) == [
        ("http://b.example/blog/1?a&b", "One"),
        ("http://b.example/blog/archive/2", "Two"),
        ("http://b.example/blog/3", "3"),
    ]


def test_the_original_of_an_address_that_counts_clicks() -> None:
    body = """<rss><item><link>http://count.example/~r/1</link>
    <feedburner:origLink>http://a.example/1</feedburner:origLink></item></rss>"""
    assert feed(body) == [("http://a.example/1", "")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<rss><item><link>/1</link><item><link>/2</link>", ["/1", "/2"]),  # ends are missing
        ("<rss><item><link>/1", []),  # so is the end of the address
        ("<rss><item><link>/1</link></item><item><lin", ["/1"]),
        ("<rss><item><title>a < b & c</title><link>/1</link></item>", ["/1"]),
        ("<a:feed><a:entry><a:link href='/1'/></a:entry></a:feed>", ["/1"]),
        ("<rss><item/><item><link/></item><item><link>/1</link></item>", ["/1"]),
        ("<rss><link>/no</link></item></source></rss>", []),
        ("<feed><entry><source><link href='/no'/></entry><entry><link href='/1'/>", ["/1"]),
    ],
)
def test_broken_feeds(body: str, expected: list[str]) -> None:
    assert [url for url, _ in feed(body)] == [f"http://a.example{path}" for path in expected]


def test_bases_without_end() -> None:
    entries = "".join(f"<entry xml:base='/b{at}/'><link href='x'/>" for at in range(5_000))
    found = feed(f"<feed>{entries}</feed>")
    assert found[:2] == [("http://a.example/b0/x", ""), ("http://a.example/b1/x", "")]


# -- Anything


def _pieces(names: Iterable[str]) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(list(names)), max_size=25).map("".join)


MARKUP = _pieces(
    [
        *("<item>", "</item>", "<entry", "</entry>", "<link>", "</link>", "<link href='/x'/>", ">"),
        *("<guid>", "</guid>", "<source>", "</source>", "<title>", "</title>", "http://a.example/"),
        *(
            " xml:base='/y/'",
            "<loc>",
            "</loc>",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
            "&amp;",
            "&#x0;",
        ),
        *("text", "<", ">", "'", '"', "\0", "\ud800", "ä", " "),
    ]
)


@settings(deadline=None)
@given(MARKUP | st.text(max_size=60), st.sampled_from(ListingKind))
def test_nothing_raises(text: str, kind: ListingKind) -> None:
    draft = read(text.encode("utf-8", "surrogatepass"), kind)
    for link in draft.links:
        assert link.url.href.startswith(("http://", "https://"))


@settings(deadline=None)
@given(st.binary(max_size=80), st.sampled_from(ListingKind))
def test_no_bytes_raise(body: bytes, kind: ListingKind) -> None:
    read(body, kind)


@pytest.mark.parametrize("kind", list(ListingKind))
@pytest.mark.parametrize(
    "piece",
    ["<loc>", "<loc><![CDATA[", "<item>", "<entry xml:base='x/'>", "<link", "<a:", "<!--", "&amp;"],
)
def test_time_grows_with_the_size_alone(piece: str, kind: ListingKind) -> None:
    started = time.process_time()
    read(piece * 60_000, kind)
    assert time.process_time() - started < 4
