"""Terms of scripts that are written without spaces: groups of neighbouring characters."""

import re

from gossamer.text.scripts import HAN, MARKS, SPACELESS
from gossamer.text.splitting import Piece

SPACELESS_RUN = re.compile("|".join(f"[{script}]+" for script in SPACELESS))
"""Characters of one such script; in Japanese, of the three that it mixes."""

_CHARACTER = re.compile(f".[{MARKS}]*")  # with the vowels and tones above, below and behind it
_HAN = re.compile(f"[{HAN}][{MARKS}]*")


def grams(run: str, offset: int, size: int) -> list[Piece]:
    """The terms of a run of one script that begins at `offset` of something.

    The groups overlap, so that a word is found wherever in a run it stands: as the phrase of its
    groups. Smaller groups, down to two characters, and single Chinese ones come without a
    position: words that are shorter than a group can be asked for too.
    """
    edges = [match.start() for match in _CHARACTER.finditer(run)]
    count = len(edges)
    edges.append(len(run))
    size = min(size, count)
    found = [
        Piece(run[start:end], offset + start, offset + end, True, True)
        for start, end in zip(edges, edges[size:], strict=False)
    ]
    for small in range(1, size):
        found += [
            Piece(run[start:end], offset + start, offset + end, False, True)
            for start, end in zip(edges, edges[small:], strict=False)
            if small > 1 or _HAN.match(run, start)
        ]
    return found


def gram_terms(run: str, size: int) -> tuple[list[str], list[str]]:
    """The same terms, those with a position and those without, ten times as fast."""
    characters = _CHARACTER.findall(run)
    size = min(size, len(characters))
    smaller = [gram for small in range(2, size) for gram in _groups(characters, small)]
    single = _HAN.findall(run) if size > 1 else []
    return _groups(characters, size), single + smaller


def _groups(characters: list[str], size: int) -> list[str]:
    return list(map("".join, zip(*[characters[n:] for n in range(size)], strict=False)))
