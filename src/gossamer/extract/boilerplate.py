"""Which lines of a page are its content, and which are boilerplate? From one page alone.

Every line has a shape: running text, a heading, nothing but links, a label like 'Share this'. Text
scores as much as it is long, links and labels score less than nothing. Lines in navigation, and in
what is called boilerplate by its name, never score. If the page says which part of it is the
article, the rest does not score either. The stretch of lines with the highest sum is the content,
less the lines in it that are boilerplate by their shape.
"""

import re
from functools import cache
from typing import NamedTuple

from gossamer.extract.labels import (
    COMMENTS,
    FIRST_LETTERS,
    FIRST_SIGNS,
    LABEL,
    are_comments,
    is_notice,
    label_of,
)
from gossamer.extract.pieces import KINDS, LEVELS, RANKS_AND_KINDS, Pieces, zone

_LONG = 80  # characters: running text, whatever it ends with
_SENTENCE = 20  # the same, where it ends as sentences do
_SENTENCE_ENDS = frozenset('.!?…:;"”’»)。！？：；」』）؟۔।')
_LONGEST_LABEL = 200
_BETWEEN_LINKS = 3  # characters, as ' | '
_SHORTEST_CARD = 30  # a link around several blocks is longer
_LINKED_FACT = 30  # characters
_SHORT_CELL = 27  # even if written in ideographs
_ASIDE = 60  # so much text beside links is running text, whatever the links are
_IDEOGRAPH = "\u2e80"
_IDEOGRAPH_WEIGHT = 3  # as many Latin letters say the same

# Shapes. Of the lines that may be content:
_TEXT = "T"
_PROSE = "t"  # a short sentence
_CODE = "x"
_HEADING = "H"
_ITEM, _CELL, _SHORT = "l", "c", "s"  # short, in a list, in a table, elsewhere
# and of the others, besides those of `labels`:
_LINKED_HEADING = "h"
_LINKS = "L"
_LISTED_LINKS = "j"  # in a list or a table, where the neighbours may be content
_TEASER = "z"
_NAVIGATION = "n"
_BOILERPLATE = "B"  # by its zone

_FURNITURE = -20  # what a line of links or a label scores
_OUTSIDE = -40  # a line that is no content for certain
_WITHIN = -4  # the same, where an article goes on around it
_BELOW_ARTICLE = -15  # where the page has marked its content: a line that is not in it
_LONGEST_GAP = -400  # a long list of links must not cut a page in two

_LITTLE = 140  # so little text does not make an article
_FEW = 0.2  # less than this share of the text is not enough
_MANY = 0.4
_HALF = 0.5
_MOST = 0.6
_WITH_TITLE = 0.25  # is enough for the part of the page that has its title
_BEFORE_COMMENTS = 300  # characters of text

_RUNNING_TEXT = re.compile("[Ttx]+")
_BARRIERS = re.compile("[nB]+")
# Possessive, and from the beginning of a run only: the shapes may be those of a hostile page.
_TEASERS = re.compile(r"(?:h[sLjKc]*+[tT]{1,2}+[sLjKc]*+){2,}|(?:[Lj][sKc]*+[tT][sKc]*+){3,}")
_FEW_LINKS_AMONG_ITEMS = re.compile(r"(?<=[lctT])j{1,5}(?=[lctT])")
_HEADINGS_OF_NOTHING = re.compile(r"(?<!H)H++(?=K*+(?:[LjhzBn]{2}|$))")
_TEASER_LENGTH = 220  # characters, on average; longer ones are the posts of a forum
_TITLE_DISTANCE = 12  # lines from the title to the text
_TRIES = 5  # headings of comments that are looked at
_NEVER = "hLjzKnB"
_CONTENT = str.maketrans("TtxHlcshLjzKnB", "11111110000000")
_LEAD = str.maketrans("TtxHlcshLjzKnB", "11010000000000")
_LINKS_TOO = str.maketrans("TtxHlcshLjzKCnB", "111111111100000")

_IN_NO_BOILERPLATE = {zone(level, " ") for level in LEVELS}
_BELOW = [
    re.compile(f"[{''.join(name for name, (own, _) in RANKS_AND_KINDS.items() if own < rank)}]+")
    for rank in range(1, len(LEVELS))
]


class _Page(NamedTuple):
    """The part of a page between its first and its last line that is no navigation."""

    lines: list[str]
    classes: str
    zones: str
    shapes: str
    scores: list[int]
    texts: dict[str, int]  # zone -> what its text scores


def main_lines(pieces: Pieces, lengths: list[int]) -> str:
    """'1' for a line that is content, '0' for one that is not. `lengths`: of the links' texts."""
    classes = pieces.classes
    first = len(classes) - len(classes.lstrip(_NAVIGATION))
    end = len(classes.rstrip(_NAVIGATION))
    if first >= end:
        return "0" * len(classes)
    page = _shaped(pieces, _linked(pieces, lengths), first, end)
    return "0" * first + _content(page) + "0" * (len(classes) - end)


def _content(page: _Page) -> str:
    ignored = ""
    if page.texts.keys() <= _IN_NO_BOILERPLATE:
        score, main = _judged(page, ignored)
    else:
        everything = sum(page.texts.values())
        uncommented = everything - _text_in(page, "c")
        if _text_in(page, "f") > _MANY * uncommented:
            ignored = "f"
        score, main = _judged(page, ignored)
        # A name that claims nearly all of the text is the name of something else.
        enough = _FEW * uncommented
        enough_uncommented = min(_FEW * everything, _BEFORE_COMMENTS)
        for kinds, least in (("-", enough), ("-=", enough), ("-=c", enough_uncommented)):
            if score < least:
                other_score, other = _judged(page, ignored + kinds)
                if other_score > 2 * score:
                    score, main = other_score, other
    if score < _LITTLE:
        shapes = _shapes_outside(page, ignored)
        links = sum(map(shapes.count, "hLj"))
        if 2 * links >= len(shapes) - shapes.count(_BOILERPLATE):
            main = shapes.translate(_LINKS_TOO)  # a page of links: they are its content
    return main


def _text_in(page: _Page, kinds: str) -> int:
    return sum(text for name, text in page.texts.items() if RANKS_AND_KINDS[name][1] in kinds)


def _linked(pieces: Pieces, lengths: list[int]) -> list[int]:
    """How many characters of each line are links, and what stands between them."""
    lines = pieces.lines
    linked = [0] * (len(lines) + 1)  # one for links behind the last line, or in no line
    goes_on = False
    for place, length in zip(pieces.places, lengths, strict=True):
        if length:
            linked[place] += length + _BETWEEN_LINKS
            if length > _SHORTEST_CARD and 0 <= place < len(lines) and length > len(lines[place]):
                goes_on = True
    if goes_on:  # in the next lines: a link around several blocks
        rest = 0
        for place, line in enumerate(lines):
            length = linked[place] + rest
            rest = max(0, length - len(line) - _BETWEEN_LINKS)
            linked[place] = length - rest
    return linked


def _shaped(pieces: Pieces, linked: list[int], first: int, end: int) -> _Page:
    lines = pieces.lines[first:end]
    classes = pieces.classes[first:end]
    zones = pieces.zones[first:end]
    shapes: list[str] = []
    scores: list[int] = []
    texts = dict.fromkeys(zones, 0)
    short = 0
    for line, letter, place, link in zip(lines, classes, zones, linked[first:end], strict=True):
        size = len(line)
        if letter == "c" and size < _SHORT_CELL and not link:
            shapes.append(_CELL)
            scores.append(1)
            short += size
            continue
        if letter == "n":
            shapes.append(_NAVIGATION)
            scores.append(_OUTSIDE)
            continue
        is_links = link * 2 > size and size - link < _ASIDE
        if not line.isascii() and line[size >> 1] >= _IDEOGRAPH:
            size *= _IDEOGRAPH_WEIGHT
            link *= _IDEOGRAPH_WEIGHT
        if is_links:
            if letter == "l":
                shape, score = _LISTED_LINKS, _FURNITURE
            elif letter == "c":  # of a table of facts, or of one that is the page's layout
                shape, score = _LISTED_LINKS, -5 if size < _LINKED_FACT else _FURNITURE
            elif letter in "1234":
                shape, score = _LINKED_HEADING, -30
            else:
                shape, score = _LINKS, _FURNITURE
        elif letter == "x":
            shape, score = _CODE, size
            texts[place] += size
        elif size >= _LONG and letter not in "1234":
            shape, score = _TEXT, size - link
            if size < _LONGEST_LABEL and is_notice(line):
                shape, score = LABEL, _FURNITURE
            else:
                texts[place] += score
        elif letter == "c":
            shape, score = _CELL, 1
            short += size
        elif (line[:3].lower() in FIRST_LETTERS or line[0] in FIRST_SIGNS) and (
            label := label_of(line)
        ):
            shape, score = label, _FURNITURE
        elif letter in "1234":
            shape, score = _HEADING, 2
        elif size >= _SENTENCE and line[-1] in _SENTENCE_ENDS:
            shape, score = _PROSE, size - link
            texts[place] += score
        elif letter == "l":
            shape, score = _ITEM, max(2, size // 2 - 15)
            short += size
        else:
            shape, score = _SHORT, size // 2 - 15
            short += size
        shapes.append(shape)
        scores.append(score)
    if sum(texts.values()) < _MANY * short:  # verses, addresses, a list of names
        for number, shape in enumerate(shapes):
            if shape in "lcs":
                scores[number] = len(lines[number]) // 2
                texts[zones[number]] += scores[number]
    return _Page(lines, classes, zones, "".join(shapes), scores, texts)


@cache
def _zones_of(kinds: str) -> re.Pattern[str]:
    """Finds stretches of lines in the zones of these kinds."""
    names = "".join(name for name, (_, kind) in RANKS_AND_KINDS.items() if kind in kinds)
    return re.compile(f"[{names}]+")


def _shapes_outside(page: _Page, ignored: str) -> str:
    """The shapes, less those of the lines in boilerplate. `ignored`: kinds that do not count."""
    if page.texts.keys() <= _IN_NO_BOILERPLATE:
        return page.shapes
    kinds = "".join(kind for kind in KINDS[1:] if kind not in ignored)
    spans = [match.span() for match in _zones_of(kinds).finditer(page.zones)] if kinds else []
    return _with(page.shapes, spans, _BOILERPLATE)


def _with(shapes: str, spans: list[tuple[int, int]], shape: str) -> str:
    """The shapes, with another one in these places."""
    parts: list[str] = []
    done = 0
    for begin, end in spans:
        parts += shapes[done:begin], shape * (end - begin)
        done = end
    return "".join(parts) + shapes[done:]


def _judged(page: _Page, ignored: str) -> tuple[int, str]:
    """The score of the content, and the flags of all lines."""
    zones = page.zones
    shapes = _shapes_outside(page, ignored)
    scores = page.scores.copy()
    if COMMENTS in shapes:
        shapes = _without_comments(page.lines, shapes, scores)
    shapes = _without_teasers(shapes, scores)
    title = page.classes.find("1")
    if title >= 0 and shapes[title] != _HEADING:
        title = -1
    if title > 0 and _RUNNING_TEXT.search(shapes, 0, title):
        shapes = _from_title(shapes, scores, title)
    rank = _rank(page, shapes, scores, title)
    for match in _BARRIERS.finditer(shapes):
        begin, end = match.span()
        is_within = 0 < rank <= RANKS_AND_KINDS[zones[begin]][0]
        scores[begin:end] = [_WITHIN if is_within else _OUTSIDE] * (end - begin)
    inside = shapes
    if rank:
        below = [match.span() for match in _BELOW[rank - 1].finditer(zones)]
        for begin, end in below:
            scores[begin:end] = [min(score, _BELOW_ARTICLE) for score in scores[begin:end]]
        inside = _with(shapes, below, _BOILERPLATE)
    begin, end, score = _best_stretch(inside, scores)
    content = inside[begin:end]
    if _LISTED_LINKS in content:
        content = _FEW_LINKS_AMONG_ITEMS.sub(_as_items, content)
    content = _HEADINGS_OF_NOTHING.sub(_as_teasers, content).translate(_CONTENT)
    top = title if begin - _TITLE_DISTANCE <= title < begin else -1
    if top < 0:
        top = shapes.rfind(_HEADING, max(0, begin - _TITLE_DISTANCE), begin)
    if top < 0:
        return score, "0" * begin + content + "0" * (len(shapes) - end)
    lead = shapes[top + 1 : begin].translate(_LEAD)
    return score, f"{'0' * top}1{lead}{content}{'0' * (len(shapes) - end)}"


def _as_items(match: re.Match[str]) -> str:
    return _ITEM * len(match[0])


def _as_teasers(match: re.Match[str]) -> str:
    return _TEASER * len(match[0])


def _without_comments(lines: list[str], shapes: str, scores: list[int]) -> str:
    """Cut off what follows the heading of comments that have no name."""
    place = -1
    for _ in range(_TRIES):
        place = shapes.find(COMMENTS, place + 1)
        if place < 0:
            break
        before = _running_text(shapes[:place], scores)
        if before > _BEFORE_COMMENTS and are_comments(lines, place + 1):
            scores[place:] = [_OUTSIDE] * (len(scores) - place)
            shapes = shapes[:place] + _BOILERPLATE * (len(shapes) - place)
            break
    return shapes.replace(COMMENTS, _HEADING)  # of something else


def _running_text(shapes: str, scores: list[int]) -> int:
    return sum(sum(scores[match.start() : match.end()]) for match in _RUNNING_TEXT.finditer(shapes))


def _without_teasers(shapes: str, scores: list[int]) -> str:
    """Headlines that are links, each with a sentence: they lead to other articles. Unless there
    is not much else."""
    if shapes.count("h") < 2 and shapes.count("L") + shapes.count("j") < 3:
        return shapes
    if _TEASERS.search(shapes) is None:
        return shapes
    everything = _running_text(shapes, scores)
    teasers = []
    for match in _TEASERS.finditer(shapes):
        begin, end = match.span()
        text = _running_text(match[0], scores[begin:end])
        count = sum(map(match[0].count, "Tt"))
        if text <= _MOST * everything and text <= _TEASER_LENGTH * count:
            scores[begin:end] = [_OUTSIDE] * (end - begin)
            teasers.append((begin, end))
    return _with(shapes, teasers, _TEASER)


def _from_title(shapes: str, scores: list[int], title: int) -> str:
    """Without the text above the title, unless the title stands below most of the text."""
    if _running_text(shapes[title:], scores[title:]) < _WITH_TITLE * _running_text(shapes, scores):
        return shapes
    scores[:title] = [_OUTSIDE] * title
    return _BOILERPLATE * title + shapes[title:]


def _rank(page: _Page, shapes: str, scores: list[int], title: int) -> int:
    """How deep in the page's own structure the content lies; 0: the structure does not tell."""
    zones = page.zones
    if len(page.texts) == 1:
        return 0
    texts = [0] * len(LEVELS)
    if shapes is page.shapes:
        for name, text in page.texts.items():
            texts[RANKS_AND_KINDS[name][0]] += text
    else:
        for match in _RUNNING_TEXT.finditer(shapes):
            for place in range(*match.span()):
                texts[RANKS_AND_KINDS[zones[place]][0]] += scores[place]
    everything = sum(texts)
    title_rank = RANKS_AND_KINDS[zones[title]][0] if title >= 0 else 0
    found = 0
    for rank in range(len(LEVELS) - 1, 0, -1):
        found += texts[rank]
        share = _WITH_TITLE if title_rank >= rank else _HALF
        if found > _LITTLE and found >= share * everything:
            return rank
    return 0


def _best_stretch(shapes: str, scores: list[int]) -> tuple[int, int, int]:
    """Where the sum of the scores is highest: begin, end, sum."""
    first = len(shapes) - len(shapes.lstrip(_NEVER))
    last = len(shapes.rstrip(_NEVER))
    best = total = gap = 0
    start = begin = end = first
    for place, score in enumerate(scores[first:last], first):
        if score < 0:
            if gap + score < _LONGEST_GAP:
                score = _LONGEST_GAP - gap
            gap += score
        else:
            gap = 0
        total += score
        if total <= 0:
            total, start = 0, place + 1
        elif total > best:
            best, begin, end = total, start, place + 1
    return begin, end, best
