import pytest
from msgspec.structs import replace

from gossamer.extract import sniff
from gossamer.extract.draft import PageDraft
from gossamer.extract.processor import Processors, build_processors, is_heavy, true_media_type
from gossamer.records import Outcome, PageContent, RawPage, Unread
from gossamer.urls import Resolver

HTML = b"<!doctype html><title>T</title><p>text"
PDF = b"%PDF-1.7\n\x01\x02"
PDF_TYPE, DOCX_TYPE, ODT_TYPE = sniff.PDF, sniff.DOCX, sniff.ODT
DOCX = b"PK\x03\x04 ... word/document.xml"
OLE = b"\xd0\xcf\x11\xe0" + bytes(50)
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
        ("", PNG, "image/png"),
        ("", PDF, PDF_TYPE),
        ("", b"junk\x01\n%PDF-1.4\x01", PDF_TYPE),
        ("", bytes(50), ""),
        ("application/octet-stream", PDF, PDF_TYPE),
        ("application/octet-stream", b"junk\n%PDF-1.4", PDF_TYPE),
        ("application/octet-stream", DOCX, DOCX_TYPE),
        ("application/zip", DOCX, DOCX_TYPE),
        ("application/msword", DOCX, DOCX_TYPE),
        ("text/html", DOCX, DOCX_TYPE),
        (DOCX_TYPE, b"PK\x03\x04 cut off", DOCX_TYPE),
        (DOCX_TYPE, HTML, "text/html"),
        (DOCX_TYPE, b"neither", DOCX_TYPE),
        ("application/java-archive", b"PK\x03\x04", "application/java-archive"),
        ("application/msword", OLE, "application/msword"),
        ("text/html", OLE, "application/x-ole-storage"),
        ("application/msword", b"{\\rtf1}", "application/rtf"),
        ("unknown/unknown", HTML, "text/html"),
        ("text/html", PDF, PDF_TYPE),
        ("text/plain", PDF, PDF_TYPE),
        ("text/html", b"\x01\x02%PDF-1.7\n\x01\x02", PDF_TYPE),
        ("text/html", b"<h1>How a file begins: %PDF-1.7</h1>", "text/html"),
        ("text/plain", b"A file begins with %PDF-1.7", "text/plain"),
        ("text/html", PNG, "image/png"),
        ("text/html", GZIP, "application/gzip"),
        ("text/plain", GZIP, "application/gzip"),
        ("text/plain", bytes(50), ""),
        ("application/xml", b"<?xml version='1.0'?><html xmlns='x'>", "text/html"),
        ("application/xml", b"<?xml version='1.0'?><rss>", "application/xml"),
        ("application/pdf", PDF, PDF_TYPE),
        ("application/x-pdf", b"", PDF_TYPE),
        ("application/pdf", b"no such thing", PDF_TYPE),
        ("application/pdf", HTML, "text/html"),
        ("application/pdf", PNG, "image/png"),
        ("image/svg+xml", b"<svg>", "image/svg+xml"),
    ],
)
def test_the_media_type_to_go_by(media_type: str, body: bytes, expected: str) -> None:
    assert true_media_type(page(media_type, body)) == expected


def test_utf16_is_not_binary_where_it_is_declared() -> None:
    body = "plain text".encode("utf-16-le")
    assert true_media_type(page("text/plain", body, "UTF-16LE")) == "text/plain"
    assert true_media_type(page("text/plain", body)) == ""


@pytest.mark.parametrize(
    ("media_type", "body", "expected"),
    [
        ("text/html", HTML, False),
        ("text/html", b"<h1>%PDF-1.7", False),
        ("text/html", PDF, True),
        ("text/plain", b"%PDF-", True),
        ("application/pdf", b"", True),
        ("application/pdf", HTML, False),
        ("", DOCX, True),
        (DOCX_TYPE, b"", True),
        (ODT_TYPE, b"", True),
        ("text/html", OLE, False),
        ("text/html", OLE + "EncryptedPackage".encode("utf-16-le"), True),
        ("image/png", PNG, False),
    ],
)
def test_what_is_heavy(media_type: str, body: bytes, expected: bool) -> None:
    assert is_heavy(page(media_type, body)) is expected


def test_build_processors() -> None:
    processors = build_processors("Gossamer", Resolver())
    html = processors.process(page("text/html", HTML))
    plain = processors.process(page("text/plain", b"text"))
    assert isinstance(html, PageContent)
    assert html.title == "T"
    assert isinstance(plain, PageContent)
    assert plain.text == "text"


@pytest.mark.parametrize(
    "media_type",
    [
        *("text/markdown", "text/x-markdown", "text/csv", "application/csv"),
        *("text/tab-separated-values", "text/x-rst"),
    ],
)
def test_texts_of_other_names(media_type: str) -> None:
    processors = build_processors("Gossamer", Resolver())
    content = processors.process(page(media_type, b"name,price\n\nlamp,17\n"))
    assert isinstance(content, PageContent)
    assert content.text == "name,price\nlamp,17"
    assert isinstance(processors.process(page(media_type, PNG)), Unread)
    assert isinstance(processors.process(page(media_type, bytes(99))), Unread)


@pytest.mark.parametrize("name", ["notes.md", "table.CSV?v=1", "a.b/readme.rst"])
def test_a_download_with_the_name_of_a_text(name: str) -> None:
    processors = build_processors("Gossamer", Resolver())
    download = replace(page("application/octet-stream", b"# Words"), url=f"http://a.example/{name}")
    content = processors.process(download)
    assert isinstance(content, PageContent)
    assert content.text.removeprefix("# ") == "Words"
    assert isinstance(processors.process(replace(download, body=bytes(99))), Unread)


@pytest.mark.parametrize(
    ("media_type", "body", "detail"),
    [
        ("image/png", PNG, "no reader for 'image/png'"),
        ("text/html", PNG, "no reader for 'image/png', sent as 'text/html'"),
        ("application/pdf", PNG, "no reader for 'image/png', sent as 'application/pdf'"),
        ("text/plain", b"{\\rtf1 text}", "no reader for 'application/rtf', sent as 'text/plain'"),
        ("", bytes(99), "no text, and of no format that is known"),
        (
            "text/html",
            bytes(99),
            "no text, and of no format that is known, sent as 'text/html'",
        ),
        ("application/json", b"{}", "no reader for 'application/json'"),
    ],
)
def test_what_nobody_reads(media_type: str, body: bytes, detail: str) -> None:
    processors = build_processors("Gossamer", Resolver())
    found = processors.process(page(media_type, body))
    assert found == Unread(Outcome.UNSUPPORTED, detail)


def test_another_format_is_one_more_processor() -> None:
    class Csv:
        media_types = frozenset({"text/csv"})

        def read(self, page: RawPage) -> PageDraft:
            return PageDraft("utf-8", [page.body.decode()], ["p"])

    content = Processors([Csv()]).process(page("text/csv", b"a,b"))
    assert isinstance(content, PageContent)
    assert content.text == "a,b"


def test_a_page_that_its_processor_cannot_read_costs_no_other() -> None:
    class Sealed:
        media_types = frozenset({"text/sealed"})

        def read(self, page: RawPage) -> Unread:
            return Unread(Outcome.UNREADABLE, "sealed")

    class Open:
        media_types = frozenset({"text/open"})

        def read(self, page: RawPage) -> PageDraft:
            return PageDraft("utf-8", [page.body.decode()], ["p"])

    at: list[int] = []
    sealed, first, odd, second = Processors([Sealed(), Open()]).process_all(
        [
            page("text/sealed", b""),
            page("text/open", b"one"),
            page("text/odd", b""),
            page("text/open", b"two"),
        ],
        at.append,
    )
    assert sealed == Unread(Outcome.UNREADABLE, "sealed")
    assert isinstance(odd, Unread)
    assert isinstance(first, PageContent)
    assert isinstance(second, PageContent)
    assert (first.text, second.text) == ("one", "two")
    assert at == [0, 1, 3]
