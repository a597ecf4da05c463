"""Numbers, times and addresses as people read them."""

from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from gossamer.search.contract import Hit

_LONGEST_CRUMB = 40


class Piece(NamedTuple):
    text: str
    is_marked: bool


def marked(hit: Hit) -> list[Piece]:
    """The snippet in pieces: those with a word of the query, and those between them."""
    pieces: list[Piece] = []
    end = 0
    for mark in hit.marks:
        if mark.start > end:
            pieces.append(Piece(hit.snippet[end : mark.start], False))
        pieces.append(Piece(hit.snippet[mark.start : mark.end], True))
        end = mark.end
    if end < len(hit.snippet):
        pieces.append(Piece(hit.snippet[end:], False))
    return pieces


def breadcrumbs(url: str) -> list[str]:
    """An address as a way: host, folders, page."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return [url]
    if not parts.netloc:
        return [url]
    steps = [unquote(step) for step in parts.path.split("/") if step]
    return [parts.netloc, *(_short(step) for step in steps)]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_CRUMB else text[: _LONGEST_CRUMB - 1] + "…"


def is_web_address(value: Any) -> bool:
    """Whether a link may lead there: 'javascript:' and the like stay text."""
    return isinstance(value, str) and value.lower().startswith(("http://", "https://"))


def size(number: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if abs(number) < 1000:
            return f"{number:.0f} B" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"


def duration(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def moment(when: float) -> str:
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M UTC") if when else "-"
