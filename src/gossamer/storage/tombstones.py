"""What has to be forgotten: URLs, hosts, pages that are too old, or the whole run.

Segments are immutable, so that a takedown cannot change them: it is written beside them, and every
reader leaves out what it covers. Each takedown is an object of its own (`tombstones/000001.json`),
created only if absent: of two at the same moment neither is lost, and no lock is needed.

Later, `compaction` writes the segments anew without what is covered, and notes in the manifest up
to which takedown each of them is clean: readers then have nothing left to leave out.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from gossamer.errors import FormatError
from gossamer.storage.objects import ObjectStore
from gossamer.urls import Url, host_of, site_of

TOMBSTONE_VERSION = 2
_READABLE_VERSIONS = (1, 2)
_FOLDER = "tombstones/"

ReadUrl = Callable[[str], Url]
"""The value of a stored href, with the key that the run gives it."""

Slot = tuple[int, int]
"""(site hash, key) of a URL: the address itself is forgotten too."""


class Takedown(Struct, frozen=True):
    version: int = TOMBSTONE_VERSION
    urls: tuple[Slot, ...] = ()
    hosts: tuple[str, ...] = ()
    whole_run: bool = False
    before: float = 0.0  # pages fetched earlier than this, in seconds since 1970
    links: bool = False  # what points to the URLs and hosts goes as well


class Tombstones(Struct, frozen=True, dict=True):
    """What some takedowns ask for together."""

    urls: frozenset[Slot] = frozenset()
    hosts: frozenset[str] = frozenset()
    whole_run: bool = False
    before: float = 0.0
    pointed_urls: frozenset[Slot] = frozenset()  # those whose in-links go as well
    pointed_hosts: frozenset[str] = frozenset()

    @classmethod
    def load(cls, objects: ObjectStore) -> "Tombstones":
        """All that a run has to forget."""
        return Takedowns.load(objects).after(0)

    @classmethod
    def add(
        cls,
        objects: ObjectStore,
        *,
        urls: Iterable[Url] = (),
        hosts: Iterable[str] = (),
        whole_run: bool = False,
    ) -> "Tombstones":
        """Forget these too, durably; returns all that is to be forgotten now."""
        slots = tuple((url.site_hash, url.key) for url in urls)
        add_takedown(objects, Takedown(urls=slots, hosts=tuple(hosts), whole_run=whole_run))
        return cls.load(objects)

    @cached_property
    def sites(self) -> frozenset[int]:
        """The sites of the URLs: nearly every other URL is told from them by its site alone."""
        return frozenset(site for site, _ in self.urls)

    def __bool__(self) -> bool:
        return self.whole_run or bool(self.urls) or bool(self.hosts) or self.before > 0

    def covers(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of the page table is to be left out: its `site_hash`, `key`, `host` and
        `fetched_at` tell."""
        if self.before and row["fetched_at"].timestamp() < self.before:
            return True
        return self._covers(row["site_hash"], row["key"], row["host"])

    def covers_url(self, url: Url) -> bool:
        """Whether the URL is to be forgotten, whenever it was fetched."""
        return self._covers(url.site_hash, url.key, url.host)

    def covers_href(self, href: str, read_url: ReadUrl) -> bool:
        """As `covers_url`; the URL is read only if it can be one of ours."""
        if self.whole_run:
            return True
        host = host_of(href)
        if host in self.hosts:
            return True
        return site_of(host)[1] in self.sites and self.covers_url(read_url(href))

    @cached_property
    def pointed(self) -> "Tombstones":
        """Those of them that take what points to them along."""
        return Tombstones(urls=self.pointed_urls, hosts=self.pointed_hosts)

    def _covers(self, site_hash: int, key: int, host: str) -> bool:
        return self.whole_run or host in self.hosts or (site_hash, key) in self.urls


class Takedowns:
    """The takedowns of a run, numbered in the order in which they came."""

    def __init__(self, numbered: Mapping[int, Takedown]) -> None:
        self._numbered = numbered
        self._known: dict[int, Tombstones] = {}

    @classmethod
    def load(cls, objects: ObjectStore) -> "Takedowns":
        return cls({_number_of(name): _read(objects, name) for name in objects.list(_FOLDER)})

    @property
    def last(self) -> int:
        return max(self._numbered, default=0)

    def after(self, number: int) -> Tombstones:
        """What the takedowns with higher numbers ask for."""
        known = self._known.get(number)
        if known is None:
            known = _united([what for at, what in self._numbered.items() if at > number])
            self._known[number] = known
        return known


def add_takedown(objects: ObjectStore, takedown: Takedown) -> int:
    """Forget this too, durably; returns its number."""
    data = msgspec.json.encode(takedown)
    number = max(map(_number_of, objects.list(_FOLDER)), default=0) + 1
    while not objects.put_if_absent(f"{_FOLDER}{number:06d}.json", data):
        number += 1
    return number


def _united(takedowns: list[Takedown]) -> Tombstones:
    def urls(of: Iterable[Takedown]) -> frozenset[Slot]:
        return frozenset(url for takedown in of for url in takedown.urls)

    def hosts(of: Iterable[Takedown]) -> frozenset[str]:
        return frozenset(host for takedown in of for host in takedown.hosts)

    pointed = [takedown for takedown in takedowns if takedown.links]
    return Tombstones(
        urls=urls(takedowns),
        hosts=hosts(takedowns),
        whole_run=any(takedown.whole_run for takedown in takedowns),
        before=max((takedown.before for takedown in takedowns), default=0.0),
        pointed_urls=urls(pointed),
        pointed_hosts=hosts(pointed),
    )


def _number_of(name: str) -> int:
    digits = name.removeprefix(_FOLDER).removesuffix(".json")
    if not digits.isdecimal():
        # Ignoring it would show what somebody asked us to forget.
        raise FormatError(f"{name} is none of the names that takedowns have.")
    return int(digits)


def _read(objects: ObjectStore, name: str) -> Takedown:
    try:
        takedown = msgspec.json.decode(objects.get(name) or b"", type=Takedown)
    except msgspec.DecodeError as error:
        raise FormatError(f"{name} is damaged: {error}.") from error
    if takedown.version not in _READABLE_VERSIONS:
        raise FormatError(
            f"{name} has version {takedown.version}, this version of Gossamer reads "
            f"{TOMBSTONE_VERSION}: use the version that wrote it."
        )
    return takedown
