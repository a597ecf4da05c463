"""Dates as people write them in a query: a year, a month of a year, a day."""

import calendar
import re
from datetime import date

_WRITTEN = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?", re.ASCII)


def date_span(text: str) -> tuple[date, date] | None:
    """The first and the last day of '2024', '2024-06' or '2024-06-15'; `None` for all else."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return None
    year, month, day = (int(part) if part else 0 for part in found.groups())
    try:
        first = date(year, month or 1, day or 1)
        if day:
            return first, first
        last_month = month or 12
        return first, date(year, last_month, calendar.monthrange(year, last_month)[1])
    except ValueError:
        return None
