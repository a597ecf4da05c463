import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.loose_xml import Tag, attributes_of, decode_xml, tokens, unescaped


def names(text: str) -> list[str]:
    """Tags as '+name', '-name' or '*name', and texts."""
    shown = []
    for token in tokens(text):
        if isinstance(token, str):
            shown.append(token)
        else:
            sign = "*" if token.starts and token.ends else "+" if token.starts else "-"
            shown.append(sign + (f"{token.prefix}:" if token.prefix else "") + token.name)
    return shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a><b/>x</a>", ["+a", "*b", "x", "-a"]),
        ("<P:Item>", ["+P:item"]),
        ("<a><!-- <b> -->x</a>", ["+a", "x", "-a"]),
        ("<a><![CDATA[<b> & ]] ]]>y", ["+a", "<b> & ]] ", "y"]),
        ("<a>1 &amp; 2&#x41;&#65;&nope;&lt;</a>", ["+a", "1 & 2AA&nope;<", "-a"]),
        ("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;", ["]>", "+a", "&x;"]),
        ("<a><!-- never closed <b>", ["+a"]),
        ("<a><![CDATA[never closed <b>", ["+a", "never closed <b>"]),
        ('<a b="<"><c>', ['<a b="<">', "+c"]),  # no value holds a '<'
        ("<a href='x>y'><c>", ["+a", "+c"]),
        ("<a <b>x", ["<a ", "+b", "x"]),
        ("< a>x", ["< a>x"]),
        ("a < b", ["a < b"]),
        ("", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_attributes() -> None:
    (tag,) = tokens("""<a HREF = "1&amp;2" rel='x' xml:base=/b href="later" empty="" bare/>""")
    assert isinstance(tag, Tag)
    assert attributes_of(tag) == {"href": "1&2", "rel": "x", "xml:base": "/b", "empty": ""}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a&amp;amp;b", "a&amp;b"),
        ("?a=1&copy=2&amp;lt", "?a=1&copy=2&lt"),  # no HTML entities, which addresses are full of
        ("&#0;&#xD800;&#1114112;&#x10FFFF;", "\U0010ffff"),
        ("&#99999999;", "&#99999999;"),
    ],
)
def test_references(text: str, expected: str) -> None:
    assert unescaped(text) == expected


@pytest.mark.parametrize(
    ("body", "header", "charset"),
    [
        ("<a>ä</a>".encode(), "", "utf-8"),
        ("<a>ä</a>".encode("utf-16"), "", "utf-16le"),
        ("<a>ä</a>".encode("utf-16-be"), "", "utf-16be"),
        ("<a>ä</a>".encode("utf-16-le"), "", "utf-16le"),
        (
            '<?xml version="1.0" encoding="ISO-8859-1"?><a>ä</a>'.encode("latin-1"),
            "",
            "windows-1252",
        ),
        ("<a>ä</a>".encode("latin-1"), "iso-8859-1", "windows-1252"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?><a>ä</a>'.encode(), "utf-8", "utf-8"),
    ],
)
def test_charsets(body: bytes, header: str, charset: str) -> None:
    text, used = decode_xml(body, header)
    assert text.endswith("<a>ä</a>")
    assert used == charset


@given(st.text() | st.text("<>/!-[]CDAT?&#x;'\"= a:", max_size=80))
def test_no_text_raises(text: str) -> None:
    for token in tokens(text):
        if isinstance(token, Tag):
            attributes_of(token)


PIECES = [
    "<",
    "<a ",
    '<a "',
    "<a '",
    "<a x='",
    "<!--",
    "<!",
    "<?",
    "<![CDATA[",
    "&#",
    "&",
    "</",
    "<a:",
]


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("other", ["", "x", "'", '"', ">"])
def test_time_grows_with_the_text_alone(piece: str, other: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        for _ in tokens((piece + other) * size):
            pass
        return time.process_time() - started

    assert seconds(100_000) < 1.5
