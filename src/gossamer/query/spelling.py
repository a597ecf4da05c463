"""Better spellings of a query's words, from the words of the index itself.

Candidates are the words that share most q-grams with what was typed, frequent ones a little ahead;
they are ordered by what it costs to write one for the other (`misspelling`) and by how frequent
they are. A word that is known may still be a misspelling of one that is far more frequent.

The words lie in arrays ordered by their length, so that words of a similar length are a stretch of
them. The arrays can be saved and mapped from files: 6 MB for 83,000 words, 85 MB for a million. A
correction takes 0.4 CPU-ms among 83,000 words, 1.3 among a million.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import FormatError
from gossamer.query import misspelling

VERSION = 1
LONGEST = 48
"""Longer words are left out, and are not corrected: nobody types them."""

_CANDIDATES = 400
_SHARED = 0.3  # of the q-grams of what was typed
_LENGTHS_APART = 3
_UNKNOWN_CODE = 65_535
_FREQUENCY_WEIGHT = 0.1  # against costs
_FREQUENCY_WEIGHT_OF_CANDIDATES = 0.025  # against shared q-grams
_KNOWN_MARGIN = 0.4
_SPLIT_COST = 0.3
_JOIN_COST = 0.2
_CHEAPEST = min(_SPLIT_COST, misspelling.DOUBLED)  # of all that can be wrong with a word
_SHORTEST_PART = 2
_FREQUENT = -5.0  # against the most frequent word: a split may leave only such words of two letters
_JOINED_FREQUENCY = 0.3  # of the rarer part, if both parts are words
_BINS = 1024


class Correction(NamedTuple):
    """`distance` is the cost of the misspelling, 0 for the word itself; the best score is first."""

    word: str
    distance: float
    frequency: int
    score: float


class SpellingIndex:
    """Made by `build` or `from_arrays`."""

    def __init__(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        self._arrays = dict(arrays)
        version, self._q, self._bits = (int(number) for number in arrays["about"])
        if version != VERSION:
            raise FormatError(f"The spelling index is of version {version}, not {VERSION}.")
        self._alphabet: NDArray[np.uint32] = arrays["alphabet"].view(np.uint32)
        self._codes: NDArray[np.uint16] = arrays["codes"].view(np.uint16)
        self._offsets: NDArray[np.int32] = arrays["offsets"].view(np.int32)
        self._lengths: NDArray[np.int32] = arrays["length_starts"].view(np.int32)
        self._frequencies: NDArray[np.int64] = arrays["frequencies"].view(np.int64)
        self._priors: NDArray[np.float32] = arrays["priors"].view(np.float32)
        self._gram_counts: NDArray[np.uint8] = arrays["gram_counts"].view(np.uint8)
        self._gram_starts: NDArray[np.int64] = arrays["gram_starts"].view(np.int64)
        self._gram_words: NDArray[np.int32] = arrays["gram_words"].view(np.int32)
        self._letters = misspelling.letter_numbers(self._alphabet)
        self._code_of = {int(character): code for code, character in enumerate(self._alphabet)}

    @classmethod
    def build(
        cls, words: Mapping[str, int] | Iterable[tuple[str, int]], *, q: int = 2
    ) -> "SpellingIndex":
        """`words` with their frequencies, folded as those that will be corrected; `q`: 2 or 3."""
        pairs = words.items() if isinstance(words, Mapping) else words
        kept = {
            word: min(max(int(frequency), 1), 2**62)
            for word, frequency in pairs
            if 0 < len(word) <= LONGEST
        }
        return cls(_arrays(kept, q))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "SpellingIndex":
        """Raises `FormatError` for arrays of another version."""
        return cls(arrays)

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """All there is to save, by name. They may be mapped read-only when they come back."""
        return dict(self._arrays)

    def __len__(self) -> int:
        return len(self._frequencies)

    def frequency(self, word: str) -> int:
        """0 if the word is unknown."""
        number = self._find(word)
        return int(self._frequencies[number]) if number >= 0 else 0

    def correct(self, word: str, limit: int = 5, dearest: float | None = None) -> list[Correction]:
        """The words that were likely meant, the word itself among them if it is known. `dearest`:
        what a misspelling may cost at the most."""
        if not 0 < len(word) <= LONGEST or not len(self):
            return []
        if dearest is None:
            dearest = _dearest(len(word))
        codes = self._encoded(word)
        letters = misspelling.letter_numbers(_characters(word))
        found = _candidates(
            _buckets(codes, self._q, self._bits),
            *self._window(len(word)),
            self._gram_starts,
            self._gram_words,
            self._gram_counts,
            self._priors,
        )
        costs = misspelling.costs(
            codes, letters, self._codes, self._letters, self._offsets, found, dearest
        )
        scores = _FREQUENCY_WEIGHT * self._priors[found] - costs
        scores[costs > dearest] = -np.inf
        best = np.argsort(-scores, kind="stable")[: max(limit, 0)]
        return [
            Correction(
                self._word(int(found[one])),
                round(float(costs[one]), 4),
                int(self._frequencies[found[one]]),
                round(float(scores[one]), 4),
            )
            for one in best.tolist()
            if np.isfinite(scores[one])
        ]

    def correct_query(self, words: Sequence[str]) -> list[str] | None:
        """The words as they were likely meant, some split or joined; `None` if nothing changes.

        Numbers, and words with digits in them, stay as they are.
        """
        best: list[tuple[float, list[str]]] = [(0.0, [])]
        for number, word in enumerate(words):
            score, meant = self._meant(word)
            options = [(best[number][0] + score, [*best[number][1], *meant])]
            if number and (joined := self._joined(words[number - 1], word)) is not None:
                options.append((best[number - 1][0] + joined[0], [*best[number - 1][1], joined[1]]))
            best.append(max(options, key=lambda option: option[0]))
        corrected = best[-1][1]
        return None if corrected == list(words) else corrected

    def joined_query(self, words: Sequence[str], share: float = 1.0) -> list[str] | None:
        """The words with neighbours joined that make a word more frequent than this share of the
        rarer of them; `None` if there are none."""
        found: list[str] = []
        place = 0
        while place < len(words):
            pair = words[place : place + 2]
            number = self._find("".join(pair)) if len(pair) == 2 else -1
            if number >= 0 and self._frequencies[number] > share * min(map(self.frequency, pair)):
                found.append("".join(pair))
                place += 2
            else:
                found.append(words[place])
                place += 1
        return None if len(found) == len(words) else found

    def _meant(self, word: str) -> tuple[float, list[str]]:
        """The best reading of one word, and its score."""
        if not _is_correctable(word):
            return 0.0, [word]
        own = self._find(word)
        kept = self._score(own) + _KNOWN_MARGIN if own >= 0 else -np.inf
        if kept >= -_CHEAPEST:
            return kept, [word]  # not even the most frequent word could be meant instead
        surest = _surest(len(word))
        options = [(found.score, [found.word]) for found in self.correct(word, 1, surest)]
        options += self._splits(word)
        if own >= 0:
            options.append((kept, [word]))
        # What nobody knows is kept only where nothing else can be made of it.
        return max(options, key=lambda option: option[0], default=(-100.0, [word]))

    def _splits(self, word: str) -> list[tuple[float, list[str]]]:
        result: list[tuple[float, list[str]]] = []
        codes = self._encoded(word)
        for place in range(_SHORTEST_PART, min(len(word), LONGEST) - _SHORTEST_PART + 1):
            left = self._find_coded(codes[:place])
            right = self._find_coded(codes[place:]) if left >= 0 else -1
            if right >= 0 and (
                min(place, len(word) - place) > 2
                or min(self._priors[left], self._priors[right]) > _FREQUENT
            ):
                score = self._score(left) + self._score(right) - _SPLIT_COST
                result.append((score, [word[:place], word[place:]]))
        return result

    def _joined(self, left: str, right: str) -> tuple[float, str] | None:
        word = left + right
        number = self._find(word)
        if number < 0 or not (_is_correctable(left) or _is_correctable(right)):
            return None
        parts = [self.frequency(left), self.frequency(right)]
        if not all(parts):
            return self._score(number) - _JOIN_COST, word
        if self._frequencies[number] < _JOINED_FREQUENCY * min(parts):
            return None
        return self._score(number) - _JOIN_COST + 2 * _KNOWN_MARGIN, word

    def _score(self, number: int) -> float:
        return _FREQUENCY_WEIGHT * float(self._priors[number])

    def _encoded(self, word: str) -> NDArray[np.uint16]:
        code_of = self._code_of
        return np.array([code_of.get(ord(one), _UNKNOWN_CODE) for one in word], np.uint16)

    def _window(self, length: int) -> tuple[int, int]:
        """The words whose length is close enough."""
        last = len(self._lengths) - 1
        low = min(max(length - _LENGTHS_APART, 0), last)
        high = min(length + _LENGTHS_APART + 1, last)
        return int(self._lengths[low]), int(self._lengths[high])

    def _word(self, number: int) -> str:
        codes = self._codes[self._offsets[number] : self._offsets[number + 1]]
        return self._alphabet[codes].tobytes().decode("utf-32-le", "surrogatepass")

    def _find(self, word: str) -> int:
        """The number of a word, or -1."""
        return self._find_coded(self._encoded(word[: LONGEST + 1]))

    def _find_coded(self, codes: NDArray[np.uint16]) -> int:
        """The same. Words of one length are in the order of their characters."""
        if not 0 < len(codes) < len(self._lengths) - 1:
            return -1
        low, high = int(self._lengths[len(codes)]), int(self._lengths[len(codes) + 1])
        return int(_search(codes, low, high, self._codes, self._offsets))


def _dearest(length: int) -> float:
    """What a misspelling may cost: beyond it, a guess is worse than none."""
    return 0.8 + 0.3 * length


def _surest(length: int) -> float:
    """What it may cost if nobody asked for a correction. Names and abbreviations are not errors."""
    if length < 4:
        return misspelling.SWAPPED if length == 3 else 0.0
    return 0.25 * length


def _is_correctable(word: str) -> bool:
    return len(word) > 1 and all(unicodedata.category(one)[0] in "LM'’-" for one in word[:LONGEST])


def _characters(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint32)


def _arrays(words: Mapping[str, int], q: int) -> dict[str, NDArray[np.generic]]:
    if q not in (2, 3):
        raise ValueError(f"q-grams are of 2 or 3 characters, not {q}")
    ordered = sorted(words, key=lambda word: (len(word), word))
    characters = _characters("".join(ordered))
    occurs = np.bincount(characters) if len(characters) else np.zeros(1, np.int64)
    alphabet = np.flatnonzero(occurs)
    if len(alphabet) > _UNKNOWN_CODE:
        # More characters than all languages need: words with the rarest are left out.
        common = np.argsort(-occurs, kind="stable")[:_UNKNOWN_CODE]
        kept = set(common.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass"))
        return _arrays({word: words[word] for word in words if kept.issuperset(word)}, q)
    code_of = np.zeros(len(occurs), np.uint16)
    code_of[alphabet] = np.arange(len(alphabet))
    coded = code_of[characters]
    lengths = np.fromiter(map(len, ordered), np.int64, len(ordered))
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    frequencies = np.fromiter((words[word] for word in ordered), np.int64, len(ordered))
    largest = frequencies.max(initial=1)
    bits = 16 if q == 2 else 20
    number_of, bucket_of = _grams(coded, offsets, lengths, q, bits)
    # Sorted here: numpy's own way to unique numbers hashes them, which takes 25 times as long.
    pairs = np.sort(bucket_of.astype(np.int64) << 32 | number_of)
    pairs = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))] if len(pairs) else pairs
    gram_words = (pairs & 0xFFFFFFFF).astype(np.int32)
    gram_starts = np.searchsorted(pairs >> 32, np.arange(2**bits + 1))
    counts = np.bincount(gram_words, minlength=len(ordered))
    return {
        "about": np.array([VERSION, q, bits], np.int64),
        "alphabet": alphabet.astype(np.uint32),
        "codes": coded,
        "offsets": offsets.astype(np.int32),
        "length_starts": np.searchsorted(lengths, np.arange(LONGEST + 2)).astype(np.int32),
        "frequencies": frequencies,
        "priors": np.log(frequencies / largest).astype(np.float32),
        "gram_counts": counts.astype(np.uint8),
        "gram_starts": gram_starts.astype(np.int64),
        "gram_words": gram_words,
    }


def _grams(
    codes: NDArray[np.uint16],
    offsets: NDArray[np.int64],
    lengths: NDArray[np.int64],
    q: int,
    bits: int,
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Every q-gram of every word: the word's number, and the q-gram's."""
    # Each word with q - 1 blanks before it and one behind, all in one row.
    starts = offsets[:-1] + q * np.arange(len(lengths))
    padded = np.zeros(len(codes) + q * len(lengths), np.uint32)
    within = np.arange(len(codes)) - np.repeat(offsets[:-1], lengths)
    padded[np.repeat(starts, lengths) + within + q - 1] = codes.astype(np.uint32) + 1
    grams = lengths + 1
    first = np.repeat(starts, grams)
    within = np.arange(int(grams.sum())) - np.repeat(np.cumsum(grams) - grams, grams)
    mixed = np.zeros(len(first), np.uint32)
    for step in range(q):
        mixed = mixed * np.uint32(65_599) + padded[first + within + step]
    buckets = (mixed * np.uint32(0x9E3779B1)) >> np.uint32(32 - bits)
    return np.repeat(np.arange(len(lengths)), grams), buckets


def _buckets(codes: NDArray[np.uint16], q: int, bits: int) -> NDArray[np.uint32]:
    lengths = np.array([len(codes)], np.int64)
    return np.unique(_grams(codes, np.array([0, len(codes)], np.int64), lengths, q, bits)[1])


@numba.njit(cache=True, nogil=True)
def _search(
    word: NDArray[np.uint16],
    low: int,
    high: int,
    codes: NDArray[np.uint16],
    offsets: NDArray[np.int32],
) -> int:
    """Where a word stands among words of its own length, or -1."""
    while low < high:
        middle = (low + high) // 2
        start = offsets[middle]
        order = 0
        for place in range(len(word)):
            if codes[start + place] != word[place]:
                order = -1 if codes[start + place] < word[place] else 1
                break
        if order == 0:
            return middle
        if order < 0:
            low = middle + 1
        else:
            high = middle
    return -1


@numba.njit(cache=True, nogil=True)
def _candidates(
    buckets: NDArray[np.uint32],
    low: int,
    high: int,
    gram_starts: NDArray[np.int64],
    gram_words: NDArray[np.int32],
    gram_counts: NDArray[np.uint8],
    priors: NDArray[np.float32],
) -> NDArray[np.int32]:
    """The words from `low` to `high` that share most q-grams, frequent ones a little ahead."""
    shared = np.zeros(high - low, np.uint8)
    for bucket in buckets:
        start, end = gram_starts[bucket], gram_starts[bucket + 1]
        place = start + np.searchsorted(gram_words[start:end], low)
        while place < end and gram_words[place] < high:
            shared[gram_words[place] - low] += 1
            place += 1
    # Most words share a q-gram or two: they are passed over before anything is computed of them.
    wanted = max(1, int(len(buckets) * _SHARED))
    passing = np.empty(high - low, np.int32)
    size = 0
    for number in range(high - low):
        passing[size] = low + number
        size += shared[number] >= wanted
    bins = np.empty(size, np.int16)
    histogram = np.zeros(_BINS, np.int32)
    for number in range(size):
        word = passing[number]
        likeness = 2.0 * shared[word - low] / (len(buckets) + gram_counts[word])
        likeness += _FREQUENCY_WEIGHT_OF_CANDIDATES * priors[word]
        place = min(max(int((likeness + 1.0) * (_BINS / 2)), 0), _BINS - 1)
        bins[number] = place
        histogram[place] += 1
    least, kept = _BINS, 0
    while least > 0 and kept + histogram[least - 1] <= _CANDIDATES:
        least -= 1
        kept += histogram[least]
    room = _CANDIDATES - kept  # for some of the bin that is too many for the limit
    result = np.empty(min(size, _CANDIDATES), np.int32)
    kept = 0
    for number in range(size):
        if bins[number] >= least:
            result[kept] = passing[number]
            kept += 1
        elif room > 0 and bins[number] == least - 1:
            result[kept] = passing[number]
            kept += 1
            room -= 1
    return result[:kept]
