"""Which URLs a part of a file holds, and in which records: read before any page is made, because
of several records of a URL the newest counts, wherever it lies."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from gossamer.errors import UrlError
from gossamer.importing.archives import Broken, Record, Shape, date_of, records
from gossamer.importing.exchanges import has_content, redirect_of, repeats_another
from gossamer.importing.tasks import (
    CONVERTED,
    CUT,
    REPEATED,
    RESPELLED,
    WHOLE,
    Found,
    Original,
    Part,
    References,
    Revisit,
    Surveyed,
)
from gossamer.lib.hashing import hash64
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
    noted = _Noted(resolver, objection)
    broken: list[Broken] = []
    counts = noted.counts
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
            return noted.surveyed(broken, first, last)
        if first is None:
            first = last
        counts["records"] += 1
        noted.add(record)
    return noted.surveyed(broken, first, None)


class _Noted:
    """Lists the records of a part, and what they refer to."""

    def __init__(self, resolver: Resolver, objection: Objection) -> None:
        self._resolver = resolver
        self._objection = objection
        self._found: list[Found] = []
        self._originals: list[Original] = []
        self._revisits: list[Revisit] = []
        self.counts: Counter[str] = Counter()

    def surveyed(
        self, broken: Sequence[Broken], first: int | None, following: int | None
    ) -> Surveyed:
        return Surveyed(
            *(tuple(self._found), tuple(broken), dict(self.counts), first, following),
            originals=tuple(self._originals),
            revisits=tuple(self._revisits),
        )

    def add(self, record: Record) -> None:
        if not record.kind:
            self.counts["other"] += 1
            return
        url = address_of(record, self._resolver.rules)
        if url is None:
            self.counts["unaddressed"] += 1
            return
        self.counts["revisit" if record.kind == "revisit" else "pages"] += 1
        seconds = record.seconds
        worth = _WORTH[record.kind]
        start = record.start() if record.kind in ("response", "revisit") else b""
        if record.kind == "response" and (location := redirect_of(record, start)):
            target = self._resolver.page(url.href).resolve(location)
            if target is not None and target.key == url.key:
                worth = RESPELLED
        record.skip()
        if record.broken:
            worth = CUT
        elif record.kind == "resource" or (record.kind == "response" and has_content(start)):
            names = _names(record, "WARC-Record-ID", url, seconds)
            self._originals.append(Original(record.place, names))
        elif record.kind == "revisit" and repeats_another(start):
            names = self._referred(record, url)
            self._revisits.append(
                Revisit(url.site_hash, url.key, url.href, seconds, record.place, names)
            )
        excluded = self._objection(url)
        self._found.append(
            Found(url.site_hash, url.key, worth, seconds, record.place, str(excluded or ""))
        )

    def _referred(self, record: Record, url: Url) -> References:
        earlier = record.header("WARC-Refers-To-Target-URI").strip().strip("<>")
        try:
            original = parse(earlier, self._resolver.rules) if earlier else url
        except UrlError:
            original = url
        seconds = date_of(record.header("WARC-Refers-To-Date"))
        return _names(record, "WARC-Refers-To", original, seconds)


def _names(record: Record, id_header: str, url: Url, seconds: float) -> References:
    identity = record.header(id_header).strip().strip("<>")
    digest = record.header("WARC-Payload-Digest").strip().lower()
    return References(
        hash64(identity.encode("utf-8", "replace")) if identity else 0,
        hash64(f"{url.site_hash} {url.key} {int(seconds)}".encode()) if seconds else 0,
        hash64(digest.encode("utf-8", "replace")) if digest else 0,
    )
