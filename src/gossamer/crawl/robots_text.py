"""The text of a robots.txt, read as it was meant: which lines are for one crawler.

Groups are those of RFC 9309: only a rule ends a run of 'User-agent' lines. A line that we do not
know, or a 'Crawl-delay', between two of them ends nothing. Keys are forgiven the misspellings that
Google's parser forgives, and two more that real files have. Files that were saved as HTML, and
addresses of sitemaps that stand alone on a line, are understood.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

_AGENT_KEYS = ("user-agent", "useragent", "user agent", "useg-agent")
_DISALLOW_KEYS = (
    *("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "desallow"),
)
_ALLOW_KEYS = ("allow",)
_SITEMAP_KEYS = ("sitemap", "site-map")
_DELAY_KEYS = ("crawl-delay", "crawl delay", "crawldelay")
_LINE_BREAK = re.compile(r"<br[ \t]*/?>|</?p>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_ADDRESS = re.compile(r"https?://[^\s<>]+", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z_-]+")
_EVERYBODY = "*"


class Key(Enum):
    AGENT = "user-agent"
    ALLOW = "allow"
    DISALLOW = "disallow"
    DELAY = "crawl-delay"
    SITEMAP = "sitemap"


_KEYS = {
    **dict.fromkeys(_AGENT_KEYS, Key.AGENT),
    **dict.fromkeys(_DISALLOW_KEYS, Key.DISALLOW),
    **dict.fromkeys(_ALLOW_KEYS, Key.ALLOW),
    **dict.fromkeys(_SITEMAP_KEYS, Key.SITEMAP),
    **dict.fromkeys(_DELAY_KEYS, Key.DELAY),
}
_STARTS = tuple(_KEYS)


class RobotsText(NamedTuple):
    rules: tuple[tuple[Key, str], ...]  # (ALLOW or DISALLOW, path), in their order
    crawl_delay: str  # as written; '' where there is none
    sitemaps: tuple[str, ...]  # each once, in their order


class _Group(NamedTuple):
    rules: list[tuple[Key, str]]
    delays: list[str]


def read_robots(text: str, agent: str) -> RobotsText:
    """The lines for a crawler whose product token is `agent`: those of all groups that name it, or,
    if none does, of the groups for everybody."""
    own, others = _Group([], []), _Group([], [])
    is_named = False
    sitemaps: dict[str, None] = {}
    current: list[_Group] = []
    is_open = False  # more 'User-agent' lines belong to the same group
    for key, value in _directives(text):
        if key is Key.SITEMAP:
            sitemaps[value] = None
        elif key is Key.AGENT:
            if not is_open:
                current = []
            is_open = True
            if _names(value, agent):
                is_named = True
                current.append(own)
            elif _is_everybody(value):
                current.append(others)
        elif key is Key.DELAY:
            for group in current:
                group.delays.append(value)
        else:
            is_open = False
            for group in current:
                group.rules.append((key, value))
    chosen = own if is_named else others
    return RobotsText(tuple(chosen.rules), (chosen.delays or [""])[-1], tuple(sitemaps))


def _directives(text: str) -> Iterator[tuple[Key, str]]:
    for line in _lines(text):
        if _ADDRESS.fullmatch(line):
            yield Key.SITEMAP, line
        elif directive := _directive(line):
            yield directive


def _lines(text: str) -> Iterator[str]:
    """Lines without comments and markup; none is empty."""
    is_markup = _LINE_BREAK.search(text) is not None
    if is_markup:
        text = _LINE_BREAK.sub("\n", text)
    for raw in text.splitlines():
        line = _TAG.sub(" ", raw) if is_markup else raw
        # A '#' within an address that stands alone, or of a sitemap, begins a comment as well.
        if line := line.partition("#")[0].strip():
            yield line


def _directive(line: str) -> tuple[Key, str] | None:
    """The key and the value; as in Google's parser, a key may have more letters behind it, and a
    missing ':' is forgiven."""
    name, colon, value = line.partition(":")
    if colon and (key := _key(name)):
        return key, value.strip()
    lowered = line.lower()
    start = next((start for start in _STARTS if lowered.startswith(start)), "")
    rest = line[len(start) :]
    if start and rest[:1].isspace():
        return _KEYS[start], rest.strip()
    return None


def _key(name: str) -> Key | None:
    name = " ".join(name.lower().split())
    found = next((start for start in _STARTS if name.startswith(start)), "")
    return _KEYS[found] if found and " " not in name[len(found) :] else None


def _is_everybody(value: str) -> bool:
    return value == _EVERYBODY or value.startswith((f"{_EVERYBODY} ", f"{_EVERYBODY}\t"))


def _names(value: str, agent: str) -> bool:
    """Whether the product token is ours: 'Name/1.0 (x)' is 'Name', and 'NameBot' is not."""
    token = _TOKEN.match(value)
    return token is not None and token[0].lower() == agent.lower()
