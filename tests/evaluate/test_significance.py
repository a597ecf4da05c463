from itertools import product
from math import erfc, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.evaluate.significance import paired_difference

VALUES = st.floats(0, 1)


def test_four_queries_by_hand() -> None:
    # Differences 0.1, 0.2, 0.3 and -0.1: of the 16 patterns of signs, the mean is at least 0.125
    # from 0 (a sum of 0.5) in +0.7, +0.5, +0.5 and their mirror images.
    result = paired_difference([0.5, 0.5, 0.5, 0.5], [0.6, 0.7, 0.8, 0.4])
    assert result.queries == 4
    assert result.mean == pytest.approx(0.125)
    assert result.p == pytest.approx(6 / 16)
    assert (result.better, result.worse) == (3, 1)
    assert not result.significant


def test_the_same_values_do_not_differ() -> None:
    result = paired_difference([0.1, 0.9], [0.1, 0.9])
    assert (result.mean, result.low, result.high, result.p) == (0, 0, 0, 1)
    assert (result.better, result.worse) == (0, 0)


def test_no_query_shows_nothing() -> None:
    assert paired_difference([], []).p == 1


def test_values_that_cannot_be_paired_are_refused() -> None:
    with pytest.raises(ValueError, match="2 values cannot be paired with 1"):
        paired_difference([0.1, 0.2], [0.1])


def test_a_constant_gain_over_many_queries_is_significant() -> None:
    ours = np.random.default_rng(1).random(200) * 0.8
    noise = np.random.default_rng(2).normal(0.05, 0.1, 200)
    result = paired_difference(ours.tolist(), (ours + noise).tolist())
    assert result.significant
    assert 0 < result.low < result.mean < result.high


def test_p_of_two_equal_rankings_is_spread_evenly() -> None:
    """By definition, a p-value below x comes up with probability x if nothing differs."""
    chance = np.random.default_rng(3)
    found = [
        paired_difference(chance.random(30).tolist(), chance.random(30).tolist()).p
        for _ in range(150)
    ]
    assert np.mean(np.array(found) < 0.1) == pytest.approx(0.1, abs=0.08)
    assert np.mean(found) == pytest.approx(0.5, abs=0.1)


def test_drawn_patterns_agree_with_the_t_test_on_many_queries() -> None:
    differences = np.random.default_rng(4).normal(0.02, 0.1, 100)
    result = paired_difference([0.0] * 100, differences.tolist())
    t = differences.mean() / (differences.std(ddof=1) / 10)
    # With 99 degrees of freedom t is nearly normal.
    assert result.p == pytest.approx(erfc(abs(t) / sqrt(2)), abs=0.015)


def test_the_same_values_give_the_same_numbers_every_time() -> None:
    ours = np.random.default_rng(6).random(40).tolist()
    theirs = np.random.default_rng(7).random(40).tolist()
    assert paired_difference(ours, theirs) == paired_difference(ours, theirs)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=7))
def test_few_queries_are_tested_exactly(pairs: list[tuple[float, float]]) -> None:
    ours, theirs = zip(*pairs, strict=True)
    differences = [their - our for our, their in pairs]
    seen = abs(sum(differences))
    scale = 1e-9 * sum(map(abs, differences))
    sums = [
        abs(sum(sign * difference for sign, difference in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    expected = sum(total >= seen - scale for total in sums) / len(sums)
    result = paired_difference(ours, theirs)
    assert result.p == pytest.approx(expected)
    assert result.low <= result.mean + 1e-9
    assert result.mean <= result.high + 1e-9


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=20))
def test_the_other_way_round_is_the_mirror_image(pairs: list[tuple[float, float]]) -> None:
    ours, theirs = zip(*pairs, strict=True)
    one, other = paired_difference(ours, theirs), paired_difference(theirs, ours)
    assert one.mean == pytest.approx(-other.mean)
    assert one.p == pytest.approx(other.p)
    assert (one.better, one.worse) == (other.worse, other.better)
