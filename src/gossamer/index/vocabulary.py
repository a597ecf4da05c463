"""The words of one part and their numbers: frequent words have small numbers.

Looking a word up reads a few pages of a file that is sorted by hash: nothing has to be loaded as a
whole, however many words there are.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.index import hash_kernels
from gossamer.lib.hashing import hash64
from gossamer.storage.arrays import mapped, save

ABSENT = -1


class GrowingVocabulary(dict[str, int]):
    """Words get numbers as they come. Used as a mapping, so that no loop of ours is needed."""

    @classmethod
    def of(cls, words: Sequence[str]) -> "GrowingVocabulary":
        """With these words, each once, in the order of their numbers."""
        return cls(zip(words, range(len(words)), strict=True))

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


class CodedWords(NamedTuple):
    """Words as they are looked up, in one part after the other."""

    hashes: NDArray[np.int64]
    letters: NDArray[np.uint8]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, words: Sequence[str]) -> "CodedWords":
        coded = [word.encode() for word in words]
        return cls(
            np.fromiter(map(hash64, coded), np.int64, len(coded)),
            np.frombuffer(b"".join(coded), np.uint8),
            np.cumsum([len(word) for word in coded], dtype=np.int64),
        )


class Vocabulary:
    """The words of a finished part."""

    def __init__(self, folder: Path) -> None:
        self._hashes = mapped(folder / "term-hashes.npy")
        self._numbers = mapped(folder / "term-numbers.npy")
        self._places = mapped(folder / "term-places.npy")
        self._ends = mapped(folder / "term-ends.npy")
        self._letters = mapped(folder / "term-letters.npy")

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
        places = np.empty(len(order), np.uint32)
        places[order] = np.arange(len(order), dtype=np.uint32)
        save(folder / "term-places.npy", places)
        lengths = np.fromiter(map(len, coded), np.int64, len(coded))
        save(folder / "term-ends.npy", np.cumsum(lengths))
        save(folder / "term-letters.npy", np.frombuffer(b"".join(coded), np.uint8))

    def numbers(self, words: CodedWords) -> NDArray[np.int64]:
        """Of each word its number, or `ABSENT`."""
        found: NDArray[np.int64] = hash_kernels.look_up(
            self._hashes, self._numbers, self._ends, self._letters, *words
        )
        return found

    def hashes(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the hashes of these words: the same in all parts."""
        found: NDArray[np.int64] = self._hashes[self._places[numbers]]
        return found

    def numbers_by_hash(self, hashes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Of each word its number, or `ABSENT`, as far as hashes tell."""
        found: NDArray[np.int64] = hash_kernels.look_up_hashes(self._hashes, self._numbers, hashes)
        return found

    def word(self, number: int) -> str:
        return self.words_of(np.array([number]))[0]

    def words_of(self, numbers: NDArray[np.int64]) -> list[str]:
        ends = self._ends[numbers].tolist()
        begins = np.where(numbers > 0, self._ends[numbers - 1], 0).tolist()
        # Slices of a buffer are cheaper than slices of an array.
        letters = memoryview(self._letters)
        return [str(letters[begin:end], "utf-8") for begin, end in zip(begins, ends, strict=True)]

    def are_numbers(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these words begin with a digit."""
        begins = np.where(numbers > 0, self._ends[numbers - 1], 0)
        first = self._letters[begins]
        return np.asarray((first >= ord("0")) & (first <= ord("9")))

    def words(self) -> list[str]:
        """All of them, in the order of their numbers."""
        ends = self._ends.tolist()
        letters = bytes(self._letters)
        return [letters[begin:end].decode() for begin, end in pairwise([0, *ends])]
