"""What does a site answer, and what has changed since it was asked before?"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import blake2b
from typing import NamedTuple

HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
XML = "application/xml; charset=utf-8"
SVG = "image/svg+xml"
CSS = "text/css; charset=utf-8"

OPENING_DAY = date(2025, 1, 6)
"""When pages without a date of their own were last changed."""


class Answer(NamedTuple):
    body: bytes
    media_type: str = HTML
    status: int = 200
    modified: date | None = None
    location: str = ""
    main: str | None = None
    """Title and content as a reader sees them, without anything around them; None: not known."""


def page(html: str, modified: date | None = None, main: str | None = None) -> Answer:
    return Answer(html.encode(), modified=modified or OPENING_DAY, main=main)


def moved(location: str) -> Answer:
    return Answer(b"Moved.\n", TEXT, 301, location=location)


def head_of(answer: Answer) -> list[tuple[str, str]]:
    """The headers that are not about the connection."""
    headers = [("Content-Type", answer.media_type)]
    if answer.location:
        headers.append(("Location", answer.location))
    if answer.modified is not None:
        headers.append(("ETag", _tag(answer)))
        headers.append(("Last-Modified", format_datetime(_moment(answer.modified), usegmt=True)))
        headers.append(("Cache-Control", "max-age=600"))
    return headers


def is_unchanged(answer: Answer, request: Mapping[str, str]) -> bool:
    """Whether the asker's copy will do. Header names of the request are in lower case."""
    if answer.status != 200 or answer.modified is None:
        return False
    tags = request.get("if-none-match")
    if tags is not None:  # goes before the date, as RFC 9110 asks
        known = {tag.strip().removeprefix("W/") for tag in tags.split(",")}
        return bool(known & {"*", _tag(answer)})
    try:
        since = parsedate_to_datetime(request.get("if-modified-since", ""))
    except ValueError:
        return False
    return _moment(answer.modified) <= since.replace(tzinfo=since.tzinfo or UTC)


def _tag(answer: Answer) -> str:
    return f'"{blake2b(answer.body, digest_size=8).hexdigest()}"'


def _moment(day: date) -> datetime:
    return datetime.combine(day, time(6), UTC)
