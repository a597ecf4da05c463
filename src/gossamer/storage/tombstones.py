"""What has to be forgotten: URLs, hosts, or the whole run.

Segments are immutable, so that a takedown cannot change them: it is written beside them, and every
reader leaves out what it covers. Each takedown is an object of its own (`tombstones/000001.json`),
created only if absent: of two at the same moment neither is lost, and no lock is needed.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from gossamer.errors import FormatError
from gossamer.storage.objects import ObjectStore
from gossamer.urls import Url

TOMBSTONE_VERSION = 1
_FOLDER = "tombstones/"


class _Takedown(Struct, frozen=True):
    version: int = TOMBSTONE_VERSION
    urls: tuple[tuple[int, int], ...] = ()  # (site hash, key): the address itself is forgotten too
    hosts: tuple[str, ...] = ()
    whole_run: bool = False


class Tombstones(Struct, frozen=True):
    """All that a run has to forget."""

    urls: frozenset[tuple[int, int]] = frozenset()
    hosts: frozenset[str] = frozenset()
    whole_run: bool = False

    @classmethod
    def load(cls, objects: ObjectStore) -> "Tombstones":
        takedowns = [_read(objects, name) for name in objects.list(_FOLDER)]
        return cls(
            urls=frozenset(url for takedown in takedowns for url in takedown.urls),
            hosts=frozenset(host for takedown in takedowns for host in takedown.hosts),
            whole_run=any(takedown.whole_run for takedown in takedowns),
        )

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
        takedown = _Takedown(
            urls=tuple((url.site_hash, url.key) for url in urls),
            hosts=tuple(hosts),
            whole_run=whole_run,
        )
        data = msgspec.json.encode(takedown)
        number = len(objects.list(_FOLDER)) + 1
        while not objects.put_if_absent(f"{_FOLDER}{number:06d}.json", data):
            number += 1
        return cls.load(objects)

    def __bool__(self) -> bool:
        return self.whole_run or bool(self.urls) or bool(self.hosts)

    def covers(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of the page table (its `site_hash`, `key` and `host`) is to be left out."""
        return self._covers(row["site_hash"], row["key"], row["host"])

    def covers_url(self, url: Url) -> bool:
        return self._covers(url.site_hash, url.key, url.host)

    def _covers(self, site_hash: int, key: int, host: str) -> bool:
        return self.whole_run or host in self.hosts or (site_hash, key) in self.urls


def _read(objects: ObjectStore, name: str) -> _Takedown:
    try:
        takedown = msgspec.json.decode(objects.get(name) or b"", type=_Takedown)
    except msgspec.DecodeError as error:
        raise FormatError(f"{name} is damaged: {error}.") from error
    if takedown.version != TOMBSTONE_VERSION:
        # Ignoring it would show what somebody asked us to forget.
        raise FormatError(
            f"{name} has version {takedown.version}, this version of Gossamer reads "
            f"{TOMBSTONE_VERSION}: use the version that wrote it."
        )
    return takedown
