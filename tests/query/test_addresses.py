import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.query.addresses import Address, is_address


@pytest.mark.parametrize(
    ("text", "kind", "host"),
    [
        ("example.org", "host", "example.org"),
        (" Example.ORG/ ", "host", "example.org"),
        ("www.foo.co.uk/path?x=1", "url", "www.foo.co.uk"),
        ("https://x.org/a", "url", "x.org"),
        ("http://intranet", "url", "intranet"),
        ("localhost:8000", "url", "localhost"),
        ("127.0.0.1", "host", "127.0.0.1"),
        ("пример.рф", "host", "пример.рф"),
        ("xn--e1afmkfd.xn--p1ai", "host", "xn--e1afmkfd.xn--p1ai"),
    ],
)
def test_addresses(text: str, kind: str, host: str) -> None:
    found = is_address(text)
    assert isinstance(found, Address)
    assert (found.kind, found.host) == (kind, host)


@pytest.mark.parametrize(
    "text",
    [
        *("", ".", "word", "two words", "example.org news", "node.js", "U.S.", "e.g.", "3.14"),
        *("1.2.3", "1.2.3.400", "C++", "a..org", "-a.org", "me@example.org", "localhost", "12:30"),
        "ftp://x.org",
        "x" * 10_000_000,
    ],
)
def test_words(text: str) -> None:
    assert is_address(text) is None


@given(st.text())
def test_any_text(text: str) -> None:
    is_address(text)
