import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.sniff import is_binary, looks_like_html, looks_like_markup


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><p>",
        b" \r\n<!doctype HTML PUBLIC ''>",
        b"\xef\xbb\xbf<html>",
        b"<HTML lang=de>",
        b'<?xml version="1.0"?>\n<!-- x --><!-- y -->\n<html xmlns="x">',
        "<html>".encode("utf-16"),
        "<html>".encode("utf-16-le"),
        b"<head><title>",
    ],
)
def test_html(body: bytes) -> None:
    assert looks_like_html(body)
    assert looks_like_markup(body)
    assert not is_binary(body)


@pytest.mark.parametrize("body", [b"<p>x", b"<div class=x>", b"<!-- c --><table>", b"<h1>"])
def test_fragments(body: bytes) -> None:
    assert not looks_like_html(body)
    assert looks_like_markup(body)


@pytest.mark.parametrize(
    "body", [b"", b"text", b"a <html>", b"<rss>", b"<?xml?><svg>", b"<htmlx>", b"<!doctype svg>"]
)
def test_neither(body: bytes) -> None:
    assert not looks_like_markup(body)
    assert not is_binary(body)


@pytest.mark.parametrize(
    "body",
    [
        b"%PDF-1.7\n",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"\xff\xd8\xff\xe0",
        b"PK\x03\x04",
        b"\x1f\x8b\x08",
        bytes(range(32)) * 20,
    ],
)
def test_binary(body: bytes) -> None:
    assert is_binary(body)


def test_a_few_stray_control_characters_make_no_binary() -> None:
    assert not is_binary(b"some text \0 with a NUL in it, and more text")


@given(st.binary(max_size=100))
def test_any_bytes(body: bytes) -> None:
    assert looks_like_markup(body) or not looks_like_html(body)
    is_binary(body)


def test_many_comments_take_no_exponential_time() -> None:
    assert not looks_like_markup(b"<!-- -->" * 120 + b"x")
