"""Fields and their types from all values, and what is said of those that do not fit."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from gossamer.errors import UsageError
from gossamer.index.documents import by_path
from gossamer.index.field_detection import Detection, FieldReport, Summaries, detected_fields
from gossamer.index.fields import MOST_FIELDS, MOST_TEXT_FIELDS, FieldType, field_name
from gossamer.index.numbers import NumberFormat


def detect(
    documents: Iterable[Mapping[str, Any]], declared: Mapping[str, str] | None = None, **more: Any
) -> Detection:
    summaries = Summaries()
    for number, document in enumerate(documents, 1):
        summaries.add(by_path(document), f"line {number}")
    return detected_fields(summaries, {"text": "text", **(declared or {})}, **more)


def detect_values(*values: Any, **more: Any) -> Detection:
    return detect([{"text": "a", "x": value} for value in values], **more)


def type_of(*values: Any) -> str:
    found = detect_values(*values).fields.type_of("x")
    assert found is not None
    return found.value


def report(found: Detection, name: str = "x") -> FieldReport:
    return next(one for one in found.reports if one.name == name)


def test_one_text_among_many_numbers_is_left_out() -> None:
    values = [float(number) for number in range(999)]
    found = report(detect_values(*values[:16], "call us", *values[16:]))
    assert (found.type, found.values, found.left_out) == ("number", 999, 1)
    assert (found.example, found.where) == ("call us", "line 17")


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        ([1, 2.5, -3], "number"),
        ([True, False], "number"),
        ([*range(9), "x"], "number"),
        ([*range(8), "x", "y"], "text"),
        (["39,50", "1.234,50", "7"], "number"),
        (["39.50 EUR", "12.00 EUR"], "number"),
        (["007", "001", "099"], "text"),  # names made of digits
        (["12345678901234567890"] * 5, "keyword"),
        (["2024-05-06", "2024-05-07"], "date"),
        (["2024-05", "2023"], "date"),
        (["2024-05-06T10:00:00Z"] * 3, "date"),
        (["2024-13-45"] * 4, "keyword"),
        (["https://a.example/b"] * 3, "link"),
        (["https://a.example/b.PNG?x=1"] * 3, "image"),
        (["lamp", "lamp", "table"] * 3, "keyword"),
        (["lamp", "table"], "text"),
        (["lamp"] * 99 + ["x" * 100], "keyword"),
        (["lamp"] * 50 + ["x" * 100] * 50, "text"),
        ([["a", "b"], ["c"], ["d", "e"]], "keyword"),
        ([[1, 2], [3]], "number"),
        ([["2024-05-06", "2024-05-07"]], "date"),
    ],
)
def test_the_type_of_nearly_all_values(values: list[Any], type_: str) -> None:
    assert type_of(*values) == type_


def test_a_field_of_many_texts_is_a_keyword_if_few_are_different() -> None:
    assert type_of(*(f"kind {number % 2000}" for number in range(10_000))) == "keyword"
    assert type_of(*(f"kind {number % 5000}" for number in range(10_000))) == "text"


def test_a_field_that_comes_late_is_found() -> None:
    documents = [{"text": "a"} for _ in range(5_000)]
    assert detect([*documents, {"text": "a", "late": 3}]).fields.type_of("late") == "number"


def test_objects_are_fields_by_their_paths() -> None:
    found = detect(
        [
            {"text": "a", "dims": {"w": 47, "h": {"cm": 3}}},
            {"text": "b", "dims": {"w": 12}, "sizes": [{"w": 1}, {"w": 2}]},
            {"text": "c", "dims.w": 5},
        ]
    )
    names = {field.name: field.type.value for field in found.fields.all}
    assert names["dims.w"] == names["dims.h.cm"] == names["sizes.w"] == "number"
    assert "dims" not in names
    assert report(found, "dims.w").values == 3
    assert report(found, "sizes.w").values == 2


def test_the_number_format_is_that_of_most_values() -> None:
    found = detect_values("39,50", "1.234,50", "7", "1,234.50", "5,5 EUR", *["4,5"] * 30)
    assert report(found).number_format == NumberFormat(",", "EUR")
    assert (report(found).left_out, report(found).example) == (1, "1,234.50")
    assert found.fields.number("x", "1.234,5") == 1234.5


def test_the_decimal_sign_can_be_set() -> None:
    assert detect_values("1.234", decimal=",").fields.number("x", "1.234") == 1234
    found = report(detect_values("1.234", "12"))
    assert "'1.234' is read with a decimal point" in found.note
    assert report(detect_values("1.234", "12.5")).note == ""


def test_declared_types_count_what_they_cannot_read() -> None:
    documents = [{"n": "4"}, {"n": "x"}, {"n": "y"}, {"d": "2024-05-06"}, {"d": "soon"}]
    found = detect(documents, {"n": "number", "d": "date", "none": "keyword"})
    assert (report(found, "n").values, report(found, "n").left_out) == (1, 2)
    assert (report(found, "n").example, report(found, "n").where) == ("x", "line 2")
    assert (report(found, "d").values, report(found, "d").left_out) == (1, 1)
    assert found.unused == ("text", "none")


def test_detected_fields_are_added_unless_the_declared_ones_are_complete() -> None:
    documents = [{"text": "a", "price": 3, "kind": "b"}]
    found = detect(documents, {"price": "keyword"})
    assert (found.fields.type_of("price"), found.fields.type_of("kind")) == ("keyword",) * 2
    found = detect(documents, {"price": "keyword"}, is_complete=True)
    assert [field.name for field in found.fields.all] == ["lang", "text", "price"]


def test_a_field_of_numbers_that_is_not_nearly_one_gets_a_note() -> None:
    found = report(detect_values(*range(8), "x", "y"))
    assert found.note.startswith("8 of 10 values are numbers")


def test_an_index_keeps_its_types_where_it_is_asked_to() -> None:
    first = detect_values("39,50", "1,5").fields
    found = detect_values("1.234", "x", "y", known=first)
    assert found.fields.type_of("x") == "number"
    assert found.fields.number("x", "1.234") == 1234
    assert report(found).left_out == 2


def test_too_many_fields_are_left_out_and_named() -> None:
    texts = {f"t{number}": f"{'x' * 100} {number}" for number in range(40)}
    found = detect([texts | {"often": "y" * 100}, {"often": "z" * 100}])
    assert len(found.fields.texts) - 1 == MOST_TEXT_FIELDS
    assert found.fields.type_of("often") == "text"  # more documents have it than any other
    assert len(found.left_out) == 42 - MOST_TEXT_FIELDS
    found = detect({f"user{number}": 1} for number in range(7_000))
    assert len(found.fields.all) <= MOST_FIELDS
    assert len(found.left_out) > 6_000


@pytest.mark.parametrize(
    ("given", "field"),
    [
        *(("Unit price", "unit_price"), ("my-field", "my_field"), ("Größe (cm)", "grosse_cm")),
        *(("über", "uber"), ("2024 sales", "_2024_sales"), ("a..b", "a.b"), (" a b. c", "a_b.c")),
        *(("Title", "title"), ("URL", "url"), ("userId", "userId"), ("dims.w", "dims.w")),
    ],
)
def test_names_become_names_of_fields(given: str, field: str) -> None:
    assert field_name(given) == field
    assert detect([{given: 1}], {given: "number"}).fields.type_of(field) is FieldType.NUMBER


def test_names_that_no_field_can_have_are_named() -> None:
    found = detect([{"价格": 1, "doc": 2, "": 2, "?": 1, "a" * 65: 1}])
    assert list(found.left_out) == ["价格", "doc", "", "?", "a" * 65]
    assert "its own" in found.left_out["doc"]
    with pytest.raises(UsageError, match="cannot be the name"):
        detect([], {"价格": "number"})
    with pytest.raises(UsageError, match="it must be one of"):
        detect([], {"a.b": "nomber"})


def test_long_examples_are_cut() -> None:
    found = report(detect_values(*range(100), "long " * 1_000))
    assert len(found.example) == 80
    assert "an integer of more than" in report(detect_values(*range(100), 10**400)).example
