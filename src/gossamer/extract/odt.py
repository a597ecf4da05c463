"""OpenDocument texts: paragraphs, headings, lists, tables, notes and links."""

from gossamer.extract.document import Document, unreadable
from gossamer.extract.draft import PageDraft
from gossamer.extract.package import Handler, Package, Properties
from gossamer.extract.packaged import Body, PackagedProcessor, read_body
from gossamer.extract.sniff import ODT
from gossamer.records import PieceClass, Unread

_CONTENT = "content.xml"
_PROPERTIES = "meta.xml"
_MANIFEST = "META-INF/manifest.xml"

_SPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_TEXT = f"{_SPACE}text:1.0 "
_STYLE = f"{_SPACE}style:1.0 "
_TARGET = "http://www.w3.org/1999/xlink href"
_KINDS = {
    _TEXT + name: name
    for name in ("p", "h", "a", "s", "tab", "line-break", "list-item", "list-header")
} | {
    f"{_SPACE}table:1.0 table-cell": "cell",
    f"{_STYLE}style": "style",
    # What has been deleted, remarks, and the numbers of notes are not the document's text.
    f"{_TEXT}tracked-changes": "unread",
    f"{_TEXT}note-citation": "unread",
    f"{_SPACE}office:1.0 annotation": "unread",
}

_HEADINGS = [
    *(PieceClass.HEADING_1.value, PieceClass.HEADING_2.value, PieceClass.HEADING_3.value),
    PieceClass.HEADING_LOW.value,
]
_BY_STYLE = {
    "Title": PieceClass.HEADING_1.value,
    "Quotations": PieceClass.QUOTE.value,
    "Preformatted_20_Text": PieceClass.CODE.value,
    "Source_20_Text": PieceClass.CODE.value,
}


class OdtProcessor(PackagedProcessor):
    media_types = frozenset({ODT})

    def _read(self, package: Package, document: Document) -> PageDraft | Unread:
        manifest = _Manifest()
        package.parse_if_whole(_MANIFEST, manifest)
        if manifest.is_encrypted:
            return unreadable("encrypted: it opens with a password only")
        if _CONTENT not in package:
            return unreadable(f"broken: there is no {_CONTENT} in it")
        properties = Properties()
        package.parse_if_whole(_PROPERTIES, properties)
        read_body(package, _CONTENT, _Body(document), document)
        return document.draft(
            title=properties["title"],
            description=properties["subject"] or properties["description"],
            language=properties["language"],
        )


class _Manifest(Handler):
    def __init__(self) -> None:
        self.is_encrypted = False

    def start(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        self.is_encrypted |= name.endswith(" encryption-data")


class _Body(Body):
    def __init__(self, document: Document) -> None:
        self._document = document
        self._parents: dict[str, str] = {}  # of the document's own styles
        self._paragraphs: list[tuple[str, list[str]]] = []  # open ones: class, text
        self._links: list[tuple[str, list[str]]] = []
        self._containers: list[str] = []  # open ones: classes
        self._unread = 0  # elements open within one that is not read

    def start(self, name: str, attributes: dict[str, str]) -> None:
        kind = _KINDS.get(name)
        if self._unread or kind == "unread":
            self._unread += 1
        elif kind in ("p", "h"):
            self._break()
            self._paragraphs.append((self._letter(kind, attributes), []))
        elif kind == "s":
            self.text(" ")
        elif kind == "tab":
            self.text("\t")
        elif kind == "line-break":
            self._break()
        elif kind == "a":
            self._links.append((attributes.get(_TARGET, ""), []))
        elif kind in ("list-item", "list-header"):
            self._containers.append(PieceClass.LIST.value)
        elif kind == "cell":
            self._containers.append(PieceClass.TABLE.value)
        elif kind == "style":
            own = attributes.get(f"{_STYLE}name", "")
            self._parents[own] = attributes.get(f"{_STYLE}parent-style-name", "")

    def end(self, name: str) -> None:
        if self._unread:
            self._unread -= 1
            return
        kind = _KINDS.get(name)
        if kind in ("p", "h") and self._paragraphs:
            self._break()
            self._paragraphs.pop()
        elif kind == "a" and self._links:
            target, texts = self._links.pop()
            if target:
                self._document.link(target, "".join(texts))
        elif kind in ("list-item", "list-header", "cell") and self._containers:
            self._containers.pop()

    def text(self, text: str) -> None:
        if self._unread or not self._paragraphs:
            return
        self._paragraphs[-1][1].append(text)
        if self._links:
            self._links[-1][1].append(text)

    def finish(self) -> None:
        while self._paragraphs:
            self._break()
            self._paragraphs.pop()

    def _break(self) -> None:
        if self._paragraphs:
            letter, texts = self._paragraphs[-1]
            self._document.add("".join(texts), letter)
            texts.clear()

    def _letter(self, kind: str, attributes: dict[str, str]) -> str:
        if kind == "h":
            level = attributes.get(f"{_TEXT}outline-level", "1")
            return _HEADINGS[int(level) - 1 if level in ("1", "2", "3") else -1]
        style = attributes.get(f"{_TEXT}style-name", "")
        letter = _BY_STYLE.get(style) or _BY_STYLE.get(self._parents.get(style, ""))
        container = self._containers[-1] if self._containers else PieceClass.PARAGRAPH.value
        return letter or container
