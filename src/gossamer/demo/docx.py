"""How is a plain text written for a word processor? As the smallest DOCX that one opens."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from gossamer.demo.html import text as escaped

_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_CORE = "application/vnd.openxmlformats-package.core-properties+xml"
_EPOCH = (2025, 1, 6, 6, 0, 0)  # of all parts: the same bytes whenever they are written


def write_docx(title: str, text: str) -> bytes:
    """A line is a paragraph; one that begins with `# ` is a heading."""
    paragraphs = "".join(map(_paragraph, text.splitlines()))
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_MAIN}.main+xml"/>'
        f'<Override PartName="/docProps/core.xml" ContentType="{_CORE}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/relationships/officeDocument" '
        'Target="word/document.xml"/>'
        f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" '
        'Target="docProps/core.xml"/></Relationships>',
        "docProps/core.xml": f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escaped(title)}</dc:title></cp:coreProperties>",
        "word/document.xml": f'<w:document xmlns:w="{_WORDS}"><w:body>{paragraphs}</w:body>'
        "</w:document>",
    }
    out = BytesIO()
    with ZipFile(out, "w") as package:
        for name, content in parts.items():
            part = ZipInfo(name, _EPOCH)
            part.compress_type = ZIP_DEFLATED
            package.writestr(part, _DECLARATION + content)
    return out.getvalue()


def _paragraph(line: str) -> str:
    heading = line.startswith("# ")
    bold = '<w:rPr><w:b/><w:sz w:val="28"/></w:rPr>' if heading else ""
    return (
        f'<w:p><w:r>{bold}<w:t xml:space="preserve">{escaped(line.removeprefix("# "))}</w:t>'
        "</w:r></w:p>"
    )
