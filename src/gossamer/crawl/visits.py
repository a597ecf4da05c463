"""What an answer from a server means: an outcome, a row for the store, links for the frontier.

Plain functions of plain data: nothing here waits, and nothing raises for what a server sent.
"""

from dataclasses import dataclass, field

from gossamer.config import CrawlSettings
from gossamer.crawl.content_encoding import decode_body
from gossamer.crawl.fetch import location_of
from gossamer.crawl.filters import Filters
from gossamer.crawl.known_links import KnownLinks
from gossamer.records import (
    Directives,
    Exchange,
    Item,
    Link,
    LinkRow,
    Outcome,
    PageContent,
    PageRow,
    RawPage,
    Visit,
)
from gossamer.urls import Resolver, Url, from_href

_NOTHING = PageContent()
_MAX_ANCHOR = 200
_NOFOLLOW = Directives.NOFOLLOW.value  # plain ints: flags cost a microsecond an operation
_NOINDEX = Directives.NOINDEX.value


@dataclass(slots=True)
class Visited:
    """All that came of one URL."""

    visit: Visit
    row: PageRow
    links: list[LinkRow]
    exchange: Exchange | None


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
    body_bytes: int = 0
    truncated: bool = False
    target: Url | None = None  # of a redirect
    links: list[Link] = field(default_factory=list)


class VisitReader:
    def __init__(
        self, settings: CrawlSettings, filters: Filters, resolver: Resolver, known: KnownLinks
    ) -> None:
        self._settings = settings
        self._filters = filters
        self._resolver = resolver
        self._known = known

    def read(self, item: Item, exchange: Exchange) -> Reading:
        """Everything up to the page processor."""
        url = from_href(item.url)
        reading = Reading(item, url, exchange, exchange.outcome, exchange.detail)
        if exchange.outcome is not Outcome.OK:
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

    def _unpack(self, reading: Reading) -> None:
        exchange = reading.exchange
        decoded = decode_body(
            exchange.body, exchange.all_headers("content-encoding"), self._settings.max_body_bytes
        )
        reading.body_bytes = len(decoded.body)
        if decoded.outcome is not Outcome.OK:
            reading.outcome, reading.detail = decoded.outcome, decoded.detail
            return
        body = decoded.body[: self._settings.take_bytes]
        reading.truncated = decoded.truncated or len(body) < len(decoded.body)
        media_type, charset = _content_type(exchange.header("content-type"))
        reading.page = RawPage(
            url=reading.item.url,
            media_type=media_type,
            charset=charset,
            body=body,
            robots_tags=tuple(exchange.all_headers("x-robots-tag")),
        )

    def _redirect(self, reading: Reading) -> None:
        item, location = reading.item, location_of(reading.exchange)
        target = self._resolver.page(item.url).resolve(location) if location else None
        reading.target = target
        if target is None:
            reading.outcome = Outcome.REDIRECT_INVALID
            reading.detail = f"Location: {location[:200]!r}" if location else "no Location"
            return
        chain = (*item.via, item.url)
        if target.key == item.key or any(from_href(hop).key == target.key for hop in item.via):
            reading.outcome = Outcome.REDIRECT_LOOP
        elif len(chain) > self._settings.max_redirects:
            reading.outcome = Outcome.REDIRECT_LIMIT
        else:
            reading.outcome = Outcome.REDIRECT
            # A seed's own redirect shows where the crawl was meant to start.
            page = target if item.depth == 0 else reading.url
            next_item = Item(
                *(target.href, target.site_hash, target.key, item.depth),
                parent=item.parent,
                anchor=item.anchor,
                via=chain,
            )
            objection = self._filters.objection(target, page, item.depth)
            reading.links.append(Link(next_item, objection))
        reading.detail = target.href

    def finish(self, reading: Reading, content: PageContent | None, sent: set[int]) -> Visited:
        """`content`: what the processor made of `reading.page`. `sent`: keys of links that go
        with the same answer already."""
        if reading.page is not None and content is None and reading.outcome is Outcome.OK:
            reading.outcome = Outcome.UNSUPPORTED
            reading.detail = reading.detail or f"no reader for '{reading.page.media_type}'"
        content = content or _NOTHING
        obeys = self._settings.obey_robots
        follows = not (obeys and content.directives & _NOFOLLOW)
        rows, counts = self._links(reading, content, follows, sent)
        exchange, item = reading.exchange, reading.item
        is_document = reading.outcome is Outcome.OK and not (
            obeys and content.directives & _NOINDEX
        )
        visit = Visit(
            *(item.site, item.key, item.url, reading.outcome, exchange.status),
            *(len(exchange.body), reading.body_bytes, exchange.seconds),
            *(is_document, content.content_hash),
            *(counts.found, counts.cross_site, counts.nofollow, counts.known, content.other_links),
            *(item.tries, tuple(reading.links)),
        )
        row = self._row(reading, content, counts.found)
        has_answer = exchange.status > 0
        return Visited(visit, row, rows, exchange if has_answer else None)

    def _links(
        self, reading: Reading, content: PageContent, follows: bool, sent: set[int]
    ) -> tuple[list[LinkRow], "_LinkCounts"]:
        counts = _LinkCounts(found=len(content.links) + content.other_links)
        item, page = reading.item, reading.url
        source, depth = item.url, item.depth + 1
        settled, settled_before = self._known.settled
        objection_to = self._filters.objection
        obeys = self._settings.obey_robots
        site = item.site
        rows = []
        for found in content.links:
            url = found.url
            rows.append(LinkRow(source, url.href, url.key, found.anchor, found.nofollow))
            if url.site_hash != site:
                counts.cross_site += 1
            if not follows or (found.nofollow and obeys):
                counts.nofollow += 1
                continue
            key = url.key
            if key in settled or key in settled_before or key in sent:
                counts.known += 1
                continue
            objection = objection_to(url, page, depth)
            if objection is not None and self._known.is_left_out(key, objection):
                counts.known += 1
                continue
            if objection is None:  # otherwise another page of this answer may still bring it in
                sent.add(key)
            target = Item(url.href, url.site_hash, key, depth, source, found.anchor[:_MAX_ANCHOR])
            reading.links.append(Link(target, objection))
        return rows, counts

    def _row(self, reading: Reading, content: PageContent, link_count: int) -> PageRow:
        item, exchange = reading.item, reading.exchange
        if reading.page is not None:
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
        )


@dataclass(slots=True)
class _LinkCounts:
    found: int
    cross_site: int = 0
    nofollow: int = 0
    known: int = 0


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
