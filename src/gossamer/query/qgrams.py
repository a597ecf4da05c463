"""Which words share most q-grams: groups of two or three characters, with blanks around a word.

A q-gram is known by a number of some bits, which others may have as well.
"""

import numpy as np
from numpy.typing import NDArray

from gossamer.lib.kernels import kernel

LONGEST = 48
"""Longer words are left out, and are not corrected: nobody types them."""
_CANDIDATES = 400
_SHARED = 0.3  # of the q-grams of what was typed
_FREQUENCY_WEIGHT = 0.025  # against shared q-grams
_BINS = 1024


def all_grams(
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


@kernel()
def _buckets(codes: NDArray[np.uint16], q: int, bits: int) -> NDArray[np.uint32]:
    """The different q-grams of one word, as `all_grams` numbers them."""
    result = np.empty(len(codes) + 1, np.uint32)
    size = 0
    for last in range(len(codes) + 1):
        mixed = np.uint32(0)
        for place in range(last - q + 1, last + 1):
            code = np.uint32(codes[place]) + np.uint32(1) if 0 <= place < len(codes) else 0
            mixed = np.uint32(mixed * np.uint32(65_599) + np.uint32(code))
        mixed = np.uint32(mixed * np.uint32(0x9E3779B1)) >> np.uint32(32 - bits)
        result[size] = mixed
        size += 1 if not np.any(result[:size] == mixed) else 0
    return result[:size]


@kernel("u2[], i8, i8, i8, i8, const i8[], const i4[], const u1[], const f4[]", nogil=True)
def candidates(
    codes: NDArray[np.uint16],
    q: int,
    bits: int,
    low: int,
    high: int,
    gram_starts: NDArray[np.int64],
    gram_words: NDArray[np.int32],
    gram_counts: NDArray[np.uint8],
    priors: NDArray[np.float32],
) -> NDArray[np.int32]:
    """The words from `low` to `high` that share most q-grams, frequent ones a little ahead; the
    best come first."""
    buckets = _buckets(codes, q, bits)
    wanted = max(1, int(len(buckets) * _SHARED))
    passing, shared = _sharing(buckets, wanted, low, high, gram_starts, gram_words)
    shares = _shares(len(buckets))
    bins = np.empty(len(passing), np.int16)
    histogram = np.zeros(_BINS, np.int32)
    for number in range(len(passing)):
        word = passing[number]
        likeness = shares[shared[word - low], gram_counts[word]]
        likeness += _FREQUENCY_WEIGHT * priors[word]
        place = min(max(int((likeness + 1.0) * (_BINS / 2)), 0), _BINS - 1)
        bins[number] = place
        histogram[place] += 1
    return _best_bins(passing, bins, histogram)


@kernel()
def _sharing(
    buckets: NDArray[np.uint32],
    wanted: int,
    low: int,
    high: int,
    gram_starts: NDArray[np.int64],
    gram_words: NDArray[np.int32],
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """The words that share as many q-grams as are wanted, and how many each word shares."""
    passing = np.empty(high - low + 1, np.int32)
    shared = np.zeros(high - low, np.uint8)
    stretches = np.empty((len(buckets), 2), np.int64)
    for number, bucket in enumerate(buckets):
        start, end = gram_starts[bucket], gram_starts[bucket + 1]
        words = gram_words[start:end]
        stretches[number, 0] = start + np.searchsorted(words, low)
        stretches[number, 1] = start + np.searchsorted(words, high)
    # No word passes before as many q-grams are counted as are wanted: they are the frequent ones.
    order = np.argsort(stretches[:, 0] - stretches[:, 1])
    for number in order[: wanted - 1]:
        for word in gram_words[stretches[number, 0] : stretches[number, 1]]:
            shared[np.uint32(word - low)] += 1
    size = np.uint32(0)
    for number in order[wanted - 1 :]:
        for word in gram_words[stretches[number, 0] : stretches[number, 1]]:
            count = shared[np.uint32(word - low)] + np.uint8(1)
            shared[np.uint32(word - low)] = count
            # Without a branch: nobody can foresee which words pass.
            passing[size] = word
            size += np.uint32(count == wanted)
    return passing[:size], shared


@kernel()
def _shares(grams: int) -> NDArray[np.float64]:
    """[shared, those of a word]: the share of q-grams that both have."""
    shares = np.empty((grams + 1, LONGEST + 2), np.float64)
    for shared in range(grams + 1):
        for others in range(LONGEST + 2):
            shares[shared, others] = 2.0 * shared / (grams + others)
    return shares


@kernel()
def _best_bins(
    passing: NDArray[np.int32], bins: NDArray[np.int16], histogram: NDArray[np.int32]
) -> NDArray[np.int32]:
    """The best first. Of the last bin, which may be too many for the limit, the first words."""
    ends = np.zeros(_BINS + 1, np.int64)  # of each bin in the result; it grows up to there
    least = _BINS
    while least > 0 and ends[least] < _CANDIDATES:
        least -= 1
        ends[least] = ends[least + 1] + histogram[least]
    result = np.empty(ends[least], np.int32)
    places = ends[1:].copy()
    for number in range(len(passing)):
        place = bins[number]
        if place >= least:
            result[places[place]] = passing[number]
            places[place] += 1
    result[ends[least + 1] :].sort()
    return result[:_CANDIDATES]
