"""How far a crawl goes from its seeds.

A scope follows a seed's own redirect. A filter is not told of redirects; but whatever page a link
was found on is itself within the crawl, so where that page lies says as much.
"""

from collections import defaultdict
from collections.abc import Container, Iterable
from typing import Protocol

from gossamer.records import Exclusion
from gossamer.urls import Url

_ROBOTS_FILE = "/robots.txt"


class ListedSeeds(Protocol):
    """Seeds that are too many to be named one by one."""

    @property
    def hosts(self) -> Container[str]: ...
    @property
    def sites(self) -> Container[str]: ...
    def has_folder_of(self, href: str) -> bool: ...


class _NoSeeds:
    hosts: frozenset[str] = frozenset()
    sites: frozenset[str] = frozenset()

    def has_folder_of(self, _href: str) -> bool:
        return False


NONE_LISTED = _NoSeeds()


class HostScope:
    """The seeds' hosts, and those that a seed was redirected to: whatever host a page of the
    crawl is on, its links within that host belong to the crawl."""

    def __init__(self, seeds: Iterable[Url], listed: ListedSeeds = NONE_LISTED) -> None:
        self._hosts = frozenset(seed.host for seed in seeds)
        self._listed = listed.hosts

    def objection(self, url: Url, page: Url, _depth: int) -> Exclusion | None:
        host = url.host
        is_within = host == page.host or host in self._hosts or host in self._listed
        return None if is_within else Exclusion.SCOPE


class DomainScope:
    def __init__(self, seeds: Iterable[Url], listed: ListedSeeds = NONE_LISTED) -> None:
        self._sites = frozenset(seed.site for seed in seeds)
        self._listed = listed.sites

    def objection(self, url: Url, page: Url, _depth: int) -> Exclusion | None:
        site = url.site
        is_within = site == page.site or site in self._sites or site in self._listed
        return None if is_within else Exclusion.SCOPE


class PrefixScope:
    """The seeds' folders, on either scheme. A seed that was redirected to another host finds its
    folder there; one that was redirected to another folder, what lies in that one."""

    def __init__(self, seeds: Iterable[Url], listed: ListedSeeds = NONE_LISTED) -> None:
        self._listed = listed
        by_host: defaultdict[str, set[str]] = defaultdict(set)
        for seed in seeds:
            by_host[seed.host].add(_folder(_path(seed)))
        self._by_host = {host: tuple(folders) for host, folders in by_host.items()}
        self._all = tuple({folder for folders in by_host.values() for folder in folders})

    def objection(self, url: Url, page: Url, _depth: int) -> Exclusion | None:
        path = _path(url)
        if path.startswith(self._by_host.get(url.host, ())):
            return None
        if self._listed.has_folder_of(url.href):
            return None
        if url.host == page.host:
            if path.startswith(self._all) and url.host not in self._by_host:
                return None
            if self._was_redirected(page) and path.startswith(_folder(_path(page))):
                return None
        return Exclusion.SCOPE

    def _was_redirected(self, page: Url) -> bool:
        """A page of the crawl outside all folders; a robots file, which names sitemaps, is none."""
        path = _path(page)
        folders = self._by_host.get(page.host, self._all)
        if path == _ROBOTS_FILE or path.startswith(folders):
            return False
        return not self._listed.has_folder_of(page.href)


def _path(url: Url) -> str:
    return "/" + url.href.split("/", 3)[3].partition("?")[0]


def _folder(path: str) -> str:
    return path[: path.rindex("/") + 1]
