"""Better spellings of a query's words, from the words of the index itself.

Candidates are the words that share most q-grams with what was typed, frequent ones a little ahead;
they are ordered by what it costs to write one for the other (`misspelling`) and by how frequent
they are. A word that is known may still be a misspelling of one that is far more frequent.

The words lie in arrays ordered by their length, so that words of a similar length are a stretch of
them. The arrays can be saved and mapped from files: 6 MB for 83,000 words, 85 MB for a million. A
correction takes 0.08 CPU-ms among 83,000 words, 0.4 among a million.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import FormatError
from gossamer.lib.kernels import kernel
from gossamer.query import misspelling, qgrams
from gossamer.query.qgrams import LONGEST

VERSION = 1
_LENGTHS_APART = 3
_UNKNOWN_CODE = 65_535
_KNOWN_MARGIN = 0.4
_SPLIT_COST = 0.3
_JOIN_COST = 0.2
_CHEAPEST = min(_SPLIT_COST, misspelling.DOUBLED)  # of all that can be wrong with a word
_SHORTEST_PART = 2
_FREQUENT = -5.0  # against the most frequent word: a split may leave only such words of two letters
_JOINED_FREQUENCY = 0.3  # of the rarer part, if both parts are words
_RIVALS = 4096
_ROUNDING = 1e-3  # what sums of costs and rounded scores may differ by


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
        letters = misspelling.letter_numbers(self._alphabet)
        self._words = misspelling.Words(self._codes, letters, self._offsets, self._priors)
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
        if not 0 < len(word) <= LONGEST or not len(self) or limit < 1:
            return []
        if dearest is None:
            dearest = _dearest(len(word))
        codes = self._encoded(word)
        found = qgrams.candidates(
            codes,
            self._q,
            self._bits,
            *_window(self._lengths, len(word), _LENGTHS_APART),
            self._gram_starts,
            self._gram_words,
            self._gram_counts,
            self._priors,
        )
        letters = misspelling.letters_of(word)
        meant = misspelling.likeliest(codes, letters, self._words, found, dearest, limit)
        return [
            Correction(
                self._word(number),
                round(cost, 4),
                int(self._frequencies[number]),
                round(score, 4),
            )
            for number, cost, score in zip(*(part.tolist() for part in meant), strict=True)
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
        options = []
        surest = _surest(len(word))
        if surest > 0.0 and (own < 0 or self._has_rival(word, kept)):
            options = [(found.score, [found.word]) for found in self.correct(word, 1, surest)]
        options += self._split(word)
        if own >= 0:
            options.append((kept, [word]))
        # What nobody knows is kept only where nothing else can be made of it.
        return max(options, key=lambda option: option[0], default=(-100.0, [word]))

    def _has_rival(self, word: str, kept: float) -> bool:
        """Whether another word may be meant by one that is known and has this score. Only the most
        frequent ones come into question, so that few have to be looked at."""
        rivals, least = self._rivals, kept - _ROUNDING
        if misspelling.FREQUENCY_WEIGHT * rivals.rarer >= least + misspelling.DOUBLED:
            return True  # it may be one of the others, which are too many
        apart = min(int(-least / misspelling.DOUBLED), _LENGTHS_APART)
        low, high = _window(rivals.length_starts, len(word), apart)
        meant = misspelling.likeliest(
            self._encoded(word),
            misspelling.letters_of(word),
            rivals.words,
            np.arange(low, high, dtype=np.int32),
            -least,
            1,
            least,
        )
        return len(meant.words) > 0

    @cached_property
    def _rivals(self) -> "_Rivals":
        rarest = float(self._priors.min())
        least = misspelling.FREQUENCY_WEIGHT * rarest + _KNOWN_MARGIN - 2 * _ROUNDING
        rarer = (least + misspelling.DOUBLED) / misspelling.FREQUENCY_WEIGHT
        if len(self) > _RIVALS:
            rarer = max(rarer, float(np.partition(self._priors, -_RIVALS)[-_RIVALS]))
        return _rivals(self._words, rarer)

    def _split(self, word: str) -> list[tuple[float, list[str]]]:
        """The best way to make two words of one, if there is any."""
        codes = self._encoded(word[: 2 * LONGEST + 1])
        place, score = _best_split(codes, self._lengths, self._codes, self._offsets, self._priors)
        return [(score, [word[:place], word[place:]])] if place else []

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
        return misspelling.FREQUENCY_WEIGHT * float(self._priors[number])

    def _encoded(self, word: str) -> NDArray[np.uint16]:
        code_of = self._code_of
        return np.array([code_of.get(ord(one), _UNKNOWN_CODE) for one in word], np.uint16)

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
        return int(_place_of(codes, low, high, self._codes, self._offsets))


class _Rivals(NamedTuple):
    """The most frequent words, ordered as all words are."""

    words: misspelling.Words
    length_starts: NDArray[np.int32]
    rarer: float  # than all of them: what the others' priors are at the most


def _rivals(words: misspelling.Words, rarer: float) -> _Rivals:
    chosen = np.flatnonzero(words.priors > rarer)
    lengths = np.diff(words.offsets)[chosen]
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    places = np.arange(offsets[-1]) + np.repeat(words.offsets[chosen] - offsets[:-1], lengths)
    few = misspelling.Words(words.codes[places], words.letters, offsets, words.priors[chosen])
    starts = np.searchsorted(lengths, np.arange(LONGEST + 2)).astype(np.int32)
    return _Rivals(few, starts, rarer)


def _window(length_starts: NDArray[np.int32], length: int, apart: int) -> tuple[int, int]:
    """The words whose length is close enough."""
    last = len(length_starts) - 1
    low = min(max(length - apart, 0), last)
    high = min(length + apart + 1, last)
    return int(length_starts[low]), int(length_starts[high])


def _dearest(length: int) -> float:
    """What a misspelling may cost: beyond it, a guess is worse than none."""
    return 0.8 + 0.3 * length


def _surest(length: int) -> float:
    """What it may cost if nobody asked for a correction. Names and abbreviations are not errors."""
    if length < 4:
        return misspelling.SWAPPED if length == 3 else 0.0
    return 0.25 * length


def _is_correctable(word: str) -> bool:
    start = word[:LONGEST]
    return len(word) > 1 and (
        start.isalpha() or all(unicodedata.category(one)[0] in "LM'’-" for one in start)
    )


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
    number_of, bucket_of = qgrams.all_grams(coded, offsets, lengths, q, bits)
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


@kernel("u2[], i8, i8, const u2[], const i4[]", nogil=True)
def _place_of(
    word: NDArray[np.uint16],
    low: int,
    high: int,
    codes: NDArray[np.uint16],
    offsets: NDArray[np.int32],
) -> int:
    return _search(word, low, high, codes, offsets)


@kernel()
def _search(
    word: NDArray[np.uint16],
    low: int,
    high: int,
    codes: NDArray[np.uint16],
    offsets: NDArray[np.int32],
) -> int:
    """Where a word stands among words of its own length, or -1."""
    first, begin = low, offsets[low]
    while low < high:
        middle = (low + high) // 2
        start = begin + (middle - first) * len(word)
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


@kernel("u2[], const i4[], const u2[], const i4[], const f4[]", nogil=True)
def _best_split(
    word: NDArray[np.uint16],
    length_starts: NDArray[np.int32],
    codes: NDArray[np.uint16],
    offsets: NDArray[np.int32],
    priors: NDArray[np.float32],
) -> tuple[int, float]:
    """Where the second of two words begins, or 0, and the score of both."""
    best, best_score = 0, -np.inf
    for place in range(_SHORTEST_PART, min(len(word), LONGEST) - _SHORTEST_PART + 1):
        rest = len(word) - place
        if max(place, rest) > LONGEST:
            continue
        low, high = length_starts[place], length_starts[place + 1]
        left = _search(word[:place], low, high, codes, offsets)
        if left < 0:
            continue
        low, high = length_starts[rest], length_starts[rest + 1]
        right = _search(word[place:], low, high, codes, offsets)
        if right < 0:
            continue
        if min(place, rest) <= 2 and min(priors[left], priors[right]) <= _FREQUENT:
            continue
        score = misspelling.FREQUENCY_WEIGHT * np.float64(priors[left])
        score += misspelling.FREQUENCY_WEIGHT * np.float64(priors[right])
        score -= _SPLIT_COST
        if score > best_score:
            best, best_score = place, score
    return best, best_score
