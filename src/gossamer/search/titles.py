"""Titles as somebody would type them: without the name of the site that most of them end with."""

import re
from collections import Counter
from collections.abc import Mapping

_SAME_END = 5  # titles with the same end: it belongs to the site, or tells a page of a list
_MOST_ENDS = 3  # 'Bicycles (page 2) • The Long Bench'
_LONGEST_END = 60
# The part behind the last bar, dash or dot with spaces around it; or what stands in brackets.
_PARTS = re.compile(
    r"(?P<own>.*\S)\s+[-|–—•·»:]+\s+(?P<end>\S.*)|(?P<bare>.*\S)\s+\((?P<in>[^()]+)\)"
)


def own_titles(titles: Mapping[str, int]) -> Counter[str]:
    """The titles without ends that several share, and how often each was there."""
    found = Counter(titles)
    for _ in range(_MOST_ENDS):
        parted = {title: _parted(title) for title in found}
        ends = Counter(end for own, end in parted.values() if own)
        shared = {end for end, count in ends.items() if count >= _SAME_END}
        if not shared:
            break
        shortened: Counter[str] = Counter()
        for title, count in found.items():
            own, end = parted[title]
            shortened[own if own and end in shared else title] += count
        found = shortened
    return found


def _parted(title: str) -> tuple[str, str]:
    """A title's own part and its end; '' for both where it has none."""
    match = _PARTS.fullmatch(title)
    if match is None:
        return "", ""
    own, end = match["own"] or match["bare"], match["end"] or match["in"]
    return (own, _without_numbers(end)) if len(end) <= _LONGEST_END else ("", "")


def _without_numbers(end: str) -> str:
    """Pages of a list differ in their numbers only."""
    return re.sub(r"\d+", "0", end.casefold())
