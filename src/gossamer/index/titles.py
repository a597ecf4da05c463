"""Which part of a title is the page's own, and which is the name of its site?

Most sites put their name behind or before the title of each page ('Moon - Lantern'). Where several
pages of a site share such an end, or most share a beginning, that part names the site. Numbers and
brackets stay: they tell pages apart ('page 2', '(film)').
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

LEAST_SHARED = 5
"""Titles of a site that end alike: the end belongs to the site, not to the page."""
LONGEST_AFFIX = 60
_MOST_ENDS = 3  # 'Bicycles • Boards • The Long Bench'
_FRONT_SHARE = 0.5  # of a site's titles: a shared beginning may as well be the subject of a series
_LONGEST_TITLE = 300  # characters: a longer one is not divided
_SEPARATOR = re.compile(r"\s+[-|–—•·»:]+\s+")


class Affixes(NamedTuple):
    """The parts of a title that may name the site."""

    front: str = ""
    ends: tuple[str, ...] = ()  # from the last one inwards


class OwnTitle(NamedTuple):
    """A title in three pieces that make it up again; the middle one is the page's own."""

    front: str
    own: str
    rest: str


class Cut(NamedTuple):
    """Which affixes of a title name the site."""

    front: bool = False
    ends: int = 0


NO_AFFIXES = Affixes()
NO_CUT = Cut()


def affixes(title: str) -> Affixes:
    places = _separators(title)
    if not places:
        return NO_AFFIXES
    front = _named(title[: places[0][0]])
    ends: list[str] = []
    end = len(title)
    for begin, stop in reversed(places[-_MOST_ENDS:]):
        affix = _named(title[stop:end])
        if not affix:
            break
        ends.append(affix)
        end = begin
    return Affixes(front, tuple(ends))


def cuts(titles: Iterable[tuple[str, Affixes]]) -> list[Cut]:
    """Find the part of each title that names its site. `titles`: the site of each page, and its
    affixes."""
    known = list(titles)
    pages = Counter(site for site, _ in known)
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    fronts: dict[str, Counter[str]] = defaultdict(Counter)
    for site, found in known:
        ends[site].update(set(found.ends))
        if found.front:
            fronts[site][found.front] += 1
    made = []
    for site, found in known:
        shared = 0
        while shared < len(found.ends) and ends[site][found.ends[shared]] >= LEAST_SHARED:
            shared += 1
        count = fronts[site][found.front] if found.front else 0
        is_front = count >= max(LEAST_SHARED, _FRONT_SHARE * pages[site])
        made.append(Cut(is_front, shared) if is_front or shared else NO_CUT)
    return made


def own_title(title: str, cut: Cut) -> OwnTitle:
    """Something always stays: where all parts are the site's, the first one, or the last."""
    if cut == NO_CUT:
        return OwnTitle("", title, "")
    places = _separators(title)
    first, last = 0, len(places)
    if cut.ends:
        last = max(0, last - cut.ends)
    if cut.front and last > 0:
        first = 1
    begin = places[first - 1][1] if first else 0
    end = places[last][0] if last < len(places) else len(title)
    return OwnTitle(title[:begin], title[begin:end], title[end:])


def _separators(title: str) -> list[tuple[int, int]]:
    """Return the separators between the parts of a title: begin and end of each."""
    if len(title) > _LONGEST_TITLE:
        return []
    found = (match.span() for match in _SEPARATOR.finditer(title))
    return [(begin, end) for begin, end in found if begin > 0 and end < len(title)]


def _named(part: str) -> str:
    """A part as it is compared; '' for one that is no name."""
    if len(part) > LONGEST_AFFIX or any(map(str.isdigit, part)):
        return ""
    return part.casefold()
