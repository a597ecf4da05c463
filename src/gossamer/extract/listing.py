"""Sitemaps and feeds as page processors see them: nothing but links."""

from collections.abc import Iterator

from gossamer.discovery import ListingKind
from gossamer.extract import directives
from gossamer.extract.draft import PageDraft
from gossamer.extract.feed import read_feed
from gossamer.extract.links import ANCHOR_LENGTH
from gossamer.extract.sitemap import sitemap_entries, text_addresses
from gossamer.records import FoundLink, RawPage
from gossamer.urls import PageResolver, Resolver, Url

_ADDRESS_STARTS = ("http://", "https://", "/")

MOST_ADDRESSES = 100_000
"""Of one listing. The standard allows a sitemap half as many."""


class ListingProcessor:
    media_types = frozenset(kind.value for kind in ListingKind)

    def __init__(self, agent_name: str, resolver: Resolver) -> None:
        self._agent_name = agent_name
        self._resolver = resolver

    def read(self, page: RawPage) -> PageDraft:
        kind = ListingKind(page.media_type)
        is_listing = kind is ListingKind.SITEMAP_INDEX
        links: dict[int, FoundLink] = {}
        others = 0
        is_partial = False
        for url, anchor, modified in _named(kind, page, self._resolver.page(page.url)):
            if url is None:
                others += 1
            elif url.key not in links:
                if len(links) == MOST_ADDRESSES:
                    is_partial = True
                    break
                links[url.key] = FoundLink(
                    url, anchor, False, is_listing=is_listing, modified=modified
                )
        return PageDraft(
            charset=page.charset,
            directives=directives.combined((), page.robots_tags, self._agent_name),
            links=tuple(links.values()),
            other_links=others,
            is_partial=is_partial,
            note=f"only the first {MOST_ADDRESSES:,} addresses were taken" if is_partial else "",
        )


def _named(
    kind: ListingKind, page: RawPage, resolver: PageResolver
) -> Iterator[tuple[Url | None, str, str]]:
    """The addresses, what they are called, and when they last changed. None of them stands on
    many pages, so none is worth remembering."""
    match kind:
        case ListingKind.FEED:
            for entry in read_feed(page.body, page.charset, resolver):
                title = entry.title[:ANCHOR_LENGTH].rstrip()
                yield entry.resolver.resolve_once(entry.address), title, ""
        case ListingKind.SITEMAP | ListingKind.SITEMAP_INDEX:
            for address, modified in sitemap_entries(page.body, page.charset):
                yield _resolved(address, resolver), "", modified
        case ListingKind.SITEMAP_TEXT:
            for address in text_addresses(page.body, page.charset):
                yield _resolved(address, resolver), "", ""


def _resolved(address: str, resolver: PageResolver) -> Url | None:
    """A sitemap has to name whole addresses. Some leave out the host; anything less is none."""
    is_one = address[:8].lower().startswith(_ADDRESS_STARTS)
    return resolver.resolve_once(address) if is_one else None
