"""Words by their hashes, among thousands in order: compiled as `kernels` are."""

from typing import Any

import numpy as np

from gossamer.lib.kernels import kernel

_GUESSES = 3


@kernel("const i8[], const u4[], const i8[], const u1[], i8[], const u1[], i8[]")
def look_up(
    hashes: Any, order: Any, ends: Any, letters: Any, wanted: Any, asked: Any, asked_ends: Any
) -> Any:
    """The numbers of words by their hashes, -1 for those that are not there. `hashes` in their
    order, `order`: whose each is; `ends`, `letters`: how the words are written, and `asked` how the
    wanted ones are, behind each other: two words may share a hash."""
    numbers = np.full(len(wanted), -1, np.int64)
    places = _places(hashes, wanted)
    begin = np.int64(0)
    for word in range(len(wanted)):
        length = asked_ends[word] - begin
        place = places[word]
        while place < len(hashes) and hashes[place] == wanted[word]:
            number = np.int64(order[place])
            first = np.int64(0) if number == 0 else np.int64(ends[number - 1])
            same = ends[number] - first == length
            for letter in range(length):
                if not same:
                    break
                same = letters[first + letter] == asked[begin + letter]
            if same:
                numbers[word] = number
                break
            place += 1
        begin = asked_ends[word]
    return numbers


@kernel("const i8[], const u4[], const i8[]")
def look_up_hashes(hashes: Any, order: Any, wanted: Any) -> Any:
    """The same where nobody says how the words are written."""
    numbers = np.full(len(wanted), -1, np.int64)
    places = _places(hashes, wanted)
    for word in range(len(wanted)):
        if places[word] < len(hashes) and hashes[places[word]] == wanted[word]:
            numbers[word] = order[places[word]]
    return numbers


@kernel()
def _places(hashes: Any, wanted: Any) -> Any:
    """Where each hash stands first among others in their order, or would stand. Hashes are spread
    evenly: its size tells nearly where, and what is found there tells more. All are looked for at
    once, as the processor then waits for the memory of several."""
    size: Any = len(hashes)
    places = np.zeros(len(wanted), np.int64)
    if size == 0:  # a part of documents without words
        return places
    for word in range(len(wanted)):
        places[word] = min(np.int64((float(wanted[word]) / 2.0**64 + 0.5) * size), size - 1)
    for _ in range(_GUESSES):
        for word in range(len(wanted)):
            near = hashes[places[word]]
            ahead: Any = np.int64((float(wanted[word]) - float(near)) / 2.0**64 * size)
            places[word] = min(max(places[word] + ahead, 0), size - 1)
    for word in range(len(wanted)):
        places[word] = _first_place(hashes, wanted[word], places[word])
    return places


@kernel()
def _first_place(hashes: Any, wanted: Any, near: Any) -> Any:
    low = high = near
    step = 1
    while low > 0 and hashes[low - 1] >= wanted:
        high = low - 1
        low = max(0, low - step)
        step *= 2
    step = 1
    while high < len(hashes) and hashes[high] < wanted:
        low = high + 1
        high = min(len(hashes), high + step)
        step *= 2
    while low < high:
        middle = (low + high) >> 1
        if hashes[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
