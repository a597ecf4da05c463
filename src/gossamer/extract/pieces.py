"""The text of a page, one line a block, with the tag class of each line and the zone it lies in.

Text nodes with a mark are put around every block, and then one call to the parser returns all
text, marks included. Splitting it at the marks while keeping a stack of open blocks gives the
lines. That takes half the time of visiting the text nodes one by one.
"""

import re
from collections import deque
from collections.abc import Callable
from itertools import accumulate, compress, repeat
from operator import attrgetter, getitem, itemgetter
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

# On both sides of a mark's code, so that splitting a text gives its parts and the codes in turn. No
# text of a page can hold it: `decode` takes it out, and the parser reads `&#0;` as something else.
_MARK = "\0"
# A control character that no page has a use for. Of a page that holds it all the same, nothing is
# known of where its links stand, and nothing worse.
_LINK = "\x02"
_END = "/"
_SAME = " "  # a new line in the same block
_MARK_WITH_CODE = re.compile(f"{_MARK}.{_MARK}")
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
        hint: f"{_MARK}{code}{_MARK}".encode()
        for (own, hint), code in _CODES.items()
        if own == letter
    }
    for letter in _LETTERS
}
_END_MARK = f"{_MARK}{_END}{_MARK}".encode()
_BREAK_MARK = f"{_MARK}{_SAME}{_MARK}".encode()
_LINK_MARK = _LINK.encode()


# A place is where a text may stand: in which blocks, one in the other. It is kept as the moves out
# of it, from the code of a mark to the place behind the mark. They are learned as pages need them:
# most pages of a site need the same few.
_Place = dict[str, Any]
_NAME = "name"  # under which a place keeps two letters, its class and its zone; codes are shorter
_MOST_PLACES = 20_000  # some megabytes


def _place(name: str, around: _Place | None) -> _Place:
    """`around`: the place behind the end of the innermost block."""
    place: _Place = {_NAME: name}
    place[_SAME] = place
    place[_END] = place if around is None else around
    return place


class _Places:
    """All that are known."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._outside = _place(_OUTSIDE + zone(" ", " "), None)
        self._known = 1

    def along(self, codes: list[str]) -> list[_Place]:
        """The places before, between and behind the marks with these codes."""
        try:
            return list(accumulate(codes, getitem, initial=self._outside))
        except KeyError:
            return self._learned(codes)

    def _learned(self, codes: list[str]) -> list[_Place]:
        """The same where some moves are made for the first time."""
        if self._known > _MOST_PLACES:
            self._forget()
        place = self._outside
        places = [place]
        for code in codes:
            if code not in place:
                place[code] = self._inside(place, *_START_OF_CODE[code])
            place = place[code]
            places.append(place)
        return places

    def _inside(self, place: _Place, letter: str, hint: str) -> _Place:
        self._known += 1
        outer_class, outer_zone = place[_NAME][0], place[_NAME][1]
        inner = _inside(outer_class, _NAVIGATION if hint == names.NAVIGATION else letter)
        name = inner + _inside_zone(outer_zone, letter, hint)
        return _place(name, place[_END] if hint == _NO_END else place)


_places = _Places()


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
_name = itemgetter(_NAME)

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
    parts = marked.text.split(_MARK)
    texts = list(map(str.strip, parts[::2]))
    places = list(compress(_places.along(parts[1::2]), texts))
    texts = list(filter(None, texts))  # half of them, and all that follows is for these alone
    texts_of_links: list[int] = []
    for number in [number for number, text in enumerate(texts) if _LINK in text]:
        text = texts[number]
        texts[number] = text.replace(_LINK, "").strip()
        texts_of_links += [number] * text.count(_LINK)
    both = "".join(map(_name, places))
    if _CODE_BLOCK in both:
        lines, both, first_lines = _with_lines_of_code(texts, places)
        lines_of_links = [first_lines[number] for number in texts_of_links]
    elif all(texts):
        lines, lines_of_links = texts, texts_of_links
    else:  # a mark of a link was all there was
        first_lines = list(accumulate(map(bool, texts), initial=0))
        lines_of_links = [first_lines[number] for number in texts_of_links]
        both = "".join(map(_name, compress(places, texts)))
        lines = list(filter(None, texts))
    return Pieces(
        _all_collapsed(lines),
        both[::2].replace(ARTICLE, _OUTSIDE),
        both[1::2],
        _all_places(lines_of_links, marked.links_in_text),
    )


def _with_lines_of_code(texts: list[str], places: list[_Place]) -> tuple[list[str], str, list[int]]:
    """Lines, the names of their places, and the number of the first line of each text, where line
    breaks count."""
    lines: list[str] = []
    both: list[str] = []
    first_lines: list[int] = []
    for text, place in zip(texts, places, strict=True):
        first_lines.append(len(lines))
        found = [text] if text else []
        if "\n" in text and place[_NAME][0] == _CODE_BLOCK:
            found = [line for part in text.split("\n") if (line := collapsed(part))]
        lines += found
        both += [place[_NAME]] * len(found)
    return lines, "".join(both), first_lines


def _all_places(found: list[int], in_text: list[bool]) -> list[int]:
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
