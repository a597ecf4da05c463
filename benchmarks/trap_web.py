"""A web of 200 hosts: 160 good ones, 20 without end, 20 flooded with their own pages.

`LocalWeb(maker=TRAP_WEB)` serves it. `wanted` tells which request was for a page that is worth a
visit, and which page that is.
"""

import random

from tests.web.message import Answer, Host, Request, anchors, page
from tests.web.sites import Site
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
from tests.web.sites.repeating import MirroredPaths, PrintVersions, SessionIds, SortedLists
from tests.web.sites.site import STYLES

TRAP_WEB = "benchmarks.trap_web:hosts"
START = "start.test"

GOOD = 160
GOOD_PAGES = 150
PAGES_BESIDE_TRAP = 20
FLOODED_PAGES = 60

_TRAPS: tuple[type[Site], ...] = (
    *(MonthCalendar, MonthCalendar, QueryCalendar, QueryCalendar),
    *(RepeatingPath, RepeatingPath, GrowingPath, GrowingPath),
    *(GrowingQuery, GrowingQuery, Facets, Facets),
    *(SoftMissing, SoftMissing, SoftMissing, SoftMissing),
    *(Counters, Counters, Counters, Counters),
)
_FLOODS: tuple[type[Site], ...] = (
    *(SessionIds, SessionIds, SessionIds, SessionIds),
    *(MirroredPaths, MirroredPaths, MirroredPaths, MirroredPaths),
    *(PrintVersions, PrintVersions, PrintVersions, PrintVersions),
    *(SortedLists, SortedLists, SortedLists, SortedLists),
)
_MIRRORED = 4
_MIRROR_NAMES = ("www", "m1", "m2")


def _good() -> list[Site]:
    rng = random.Random(1)
    names = [f"good-{number}.test" for number in range(GOOD)]
    return [
        Site(
            name,
            GOOD_PAGES + rng.randrange(-20, 21),
            style=number % STYLES,
            seed=number + 1,
            # Good sites link to good ones; those without end to nobody, and hardly anybody to them.
            neighbours=[f"http://{rng.choice(names)}/" for _ in range(6)],
        )
        for number, name in enumerate(names)
    ]


def _mirrored(number: int) -> list[Site]:
    domain = f"mirrored-{number}.test"
    return [
        Site(f"{name}.{domain}", FLOODED_PAGES, style=number, seed=500 + number, label=domain)
        for name in _MIRROR_NAMES
    ]


def sites() -> list[Site]:
    traps = [
        kind(f"trap-{number}.test", PAGES_BESIDE_TRAP, style=number, seed=300 + number)
        for number, kind in enumerate(_TRAPS)
    ]
    floods = [
        kind(f"flood-{number}.test", FLOODED_PAGES, style=number, seed=400 + number)
        for number, kind in enumerate(_FLOODS)
    ]
    mirrored = [site for number in range(_MIRRORED) for site in _mirrored(number)]
    return [*_good(), *traps, *floods, *mirrored]


def kind_of(site: Site) -> str:
    if site.name.startswith(f"{_MIRROR_NAMES[0]}.") or "mirrored-" in site.name:
        return "MirroredHosts"
    return "good" if type(site) is Site else type(site).__name__


def domain_of(name: str) -> str:
    """Mirrors of a host have one set of pages."""
    return ".".join(name.split(".")[-2:])


def hosts() -> tuple[Host, ...]:
    every = sites()
    # All 200 are linked from the start: one name of a mirrored domain, the others by themselves.
    starts = [f"http://{site.name}/" for site in every]
    random.Random(2).shuffle(starts)

    def start(_request: Request) -> Answer:
        return page("Start", anchors(starts))

    return (
        Host(START, "a link to each host", {"/": start}),
        *(site.host() for site in every),
    )
