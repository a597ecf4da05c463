"""A run that goes on with other settings: what they let in, and what they leave out.

The queue holds what earlier settings let in, and what those left out is known by its hash alone;
but the links of all pages are stored. So they are looked at again, as the settings of now see them.
That this is due is written down before anything else happens: whoever goes on with the run does it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any

from gossamer.app.journals import journals_of, rest
from gossamer.config import CrawlSettings
from gossamer.crawl.files import FolderPatterns, walk
from gossamer.crawl.filters import Filters, PluginFilter, UrlFilter
from gossamer.crawl.forgotten import ForgottenUrls
from gossamer.crawl.journal import Journal
from gossamer.crawl.local_paths import is_local
from gossamer.crawl.partitions import owner_of
from gossamer.crawl.queue_server import QueueServer
from gossamer.crawl.scopes import NONE_LISTED
from gossamer.crawl.seeds import SeedScope
from gossamer.plugins import Plugins
from gossamer.records import Exclusion, Item, Link, Outcome
from gossamer.roles import RunFolder
from gossamer.storage.catalogue import Run
from gossamer.storage.objects import LocalObjects
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import KeyRules, Url, from_href

_NAME = "reconsider"
_AT_ONCE = 1_000
_SETTINGS = (
    *("seeds", "seed_files", "scope", "include", "exclude", "block_lists", "plugins"),
    *("max_depth", "max_links_per_page", "traps", "max_path_parts", "max_parameters"),
    "obey_robots",
)
_PAGE = ("url", "depth", "parent", "anchor", "via", "outcome", "location")
_LINK = ("source", "target", "anchor", "nofollow", "boilerplate")


def are_others(before: CrawlSettings, after: CrawlSettings) -> bool:
    """Whether other links may be followed than before."""
    return any(getattr(before, name) != getattr(after, name) for name in _SETTINGS)


def ask_to_reconsider(folder: RunFolder) -> None:
    LocalObjects(folder.path).put(_NAME, b"")


def reconsider_if_asked(folder: RunFolder, run: Run, settings: CrawlSettings) -> None:
    """Bring the queues in line with the settings. The caller holds the run, and no worker is up."""
    objects = LocalObjects(folder.path)
    if objects.get(_NAME) is None:
        return
    rest(folder, run, settings)
    rules = KeyRules.of(settings)
    filters = _filters(settings, folder)
    patterns = FolderPatterns(settings)
    servers = [
        QueueServer(Journal(path), settings, number)
        for number, path in enumerate(journals_of(folder))
    ]
    try:
        for server in servers:
            server.leave_out(lambda item: _objection(item, filters, patterns, rules))
        links_of_pages = _links(objects, settings, filters, rules)
        for links in _batches(chain(links_of_pages, _files(settings, patterns, rules))):
            for number, server in enumerate(servers):
                own = [one for one in links if owner_of(one.item.site, len(servers)) == number]
                if own:
                    server.reconsider(tuple(own))
    finally:
        for server in servers:
            server.close()
    objects.delete(_NAME)


def _filters(settings: CrawlSettings, folder: RunFolder) -> Filters:
    tombstones = Tombstones.load(LocalObjects(folder.path))
    extra: list[UrlFilter] = [ForgottenUrls(tombstones)] if tombstones else []
    if settings.plugins and (plugins := Plugins(settings.plugins)).has_url_filters:
        extra.append(PluginFilter(plugins))
    return Filters(settings, extra, SeedScope.load(folder.frontier) or NONE_LISTED)


def _objection(
    item: Item, filters: Filters, patterns: FolderPatterns, rules: KeyRules
) -> Exclusion | None:
    """To what is queued. Seeds are visited whatever the settings say, and where they lead; the
    files of a folder only as far as patterns let them in."""
    if item.depth == 0 or item.is_listing or not item.parent:
        return patterns.exclusion(from_href(item.url, rules))
    page = from_href(item.via[-1] if item.via else item.parent, rules)
    return filters.objection(from_href(item.url, rules), page, item.depth)


def _batches(links: Iterable[Link]) -> Iterator[Sequence[Link]]:
    links = iter(links)
    while batch := list(islice(links, _AT_ONCE)):
        yield batch


def _links(
    objects: LocalObjects, settings: CrawlSettings, filters: Filters, rules: KeyRules
) -> Iterator[Link]:
    """All that the stored pages link and redirect to, as far as it may come in."""
    from gossamer.storage.pages import PageStore  # Arrow takes a while to import
    from gossamer.storage.tables import rows_of

    for pages, tables in PageStore(objects).with_links(_PAGE, _LINK):
        depths = {row["url"]: row["depth"] for row in pages}
        for row in pages:
            if row["outcome"] == Outcome.REDIRECT and row["location"]:
                yield _redirect(row, filters, rules)
        rows = chain.from_iterable(map(rows_of, tables))
        for source, links in groupby(rows, itemgetter("source")):
            if source in depths:
                page, depth = from_href(source, rules), depths[source] + 1
                yield from _of_page(page, depth, links, settings, filters)


def _files(settings: CrawlSettings, patterns: FolderPatterns, rules: KeyRules) -> Iterator[Link]:
    """The files of folders that are seeds; patterns may have left them out."""
    for seed in filter(is_local, settings.seeds):
        for file in walk(seed):
            url = from_href(file.href, rules)
            item = Item(url.href, url.site_hash, url.key, depth=0)
            yield Link(item, patterns.exclusion(url))


def _redirect(row: dict[str, Any], filters: Filters, rules: KeyRules) -> Link:
    target = from_href(row["location"], rules)
    item = Item(
        *(target.href, target.site_hash, target.key, row["depth"], row["parent"], row["anchor"]),
        via=(*row["via"], row["url"]),
    )
    page = target if item.depth == 0 else from_href(row["url"], rules)
    return Link(item, filters.objection(target, page, item.depth))


def _of_page(
    page: Url,
    depth: int,
    rows: Iterable[dict[str, Any]],
    settings: CrawlSettings,
    filters: Filters,
) -> Iterator[Link]:
    """The links of a page that are followed now, or would be if they were not too deep: not more
    of them than of any other page, those in its text first."""
    wanted: dict[int, tuple[bool, Link]] = {}
    for row in rows:
        if row["nofollow"] and settings.obey_robots:
            continue
        url = from_href(row["target"], KeyRules.of(settings))
        if url.key in wanted:
            continue
        objection = filters.objection(url, page, depth)
        if objection in (None, Exclusion.DEPTH):
            item = Item(url.href, url.site_hash, url.key, depth, page.href, row["anchor"])
            wanted[url.key] = row["boilerplate"], Link(item, objection)
    best = sorted(wanted.values(), key=itemgetter(0))
    yield from (link for _, link in best[: settings.max_links_per_page or None])
