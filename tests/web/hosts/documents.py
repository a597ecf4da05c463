"""documents.test: PDF, Word and OpenDocument files: good ones, locked ones, bombs, liars."""

import zlib

from gossamer.extract.sniff import DOCX, ODT, PDF
from tests.documents import Pdf, docx, docx_members, odt, paragraph, pdf, run, zipped
from tests.web.message import Answer, Handler, Host, document, page, reply

SENTENCE = "The words of this document are found."
PAGES = 300


def _bomb() -> bytes:
    """A page whose content unpacks to two gigabytes."""
    packer = zlib.compressobj(9)
    head = packer.compress(bytes(10_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(bytes(10_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    content = head + block * 200 + packer.flush()
    file = Pdf(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
            4: b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(content), content),
        }
    )
    return file.bytes()


def hosts() -> tuple[Host, ...]:
    good = pdf(
        [SENTENCE, "a link"], title="A good PDF", links=[(0, 1, "/from-pdf"), (0, 1, "/loop.pdf")]
    )
    many = pdf(*([f"{SENTENCE} Page {number}."] * 40 for number in range(PAGES)))
    word = docx(
        f'{paragraph(SENTENCE)}<w:p><w:hyperlink r:id="a">{run("on")}</w:hyperlink></w:p>',
        {"a": "/from-docx"},
        properties="<dc:title>A good DOCX</dc:title>",
    )
    bomb = docx_members("") | {"word/document.xml": bytes(100_000_000)}
    html = document("No document", f"<p>{SENTENCE}</p>")
    files = {
        "/good.pdf": (good, PDF),
        "/good.docx": (word, DOCX),
        "/good.odt": (odt(f"<text:p>{SENTENCE}</text:p>"), ODT),
        "/many-pages.pdf": (many, PDF),
        "/pdf-as-html": (good, "text/html"),
        "/pdf-as-octet-stream": (good, "application/octet-stream"),
        "/pdf-without-type": (good, ""),
        "/docx-as-zip": (word, "application/zip"),
        "/html-as.pdf": (html.encode(), PDF),
        "/locked.pdf": (pdf([SENTENCE], opens_with="sesame"), PDF),
        "/cut.pdf": (good[:300], PDF),
        "/cut.docx": (word[:-50], DOCX),
        "/bomb.pdf": (_bomb(), PDF),
        "/bomb.docx": (zipped({**bomb}), DOCX),
        "/loop.pdf": (pdf(["again"], links=[(0, 0, "/loop.pdf")]), PDF),
        "/old.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "application/msword"),
        "/rich-text": (b"{\\rtf1\\ansi text}", "text/plain"),
    }
    pages: dict[str, Answer | Handler] = {
        path: reply(200, body, media_type=media_type) for path, (body, media_type) in files.items()
    }
    found = {"/from-pdf": page("Found in a PDF"), "/from-docx": page("Found in a DOCX")}
    return (
        Host(
            "documents.test",
            "documents, good ones and others",
            pages | found,
            unlinked=frozenset(found),
        ),
    )
