"""What an answer from a server means: an outcome, a row for the store, links for the frontier.

Plain functions of plain data: nothing here waits, and nothing raises for what a server sent.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from gossamer.config import CrawlSettings
from gossamer.crawl.content_encoding import decode_body
from gossamer.crawl.fetch import location_of
from gossamer.crawl.filters import Filters
from gossamer.crawl.known_links import KnownLinks
from gossamer.crawl.link_choice import Choice, LinkChooser
from gossamer.crawl.soft_404 import is_soft_404
from gossamer.discovery import LISTING_BYTES, XML_TYPES, ListingKind, listing_kind
from gossamer.plugins import EnrichedContent, Plugins
from gossamer.records import (
    Directives,
    Exchange,
    FoundLink,
    Item,
    Link,
    Outcome,
    PageContent,
    PageRow,
    Processed,
    RawPage,
    Unread,
    Visit,
)
from gossamer.urls import Resolver, Url, from_href

_NOTHING = PageContent()
_GZIP_MAGIC = b"\x1f\x8b"
_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
_NOFOLLOW = Directives.NOFOLLOW.value  # plain ints: flags cost a microsecond an operation
_NOINDEX = Directives.NOINDEX.value


@dataclass(slots=True)
class Visited:
    """All that came of one URL."""

    visit: Visit
    row: PageRow
    links: Sequence[FoundLink]
    exchange: Exchange | None
    is_stored: bool = False  # in this form, since an earlier visit


@dataclass(slots=True)
class Reading:
    """An answer on its way to a `Visited`: what the page processor is to be given, or the
    outcome that is certain without it."""

    item: Item
    url: Url
    exchange: Exchange
    outcome: Outcome
    detail: str = ""
    page: RawPage | None = None
    is_heavy: bool = False  # too much to be processed in passing
    body_bytes: int = 0
    truncated: bool = False
    target: Url | None = None  # of a redirect
    is_respelled: bool = False  # the redirect leads to another spelling of the same URL
    listing: ListingKind | None = None
    links: list[Link] = field(default_factory=list)


class VisitReader:
    def __init__(
        self,
        settings: CrawlSettings,
        filters: Filters,
        resolver: Resolver,
        known: KnownLinks,
        is_heavy: Callable[[RawPage], bool] = lambda _: False,
        plugins: Plugins | None = None,
    ) -> None:
        self._settings = settings
        self._filters = filters
        self._resolver = resolver
        self._rules = resolver.rules
        self._is_heavy = is_heavy
        self._plugins = plugins
        self._languages = frozenset(name.strip().lower()[:2] for name in settings.languages)
        self.chooser = LinkChooser(settings, filters, known, resolver.rules)

    def read(self, item: Item, exchange: Exchange) -> Reading:
        """Everything up to the page processor."""
        url = from_href(item.url, self._rules)
        reading = Reading(item, url, exchange, exchange.outcome, exchange.detail)
        if exchange.outcome is not Outcome.OK and not self._is_cut_listing(item, exchange):
            return reading
        status = exchange.status
        if 200 <= status < 300:
            self._unpack(reading)
        elif status == 304:
            reading.outcome = Outcome.NOT_MODIFIED
        elif 300 <= status < 400 and status not in (300, 305, 306):
            self._redirect(reading)
        else:
            reading.outcome = Outcome.HTTP_ERROR
        return reading

    def _is_cut_listing(self, item: Item, exchange: Exchange) -> bool:
        """Of a listing, a part is as good as the whole, as far as it goes."""
        return (
            item.is_listing
            and exchange.outcome is Outcome.TOO_LARGE
            and bool(exchange.body)
            and 200 <= exchange.status < 300
        )

    def _unpack(self, reading: Reading) -> None:
        exchange = reading.exchange
        is_listing = reading.item.is_listing
        most = self._settings.max_body_bytes
        if is_listing:
            most = max(most, LISTING_BYTES)
        decoded = decode_body(exchange.body, exchange.all_headers("content-encoding"), most)
        if is_listing and decoded.body.startswith(_GZIP_MAGIC):
            # Packed as a file, which no header has to mention.
            decoded = decode_body(decoded.body, "gzip", most)
        reading.body_bytes = len(decoded.body)
        if decoded.outcome is not Outcome.OK:
            reading.outcome, reading.detail = decoded.outcome, decoded.detail
            return
        reading.truncated = decoded.truncated or exchange.outcome is Outcome.TOO_LARGE
        reading.outcome = Outcome.OK
        media_type, charset = _content_type(exchange.header("content-type"))
        reading.listing = self._listing_kind(decoded.body, media_type, expected=is_listing)
        reading.page = RawPage(
            url=reading.item.url,
            media_type=reading.listing.value if reading.listing else media_type,
            charset=charset,
            body=decoded.body,
            robots_tags=tuple(exchange.all_headers("x-robots-tag")),
        )
        if reading.listing is not None:
            return
        reading.is_heavy = self._is_heavy(reading.page)
        # Of a text the beginning is enough; many other formats cannot be read without their end.
        if len(decoded.body) > self._settings.take_bytes and not reading.is_heavy:
            body = decoded.body[: self._settings.take_bytes]
            reading.page = structs.replace(reading.page, body=body)
            reading.truncated = True

    def _listing_kind(self, body: bytes, media_type: str, *, expected: bool) -> ListingKind | None:
        if not expected and media_type not in XML_TYPES:
            return None
        kind = listing_kind(body, expected=expected)
        wanted = self._settings.feeds if kind is ListingKind.FEED else self._settings.sitemaps
        return kind if wanted or expected else None

    def _redirect(self, reading: Reading) -> None:
        item, location = reading.item, location_of(reading.exchange)
        target = self._resolver.page(item.url).resolve(location) if location else None
        reading.target = target
        if target is None:
            reading.outcome = Outcome.REDIRECT_INVALID
            reading.detail = f"Location: {location[:200]!r}" if location else "no Location"
            return
        chain = (*item.via, item.url)
        reading.detail = target.href
        if self._closes_circle(item, target):
            reading.outcome = Outcome.REDIRECT_LOOP
            return
        if len(chain) > self._settings.max_redirects:
            reading.outcome = Outcome.REDIRECT_LIMIT
            return
        reading.outcome = Outcome.REDIRECT
        if target.key == item.key:
            # The frontier could not tell the two apart.
            reading.is_respelled = True
            return
        # A seed's own redirect shows where the crawl was meant to start.
        page = target if item.depth == 0 else reading.url
        next_item = Item(
            *(target.href, target.site_hash, target.key, item.depth),
            parent=item.parent,
            anchor=item.anchor,
            via=chain,
            score=item.score,
            is_listing=item.is_listing,
        )
        if item.is_listing:
            objection = self._filters.listing_objection(target, page, item.depth + 1)
        else:
            objection = self._filters.objection(target, page, item.depth)
        reading.links.append(Link(next_item, objection))

    def _closes_circle(self, item: Item, target: Url) -> bool:
        """Whether a redirect leads back. Another spelling of the URL itself does not; of one that
        came before, it does, since that has its place already."""
        if target.key == item.key:
            return target.href == item.url or target.href in item.via
        return any(from_href(hop, self._rules).key == target.key for hop in item.via)

    def sitemap_links(self, addresses: Iterable[str], origin: str, depth: int) -> list[Link]:
        """The sitemaps that a robots file names, but for those that the frontier has for certain.
        `depth`: of the URLs for whose sake the file was read."""
        resolve = self._resolver.page(f"{origin}/robots.txt").resolve
        named = [url for address in addresses if address and (url := resolve(address))]
        return self.chooser.of_robots(named, origin, depth)

    def finish(self, reading: Reading, processed: Processed | None, sent: set[int]) -> Visited:
        """`processed`: what the processor made of `reading.page`, if there is one. `sent`: keys of
        links that go with the same answer already."""
        if isinstance(processed, Unread):
            reading.outcome, reading.detail = processed.outcome, processed.detail
            processed = None
        content = processed or _NOTHING
        if content.is_partial:
            reading.truncated, reading.detail = True, content.note
        if reading.outcome is Outcome.OK and processed is not None:
            content = self._judge(reading, processed)
        known_hash = reading.item.known_hash
        if known_hash and content.content_hash == known_hash and reading.outcome is Outcome.OK:
            reading.outcome = Outcome.NOT_MODIFIED
        obeys = self._settings.obey_robots
        follows = not (obeys and content.directives & _NOFOLLOW)
        choice = self._choice(reading, content, sent, follows=follows)
        reading.links += choice.links
        if self._plugins is not None:
            _add_notes(reading, self._plugins.taken_notes())
        exchange, item = reading.exchange, reading.item
        found = choice.found + content.other_links
        if reading.outcome is Outcome.NOT_MODIFIED:
            is_document = item.was_document
        else:
            is_document = reading.outcome is Outcome.OK and not (
                obeys and content.directives & _NOINDEX
            )
        visit = Visit(
            *(item.site, item.key, item.url, reading.outcome, exchange.status),
            *(len(exchange.body), reading.body_bytes, exchange.seconds),
            *(is_document, content.content_hash),
            *(found, choice.cross_site, choice.nofollow, choice.known, content.other_links),
            *(item.tries, tuple(reading.links)),
            similarity_hash=content.similarity_hash,
        )
        row = self._row(reading, content, found)
        is_kept = exchange.status > 0 and reading.outcome is not Outcome.LANGUAGE
        is_stored = reading.outcome is Outcome.NOT_MODIFIED and item.is_revisit
        return Visited(visit, row, choice.kept, exchange if is_kept else None, is_stored)

    def _judge(self, reading: Reading, content: PageContent) -> PageContent:
        """Whether a page that could be read is wanted; return what is kept of it."""
        if reading.listing is not None:
            reading.outcome = Outcome.LISTING
            return content
        item = reading.item
        if item.is_listing:
            # It may lie anywhere, as long as it is one.
            voucher = self.chooser.voucher_of(item)
            if self._filters.objection(reading.url, voucher, item.depth) is not None:
                reading.outcome = Outcome.UNSUPPORTED
                reading.detail = "neither a sitemap nor a feed, and no page of the crawl"
                return _NOTHING
        if isinstance(content, EnrichedContent):
            _add_notes(reading, content.plugin_notes)
        assert reading.page is not None
        if reading.page.media_type in _HTML and is_soft_404(content):
            reading.outcome = Outcome.SOFT_404
            return structs.replace(content, links=(), other_links=0)
        if self._languages and content.language and content.language not in self._languages:
            reading.outcome = Outcome.LANGUAGE
            reading.detail = f"the page is in '{content.language}'"
            return structs.replace(
                content,
                text="",
                classes="",
                main="",
                description="",
                content_hash=0,
                similarity_hash=0,
            )
        return content

    def _choice(
        self, reading: Reading, content: PageContent, sent: set[int], *, follows: bool
    ) -> Choice:
        item, url, links = reading.item, reading.url, content.links
        if item.is_listing:
            url = self.chooser.voucher_of(item)
        if reading.listing is not None:
            if not follows:
                return Choice(len(links), nofollow=len(links))
            return self.chooser.of_listing(item, url, links, sent)
        link_score = content.link_score if isinstance(content, EnrichedContent) else -1
        return self.chooser.of_page(
            *(item, url, links, sent),
            follows=follows,
            title=content.title,
            link_score=link_score,
        )

    def _row(self, reading: Reading, content: PageContent, link_count: int) -> PageRow:
        item, exchange = reading.item, reading.exchange
        if reading.page is not None and reading.listing is None:
            media_type = reading.page.media_type
        else:
            media_type, _ = _content_type(exchange.header("content-type"))
        return PageRow(
            url=item.url,
            site=reading.url.site,
            host=reading.url.host,
            site_hash=item.site,
            key=item.key,
            depth=item.depth,
            parent=item.parent,
            anchor=item.anchor,
            via=item.via,
            outcome=reading.outcome,
            detail=reading.detail,
            status=exchange.status,
            fetched_at=exchange.fetched_at,
            seconds=exchange.seconds,
            tries=item.tries + 1,
            address=exchange.address,
            media_type=media_type,
            charset=content.charset,
            wire_bytes=len(exchange.body),
            body_bytes=reading.body_bytes,
            truncated=reading.truncated,
            etag=exchange.header("etag"),
            last_modified=exchange.header("last-modified"),
            listed_modified=item.listed_modified,
            location="" if reading.target is None else reading.target.href,
            title=content.title,
            description=content.description,
            canonical=content.canonical,
            language=content.language,
            text=content.text,
            classes=content.classes,
            directives=content.directives,
            content_hash=content.content_hash,
            similarity_hash=content.similarity_hash,
            link_count=link_count,
            main=content.main,
            fields=content.fields if isinstance(content, EnrichedContent) else "",
        )


def _add_notes(reading: Reading, notes: Sequence[str]) -> None:
    """What went wrong in a person's own code, once each."""
    if notes:
        reading.detail = "; ".join(dict.fromkeys(filter(None, (reading.detail, *notes))))


def _content_type(value: str) -> tuple[str, str]:
    """(media type, charset) of a Content-Type header, as forgiving as browsers are."""
    media_type, _, parameters = value.partition(";")
    charset = ""
    for parameter in parameters.split(";"):
        name, _, text = parameter.partition("=")
        if name.strip().lower() == "charset":
            charset = text.strip().strip("\"'")
            break
    return media_type.strip().lower(), charset
