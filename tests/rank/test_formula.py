"""Formulas: what they mean, that they always have a value, and where they are wrong."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from gossamer.errors import FormulaError, UsageError
from gossamer.rank.formula import LARGEST, MOST_DEPTH, Formula, FormulaPart


def value(text: str, **variables: float) -> float:
    return float(Formula.parse(text).evaluate(variables))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("1 - 2 - 3", -4),
        ("8 / 4 / 2", 1),
        ("-2 ** 2", -4),
        ("2 ^ 3 ^ 2", 512),
        ("2 ** -1", 0.5),
        ("2 * -3", -6),
        ("--2 + +1", 3),
        (".5 + 1. + 1e-3", 1.501),
        ("log(exp(2)) + log10(1000) + log2(8)", 8),
        ("sqrt(16) + abs(-1)", 5),
        ("min(3, 1, 2) + max(3, 1, 2)", 4),
        ("clip(5, 0, 3) + clip(-5, 0, 3)", 3),
        ("1 < 2", 1),
        ("2 <= 1", 0),
        ("(1 == 1) + (1 != 1) + (2 > 1) + (2 >= 2)", 3),
        ("if(2 > 1 and not 0, 10, 20)", 10),
        ("0 or 0.5", 1),
        ("not 1 == 2", 1),
        ("1 + 1 == 2 and 2 < 3", 1),
    ],
)
def test_arithmetic(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 / 0", 0),
        ("0 ** -1", 0),
        ("(-8) ** (1 / 3)", 0),
        ("log(0) + log10(-1) + log2(0)", 0),
        ("sqrt(-4)", 0),
        ("exp(1000)", LARGEST),
        ("-1e300 * 1e300", -LARGEST),
        ("exp(1000) - exp(1000)", 0),
        ("log(1 + votes)", 0),
    ],
)
def test_what_has_no_value_in_arithmetic_has_one_here(text: str, expected: float) -> None:
    assert value(text) == expected


def test_arrays_and_single_values_mix() -> None:
    formula = Formula.parse("score + boost * log(1 + votes)")
    assert formula.names == {"score", "boost", "votes"}
    variables: dict[str, ArrayLike] = {
        "score": np.array([1, 2, 3]),
        "boost": 2.0,
        "votes": [0.0, math.nan, math.e - 1],
    }
    result = formula.evaluate(variables)
    assert result.dtype == np.float64
    assert result.tolist() == pytest.approx([1, 2, 5])


def test_a_constant_has_the_shape_of_the_variables() -> None:
    assert Formula.parse("2").evaluate({"votes": np.zeros(3)}).tolist() == [2, 2, 2]


def test_names_with_dots() -> None:
    assert Formula.parse("bm25.title + _x1").names == {"bm25.title", "_x1"}


def test_a_name_may_be_that_of_a_function_if_it_is_known() -> None:
    formula = Formula.parse("log(log)", {"log"})
    assert formula.evaluate({"log": math.e}) == pytest.approx(1)


def test_explain() -> None:
    part = Formula.parse("2 * ( votes+1 )").explain({"votes": 3})
    inner = FormulaPart("votes+1", 4.0, (FormulaPart("votes", 3.0, ()), FormulaPart("1", 1.0, ())))
    assert part == FormulaPart("2 * ( votes+1 )", 8.0, (FormulaPart("2", 2.0, ()), inner))


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("", "empty", 1),
        ("1 +", "A value is missing", 4),
        ("log(vote)", "'vote' is unknown. Did you mean 'votes'?", 5),
        ("lgo(votes)", "no function 'lgo'. Did you mean 'log'?", 1),
        ("2 * (votes", "'(' is never closed", 5),
        ("votes)", "')' closes nothing", 6),
        ("2votes", "An operator is missing before 'votes'", 2),
        ("votes = 2", "to compare is '=='", 7),
        ("1 < 2 < 3", "joined by 'and'", 7),
        ("clip(1)", "clip takes 3 values, not 1", 1),
        ("max()", "max takes 1 to 99 values, not 0", 1),
        ("1 + log", "needs brackets", 5),
        ("(1, 2)", "outside of a function", 3),
        ("1e999", "too large", 1),
        ("votes + é", "no meaning", 9),
        ("__import__('os')", "no function", 1),
        ("(" * 3000, "nested too deep", 51),
        ("2 ** " * 700, "nested too deep", 251),
        ("1+" * 1500 + "1", "too many parts", 2 * MOST_DEPTH),
    ],
)
def test_an_error_points_at_the_character(text: str, message: str, place: int) -> None:
    with pytest.raises(FormulaError) as caught:
        Formula.parse(text, {"votes", "score"})
    said, line, mark = str(caught.value).split("\n")
    assert message in said
    assert f"(character {place})" in said
    if text and place <= len(text):
        assert line[mark.index("^")] == text[place - 1]
    assert isinstance(caught.value, UsageError)


def test_the_line_of_the_error_is_shown() -> None:
    with pytest.raises(FormulaError) as caught:
        Formula.parse("1 +\n  vote +\n  2", {"votes"})
    assert str(caught.value).split("\n")[1:] == ["      vote +", "      ^"]


def test_endless_formulas_are_refused() -> None:
    with pytest.raises(FormulaError, match="at most"):
        Formula.parse("(" * 10_000_000)


_NAMES = st.sampled_from(["votes", "rank", "title.length"])
_LEAVES = st.one_of(st.floats(0, 1e12).map(lambda number: f"{number:.6g}"), _NAMES)
_OPERATORS = st.sampled_from(
    ["+", "-", "*", "/", "**", "^", "<", "<=", ">", ">=", "==", "!=", "and", "or"]
)
_CALLS = st.sampled_from(["log", "log10", "log2", "exp", "sqrt", "abs", "min", "max", "-", "not "])
FORMULAS = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, _OPERATORS, inner).map(lambda parts: f"({' '.join(parts)})"),
        st.tuples(_CALLS, inner).map(lambda parts: f"{parts[0]}({parts[1]})"),
        st.tuples(inner, inner, inner).map(lambda parts: f"if({', '.join(parts)})"),
        st.tuples(inner, inner, inner).map(lambda parts: f"clip({', '.join(parts)})"),
    ),
    max_leaves=12,
)


@given(FORMULAS, st.lists(st.floats(), min_size=2, max_size=2), st.floats())
def test_every_value_is_finite_and_explained(text: str, votes: list[float], rank: float) -> None:
    formula = Formula.parse(text)
    result = formula.evaluate({"votes": np.array(votes), "rank": rank})
    assert result.shape == (2,)
    assert np.isfinite(result).all()
    for number, expected in zip(votes, result, strict=True):
        part = formula.explain({"votes": number, "rank": rank})
        # A loop over many values may round otherwise than a single step in the last digit.
        assert part.value == pytest.approx(expected, rel=1e-9) or "**" in text or "^" in text


@given(st.text(max_size=200) | st.text("()+-*/^<>=!.,e1 votesandrminlg", max_size=200))
def test_any_text_is_a_formula_or_a_formula_error(text: str) -> None:
    try:
        formula = Formula.parse(text)
    except FormulaError:
        return
    assert np.isfinite(formula.evaluate({}))


def test_no_depth_reaches_that_of_python() -> None:
    longest = "+".join(["1"] * MOST_DEPTH)
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(400)
        assert value(longest) == MOST_DEPTH
    finally:
        sys.setrecursionlimit(limit)
