"""Which links are followed: small filters, asked in turn; the first objection counts.

Those that depend on the address alone come before the depth limit, and after the scope: what is
out of scope may be in scope for another page, and what is too deep may come in on a shorter way.
"""

from collections.abc import Sequence
from typing import Protocol

from gossamer.config import CrawlSettings
from gossamer.crawl.block_lists import BlockList
from gossamer.crawl.files import FileScope
from gossamer.crawl.patterns import Excluded, Included, Patterns
from gossamer.crawl.scopes import (
    NONE_LISTED,
    DomainScope,
    HostScope,
    ListedSeeds,
    PrefixScope,
)
from gossamer.crawl.url_traps import UrlTraps
from gossamer.errors import SettingsError
from gossamer.plugins import Plugins
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


class PluginFilter:
    """What a person's own code does not want."""

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins

    def objection(self, url: Url, page: Url, _depth: int) -> Exclusion | None:
        return None if self._plugins.keeps(url.href, page.href) else Exclusion.FILTER


class Filters:
    """All filters of a crawl."""

    def __init__(
        self,
        settings: CrawlSettings,
        extra: Sequence[UrlFilter] = (),
        listed: ListedSeeds = NONE_LISTED,
    ) -> None:
        """`listed`: seeds that the settings do not name one by one."""
        files = FileScope(settings)
        where = _where(settings, listed)
        anywhere: list[UrlFilter] = []
        if settings.block_lists:
            anywhere.append(BlockList(settings.block_lists))
        if settings.exclude:
            anywhere.append(Excluded(Patterns(settings.exclude, settings.seeds)))
        if settings.traps:
            anywhere.append(UrlTraps(settings.max_path_parts, settings.max_parameters))
        anywhere += extra
        if settings.max_depth is not None:
            # Last: what is out of scope stays out however the depth limit changes.
            anywhere.append(Depth(settings.max_depth))
        self._filters = [files, *where, *anywhere]
        self._listing_filters = [files, *anywhere]

    def objection(self, url: Url, page: Url, depth: int) -> Exclusion | None:
        for known in self._filters:
            objection = known.objection(url, page, depth)
            if objection is not None:
                return objection
        return None

    def listing_objection(self, url: Url, page: Url, depth: int) -> Exclusion | None:
        """The same for a sitemap or a feed: it may lie anywhere, since it is no page of the crawl;
        what it names has to be within. `depth` is that of what it names."""
        for known in self._listing_filters:
            objection = known.objection(url, page, depth)
            if objection is not None:
                return objection
        return None


def check_scope(settings: CrawlSettings) -> None:
    if settings.scope == "patterns" and not settings.include:
        raise SettingsError(
            "The scope 'patterns' needs at least one pattern in 'include', such as "
            "'example.org/blog/*'."
        )


def _where(settings: CrawlSettings, listed: ListedSeeds) -> list[UrlFilter]:
    seeds = [parse(seed) for seed in settings.seeds]
    filters: list[UrlFilter] = []
    match settings.scope:
        case "host":
            filters.append(HostScope(seeds, listed))
        case "domain":
            filters.append(DomainScope(seeds, listed))
        case "prefix":
            filters.append(PrefixScope(seeds, listed))
        case "patterns" | "anywhere":
            check_scope(settings)
    if settings.include:
        filters.append(Included(Patterns(settings.include, settings.seeds)))
    return filters
