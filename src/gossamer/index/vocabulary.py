"""The words of one part and their numbers: frequent words have small numbers.

Looking a word up reads a few pages of a file that is sorted by hash: nothing has to be loaded as a
whole, however many words there are.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gossamer.index import kernels
from gossamer.index.arrays import mapped, save
from gossamer.lib.hashing import hash64

ABSENT = -1
_REMEMBERED = 20_000
"""Words are looked up several times in a query, and in one query after the other."""


class GrowingVocabulary(dict[str, int]):
    """Words get numbers as they come. Used as a mapping, so that no loop of ours is needed."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class Vocabulary:
    """The words of a finished part."""

    def __init__(self, folder: Path) -> None:
        self._hashes = mapped(folder / "term-hashes.npy")
        self._numbers = mapped(folder / "term-numbers.npy")
        self._ends = mapped(folder / "term-ends.npy")
        self._letters = mapped(folder / "term-letters.npy")
        self._known: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    @staticmethod
    def write(folder: Path, words: Sequence[str]) -> None:
        """`words` in the order of their numbers."""
        coded = [word.encode() for word in words]
        hashes = np.fromiter(map(hash64, coded), np.int64, len(coded))
        order = np.argsort(hashes, kind="stable")
        save(folder / "term-hashes.npy", hashes[order])
        save(folder / "term-numbers.npy", order.astype(np.uint32))
        lengths = np.fromiter(map(len, coded), np.int64, len(coded))
        save(folder / "term-ends.npy", np.cumsum(lengths))
        save(folder / "term-letters.npy", np.frombuffer(b"".join(coded), np.uint8))

    def numbers(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Of each word its number, or `ABSENT`."""
        known = self._known
        new = [word for word in words if word not in known]
        if new:
            if len(known) > _REMEMBERED:
                # A new one: another thread may be reading the old.
                known = self._known = {}
                new = list(words)
            known.update(zip(new, self._looked_up(new), strict=True))
        return np.fromiter(map(known.__getitem__, words), np.int64, len(words))

    def _looked_up(self, words: Sequence[str]) -> list[int]:
        coded = [word.encode() for word in words]
        hashes = np.fromiter(map(hash64, coded), np.int64, len(coded))
        asked = np.frombuffer(b"".join(coded), np.uint8)
        ends = np.cumsum([len(word) for word in coded])
        found: list[int] = kernels.look_up(
            self._hashes, self._numbers, self._ends, self._letters, hashes, asked, ends
        ).tolist()
        return found

    def word(self, number: int) -> str:
        return self.words_of(np.array([number]))[0]

    def words_of(self, numbers: NDArray[np.int64]) -> list[str]:
        ends = self._ends[numbers].tolist()
        begins = np.where(numbers > 0, self._ends[numbers - 1], 0).tolist()
        letters = self._letters
        return [
            letters[begin:end].tobytes().decode() for begin, end in zip(begins, ends, strict=True)
        ]

    def words(self) -> list[str]:
        """All of them, in the order of their numbers."""
        ends = self._ends.tolist()
        letters = bytes(self._letters)
        return [
            letters[begin:end].decode() for begin, end in zip([0, *ends[:-1]], ends, strict=True)
        ]
