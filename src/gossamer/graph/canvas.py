"""What pictures are drawn on: lines, bars, dots and words, written as SVG or as PNG.

The ending of the file's name decides. Both are made from the same shapes at the same places; a PNG
has two dots for each unit, and is drawn twice as large still and then reduced, which smooths it.
"""

import secrets
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Literal, NamedTuple

from gossamer.errors import UsageError
from gossamer.storage.objects import refusals

ENDINGS = (".png", ".svg")
Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

_DOTS = 2
_FINER = 2
_LETTER = 0.56
"""The width of a letter, on average, for each unit of its size."""


class Line(NamedTuple):
    points: Sequence[Point]
    colour: str
    width: float


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    colour: str


class Dot(NamedTuple):
    x: float
    y: float
    radius: float
    colour: str


class Words(NamedTuple):
    x: float
    y: float
    """Of the line that the letters stand on."""
    text: str
    size: float
    anchor: Anchor
    colour: str
    upwards: bool


class Canvas:
    """Later shapes lie over earlier ones."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._shapes: list[Line | Box | Dot | Words] = [Box(0, 0, width, height, "#ffffff")]

    def line(self, points: Sequence[Point], colour: str, width: float = 1.0) -> None:
        if len(points) > 1:
            self._shapes.append(Line(points, colour, width))

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        self._shapes.append(Box(x, y, width, height, colour))

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        self._shapes.append(Dot(x, y, radius, colour))

    def words(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 12,
        anchor: Anchor = "start",
        colour: str = "#222222",
        upwards: bool = False,
    ) -> None:
        self._shapes.append(Words(x, y, printable(text), size, anchor, colour, upwards))

    def write(self, path: Path) -> None:
        """Writes the picture. Killed at any moment, the old file is there or the new one."""
        ending = ending_of(path)
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        with refusals(f"Cannot write {path}"):
            try:
                if ending == ".svg":
                    temporary.write_text(self._svg(), encoding="utf-8")
                else:
                    self._write_png(temporary)
                temporary.replace(path)
            finally:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)

    def _svg(self) -> str:
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}" '
            'font-family="sans-serif">'
        ]
        parts += [_svg_of(shape) for shape in self._shapes]
        return "\n".join([*parts, "</svg>\n"])

    def _write_png(self, path: Path) -> None:
        # Not before it is needed: few commands draw.
        from PIL import Image, ImageDraw, ImageFont

        scale = _DOTS * _FINER
        size = (round(self.width * scale), round(self.height * scale))
        image = Image.new("RGB", size, "#ffffff")
        draw = ImageDraw.Draw(image)
        for shape in self._shapes:
            match shape:
                case Line(points, colour, width):
                    places = [(x * scale, y * scale) for x, y in points]
                    draw.line(places, colour, max(1, round(width * scale)), joint="curve")
                case Box(x, y, width, height, colour):
                    draw.rectangle(
                        (x * scale, y * scale, (x + width) * scale, (y + height) * scale), colour
                    )
                case Dot(x, y, radius, colour):
                    draw.circle((x * scale, y * scale), radius * scale, colour)
                case Words(x, y, text, letters, anchor, colour, upwards):
                    font = ImageFont.load_default(letters * scale)
                    across = {"start": "l", "middle": "m", "end": "r"}[anchor]
                    if not upwards:
                        draw.text((x * scale, y * scale), text, colour, font, f"{across}s")
                        continue
                    box = font.getbbox(text, anchor="ls")
                    wide, high = round(box[2] - box[0]) + 2, round(box[3] - box[1]) + 2
                    label = Image.new("RGB", (wide, high), "#ffffff")
                    ImageDraw.Draw(label).text((-box[0], -box[1]), text, colour, font, "ls")
                    turned = label.rotate(90, expand=True)
                    down = {"start": wide, "middle": wide / 2, "end": 0}[anchor]
                    image.paste(turned, (round(x * scale) - high, round(y * scale - down)))
        image.reduce(_FINER).save(path, "PNG", optimize=True)


def ending_of(path: Path) -> str:
    """`.png` or `.svg`; anything else is refused, best before there is any work."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"A picture is a .png or an .svg file, and not {path.name!r}.")
    return path.suffix.lower()


def printable(text: str) -> str:
    """The text without what would break a picture: names come from the web."""
    return "".join(
        "?"
        if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp")
        else letter
        for letter in text
    )


def fitting(text: str, width: float, size: float) -> str:
    """The text, with its middle left out if it is too long for this width."""
    most = max(5, int(width / (size * _LETTER)))
    if len(text) <= most:
        return text
    head = (most - 3) // 2
    return f"{text[:head]}...{text[len(text) - (most - 3 - head) :]}"


def _svg_of(shape: Line | Box | Dot | Words) -> str:
    match shape:
        case Line(points, colour, width):
            corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            return (
                f'<polyline points="{corners}" fill="none" stroke="{colour}" '
                f'stroke-width="{width:g}" stroke-linejoin="round"/>'
            )
        case Box(x, y, width, height, colour):
            return (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
                f'fill="{colour}"/>'
            )
        case Dot(x, y, radius, colour):
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}"/>'
        case Words(x, y, text, size, anchor, colour, upwards):
            place = f'x="{x:.1f}" y="{y:.1f}"'
            if upwards:
                place = f'transform="translate({x:.1f} {y:.1f}) rotate(-90)"'
            return (
                f'<text {place} font-size="{size:g}" text-anchor="{anchor}" fill="{colour}">'
                f"{escape(text)}</text>"
            )
