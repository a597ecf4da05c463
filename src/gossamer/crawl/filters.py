"""Which links are followed: small filters, asked in turn; the first objection counts."""

from collections.abc import Sequence
from typing import Protocol

from gossamer.config import CrawlSettings
from gossamer.records import Exclusion
from gossamer.urls import Url, parse


class UrlFilter(Protocol):
    def objection(self, url: Url, page: Url, depth: int) -> Exclusion | None:
        """`page` is where the link was found, itself within the crawl."""
        ...


class Depth:
    def __init__(self, limit: int) -> None:
        self._limit = limit

    def objection(self, _url: Url, _page: Url, depth: int) -> Exclusion | None:
        return Exclusion.DEPTH if depth > self._limit else None


class HostScope:
    """The seeds' hosts, and those that a seed was redirected to: whatever host a page of the
    crawl is on, its links within that host belong to the crawl."""

    def __init__(self, hosts: frozenset[str]) -> None:
        self._hosts = hosts

    def objection(self, url: Url, page: Url, _depth: int) -> Exclusion | None:
        return None if url.host in self._hosts or url.host == page.host else Exclusion.SCOPE


class DomainScope:
    def __init__(self, sites: frozenset[str]) -> None:
        self._sites = sites

    def objection(self, url: Url, page: Url, _depth: int) -> Exclusion | None:
        return None if url.site in self._sites or url.site == page.site else Exclusion.SCOPE


class Filters:
    """All filters of a crawl."""

    def __init__(self, settings: CrawlSettings, extra: Sequence[UrlFilter] = ()) -> None:
        seeds = [parse(seed) for seed in settings.seeds]
        self._filters: list[UrlFilter] = []
        if settings.scope == "host":
            self._filters.append(HostScope(frozenset(seed.host for seed in seeds)))
        elif settings.scope == "domain":
            self._filters.append(DomainScope(frozenset(seed.site for seed in seeds)))
        self._filters += extra
        if settings.max_depth is not None:
            # Last: what is out of scope stays out however the depth limit changes.
            self._filters.append(Depth(settings.max_depth))

    def objection(self, url: Url, page: Url, depth: int) -> Exclusion | None:
        for known in self._filters:
            objection = known.objection(url, page, depth)
            if objection is not None:
                return objection
        return None
