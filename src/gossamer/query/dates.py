"""Dates as people write them in a query: a year, a month, a day, a minute or a second."""

import calendar
import re
from datetime import UTC, datetime, timedelta, timezone

HOW_TO_WRITE = "dates are written 2024, 2024-01, 2024-01-31 or 2024-01-31T23:59:59"

_WRITTEN = re.compile(
    r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2})"
    r"(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?(Z|z|[+-][0-9]{2}:?[0-9]{2})?)?)?)?",
    re.ASCII,
)
_DAY_SECONDS = 86_400.0


def date_span(text: str) -> tuple[float, float] | None:
    """The first moment of '2024', '2024-06', '2024-06-15' or '2024-06-15T12:30', and the first one
    after it, as seconds since 1970; `None` for all else. A time without a zone is UTC."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    try:
        zone = _zone(found[7])
        first = datetime(year, month or 1, day or 1, hour, minute, second, tzinfo=zone)
        if found[4]:
            return first.timestamp(), first.timestamp() + (1.0 if found[6] else 60.0)
        last_month = month or 12
        last_day = day or calendar.monthrange(year, last_month)[1]
        last = datetime(year, last_month, last_day, tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return first.timestamp(), last.timestamp() + _DAY_SECONDS


def _zone(text: str | None) -> timezone:
    if text is None or text in "Zz":
        return UTC
    ahead = timedelta(hours=int(text[1:3]), minutes=int(text[-2:]))
    return timezone(-ahead if text[0] == "-" else ahead)
