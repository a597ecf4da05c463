from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.query.dates import date_span


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2024-2-3", date(2024, 2, 3), date(2024, 2, 3)),
    ],
)
def test_spans(text: str, first: date, last: date) -> None:
    assert date_span(text) == (first, last)


@pytest.mark.parametrize("text", ["", "24", "2024-13", "2023-02-29", "0000", "2024-", "soon"])
def test_no_dates(text: str) -> None:
    assert date_span(text) is None


@given(st.text())
def test_any_text(text: str) -> None:
    date_span(text)
