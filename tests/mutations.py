"""Small pages of every format that is read, and ways to damage them.

An edit is plain data, so that a test can shrink the list of them. Documents in a zip are damaged
inside as well: in the XML of a member that is then packed properly, since otherwise hardly any
damage would get past the checksum.
"""

import io
import random
import re
import zipfile
import zlib
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from gossamer.extract.sniff import DOCX, ODT, PDF
from tests.documents import docx, odt, paragraph, pdf, run

MEDIA_TYPES = {"html": "text/html", "text": "text/plain", "pdf": PDF, "docx": DOCX, "odt": ODT}

_SENTENCE = "All human beings are born free and equal in dignity and rights."
_LINES = [_SENTENCE[start:] + _SENTENCE[:start] for start in range(0, len(_SENTENCE), 5)]

_HTML = [
    """<!doctype html><html lang=en><head><meta charset=utf-8><title>A &amp; B</title>
<base href="/dir/"><meta name=description content="d"><link rel=canonical href=x>
<meta name=robots content="noindex"><meta http-equiv=refresh content="9; url=y"></head><body>
<header><nav><ul><li><a href=1>one<li><a href=2 rel=nofollow>two</ul></nav></header>
<main><article><h1>Title</h1><p>Some <b>bold <i>words</b></i> &eacute;&#x1F600;&#0;</p>
<table><caption>c<tr><td>a<td>b<tr><th colspan=2>c</table><pre> code
 more</pre><blockquote>q<p>r</blockquote><img alt=x src=y><svg><title>s</title></svg>
<script>if (a < b) document.write("<p>x</p>")</script><style>p{}</style><template><p>t</template>
<iframe src=f></iframe><a href="//b.example/?q=%zz#f"><img alt=picture></a><details><summary>s
</details><form><select><option>o</select><textarea><p></textarea></form></article></main>
<footer role=contentinfo>f</footer></body></html>""",
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p/><div/>x</body></html>',
    "<p>" * 50 + "<table><tr><td>" * 20 + "deep" + "<!-- comment --><![CDATA[ x ]]>",
]
_TEXT = ["\r\n".join(_LINES), "Größe,Länge\t1\n" * 20, "日本語のテキスト。\n" * 10]


def _pages() -> dict[str, list[bytes]]:
    outline = [("All human", 0), ("Second", 1)]
    links = [(0, 1, "https://other.example/"), (0, 2, "b"), (1, 0, "mailto:x@example.org")]
    body = (
        paragraph("Title", "Title")
        + paragraph("Heading", "Heading1")
        + "".join(paragraph(line) for line in _LINES)
        + f'<w:p><w:hyperlink r:id="a">{run("link")}</w:hyperlink></w:p>'
        + f"<w:tbl><w:tr><w:tc>{paragraph('cell')}</w:tc></w:tr></w:tbl>"
        + '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "b"'
        + '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    )
    styles = '<w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
    return {
        "html": [*(text.encode() for text in _HTML), _HTML[0].encode("utf-16")],
        "text": [*(text.encode() for text in _TEXT), _TEXT[1].encode("cp1252")],
        "pdf": [
            pdf(_LINES, _LINES[:3], title="T", subject="S", outline=outline, links=links),
            pdf(_LINES, _LINES[:3], packed=True, language="en", links=links),
            pdf(_LINES, opens_with=""),
            pdf(_LINES, opens_with="secret"),
        ],
        "docx": [docx(body, {"a": "https://other.example/"}, styles, "<dc:title>T</dc:title>")],
        "odt": [
            odt(
                '<text:h text:outline-level="1">Heading</text:h>'
                + "".join(f"<text:p>{line}</text:p>" for line in _LINES)
                + "<text:list><text:list-item><text:p>i</text:p></text:list-item></text:list>"
                + '<text:p><text:a xlink:href="b">link</text:a></text:p>',
                properties="<dc:title>T</dc:title>",
            )
        ],
    }


PAGES = _pages()

TOKENS = {
    "html": [
        *(b"<", b">", b"</p>", b"<table>", b"<svg>", b"<math>", b"<plaintext>", b"<template>"),
        *(b"&#0;", b"<a href=x>", b"<base href=", b"<!--", b"<title>", b"<select>", b"<frameset>"),
    ],
    "text": [b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\x1b$B", b"\x85", b"\xed\xa0\x80"],
    "pdf": [
        *(
            b"<<",
            b">>",
            b"[",
            b"]",
            b"(",
            b"stream\n",
            b"endstream",
            b"endobj",
            b"9 0 obj",
            b" 0 R",
        ),
        *(
            b"/Kids",
            b"/Parent 2 0 R",
            b"/Filter/LZWDecode",
            b"/Filter[/ASCIIHexDecode/FlateDecode]",
        ),
        *(b"/Type/ObjStm", b"/Type/XRef", b"-1", b"4294967296", b"/Length 99999999", b"/Prev 9"),
        *(b" Do ", b" Tj ", b" TJ ", b" Tf ", b"BT ", b"ET ", b"BI ID EI", b" cm ", b"/Next 9 0 R"),
    ],
    "docx": [
        *(
            b"<w:p>",
            b"</w:p>",
            b"<w:tc>",
            b"<w:r>",
            b"&amp;",
            b"&x;",
            b"<!DOCTYPE a>",
            b"<![CDATA[",
        ),
        *(b' encoding="utf-16"', b' encoding="big5"', b' w:val="', b' r:id="', b"<w:pStyle"),
    ],
    "odt": [
        *(b"<text:p>", b"</text:p>", b"<text:a>", b"<text:list>", b"&x;", b"<!DOCTYPE a>", b"]]>"),
        *(
            b'<?xml version="1.0" encoding="punycode"?>',
            b' xlink:href="',
            b"<text:tracked-changes>",
        ),
    ],
}


class Kind(Enum):
    FLIP = "flip"  # bits
    PUT = "put"  # bytes over others
    INSERT = "insert"
    DELETE = "delete"
    REPEAT = "repeat"
    MOVE = "move"  # to the front
    CUT = "cut"  # what follows is lost


class Edit(NamedTuple):
    kind: Kind
    at: float  # 0 to 1: where in the file
    length: int
    data: bytes


def mutated(body: bytes, edits: Sequence[Edit], *, inside: bool = False) -> bytes:
    """`inside`: of a zip, or of the packed streams of a PDF."""
    if inside and body.startswith(b"PK"):
        return _inside_zip(body, edits)
    if inside and b"/FlateDecode" in body:
        return _inside_stream(body, edits)
    for edit in edits:
        body = _edited(body, edit)
    return body


def _edited(body: bytes, edit: Edit) -> bytes:
    place = int(edit.at * len(body))
    end = place + edit.length
    before, chunk, after = body[:place], body[place:end], body[end:]
    if edit.kind is Kind.FLIP:
        mask = edit.data or b"\x01"
        chunk = bytes(byte ^ mask[i % len(mask)] for i, byte in enumerate(chunk))
        return before + chunk + after
    if edit.kind is Kind.PUT:
        return before + edit.data + body[place + len(edit.data) :]
    if edit.kind is Kind.INSERT:
        return before + edit.data + body[place:]
    if edit.kind is Kind.DELETE:
        return before + after
    if edit.kind is Kind.REPEAT:
        return before + chunk * min(200, max(2, len(edit.data))) + after
    if edit.kind is Kind.MOVE:
        return chunk + before + after
    return before


def _inside_zip(body: bytes, edits: Sequence[Edit]) -> bytes:
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(body)) as old,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        members = old.infolist()
        chosen = {int(edit.at * 7919) % len(members) for edit in edits}
        for position, member in enumerate(members):
            content = old.read(member)
            if position in chosen:
                content = mutated(content, edits)
            new.writestr(member.filename, content, member.compress_type)
    return packed.getvalue()


def _inside_stream(body: bytes, edits: Sequence[Edit]) -> bytes:
    """Of one packed stream. Its length no longer fits, which readers have to bear anyway."""
    filters = [found.start() for found in re.finditer(b"/FlateDecode", body)]
    chosen = filters[int(edits[0].at * 7919) % len(filters)]
    start = body.find(b"stream", chosen) + len(b"stream")
    start += len(body[start : start + 2]) - len(body[start : start + 2].lstrip(b"\r\n"))
    end = body.find(b"endstream", start)
    try:
        content = zlib.decompressobj().decompress(body[start:end])
    except zlib.error:
        return mutated(body, edits)
    return body[:start] + zlib.compress(mutated(content, edits)) + b"\n" + body[end:]


def random_edits(chance: random.Random, tokens: Sequence[bytes], donor: bytes) -> list[Edit]:
    """`donor`: a page that chunks are taken from."""
    edits = []
    for _ in range(chance.choice((1, 1, 1, 2, 3, 5, 10))):
        length = int(chance.expovariate(1 / chance.choice((1, 8, 60, 500))))
        source = chance.randrange(4)
        if source == 0:
            data = chance.randbytes(min(length, 64))
        elif source == 1:
            data = chance.choice(tokens) * chance.choice((1, 1, 1, 2, 50, 2_000))
        elif source == 2:
            place = chance.randrange(len(donor) + 1)
            data = donor[place : place + length]
        else:
            data = bytes([chance.choice((0, 1, 9, 32, 48, 57, 127, 128, 255))]) * (1 + length % 40)
        edits.append(Edit(chance.choice(list(Kind)), chance.random(), length, data))
    return edits
