"""What the bytes of a page are, whatever its server calls them."""

import re

_SAMPLE_BYTES = 1024
_BINARY_SHARE = 0.05

_TEXT_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_BINARY_STARTS = (
    b"%PDF-",
    b"\x89PNG",
    b"GIF87a",
    b"GIF89a",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"\x28\xb5\x2f\xfd",
    b"Rar!",
    b"RIFF",
    b"OggS",
    b"ID3",
    b"\x7fELF",
    b"MZ\x90",
    b"\0asm",
    b"wOFF",
    b"wOF2",
    b"\xd0\xcf\x11\xe0",
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


def is_binary(body: bytes) -> bool:
    """A known binary format, or too many control characters for any text."""
    if body.startswith(_BINARY_STARTS):
        return True
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
