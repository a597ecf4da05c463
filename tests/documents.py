"""Writes small PDF, Word and OpenDocument files, whole ones and others."""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

# PDF

_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
_FILE_ID = b"0123456789abcdef"


@dataclass
class Pdf:
    """Objects by number; the first is the catalogue, the second the tree of pages."""

    objects: dict[int, bytes] = field(default_factory=dict)
    trailer: bytes = b""
    key: bytes = b""  # streams are encrypted with it

    def add(self, body: bytes) -> int:
        number = self.next_number
        self.objects[number] = body
        return number

    @property
    def next_number(self) -> int:
        return next(reversed(self.objects), 0) + 1

    def stream(self, data: bytes, entries: bytes = b"", *, packed: bool = False) -> bytes:
        if packed:
            data, entries = zlib.compress(data, 9), entries + b"/Filter/FlateDecode"
        return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)

    def add_stream(self, data: bytes, entries: bytes = b"", *, packed: bool = False) -> int:
        number = self.next_number
        if self.key:
            data = rc4(
                hashlib.md5(self.key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], data
            )
        return self.add(self.stream(data, entries, packed=packed))

    def bytes(self) -> bytes:
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        places = {}
        for number, body in self.objects.items():
            places[number] = len(out)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(out)
        size = max(self.objects) + 1
        out += b"xref\n0 %d\n0000000000 65535 f \n" % size
        for number in range(1, size):
            out += b"%010d 00000 n \n" % places.get(number, 0)
        out += b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (
            *(size, self.trailer, start),
        )
        return bytes(out)


def pdf_string(text: str) -> bytes:
    """Any text, as UTF-16."""
    return b"<" + (b"\xfe\xff" + text.encode("utf-16-be")).hex().encode() + b">"


def pdf(
    *pages: Sequence[str],
    title: str = "",
    subject: str = "",
    language: str = "",
    outline: Sequence[tuple[str, int]] = (),
    links: Sequence[tuple[int, int, str]] = (),
    packed: bool = False,
    opens_with: str | None = None,
) -> bytes:
    """A document with a line of text for each string of each page. `outline`: headings and the
    numbers of their pages; `links`: numbers of page and line, and the address. `opens_with`:
    encrypted, with this password."""
    file = Pdf(
        {
            1: b"",
            2: b"",
            3: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        }
    )
    if opens_with is not None:
        file.key = _encrypt(file, opens_with)
    kids = [
        _add_page(file, lines, number, links, packed=packed) for number, lines in enumerate(pages)
    ]
    file.objects[2] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), _references(kids))
    extra = b"/Lang(%s)" % language.encode() if language else b""
    if outline:
        extra += b"/Outlines %d 0 R" % _add_outline(file, outline, kids)
    file.objects[1] = b"<</Type/Catalog/Pages 2 0 R%s>>" % extra
    if title or subject:
        info = b"<</Title%s/Subject%s>>" % (pdf_string(title), pdf_string(subject))
        file.trailer += b"/Info %d 0 R" % file.add(info)
    return file.bytes()


def _references(numbers: Sequence[int]) -> bytes:
    return b" ".join(b"%d 0 R" % number for number in numbers)


def _add_page(
    file: Pdf,
    lines: Sequence[str],
    number: int,
    links: Sequence[tuple[int, int, str]],
    *,
    packed: bool,
) -> int:
    content = bytearray(b"BT /F1 12 Tf 14 TL 50 750 Td\n")
    for line in lines:
        escaped = (
            line.encode("cp1252")
            .replace(b"\\", b"\\\\")
            .replace(b"(", b"\\(")
            .replace(b")", b"\\)")
        )
        content += b"(%s) Tj T*\n" % escaped
    stream = file.add_stream(bytes(content) + b"ET", packed=packed)
    notes = []
    for page, row, address in links:
        if page == number:
            top = 762 - 14 * row
            notes.append(
                file.add(
                    b"<</Type/Annot/Subtype/Link/Rect[50 %d 500 %d]/A<</S/URI/URI(%s)>>>>"
                    % (top - 14, top, address.encode())
                )
            )
    return file.add(
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>"
        b"/Contents %d 0 R/Annots[%s]>>" % (stream, _references(notes))
    )


def _add_outline(file: Pdf, outline: Sequence[tuple[str, int]], kids: Sequence[int]) -> int:
    first = file.next_number
    for position, (name, page) in enumerate(outline):
        following = b"/Next %d 0 R" % (first + position + 1) if position + 1 < len(outline) else b""
        file.add(b"<</Title%s/Dest[%d 0 R/Fit]%s>>" % (pdf_string(name), kids[page], following))
    return file.add(b"<</First %d 0 R/Last %d 0 R>>" % (first, first + len(outline) - 1))


def _encrypt(file: Pdf, password: str) -> bytes:
    """The oldest of the standard's ways, 40 bits of RC4."""
    owner = rc4(hashlib.md5(_padded("owner")).digest()[:5], _padded(password))
    rights = (-4 & 0xFFFFFFFF).to_bytes(4, "little")
    key = hashlib.md5(_padded(password) + owner + rights + _FILE_ID).digest()[:5]
    user = rc4(key, _PADDING)
    number = file.add(
        b"<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P -4>>"
        % (owner.hex().encode(), user.hex().encode())
    )
    identity = _FILE_ID.hex().encode()
    file.trailer += b"/Encrypt %d 0 R/ID[<%s><%s>]" % (number, identity, identity)
    return key


def _padded(password: str) -> bytes:
    return (password.encode() + _PADDING)[:32]


def rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


# Word

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_CORE = (
    '<cp:coreProperties xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:cp="http://schemas.'
    'openxmlformats.org/package/2006/metadata/core-properties">%s</cp:coreProperties>'
)


def zipped(members: dict[str, bytes | str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def paragraph(text: str, style: str = "", properties: str = "") -> str:
    named = f"<w:pStyle w:val={quoteattr(style)}/>" if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{run(text)}</w:p>"


def run(text: str, properties: str = "") -> str:
    kept = f'<w:t xml:space="preserve">{escape(text)}</w:t>'
    return f"<w:r><w:rPr>{properties}</w:rPr>{kept}</w:r>"


def word_xml(body: str, element: str = "document") -> str:
    inside = f"<w:body>{body}</w:body>" if element == "document" else body
    return (
        f'<?xml version="1.0"?><w:{element} xmlns:w="{_W}" xmlns:r="{_R}"'
        ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
        f">{inside}</w:{element}>"
    )


def docx_members(
    body: str, links: dict[str, str] | None = None, styles: str = "", properties: str = ""
) -> dict[str, bytes | str]:
    """The files of a Word document. `links`: addresses by the ids that the body refers to."""
    relations = "".join(
        f'<Relationship Id={quoteattr(name)} Type="{_R}/hyperlink" Target={quoteattr(target)}'
        ' TargetMode="External"/>'
        for name, target in (links or {}).items()
    )
    return {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": (
            f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="a" Type="{_R}/officeDocument"'
            ' Target="word/document.xml"/></Relationships>'
        ),
        "word/document.xml": word_xml(body),
        "word/_rels/document.xml.rels": (
            f'<Relationships xmlns="{_PACKAGE}">{relations}</Relationships>'
        ),
        "word/styles.xml": word_xml(styles, "styles"),
        "docProps/core.xml": _CORE % properties,
    }


def docx(
    body: str, links: dict[str, str] | None = None, styles: str = "", properties: str = ""
) -> bytes:
    return zipped(docx_members(body, links, styles, properties))


# OpenDocument

_ODF = "urn:oasis:names:tc:opendocument:xmlns:"


def odt_members(body: str, styles: str = "", properties: str = "") -> dict[str, bytes | str]:
    spaces = " ".join(
        f'xmlns:{name}="{_ODF}{name}:1.0"' for name in ("office", "text", "table", "style")
    )
    return {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": (
            f'<office:document-content {spaces} xmlns:xlink="http://www.w3.org/1999/xlink">'
            f"<office:automatic-styles>{styles}</office:automatic-styles><office:body>"
            f"<office:text>{body}</office:text></office:body></office:document-content>"
        ),
        "meta.xml": (
            f'<office:document-meta {spaces} xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<office:meta>{properties}</office:meta></office:document-meta>"
        ),
        "META-INF/manifest.xml": f'<m:manifest xmlns:m="{_ODF}manifest:1.0"/>',
    }


def odt(body: str, styles: str = "", properties: str = "") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in odt_members(body, styles, properties).items():
            stored = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, stored)
    return file.getvalue()
