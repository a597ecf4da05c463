"""Which URLs a part of a file holds, and in which records: read before any page is made, because
of several records of a URL the newest counts, wherever it lies."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from gossamer.errors import UrlError
from gossamer.importing.archives import Broken, Record, Shape, records
from gossamer.importing.exchanges import redirect_of
from gossamer.importing.tasks import (
    CONVERTED,
    CUT,
    REPEATED,
    RESPELLED,
    WHOLE,
    Found,
    Part,
    Surveyed,
)
from gossamer.records import Exclusion
from gossamer.urls import KeyRules, Resolver, Url, parse

MOST_RECORDS = 5_000
"""In one answer: what follows them is another part."""

Objection = Callable[[Url], Exclusion | None]

_WORTH = {"response": WHOLE, "resource": WHOLE, "conversion": CONVERTED, "revisit": REPEATED}


class Cursor:
    """A place in a file that can be gone on from: one that cannot be entered in the middle would
    have to be read from its beginning again."""

    def __init__(self) -> None:
        self._path = ""
        self._records: Iterator[Record | Broken] = iter(())
        self._last: Record | Broken | None = None

    def at(
        self, path: str, shape: Shape, start: int, *, exact: bool = True
    ) -> Iterator[Record | Broken]:
        if shape.can_be_entered:
            return records(Path(path), shape, start, exact=exact)
        return self._counted(path, shape, start)

    def _counted(self, path: str, shape: Shape, start: int) -> Iterator[Record | Broken]:
        if path != self._path or self._last is None or self._last.place > start:
            self._path, self._last = path, None
            self._records = records(Path(path), shape, start)
        elif self._last.place == start:
            yield self._last
        for found in self._records:
            self._last = found
            if found.place >= start:
                yield found
        self._path = ""


def address_of(record: Record, rules: KeyRules) -> Url | None:
    """None: nothing that can be had from the web."""
    try:
        url = parse(record.url, rules)
    except UrlError:
        return None
    return url if url.href.startswith(("http://", "https://")) else None


def survey(part: Part, cursor: Cursor, resolver: Resolver, objection: Objection) -> Surveyed:
    found: list[Found] = []
    broken: list[Broken] = []
    counts: Counter[str] = Counter()
    first = None
    last = -1
    for record in cursor.at(part.path, part.shape, part.start, exact=part.exact):
        if isinstance(record, Broken):
            broken.append(record)
            continue
        if part.shape.can_be_entered and (record.place <= last or not record.can_be_entered):
            return Surveyed((), (), {}, None, None, can_be_entered=False)
        last = record.place
        is_beyond = part.end is not None and last >= part.end
        if is_beyond or counts["records"] == MOST_RECORDS:
            return Surveyed(tuple(found), tuple(broken), dict(counts), first, last)
        if first is None:
            first = last
        counts["records"] += 1
        _note(record, found, counts, resolver, objection)
    return Surveyed(tuple(found), tuple(broken), dict(counts), first, None)


def _note(
    record: Record,
    found: list[Found],
    counts: "Counter[str]",
    resolver: Resolver,
    objection: Objection,
) -> None:
    if not record.kind:
        counts["other"] += 1
        return
    url = address_of(record, resolver.rules)
    if url is None:
        counts["unaddressed"] += 1
        return
    counts["revisit" if record.kind == "revisit" else "pages"] += 1
    seconds = record.seconds
    worth = _WORTH[record.kind]
    if record.kind == "response" and (location := redirect_of(record)):
        target = resolver.page(url.href).resolve(location)
        if target is not None and target.key == url.key:
            worth = RESPELLED
    record.skip()
    if record.broken:
        worth = CUT
    excluded = objection(url)
    found.append(Found(url.site_hash, url.key, worth, seconds, record.place, str(excluded or "")))
