"""Ranges of numbers: every value is in exactly one, as a filter reads it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.search.ranges import ranges_of

_VALUES = st.one_of(
    st.integers(-1_000, 100_000).map(float),
    st.decimals(-100, 10_000, places=2).map(float),
    st.floats(allow_nan=False, allow_infinity=False),
)


def _holds(label: str, value: float) -> bool:
    if ".." not in label:
        return value == float(label)
    low, high = label.split("..")
    return float(low) <= value and (not high or value <= float(high))


@settings(deadline=None)
@given(st.lists(st.tuples(st.lists(_VALUES, min_size=1, max_size=3), st.integers(1, 9))))
def test_a_range_counts_the_documents_that_a_filter_finds(
    documents: list[tuple[list[float], int]],
) -> None:
    found = ranges_of((sorted(set(values)), count) for values, count in documents)
    assert len(found) <= 8
    for label, counted in found.items():
        holding = [count for values, count in documents if any(_holds(label, v) for v in values)]
        assert sum(holding) == counted, label
    for values, _ in documents:
        for value in values:
            assert sum(_holds(label, value) for label in found) == 1, value


def test_round_numbers_begin_ranges() -> None:
    prices = [((3.0 + 0.75 * number,), 1) for number in range(120)]
    labels = list(ranges_of(prices))
    assert len(labels) == 8
    assert all(float(label.split("..")[0]) % 1 == 0 for label in labels)
    assert labels[-1].endswith("..")


def test_a_few_whole_numbers_are_shown_as_they_are() -> None:
    assert ranges_of([((5.0,), 2), ((4.0,), 1), ((5.0,), 1)]) == {"4": 1, "5": 3}
    assert ranges_of([((0.5,), 3)]) == {"0.5..0.5": 3}
    assert ranges_of([]) == {}
