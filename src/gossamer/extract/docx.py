"""Word documents: paragraphs with the classes of their styles, tables, lists, notes and links."""

import posixpath
import re
from dataclasses import dataclass, field

from gossamer.extract.document import Document, unreadable
from gossamer.extract.docx_styles import Relations, Styles, names, value_of
from gossamer.extract.draft import PageDraft
from gossamer.extract.package import Package, Properties
from gossamer.extract.packaged import Body, PackagedProcessor, read_body
from gossamer.extract.sniff import DOCX
from gossamer.records import PieceClass, RawPage, Unread

_MAIN_PART = "word/document.xml"
_PROPERTIES = "docProps/core.xml"
_NOTES = ("footnotes.xml", "endnotes.xml")
_ENCRYPTED = b"\xd0\xcf\x11\xe0"  # the older kind of file, with the document locked in it

_TABLE = PieceClass.TABLE.value
_PARAGRAPH = PieceClass.PARAGRAPH.value
_FIELD_LINK = re.compile(r'\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))', re.IGNORECASE)
_MAX_OPEN = 100  # fields within fields, paragraphs within text boxes

_KINDS = names(
    "p pStyle outlineLvl numId r t tab br cr noBreakHyphen vanish hyperlink fldSimple fldChar "
    "instrText tc moveFrom footnote endnote"
) | {
    "http://schemas.openxmlformats.org/officeDocument/2006/math t": "t",
    # What is shown where a newer kind of drawing is not understood: the same text again.
    "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback": "Fallback",
}
_UNREAD = frozenset({"moveFrom", "Fallback"})
_FALSE = frozenset({"0", "false", "off"})


class DocxProcessor(PackagedProcessor):
    media_types = frozenset({DOCX})

    def read(self, page: RawPage) -> PageDraft | Unread:
        if page.body.startswith(_ENCRYPTED):
            return unreadable("encrypted: it opens with a password only")
        return super().read(page)

    def _read(self, package: Package, document: Document) -> PageDraft | Unread:
        about = Relations()
        package.parse_if_whole("_rels/.rels", about)
        main = about.parts.get("officeDocument", _MAIN_PART)
        if main not in package:
            return unreadable(f"broken: there is no {main} in it")
        folder = posixpath.dirname(main)
        properties = Properties()
        package.parse_if_whole(about.parts.get("core-properties", _PROPERTIES), properties)
        styles = Styles()
        package.parse_if_whole(posixpath.join(folder, "styles.xml"), styles)
        for part in (main, *(posixpath.join(folder, name) for name in _NOTES)):
            if part in package and not document.is_full:
                _read_part(package, part, styles, document)
        return document.draft(
            title=properties["title"],
            description=properties["subject"] or properties["description"],
            language=properties["language"] or styles.language,
        )


def _read_part(package: Package, part: str, styles: Styles, document: Document) -> None:
    relations = Relations()
    folder, name = posixpath.split(part)
    package.parse_if_whole(posixpath.join(folder, "_rels", f"{name}.rels"), relations)
    read_body(package, part, _Body(document, styles, relations.links), document)


@dataclass(slots=True)
class _Paragraph:
    letter: str = ""  # of its style
    level: str = ""  # in the outline, where the paragraph says so itself
    numbering: str = ""  # its list; '0' for none, whatever the style says
    texts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Field:
    """An instruction, and then what it shows: this is how older programs write links."""

    instruction: list[str] = field(default_factory=list)
    target: str = ""
    is_shown: bool = False
    texts: list[str] = field(default_factory=list)


class _Body(Body):
    def __init__(self, document: Document, styles: Styles, links: dict[str, str]) -> None:
        self._document = document
        self._styles = styles
        self._targets = links
        self._paragraphs: list[_Paragraph] = []
        self._links: list[tuple[str, list[str]]] = []
        self._fields: list[_Field] = []
        self._cells = 0
        self._unread = 0  # elements open within one that is not read
        self._takes = ""  # the kind of the element whose characters matter
        self._is_hidden = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._unread:
            self._unread += 1
            return
        kind = _KINDS.get(name)
        if kind is None:
            return
        if kind in ("t", "instrText"):
            self._takes = kind
        elif kind == "p":
            self._paragraphs.append(_Paragraph())
        elif kind == "r":
            self._is_hidden = False
        elif kind == "tc":
            self._cells += 1
        elif kind in _UNREAD or (kind.endswith("note") and value_of(attributes, "type")):
            self._unread = 1  # a note with a type is the line between text and notes
        else:
            self._start_other(kind, attributes)

    def _start_other(self, kind: str, attributes: dict[str, str]) -> None:
        value = value_of(attributes, "val")
        if kind in ("tab", "noBreakHyphen"):
            self._add(" " if kind == "tab" else "-")
        elif kind in ("br", "cr"):
            self._break()
        elif kind == "hyperlink":
            self._links.append((self._targets.get(value_of(attributes, "id"), ""), []))
        elif kind == "fldSimple":
            self._links.append((_link_in(value_of(attributes, "instr")), []))
        elif kind == "fldChar":
            self._field(value_of(attributes, "fldCharType"))
        elif kind == "vanish":
            self._is_hidden = value not in _FALSE
        elif self._paragraphs:
            paragraph = self._paragraphs[-1]
            if kind == "pStyle":
                paragraph.letter = self._styles.letter(value)
            elif kind == "outlineLvl":
                paragraph.level = value
            elif kind == "numId":
                paragraph.numbering = value

    def end(self, name: str) -> None:
        if self._unread:
            self._unread -= 1
            return
        kind = _KINDS.get(name)
        if kind in ("t", "instrText"):
            self._takes = ""
        elif kind == "p":
            self._break()
            if self._paragraphs:
                self._paragraphs.pop()
        elif kind == "tc":
            self._cells -= 1
        elif kind in ("hyperlink", "fldSimple") and self._links:
            target, texts = self._links.pop()
            if target:
                self._document.link(target, "".join(texts))

    def text(self, text: str) -> None:
        if self._unread:
            return
        if self._takes == "t":
            self._add(text)
        elif self._takes == "instrText" and self._fields and not self._fields[-1].is_shown:
            self._fields[-1].instruction.append(text)

    def finish(self) -> None:
        while self._paragraphs:
            self._break()
            self._paragraphs.pop()

    def _add(self, text: str) -> None:
        if self._is_hidden:
            return
        if self._paragraphs:
            self._paragraphs[-1].texts.append(text)
        if self._links:
            self._links[-1][1].append(text)
        elif self._fields and self._fields[-1].target:
            self._fields[-1].texts.append(text)

    def _break(self) -> None:
        if self._paragraphs and (texts := self._paragraphs[-1].texts):
            self._document.add("".join(texts), self._letter(self._paragraphs[-1]))
            texts.clear()

    def _letter(self, paragraph: _Paragraph) -> str:
        letter = self._styles.letter_at(paragraph.level) or paragraph.letter
        is_list = paragraph.numbering not in ("", "0")
        if letter == PieceClass.LIST and paragraph.numbering == "0":
            letter = ""
        return letter or (is_list and PieceClass.LIST.value) or self._outside

    @property
    def _outside(self) -> str:
        return _TABLE if self._cells > 0 else _PARAGRAPH

    def _field(self, step: str) -> None:
        if step == "begin":
            self._fields.append(_Field())
            del self._fields[:-_MAX_OPEN]
        elif not self._fields:
            return
        elif step == "separate":
            shown = self._fields[-1]
            shown.is_shown = True
            shown.target = _link_in("".join(shown.instruction))
        elif step == "end":
            ended = self._fields.pop()
            if ended.target:
                self._document.link(ended.target, "".join(ended.texts))


def _link_in(instruction: str) -> str:
    found = _FIELD_LINK.match(instruction)
    return (found[1] or found[2] or "") if found else ""
