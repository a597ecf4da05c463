"""How likely is it that somebody wrote one word and meant another?

`cost` is a weighted edit distance: what hands and ears often confuse is cheap. An error in a Latin
script is cheap if it is a neighbour swapped, a letter doubled or not, a vowel taken for another,
letters that sound alike ('ph' and 'f', 'c' and 'k'), a letter that nobody hears; it is dear if it
is the first letter, which people mostly get right. In other scripts every error costs the same.

The weights were found on half of the words of two published collections of misspellings.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.lib.kernels import kernel

_LETTERS = 27  # a to z, and 0 for every other character
_VOWELS = "aeiouy"
_ALIKE = (
    *("ck", "cs", "sz", "fv", "gj", "dt", "bp", "mn", "kq", "cq", "iy", "vw", "sx", "uw", "lr"),
    *("ie", "ae", "ai", "ea", "oa", "ou", "ao", "eo"),
)
_SILENT = "hegtkw"
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_PAIRS = ("phf", "ghf", "ckk", "quk", "ksx", "chk", "scs", "exx", "eey", "ghg", "shs")
"""Two letters and the one that sounds like them."""

SUBSTITUTE = 1.1
SUBSTITUTE_VOWEL = 0.75
SUBSTITUTE_ALIKE = 0.5
SUBSTITUTE_KEY = 0.85
INSERT = 0.95
INSERT_VOWEL = 0.75
INSERT_SILENT = 0.6
DOUBLED = 0.3
SWAPPED = 0.5
SOUNDS_LIKE = 0.55
FIRST = 0.4
FREQUENCY_WEIGHT = 0.1  # against costs


def letter_numbers(alphabet: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """For each character of an alphabet: 1 to 26 for a to z, 0 for the others."""
    within = (alphabet >= ord("a")) & (alphabet <= ord("z"))
    return np.where(within, alphabet - (ord("a") - 1), 0).astype(np.uint8)


def letters_of(word: str) -> NDArray[np.uint8]:
    """The same, of the characters of a word."""
    return np.frombuffer(word.encode("ascii", "replace").translate(_LETTER_NUMBERS), np.uint8)


def _number(letter: str) -> int:
    return ord(letter) - ord("a") + 1


def _substitutions() -> NDArray[np.float32]:
    table = np.full((_LETTERS, _LETTERS), SUBSTITUTE, np.float32)

    def set_both(one: str, other: str, cost: float) -> None:
        for row, column in ((one, other), (other, one)):
            place = _number(row), _number(column)
            table[place] = min(table[place], cost)

    for row in _KEYS:
        for left, right in pairwise(row):
            set_both(left, right, SUBSTITUTE_KEY)
    for one in _VOWELS:
        for other in _VOWELS:
            set_both(one, other, SUBSTITUTE_VOWEL)
    for pair in _ALIKE:
        set_both(pair[0], pair[1], SUBSTITUTE_ALIKE)
    return table


def _insertions() -> NDArray[np.float32]:
    table = np.full(_LETTERS, INSERT, np.float32)
    for letter in _VOWELS:
        table[_number(letter)] = INSERT_VOWEL
    for letter in _SILENT:
        table[_number(letter)] = min(INSERT_SILENT, float(table[_number(letter)]))
    return table


def _sounds() -> NDArray[np.uint8]:
    """[first, second] of a pair: the letter that sounds like it, or 0."""
    table = np.zeros((_LETTERS, _LETTERS), np.uint8)
    for sound in _PAIRS:
        table[_number(sound[0]), _number(sound[1])] = _number(sound[2])
    return table


_SUBSTITUTIONS = _substitutions()
_INSERTIONS = _insertions()
_SOUNDS = _sounds()
_WEIGHTS = np.array([DOUBLED, SWAPPED, SOUNDS_LIKE, FIRST], np.float32)
_LACKED = min(SUBSTITUTE_ALIKE, INSERT_SILENT)
"""The least that a character costs which only one of two words has, but for two of them together
that sound like another."""
_SPARED = 2 * _LACKED - SOUNDS_LIKE  # by such two
_ROUNDING = 1e-4  # what sums of costs may differ by

_LETTER_NUMBERS = bytes(one - 96 if 97 <= one <= 122 else 0 for one in range(256))


class Words(NamedTuple):
    """Words that may have been meant, one behind the other."""

    codes: NDArray[np.uint16]  # of their characters
    letters: NDArray[np.uint8]  # `letter_numbers` of the whole alphabet
    offsets: NDArray[np.int32]  # where each begins
    priors: NDArray[np.float32]  # logarithms of their frequencies, 0 for the most frequent word


class Meant(NamedTuple):
    """Words that were likely meant, the likeliest first, by frequencies and costs."""

    words: NDArray[np.int32]
    costs: NDArray[np.float32]
    scores: NDArray[np.float32]


def likeliest(
    word: NDArray[np.uint16],
    word_letters: NDArray[np.uint8],
    words: Words,
    candidates: NDArray[np.int32],
    dearest: float,
    limit: int,
    least: float = -np.inf,
) -> Meant:
    """Of the candidates those that somebody likely meant who wrote `word`: at most `limit`, with
    scores of `least` or more and costs of no more than `dearest`.

    Of equal scores the first word has the better place. The sooner good candidates come, the
    quicker it is.
    """
    tables = (_SUBSTITUTIONS, _INSERTIONS, _SOUNDS, _WEIGHTS)
    return Meant(
        *_likeliest(word, word_letters, *words, candidates, dearest, limit, least, *tables)
    )


@kernel(
    "u2[], const u1[], const u2[], u1[], const i4[], const f4[], i4[], f8, i8, f8, f4[,], "
    "f4[], u1[,], f4[]",
    nogil=True,
)
def _likeliest(
    word: NDArray[np.uint16],
    word_letters: NDArray[np.uint8],
    codes: NDArray[np.uint16],
    letters: NDArray[np.uint8],
    offsets: NDArray[np.int32],
    priors: NDArray[np.float32],
    candidates: NDArray[np.int32],
    dearest: float,
    limit: int,
    least: float,
    substitutions: NDArray[np.float32],
    insertions: NDArray[np.float32],
    sounds: NDArray[np.uint8],
    weights: NDArray[np.float32],
) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.float32]]:
    length = len(word)
    has, doubles = _characters(word, 0, length)
    added, heard = _of_each(word, word_letters, insertions, sounds)
    pairs_heard = int(np.count_nonzero(heard))
    longest = 0
    for candidate in candidates:
        longest = max(longest, offsets[candidate + 1] - offsets[candidate])
    # [i, j]: the least that it costs to have written the first j for the candidate's first i.
    table = np.empty((longest + 1, length + 1), np.float32)
    table[0, 0] = 0.0
    for j in range(length):
        extra = weights[3] if j == 0 else np.float32(0.0)
        table[0, j + 1] = table[0, j] + insertions[word_letters[j]] + extra
    found = np.empty(limit, np.int32)
    costs = np.empty(limit, np.float32)
    scores = np.empty(limit, np.float32)
    size = 0
    for candidate in candidates:
        # Only what is better than the worst of those found so far has to be known exactly.
        bar = max(least, scores[limit - 1]) if size == limit else least
        merit = np.float32(FREQUENCY_WEIGHT) * priors[candidate]
        affordable = min(dearest, merit - bar + _ROUNDING)
        start, end = offsets[candidate], offsets[candidate + 1]
        if DOUBLED * abs(end - start - length) > affordable + _ROUNDING:
            continue
        others, other_doubles = _characters(codes, start, end)
        lacked = _apart(has, others)
        if _LACKED * lacked > affordable + _ROUNDING:
            pairs = pairs_heard + _pairs_heard(codes, start, end, letters, sounds)
            spared = _SPARED * min(pairs, lacked // 2)
            if _LACKED * lacked - spared > affordable + _ROUNDING:
                continue
        more, fewer = _shifts(
            affordable,
            length - (end - start),
            DOUBLED if doubles else SOUNDS_LIKE,
            DOUBLED if other_doubles else SOUNDS_LIKE,
        )
        if more < 0:
            continue
        cost = _cost(
            word,
            word_letters,
            added,
            heard,
            codes,
            start,
            end - start,
            letters,
            affordable,
            more,
            fewer,
            table,
            substitutions,
            insertions,
            sounds,
            weights,
        )
        score = merit - cost
        if not cost <= np.float32(dearest) or score < least:
            continue
        size = _insert(found, costs, scores, size, candidate, cost, score)
    return found[:size], costs[:size], scores[:size]


@kernel()
def _insert(
    found: NDArray[np.int32],
    costs: NDArray[np.float32],
    scores: NDArray[np.float32],
    size: int,
    word: int,
    cost: np.float32,
    score: np.float32,
) -> int:
    """Puts a word where it belongs among the first `size`; how many they are then."""
    place = size
    while place > 0 and (
        score > scores[place - 1] or (score == scores[place - 1] and word < found[place - 1])
    ):
        place -= 1
    if place == len(found):
        return size
    size = min(size + 1, len(found))
    for later in range(size - 1, place, -1):
        found[later] = found[later - 1]
        costs[later] = costs[later - 1]
        scores[later] = scores[later - 1]
    found[place], costs[place], scores[place] = word, cost, score
    return size


@kernel()
def _of_each(
    word: NDArray[np.uint16],
    letters: NDArray[np.uint8],
    insertions: NDArray[np.float32],
    sounds: NDArray[np.uint8],
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """What it costs to have written each character too many, and the letter that it sounds like
    together with the one before it."""
    added = np.empty(len(word), np.float32)
    heard = np.zeros(len(word), np.uint8)
    for place in range(len(word)):
        again = place > 0 and word[place] == word[place - 1]
        added[place] = np.float32(DOUBLED) if again else insertions[letters[place]]
        if place > 0:
            heard[place] = sounds[letters[place - 1], letters[place]]
    return added, heard


@kernel()
def _characters(codes: NDArray[np.uint16], start: int, end: int) -> tuple[np.uint64, bool]:
    """A bit for each character, of which some share one; and whether one is doubled."""
    has = np.uint64(0)
    doubles = False
    before = -1
    for place in range(start, end):
        code = codes[place]
        has |= np.uint64(1) << np.uint64(code & 63)
        doubles |= code == before
        before = code
    return has, doubles


@kernel()
def _pairs_heard(
    codes: NDArray[np.uint16],
    start: int,
    end: int,
    letters: NDArray[np.uint8],
    sounds: NDArray[np.uint8],
) -> int:
    """How many pairs of letters sound like another letter."""
    count = 0
    for place in range(start + 1, end):
        count += sounds[letters[codes[place - 1]], letters[codes[place]]] > 0
    return count


@kernel()
def _apart(one: np.uint64, other: np.uint64) -> int:
    """How many characters one has that the other lacks, or the other way round."""
    return int(max(_bits(one & ~other), _bits(other & ~one)))


@kernel()
def _bits(number: np.uint64) -> int:
    count = 0
    while number:
        number &= number - np.uint64(1)
        count += 1
    return count


@kernel()
def _shifts(affordable: float, longer: int, more_cost: float, fewer_cost: float) -> tuple[int, int]:
    """How many characters more and how many fewer than of the candidate may have been written
    anywhere in a word which is so much longer in the end; -1 if it cannot be afforded at all."""
    affordable += _ROUNDING
    if (more_cost if longer > 0 else fewer_cost) * abs(longer) > affordable:
        return -1, -1
    both = more_cost + fewer_cost
    if longer >= 0:
        there_and_back = int((affordable - more_cost * longer) / both)
        return longer + there_and_back, there_and_back
    there_and_back = int((affordable + fewer_cost * longer) / both)
    return there_and_back, there_and_back - longer


# Within the loop over the candidates: a call with so many arrays takes as long as many a cost.
@kernel(inline=True)
def _cost(
    word: NDArray[np.uint16],
    word_letters: NDArray[np.uint8],
    added: NDArray[np.float32],
    heard: NDArray[np.uint8],
    codes: NDArray[np.uint16],
    begin: int,
    size: int,
    letters: NDArray[np.uint8],
    affordable: float,
    more: int,
    fewer: int,
    table: NDArray[np.float32],
    substitutions: NDArray[np.float32],
    insertions: NDArray[np.float32],
    sounds: NDArray[np.uint8],
    weights: NDArray[np.float32],
) -> np.float32:
    """What it costs to write one word for the other, infinite if that is more than is affordable.
    The first row of the table stands there already; of the others, only the stretch is worked out
    that can be afforded."""
    doubled, swapped, sounds_like, first = weights
    nothing, infinite = np.float32(0.0), np.float32(np.inf)
    length = len(word)
    least_before = nothing
    for i in range(1, size + 1):
        right = codes[begin + i - 1]
        right_letter = letters[right]
        before = codes[begin + i - 2] if i > 1 else right
        left_out = doubled if i > 1 and right == before else insertions[right_letter]
        heard_here = sounds[letters[before], right_letter] if i > 1 else np.uint8(0)
        start, end = max(i - fewer, 1), min(i + more, length)
        best = infinite
        if i <= fewer:
            best = table[i - 1, 0] + left_out + (first if i == 1 else nothing)
        least = table[i, start - 1] = best
        above = table[i - 1, start - 1]
        for j in range(start, end + 1):
            wrong, wrong_letter = word[j - 1], word_letters[j - 1]
            other = substitutions[right_letter, wrong_letter] + (first if i + j == 2 else nothing)
            best = min(best + added[j - 1], above + (other if wrong != right else nothing))
            above = table[i - 1, j]
            best = min(best, above + left_out)
            if wrong == before and i > 1 and j > 1 and right == word[j - 2]:
                best = min(best, table[i - 2, j - 2] + swapped)
            if heard_here and heard_here == wrong_letter:
                best = min(best, table[i - 2, j - 1] + sounds_like)
            if right_letter and heard[j - 1] == right_letter:
                best = min(best, table[i - 1, j - 2] + sounds_like)
            table[i, j] = best
            least = min(least, best)
        if end < length:
            table[i, end + 1] = infinite
        # A row follows from the two before it, and nothing makes a misspelling cheaper.
        if least > affordable and least_before > affordable:
            return infinite
        least_before = least
    return np.float32(table[size, length])
