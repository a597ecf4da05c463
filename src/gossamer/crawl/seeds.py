"""Where a crawl starts when its seeds are many: lists of addresses, and folders of this machine.

They are read once, before anything is fetched, and written down as hrefs in the run's own folder:
the queue servers get them from there, in batches, also after a kill. In memory there are never more
than a batch of them, and eight bytes for each host.

    seeds.list    the hrefs, until the queue servers have them all
    seeds.done    a fingerprint of the list that they have
    seeds.scope   hashes of the hosts, sites and folders that the list names
"""

import csv
import gzip
import io
import mmap
import os
import re
import struct
import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, BinaryIO

import numpy as np
import xxhash

from gossamer.config import STANDARD_INPUT, CrawlSettings, blaming
from gossamer.crawl.files import local_seed, walk
from gossamer.crawl.local_paths import is_local, path_of
from gossamer.errors import SettingsError, UrlError
from gossamer.lib.hashing import hash64
from gossamer.records import Exclusion, Item, Link
from gossamer.urls import KeyRules, Url, from_href, parse

BATCH_LINKS = 10_000

_LIST, _DONE, _SCOPE = "seeds.list", "seeds.done", "seeds.scope"
_COLUMNS = ("url", "link", "urls", "links", "uri", "href")
_DELIMITERS = ",;\t"
_GZIP = b"\x1f\x8b"
_LONGEST_LINE = 65_536
_FAULTS_SHOWN = 5
_HEAD = struct.Struct("<4sqqq")
_FORMAT = b"gss1"
_WRITE_LINES = 10_000


def settled(settings: CrawlSettings) -> CrawlSettings:
    """The settings with paths that hold wherever the crawl goes on: folders become `file:` URLs,
    names of files become absolute."""
    changed: dict[str, tuple[str, ...]] = {
        name: tuple(map(_absolute, getattr(settings, name)))
        for name in ("seed_files", "block_lists", "plugins")
    }
    changed["seeds"] = tuple(local_seed(seed) or seed for seed in settings.seeds)
    return settings.model_copy(update=changed)


def _absolute(name: str) -> str:
    return name if name == STANDARD_INPUT else str(Path(name).expanduser().absolute())


def web_seeds(settings: CrawlSettings) -> list[str]:
    """The seeds that are named one by one; folders are walked instead."""
    return [seed for seed in settings.seeds if not is_local(seed)]


def shown(settings: CrawlSettings) -> list[str]:
    """What the catalogue keeps of the seeds: never more than were typed."""
    return [*settings.seeds, *settings.seed_files]


def crawler_name(settings: CrawlSettings, first: Url) -> str:
    """Of a crawl that starts at `first`, where its settings give none."""
    if settings.name:
        return settings.name
    if not is_local(first.href):
        return first.host.replace(":", "-").strip("[]")
    seed = next(seed for seed in settings.seeds if is_local(seed))
    name = os.fsdecode(path_of(seed)).rstrip("/").rpartition("/")[2]
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:100] or "files"


# Reading lists


def addresses(name: str) -> Iterator[tuple[int, str]]:
    """(line, address) of a list: one a line, or a table with a column of them. Comments and blank
    lines are left out. Nothing is checked here."""
    try:
        with _opened(name) as file:
            yield from _addresses(name, _lines(file))
    except (OSError, EOFError, gzip.BadGzipFile) as error:
        reason = getattr(error, "strerror", None) or error
        raise SettingsError(f"{_called(name)} cannot be read: {reason}.") from None


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == STANDARD_INPUT:
        yield from _unpacked(sys.stdin.buffer)
        return
    with Path(name).open("rb") as file:
        yield from _unpacked(file)


def _unpacked(file: BinaryIO) -> Iterator[BinaryIO]:
    peek = getattr(file, "peek", None)
    if peek is not None and peek(2)[:2] == _GZIP:
        with gzip.GzipFile(fileobj=file) as packed:
            yield io.BufferedReader(packed)
    else:
        yield file


def _lines(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """What stands in a line of bytes, whatever they are."""
    number = 0
    while line := file.readline(_LONGEST_LINE):
        number += 1
        while len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
            rest = file.readline(_LONGEST_LINE)
            if len(rest) < _LONGEST_LINE:
                break
        text = line.decode("utf-8-sig" if number == 1 else "utf-8", "replace").strip()
        if text and not text.startswith("#"):
            yield number, text


def _addresses(name: str, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    first = next(lines, None)
    if first is None:
        return
    table = _table_of(name, first[1])
    if table is None:
        yield first
        yield from lines
        return
    delimiter, column, has_head = table
    if not has_head:
        yield first[0], _cell(first[1], delimiter, column)
    for number, text in lines:
        yield number, _cell(text, delimiter, column)


def _table_of(name: str, first: str) -> tuple[str, int, bool] | None:
    """(delimiter, column, whether the first line names the columns); None: no table. A comma may
    stand in an address: only a name of a column, or of the file, tells a table."""
    endings = {ending.lower() for ending in Path(name).suffixes[-2:]}
    delimiter = max(_DELIMITERS, key=first.count) if not endings & {".tsv"} else "\t"
    names = [cell.strip().lower() for cell in _cells(first, delimiter)]
    for known in _COLUMNS:
        if known in names:
            return delimiter if len(names) > 1 else "", names.index(known), True
    return (delimiter, 0, False) if endings & {".csv", ".tsv"} else None


def _cells(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return []


def _cell(text: str, delimiter: str, column: int) -> str:
    if not delimiter:
        return text.strip('"')  # one column: a comma belongs to the address
    cells = _cells(text, delimiter)
    return cells[column].strip() if column < len(cells) else ""


def _called(name: str) -> str:
    return "The list of seeds on standard input" if name == STANDARD_INPUT else f"'{name}'"


# Collecting


class Collected:
    """The seeds of all lists and folders, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._hash = xxhash.xxh3_64()
        self._waiting: list[str] = []
        self._file: IO[bytes] | None = None
        self._hosts, self._sites, self._folders = array("q"), array("q"), array("q")
        self._last_host = self._last_folder = ""
        self.count = 0
        self.first: Url | None = None

    def add(self, url: Url) -> None:
        if self.first is None:
            self.first = url
        self.count += 1
        href = url.href
        if url.host != self._last_host:
            self._last_host = url.host
            self._hosts.append(hash64(url.host.encode()))
            self._sites.append(url.site_hash)
        folder = folder_of(href)
        if folder != self._last_folder:
            self._last_folder = folder
            self._folders.append(hash64(folder.encode()))
        self._waiting.append(href)
        if len(self._waiting) == _WRITE_LINES:
            self._write()

    def _write(self) -> None:
        if not self._waiting:
            return
        if self._file is None:
            self._file = self._path.open("xb")
        data = ("\n".join(self._waiting) + "\n").encode()
        self._waiting.clear()
        self._hash.update(data)
        self._file.write(data)

    @property
    def fingerprint(self) -> str:
        """Of all addresses, in their order; '' where there is none."""
        self._write()
        return str(self._hash.hexdigest()) if self.count else ""

    def is_new_to(self, frontier: Path) -> bool:
        """Whether the queue servers of a run do not have this very list."""
        return self.fingerprint not in ("", seeded(frontier))

    def hand_over(self, frontier: Path) -> None:
        """Leave the list in the run's folder, unless its queue servers have it."""
        if not self.is_new_to(frontier) or self._file is None:
            return
        self._file.flush()
        os.fsync(self._file.fileno())
        scope = frontier / f"{_SCOPE}.new"
        scope.write_bytes(_scope_bytes(self._hosts, self._sites, self._folders))
        scope.replace(frontier / _SCOPE)
        self._path.replace(frontier / _LIST)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._path.unlink(missing_ok=True)


@contextmanager
def collected(settings: CrawlSettings, folder: Path) -> Iterator[Collected]:
    """Read all lists and folders of a crawl. `folder` is where they are written down until they
    are handed over. Raises `SettingsError` with what is wrong, before anything is done."""
    found = Collected(folder / f".seeds-{os.getpid()}-{os.urandom(4).hex()}")
    try:
        for name in settings.seed_files:
            with blaming("seed_files"):
                _collect_list(name, found)
        for seed in settings.seeds:
            if is_local(seed):
                for url in walk(seed):
                    found.add(url)
        yield found
    finally:
        found.close()


def _collect_list(name: str, found: Collected) -> None:
    faults: list[str] = []
    wrong = lines = 0
    for line, text in addresses(name):
        lines += 1
        try:
            url = parse(text)
            if is_local(url.href):
                raise UrlError(f"'{text}': a list may only contain web addresses.")
        except UrlError as error:
            wrong += 1
            if len(faults) < _FAULTS_SHOWN:
                faults.append(f"{_place(name)}line {line}: {error}")
            continue
        if not wrong:
            found.add(url)
    if wrong:
        what = "line is not an address" if wrong == 1 else "lines are not addresses"
        more = "" if wrong <= len(faults) else " The first ones:"
        summary = f"{_called(name)}: {wrong:,} of {lines:,} {what}.{more}"
        raise SettingsError("\n".join([summary, *faults]))
    if not lines:
        raise SettingsError(f"{_called(name)} contains no addresses.")


def _place(name: str) -> str:
    return "" if name == STANDARD_INPUT else f"{name}, "


# Seeding


def seeded(frontier: Path) -> str:
    """The fingerprint of the list that the queue servers have; '' for none."""
    with suppress(FileNotFoundError):
        return (frontier / _DONE).read_text().strip()
    return ""


def batches(
    frontier: Path, rules: KeyRules, objection: Callable[[Url], Exclusion | None]
) -> Iterator[Sequence[Link]]:
    """The seeds that the queue servers do not have for certain. They have them all when the last
    batch has been taken."""
    path = frontier / _LIST
    if not path.exists():
        return
    digest = xxhash.xxh3_64()
    with path.open("rb") as file:
        while lines := list(islice(file, BATCH_LINKS)):
            for line in lines:
                digest.update(line)
            urls = [from_href(line.decode().rstrip("\n"), rules) for line in lines]
            yield [_link(url, objection(url)) for url in urls]
    done = frontier / f"{_DONE}.new"
    done.write_text(str(digest.hexdigest()) + "\n")
    done.replace(frontier / _DONE)
    path.unlink()


def _link(url: Url, excluded: Exclusion | None) -> Link:
    return Link(Item(url.href, url.site_hash, url.key, depth=0), excluded)


# The scope


class HashedNames:
    """A set of names by their hashes, in a file that all processes share."""

    def __init__(self, hashes: Sequence[int]) -> None:
        self._hashes = hashes

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.has(hash64(name.encode()))

    def __len__(self) -> int:
        return len(self._hashes)

    def has(self, value: int) -> bool:
        place = bisect_left(self._hashes, value)
        return place < len(self._hashes) and self._hashes[place] == value


class SeedScope:
    """What the addresses of lists have in common with a URL."""

    def __init__(self, hosts: HashedNames, sites: HashedNames, folders: HashedNames) -> None:
        self.hosts = hosts
        self.sites = sites
        self._folders = folders

    @classmethod
    def load(cls, frontier: Path) -> "SeedScope | None":
        """None: the crawl has no lists."""
        path = frontier / _SCOPE
        if not path.exists():
            return None
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        form, hosts, sites, folders = _HEAD.unpack(data[: _HEAD.size])
        if form != _FORMAT or len(data) != _HEAD.size + 8 * (hosts + sites + folders):
            raise SettingsError(f"{path} is damaged: start the crawl again with --new.")
        parts = []
        start = _HEAD.size
        for count in (hosts, sites, folders):
            # A view of numbers: looking one up reads a few pages of the file, and copies nothing.
            parts.append(HashedNames(data[start : start + 8 * count].cast("q")))
            start += 8 * count
        return cls(*parts)

    def has_folder_of(self, href: str) -> bool:
        """Whether a URL lies in the folder of a seed, or below one."""
        folder = folder_of(href)
        while folder.count("/") >= 3:
            if folder in self._folders:
                return True
            folder = folder[:-1].rpartition("/")[0] + "/"
        return False


def folder_of(href: str) -> str:
    """`//host/path/`: on either scheme it is the same."""
    return href.partition(":")[2].partition("?")[0].rpartition("/")[0] + "/"


def _scope_bytes(*parts: Iterable[int]) -> bytes:
    unique = [np.unique(np.array(part, np.int64)) for part in parts]
    head = _HEAD.pack(_FORMAT, *(len(part) for part in unique))
    return head + b"".join(part.astype("<i8").tobytes() for part in unique)
