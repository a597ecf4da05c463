"""Into which ranges do the values of a number field fall?

In: values with the number of documents that have each. Out: a few ranges, as filters are written
('10..19.99'), with the number of documents in each. Every value is in exactly one of them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import accumulate

from gossamer.search.filters import unambiguous

_MOST = 8  # ranges
_LEAST_VALUES = 4  # different ones a range, where there are enough
_FEW = 5  # different whole numbers, which are shown as they are: points from 1 to 5
_DECIMALS = 3  # of values: with more, a range ends where the next begins if no value is there


def ranges_of(values: Iterable[tuple[Sequence[float], int]]) -> dict[str, int]:
    """Return ranges in the order of their values, with about as many documents each. `values`: of a
    document that has several they stand together, as it counts once in a range."""
    sets = list(values)
    counts: dict[float, int] = {}
    for own, count in sets:
        for value in own:
            counts[value] = counts.get(value, 0) + count
    known = sorted(counts)
    if len(known) <= _FEW and all(map(float.is_integer, known)):
        return {_written(value): counts[value] for value in known}
    if len(known) < 2:
        return {f"{_written(value)}..{_written(value)}": counts[value] for value in known}
    starts = _starts(known, [counts[value] for value in known])
    inside = [0] * len(starts)
    for own, count in sets:
        for number in {bisect_right(starts, value) - 1 for value in own}:
            inside[number] += count
    decimals = max(map(_decimals, known))
    return {
        _label(known, starts, number, decimals): count
        for number, count in enumerate(inside)
        if count
    }


def _label(known: Sequence[float], starts: Sequence[float], number: int, decimals: int) -> str:
    """The range that begins at a start, and ends before the next."""
    if number == len(starts) - 1:
        return f"{_written(starts[number])}.."
    following = starts[number + 1]
    end = bisect_left(known, following)
    last = following
    if decimals <= _DECIMALS:
        last = float(Decimal(repr(following)) - Decimal(1).scaleb(-decimals))
    if not known[end - 1] <= last < known[end]:
        last = known[end - 1]
    return f"{_written(starts[number])}..{_written(last)}"


def _starts(known: Sequence[float], counts: Sequence[int]) -> list[float]:
    """Return the bounds of ranges: round numbers near the values that divide documents evenly."""
    sums = list(accumulate(counts))
    parts = max(2, min(_MOST, len(known) // _LEAST_VALUES))
    shares = [sums[-1] * part / parts for part in range(1, parts)]
    marks = [known[0], *(known[bisect_right(sums, share)] for share in shares), known[-1]]
    found: dict[float, None] = {}
    for place in range(parts):
        room = marks[place + 1] - marks[place]
        if place:
            room = min(room, marks[place] - marks[place - 1])
        found[_rounded_down(marks[place], room)] = None
    if len(found) == 1 and max(counts) > 1:  # one value outweighs all others
        return _starts(known, [1] * len(known))
    return sorted(found)


def _rounded_down(value: float, room: float) -> float:
    """The next multiple below of the largest of 1, 2, 5, 10, 20 ... that is not above `room`."""
    if room <= 0:
        return value
    power = Decimal(1).scaleb(Decimal(repr(room)).adjusted())
    step = max(power * digit for digit in (1, 2, 5) if power * digit <= Decimal(repr(room)))
    exact = Decimal(repr(value))
    return float((exact / step).to_integral_value("ROUND_FLOOR") * step)


def _decimals(value: float) -> int:
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _written(value: float) -> str:
    short = f"{value + 0.0:.15g}"
    return unambiguous(short if float(short) == value else repr(value))
