"""What the bytes of a page are, whatever its server calls them."""

import re

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODT = "application/vnd.oasis.opendocument.text"
ZIP = "application/zip"
OLE = "application/x-ole-storage"
"""The container of older office documents."""

_SAMPLE_BYTES = 1024
_BINARY_SHARE = 0.05

_TEXT_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_OLE_START = b"\xd0\xcf\x11\xe0"
_ZIP_START = b"PK\x03\x04"
# What no text begins with. Short ones that a text could begin with are told by more bytes, below.
_STARTS = {
    b"%PDF-": PDF,
    b"%!PS": "application/postscript",
    b"{\\rtf": "application/rtf",
    b"\x89PNG": "image/png",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
    b"RIFF": "",
    b"II*\0": "image/tiff",
    b"MM\0*": "image/tiff",
    b"\x1f\x8b": "application/gzip",
    b"BZh": "",
    b"\xfd7zXZ\0": "application/x-xz",
    b"7z\xbc\xaf": "application/x-7z-compressed",
    b"\x28\xb5\x2f\xfd": "application/zstd",
    b"Rar!\x1a": "application/vnd.rar",
    _ZIP_START: ZIP,
    b"OggS\0": "application/ogg",
    b"ID3": "",
    b"\x7fELF": "application/x-executable",
    b"MZ\x90": "application/x-msdownload",
    b"\0asm": "application/wasm",
    b"wOFF": "font/woff",
    b"wOF2": "font/woff2",
    _OLE_START: OLE,
}
_ANY_START = tuple(_STARTS)
_DOUBTFUL = (
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "image/webp"),
    (re.compile(rb"RIFF.{4}WAVE", re.DOTALL), "audio/wav"),
    (re.compile(rb"RIFF.{4}AVI ", re.DOTALL), "video/x-msvideo"),
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), "application/x-bzip2"),
    (re.compile(rb"ID3[\x02-\x04].[\x00-\xf0]", re.DOTALL), "audio/mpeg"),
)
# A Word document with a password is no zip, but a file of the older kind around one.
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
# The parts of a zip that make it a document: their names stand in its directory.
_PARTS = {
    b"word/document": DOCX,
    b"xl/workbook": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    b"ppt/presentation": (
        "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    ),
}
_DIRECTORY_END = b"PK\x05\x06"
_LONGEST_DIRECTORY_END = 65_557
# Formats with a 'mimetype' in front hold it as they are, so that it can be read like this.
_NAMED_ZIP = re.compile(
    _ZIP_START + rb".{22}\x08\0.{2}mimetype(application/[\w.+-]{1,100}?)PK", re.DOTALL
)

# As in the WHATWG MIME sniffing standard: no text has these.
_CONTROLS = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])

_PROLOGUE = rb"\s*+(?>(?:<\?xml[^>]*>|<!--.*?-->)\s*+)*+"
_HTML = re.compile(
    _PROLOGUE + rb"(?:<!doctype\s+html|<(?:html|head|body|title|meta|base|frameset)[\s/>])",
    re.IGNORECASE | re.DOTALL,
)
_HTML_FRAGMENT = re.compile(
    _PROLOGUE
    + rb"<(?:script|style|link|iframe|h[1-6]|div|span|font|table|ul|ol|a|b|br|p|center|form"
    + rb"|article|section|main|header|nav)[\s/>]",
    re.IGNORECASE | re.DOTALL,
)


def format_of(body: bytes) -> str:
    """The media type of a format that is known by its first bytes; '' for all others."""
    if not body.startswith(_ANY_START):
        return ""
    found = next(kind for start, kind in _STARTS.items() if body.startswith(start))
    if not found:
        return next((kind for pattern, kind in _DOUBTFUL if pattern.match(body)), "")
    if found == ZIP:
        return _kind_of_zip(body)
    if found == OLE and _ENCRYPTED_PACKAGE in body:
        return DOCX
    return found


def has_pdf_header(body: bytes) -> bool:
    """Some PDFs have a few lines in front of their header, which every reader skips."""
    return body.find(b"%PDF-", 0, _SAMPLE_BYTES) >= 0


def may_be_document(body: bytes) -> bool:
    """A quick look that spares nearly all pages a closer one."""
    return body.startswith((_ZIP_START, _OLE_START)) or has_pdf_header(body)


def is_binary(body: bytes) -> bool:
    """A known binary format, or too many control characters for any text."""
    return bool(format_of(body)) or has_controls(body)


def has_controls(body: bytes) -> bool:
    """Too many control characters for any text; of what is of no known format."""
    if body.startswith(_TEXT_MARKS) or looks_like_markup(body):
        return False
    sample = body[:_SAMPLE_BYTES]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls > _BINARY_SHARE * len(sample)


def looks_like_html(body: bytes) -> bool:
    """Begins as only a whole HTML page does."""
    return _HTML.match(_ascii_sample(body)) is not None


def looks_like_markup(body: bytes) -> bool:
    """Begins with an element of HTML: a page, or a part of one."""
    sample = _ascii_sample(body)
    return _HTML.match(sample) is not None or _HTML_FRAGMENT.match(sample) is not None


def _ascii_sample(body: bytes) -> bytes:
    """Readable as ASCII even where it is UTF-16."""
    sample = body[:_SAMPLE_BYTES]
    for mark in _TEXT_MARKS:
        sample = sample.removeprefix(mark)
    return sample.replace(b"\0", b"")


def _kind_of_zip(body: bytes) -> str:
    if named := _NAMED_ZIP.match(body):
        return named[1].decode("ascii")
    directory = _directory(body)
    return next((kind for part, kind in _PARTS.items() if part in directory), ZIP)


def _directory(body: bytes) -> bytes:
    """The names of a zip's members and little else; of one that was cut off, all that is left."""
    end = body.rfind(_DIRECTORY_END, max(0, len(body) - _LONGEST_DIRECTORY_END))
    if end < 0:
        return body
    size = int.from_bytes(body[end + 12 : end + 16], "little")
    return body[max(0, end - size) : end]
