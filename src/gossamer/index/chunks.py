"""Texts to numbered terms, by a table of the chunks that were seen before.

A chunk is what stands between spaces. The analyser reads every chunk by itself, so one that was
read once need not be read again: the table holds its terms, their letters and its words, and a text
of known chunks is put together by compiled loops. What comes out is what the analyser gives.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from random import getrandbits
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.index import chunk_kernels as kernels
from gossamer.index.vocabulary import GrowingVocabulary
from gossamer.text import CLOSING_SIGNS, OPENING_SIGNS, Analyser

_LONGEST_KEY = 48  # bytes: what is longer seldom comes again
_FIRST_SLOTS = 1 << 13
_SPACES = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"
"""Those of ASCII. Others may stand in a chunk: the analyser sees them."""


class Read(NamedTuple):
    """The texts of a document as both stores take them: field by field, and behind the fields the
    terms that have no position."""

    terms: NDArray[np.int32]  # their numbers
    capitals: NDArray[np.uint8]  # one a term
    spans: list[int]  # terms in each field
    joined: list[str]  # those of each field with spaces between them


class ChunkTable:
    """What is known of chunks, with an end to its size: when it is full it starts anew."""

    def __init__(
        self,
        analyser: Analyser,
        vocabulary: GrowingVocabulary,
        on_words: Callable[[Mapping[str, int]], None] = lambda _: None,
    ) -> None:
        """`vocabulary` numbers the terms. `on_words` is told now and then in how many documents
        each of the words that people may mean to type was counted."""
        self._analyser = analyser
        self._vocabulary = vocabulary
        self._on_words = on_words
        self._room = 2 * analyser.settings.cached_words
        self._kinds = _kinds()
        self._languages = GrowingVocabulary()
        # Of one's own, so that nobody can make up a page whose chunks have the same hashes.
        self._seed = getrandbits(62)
        self._clear()

    def _clear(self) -> None:
        self._slots = np.full(_FIRST_SLOTS, kernels.UNKNOWN, np.int32)
        # None is ever empty: an empty one has no memory to look at.
        self._chunks = array("i", bytes(4 * kernels.COLUMNS))
        self._known = 1
        self._keys = bytearray(1)
        self._terms = array("i", [0])
        self._capitals = bytearray(1)
        self._letters = bytearray(1)
        self._words = array("i", [0])
        self._word_numbers = GrowingVocabulary()
        self._seen: NDArray[np.int32] = np.zeros((1024, 2), np.int32)
        self._documents = 0

    def flush(self) -> None:
        """Tell the words that were counted, and forget everything."""
        counts = self._seen[: len(self._word_numbers), 1].tolist()
        self._on_words(
            {word: count for word, count in zip(self._word_numbers, counts, strict=False) if count}
        )
        self._clear()

    def read(self, texts: Sequence[str], language: str, counted: Sequence[bool]) -> Read:
        """The texts of the fields of a document. The words of those that are `counted` are."""
        if max(self._known, len(self._word_numbers)) > self._room:
            self.flush()
        coded = [text.encode("utf-8", "surrogatepass") for text in texts]
        text = b"".join(coded)
        ends = np.array(list(accumulate(map(len, coded))), np.int64)
        language_number = self._languages[language]
        found, field_ends, unknown = kernels.find(
            np.frombuffer(text or b" ", np.uint8),
            ends,
            language_number,
            self._seed + language_number,
            self._kinds,
            self._slots,
            self._rows(),
            np.frombuffer(self._keys, np.uint8),
        )
        passing = None
        if len(unknown):
            passing = self._learn(text, language, found, unknown.tolist())
        terms, capitals, term_ends, letters, letter_ends = kernels.emit(
            found,
            field_ends,
            self._rows(),
            np.frombuffer(self._terms, np.int32),
            np.frombuffer(self._capitals, np.uint8),
            np.frombuffer(self._letters, np.uint8),
        )
        if any(counted):
            self._count(found, field_ends, counted)
        if passing is not None:
            self._forget(passing)
        return Read(terms, capitals, _spans(term_ends), _joined(letters, letter_ends))

    def _rows(self) -> NDArray[np.int32]:
        return np.frombuffer(self._chunks, np.int32).reshape(-1, kernels.COLUMNS)

    def _learn(
        self, text: bytes, language: str, found: NDArray[np.int32], unknown: list[list[int]]
    ) -> list[int] | None:
        """Give numbers to the unknown ones. Returned is what to go back to if some are not to be
        kept."""
        keys = [text[begin:end] for begin, end, _ in unknown]
        hashes = dict(zip(keys, (hashed for _, _, hashed in unknown), strict=True))
        short = [key for key in hashes if len(key) <= _LONGEST_KEY]
        first = self._known
        self._add(short, hashes, language)
        self._enter(first)
        numbers = dict(zip(short, range(first, self._known), strict=True))
        sizes = None
        if len(short) < len(hashes):
            sizes = list(map(len, self._arenas()))
            long = [key for key in hashes if len(key) > _LONGEST_KEY]
            first = self._known
            self._add(long, hashes, language)
            numbers.update(zip(long, range(first, self._known), strict=True))
        found[found == kernels.UNKNOWN] = [numbers[key] for key in keys]
        return sizes

    def _add(self, keys: Sequence[bytes], hashes: Mapping[bytes, int], language: str) -> None:
        read = self._analyser.read
        language_number = self._languages[language]
        chunks, term_numbers, word_numbers = self._chunks, self._terms, self._words
        number_of, number_of_word = self._vocabulary.__getitem__, self._word_numbers.__getitem__
        for key in keys:
            terms, capitals, extras, words = read(key.decode("utf-8", "surrogatepass"), language)
            main = (" ".join(terms) + " ").encode() if terms else b""
            further = (" ".join(extras) + " ").encode() if extras else b""
            chunks.extend(
                (
                    *(hashes[key], language_number, len(self._keys), len(key)),
                    *(len(term_numbers), len(terms), len(extras)),
                    *(len(self._letters), len(main), len(further)),
                    *(len(word_numbers), len(words)),
                )
            )
            self._keys += key
            self._letters += main
            self._letters += further
            self._capitals += capitals
            self._capitals += bytes(len(extras))
            term_numbers.extend(map(number_of, terms))
            term_numbers.extend(map(number_of, extras))
            word_numbers.extend(map(number_of_word, words))
        self._known += len(keys)

    def _enter(self, first: int) -> None:
        if 2 * self._known > len(self._slots):
            self._slots = np.full(4 * len(self._slots), kernels.UNKNOWN, np.int32)
            first = 1
        kernels.enter(self._slots, self._rows(), first, self._known)

    def _count(
        self, found: NDArray[np.int32], field_ends: NDArray[np.int64], counted: Sequence[bool]
    ) -> None:
        if len(self._word_numbers) > len(self._seen):
            more = np.zeros((2 * len(self._word_numbers), 2), np.int32)
            more[: len(self._seen)] = self._seen
            self._seen = more
        self._documents += 1
        kernels.count_words(
            found,
            field_ends,
            np.array(counted, np.bool_),
            self._rows(),
            np.frombuffer(self._words, np.int32),
            self._seen,
            self._documents,
        )

    def _arenas(self) -> tuple[Any, ...]:
        return (
            *(self._chunks, self._keys, self._terms),
            *(self._capitals, self._letters, self._words),
        )

    def _forget(self, sizes: list[int]) -> None:
        for arena, size in zip(self._arenas(), sizes, strict=True):
            del arena[size:]
        self._known = len(self._chunks) // kernels.COLUMNS


def _kinds() -> NDArray[np.uint8]:
    kinds = np.zeros(256, np.uint8)
    for kind, signs in (
        (kernels.SPACE, _SPACES),
        (kernels.OPENING, OPENING_SIGNS),
        (kernels.CLOSING, CLOSING_SIGNS),
    ):
        # Of those that take several bytes the analyser takes care.
        kinds[[ord(sign) for sign in signs if sign.isascii()]] |= kind
    return kinds


def _spans(ends: NDArray[np.int64]) -> list[int]:
    bounds = ends.tolist()
    return [end - begin for begin, end in zip([0, *bounds], bounds, strict=False)]


def _joined(letters: NDArray[np.uint8], ends: NDArray[np.int64]) -> list[str]:
    text = letters.tobytes()
    bounds = ends.tolist()
    return [
        text[begin : end - 1].decode() if begin < end else ""  # a space stands behind each term
        for begin, end in zip([0, *bounds], bounds, strict=False)
    ]
