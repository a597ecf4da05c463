"""What is a date in a query, and from which moment to which it is."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.query.dates import date_span


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("2024", "2024-01-01", "2025-01-01"),
        ("2024-02", "2024-02-01", "2024-03-01"),
        ("2024-2-3", "2024-02-03", "2024-02-04"),
        ("2024-02-03T04:05", "2024-02-03T04:05", "2024-02-03T04:06"),
        ("2024-02-03T23:59:59", "2024-02-03T23:59:59", "2024-02-04"),
        ("2024-02-03 04:05:06Z", "2024-02-03T04:05:06", "2024-02-03T04:05:07"),
        ("2024-02-03T00:30+01:00", "2024-02-02T23:30", "2024-02-02T23:31"),
    ],
)
def test_spans(text: str, first: str, after: str) -> None:
    seconds = [
        datetime.fromisoformat(one).replace(tzinfo=UTC).timestamp() for one in (first, after)
    ]
    assert date_span(text) == tuple(seconds)


def test_the_last_year() -> None:
    found = date_span("9999")
    assert found is not None
    assert found[1] - found[0] == 365 * 86_400


@pytest.mark.parametrize(
    "text",
    [
        *("", "24", "2024-13", "2023-02-29", "0000", "2024-", "soon", "05.01.2024"),
        *("2024-01-05T", "2024-01-05T24:00", "2024-01T10:00", "2024-01-05T10:00+99:00"),
    ],
)
def test_no_dates(text: str) -> None:
    assert date_span(text) is None


@given(st.text())
def test_any_text(text: str) -> None:
    date_span(text)
