"""The ranks of page, host and domain together: positive, and growing with each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.graph.combining import RankWeights, combined, part, scaled

ranks = st.floats(0, 1e7)
weights = st.floats(0.01, 100)
all_weights = st.builds(RankWeights, weights, weights, weights)


@given(st.tuples(ranks, ranks, ranks), st.integers(0, 2), st.floats(1.001, 1e3), all_weights)
def test_it_is_positive_and_grows_with_each(
    given_ranks: tuple[float, float, float], which: int, factor: float, own: RankWeights
) -> None:
    before = list(given_ranks)
    after = list(before)
    after[which] = (before[which] + 1e-3) * factor

    def together(ranks: list[float]) -> float:
        return float(combined(ranks[0], ranks[1], ranks[2], own))

    assert together(before) > 0
    assert together(after) > together(before)


def test_it_is_one_where_nothing_stands_out() -> None:
    assert combined(1.0, 1.0, 1.0) == pytest.approx(1)
    assert combined(1.0, 1.0, 1.0, RankWeights(3, 0, 1)) == pytest.approx(1)


def test_small_differences_count_near_zero() -> None:
    assert part(0.2) - part(0.1) > part(100.1) - part(100.0)


def test_without_any_weight_all_are_alike() -> None:
    assert combined(np.array([1.0, 5.0]), 1.0, 1.0, RankWeights(0, 0, 0)).tolist() == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1))
def test_scaled_ranks_have_a_mean_of_one(values: list[float]) -> None:
    assert float(scaled(np.array(values)).mean()) == pytest.approx(1)
