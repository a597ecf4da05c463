"""The text of a page, one line a block, with the tag class of each line and the zone it lies in.

Text nodes with a mark are put around every block, and then one call to the parser returns all
text, marks included. Splitting it at the marks while keeping a stack of open blocks gives the
lines. That takes half the time of visiting the text nodes one by one.
"""

import re
from collections import deque
from collections.abc import Callable
from itertools import repeat
from operator import attrgetter, getitem
from typing import Any, NamedTuple, cast

import numpy as np
from selectolax.lexbor import LexborNode

from gossamer.extract import names
from gossamer.extract.names import Names
from gossamer.extract.survey import (
    ARTICLE,
    BLOCKS,
    BREAK,
    CONTAINERS,
    FORM,
    HEADER,
    ITEMS,
    LINK,
    MAIN,
    SECTION,
    Selection,
    Survey,
)
from gossamer.records import PieceClass

# Control characters that no page has a use for. A page that holds them all the same gets line
# breaks in strange places, or nothing is known of where its links stand, and nothing worse.
_MARK = "\x1f"
_LINK = "\x02"
_END = "/"
_SAME = " "  # a new line in the same block
_MARK_WITH_CODE = re.compile(f"{_MARK}.?", re.DOTALL)
_SPACE = ord(" ")
_LITTLE_TEXT = 2_500
_SPACES = re.compile("  +")
# All whitespace but the space itself. Looking for each is faster than looking at each character.
_ODD_SPACES = [char for char in map(chr, range(0x3001)) if char.isspace() and char != " "]
_ODD_ASCII_SPACES = [char for char in _ODD_SPACES if char.isascii()]

_OUTSIDE = PieceClass.PARAGRAPH.value
_NAVIGATION = PieceClass.NAVIGATION.value
_CODE_BLOCK = PieceClass.CODE.value
_IN_ARTICLES = (ARTICLE, MAIN, SECTION)
_LETTERS = [*(piece.value for piece in PieceClass), *_IN_ARTICLES, FORM, HEADER]
_CONTAINERS = (_OUTSIDE, *_IN_ARTICLES, FORM, HEADER)


def _inside(outer: str, letter: str) -> str:
    """The class of a block with that letter inside a block of the class `outer`."""
    if outer == _NAVIGATION:
        return outer
    if letter == HEADER:
        return outer if outer == ARTICLE else _NAVIGATION
    if letter in (_OUTSIDE, FORM):
        return outer  # a paragraph of a list item, of a quote, of a cell
    return ARTICLE if letter in _IN_ARTICLES else letter


# --- zones: one character tells how deep in the content a line lies, and in which boilerplate ---

LEVELS = " mab"
"""Outside of everything; in the main part; in an article; in the body of an article."""
KINDS = " -=cf"
"""In no boilerplate; in what is called so by its name; twice in such; in comments; in a form."""
_LEVEL_OF_HINT = {names.MAIN: "m", names.ARTICLE: "a", names.BODY: "b"}
_LEVEL_OF_LETTER = {MAIN: "m", ARTICLE: "a"}


def zone(level: str, kind: str) -> str:
    return chr(ord("A") + LEVELS.index(level) * len(KINDS) + KINDS.index(kind))


RANKS_AND_KINDS = {
    zone(level, kind): (rank, kind) for rank, level in enumerate(LEVELS) for kind in KINDS
}
"""Of the zones: the place of the level among the levels, and the kind."""


def _inside_zone(outer: str, letter: str, hint: str) -> str:
    """The zone inside a block with that letter and that hint of its names."""
    rank, kind = RANKS_AND_KINDS[outer]
    if hint == names.BOILERPLATE or (hint == names.HEADER and LEVELS[rank] in " m"):
        kind = {" ": "-", "f": "-", "-": "=", "=": "=", "c": "c"}[kind]
    elif hint == names.COMMENTS:
        kind = {" ": "c", "f": "c", "-": "=", "=": "=", "c": "c"}[kind]
    elif letter == FORM and kind == " ":
        kind = "f"
    reached = _LEVEL_OF_HINT.get(hint, " "), _LEVEL_OF_LETTER.get(letter, " ")
    return zone(max(LEVELS[rank], *reached, key=LEVELS.index), kind)


# Every kind of block start has a code of one character. All codes are ASCII, as most texts are:
# they must not make a text anything else. An item without an end has a code of its own.
_NO_END = "no end"
_STARTS_AND_HINTS = [
    *((letter, names.NOTHING) for letter in _LETTERS),
    *((letter, hint) for letter in _CONTAINERS for hint in names.HINTS[1:]),
    *((piece.value, _NO_END) for piece in (PieceClass.LIST, PieceClass.TABLE)),
]
_CODES = {start: chr(ord(_END) + 1 + number) for number, start in enumerate(_STARTS_AND_HINTS)}
_START_OF_CODE = {code: start for start, code in _CODES.items()}
_STARTS: dict[str, dict[str, bytes]] = {
    letter: {
        hint: f"{_MARK}{code}".encode() for (own, hint), code in _CODES.items() if own == letter
    }
    for letter in _LETTERS
}
_END_MARK = f"{_MARK}{_END}".encode()
_BREAK_MARK = f"{_MARK}{_SAME}".encode()
_LINK_MARK = _LINK.encode()

# A state is a class and a zone: what is known inside a block. It is kept as the moves out of it:
# the code of a mark -> whether the state comes back at an end mark, and the state behind the mark.
_State = dict[str, Any]
_NAME = "name"  # under which a state keeps its two letters; codes are shorter
_states: dict[str, _State] = {}


def _state(name: str) -> _State:
    if name not in _states:
        state: _State = {_NAME: name}
        state[_SAME] = False, state
        _states[name] = state
    return _states[name]


def _learned(state: _State, code: str) -> tuple[bool, _State]:
    """A move that is made for the first time. There are too many to make them all beforehand."""
    if code not in _START_OF_CODE:
        return False, state  # no mark of ours
    letter, hint = _START_OF_CODE[code]
    class_letter, zone_letter = state[_NAME]
    inner = _inside(class_letter, _NAVIGATION if hint == names.NAVIGATION else letter)
    move = hint != _NO_END, _state(inner + _inside_zone(zone_letter, letter, hint))
    state[code] = move
    return move


_OUTSIDE_STATE = _state(_OUTSIDE + zone(" ", " "))
_SHOWN = str.maketrans({ARTICLE: _OUTSIDE})


class Marked(NamedTuple):
    """The text of a page with all marks, and what must be known to read it."""

    text: str
    links_in_text: list[bool]  # of the elements of links, in document order


class Pieces(NamedTuple):
    lines: list[str]  # whitespace collapsed, none empty
    classes: str  # of the lines: values of PieceClass
    zones: str  # of the lines
    places: list[int]  # of the links: the number of the line that each begins in; -1: in none


def _for_bytes(method: Any) -> Callable[[LexborNode, bytes], None]:
    """A method for text or nodes as it is for bytes: finding out what it was given takes it twice
    as long as all the rest."""
    return cast(
        "Callable[[LexborNode, bytes], None]",
        getattr(method, "__signatures__", {}).get("bytes", method),
    )


# Without a loop of ours: there are some hundred marks on a page.
_each = deque[None](maxlen=0).extend
_before, _after = _for_bytes(LexborNode.insert_before), _for_bytes(LexborNode.insert_after)
_attributes = attrgetter("attributes")

_START_OF_KIND: dict[int, bytes] = {
    **{kind: _STARTS[letter][names.NOTHING] for letter, kind in BLOCKS.items()},
    **{kind: _STARTS[letter][_NO_END] for letter, kind in ITEMS.items()},
    BREAK: _BREAK_MARK,
    LINK: _LINK_MARK,
}
_STARTS_OF_CONTAINER = {kind: _STARTS[letter] for letter, kind in CONTAINERS.items()}
_WITH_START = Selection(_START_OF_KIND)
_WITH_NAMES = Selection(_STARTS_OF_CONTAINER)
_WITH_END = Selection([*BLOCKS.values(), *CONTAINERS.values()])


def mark(found: Survey, known: Names) -> None:
    """Prepare a tree for `pieces` and `one_line_each`."""
    starts = map(_START_OF_KIND.__getitem__, found.selected_kinds(_WITH_START))
    _each(map(_before, found.selected(_WITH_START), starts))
    _each(map(_after, found.selected(_WITH_END), repeat(_END_MARK)))
    containers = list(found.selected(_WITH_NAMES))
    hints = map(known.hint, map(_attributes, containers))
    starts_by_hint = map(_STARTS_OF_CONTAINER.__getitem__, found.selected_kinds(_WITH_NAMES))
    _each(map(_before, containers, map(getitem, starts_by_hint, hints)))
    for node in (*found.unread, *found.frames):
        node.decompose()


def marked_text(body: LexborNode | None, links: list[LexborNode]) -> Marked:
    text = body.text_lexbor() if body is not None else ""
    if text.count(_LINK) == len(links):
        return Marked(text, [True] * len(links))
    # Those in elements whose text is not read have been taken off the tree.
    return Marked(text, [node.parent is not None for node in links])


def pieces(marked: Marked) -> Pieces:
    """The lines of a marked text, and what is known of each."""
    lines: list[str] = []
    states: list[_State] = []
    places: list[int] = []
    open_blocks: list[_State] = []
    state = _OUTSIDE_STATE
    for piece in (_SAME + marked.text).split(_MARK):
        code = piece[:1]
        if code == _END:
            state = open_blocks.pop() if open_blocks else _OUTSIDE_STATE
        else:
            try:
                comes_back, inner = state[code]
            except KeyError:
                comes_back, inner = _learned(state, code)
            if comes_back:
                open_blocks.append(state)
            state = inner
        if len(piece) < 2:
            continue
        if not (text := piece[1:].strip()):
            continue
        if _LINK in text:
            places += [len(lines)] * text.count(_LINK)
            if not (text := text.replace(_LINK, "").strip()):
                continue
        if "\n" in text and state[_NAME][0] == _CODE_BLOCK:
            code_lines = [line for part in text.split("\n") if (line := collapsed(part))]
            lines += code_lines
            states += [state] * len(code_lines)
            continue
        lines.append(text)
        states.append(state)
    both = "".join([state[_NAME] for state in states])
    places = _places(places, marked.links_in_text)
    return Pieces(_all_collapsed(lines), both[::2].translate(_SHOWN), both[1::2], places)


def _places(found: list[int], in_text: list[bool]) -> list[int]:
    if len(found) == len(in_text):
        return found
    if sum(in_text) != len(found):
        return [-1] * len(in_text)  # a page with marks of its own
    rest = iter(found)
    return [next(rest) if is_in_text else -1 for is_in_text in in_text]


def _all_collapsed(lines: list[str]) -> list[str]:
    """`collapsed`, for lines without whitespace at their ends, of which most need nothing."""
    together = "".join(lines)
    odd_spaces = _ODD_ASCII_SPACES if together.isascii() else _ODD_SPACES
    if any(map(together.__contains__, odd_spaces)):
        lines = [line if line.isprintable() else collapsed(line) for line in lines]
    if _has_double_space(together):
        lines = [_SPACES.sub(" ", line) if "  " in line else line for line in lines]
    return lines


def _has_double_space(text: str) -> bool:
    """`"  " in text`, which takes three times as long for a page with all its single ones."""
    if len(text) < _LITTLE_TEXT:
        return "  " in text
    spaces = np.frombuffer(text.encode("utf-8", "replace"), np.uint8) == _SPACE
    return bool((spaces[1:] & spaces[:-1]).any())


def collapsed(text: str) -> str:
    """Without whitespace at the ends, and a single space wherever there is any inside."""
    return " ".join(text.split())


def one_line_each(marked: list[str]) -> list[str]:
    """The texts of parts of a marked tree, each as one line."""
    together = "".join(marked)
    if _MARK in together:
        marked = [_MARK_WITH_CODE.sub(" ", text) if _MARK in text else text for text in marked]
    if _LINK in together:  # of a link inside a link
        marked = [text.replace(_LINK, "") for text in marked]
    return _all_collapsed([text.strip() for text in marked])
