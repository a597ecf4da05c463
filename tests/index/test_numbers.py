"""Numbers as people write them, and the format that a field has for all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.index.numbers import NumberFormat, Shape, as_number, decimal_sign, written_number

COMMA = NumberFormat(",")
POINT = NumberFormat(".")
UNKNOWN = NumberFormat()


@pytest.mark.parametrize(
    ("text", "unknown", "point", "comma"),
    [
        ("39", 39, 39, 39),
        ("-39", -39, -39, -39),
        ("−39", -39, -39, -39),
        ("39.5", 39.5, 39.5, 39.5),
        ("0.125", 0.125, 0.125, 0.125),
        ("1234.567", 1234.567, 1234.567, 1234.567),
        ("39,5", 39.5, None, 39.5),
        ("39,50", 39.5, None, 39.5),
        ("1.234,50", 1234.5, None, 1234.5),
        ("1,234.50", 1234.5, 1234.5, None),
        ("1.234.567", 1234567, None, 1234567),
        ("1,234,567", 1234567, 1234567, None),
        ("12,34,567", 1234567, 1234567, None),
        ("1,234", 1234, 1234, 1.234),
        ("1.234", 1.234, 1.234, 1234),
        ("1 234", 1234, 1234, 1234),
        ("1\u202f234,5", 1234.5, None, 1234.5),
        ("1'234.5", 1234.5, 1234.5, None),
        ("1e3", 1000, 1000, 1000),
        ("yes", 1, 1, 1),
        ("call us", None, None, None),
        ("1e999", None, None, None),
        ("nan", None, None, None),
        ("inf", None, None, None),
        ("1_000", None, None, None),
        ("1,23,4", None, None, None),
        ("5 kg", None, None, None),
        ("", None, None, None),
        ("9" * 65, None, None, None),
    ],
)
def test_a_text_is_read_in_the_format_of_its_field(
    text: str, unknown: float | None, point: float | None, comma: float | None
) -> None:
    assert [as_number(text, one) for one in (UNKNOWN, POINT, COMMA)] == [unknown, point, comma]


@pytest.mark.parametrize("text", ["39,50 EUR", "EUR 39,50", "€39,50", "€ 39,50", "39,50\u00a0€"])
def test_a_field_has_one_currency(text: str) -> None:
    assert as_number(text, NumberFormat(",", "EUR")) == 39.5
    assert as_number(text, NumberFormat(",", "USD")) is None
    assert as_number(text, NumberFormat(",")) is None
    assert as_number("39,50", NumberFormat(",", "EUR")) == 39.5


def test_minus_zero_is_zero() -> None:
    for value in (-0.0, "-0", "-0.0", "-0,0"):
        assert str(as_number(value)) == "0.0"


def test_numbers_that_are_no_texts_have_no_format() -> None:
    assert as_number(1.5, COMMA) == 1.5
    assert as_number(True) == 1.0
    assert as_number(10**400) is None
    assert as_number(float("nan")) is None
    assert as_number([1]) is None


def test_most_values_decide_the_decimal_sign() -> None:
    assert decimal_sign({Shape.WHOLE: 5, Shape.POINT_OR_GROUP: 2, Shape.COMMA_OR_GROUP: 1}) == ""
    assert decimal_sign({Shape.COMMA: 2, Shape.PLAIN: 1}) == ","
    assert decimal_sign({Shape.COMMA: 1, Shape.PLAIN: 1}) == "."


@given(st.text(st.sampled_from("0123456789.,'-+ €eE"), max_size=20))
def test_no_text_breaks_it_and_values_are_finite(text: str) -> None:
    for format_ in (UNKNOWN, POINT, COMMA):
        value = as_number(text, format_)
        assert value is None or abs(value) < float("inf")


@given(
    st.integers(-(10**9), 10**9).map(lambda cents: cents / 100),
    st.sampled_from([("", "."), (",", "."), ("", ","), (".", ","), (" ", ",")]),
)
def test_what_is_written_in_a_format_is_read_in_it(value: float, signs: tuple[str, str]) -> None:
    group, decimal = signs
    text = f"{value:,.2f}".replace(",", "_").replace(".", decimal).replace("_", group)
    assert as_number(text, NumberFormat(decimal)) == value
    written = written_number(text)
    assert written is not None
    assert written.shape in (Shape.PLAIN, Shape.POINT, Shape.COMMA)
