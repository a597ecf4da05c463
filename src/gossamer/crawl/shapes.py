"""What a URL has in common with others: its marks.

Addresses without end come from programs, so they have few *shapes*: what is left of a URL when all
that counts up is taken away. `/calendar/2031/04` and `/calendar/2031/05` have one, and so have
`?sort=a&page=1` and `?page=7&sort=b`. What the pages of a shape are worth can be learned from a few
of them. So can what a *parameter* is worth (`print=1`), and whether a *folder* (`/en/...`) or a
*host* (`m.`) holds nothing but the pages of another.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from gossamer.lib.hashing import hash64
from gossamer.records import Exclusion
from gossamer.urls import host_of

_NUMBERS = re.compile(r"\d+")
_COUNTED = re.compile(r"[\d._-]+")
_COUNTS = re.compile(r"(?:/0)+")
# A part of a path in letters and digits, as programs make them up: an id, a hash, a slug.
_MADE_UP = re.compile(r"(?<![^/])(?=[^/]*\d)(?=[^/]*[a-z])[\w-]{8,}(?![^/])", re.IGNORECASE)
_CALENDAR_WORD = re.compile(
    r"calend|kalend|agenda|events?\b|termine|veranstaltung|\bmonth|\bweek|\bdate\b|\bday\b|\byear\b"
)
_DATED = re.compile(r"(?:19|20|21)\d\d(?:[-/.]?(?:0?[1-9]|1[0-2])\b)?")


class Level(StrEnum):
    SHAPE = "shape"
    PARAMETER = "parameter"
    FOLDER = "folder"
    HOST = "host"


class Mark(NamedTuple):
    hash: int
    level: Level
    kind: Exclusion  # what a trap of this mark is called


def _hash(level: Level, text: str) -> int:
    return hash64(f"{level} {text}".encode("utf-8", "replace"))


_HOST = Mark(_hash(Level.HOST, ""), Level.HOST, Exclusion.TRAP_DUPLICATES)


def shape_of(url: str) -> Mark:
    return marks_of(url)[0]


@lru_cache(maxsize=8_192)
def marks_of(url: str) -> tuple[Mark, ...]:
    """The shape first."""
    path, query = _path_and_query(url)
    kind = _kind(path, query)
    marks = [Mark(_hash(Level.SHAPE, _shape(path, query)), Level.SHAPE, kind), _HOST]
    marks += [Mark(_hash(Level.PARAMETER, name), Level.PARAMETER, kind) for name in _names(query)]
    folder, slash, _ = path.partition("/")
    if slash:
        marks.append(Mark(_hash(Level.FOLDER, folder), Level.FOLDER, Exclusion.TRAP_DUPLICATES))
    return tuple(marks)


def are_alike(url: str, other: str) -> bool:
    """Whether they differ in nothing but what counts up (`/2031/04/17` is like `/2031/05`), or in
    parameters alone."""
    if url.partition("?")[0] == other.partition("?")[0]:
        return True
    return _outline(url) == _outline(other)


def to_blame(url: str, original: str, *, brings_links: bool = False) -> frozenset[int]:
    """The marks of the URL by which it differs from that of the page that it repeats. A page of a
    list may look like the one before, and bring links all the same: only a copy of a whole folder
    or host has these elsewhere too."""
    path, query = _path_and_query(url)
    original_path, original_query = _path_and_query(original)
    blamed = set()
    if not brings_links:
        blamed.add(shape_of(url).hash)
        if path == original_path:
            others = original_query.split("&")
            blamed.update(
                _hash(Level.PARAMETER, part.partition("=")[0])
                for part in query.split("&")
                if part and part not in others
            )
    if query == original_query:
        folder, _, rest = path.partition("/")
        if host_of(url) != host_of(original):
            if path == original_path:
                blamed.add(_HOST.hash)
        elif rest == original_path:
            blamed.add(_hash(Level.FOLDER, folder))
    return frozenset(blamed)


def address_rank(url: str) -> tuple[int, int, str]:
    """Of two addresses of one page, the lower is the one to keep."""
    path, query = _path_and_query(url)
    return len(_names(query)), path.count("/"), url


def _path_and_query(url: str) -> tuple[str, str]:
    """Without the first slash."""
    path, _, query = url.split("/", 3)[3].partition("?")
    return path, query


def _names(query: str) -> list[str]:
    return sorted({part.partition("=")[0] for part in query.split("&")}) if query else []


def _shape(path: str, query: str) -> str:
    folder, _, name = path.rpartition("/")
    # The name of a page says nothing about its kind, but for its ending.
    stem, dot, ending = name.rpartition(".")
    if not dot:
        stem, ending = name, ""
    name = "0" if _COUNTED.fullmatch(stem) else "*" if name else ""
    if _NUMBERS.search(folder):
        folder = _NUMBERS.sub("0", _MADE_UP.sub("#", folder))
    return f"{folder}/{name}.{ending}?{'&'.join(_names(query))}"


@lru_cache(maxsize=8_192)
def _outline(url: str) -> str:
    """The shape, with one count for several in a row."""
    return _COUNTS.sub("/0", _shape(*_path_and_query(url)))


def _kind(path: str, query: str) -> Exclusion:
    address = f"{path}?{query}".lower()
    if _DATED.search(address) and _CALENDAR_WORD.search(address):
        return Exclusion.TRAP_CALENDAR
    return Exclusion.TRAP_PARAMETERS if query else Exclusion.TRAP_DUPLICATES
