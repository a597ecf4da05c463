"""Which words do the documents of a language hold, as they are written?

In: words, while documents are read. Out: whether a word was among them. Terms do not tell: they are
stems, and different words of two languages have the same.
"""

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from gossamer.lib.hashing import hash64
from gossamer.matches import Ints
from gossamer.storage.arrays import mapped, save
from gossamer.text import read_as

_FILE = "written.npy"
_MOST_WAITING = 1_000_000


class WrittenWords:
    """Collects written words by their hashes."""

    def __init__(self) -> None:
        self._known: Ints = np.empty(0, np.int64)
        self._waiting = array("q")

    def add(self, words: Iterable[str], language: str) -> None:
        """`language`: as documents are marked with it."""
        code = read_as(language)
        if code:  # else words are their own terms
            self._waiting.extend([_key(word, code) for word in words])
            if len(self._waiting) > _MOST_WAITING:
                self._sort()

    def write(self, folder: Path) -> None:
        self._sort()
        save(folder / _FILE, self._known)

    def _sort(self) -> None:
        self._known = np.union1d(self._known, np.frombuffer(self._waiting, np.int64))
        self._waiting = array("q")


def write_joined(folder: Path, sources: Sequence[Path]) -> None:
    """Write those of several parts into the folder of one."""
    known = [mapped(source / _FILE) for source in sources]
    save(folder / _FILE, np.unique(np.concatenate(known)))


class Written:
    """The written words of a finished part."""

    def __init__(self, folder: Path) -> None:
        self._known: Ints = mapped(folder / _FILE)

    def holds(self, word: str, language: str) -> bool:
        """`word`: folded, as the analyser gives it. `language`: as it is read."""
        key = _key(word, language)
        place = int(np.searchsorted(self._known, key))
        return place < len(self._known) and int(self._known[place]) == key


def _key(word: str, language: str) -> int:
    return hash64(f"{language} {word}".encode("utf-8", "surrogatepass"))
