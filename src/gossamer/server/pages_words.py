"""Numbers, times, addresses and names as people read them."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from gossamer.search.contract import Hit
from gossamer.url_display import readable_step

_LONGEST_CRUMB = 40
_MOST_CRUMBS = 5
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400

_FIELD_NAMES = {"lang": "Language", "filetype": "Type", "url": "Address"}
_FILE_TYPES = {"html": "Web pages", "txt": "Plain text", "pdf": "PDF", "docx": "DOCX", "odt": "ODT"}
_LANGUAGES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "ko": "Korean",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sr": "Serbian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
}


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
    """An address as a way: host, folders, page. Of a long way, its ends."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return [url]
    if not parts.netloc:
        return [url]
    steps = [_short(readable_step(step)) for step in parts.path.split("/") if step]
    if len(steps) > _MOST_CRUMBS:
        steps = [*steps[:2], "…", *steps[-2:]]
    return [parts.netloc, *steps]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_CRUMB else text[: _LONGEST_CRUMB - 1] + "…"


def led_to(url: str, hosts: Mapping[str, str]) -> str:
    """The address under which a browser finds a page: some hosts have another name for it."""
    scheme, separator, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{hosts[host]}{slash}{path}" if host in hosts else url


def is_web_address(value: Any) -> bool:
    """Whether a link may lead there: 'javascript:' and the like stay text."""
    return isinstance(value, str) and value.lower().startswith(("http://", "https://"))


def size(number: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if abs(number) < 1000:
            return f"{number:.0f} B" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} TB"


def number(value: float) -> str:
    """As few digits as tell it."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.4g}"


def plural(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def duration(seconds: float) -> str:
    if seconds < 0.001:
        return "under 1 ms"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def moment(when: float) -> str:
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M UTC") if when else "-"


def ago(when: float, now: float | None = None) -> str:
    """How long ago something was, as one would say it; a day where that is long ago."""
    if not when:
        return "never"
    seconds = (datetime.now(UTC).timestamp() if now is None else now) - when
    if seconds < _MINUTE:
        return "just now"
    if seconds < _HOUR:
        return f"{plural(int(seconds // _MINUTE), 'minute')} ago"
    if seconds < _DAY:
        return f"{plural(int(seconds // _HOUR), 'hour')} ago"
    if seconds < 30 * _DAY:
        return f"{plural(int(seconds // _DAY), 'day')} ago"
    return "on " + day(datetime.fromtimestamp(when, UTC).date().isoformat())


def day(written: str) -> str:
    """'2024-05-31' as '31 May 2024'; what is no day stays as it is."""
    try:
        found = date.fromisoformat(written[:10])
    except ValueError:
        return written
    return f"{found.day} {found:%b %Y}"


def field_name(name: str) -> str:
    """'weight_grams' as 'Weight grams'."""
    if name in _FIELD_NAMES:
        return _FIELD_NAMES[name]
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


_RANGE_END = re.compile(r"(?:[-+]?[0-9][0-9.,e:T Z+-]*)?")


def field_value(name: str, value: str) -> str:
    """A value of a filter: 'en' of 'lang' is English."""
    if name == "lang":
        return _LANGUAGES.get(value, value)
    if name == "filetype":
        return _FILE_TYPES.get(value, value)
    low, dots, high = value.partition("..")
    if dots and (low or high) and all(_RANGE_END.fullmatch(end) for end in (low, high)):
        return f"{low} to {high}" if low and high else f"from {low}" if low else f"up to {high}"
    return value


def filter_words(text: str) -> str:
    """'lang:en' as 'Language: English'."""
    name, _, value = text.partition(":")
    return f"{field_name(name)}: {field_value(name, value)}"
