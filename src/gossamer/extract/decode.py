"""Bytes to text: which charset a page is really in.

The order of trust: byte order mark, HTTP header, meta element, strict UTF-8, detection by
statistics, windows-1252. A declaration that the bytes contradict loses to UTF-8, which hardly any
other text satisfies by chance.
"""

import re

import cchardet

from gossamer.extract.charsets import CODECS, charset_of

FALLBACK = "windows-1252"

_META_BYTES = 4096  # the standard looks at 1024; real pages have longer scripts before it
_DETECT_BYTES = 65_536
_TELLING_BYTES = 4  # fewer that are not ASCII are no ground for statistics
_LONGEST_CHARACTER = 4  # bytes
_ASCII = bytes(range(0x80))

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/][^>]*", re.IGNORECASE)
# Both `charset=…` and `content="text/html; charset=…"`.
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"'/>;]+)""", re.IGNORECASE)
_JAPANESE_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\([JI])")


def decode(body: bytes, header_charset: str) -> tuple[str, str]:
    """The text of a page, and the charset that was used. Never raises."""
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return _replacing(body[len(mark) :], charset), charset
    charset = charset_of(header_charset) if header_charset else ""
    if not charset:
        charset = meta_charset(body)
    if charset:
        # Nearly all bytes are some UTF-16, but markup and spaces in it have zeros.
        lying = charset.startswith("utf-16") and b"\0" not in body
        text = None if lying else _strict(body, charset)
        if text is not None:
            return _clean(text), charset
    if charset != "utf-8":
        text = _strict(body, "utf-8")
        if text is not None and (charset or not _is_other_charset(body, text)):
            return _clean(text), "utf-8"
    charset = charset or _detected(body)
    return _replacing(body, charset), charset


def meta_charset(body: bytes) -> str:
    """The charset that a meta element near the start declares; '' if none does."""
    head = body[:_META_BYTES]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    for meta in _META.findall(head):
        match = _CHARSET.search(meta)
        if match and (charset := charset_of(match[1].decode("latin-1"))):
            # Whoever could read this far as ASCII was not reading UTF-16.
            return "utf-8" if charset.startswith("utf-16") else charset
    return ""


def _is_other_charset(body: bytes, text: str) -> bool:
    """What reads as UTF-8 all the same: Japanese in escapes, or one odd byte at the end of ASCII,
    which is hardly half a character."""
    return bool(_JAPANESE_ESCAPE.search(body)) or (text.isascii() and not body.isascii())


def _detected(body: bytes) -> str:
    if _JAPANESE_ESCAPE.search(body):
        return "iso-2022-jp"
    sample = body[:_DETECT_BYTES]
    if len(sample.translate(None, _ASCII)) < _TELLING_BYTES:
        return FALLBACK
    encoding = cchardet.detect(sample)["encoding"]
    charset = charset_of(encoding) if encoding else ""
    # The bytes are known not to be UTF-8; UTF-16 without a mark is a guess that ruins a page.
    return FALLBACK if not charset or charset.startswith("utf-") else charset


def _strict(body: bytes, charset: str) -> str | None:
    """The text if every byte fits. A character cut off at the very end is no contradiction: long
    pages are cut at a limit."""
    codec = CODECS[charset]
    try:
        return body.decode(codec)
    except UnicodeDecodeError as error:
        if error.start == 0 or error.start < len(body) - _LONGEST_CHARACTER:
            return None
        cut = error.start
    except UnicodeError:
        return None
    try:
        return body[:cut].decode(codec)
    except UnicodeError:
        return None


def _replacing(body: bytes, charset: str) -> str:
    return _clean(body.decode(CODECS[charset], errors="replace"))


def _clean(text: str) -> str:
    if "\0" in text:
        text = text.replace("\0", "")
    return text.removeprefix("\ufeff")
