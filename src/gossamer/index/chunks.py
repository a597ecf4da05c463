"""Texts to numbered terms, by a table of the chunks that were seen before.

A chunk is what stands between spaces. The analyser reads every chunk by itself, so one that was
read once need not be read again: the table holds its terms, their letters and its words, and a text
of known chunks is put together by compiled loops. What comes out is what the analyser gives.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from random import getrandbits
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.index import chunk_kernels as kernels
from gossamer.index.vocabulary import GrowingVocabulary
from gossamer.index.written import WrittenWords
from gossamer.text import CLOSING_SIGNS, OPENING_SIGNS, Analyser

_LONGEST_KEY = 128  # bytes: what is longer seldom comes again
_USUAL_LETTERS = 64  # bytes of a chunk and of its terms
_FIRST_SLOTS = 1 << 13
_SPACES = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"
"""The ASCII ones. Others may stand in a chunk: the analyser sees them."""


class Read(NamedTuple):
    """The texts of a document as both stores take them: field by field, and behind the fields the
    terms that have no position."""

    terms: NDArray[np.int32]  # their numbers
    capitals: NDArray[np.uint8]  # one a term
    spans: list[int]  # terms in each field
    joined: list[str]  # those of each field with spaces between them


class ChunkTable:
    """Table of known chunks. A full one must forget some before the next document."""

    def __init__(self, analyser: Analyser) -> None:
        self.vocabulary = GrowingVocabulary()
        """The numbers of the terms. They outlive the chunks, so that those of one part agree."""
        self.written = WrittenWords()
        """Of all documents since the table was made, also of those in earlier parts."""
        self._analyser = analyser
        self._room = 3 * analyser.settings.cached_words
        self._kinds = _kinds()
        self._languages = GrowingVocabulary()
        # Of one's own, so that nobody can make up a page whose chunks have the same hashes.
        self._seed = getrandbits(62)
        self._slots = np.full(_FIRST_SLOTS, kernels.UNKNOWN, np.int64)
        # None is ever empty: an empty one has no memory to look at.
        self._chunks = array("i", kernels.no_chunk().tobytes())
        self._known = 1
        self._keys = bytearray(1)
        self._terms = array("i", [0])
        self._capitals = bytearray(1)
        self._letters = bytearray(1)
        self._words = array("i", [0])
        self._recount(())

    @property
    def is_full(self) -> bool:
        letters = (len(self._keys) + len(self._letters)) // _USUAL_LETTERS
        return max(self._known, len(self._word_numbers), letters) > self._room

    def forget(self) -> None:
        """Leave half of the room to the chunks that came again most often. The others are
        forgotten, and so are the counts of all words."""
        rows = self._rows()
        uses = rows[:, kernels.USES]
        order = np.argsort(-uses, kind="stable")
        size = np.maximum(kernels.letters_of(rows) / _USUAL_LETTERS, rows[:, kernels.WORDS_COUNT])
        fits = np.cumsum(np.maximum(size, 1)[order]) <= self._room // 2
        chunks, keys, terms, capitals, letters, words = kernels.moved(
            order[fits & (uses[order] > 0)],
            rows,
            np.frombuffer(self._keys, np.uint8),
            np.frombuffer(self._terms, np.int32),
            np.frombuffer(self._capitals, np.uint8),
            np.frombuffer(self._letters, np.uint8),
            np.frombuffer(self._words, np.int32),
        )
        self._recount(_renumbered(words, self._word_numbers))
        self._chunks = array("i", chunks.tobytes())
        self._known = len(chunks)
        self._keys = bytearray(keys)
        self._terms = array("i", terms.tobytes())
        self._capitals = bytearray(capitals)
        self._letters = bytearray(letters)
        self._words = array("i", words.tobytes())
        self._slots[:] = kernels.UNKNOWN
        kernels.enter(self._slots, self._rows(), 1, self._known)

    def end_part(self) -> None:
        """The next terms may have other numbers."""
        if len(self.vocabulary) > self._room:
            self.forget()
            terms = np.frombuffer(self._terms, np.int32)
            self.vocabulary = GrowingVocabulary.of(_renumbered(terms, self.vocabulary))

    def _recount(self, words: Sequence[str]) -> None:
        self._word_numbers = GrowingVocabulary.of(words)
        self._seen: NDArray[np.int32] = np.zeros((2 * len(words) + 1024, 2), np.int32)
        self._documents = 0

    def take_words(self) -> dict[str, int]:
        """In how many documents each word was counted since this was asked last."""
        counts = self._seen[: len(self._word_numbers), 1].tolist()
        # Words that came after the last that was counted have no count.
        words = zip(self._word_numbers, counts, strict=False)
        taken = {word: count for word, count in words if count}
        self._seen[:, 1] = 0
        return taken

    def read(self, texts: Sequence[str], language: str, counted: Sequence[bool]) -> Read:
        """The texts of the fields of a document. The words of those that are `counted` are."""
        coded = [text.encode("utf-8", "surrogatepass") for text in texts]
        text = b"".join(coded)
        ends = np.array(list(accumulate(map(len, coded))), np.int64)
        language_number = self._languages[language]
        found, field_ends, unknown, _ = kernels.find(
            np.frombuffer(text or b" ", np.uint8),
            ends,
            language_number,
            self._seed + language_number,
            self._kinds,
            self._slots,
            self._rows(),
            np.frombuffer(self._keys, np.uint8),
        )
        kept = self._known
        if len(unknown):
            kept = self._learn(text, language, found, unknown)
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
        if kept < self._known:
            self._cut(kept)
        return Read(terms, capitals, _spans(term_ends), _joined(letters, letter_ends))

    def _rows(self) -> NDArray[np.int32]:
        return np.frombuffer(self._chunks, np.int32).reshape(-1, kernels.COLUMNS)

    def _learn(
        self,
        text: bytes,
        language: str,
        found: NDArray[np.int32],
        unknown: NDArray[np.int64],
    ) -> int:
        """Give numbers to the unknown ones. Returned is the first that is not to be kept."""
        begins, ends, places = unknown.T.tolist()
        keys = [text[begin:end] for begin, end in zip(begins, ends, strict=True)]
        # What is too long to be kept comes last.
        fresh = sorted(dict.fromkeys(keys), key=len)
        first, kept = self._known, self._known + bisect_right(fresh, _LONGEST_KEY, key=len)
        if 2 * kept > len(self._slots):
            self._slots = np.full(4 * len(self._slots), kernels.UNKNOWN, np.int64)
            kernels.enter(self._slots, self._rows(), 1, first)
        self._add(fresh, language, kept)
        numbers = dict(zip(fresh, range(first, self._known), strict=True))
        for place, key in zip(places, keys, strict=True):
            found[place] = numbers[key]
        return kept

    def _add(self, keys: Sequence[bytes], language: str, kept: int) -> None:
        read = self._analyser.reader(language)
        all_terms: list[str] = []
        all_capitals: list[bytes] = []
        all_words: list[str] = []
        counts = array("i")
        for key in keys:
            terms, capitals, extras, words = read(key.decode("utf-8", "surrogatepass"))
            all_terms += terms
            all_terms += extras
            all_capitals.append(capitals.ljust(len(terms) + len(extras), b"\0"))
            all_words += words
            counts.extend((len(key), len(terms), len(extras), len(words)))
        self._keys += b"".join(keys)
        self._terms.extend(map(self.vocabulary.__getitem__, all_terms))
        self._capitals += b"".join(all_capitals)
        self._letters += "".join([f"{term} " for term in all_terms]).encode()
        self._words.extend(map(self._word_numbers.__getitem__, all_words))
        self.written.add(all_words, language)
        self._chunks.frombytes(bytes(4 * kernels.COLUMNS * len(keys)))
        language_number = self._languages[language]
        kernels.lay_out(
            self._rows(),
            self._known,
            np.frombuffer(counts, np.int32).reshape(-1, 4),
            language_number,
            self._seed + language_number,
            np.frombuffer(self._keys, np.uint8),
            np.frombuffer(self._letters, np.uint8),
            self._slots,
            kept,
        )
        self._known += len(keys)

    def _cut(self, known: int) -> None:
        """Forget the last ones from this number on."""
        row = self._chunks[known * kernels.COLUMNS : (known + 1) * kernels.COLUMNS]
        del self._chunks[known * kernels.COLUMNS :]
        del self._keys[row[kernels.KEY] :]
        del self._terms[row[kernels.TERMS] :]
        del self._capitals[row[kernels.TERMS] :]
        del self._letters[row[kernels.LETTERS] :]
        del self._words[row[kernels.WORDS] :]
        self._known = known

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


def _renumbered(numbers: NDArray[np.int32], words: Iterable[str]) -> list[str]:
    """The words that are used, of all whose numbers these were. The first number is nobody's."""
    known = list(words)
    return [known[place] for place in kernels.renumber(numbers[1:], len(known)).tolist()]


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
