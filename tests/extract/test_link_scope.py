import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.extract.draft import finished
from gossamer.extract.html import HtmlProcessor
from gossamer.extract.link_scope import LinkScope
from gossamer.records import FoundLink, RawPage
from gossamer.urls import Resolver

HTML = """<!doctype html><html><head><link rel=alternate type=application/rss+xml href=/feed>
</head><body><nav><a href="/menu">menu</a> <a href="/both">both</a></nav>
<div id="main"><p><a href="/in">in</a> <a href="both">both</a> <a href="/ä?a&amp;b">odd</a></p>
<div class="inner"><a href="/deep">deep</a><map><area href="/area"></map></div>
<iframe src="/frame"></iframe></div><footer><a href="/foot">foot</a></footer></body></html>"""
INSIDE = {"/in", "/both", "/%C3%A4?a&b", "/deep", "/area", "/frame"}


def links(html: str, expression: str = "") -> list[FoundLink]:
    page = RawPage("http://a.example/", "text/html", "utf-8", html.encode())
    processor = HtmlProcessor("Gossamer", Resolver(), expression)
    return list(finished([processor.read(page)])[0].links)


def inside(html: str, expression: str) -> set[str]:
    return {
        link.url.href.removeprefix("http://a.example")
        for link in links(html, expression)
        if not (link.is_outside or link.is_listing)
    }


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("//div[@id='main']", INSIDE),
        ("id('main')", INSIDE),
        ("//div", INSIDE),  # some of which lie in others
        ("//div[@class='inner'] | //footer", {"/deep", "/area", "/foot"}),
        ("//a[text()='in']", {"/in"}),
        ("//footer//a/@href", {"/foot"}),
        ("//nothing", set()),
        ("/html", INSIDE | {"/menu", "/foot"}),
    ],
)
def test_links_of_some_parts(expression: str, expected: set[str]) -> None:
    assert inside(HTML, expression) == expected


def test_the_others_are_kept_apart() -> None:
    all_links = links(HTML)
    some = links(HTML, "//footer")
    assert [link.url for link in some] == [link.url for link in all_links]
    assert [(link.anchor, link.nofollow) for link in some] == [
        (link.anchor, link.nofollow) for link in all_links
    ]
    kinds = {link.url.href: (link.is_outside, link.is_listing) for link in some}
    assert kinds["http://a.example/foot"] == (False, False)
    assert kinds["http://a.example/menu"] == (True, False)
    assert kinds["http://a.example/feed"] == (False, True)  # of no part of a page


def test_a_base_counts_for_both_parsers() -> None:
    html = '<base href="http://b.example/c/"><main><a href="x">x</a></main><a href="y">y</a>'
    assert inside(html, "//main") == {"http://b.example/c/x"}


@pytest.mark.parametrize(
    "html", ["", " ", "\0", "text", "<?xml version='1.0' encoding='x'?><a href=y>"]
)
def test_hardly_a_page(html: str) -> None:
    inside(html, "//a")


def test_what_is_no_xpath() -> None:
    with pytest.raises(ValueError, match="no XPath"):
        LinkScope("//a[")


@settings(deadline=None)
@given(st.text(max_size=60) | st.text("<>/a hrefdiv='\"=&;", max_size=60))
def test_no_page_raises(html: str) -> None:
    inside(html, "//a | //div")


def test_parts_within_parts_take_no_time() -> None:
    html = "<div>" * 200 + "".join(f"<a href='/{at}'>x</a>" for at in range(3_000))
    started = time.process_time()
    assert len(inside(html, "//div")) == 3_000
    assert time.process_time() - started < 3
