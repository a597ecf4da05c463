import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.extract import pieces
from gossamer.extract.draft import finished
from gossamer.extract.html import HtmlProcessor
from gossamer.records import Directives, PageContent, RawPage
from gossamer.urls import Resolver

URL = "https://example.org/dir/page.html?q=1"


def processed(html: str | bytes, **fields: object) -> PageContent:
    body = html.encode() if isinstance(html, str) else html
    page = RawPage(
        url=str(fields.get("url", URL)),
        media_type=str(fields.get("media_type", "text/html")),
        charset=str(fields.get("charset", "utf-8")),
        body=body,
        robots_tags=tuple(fields.get("robots_tags", ())),  # type: ignore[arg-type]
    )
    return finished([HtmlProcessor("Gossamer", Resolver()).read(page)])[0]


def lines(html: str) -> list[tuple[str, str]]:
    content = processed(html)
    return list(zip(content.classes, content.text.split("\n"), strict=False))


def links(html: str, **fields: object) -> list[tuple[str, str, bool]]:
    return [(link.url.href, link.anchor, link.nofollow) for link in processed(html, **fields).links]


def seconds_for(html: str) -> float:
    started = time.process_time()
    content = processed(html)
    if content.text:
        assert len(content.text.split("\n")) == len(content.classes)
    return time.process_time() - started


# --- text and classes ---


def test_an_empty_page_has_neither_text_nor_classes() -> None:
    for html in ("", "<html></html>", "  \n ", "<p> </p>", "<!-- nothing -->"):
        content = processed(html)
        assert (content.text, content.classes, content.content_hash) == ("", "", 0)


def test_every_block_is_a_line_of_its_class() -> None:
    assert lines("""
        <title>The  title</title>
        <h1>One</h1><h2>Two</h2><h3>Three</h3><h4>Four</h4><h6>Six</h6>
        <p>A paragraph.</p>loose text
        <ul><li>item<li>another <b>item</b></ul>
        <dl><dt>term<dd>meaning</dl>
        <table><caption>Caption</caption><tr><th>Head<td>Cell</table>
        <blockquote>quoted</blockquote>
        <pre>code</pre>
        <nav>menu</nav><footer>foot</footer>
    """) == [
        ("t", "The title"),
        ("1", "One"),
        ("2", "Two"),
        ("3", "Three"),
        ("4", "Four"),
        ("4", "Six"),
        ("p", "A paragraph."),
        ("p", "loose text"),
        ("l", "item"),
        ("l", "another item"),
        ("l", "term"),
        ("l", "meaning"),
        ("c", "Caption"),
        ("c", "Head"),
        ("c", "Cell"),
        ("q", "quoted"),
        ("x", "code"),
        ("n", "menu"),
        ("n", "foot"),
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div>a<div>b</div>c</div>", [("p", "a"), ("p", "b"), ("p", "c")]),
        ("a<span>b</span><i>c</i> <a href=x>d</a>", [("p", "abc d")]),
        ("<p>one<br>two<hr>three", [("p", "one"), ("p", "two"), ("p", "three")]),
        ("<p>a\n   b\t\u00a0\u3000c</p>", [("p", "a b c")]),
        ("<li><p>a</p><div>b</div></li>", [("l", "a"), ("l", "b")]),
        ("<blockquote><p>a</p></blockquote>b", [("q", "a"), ("p", "b")]),
        (
            "<td>x<table><td><p>a</p><td>b</table>c",
            [("p", "x"), ("c", "a"), ("c", "b"), ("p", "c")],
        ),
        ("<ul><li>a<ul><li>b</ul>c</ul>d", [("l", "a"), ("l", "b"), ("l", "c"), ("p", "d")]),
        ("<ul><li>a<h2>b</h2>c</ul>", [("l", "a"), ("2", "b"), ("l", "c")]),
        ("<h1>a <div>b</div></h1>", [("1", "a"), ("1", "b")]),
        ("<pre>a  b\n\n  c\n</pre>d", [("x", "a b"), ("x", "c"), ("p", "d")]),
        ("<p>a <code>b</code> c", [("p", "a b c")]),
        ("<table><tr>a<td>b</table>", [("p", "a"), ("c", "b")]),
        ("<my-card>a</my-card><p>b", [("p", "a"), ("p", "b")]),
    ],
)
def test_lines(html: str, expected: list[tuple[str, str]]) -> None:
    assert lines(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<header><h1>a</h1></header>b", [("n", "a"), ("p", "b")]),
        ("<nav><ul><li>a</ul><table><td>b</table></nav>c", [("n", "a"), ("n", "b"), ("p", "c")]),
        ("<aside><p>a</p></aside>", [("n", "a")]),
        ("<article><header><h1>a</h1>b</header>c</article>", [("1", "a"), ("p", "b"), ("p", "c")]),
        ("<main><div><header>a</header></div></main>", [("p", "a")]),
        ("<article><nav>a</nav><footer>b</footer>c", [("n", "a"), ("n", "b"), ("p", "c")]),
        ("<nav><article><header>a</header></article></nav>", [("n", "a")]),
        ('<div role="navigation">a</div><div role="main">b</div>', [("n", "a"), ("p", "b")]),
    ],
)
def test_navigation(html: str, expected: list[tuple[str, str]]) -> None:
    assert lines(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<script>var a = '<p>no</p>'</script>",
        "<style>p { no: no }</style>",
        "<noscript>no <p>no</p></noscript>",
        "<template><p>no</p></template>",
        "<!-- no -->",
        "<input type=hidden value=no><input value=no>",
        "<textarea>no</textarea>",
        "<select><option>no<option>no</select>",
        "<svg><title>no</title><text>no</text></svg>",
        "<iframe>no</iframe>",
        "<video>no</video>",
        "<img alt=no title=no>",
    ],
)
def test_what_is_not_text(html: str) -> None:
    assert lines(f"<body><p>before {html} after</p>{html}") == [("p", "before after")]


def test_character_references() -> None:
    assert lines("<p>&lt;b&gt; &amp; &eacute; &#x1f; &#xd800;") == [("p", "<b> & é \ufffd")]


@pytest.mark.parametrize("zero", ["\0", "&#0;", "&#x0;", "&#0", "<![CDATA[\0]]>"])
@pytest.mark.parametrize("around", ["p", "pre", "textarea", "math", "svg", "title", "xmp"])
def test_no_page_can_hold_marks_of_our_own(zero: str, around: str) -> None:
    content = processed(f"<body>a<{around}>b{zero}1{zero}/{zero}c</{around}><h1>d</h1>{zero}e")
    assert "\0" not in content.text
    assert dict(zip(content.text.split("\n"), content.classes, strict=True))["d"] == "1"


def test_places_are_forgotten_where_they_become_too_many() -> None:
    rng = random.Random(1)
    tags = ["div", "ul", "li", "section", "main", "form", "blockquote", "td", "table", "p"]
    for _ in range(12):
        opened = "".join(f"<{rng.choice(tags)}>" for _ in range(4_000))
        processed(opened)
        assert pieces._places._known < 2 * pieces._MOST_PLACES
    assert lines("<ul><li>x") == [("l", "x")]


# --- metadata ---


def test_head() -> None:
    content = processed("""<html lang=de><head><noscript><img src=x></noscript>
        <title> A &amp;
        B </title><meta name="Description" content=" What  it is ">
        <meta property="og:description" content="other"><link rel="CANONICAL x" href="/canon#f">
    """)
    assert content.title == "A & B"
    assert content.description == "What it is"
    assert content.canonical == "https://example.org/canon"
    assert content.language == "de"
    assert content.charset == "utf-8"


def test_open_graph_stands_in() -> None:
    content = processed(
        '<meta property="og:title" content="T"><meta property="og:description" content="D">'
    )
    assert (content.title, content.description) == ("T", "D")


def test_a_title_in_a_picture_is_not_the_page_s() -> None:
    assert processed("<p><svg><title>icon</title></svg>").title == ""
    assert processed("<svg><title>icon</title></svg><title>real</title>").title == "real"


def test_long_heads_are_cut() -> None:
    content = processed(f"<title>{'t' * 9000}</title><meta name=description content={'d' * 9000}>")
    assert len(content.title) == 500
    assert len(content.description) == 1000


def test_an_unusable_canonical_address_is_none() -> None:
    assert processed("<link rel=canonical href='mailto:a@b'>").canonical == ""
    assert processed("<link rel=canonical>").canonical == ""


@pytest.mark.parametrize(
    ("html", "tags", "expected"),
    [
        ("<meta name=robots content=noindex>", [], Directives.NOINDEX),
        ("<meta name=ROBOTS content='NOFOLLOW'>", [], Directives.NOFOLLOW),
        ("<meta name=gossamer content=none>", [], Directives.NOINDEX | Directives.NOFOLLOW),
        ("<meta name=otherbot content=none>", [], Directives.NONE),
        (
            "<meta name=robots content=noindex>",
            ["nofollow"],
            Directives.NOINDEX | Directives.NOFOLLOW,
        ),
        ("", ["gossamer: noarchive", "otherbot: noindex"], Directives.NOARCHIVE),
        (
            "<meta name=rating content=general><meta name=Rating content=Mature>",
            ["noindex"],
            Directives.ADULT | Directives.NOINDEX,
        ),
    ],
)
def test_directives(html: str, tags: list[str], expected: Directives) -> None:
    assert processed(html, robots_tags=tags).directives == expected


# --- links ---


def test_links_are_resolved() -> None:
    assert links("""
        <a href="/abs">1</a> <a href="rel#f">2</a> <a href=" https://other.org/x ">3</a>
        <a href="?q=2">4</a> <a href="//third.org">5</a> <a href="">6</a> <a href>7</a>
    """) == [
        ("https://example.org/abs", "1", False),
        ("https://example.org/dir/rel", "2", False),
        ("https://other.org/x", "3", False),
        ("https://example.org/dir/page.html?q=2", "4", False),
        ("https://third.org/", "5", False),
        (URL, "6", False),
        (URL, "7", False),
    ]


def test_base() -> None:
    html = "<base><base href='/b/'><base href='/c/'><a href=x>x</a><link rel=canonical href=y>"
    assert links(html) == [("https://example.org/b/x", "x", False)]
    assert processed(html).canonical == "https://example.org/b/y"
    assert links("<base href='javascript:1'><a href=x>x</a>") == [
        ("https://example.org/dir/x", "x", False)
    ]


def test_what_leads_nowhere_is_counted() -> None:
    content = processed(
        "<a href=mailto:a@b>m</a><a href='javascript:void(0)'>j</a>"
        "<a href='javascript:void(0)'>j</a><a href='http://['>b</a><a href='#top'>t</a><a>n</a>"
    )
    assert content.links == ()
    assert content.other_links == 4


def test_a_target_is_kept_once_for_each_anchor() -> None:
    assert links("""
        <a href=x rel=nofollow>one</a><a href=x#f>one</a><a href=./x>two</a><a href=%7e>a</a>
        <a href=%7E>a</a>
    """) == [
        ("https://example.org/dir/x", "one", True),
        ("https://example.org/dir/x", "two", False),
        ("https://example.org/dir/%7e", "a", False),
    ]


@pytest.mark.parametrize(
    ("rel", "nofollow"),
    [
        ("nofollow", True),
        ("noopener NoFollow", True),
        ("ugc", True),
        ("sponsored", True),
        ("noopener", False),
        ("nofollows", False),
        ("", False),
    ],
)
def test_rel(rel: str, nofollow: bool) -> None:
    assert links(f"<a rel='{rel}' href=x>x</a>")[0][2] is nofollow


def test_links_of_a_page_that_says_nofollow_are_kept_and_flagged() -> None:
    html = "<meta name=robots content=nofollow><a href=x>x</a><iframe src=y></iframe>"
    assert [link[2] for link in links(html)] == [True, True]
    assert links("<a href=x>x</a>", robots_tags=["nofollow"])[0][2] is True


@pytest.mark.parametrize(
    ("inside", "anchor"),
    [
        ("some\n <b>te</b>xt", "some text"),
        ("<div>title</div><div>text</div>", "title text"),
        ("a<br>b", "a b"),
        ("<img alt=' a  picture '>", "a picture"),
        ("<span><img><img alt=second></span>", "second"),
        ("text <img alt=picture>", "text"),
        ("<script>no</script>", ""),
        ("", ""),
        ("x" * 300, "x" * 200),
        ("x" * 199 + " y", "x" * 199),
    ],
)
def test_anchors(inside: str, anchor: str) -> None:
    assert links(f"<a href=x>{inside}</a>")[0][1] == anchor


def test_areas_frames_and_refreshes() -> None:
    assert links("<map><area href=a alt='an area'></map><iframe src=f></iframe>") == [
        ("https://example.org/dir/a", "an area", False),
        ("https://example.org/dir/f", "", False),
    ]
    assert links("<frameset><frame src=one><frame src=two></frameset>") == [
        ("https://example.org/dir/one", "", False),
        ("https://example.org/dir/two", "", False),
    ]
    for content in ("0; url=next", "5;URL='next'", "0,next"):
        assert links(f'<meta http-equiv=refresh content="{content}">') == [
            ("https://example.org/dir/next", "", False)
        ]
    assert links("<meta http-equiv=refresh content=30>") == []


# --- the rest ---


def test_xhtml_elements_may_be_empty() -> None:
    html = '<html><head><script src="x"/><title/></head><body><p>text</p><a id="x"/>after<br/>'
    assert processed(html).text == ""
    content = processed(html, media_type="application/xhtml+xml")
    assert content.text == "text\nafter"
    assert content.classes == "pp"


def test_charset_and_language_of_a_page_in_another_charset() -> None:
    html = "<meta charset=windows-1251><p>Все люди рождаются свободными и равными в правах.</p>"
    content = processed(html.encode("cp1251"), charset="")
    assert (content.charset, content.language) == ("windows-1251", "ru")
    assert content.text.startswith("Все люди")


def test_the_language_of_the_content_counts_not_that_of_the_menus() -> None:
    menu = "<nav>" + "<a href=x>All about our great company and its products</a> " * 9 + "</nav>"
    text = "<p>" + "Alle Menschen sind frei und gleich an Würde und Rechten geboren. " * 4
    assert processed(menu + text).language == "de"


def test_pages_with_the_same_menus_are_no_near_duplicates() -> None:
    menu = "<nav>" + "".join(f"<a href=/{i}>Chapter number {i}</a> " for i in range(200)) + "</nav>"
    one = processed(menu + "<p>" + " ".join(str(i * 7919) for i in range(300)))
    other = processed(menu + "<p>" + " ".join(str(i * 104729) for i in range(300)))
    differing = (one.similarity_hash ^ other.similarity_hash) & (2**64 - 1)
    assert differing.bit_count() > 12
    assert one.content_hash != other.content_hash


# --- hostile pages: CPU seconds, with room for a slow machine ---

MEGABYTES_2 = 2_000_000


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 20_000 + "deep",
        "<div>" * (MEGABYTES_2 // 5),
        "<span><div></span></div>" * (MEGABYTES_2 // 24),
        "<ul><li>" * (MEGABYTES_2 // 8),
        "<table><tr><td>" * (MEGABYTES_2 // 15),
        "".join(f"<b x={i}>" for i in range(MEGABYTES_2 // 10)),
        "<template>" * (MEGABYTES_2 // 10),
        "<p " + " ".join(f"a{i}" for i in range(MEGABYTES_2 // 8)) + ">",
        "<p a='" + "x" * MEGABYTES_2 + "'>",
        "<" * MEGABYTES_2,
        "<a" * (MEGABYTES_2 // 2),
        "<p>" + " " * MEGABYTES_2,
        "<!--" * (MEGABYTES_2 // 4),
        "<script>" * (MEGABYTES_2 // 8),
        "<title>" + "x " * (MEGABYTES_2 // 2),
        "<a href=/x><object>" * 500 + "text " * (MEGABYTES_2 // 5),
        "<p>\0\0" * (MEGABYTES_2 // 5),
    ],
    ids=lambda html: html[:12],
)
def test_hostile_pages_take_no_quadratic_time(html: str) -> None:
    assert seconds_for(html) < 6


def test_a_hundred_thousand_links() -> None:
    html = "".join(f"<a href=/{i}>{i}</a>" for i in range(100_000))
    assert len(processed(html).links) == 100_000


TOKENS = (
    "<p>|</p>|<div>|</div>|<a href=/x>|</a>|<b>|</b>|<li>|<ul>|</ul>|<table>|<tr>|<td>|</table>"
    "|<nav>|</nav>|<header>|<article>|<h1>|</h1>|<pre>|</pre>|<script>|</script>|<title>|</title>"
    "|<br>|<svg>|</svg>|<!--|-->|&amp;|&#x1f;|&nbsp;|word|\u00e9\u4e2d|\0|\n|<frameset>|<body>"
    "|<html>|<template>|</template>|<base href=/b/>|<select>|<option>|<object>|</object>|<iframe>"
)
MARKUP = st.lists(st.sampled_from(TOKENS.split("|")) | st.text(max_size=5), max_size=60).map(
    " ".join
)


@given(MARKUP)
@settings(max_examples=300)
def test_text_and_classes_are_aligned(html: str) -> None:
    content = processed(html)
    assert len(content.classes) == (len(content.text.split("\n")) if content.text else 0)
    for line in content.text.split("\n") if content.text else []:
        assert line
        assert line == " ".join(line.split())
    assert set(content.classes) <= set("t1234plcqxn")
    assert processed(html) == content


@given(st.binary(max_size=400), st.sampled_from(["", "utf-8", "utf-16", "shift_jis"]))
def test_no_bytes_raise(body: bytes, charset: str) -> None:
    content = processed(body, charset=charset)
    assert processed(body, charset=charset) == content
    content.text.encode()
