import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from gossamer.extract.tame import MAX_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS, _Rewriter, tame

MANY = 9_000  # tags: more than are let through unmeasured


def depth_of(html: str) -> int:
    deepest = depth = 0
    for slash, name in re.findall(r"<(/?)([a-z0-9]+)", html):
        if name not in ("br", "img"):
            depth += -1 if slash else 1
            deepest = max(deepest, depth)
    return deepest


def words(html: str) -> list[str]:
    body = LexborHTMLParser(html).body
    return body.text(separator=" ").split() if body else []


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>ordinary",
        "<div>" * 1_000,
        "<ul>" + "<li><a href=x>item</a></li>" * MANY + "</ul>",
        "<table>" + "<tr><td>1</td><td>2</td></tr>" * MANY + "</table>",
        "<p>x<br></p>" * MANY,
        "<img src='data:" + "x" * 500_000 + "'>",
    ],
    ids=lambda html: html[:12],
)
def test_harmless_pages_stay_as_they_are(html: str) -> None:
    assert tame(html) is html


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * MANY + "text",
        "<DIV>" * MANY + "text",
        "<div>" * MANY + "a" + "</div>" * MANY + "b",
        "<span><div></span></div>" * MANY + "text",
        "<span><p></span></p>" * MANY + "text",
        "<li><dd>" * MANY + "text",
        "<table><td>" * MANY + "text",
        "<b><i></b></i>" * MANY + "text",
    ],
    ids=lambda html: html[:12],
)
def test_depth_is_limited_and_text_kept(html: str) -> None:
    tamed = tame(html)
    assert depth_of(tamed) <= MAX_DEPTH + 1  # what is deeper stands there empty
    assert words(tamed) == re.sub("<[^>]*>", " ", html).split()


def test_links_beyond_the_depth_are_kept() -> None:
    html = "<div>" * MANY + "<a href=/x>x</a>"
    assert [a.attributes["href"] for a in LexborHTMLParser(tame(html)).css("a")] == ["/x"]


def test_links_beyond_the_number_of_elements_are_kept() -> None:
    html = "<div>" * MAX_ELEMENTS + "<p>text<a href=/x>x</a>"
    tamed = tame(html)
    assert "<p>" not in tamed
    assert '<a href="/x">' in tamed


def test_attributes_are_limited() -> None:
    html = "<p " + " ".join(f"a{i}='>'" for i in range(50_000)) + ">text</p>"
    (node,) = LexborHTMLParser(tame(html)).css("p")
    assert list(node.attributes) == [f"a{i}" for i in range(MAX_ATTRIBUTES)]
    assert words(tame(html)) == ["text"]


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<P Class=a>x", '<p Class="a">x'),
        ("<a href='\"' b=\"'\" c=d/ e>", '<a href="&quot;" b="\'" c="d/" e>'),
        ("<p>1<p>2", "<p>1</p><p>2"),
        ("<ul><li>1<ul><li>2</ul><li>3</ul>", "<ul><li>1<ul><li>2</li></ul></li><li>3</li></ul>"),
        ("<b><i>x</b>y</i>", "<b><i>x</i></b>y"),
        ("<table><td>1</div><td>2</table>", "<table><td>1</td><td>2</td></table>"),
        ("a < b <3 </ x> <!x> <?x?> <!-- <p> --> c", "a &lt; b &lt;3     c"),
        ("<script>'<p>'</script>x", "x"),
        ("<title>a<b></title>x", "<title>a&lt;b></title>x"),
        ("<xmp>&amp;<b></xmp>x", "<pre>&amp;amp;&lt;b></pre>x"),
        ("<svg><g>x</svg>y", "y"),
        ("<svg><g>x", "<g>x"),
        ("<iframe src=x>y</iframe>z", '<iframe src="x"></iframe>z'),
        ("x<p a='unclosed", "x"),
        ("x<script>unclosed", "x"),
        ("x<!--unclosed", "x"),
    ],
)
def test_rewriting(html: str, written: str) -> None:
    assert _Rewriter(html).rewritten() == written


TOKENS = (
    "<p>|</p>|<div>|</div>|<a href=/x>|</a>|<b>|</b>|<li>|<ul>|</ul>|<table>|<tr>|<td>|</table>"
    "|<object>|</object>|<p a='>'>|<br>|<!-- x -->|word|<|>|\"|<select>|<template>|</template>"
)


@given(st.lists(st.sampled_from(TOKENS.split("|")) | st.text(max_size=3), max_size=400))
@settings(max_examples=200)
def test_rewriting_is_stable_and_properly_nested(tokens: list[str]) -> None:
    written = _Rewriter(" ".join(tokens)).rewritten()
    assert _Rewriter(written).rewritten() == written
    assert depth_of(written) <= MAX_DEPTH + 1
