"""Ranks and farms to look at: how ranks are spread, who is at the top, what a farm looks like.

Each function writes one picture, a PNG or an SVG by the ending of its name (`canvas`).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from gossamer.errors import UsageError
from gossamer.graph.adjacency import Adjacency, Floats, Int32s
from gossamer.graph.canvas import Canvas, ending_of, fitting
from gossamer.graph.farms import Farm

_COLOURS = (
    "#1b6ca8",
    "#c8553d",
    "#4c956c",
    "#8e5ea2",
    "#b08d00",
    "#00838f",
    "#ad1457",
    "#6d4c41",
    "#455a64",
    "#7cb342",
)
_GRID, _AXIS, _QUIET = "#e3e3e3", "#888888", "#666666"
_POINTS = 400
"""Of a curve; it has no more places to look at."""
_MOST_DOTS, _MOST_LINES = 150, 3_000
"""Of a farm; more is one dark spot."""


def draw_ranks(path: Path, ranks: Mapping[str, Floats], *, title: str = "Ranks") -> None:
    """How many pages (hosts, domains) have a rank of at least so much, both on logarithmic scales.
    Ranks are given in means: 1 is what each would have if all had the same."""
    ending_of(path)
    curves = {name: _survivors(values) for name, values in ranks.items()}
    curves = {name: curve for name, curve in curves.items() if len(curve[0])}
    if not curves:
        raise UsageError("There are no ranks to draw.")
    canvas = Canvas(820, 470)
    left, right, top, bottom = 78.0, 600.0, 52.0, 405.0
    low = math.floor(min(math.log10(across.min()) for across, _ in curves.values()))
    high = math.ceil(max(math.log10(across.max()) for across, _ in curves.values()))
    high = max(high, low + 1)
    most = max(1, math.ceil(max(math.log10(up.max()) for _, up in curves.values())))

    def place(across: float, up: float) -> tuple[float, float]:
        return (
            left + (right - left) * (math.log10(across) - low) / (high - low),
            bottom - (bottom - top) * math.log10(up) / most,
        )

    for power in _powers(low, high):
        x, _ = place(10.0**power, 1)
        canvas.line([(x, top), (x, bottom)], _GRID)
        canvas.words(x, bottom + 18, _power(power), anchor="middle")
    for power in _powers(0, most):
        _, y = place(1, 10.0**power)
        canvas.line([(left, y), (right, y)], _GRID)
        canvas.words(left - 8, y + 4, f"{10**power:,}", anchor="end")
    canvas.line([(left, top), (left, bottom), (right, bottom)], _AXIS)
    for number, (name, (across, up)) in enumerate(curves.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [place(*point) for point in zip(across.tolist(), up.tolist(), strict=True)]
        canvas.line(places, colour, 2)
        if len(places) == 1:
            canvas.dot(*places[0], 3, colour)
        y = top + 12 + 22 * number
        canvas.line([(right + 20, y - 4), (right + 44, y - 4)], colour, 2.5)
        canvas.words(right + 50, y, fitting(name, 160, 12))
    canvas.words(left, 28, fitting(title, 660, 17), size=17)
    canvas.words((left + right) / 2, bottom + 46, "rank, in means", anchor="middle")
    canvas.words(24, (top + bottom) / 2, "with at least this rank", anchor="middle", upwards=True)
    canvas.write(path)


def _survivors(values: Floats) -> tuple[Floats, Floats]:
    """Ranks in means, and how many have at least that: points of a curve."""
    positive = np.sort(values[values > 0])
    if not len(positive):
        return positive, positive
    scaled = positive / values.mean()
    # At even distances on the scale of counts: the few at the top are all there.
    counts = np.unique(np.geomspace(1, len(scaled), _POINTS).round().astype(np.int64))
    return scaled[len(scaled) - counts], counts.astype(np.float64)


def draw_top(
    path: Path,
    tables: Mapping[str, Sequence[tuple[str, float]]],
    *,
    title: str = "Highest ranks",
) -> None:
    """Bars for names and their ranks, the highest first; a block for each table."""
    ending_of(path)
    rows = sum(map(len, tables.values()))
    if not rows:
        raise UsageError("There are no ranks to draw.")
    step, left, right = 24, 300.0, 850.0
    canvas = Canvas(940, 60 + 42 * len(tables) + step * rows + 14)
    canvas.words(24, 32, fitting(title, 880, 17), size=17)
    y = 60.0
    for number, (name, table) in enumerate(tables.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        canvas.words(24, y + 14, fitting(name, 600, 14), size=14, colour=colour)
        y += 26
        highest = max((value for _, value in table), default=0.0) or 1.0
        for label, value in table:
            canvas.words(left - 10, y + 15, fitting(label, left - 34, 12), anchor="end")
            width = max(1.0, (right - left) * max(value, 0.0) / highest)
            canvas.box(left, y + 3, width, step - 7, colour)
            canvas.words(left + width + 6, y + 15, _number(value), colour=_QUIET)
            y += step
        y += 16
    canvas.write(path)


def draw_farm(
    path: Path,
    graph: Adjacency,
    farm: Farm,
    domains: Int32s,
    *,
    name_of_page: Callable[[int], str] = lambda page: f"page {page}",
    name_of_domain: Callable[[int], str] = lambda domain: f"domain {domain}",
) -> None:
    """The pages of a farm in a circle, by domain, with their links, and whom they boost in the
    middle."""
    ending_of(path)
    order = np.argsort(domains[farm.pages], kind="stable")
    shown = farm.pages[order]
    if len(shown) > _MOST_DOTS:
        shown = shown[np.linspace(0, len(shown) - 1, _MOST_DOTS).round().astype(np.int64)]
    canvas = Canvas(940, 640)
    middle_x, middle_y, radius = 310.0, 345.0, 250.0
    places: dict[int, tuple[float, float]] = {}
    for number, page in enumerate(shown.tolist()):
        angle = 2 * math.pi * number / len(shown) - math.pi / 2
        places[page] = (
            middle_x + radius * math.cos(angle),
            middle_y + radius * math.sin(angle),
        )
    boosted = farm.boosted.tolist()[:5]
    for number, page in enumerate(boosted):
        places[page] = (middle_x, middle_y + 56 * (number - (len(boosted) - 1) / 2))
    _draw_links(canvas, graph, shown, places, set(boosted))
    names, sizes = np.unique(domains[farm.pages], return_counts=True)
    largest = names[np.argsort(-sizes, kind="stable")].tolist()
    colours = {name: _COLOURS[rank % len(_COLOURS)] for rank, name in enumerate(largest)}
    dot = 6.0 if len(shown) <= 60 else 4.0
    for page in shown.tolist():
        canvas.dot(*places[page], dot, colours[int(domains[page])])
    for page in boosted:
        canvas.dot(*places[page], 13, "#222222")
    _tell(canvas, farm, graph.nodes, len(shown), [name_of_page(page) for page in boosted])
    counts = dict(zip(names.tolist(), sizes.tolist(), strict=True))
    rows = [(name_of_domain(name), counts[name], colours[name]) for name in largest]
    _list_domains(canvas, rows)
    canvas.write(path)


def _draw_links(
    canvas: Canvas,
    graph: Adjacency,
    shown: Int32s,
    places: Mapping[int, tuple[float, float]],
    boosted: set[int],
) -> None:
    lines = []
    for page in [*shown.tolist(), *boosted]:
        lines += [(page, target) for target in graph.targets_of(page).tolist() if target in places]
    if len(lines) > _MOST_LINES:
        lines = lines[:: math.ceil(len(lines) / _MOST_LINES)]
    # Those that boost last: they are what the farm is for.
    lines.sort(key=lambda line: line[1] in boosted)
    width = 0.4 if len(lines) > 600 else 0.9
    for source, target in lines:
        colour = "#d58936" if target in boosted else "#b9c7d6"
        canvas.line([places[source], places[target]], colour, width)


def _tell(canvas: Canvas, farm: Farm, nodes: int, shown: int, boosted: Sequence[str]) -> None:
    """What is known of the farm, above and beside its picture. Ranks are in means."""
    pages = len(farm.pages)
    title = f"A link farm: {pages:,} pages on {farm.domains:,} domains ({farm.shape})"
    canvas.words(24, 34, title, size=17)
    if shown < pages:
        canvas.words(24, 56, f"{shown} of its pages are drawn", colour=_QUIET)
    facts = [
        f"{farm.stays:.0%} of its links stay inside",
        f"density {farm.density:.3g}",
        f"rank of its pages: {_change(farm.rank_before * nodes, farm.rank_after * nodes)}",
        f"rank of the best: {_change(farm.best_before * nodes, farm.best_after * nodes)}",
    ]
    for number, fact in enumerate(facts):
        canvas.words(620, 110 + 22 * number, fact)
    if boosted:
        canvas.dot(626, 221, 6, "#222222")
        canvas.words(640, 225, "boosted:")
        for number, name in enumerate(boosted):
            canvas.words(640, 245 + 18 * number, fitting(name, 245, 11), size=11, colour=_QUIET)


def _list_domains(canvas: Canvas, rows: Sequence[tuple[str, int, str]]) -> None:
    top, most = 365, 10
    canvas.words(620, top, "its domains, and their pages")
    for number, (name, count, colour) in enumerate(rows[:most]):
        y = top + 24 + 20 * number
        canvas.dot(626, y - 4, 5, colour)
        canvas.words(640, y, f"{fitting(name, 190, 12)}  {count:,}")
    if len(rows) > most:
        canvas.words(640, top + 26 + 20 * most, f"and {len(rows) - most:,} more", colour=_QUIET)


def _change(before: float, after: float) -> str:
    if math.isnan(after):
        return _number(before)
    return f"{_number(before)}, without farms {_number(after)}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.3g}"


def _powers(low: int, high: int) -> range:
    """At most eight marks."""
    return range(low, high + 1, max(1, math.ceil((high - low) / 8)))


def _power(power: int) -> str:
    return f"{10.0**power:,g}" if -3 <= power <= 5 else f"1e{power}"
