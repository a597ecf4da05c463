"""Sites without end: calendars, paths and queries that grow, pages for any address."""

import calendar as almanac
import hashlib
import re

from tests.web.sites.site import Site
from tests.web.words import paragraph

_MONTHS = almanac.month_name
_FACETS = {
    "colour": ("red", "blue", "green"),
    "size": ("s", "m", "l"),
    "sort": ("name", "price"),
    "brand": ("oak", "wren", "elm"),
    "view": ("grid", "list"),
    "stock": ("all", "now"),
}


def _made_up(*parts: object) -> str:
    """A word that stands for its parts, and for nothing else."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=5).hexdigest()


class MonthCalendar(Site):
    """A calendar by month and day, from the year 1 to the year 9999."""

    _address = re.compile(r"/calendar/(\d{4})/(\d\d)(?:/(\d\d))?")

    def extra_links(self, number: int = -1) -> str:
        return '<p><a href="/calendar/2031/04">Calendar</a></p>'

    def page(self, path: str) -> str | None:
        found = self._address.fullmatch(path)
        if not found:
            return super().page(path)
        year, month = int(found[1]), int(found[2])
        if not (1 <= year <= 9999 and 1 <= month <= 12):
            return None
        return self._day(year, month, int(found[3])) if found[3] else self._month(year, month)

    def _month(self, year: int, month: int) -> str:
        rows = "".join(
            "<tr>"
            + "".join(
                f'<td><a href="/calendar/{year:04d}/{month:02d}/{day:02d}">{day}</a></td>'
                if day
                else "<td></td>"
                for day in week
            )
            + "</tr>\n"
            for week in almanac.monthcalendar(year, month)
        )
        before, after = self._shifted(year, month, -1), self._shifted(year, month, 1)
        return self.framed(
            f"{_MONTHS[month]} {year}",
            f"<table><tr><th>Mo</th><th>Tu</th><th>We</th><th>Th</th><th>Fr</th><th>Sa</th>"
            f"<th>Su</th></tr>{rows}</table>\n<p>There are no events in this month.</p>"
            f'<p><a href="{before}">Previous month</a> <a href="{after}">Next month</a></p>'
            f'<p><a href="{self._shifted(year, month, 12)}">Next year</a></p>',
        )

    def _day(self, year: int, month: int, day: int) -> str:
        if not 1 <= day <= almanac.monthrange(year, month)[1]:
            day = 1
        return self.framed(
            f"{day} {_MONTHS[month]} {year}",
            "<p>There are no events on this day. Send us yours, and we will show it here.</p>"
            f'<p><a href="/calendar/{year:04d}/{month:02d}">Back to the month</a></p>',
        )

    @staticmethod
    def _shifted(year: int, month: int, months: int) -> str:
        whole = min(max(12, year * 12 + month - 1 + months), 9999 * 12 + 11)
        return f"/calendar/{whole // 12:04d}/{whole % 12 + 1:02d}"


class QueryCalendar(MonthCalendar):
    """A calendar whose months are parameters."""

    _address = re.compile(r"/events\?month=(\d{4})-(\d\d)(?:&day=(\d\d))?")

    def extra_links(self, number: int = -1) -> str:
        return '<p><a href="/events?month=2031-04">Events</a></p>'

    def page(self, path: str) -> str | None:
        page = super().page(path)
        if page is None or not self._address.fullmatch(path):
            return page
        return re.sub(
            r"/calendar/(\d{4})/(\d\d)(?:/(\d\d))?",
            lambda found: (
                f"/events?month={found[1]}-{found[2]}"
                + (f"&amp;day={found[3]}" if found[3] else "")
            ),
            page,
        )


class RepeatingPath(Site):
    """Relative links that lead into ever the same folders, deeper and deeper."""

    def extra_links(self, number: int = -1) -> str:
        return '<p><a href="/a/b/">Archive</a> <a href="/next/">More</a></p>'

    def page(self, path: str) -> str | None:
        if path.startswith("/a/b/"):
            return self.framed("Archive", f'<p>{self._text}</p><p><a href="a/b/">Older</a></p>')
        if path.startswith("/next/"):
            return self.framed("More", f'<p>{self._text}</p><p><a href="next/">More</a></p>')
        return super().page(path)

    @property
    def _text(self) -> str:
        return paragraph(self._seed + 7, 40)


class GrowingPath(Site):
    """A folder below each folder, each with a new name and a text of its own."""

    def extra_links(self, number: int = -1) -> str:
        return '<p><a href="/tree/">Tree</a></p>'

    def page(self, path: str) -> str | None:
        if not path.startswith("/tree/"):
            return super().page(path)
        name = _made_up(self.name, path)
        text = paragraph(int(name, 16), 60)
        return self.framed(f"Folder {name}", f'<p>{text}</p><p><a href="{name}/">{name}</a></p>')


class GrowingQuery(Site):
    """Every page adds a parameter to its own address."""

    def extra_links(self, number: int = -1) -> str:
        return '<p><a href="/filter?f0=1">Filter</a></p>'

    def page(self, path: str) -> str | None:
        if not path.startswith("/filter?"):
            return super().page(path)
        count = path.count("=")
        links = "".join(
            f'<p><a href="{path.replace("&", "&amp;")}&amp;f{count}={way}">Narrow {way}</a></p>'
            for way in (1, 2)
        )
        return self.framed("Filter", f"<p>{paragraph(self._seed + 9, 40)}</p>{links}")


class SoftMissing(Site):
    """Any address gets a page with status 200 that says there is none."""

    def extra_links(self, number: int = -1) -> str:
        old = [_made_up(self.name, number, link) for link in range(5)]
        return "".join(f'<p><a href="/old/{name}">An older page</a></p>' for name in old)

    def page(self, path: str) -> str | None:
        known = super().page(path)
        if known is not None:
            return known
        if path == "/robots.txt":
            return None
        links = "".join(
            f'<li><a href="/old/{_made_up(self.name, path, way)}">Perhaps here</a></li>'
            for way in range(4)
        )
        return self.framed(
            "Page not found",
            "<p>Sorry, the page you are looking for does not exist or has been moved. Please check"
            f" the address, or go back to the start page.</p><ul>{links}</ul>",
        )


class Counters(Site):
    """One text under ever new numbers; a date and a counter make each a little different."""

    def extra_links(self, number: int = -1) -> str:
        return '<p><a href="/view/1">Our visitors</a></p>'

    def page(self, path: str) -> str | None:
        found = re.fullmatch(r"/view/(\d{1,9})", path)
        if not found:
            return super().page(path)
        number = int(found[1])
        text = "".join(f"<p>{paragraph(self._seed + 20 + part, 60)}</p>" for part in range(4))
        links = "".join(
            f'<p><a href="/view/{further}">View {further}</a></p>'
            for further in (number + 1, number + 2, number + 3, number * 2 + 7, number * 3 + 5)
        )
        day = f"{1 + number % 28} {_MONTHS[1 + number % 12]} {2020 + number % 7}"
        return self.framed(
            "Our visitors",
            f"{text}<p>You are visitor number {number * 37 + 11}. Last change: {day}.</p>{links}",
        )


class Facets(Site):
    """A shop whose filters can be combined in any order, and always show the same goods."""

    def extra_links(self, number: int = -1) -> str:
        return '<p><a href="/shop">Shop</a></p>'

    def page(self, path: str) -> str | None:
        folder, _, query = path.partition("?")
        if folder != "/shop":
            return super().page(path)
        chosen = dict(part.partition("=")[::2] for part in query.split("&")) if query else {}
        links = "".join(
            f'<li><a href="/shop?{_query(chosen | {name: value})}">{name}: {value}</a></li>'
            for name, values in _FACETS.items()
            for value in values
            if chosen.get(name) != value
        )
        goods = [f"<li>{paragraph(self._seed + 40 + at, 12)}</li>" for at in range(12)]
        shown = ", ".join(f"{name} {value}" for name, value in chosen.items()) or "all"
        return self.framed(
            "Shop",
            f"<p>Showing {shown}.</p><ul>{''.join(goods)}</ul><h2>Filters</h2><ul>{links}</ul>",
        )


def _query(chosen: dict[str, str]) -> str:
    return "&amp;".join(f"{name}={value}" for name, value in chosen.items())
