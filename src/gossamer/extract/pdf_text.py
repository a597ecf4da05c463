"""From the lines that are seen on a page of a PDF to paragraphs, list items and headings.

A PDF knows where letters stand, and nothing of paragraphs. A line that fills the page and ends in
the middle of a sentence goes on in the next one; that is all that is guessed. Headings are the
lines that the document's own outline names.
"""

import re
from collections.abc import Mapping

from gossamer.extract.pieces import collapsed
from gossamer.records import PieceClass

_PARAGRAPH = PieceClass.PARAGRAPH.value
_LIST = PieceClass.LIST.value
_HEADINGS = (
    PieceClass.HEADING_1.value,
    PieceClass.HEADING_2.value,
    PieceClass.HEADING_3.value,
)

_FULL = 0.75  # of the longest line of the page
_SHORTEST_FULL = 40
_LONGEST_PARAGRAPH = 4_000
_SENTENCE_ENDS = tuple(".!?:;。！？：；")
_BULLETS = tuple("•‣◦▪▫●○■□➢✓⁃∙·")
_ITEM = re.compile(r"(?:[-–—*]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s")
_LEADERS = re.compile(r"(?:\.\s?){4}")
_NUMBER = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*\.?|[A-Z]\.)\s+")
# The reader puts one of these where a word was divided at the end of a line.
_DIVIDED = re.compile("[\x02\ufffe\u00ad]\\s*")


def heading_name(text: str) -> str:
    """What a line and a name in the outline have in common when they mean the same heading."""
    return _NUMBER.sub("", collapsed(text), count=1).casefold()


def heading_class(level: int) -> str:
    return _HEADINGS[level] if level < len(_HEADINGS) else PieceClass.HEADING_LOW.value


def paragraphs(text: str, headings: Mapping[str, int]) -> list[tuple[str, str]]:
    """(line, class) of a page's text. `headings`: names of the page's headings, by
    `heading_name`, and their levels from 0."""
    lines = [line for raw in _DIVIDED.sub("", text).split("\n") if (line := collapsed(raw))]
    full = max(_SHORTEST_FULL, _FULL * max(map(len, lines), default=0))
    found: list[tuple[str, str]] = []
    may_go_on = False
    position = 0
    while position < len(lines):
        line = lines[position]
        taken, level = _heading(lines, position, headings) if headings else (0, 0)
        if taken:
            heading = " ".join(lines[position : position + taken])
            found.append((heading, heading_class(level)))
            position += taken
            may_go_on = False
            continue
        position += 1
        if may_go_on and _goes_on(line) and len(found[-1][0]) < _LONGEST_PARAGRAPH:
            found[-1] = (_joined(found[-1][0], line), found[-1][1])
        else:
            found.append((line, _LIST if line.startswith(_BULLETS) else _PARAGRAPH))
        may_go_on = (
            len(line) >= full and not line.endswith(_SENTENCE_ENDS) and not _LEADERS.search(line)
        )
    return found


def _heading(lines: list[str], position: int, headings: Mapping[str, int]) -> tuple[int, int]:
    """How many lines from here on are a heading, and its level."""
    for taken in (1, 2):
        level = headings.get(heading_name(" ".join(lines[position : position + taken])))
        if level is not None:
            return min(taken, len(lines) - position), level
    return 0, 0


def _goes_on(line: str) -> bool:
    return not line.startswith(_BULLETS) and not _ITEM.match(line)


def _joined(first: str, second: str) -> str:
    # Scripts that write no spaces between words have none at the end of a line either.
    gap = "" if _is_unspaced(first[-1]) and _is_unspaced(second[0]) else " "
    return f"{first}{gap}{second}"


def _is_unspaced(letter: str) -> bool:
    return "\u2e80" <= letter <= "\u9fff" or "\uf900" <= letter <= "\uffef"
