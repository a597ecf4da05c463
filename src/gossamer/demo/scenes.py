"""What does the picture over a story show? A motif for each section, in the light of some hour."""

from random import Random
from zlib import crc32

_WIDTH, _HEIGHT = 800, 450

# Sky above, sky below, water or ground, far hills.
_HOURS = (
    ("#7fb2d9", "#dcecf5", "#3f6f8f", "#7a9a8f"),
    ("#f2a65a", "#fbe3b9", "#4b6478", "#8a6a5c"),
    ("#27374f", "#6f7fa0", "#1d2a3d", "#34465f"),
    ("#a9b8c2", "#e4e9ec", "#5d7380", "#8e9ca3"),
    ("#e88a7d", "#f8d8c4", "#54627a", "#86697a"),
)


def scene(section: str, name: str) -> str:
    """An SVG picture, always the same for a story."""
    chance = Random(crc32(name.encode()))
    top, low, ground, hills = _HOURS[chance.randrange(len(_HOURS))]
    horizon = chance.randrange(250, 300)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">',
        f'<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{low}"/></linearGradient></defs>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="url(#s)"/>',
        _sun(chance, horizon),
        _hills(chance, horizon, hills),
        f'<rect y="{horizon}" width="{_WIDTH}" height="{_HEIGHT - horizon}" fill="{ground}"/>',
        _MOTIFS[section](chance, horizon),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _sun(chance: Random, horizon: int) -> str:
    x, y, size = (
        chance.randrange(80, 720),
        chance.randrange(60, horizon - 70),
        chance.randrange(22, 44),
    )
    return f'<circle cx="{x}" cy="{y}" r="{size}" fill="#fff6d8" opacity=".9"/>'


def _hills(chance: Random, horizon: int, colour: str) -> str:
    points = [f"0,{horizon}"]
    points += [f"{x},{horizon - chance.randrange(10, 85)}" for x in range(0, 801, 100)]
    return (
        f'<polygon points="{" ".join([*points, f"800,{horizon}"])}" fill="{colour}" opacity=".7"/>'
    )


def _waves(chance: Random, horizon: int, count: int = 9) -> str:
    lines = []
    for _ in range(count):
        x, y = chance.randrange(0, 700), chance.randrange(horizon + 20, 440)
        lines.append(f"M{x} {y}q15 -8 30 0t30 0t30 0")
    return f'<path d="{"".join(lines)}" fill="none" stroke="#fff" stroke-width="2" opacity=".45"/>'


def _harbour(chance: Random, horizon: int) -> str:
    x, y = chance.randrange(120, 380), horizon + chance.randrange(50, 110)
    hull = chance.choice(("#a33b2e", "#1f4e63", "#2e5a3c", "#d8a02b"))
    lighthouse = (
        f'<g transform="translate({chance.randrange(560, 700)} {horizon - 130})">'
        '<path d="M0 150h60l-10 -120h-40z" fill="#f4f1ea"/>'
        '<path d="M4 110h52l-3 -30h-46zM9 50h42l-2 -20h-38z" fill="#b8342b"/>'
        '<path d="M10 30h40v-22h-40z" fill="#ffe9a0"/><path d="M5 8h50l-25 -22z" fill="#333"/></g>'
    )
    boat = (
        f'<g transform="translate({x} {y})"><path d="M0 0h170l-28 44h-116z" fill="{hull}"/>'
        '<path d="M60 0v-40h55v40z" fill="#f4f1ea"/><path d="M70 -30h12v14h-12zM92 -30h12v14h-12z" '
        'fill="#4b6478"/><path d="M40 0v-95M40 -90l70 50" stroke="#333" stroke-width="4"/></g>'
    )
    return lighthouse + boat + _waves(chance, horizon)


def _city(chance: Random, horizon: int) -> str:
    houses = []
    x = 0
    while x < _WIDTH:
        width, height = chance.randrange(60, 110), chance.randrange(60, 150)
        colour = chance.choice(("#c9b79c", "#b5653f", "#d9cdb8", "#8d99a6", "#a0775a", "#e0c9a6"))
        top = horizon - height
        houses.append(
            f'<path d="M{x} {horizon}v-{height}l{width // 2} -28l{width // 2} 28v{height}z" '
            f'fill="{colour}"/>'
        )
        houses += [
            f'<rect x="{x + 14 + 26 * column}" y="{top + 20 + 34 * row}" width="12" height="18" '
            f'fill="{chance.choice(("#ffe9a0", "#4b6478", "#4b6478"))}"/>'
            for column in range((width - 20) // 26)
            for row in range((height - 10) // 40)
        ]
        x += width
    tram_x = chance.randrange(80, 460)
    tram = (
        f'<g transform="translate({tram_x} {horizon + 30})"><rect width="260" height="84" rx="14" '
        'fill="#f3ead2"/><rect y="48" width="260" height="30" fill="#2e5a3c"/>'
        '<path d="M18 14h48v28h-48zM78 14h48v28h-48zM138 14h48v28h-48zM198 14h44v28h-44z" '
        'fill="#5d7f93"/><g fill="#333"><circle cx="55" cy="86" r="13"/>'
        '<circle cx="205" cy="86" r="13"/></g>'
        '<path d="M130 0l-24 -30h48" fill="none" stroke="#333" stroke-width="4"/></g>'
        f'<path d="M0 {horizon + 132}h800" stroke="#ccc" stroke-width="4"/>'
    )
    return "".join(houses) + tram


def _science(chance: Random, horizon: int) -> str:
    stars = "".join(
        f'<circle cx="{chance.randrange(800)}" cy="{chance.randrange(horizon - 60)}" '
        f'r="{chance.choice((1, 2, 2, 3))}" fill="#fff"/>'
        for _ in range(50)
    )
    x, y = chance.randrange(120, 500), chance.randrange(50, 120)
    comet = (
        f'<path d="M{x} {y}l170 -40l-150 62z" fill="#fff" opacity=".55"/>'
        f'<circle cx="{x}" cy="{y + 6}" r="11" fill="#fff"/>'
    )
    dome = (
        f'<g transform="translate({chance.randrange(180, 420)} {horizon})">'
        '<path d="M0 0h220v-60h-220z" fill="#d9d4c7"/><path d="M0 -60a110 100 0 0 1 220 0z" '
        'fill="#f4f1ea"/><path d="M120 -158l38 14l-18 84h-34z" fill="#34465f"/>'
        '<path d="M126 -70l52 -92l18 10l-44 84z" fill="#7a6a58"/></g>'
    )
    return stars + comet + dome


def _culture(chance: Random, horizon: int) -> str:
    curtain = chance.choice(("#8e2430", "#274b6d", "#3f5a35"))
    folds = "".join(
        f'<path d="M{x} 0q14 120 0 {horizon + 60}h26q14 -150 0 -{horizon + 60}z" fill="#000" '
        'opacity=".13"/>'
        for x in (20, 80, 140, 630, 690, 750)
    )
    notes = "".join(
        f'<g transform="translate({chance.randrange(250, 520)} {chance.randrange(120, horizon)})">'
        '<ellipse rx="13" ry="9" transform="rotate(-20)" fill="#222"/>'
        '<path d="M12 -4v-50l22 10" fill="none" stroke="#222" stroke-width="4"/></g>'
        for _ in range(5)
    )
    low = horizon + 60
    return (
        f'<path d="M0 0h200q-20 200 -40 {low}h-160zM800 0h-200q20 200 40 {low}h160z" '
        f'fill="{curtain}"/>{folds}<path d="M0 0h800v46q-100 40 -200 0t-200 0t-200 0t-200 0z" '
        f'fill="{curtain}"/><rect y="{low - 10}" width="800" height="200" fill="#7a5634"/>{notes}'
    )


def _sport(chance: Random, horizon: int) -> str:
    boats = []
    for lane in range(3):
        x, y = chance.randrange(40, 300), horizon + 40 + 48 * lane
        colour = chance.choice(("#b8342b", "#d8a02b", "#1f4e63", "#2e5a3c"))
        rowers = "".join(
            f'<circle cx="{70 + 55 * seat}" cy="-22" r="9" fill="#e6c3a1"/>'
            f'<path d="M{60 + 55 * seat} 0v-14h20v14z" fill="{colour}"/>'
            f'<path d="M{70 + 55 * seat} -6l-34 28" stroke="#f4f1ea" stroke-width="4"/>'
            for seat in range(4)
        )
        boats.append(
            f'<g transform="translate({x} {y})">{rowers}<path d="M0 0h340l-40 12h-262z" '
            f'fill="{colour}"/></g>'
        )
    return _waves(chance, horizon, 12) + "".join(boats)


def _business(chance: Random, horizon: int) -> str:
    boxes = "".join(
        f'<rect x="{60 + 84 * column}" y="{horizon + 60 - 46 * row}" width="80" height="42" '
        f'fill="{chance.choice(("#a33b2e", "#1f4e63", "#d8a02b", "#2e5a3c", "#8d99a6"))}"/>'
        for column in range(5)
        for row in range(chance.randrange(1, 5))
    )
    crane = (
        f'<g transform="translate({chance.randrange(520, 640)} {horizon + 100})" fill="none" '
        'stroke="#c2571a" stroke-width="9"><path d="M0 0v-250M60 0v-250M0 -80h60M0 -160h60'
        'M-220 -250h340M30 -250l0 -50l-240 50M30 -300l86 50"/>'
        '<path d="M-170 -250v110" stroke="#333" stroke-width="3"/></g>'
    )
    return boxes + crane


def _opinion(chance: Random, horizon: int) -> str:
    paper = "".join(
        f'<path d="M290 {150 + 26 * line}h{chance.randrange(120, 220)}" '
        'stroke="#9aa" stroke-width="6"/>'
        for line in range(8)
    )
    x, y = chance.randrange(520, 600), chance.randrange(300, 350)
    return (
        f'<rect y="{horizon - 30}" width="800" height="300" fill="#7a5634"/>'
        f'<path d="M250 100h300v290h-300z" fill="#fbf8f0"/>{paper}'
        f'<g transform="translate({x} {y}) rotate(-38)">'
        '<path d="M0 0h190v16h-190z" fill="#d8a02b"/><path d="M0 0l-34 8l34 8z" fill="#e6c3a1"/>'
        '<path d="M190 0h24v16h-24z" fill="#b8342b"/></g>'
    )


_MOTIFS = {
    "harbour": _harbour,
    "city": _city,
    "science": _science,
    "culture": _culture,
    "sport": _sport,
    "business": _business,
    "opinion": _opinion,
}
