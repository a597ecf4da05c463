"""The text of a page, one line a block, and the tag class of each line.

Text nodes with a mark are put around every block, and then one call to the parser returns all
text, marks included. Splitting it at the marks while keeping a stack of open blocks gives the
lines. That takes half the time of visiting the text nodes one by one.
"""

import re

from gossamer.extract.survey import ARTICLE, HEADER, Survey
from gossamer.records import PieceClass

# A control character that no page has a use for. A page that holds it all the same gets line
# breaks in strange places and nothing worse.
_MARK = "\x1f"
_END = "/"
_SAME = " "  # a new line in the same block
_MARK_WITH_CODE = re.compile(f"{_MARK}.?", re.DOTALL)
_SPACES = re.compile("  +")
# All whitespace but the space itself. Looking for each is faster than looking at each character.
_ODD_SPACES = [char for char in map(chr, range(0x3001)) if char.isspace() and char != " "]

_OUTSIDE = PieceClass.PARAGRAPH.value
_CLASSES = [piece.value for piece in PieceClass]


def _inside(outer: str, letter: str) -> str:
    """The class of a block with that letter inside a block of the class `outer`."""
    if outer == PieceClass.NAVIGATION:
        return outer
    if letter == HEADER:
        return outer if outer == ARTICLE else PieceClass.NAVIGATION
    if letter == PieceClass.PARAGRAPH:
        return outer  # a paragraph of a list item, of a quote, of a cell
    return letter


_LETTERS = [*_CLASSES, ARTICLE, HEADER]
_ITEM_CODES = {PieceClass.LIST.value: "L", PieceClass.TABLE.value: "C"}
# The class of a block and the code of a mark inside it -> the new class, and whether the old one
# comes back at an end mark. An item has no end mark.
_MOVES = {
    outer + letter: (str(_inside(outer, letter)), True) for outer in _LETTERS for letter in _LETTERS
} | {
    outer + code: (str(_inside(outer, letter)), False)
    for outer in _LETTERS
    for letter, code in _ITEM_CODES.items()
}
_STARTS = {letter: f"{_MARK}{letter}".encode() for letter in _LETTERS}
_ITEM_STARTS = {letter: f"{_MARK}{code}".encode() for letter, code in _ITEM_CODES.items()}
_END_MARK = f"{_MARK}{_END}".encode()
_BREAK_MARK = f"{_MARK}{_SAME}".encode()
_SHOWN = {letter: letter for letter in _CLASSES} | {ARTICLE: _OUTSIDE}


def mark(found: Survey) -> None:
    """Prepare a tree for `pieces` and `one_line`."""
    for node in (*found.unread, *found.frames):
        node.decompose()
    for letter, node in found.blocks:
        node.insert_before(_STARTS[letter])
        node.insert_after(_END_MARK)
    for letter, node in found.items:
        node.insert_before(_ITEM_STARTS[letter])
    for node in found.breaks:
        node.insert_before(_BREAK_MARK)


def pieces(marked: str) -> tuple[list[str], list[str]]:
    """The lines of a marked text, and the class of each."""
    lines: list[str] = []
    classes: list[str] = []
    open_blocks: list[str] = []
    block = _OUTSIDE
    moves = _MOVES.get
    for piece in (_SAME + marked).split(_MARK):
        code = piece[:1]
        if code == _END:
            block = open_blocks.pop() if open_blocks else _OUTSIDE
        elif (move := moves(block + code)) is not None:
            if move[1]:
                open_blocks.append(block)
            block = move[0]
        if len(piece) < 2 or not (text := piece[1:].strip()):
            continue
        if block == "x" and "\n" in text:
            code_lines = [line for part in text.split("\n") if (line := collapsed(part))]
            lines += code_lines
            classes += "x" * len(code_lines)
            continue
        lines.append(text)
        classes.append(_SHOWN[block])
    return _all_collapsed(lines), classes


def _all_collapsed(lines: list[str]) -> list[str]:
    """`collapsed`, for lines of which most need nothing. None of them becomes empty."""
    together = "".join(lines)
    if any(map(together.__contains__, _ODD_SPACES)):
        lines = [line if line.isprintable() else collapsed(line) for line in lines]
    if "  " in together:
        lines = [_SPACES.sub(" ", line) if "  " in line else line for line in lines]
    return lines


def collapsed(text: str) -> str:
    """Without whitespace at the ends, and a single space wherever there is any inside."""
    return " ".join(text.split())


def one_line(marked: str) -> str:
    """The text of a part of a marked tree as one line."""
    if _MARK in marked:
        marked = _MARK_WITH_CODE.sub(" ", marked)
    return " ".join(marked.split())
