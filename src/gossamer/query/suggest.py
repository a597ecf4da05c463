"""Completions while somebody types: titles, frequent phrases, past queries.

What was typed is looked for at the beginning of each entry, and at the beginning of each word
within it; what is found at the beginning counts more. If nothing matches, one typing error is
forgiven from the second letter on.

The entries lie in the order of their weights, the heaviest first, as one text. Two arrays hold the
places where entries and where their inner words begin, in the order of what follows there: all that
begins alike is a stretch of them, which is found by bisection. The heaviest of a stretch is the
smallest place in it; the minima of blocks, and of blocks of blocks, lead there without reading a
stretch, so that one letter is completed as fast as twenty.
"""

import heapq
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import FormatError
from gossamer.lib.kernels import kernel

VERSION = 1
LONGEST = 200
"""Characters of an entry; longer ones are left out."""

_LONGEST_PREFIX = 100
_BLOCK = 64
_SORTED_AT_ONCE = 4096
_LEVELS = 3
_ORDERED_BYTES = 32  # what places are ordered by; of more letters, the rest is compared
_INNER_WEIGHT = 0.3
_SHORTEST_WITH_ERROR = 4
_MOST_ERROR_PLACES = 12
_MOST_ERRORS = 6  # that match something, and are followed
_MOST_COMPARED = 5_000
_ALPHABET = 40
_LARGEST = 1e30
_END = 10  # a line feed stands behind every entry

_SPACES = re.compile(r"\s+")


class Suggestion(NamedTuple):
    text: str
    weight: float


def fold(text: str) -> str:
    """In lower case, without accents, with single spaces."""
    if not text.isascii():
        parts = unicodedata.normalize("NFKD", text.casefold())
        text = "".join(one for one in parts if not unicodedata.combining(one))
    return " ".join(text.lower().split())


class SuggestionIndex:
    """Made by `build` or `from_arrays`."""

    def __init__(
        self, arrays: Mapping[str, NDArray[np.generic]], fold: Callable[[str], str]
    ) -> None:
        if int(arrays["about"].view(np.int64)[0]) != VERSION:
            raise FormatError("The suggestions are of another version: build them again.")
        self._arrays = dict(arrays)
        self._fold = fold
        self._texts: NDArray[np.uint8] = arrays["texts"].view(np.uint8)
        self._text_ends: NDArray[np.int64] = arrays["text_ends"].view(np.int64)
        self._folded: NDArray[np.uint8] = arrays["folded"].view(np.uint8)
        self._folded_ends: NDArray[np.int64] = arrays["folded_ends"].view(np.int64)
        self._weights: NDArray[np.float32] = arrays["weights"].view(np.float32)
        self._starts = _Places.of(arrays, "starts", self._folded)
        self._inner = _Places.of(arrays, "inner", self._folded)
        self._alphabet = arrays["alphabet"].tobytes().decode("utf-32-le", "replace")

    @classmethod
    def build(
        cls, entries: Iterable[tuple[str, float]], *, fold: Callable[[str], str] = fold
    ) -> "SuggestionIndex":
        """Of entries that are the same when folded, the heaviest stays."""
        return cls(_arrays(entries, fold), fold)

    @classmethod
    def from_arrays(
        cls,
        arrays: Mapping[str, NDArray[np.generic]],
        *,
        fold: Callable[[str], str] = fold,
    ) -> "SuggestionIndex":
        """`fold` must be the one that the index was built with. Raises `FormatError`."""
        return cls(arrays, fold)

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """All there is to save, by name. They may be mapped read-only when they come back."""
        return dict(self._arrays)

    def __len__(self) -> int:
        return len(self._weights)

    def suggest(self, prefix: str, limit: int = 10) -> list[Suggestion]:
        """The heaviest entries that go on from what was typed."""
        prefix = prefix[:_LONGEST_PREFIX]
        folded = self._fold(prefix)
        if not folded or limit < 1:
            return []
        # A space behind a word says that the word is complete.
        if prefix[-1:].isspace() and (found := self._matching([folded + " "], limit)):
            return found
        return self._matching([folded], limit) or self._matching(self._errors(folded), limit)

    def _matching(self, prefixes: Iterable[str], limit: int) -> list[Suggestion]:
        scores: dict[int, float] = {}
        for prefix in prefixes:
            wanted = prefix.encode("utf-8", "replace")
            for places, factor in ((self._starts, 1.0), (self._inner, _INNER_WEIGHT)):
                for entry in self._heaviest(places, wanted, limit):
                    score = factor * float(self._weights[entry])
                    scores[entry] = max(score, scores.get(entry, -math.inf))
        best = heapq.nsmallest(limit, scores, key=lambda entry: (-scores[entry], entry))
        return [Suggestion(self._text(entry), float(self._weights[entry])) for entry in best]

    def _heaviest(self, places: "_Places", wanted: bytes, limit: int) -> list[int]:
        """The numbers of the first entries, of those that have `wanted` at one of the places."""
        result: dict[int, None] = {}
        for number, place in enumerate(places.smallest(*places.bounds(wanted))):
            if len(result) == limit or number == _MOST_COMPARED:
                break
            if len(wanted) > _ORDERED_BYTES:
                here = self._folded[place : place + len(wanted)].tobytes()
                if here != wanted:
                    continue
            result[int(np.searchsorted(self._folded_ends, place, "right"))] = None
        return list(result)

    def _errors(self, prefix: str) -> list[str]:
        """What is one typing error away from the prefix, and matches."""
        if len(prefix) < _SHORTEST_WITH_ERROR:
            return []
        variants = list(dict.fromkeys(_variants(prefix, self._alphabet)))
        encoded = [variant.encode("utf-8", "replace")[:_ORDERED_BYTES] for variant in variants]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        padded = b"".join([one.ljust(_ORDERED_BYTES, b"\0") for one in encoded])
        wanted = np.frombuffer(padded, np.uint8).reshape(-1, _ORDERED_BYTES)
        found = self._starts.matched(wanted, lengths) | self._inner.matched(wanted, lengths)
        return [variants[number] for number in np.flatnonzero(found)[:_MOST_ERRORS].tolist()]

    def _text(self, entry: int) -> str:
        start = int(self._text_ends[entry - 1]) if entry else 0
        return self._texts[start : int(self._text_ends[entry])].tobytes().decode("utf-8", "replace")


class _Places:
    """Places in a text in the order of what follows there, with the minima of their blocks."""

    def __init__(self, levels: list[NDArray[np.uint32]], folded: NDArray[np.uint8]) -> None:
        self._levels = levels
        self._folded = folded

    @classmethod
    def of(
        cls, arrays: Mapping[str, NDArray[np.generic]], name: str, folded: NDArray[np.uint8]
    ) -> "_Places":
        levels = [arrays[f"{name}_{level}"].view(np.uint32) for level in range(_LEVELS + 1)]
        return cls(levels, folded)

    def bounds(self, wanted: bytes) -> tuple[int, int]:
        """The stretch of places where the first bytes of `wanted` follow."""
        head = np.frombuffer(wanted[:_ORDERED_BYTES], np.uint8)
        low, high = _stretch(self._folded, self._levels[0], head)
        return low, high

    def matched(self, wanted: NDArray[np.uint8], lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """For each row of `wanted`, whether its first bytes follow anywhere."""
        found: NDArray[np.bool_] = _matched(self._folded, self._levels[0], wanted, lengths)
        return found

    def smallest(self, low: int, high: int) -> Iterator[int]:
        """The places of a stretch, the smallest first."""
        if high - low <= _SORTED_AT_ONCE:
            yield from np.sort(self._levels[0][low:high]).tolist()
            return
        heap: list[tuple[int, int, int]] = []
        for level in range(_LEVELS + 1):
            if level == _LEVELS or high - low <= 2 * _BLOCK:
                self._push(heap, level, low, high)
                break
            above_low, above_high = -(-low // _BLOCK), high // _BLOCK
            self._push(heap, level, low, above_low * _BLOCK)
            self._push(heap, level, above_high * _BLOCK, high)
            low, high = above_low, above_high
        heapq.heapify(heap)
        while heap:
            value, level, number = heapq.heappop(heap)
            if level == 0:
                yield value
                continue
            first = number * _BLOCK
            below: list[tuple[int, int, int]] = []
            self._push(below, level - 1, first, first + _BLOCK)
            for one in below:
                heapq.heappush(heap, one)

    def _push(self, heap: list[tuple[int, int, int]], level: int, low: int, high: int) -> None:
        values = self._levels[level][low:high].tolist()
        heap += [(value, level, low + number) for number, value in enumerate(values)]


@kernel("const u1[], const u4[], const u1[]", nogil=True)
def _stretch(
    folded: NDArray[np.uint8], places: NDArray[np.uint32], wanted: NDArray[np.uint8]
) -> tuple[int, int]:
    return _bisect(folded, places, wanted, False), _bisect(folded, places, wanted, True)


@kernel()
def _bisect(
    folded: NDArray[np.uint8], places: NDArray[np.uint32], wanted: NDArray[np.uint8], after: bool
) -> int:
    """The first place where what follows is not before `wanted`, or where it is after it."""
    low, high = 0, len(places)
    while low < high:
        middle = (low + high) // 2
        start = np.int64(places[middle])
        order = 0
        for step in range(len(wanted)):
            here = folded[start + step]
            if here != wanted[step]:
                order = -1 if here < wanted[step] else 1
                break
        if order < 0 or (after and order == 0):
            low = middle + 1
        else:
            high = middle
    return low


@kernel("const u1[], const u4[], const u1[,], i8[]", nogil=True)
def _matched(
    folded: NDArray[np.uint8],
    places: NDArray[np.uint32],
    wanted: NDArray[np.uint8],
    lengths: NDArray[np.int64],
) -> NDArray[np.bool_]:
    result = np.zeros(len(wanted), np.bool_)
    for number in range(len(wanted)):
        row = wanted[number, : lengths[number]]
        low = _bisect(folded, places, row, False)
        if low < len(places):
            start = np.int64(places[low])
            result[number] = True
            for step in range(len(row)):
                if folded[start + step] != row[step]:
                    result[number] = False
                    break
    return result


def _variants(prefix: str, alphabet: str) -> Iterator[str]:
    """All that is one error away; the first letter, and what is far behind, is taken as right."""
    for place in range(1, min(len(prefix), _MOST_ERROR_PLACES)):
        before, here, after = prefix[:place], prefix[place], prefix[place + 1 :]
        yield before + after[:1] + here + after[1:]
        yield before + after
    for place in range(1, min(len(prefix), _MOST_ERROR_PLACES)):
        before, after = prefix[:place], prefix[place:]
        for letter in alphabet:
            yield before + letter + after[1:]
            yield before + letter + after


def _arrays(
    entries: Iterable[tuple[str, float]], fold: Callable[[str], str]
) -> dict[str, NDArray[np.generic]]:
    heaviest: dict[str, tuple[float, str]] = {}
    for text, weight in entries:
        if len(text) > LONGEST or not (folded := fold(text)):
            continue
        weight = min(max(weight, -_LARGEST), _LARGEST) if math.isfinite(weight) else 0.0
        known = heaviest.get(folded)
        if known is None or known[0] < weight:
            heaviest[folded] = weight, _SPACES.sub(" ", text).strip()
    ordered = sorted(heaviest, key=lambda folded: -heaviest[folded][0])
    texts, text_ends = _joined(heaviest[folded][1] for folded in ordered)
    folded_texts, folded_ends = _joined(folded.replace("\n", " ") + "\n" for folded in ordered)
    if len(folded_texts) >= 2**32:
        raise ValueError("suggestions of more than 4 GB of text")
    # Bytes behind the last entry, so that what is compared is always there.
    folded_texts = np.concatenate((folded_texts, np.zeros(_ORDERED_BYTES, np.uint8)))
    starts = np.concatenate((np.zeros(1, np.int64), folded_ends))[: len(ordered)]
    letters = Counter("".join(ordered[:10_000]))
    common = "".join(one for one, _ in letters.most_common() if one.isalnum())[:_ALPHABET]
    return {
        "about": np.array([VERSION], np.int64),
        "texts": texts,
        "text_ends": text_ends,
        "folded": folded_texts,
        "folded_ends": folded_ends,
        "weights": np.array([heaviest[folded][0] for folded in ordered], np.float32),
        "alphabet": np.frombuffer(common.encode("utf-32-le", "replace"), np.uint8),
        **_levels("starts", folded_texts, starts),
        **_levels("inner", folded_texts, _inner_words(folded_texts)),
    }


def _joined(texts: Iterable[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    parts = [text.encode("utf-8", "replace") for text in texts]
    ends = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)))
    return np.frombuffer(b"".join(parts), np.uint8), ends


def _inner_words(folded: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Where a word begins behind another character of the same entry."""
    in_words = np.zeros(256, bool)
    in_words[128:] = True  # parts of characters beyond ASCII
    for one in b"0123456789abcdefghijklmnopqrstuvwxyz'":
        in_words[one] = True
    within = in_words[folded]
    begins = within[1:] & ~within[:-1] & (folded[:-1] != _END)
    return np.flatnonzero(begins) + 1


def _levels(
    name: str, folded: NDArray[np.uint8], places: NDArray[np.int64]
) -> dict[str, NDArray[np.generic]]:
    windows = np.ndarray((len(folded) - 7,), ">u8", folded.tobytes(), 0, (1,))
    # The last key counts most.
    keys = [windows[places + step].astype(np.uint64) for step in range(0, _ORDERED_BYTES, 8)]
    level = places[np.lexsort(keys[::-1])].astype(np.uint32)
    result: dict[str, NDArray[np.generic]] = {f"{name}_0": level}
    for number in range(1, _LEVELS + 1):
        blocks = np.arange(0, len(level), _BLOCK)
        level = np.minimum.reduceat(level, blocks) if len(level) else level
        result[f"{name}_{number}"] = level
    return result
