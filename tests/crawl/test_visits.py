import gzip
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.config import CrawlSettings
from gossamer.crawl.filters import Filters
from gossamer.crawl.known_links import KnownLinks
from gossamer.crawl.visits import Reading, Visited, VisitReader
from gossamer.records import (
    Directives,
    Exchange,
    Exclusion,
    FoundLink,
    Item,
    Link,
    Outcome,
    PageContent,
    Unread,
)
from gossamer.urls import Resolver, from_href, parse

SEED = "http://a.example/"
TRANSPORT_FAILURES = [
    *(Outcome.TIMEOUT, Outcome.DNS_ERROR, Outcome.CONNECT_ERROR, Outcome.TLS_ERROR),
    *(Outcome.PROTOCOL_ERROR, Outcome.ADDRESS_REFUSED, Outcome.TOO_LARGE),
]


def item(url: str = "http://a.example/page", depth: int = 1, **more: Any) -> Item:
    parsed = from_href(url)
    return Item(parsed.href, parsed.site_hash, parsed.key, depth, **more)


def exchange(
    status: int = 200,
    body: bytes = b"",
    outcome: Outcome = Outcome.OK,
    detail: str = "",
    **headers: str,
) -> Exchange:
    return Exchange(
        url="http://a.example/page",
        fetched_at=1e9,
        seconds=0.25,
        outcome=outcome,
        detail=detail,
        status=status,
        headers=tuple((name.replace("_", "-").title(), text) for name, text in headers.items()),
        body=body,
        address="192.0.2.1",
    )


def found(url: str, nofollow: bool = False, anchor: str = "there") -> FoundLink:
    return FoundLink(parse(url), anchor, nofollow)


class Reader:
    """A visit reader and what it knows."""

    def __init__(self, **settings: Any) -> None:
        values = {"seeds": (SEED,), **settings}
        crawl = CrawlSettings(**values)
        self.known = KnownLinks()
        self._reader = VisitReader(crawl, Filters(crawl), Resolver(), self.known)

    def read(self, what: Item, answer: Exchange) -> Reading:
        return self._reader.read(what, answer)

    def finish(
        self,
        content: PageContent | None = None,
        what: Item | None = None,
        sent: set[int] | None = None,
    ) -> Visited:
        reading = self.read(what or item(), exchange())
        return self._reader.finish(reading, content, set() if sent is None else sent)

    def learn(self, *visited: Visited) -> None:
        """The answer with these visits has been committed."""
        visits = tuple(one.visit for one in visited)
        self.known.learn(visits)

    def redirect(
        self, location: str | None, what: Item | None = None, status: int = 301
    ) -> Visited:
        answer = exchange(status) if location is None else exchange(status, location=location)
        reading = self.read(what or item(), answer)
        assert reading.page is None
        return self._reader.finish(reading, None, set())


def targets(visited: Visited) -> dict[str, Exclusion | None]:
    return {link.item.url: link.excluded for link in visited.visit.links}


def assert_adds_up(visited: Visited) -> None:
    visit = visited.visit
    assert visit.links_found == (
        len(visit.links) + visit.links_known + visit.links_nofollow + visit.links_other
    )


# -- Outcomes


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        *((status, Outcome.OK) for status in (200, 201, 203, 204, 206, 226, 299)),
        *((status, Outcome.HTTP_ERROR) for status in (101, 199, 300, 305, 306, 400, 404, 410, 418)),
        *((status, Outcome.HTTP_ERROR) for status in (429, 500, 503, 599, 600, 999)),
        (304, Outcome.NOT_MODIFIED),
        *((status, Outcome.REDIRECT_INVALID) for status in (301, 302, 303, 307, 308, 309, 399)),
    ],
)
def test_outcomes_by_status(status: int, outcome: Outcome) -> None:
    reader = Reader()
    reading = reader.read(item(), exchange(status, b"body", content_type="text/html"))
    assert reading.outcome is outcome
    assert (reading.page is not None) == (outcome is Outcome.OK)
    visited = reader._reader.finish(reading, PageContent() if reading.page else None, set())
    assert (visited.visit.outcome, visited.visit.status) == (outcome, status)
    assert (visited.row.outcome, visited.row.status) == (outcome, status)
    assert visited.visit.is_document == (outcome is Outcome.OK)
    assert visited.exchange is reading.exchange


@pytest.mark.parametrize("outcome", TRANSPORT_FAILURES)
def test_a_failure_on_the_way_is_an_outcome(outcome: Outcome) -> None:
    reader = Reader()
    reading = reader.read(item(), exchange(0, outcome=outcome, detail="why"))
    assert reading.page is None
    visited = reader._reader.finish(reading, None, set())
    assert (visited.row.outcome, visited.row.detail) == (outcome, "why")
    assert visited.exchange is None  # nothing to keep
    assert not visited.visit.is_document


def test_a_row_tells_where_it_came_from() -> None:
    reader = Reader()
    what = item(depth=3, parent="http://a.example/", anchor="a link", via=(SEED,), tries=2)
    answer = exchange(200, b"12345", etag='"x"', last_modified="then", content_type="Text/HTML")
    content = PageContent(title="T", text="t", classes="p", language="en", charset="utf-8")
    row = reader._reader.finish(reader.read(what, answer), content, set()).row
    assert (row.url, row.host, row.site) == (what.url, "a.example", "a.example")
    assert (row.depth, row.parent, row.anchor, row.via, row.tries) == (
        *(3, "http://a.example/", "a link", (SEED,), 3),
    )
    assert (row.etag, row.last_modified, row.media_type) == ('"x"', "then", "text/html")
    assert (row.title, row.language, row.charset, row.address) == ("T", "en", "utf-8", "192.0.2.1")
    assert (row.wire_bytes, row.body_bytes, row.seconds) == (5, 5, 0.25)


@pytest.mark.parametrize("outcome", [Outcome.UNSUPPORTED, Outcome.UNREADABLE, Outcome.POISON])
def test_a_page_that_was_not_read(outcome: Outcome) -> None:
    reader = Reader()
    reading = reader.read(item(), exchange(200, b"%PDF", content_type="application/pdf"))
    visited = reader._reader.finish(reading, Unread(outcome, "the reason"), set())
    assert (visited.visit.outcome, visited.visit.is_document) == (outcome, False)
    assert (visited.row.outcome, visited.row.detail) == (outcome, "the reason")
    assert (visited.row.media_type, visited.row.wire_bytes) == ("application/pdf", 4)


def test_a_page_that_was_read_in_part() -> None:
    reader = Reader()
    reading = reader.read(item(), exchange())
    content = PageContent(text="t", classes="p", is_partial=True, note="9 pages left out")
    visited = reader._reader.finish(reading, content, set())
    assert (visited.visit.outcome, visited.visit.is_document) == (Outcome.OK, True)
    assert (visited.row.truncated, visited.row.detail) == (True, "9 pages left out")


def test_heavy_pages_are_taken_whole() -> None:
    reader = Reader(take_bytes=4)
    reader._reader._is_heavy = lambda page: page.media_type == "application/pdf"
    heavy = reader.read(item(), exchange(200, b"%PDF-1.7", content_type="application/pdf"))
    light = reader.read(item(), exchange(200, b"12345678", content_type="text/plain"))
    assert heavy.page is not None
    assert light.page is not None
    assert (heavy.is_heavy, heavy.page.body, heavy.truncated) == (True, b"%PDF-1.7", False)
    assert (light.is_heavy, light.page.body, light.truncated) == (False, b"1234", True)


# -- Bodies


@pytest.mark.parametrize(
    ("header", "media_type", "charset"),
    [
        ("text/html", "text/html", ""),
        ("Text/HTML; Charset=UTF-8", "text/html", "UTF-8"),
        ("text/html;charset='x'", "text/html", "x"),
        ('text/html; a=b; charset="ISO-8859-1"; c', "text/html", "ISO-8859-1"),
        ("text/html;charset", "text/html", ""),
        ("text/html; charset=", "text/html", ""),
        ("text/html; charset = utf-8 ;charset=late", "text/html", "utf-8"),
        (";charset=utf-8", "", "utf-8"),
        ("nonsense", "nonsense", ""),
        ("", "", ""),
    ],
)
def test_content_types(header: str, media_type: str, charset: str) -> None:
    page = Reader().read(item(), exchange(200, b"x", content_type=header)).page
    assert page is not None
    assert (page.media_type, page.charset) == (media_type, charset)


@settings(deadline=None)
@given(st.text())
def test_no_content_type_raises(header: str) -> None:
    assert Reader().read(item(), exchange(200, content_type=header)).page is not None


def test_robots_tags_reach_the_processor() -> None:
    answer = Exchange(
        *("http://a.example/", 0.0, 0.0, Outcome.OK, "", 200, ""),
        (("X-Robots-Tag", "noindex"), ("x-robots-tag", "bot: none"), ("X-Other", "y")),
    )
    page = Reader().read(item(), answer).page
    assert page is not None
    assert page.robots_tags == ("noindex", "bot: none")


def test_content_encodings_are_undone() -> None:
    body = b"hello " * 100
    packed = gzip.compress(body)
    reader = Reader()
    reading = reader.read(item(), exchange(200, packed, content_encoding="gzip"))
    assert reading.page is not None
    assert (reading.page.body, reading.body_bytes, reading.truncated) == (body, 600, False)
    visited = reader._reader.finish(reading, PageContent(), set())
    assert (visited.visit.wire_bytes, visited.visit.body_bytes) == (len(packed), 600)


def test_an_encoding_that_cannot_be_undone() -> None:
    reading = Reader().read(item(), exchange(200, b"plain", content_encoding="unheard-of"))
    assert (reading.outcome, reading.page) == (Outcome.BAD_ENCODING, None)
    assert reading.detail


def test_a_body_that_unpacks_to_too_much() -> None:
    packed = gzip.compress(b"x" * 10_000)
    reading = Reader(max_body_bytes=9_999).read(
        item(), exchange(200, packed, content_encoding="gzip")
    )
    assert (reading.outcome, reading.page) == (Outcome.TOO_LARGE, None)


@pytest.mark.parametrize(("size", "truncated"), [(0, False), (9, False), (10, False), (11, True)])
def test_only_the_first_bytes_are_read(size: int, truncated: bool) -> None:
    reader = Reader(take_bytes=10)
    reading = reader.read(item(), exchange(200, b"0123456789abc"[:size]))
    assert reading.page is not None
    assert reading.page.body == b"0123456789"[:size]
    assert (reading.truncated, reading.body_bytes) == (truncated, size)
    assert reader._reader.finish(reading, PageContent(), set()).row.truncated is truncated


# -- Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/new", "http://a.example/new"),
        ("new?x#frag", "http://a.example/new?x"),
        ("https://a.example/page", "https://a.example/page"),
        ("//a.example/x", "http://a.example/x"),
        ("/n\xc3\xa4her", "http://a.example/n%C3%A4her"),  # raw UTF-8, as headers keep it
        ("  /new  ", "http://a.example/new"),
    ],
)
def test_a_redirect_gives_its_target_a_place(status: int, location: str, target: str) -> None:
    what = item(depth=2, parent="http://a.example/up", anchor="text", tries=1)
    visited = Reader().redirect(location, what, status)
    assert visited.visit.outcome is Outcome.REDIRECT
    assert not visited.visit.is_document
    assert not visited.visit.outcome.answered
    (link,) = visited.visit.links
    url = parse(target)
    assert link == Link(
        Item(
            *(target, url.site_hash, url.key, 2),
            parent="http://a.example/up",
            anchor="text",
            via=(what.url,),
        )
    )
    assert visited.row.location == visited.row.detail == target
    assert visited.visit.links_found == visited.row.link_count == 0
    assert visited.links == ()


@pytest.mark.parametrize(
    "location", ["/page", "/page#elsewhere", "", "page", "http://a.example:80/page"]
)
def test_a_redirect_to_itself(location: str) -> None:
    visited = Reader().redirect(location or "#", item())
    assert visited.visit.outcome is Outcome.REDIRECT_LOOP
    assert visited.visit.links == ()


def test_a_redirect_back_to_where_it_started() -> None:
    via = ("http://a.example/1", "http://a.example/%e4", "http://a.example/3")
    for location in ("/1", "/%E4", "/3"):
        visited = Reader().redirect(location, item(via=via))
        assert visited.visit.outcome is Outcome.REDIRECT_LOOP
        assert visited.visit.links == ()
    assert Reader().redirect("/4", item(via=via)).visit.outcome is Outcome.REDIRECT


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_a_chain_that_is_too_long(limit: int) -> None:
    reader = Reader(max_redirects=limit)
    what = item("http://a.example/hop-0")
    for hop in range(1, limit + 1):
        visited = reader.redirect(f"/hop-{hop}", what)
        assert visited.visit.outcome is Outcome.REDIRECT
        what = visited.visit.links[0].item
        assert len(what.via) == hop
    visited = reader.redirect("/end", what)
    assert visited.visit.outcome is Outcome.REDIRECT_LIMIT
    assert visited.visit.links == ()


@pytest.mark.parametrize(
    "location",
    [None, "", " ", "http://", "ftp://a.example/", "mailto:x", "http://x:99999/", "/" + "x" * 2100],
)
def test_a_redirect_to_nowhere(location: str | None) -> None:
    visited = Reader().redirect(location)
    assert visited.visit.outcome is Outcome.REDIRECT_INVALID
    assert visited.visit.links == ()
    assert visited.row.location == ""
    said = location and location.strip()
    assert visited.row.detail.startswith("Location: " if said else "no Location")
    assert len(visited.row.detail) < 250


def test_a_redirect_out_of_the_scope_is_noted_as_that() -> None:
    visited = Reader().redirect("http://b.example/", item(depth=1))
    assert visited.visit.outcome is Outcome.REDIRECT
    assert targets(visited) == {"http://b.example/": Exclusion.SCOPE}


def test_a_seeds_redirect_shows_where_the_crawl_was_meant_to_start() -> None:
    reader = Reader()
    first = reader.redirect("https://www.b.example/", item(SEED, depth=0))
    assert targets(first) == {"https://www.b.example/": None}
    (link,) = first.visit.links
    second = reader.redirect("https://c.example/home", link.item)  # and on
    assert targets(second) == {"https://c.example/home": None}
    # From there, its links belong to the crawl; those of the host on the way don't.
    links = (found("https://c.example/x"), found("https://www.b.example/x"), found(SEED + "x"))
    third = reader.finish(PageContent(links=links), second.visit.links[0].item)
    assert targets(third) == {
        "https://c.example/x": None,
        "https://www.b.example/x": Exclusion.SCOPE,
        "http://a.example/x": None,
    }


def test_a_redirect_does_not_count_as_a_step() -> None:
    visited = Reader(max_depth=1).redirect("/x", item(depth=1))
    assert targets(visited) == {"http://a.example/x": None}


# -- Links


def test_links_are_sent_once_and_all_counted() -> None:
    links = (
        found("http://a.example/1", anchor="x" * 500),
        found("http://a.example/1", anchor="again"),
        found("http://a.example/2", nofollow=True),
        found("http://b.example/"),
        found("http://www.a.example/"),
    )
    reader = Reader()
    visited = reader.finish(PageContent(links=links, other_links=3))
    visit = visited.visit
    assert (visit.links_found, visit.links_known, visit.links_nofollow, visit.links_other) == (
        *(8, 1, 1, 3),
    )
    assert visit.links_cross_site == 1
    assert_adds_up(visited)
    assert targets(visited) == {
        "http://a.example/1": None,
        "http://b.example/": Exclusion.SCOPE,
        "http://www.a.example/": Exclusion.SCOPE,
    }
    sent = visit.links[0].item
    assert (sent.depth, sent.parent, sent.anchor) == (2, item().url, "x" * 200)
    # The store keeps all of them as they stood on the page.
    assert visited.links == links
    assert visited.links[0].anchor == "x" * 500
    assert visited.row.link_count == 8


@pytest.mark.parametrize("obeys", [True, False])
def test_pages_may_ask_not_to_be_followed_or_indexed(obeys: bool) -> None:
    reader = Reader(obey_robots=obeys)
    links = (found("http://a.example/1"), found("http://a.example/2", nofollow=True))
    marked = reader.finish(PageContent(links=links))
    assert len(marked.visit.links) == (1 if obeys else 2)
    assert marked.visit.links_nofollow == (1 if obeys else 0)
    nofollow = reader.finish(PageContent(links=links, directives=Directives.NOFOLLOW))
    assert len(nofollow.visit.links) == (0 if obeys else 2)
    assert nofollow.visit.links_nofollow == (2 if obeys else 0)
    assert nofollow.visit.is_document
    noindex = reader.finish(PageContent(links=links, directives=Directives.NOINDEX))
    assert noindex.visit.is_document == (not obeys)
    assert len(noindex.visit.links) == (1 if obeys else 2)
    for visited in (marked, nofollow, noindex):
        assert_adds_up(visited)
        assert len(visited.links) == 2
    # What a page asks for is kept with it, whether or not we obey.
    everything = Directives.NOINDEX | Directives.NOFOLLOW | Directives.NOARCHIVE
    assert reader.finish(PageContent(directives=everything)).row.directives == everything


def test_links_of_one_answer_are_sent_once() -> None:
    reader, sent = Reader(), set[int]()
    first = reader.finish(PageContent(links=(found("http://a.example/x"),)), sent=sent)
    second = reader.finish(PageContent(links=(found("http://a.example/x"),)), sent=sent)
    assert (len(first.visit.links), len(second.visit.links)) == (1, 0)
    assert second.visit.links_known == 1
    assert len(reader.finish(PageContent(links=(found("http://a.example/x"),))).visit.links) == 1


def test_a_link_that_was_not_committed_is_sent_again() -> None:
    reader = Reader()
    content = PageContent(links=(found("http://a.example/x"), found("http://b.example/")))
    for _ in range(3):
        visited = reader.finish(content)
        assert len(visited.visit.links) == 2
        assert visited.visit.links_known == 0
    reader.learn(visited)
    again = reader.finish(content)
    assert again.visit.links == ()
    assert again.visit.links_known == 2
    assert_adds_up(again)


@pytest.mark.parametrize("same_answer", [True, False])
def test_a_link_that_one_page_left_out_may_come_in_by_another(same_answer: bool) -> None:
    """What counts is a way that leads into the crawl, whatever else was found before."""
    reader, sent = Reader(max_depth=3), set[int]()
    links = (found("http://a.example/x"), found("http://b.example/x"))
    far = reader.finish(PageContent(links=links), item(depth=3), sent)
    assert targets(far) == {
        "http://a.example/x": Exclusion.DEPTH,
        "http://b.example/x": Exclusion.SCOPE,
    }
    if not same_answer:
        reader.learn(far)
        sent = set()
    near = reader.finish(PageContent(links=links), item("http://b.example/", depth=1), sent)
    assert targets(near) == {"http://a.example/x": None, "http://b.example/x": None}


def test_another_reason_to_leave_a_link_out_is_told() -> None:
    reader = Reader(max_depth=3)
    links = (found("http://b.example/x"),)
    reader.learn(reader.finish(PageContent(links=links), item(depth=1)))
    assert reader.finish(PageContent(links=links), item(depth=2)).visit.links == ()
    deep = reader.finish(PageContent(links=links), item("http://b.example/", depth=3))
    assert targets(deep) == {"http://b.example/x": Exclusion.DEPTH}


LINKS = st.builds(
    found,
    st.builds("http://{}.example/{}".format, st.sampled_from("ab"), st.integers(0, 6)),
    st.booleans(),
)
PAGES = st.builds(
    PageContent,
    links=st.lists(LINKS, max_size=8).map(tuple),
    other_links=st.integers(0, 3),
    directives=st.sampled_from([0, 0, Directives.NOFOLLOW.value, Directives.NOINDEX.value]),
)


@settings(deadline=None)
@given(
    st.lists(st.tuples(PAGES, st.booleans(), st.integers(0, 4)), max_size=8),
    st.booleans(),
    st.sampled_from([2, 10_000]),
)
def test_no_link_gets_lost(
    pages: list[tuple[PageContent, bool, int]], obeys: bool, capacity: int
) -> None:
    """Answers of one page each; some are committed, some are lost. Every link that a committed
    page had is with the frontier afterwards."""
    reader = Reader(obey_robots=obeys, max_depth=3)
    reader.known._capacity = capacity
    frontier: dict[int, set[Exclusion | None]] = {}
    for number, (content, committed, depth) in enumerate(pages):
        what = item(f"http://{'ab'[number % 2]}.example/p{number}", depth)
        visited = reader.finish(content, what)
        assert_adds_up(visited)
        if not committed:
            continue
        reader.learn(visited)
        for link in visited.visit.links:
            frontier.setdefault(link.item.key, set()).add(link.excluded)
        if obeys and content.directives & Directives.NOFOLLOW:
            continue
        for one in content.links:
            if not (obeys and one.nofollow):
                objection = reader._reader._filters.objection(
                    one.url, from_href(what.url), depth + 1
                )
                assert objection in frontier[one.url.key] or None in frontier[one.url.key]


def test_what_is_boilerplate_reaches_the_rows() -> None:
    links = (
        FoundLink(parse("http://a.example/menu"), "Menu", nofollow=False, boilerplate=True),
        found("http://a.example/text"),
    )
    visited = Reader().finish(PageContent(text="a\nb", classes="np", main="01", links=links))
    assert visited.row.main == "01"
    assert [link.boilerplate for link in visited.links] == [True, False]
