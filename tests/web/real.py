"""The web as it is, in small: sites that are endless or repeat themselves, listings, languages.

`LocalWeb(maker=REAL_WEB)` serves them; by hand: `python -m tests.web --real`.
"""

from tests.web.message import Answer, Host, Request, anchors, page
from tests.web.sites import Site, liars, listings, tongues
from tests.web.sites.endless import (
    Counters,
    Facets,
    GrowingPath,
    GrowingQuery,
    MonthCalendar,
    QueryCalendar,
    RepeatingPath,
    SoftMissing,
)
from tests.web.sites.furniture import HeavyFurniture
from tests.web.sites.lists import LongLists
from tests.web.sites.repeating import MirroredPaths, PrintVersions, SessionIds, SortedLists

REAL_WEB = "tests.web.real:hosts"

ENDLESS: tuple[Site, ...] = (
    MonthCalendar("calendar.test", 20, seed=1),
    QueryCalendar("events.test", 20, style=1, seed=2),
    RepeatingPath("repeating-path.test", 20, style=2, seed=3),
    GrowingPath("growing-path.test", 20, style=3, seed=4),
    GrowingQuery("growing-query.test", 20, style=4, seed=5),
    SoftMissing("soft-missing.test", 20, style=5, seed=6),
    Counters("counters.test", 20, style=6, seed=7),
    Facets("facets.test", 20, style=7, seed=8),
)
REPEATING: tuple[Site, ...] = (
    *(SessionIds(f"session-{form}.test", 40, style=2 * form, seed=form) for form in range(3)),
    MirroredPaths("mirrored-paths.test", 60, seed=12),
    PrintVersions("print-versions.test", 60, style=1, seed=13),
    SortedLists("sorted-lists.test", 60, style=5, seed=14),
)
MIRRORS = tuple(
    Site(f"{name}.mirrored.test", 100, style=6, seed=20, label="mirrored.test")
    for name in ("www", "m1", "m2")
)
GOOD: tuple[Site, ...] = tuple(
    Site(f"good-{style}.test", 60, style=style, seed=30 + style) for style in range(10)
)
PLAIN: tuple[Site, ...] = (
    HeavyFurniture("furnished.test", 60, seed=41, words=25),
    LongLists("long-lists.test", 200, style=1, seed=42),
)
"""Good ones that look like bad ones."""
SITES = {site.name: site for site in (*ENDLESS, *REPEATING, *MIRRORS, *GOOD, *PLAIN)}


def _start(request: Request) -> Answer:
    return page("Start", anchors(request.url(name) for name in SITES))


def hosts() -> tuple[Host, ...]:
    return (
        Host("start.test", "a link to each site", {"/": _start}),
        *(site.host() for site in SITES.values()),
        *listings.hosts(),
        *tongues.hosts(),
        *liars.hosts(),
    )
