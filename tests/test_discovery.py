import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.discovery import ListingKind, listing_kind

SITEMAP, INDEX = ListingKind.SITEMAP, ListingKind.SITEMAP_INDEX
TEXT, FEED = ListingKind.SITEMAP_TEXT, ListingKind.FEED


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<urlset>", SITEMAP),
        ('<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/x">', SITEMAP),
        ("<!-- made by x --><?xml-stylesheet href='s.xsl'?><sm:urlset>", SITEMAP),
        ("<SitemapIndex >", INDEX),
        ("<!DOCTYPE rss [<!ENTITY a 'b>'>]><rss version='0.91'>", FEED),
        ('<feed xmlns="http://www.w3.org/2005/Atom">', FEED),
        ("<rdf:RDF xmlns='http://purl.org/rss/1.0/'>", FEED),
        ("<rdf:RDF xmlns:foaf='http://xmlns.com/foaf/0.1/'>", None),
        ("<html><urlset>", None),
        ("<feedback>", None),
        ("<urlsets>", None),
        ("<root><urlset></root>", None),
        ("urlset", None),
        ("", None),
        ("<!--", None),
    ],
)
def test_what_the_first_bytes_say(text: str, kind: ListingKind | None) -> None:
    for expected in (False, True):
        assert listing_kind(text.encode(), expected=expected) is kind
        assert listing_kind(b"\xef\xbb\xbf  " + text.encode(), expected=expected) is kind
        assert listing_kind(text.encode("utf-16"), expected=expected) is kind


@pytest.mark.parametrize(
    ("text", "is_list"),
    [
        ("http://a.example/\nhttp://a.example/x\n", True),
        ("  https://a.example/x \r\n", True),
        ("\ufeff# ours\nhttp://a.example/x", True),
        ("See http://a.example/ for more.", False),
        ("<p>\nhttp://a.example/\n</p>", False),
        ("/x\n/y\n", False),
    ],
)
def test_a_bare_list_of_addresses_only_where_one_is_expected(text: str, is_list: bool) -> None:
    assert listing_kind(text.encode(), expected=True) is (TEXT if is_list else None)
    assert listing_kind(text.encode(), expected=False) is None


@given(st.binary(max_size=200), st.booleans())
def test_no_bytes_raise(body: bytes, expected: bool) -> None:
    listing_kind(body, expected=expected)


@pytest.mark.parametrize(
    "piece",
    [b"<!--", b"<!-- -->", b"<?x?>", b"<!a[", b"<!a[]>", b"<!a", b" \n", b"<a:", b"http://"],
)
def test_no_bytes_take_long(piece: bytes) -> None:
    started = time.process_time()
    for _ in range(20):
        listing_kind(piece * 100_000, expected=True)
    assert time.process_time() - started < 1
