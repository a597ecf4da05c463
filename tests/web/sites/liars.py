"""liars.test: files under types that they do not have."""

import gzip
import random

from gossamer.extract.sniff import DOCX, PDF
from tests.documents import docx, paragraph, pdf, zipped
from tests.web.message import HTML, Answer, Handler, Host, document, reply

SENTENCE = "Whatever its server calls it, this text can be read."
_NOISE = random.Random(1).randbytes(3_000)
_HTML = document("A page", f"<p>{SENTENCE}</p>").encode()
_PNG = b"\x89PNG\r\n\x1a\n" + _NOISE
_JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0" + _NOISE

READABLE: dict[str, tuple[bytes, str]] = {
    "/html-as-text": (_HTML, "text/plain"),
    "/html-as-download": (_HTML, "application/octet-stream"),
    "/html-as-pdf": (_HTML, PDF),
    "/html-as-xml": (_HTML, "application/xml"),
    "/html-without-type.jpg": (_HTML, ""),
    "/pdf-as-html": (pdf([SENTENCE]), HTML),
    "/pdf-as-text.txt": (pdf([SENTENCE]), "text/plain"),
    "/docx-as-html": (docx(paragraph(SENTENCE)), HTML),
    "/docx-as-pdf": (docx(paragraph(SENTENCE)), PDF),
    "/text-as-html": (SENTENCE.encode(), HTML),
    "/utf-16-as-text": (b"\xff\xfe" + SENTENCE.encode("utf-16-le"), "text/plain"),
}
UNREADABLE: dict[str, tuple[bytes, str]] = {
    "/png-as-html": (_PNG, HTML),
    "/jpeg-as-text": (_JPEG, "text/plain"),
    "/jpeg-as-pdf": (_JPEG, PDF),
    "/jpeg-as-docx": (_JPEG, DOCX),
    "/noise-as-html": (b"\0\1\2\3" + _NOISE, HTML),
    "/noise-as-pdf": (_NOISE, PDF),
    "/noise-as-docx": (_NOISE, DOCX),
    "/zip-as-html": (zipped({"a.txt": "a"}), HTML),
    "/zip-as-docx": (zipped({"a.txt": "a"}), DOCX),
    "/gzip-as-html": (gzip.compress(_HTML), HTML),
    "/program-as-text": (b"\x7fELF\2\1\1\0" + _NOISE, "text/plain"),
    "/music-as-html": (b"ID3\3\0\0\0\0\0\0" + _NOISE, HTML),
    "/video-as-xhtml": (b"\0\0\0\x18ftypmp42" + _NOISE, "application/xhtml+xml"),
    "/empty-pdf": (b"", PDF),
    "/cut-pdf": (pdf([SENTENCE])[:200], PDF),
    "/cut-docx": (docx(paragraph(SENTENCE))[:-60], DOCX),
}


def hosts() -> tuple[Host, ...]:
    pages: dict[str, Answer | Handler] = {
        path: reply(200, body, media_type=kind)
        for path, (body, kind) in (READABLE | UNREADABLE).items()
    }
    return (Host("liars.test", "files under types that they do not have", pages),)
