import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.sniff import (
    DOCX,
    ODT,
    PDF,
    format_of,
    has_pdf_header,
    is_binary,
    looks_like_html,
    looks_like_markup,
)


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


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"%PDF-1.7\n", PDF),
        (b"\x89PNG\r\n", "image/png"),
        (b"{\\rtf1\\ansi", "application/rtf"),
        (b"%!PS-Adobe-3.0", "application/postscript"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (b"BZh91AY&SY\x01", "application/x-bzip2"),
        (b"ID3\x03\0\0", "audio/mpeg"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), DOCX),
        (b"PK\x03\x04 cut off ... word/document.xml", DOCX),
        (b"PK\x03\x04", "application/zip"),
        (b"", ""),
        (b"text", ""),
        (b"<!doctype html>", ""),
        # Texts that begin like a format, and go on like a text.
        (b"RIFF is a format of files", ""),
        (b"BZh is no word", ""),
        (b"ID3 tags are for music", ""),
        (b"Rar! what a cry", ""),
        (b"%!PSych", "application/postscript"),
    ],
)
def test_formats(body: bytes, expected: str) -> None:
    assert format_of(body) == expected


def zipped(*names: str, first: bytes = b"") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        if first:
            archive.writestr("mimetype", first)
        for name in names:
            archive.writestr(name, b"")
    return file.getvalue()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (zipped("[Content_Types].xml", "word/document.xml"), DOCX),
        (zipped("word/document2.xml"), DOCX),
        (
            zipped("xl/workbook.xml"),
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
        (zipped("content.xml", first=ODT.encode()), ODT),
        (zipped("content.opf", first=b"application/epub+zip"), "application/epub+zip"),
        (zipped("a", first=b"word/document"), "application/zip"),  # in a member, not its name
        (zipped("a"), "application/zip"),
        (zipped("a", first=b"text/html"), "application/zip"),
    ],
)
def test_kinds_of_zips(body: bytes, expected: str) -> None:
    assert format_of(body) == expected


def test_a_pdf_with_something_in_front() -> None:
    assert has_pdf_header(b"HTTP junk\n" * 10 + b"%PDF-1.4")
    assert not has_pdf_header(b"x" * 1024 + b"%PDF-1.4")
    assert not format_of(b"junk %PDF-1.4")


def test_a_few_stray_control_characters_make_no_binary() -> None:
    assert not is_binary(b"some text \0 with a NUL in it, and more text")


@given(st.binary(max_size=100))
def test_any_bytes(body: bytes) -> None:
    assert looks_like_markup(body) or not looks_like_html(body)
    is_binary(body)


@given(
    st.sampled_from([b"PK\x03\x04", b"RIFF", b"ID3", b"\xd0\xcf\x11\xe0"]), st.binary(max_size=100)
)
def test_any_bytes_behind_a_known_start(start: bytes, rest: bytes) -> None:
    assert is_binary(start + rest) or not format_of(start + rest)


def test_many_comments_take_no_exponential_time() -> None:
    assert not looks_like_markup(b"<!-- -->" * 120 + b"x")
