"""The sitemaps and feeds that the head of a page names."""

from collections.abc import Sequence

from selectolax.lexbor import LexborNode

from gossamer.extract.links import ANCHOR_LENGTH
from gossamer.extract.pieces import collapsed
from gossamer.records import FoundLink
from gossamer.urls import PageResolver

_FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})
_FEED_RELATIONS = frozenset({"alternate", "feed"})
_MOST = 20


def listing_links(
    references: Sequence[LexborNode], resolver: PageResolver, nofollow: bool
) -> tuple[FoundLink, ...]:
    """`references`: the link elements of the page. Sitemaps come first: few pages name one."""
    sitemaps: list[FoundLink] = []
    feeds: list[FoundLink] = []
    for node in references:
        attributes = node.attributes
        rel = attributes.get("rel")
        href = attributes.get("href")
        if not rel or rel == "stylesheet" or not href:
            continue
        relations = rel.lower().split()
        if "sitemap" in relations:
            group = sitemaps
        elif not _FEED_RELATIONS.isdisjoint(relations) and _names_feed(attributes.get("type")):
            group = feeds
        else:
            continue
        url = resolver.resolve(href)
        title = collapsed(attributes.get("title") or "")
        # A feed of what readers say of one page leads nowhere new.
        if url is None or "comment" in href.lower() or "comment" in title.lower():
            continue
        title = title[:ANCHOR_LENGTH].rstrip()
        group.append(FoundLink(url, title, nofollow, is_listing=True))
    if not sitemaps and not feeds:
        return ()
    return tuple({link.url.key: link for link in [*sitemaps, *feeds][:_MOST]}.values())


def _names_feed(media_type: str | None) -> bool:
    return (media_type or "").partition(";")[0].strip().lower() in _FEED_TYPES
