"""Hosts to keep away from: lists of other people, with millions of lines.

Of each host only a hash of eight bytes is kept, in one sorted array. Files are read line by line.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from gossamer.errors import SettingsError
from gossamer.lib.hashing import hash64
from gossamer.records import Exclusion
from gossamer.urls import Url, ascii_host

_REMEMBERED_HOSTS = 65_536
_PLAIN_LINE = re.compile(r"(?:[0-9.]+[ \t]+)?([a-z0-9_-]++(?:\.[a-z0-9_-]++)++)\s*+")
_HOST = re.compile(r"(?:\*?\.)?([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)\.?", re.ASCII)
_ADDRESS = re.compile(r"[0-9.]+|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(?:%\w+)?", re.ASCII)
# A rule of an ad blocker for a whole host. One for scripts or pictures alone is no reason not to
# visit its pages.
_RULE = re.compile(r"\|\|([^\s/^$*|]+)\^?(?:\$([\w,~-]+))?")
_WHOLE_HOST = frozenset({"all", "doc", "document", "important", "third-party", "3p"})
_COMMENTS = ("#", "!", "[", ";")
# What a hosts file has to say of the machine itself.
_LOCAL = frozenset(
    {
        *("localhost", "localhost.localdomain", "local", "broadcasthost", "0.0.0.0"),  # noqa: S104
        *("ip6-localhost", "ip6-loopback", "ip6-localnet", "ip6-mcastprefix"),
        *("ip6-allnodes", "ip6-allrouters", "ip6-allhosts"),
    }
)


class BlockList:
    """The hosts of some files, and all beneath them."""

    def __init__(self, paths: Iterable[str]) -> None:
        import numpy as np  # not for those who only want to know whether the files are there

        self._hashes = array("q")
        for path in paths:
            self._hashes.extend(hash64(host.encode()) for host in _hosts_of(path))
        np.frombuffer(self._hashes, np.int64).sort()  # in place
        self._is_listed = lru_cache(_REMEMBERED_HOSTS)(self._look_up)

    def __len__(self) -> int:
        return len(self._hashes)

    def objection(self, url: Url, _page: Url, _depth: int) -> Exclusion | None:
        return Exclusion.BLOCKED if self._is_listed(url.host) else None

    def _look_up(self, host: str) -> bool:
        name = host if host.endswith("]") else host.partition(":")[0]
        name = name.rstrip(".")
        while True:
            wanted = hash64(name.encode())
            place = bisect_left(self._hashes, wanted)
            if place < len(self._hashes) and self._hashes[place] == wanted:
                return True
            _, dot, name = name.partition(".")
            if not dot:
                return False


def check_files(paths: Iterable[str]) -> None:
    """Raises `SettingsError` where a file cannot be read."""
    for path in paths:
        try:
            with Path(path).open("rb") as file:
                file.read(1)
        except OSError as error:
            raise _unreadable(path, error) from None


def _unreadable(path: str, error: OSError) -> SettingsError:
    return SettingsError(
        f"The block list '{path}' (setting 'block_lists') cannot be read: "
        f"{error.strerror or error}."
    )


def _hosts_of(path: str) -> Iterator[str]:
    try:
        with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
            for line in file:
                # Nearly all lines of long lists.
                if (plain := _PLAIN_LINE.fullmatch(line)) and plain[1] not in _LOCAL:
                    yield plain[1]
                else:
                    yield from hosts_in(line)
    except OSError as error:
        raise _unreadable(path, error) from None


def hosts_in(line: str) -> list[str]:
    """The hosts that a line names: 'host', '0.0.0.0 host host', '||host^'. What has a meaning that
    a crawl cannot heed (a path, an exception, a part of a page) names none."""
    line = line.strip()
    if not line or line.startswith(_COMMENTS):
        return []
    if line.startswith("||"):
        rule = _RULE.fullmatch(line)
        whole = rule and (not rule[2] or _WHOLE_HOST.issuperset(rule[2].lower().split(",")))
        return _named([rule[1]]) if rule and whole else []
    words = line.split()
    for position, word in enumerate(words):
        if word.startswith("#"):
            del words[position:]
            break
    if len(words) > 1:
        return _named(words[1:]) if _ADDRESS.fullmatch(words[0]) else []
    return _named(words)


def _named(words: list[str]) -> list[str]:
    hosts = []
    for word in words:
        if not word.isascii():
            word = ascii_host(word)
        found = _HOST.fullmatch(word)
        if found and (host := found[1].lower()) not in _LOCAL:
            hosts.append(host)
    return hosts
