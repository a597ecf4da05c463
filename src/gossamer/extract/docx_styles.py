"""What the parts of a Word document refer to: styles by their ids, links and parts by relations."""

import posixpath
import re
from dataclasses import dataclass

from gossamer.extract.package import Handler
from gossamer.records import PieceClass

# The same names stand in two namespaces: the one that everybody writes, and the strict one.
_MAIN = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
_REFERENCE = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships ",
    "http://purl.oclc.org/ooxml/officeDocument/relationships ",
)
_RELATION = "http://schemas.openxmlformats.org/package/2006/relationships Relationship"

_CODE, _QUOTE, _LIST = PieceClass.CODE.value, PieceClass.QUOTE.value, PieceClass.LIST.value
_HEADINGS = [
    *(PieceClass.HEADING_1.value, PieceClass.HEADING_2.value, PieceClass.HEADING_3.value),
    *[PieceClass.HEADING_LOW.value] * 6,
]
# Built-in styles have these names in every language; only their ids are translated.
_BY_NAME = (
    {f"heading {number}": letter for number, letter in enumerate(_HEADINGS, start=1)}
    | {"title": PieceClass.HEADING_1.value}
    | dict.fromkeys(["quote", "intense quote", "block text"], _QUOTE)
    | dict.fromkeys(
        ["html preformatted", "macro text", "code", "source code", "preformatted text"], _CODE
    )
    | dict.fromkeys(["list bullet", "list number"], _LIST)
)
_WORD_IN_ID = re.compile(r"(?<=[a-z])(?=[A-Z\d])")
_LONGEST_CHAIN = 20  # of styles that are based on each other


def names(local: str) -> dict[str, str]:
    """Full names of Word's elements -> their short ones."""
    return {space + name: name for space in _MAIN for name in local.split()}


def value_of(attributes: dict[str, str], name: str) -> str:
    for space in _REFERENCE if name == "id" else _MAIN:
        value = attributes.get(space + name)
        if value is not None:
            return value
    return ""


@dataclass(slots=True)
class _Style:
    name: str = ""
    based_on: str = ""
    level: str = ""
    is_list: bool = False


class Styles(Handler):
    """The paragraph styles of a document, and its language."""

    _KINDS = names("style name basedOn outlineLvl numId lang")

    def __init__(self) -> None:
        self.language = ""
        self._styles: dict[str, _Style] = {}
        self._letters: dict[str, str] = {}
        self._open: _Style | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        kind = self._KINDS.get(name)
        if kind is None:
            return
        value = value_of(attributes, "val")
        if kind == "style":
            self._open = self._styles[value_of(attributes, "styleId")] = _Style()
        elif kind == "lang":
            self.language = self.language or value
        elif self._open is None:
            return
        elif kind == "name":
            self._open.name = value.lower()
        elif kind == "basedOn":
            self._open.based_on = value
        elif kind == "outlineLvl":
            self._open.level = value
        elif kind == "numId":
            self._open.is_list = value != "0"

    def end(self, name: str) -> None:
        if self._KINDS.get(name) == "style":
            self._open = None

    def letter(self, style_id: str) -> str:
        """The class of paragraphs of that style; '': nothing special."""
        letter = self._letters.get(style_id)
        if letter is None:
            letter = self._letters[style_id] = self._find(style_id)
        return letter

    @staticmethod
    def letter_at(level: str) -> str:
        """The class of a heading at that level of the outline, which starts at 0."""
        return _HEADINGS[int(level)] if level in _LEVELS else ""

    def _find(self, style_id: str) -> str:
        is_list = False
        for _ in range(_LONGEST_CHAIN):
            style = self._styles.get(style_id)
            if style is None:
                # Without a table of styles, built-in ones still have telling ids.
                name = _WORD_IN_ID.sub(" ", style_id).lower()
                return _BY_NAME.get(name) or (is_list and _LIST) or ""
            letter = _BY_NAME.get(style.name) or self.letter_at(style.level)
            if letter:
                return letter
            is_list = is_list or style.is_list
            style_id = style.based_on
        return ""


_LEVELS = frozenset(str(level) for level in range(len(_HEADINGS)))


class Relations(Handler):
    """What a part refers to: addresses by the ids of links, other parts by their role."""

    def __init__(self) -> None:
        self.links: dict[str, str] = {}
        self.parts: dict[str, str] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name != _RELATION:
            return
        role = attributes.get("Type", "").rpartition("/")[2]
        target = attributes.get("Target", "")
        if role == "hyperlink":
            self.links[attributes.get("Id", "")] = target
        elif attributes.get("TargetMode") != "External":
            self.parts.setdefault(role, posixpath.normpath(target.lstrip("/")))
