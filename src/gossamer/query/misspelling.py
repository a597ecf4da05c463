"""How likely is it that somebody wrote one word and meant another?

`cost` is a weighted edit distance: what hands and ears often confuse is cheap. An error in a Latin
script is cheap if it is a neighbour swapped, a letter doubled or not, a vowel taken for another,
letters that sound alike ('ph' and 'f', 'c' and 'k'), a letter that nobody hears; it is dear if it
is the first letter, which people mostly get right. In other scripts every error costs the same.

The weights were found on half of the words of two published collections of misspellings.
"""

from itertools import pairwise

import numba
import numpy as np
from numpy.typing import NDArray

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


def letter_numbers(alphabet: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """For each character of an alphabet: 1 to 26 for a to z, 0 for the others."""
    within = (alphabet >= ord("a")) & (alphabet <= ord("z"))
    return np.where(within, alphabet - (ord("a") - 1), 0).astype(np.uint8)


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


def costs(
    word: NDArray[np.uint16],
    word_letters: NDArray[np.uint8],
    codes: NDArray[np.uint16],
    letters: NDArray[np.uint8],
    offsets: NDArray[np.int32],
    candidates: NDArray[np.int32],
    dearest: float,
) -> NDArray[np.float32]:
    """What it costs to write `word` for each of the candidates; infinite where it is more than
    `dearest`.

    `codes` are the characters of all words, one word behind the other; `offsets` say where each
    begins; `letters` are the numbers of the whole alphabet (`letter_numbers`).
    """
    tables = (_SUBSTITUTIONS, _INSERTIONS, _SOUNDS, _WEIGHTS)
    found: NDArray[np.float32] = _costs(
        word, word_letters, codes, letters, offsets, candidates, dearest, *tables
    )
    return found


@numba.njit(cache=True, nogil=True)
def _costs(
    word: NDArray[np.uint16],
    word_letters: NDArray[np.uint8],
    codes: NDArray[np.uint16],
    letters: NDArray[np.uint8],
    offsets: NDArray[np.int32],
    candidates: NDArray[np.int32],
    dearest: float,
    substitutions: NDArray[np.float32],
    insertions: NDArray[np.float32],
    sounds: NDArray[np.uint8],
    weights: NDArray[np.float32],
) -> NDArray[np.float32]:
    doubled, swapped, sounds_like, first = weights
    length = len(word)
    longest = 0
    for candidate in candidates:
        longest = max(longest, offsets[candidate + 1] - offsets[candidate])
    result = np.empty(len(candidates), np.float32)
    # [i, j]: the least that it costs to have written the first j for the candidate's first i.
    table = np.empty((longest + 1, length + 1), np.float32)
    table[0, 0] = 0.0
    for j in range(1, length + 1):
        table[0, j] = table[0, j - 1] + insertions[word_letters[j - 1]] + (first if j == 1 else 0.0)
    for number in range(len(candidates)):
        start = offsets[candidates[number]]
        size = offsets[candidates[number] + 1] - start
        result[number] = np.inf
        least_before = np.float32(0.0)
        for i in range(1, size + 1):
            right = codes[start + i - 1]
            right_letter = letters[right]
            before = codes[start + i - 2] if i > 1 else right
            left_out = doubled if i > 1 and right == before else insertions[right_letter]
            table[i, 0] = table[i - 1, 0] + left_out + (first if i == 1 else 0.0)
            least = table[i, 0]
            for j in range(1, length + 1):
                wrong, wrong_letter = word[j - 1], word_letters[j - 1]
                best = table[i - 1, j - 1]
                if wrong != right:
                    best += substitutions[right_letter, wrong_letter]
                    best += first if i == 1 and j == 1 else 0.0
                best = min(best, table[i - 1, j] + left_out)
                again = j > 1 and wrong == word[j - 2]
                best = min(best, table[i, j - 1] + (doubled if again else insertions[wrong_letter]))
                if i > 1 and j > 1 and wrong == before and right == word[j - 2]:
                    best = min(best, table[i - 2, j - 2] + swapped)
                if i > 1 and wrong_letter and sounds[letters[before], right_letter] == wrong_letter:
                    best = min(best, table[i - 2, j - 1] + sounds_like)
                if (
                    j > 1
                    and right_letter
                    and sounds[word_letters[j - 2], wrong_letter] == right_letter
                ):
                    best = min(best, table[i - 1, j - 2] + sounds_like)
                table[i, j] = best
                least = min(least, best)
            # A row follows from the two before it, and nothing makes a misspelling cheaper.
            if least > dearest and least_before > dearest:
                break
            least_before = least
        else:
            result[number] = table[size, length]
    return result
