"""How is a plain text written as a PDF? Pages of lines in Helvetica, and headings in bold."""

from textwrap import wrap

_WIDTH, _HEIGHT, _MARGIN = 595, 842, 60  # A4 in points
_LEADING = 14
_ROWS = (_HEIGHT - 2 * _MARGIN) // _LEADING
_COLUMNS = 92
_HEADING = "# "


def write_pdf(title: str, text: str) -> bytes:
    """A line is a paragraph; one that begins with `# ` is a heading."""
    rows = [row for line in text.splitlines() for row in _rows(line)]
    pages = [rows[start : start + _ROWS] for start in range(0, len(rows), _ROWS)]
    first = 5  # the number of the first page's object; its content follows it
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        _font("Helvetica"),
        _font("Helvetica-Bold"),
    ]
    for number, page in enumerate(pages):
        content = _content(page)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_WIDTH} {_HEIGHT}] "
            f"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> "
            f"/Contents {first + 2 * number + 1} 0 R >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    objects.append(b"<< /Title " + _string(title) + b" >>")
    return _file(objects)


def _rows(line: str) -> list[str]:
    if line.startswith(_HEADING):
        return ["", *(_HEADING + row for row in wrap(line.removeprefix(_HEADING), _COLUMNS))]
    return wrap(line, _COLUMNS) or [""]


def _font(name: str) -> bytes:
    return (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()
    )


def _string(text: str) -> bytes:
    raw = text.encode("cp1252", "replace")
    return b"(" + raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"


def _content(rows: list[str]) -> bytes:
    lines = [b"BT", b"%d TL" % _LEADING, b"%d %d Td" % (_MARGIN, _HEIGHT - _MARGIN)]
    for row in rows:
        font = b"/F2 11 Tf" if row.startswith(_HEADING) else b"/F1 10 Tf"
        lines += [font, _string(row.removeprefix(_HEADING)) + b" Tj T*"]
    return b"\n".join([*lines, b"ET"])


def _file(objects: list[bytes]) -> bytes:
    """Objects one after the other, and where each begins. The last one is the document's title."""
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(objects) + 1, len(objects))
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % table)
