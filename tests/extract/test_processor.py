import pytest

from gossamer.extract.draft import PageDraft
from gossamer.extract.processor import Processors, build_processors, true_media_type
from gossamer.records import RawPage
from gossamer.urls import Resolver

HTML = b"<!doctype html><title>T</title><p>text"
PDF = b"%PDF-1.7\n\x01\x02"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
GZIP = b"\x1f\x8b\x08" + bytes(100)


def page(media_type: str, body: bytes, charset: str = "") -> RawPage:
    return RawPage("https://example.org/", media_type, charset, body)


@pytest.mark.parametrize(
    ("media_type", "body", "expected"),
    [
        ("text/html", HTML, "text/html"),
        ("text/html", b"no markup at all", "text/html"),
        ("text/html", b"", "text/html"),
        ("application/xhtml+xml", HTML, "application/xhtml+xml"),
        ("text/plain", b"text", "text/plain"),
        ("text/plain", HTML, "text/html"),
        ("text/plain", b"<p> is the paragraph element", "text/plain"),
        ("application/octet-stream", HTML, "text/html"),
        ("application/octet-stream", b"text", "application/octet-stream"),
        ("", HTML, "text/html"),
        ("", b"<p>text", "text/html"),
        ("", b"text", "text/plain"),
        ("", PNG, ""),
        ("unknown/unknown", HTML, "text/html"),
        ("text/html", PDF, ""),
        ("text/html", PNG, ""),
        ("text/html", GZIP, ""),
        ("text/plain", GZIP, ""),
        ("application/xml", b"<?xml version='1.0'?><html xmlns='x'>", "text/html"),
        ("application/xml", b"<?xml version='1.0'?><rss>", "application/xml"),
        ("application/pdf", PDF, "application/pdf"),
        ("image/svg+xml", b"<svg>", "image/svg+xml"),
    ],
)
def test_the_media_type_to_go_by(media_type: str, body: bytes, expected: str) -> None:
    assert true_media_type(page(media_type, body)) == expected


def test_utf16_is_not_binary_where_it_is_declared() -> None:
    body = "plain text".encode("utf-16-le")
    assert true_media_type(page("text/plain", body, "UTF-16LE")) == "text/plain"
    assert true_media_type(page("text/plain", body)) == ""


def test_build_processors() -> None:
    processors = build_processors("Gossamer", Resolver())
    html = processors.process(page("text/html", HTML))
    plain = processors.process(page("text/plain", b"text"))
    assert html is not None
    assert html.title == "T"
    assert plain is not None
    assert plain.text == "text"
    assert processors.process(page("application/pdf", PDF)) is None
    assert processors.process(page("text/html", PDF)) is None


def test_another_format_is_one_more_processor() -> None:
    class Csv:
        media_types = frozenset({"text/csv"})

        def read(self, page: RawPage) -> PageDraft:
            return PageDraft("utf-8", [page.body.decode()], ["p"])

    content = Processors([Csv()]).process(page("text/csv", b"a,b"))
    assert content is not None
    assert content.text == "a,b"
