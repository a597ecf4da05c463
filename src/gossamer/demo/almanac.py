"""Which days does a month have? For a calendar whose months go on for ever."""

from calendar import Calendar
from typing import NamedTuple

from gossamer.demo.html import month_name

# Far enough for any crawler; longer numbers only cost time.
_LAST_YEAR = 99_999


class Month(NamedTuple):
    year: int
    month: int

    @property
    def path(self) -> str:
        return f"{self.year:04}/{self.month:02}"

    @property
    def title(self) -> str:
        return f"{month_name(self.month)} {self.year}"

    def weeks(self) -> list[list[int]]:
        """Days of the month from Monday to Sunday, 0 for those of other months."""
        # The pattern of the weeks repeats after 400 years: the library knows those up to 9999.
        year = self.year if self.year < 9_999 else 2000 + self.year % 400
        return Calendar().monthdayscalendar(year, self.month)

    def moved(self, months: int) -> "Month":
        year, month = divmod(self.year * 12 + self.month - 1 + months, 12)
        return Month(year, month + 1)


def read_month(path: str) -> Month | None:
    """From `2024/03`."""
    year, _, month = path.partition("/")
    if not (path.isascii() and year.isdigit() and month.isdigit() and len(year) < 6):
        return None
    found = Month(int(year), int(month) if len(month) == 2 else 0)
    if not 1 <= found.month <= 12 or not 1 <= found.year <= _LAST_YEAR or found.path != path:
        return None
    return found
