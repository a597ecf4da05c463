"""Lines in a diagram, as an SVG file."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

Points = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 190, 40, 55
_COLOURS = ("#1b6ca8", "#c8553d", "#4c956c", "#8e5ea2", "#b08d00", "#444444")
_DASHES = ("none", "7 4", "2 3")
_TICKS = 5


def write_plot(
    path: Path,
    series: Mapping[str, Points],
    *,
    title: str,
    across: str,
    up: str,
    doubling: bool = True,
) -> None:
    """`series`: points (x, y) by name; x is drawn on a doubling scale or an even one, y from 0."""
    points = [point for line in series.values() for point in line]
    if not points:
        return
    lowest, highest = min(x for x, _ in points), max(x for x, _ in points)
    top = _round_up(max(y for _, y in points))

    def place(x: float, y: float) -> tuple[float, float]:
        span = (math.log2(highest / lowest) if doubling else highest - lowest) or 1.0
        width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
        return (
            _LEFT + width * (math.log2(x / lowest) if doubling else x - lowest) / span,
            _TOP + height * (1 - y / top),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="15">{escape(title)}</text>',
    ]
    digits = max(0, math.ceil(-math.log10(top / _TICKS)))
    for step in range(_TICKS + 1):
        value = top * step / _TICKS
        x, y = place(lowest, value)
        parts.append(
            f'<path d="M{x:.1f} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#ddd"/>'
            f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{value:,.{digits}f}</text>'
        )
    for value in sorted({x for x, _ in points}):
        x, y = place(value, 0)
        parts.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{value:g}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(
        f'<text x="{middle:.1f}" y="{_HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>'
        f'<text transform="translate(16 {_HEIGHT / 2:.1f}) rotate(-90)" text-anchor="middle">'
        f"{escape(up)}</text>"
    )
    for number, (name, line) in enumerate(series.items()):
        parts.append(_line(number, name, [place(x, y) for x, y in sorted(line)]))
    parts.append("</svg>\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts), encoding="utf-8")


def _line(number: int, name: str, places: Sequence[tuple[float, float]]) -> str:
    colour = _COLOURS[number % len(_COLOURS)]
    dash = _DASHES[number // len(_COLOURS) % len(_DASHES)]
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
    x, y = _WIDTH - _RIGHT + 14, _TOP + 12 + 20 * number
    stroke = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
    return (
        f'<polyline points="{corners}" {stroke}/>{dots}'
        f'<path d="M{x} {y - 4}h24" {stroke}/><text x="{x + 30}" y="{y}">{escape(name)}</text>'
    )


def _round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20 ..."""
    size = 10.0 ** math.floor(math.log10(value)) if value > 0 else 1.0
    return next((step * size for step in (1, 2, 5) if step * size >= value), 10 * size)
