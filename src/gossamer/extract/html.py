"""HTML pages: from bytes to lines of text with classes, links and directives."""

import re
from collections.abc import Generator
from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from gossamer.extract import directives
from gossamer.extract.boilerplate import main_lines
from gossamer.extract.decode import decode
from gossamer.extract.draft import PageDraft, PageText
from gossamer.extract.link_scope import LinkScope, marked_outside
from gossamer.extract.links import LinkCollector, LinkElements, link_elements
from gossamer.extract.listing_links import listing_links
from gossamer.extract.metadata import metadata
from gossamer.extract.names import Names
from gossamer.extract.pieces import Marked, mark, marked_text, pieces
from gossamer.extract.repetition import Repetition
from gossamer.extract.survey import survey
from gossamer.extract.tame import tame
from gossamer.records import Directives, FoundLink, RawPage
from gossamer.urls import PageResolver, Resolver

XHTML = "application/xhtml+xml"

_NOFOLLOW = Directives.NOFOLLOW.value  # a plain int: flags cost a microsecond an operation
_NO_EVENTS = LexborDocumentOptions.WO_EVENTS.value
# In XML any element may end in '/>'; an HTML parser would leave it open for the rest of the page.
_EMPTY_ELEMENT = re.compile(r"<([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*)?)/>")


class _Read(NamedTuple):
    """What was taken off a tree, to be made sense of."""

    url: str
    marked: Marked
    collector: LinkCollector
    links: LinkElements
    frames: list[str | None]  # their addresses
    refresh: str
    listings: tuple[FoundLink, ...]
    inside: set[int] | None  # keys of the links that stand where links are wanted; None: all


class HtmlProcessor:
    """Reads HTML and XHTML. One for each thread: what it remembers is not shared safely."""

    media_types = frozenset({"text/html", XHTML})

    def __init__(self, agent_name: str, resolver: Resolver, link_scope: str = "") -> None:
        """`link_scope`: an XPath; links outside of what it selects are marked."""
        self._agent_name = agent_name
        self._resolver = resolver
        self._link_scope = LinkScope(link_scope) if link_scope else None
        self._names = Names()
        self._repetition = Repetition()

    def read(self, page: RawPage) -> PageDraft:
        """All that needs the tree. It is gone, and its memory free for use, when this returns."""
        html, charset = decode(page.body, page.charset)
        if page.media_type == XHTML:
            html = _EMPTY_ELEMENT.sub(r"<\1\2></\1>", html)
        # With scripting, a noscript in the head cannot end the head.
        tree = LexborHTMLParser(tame(html), options=_NO_EVENTS, scripting=True)
        root = tree.root
        if root is None:
            return PageDraft(charset)
        found = survey(root)
        about = metadata(found, self._agent_name)
        wishes = directives.combined(about.robots, page.robots_tags, self._agent_name)
        if about.ratings:
            wishes |= directives.rated(about.ratings)
        nofollow = bool(wishes.value & _NOFOLLOW)

        mark(found, self._names)
        marked = marked_text(tree.body, found.links)

        resolver = self._resolver.page(page.url)
        if about.base:
            resolver = resolver.based_at(about.base)
        read = _Read(
            page.url,
            marked,
            LinkCollector(resolver, nofollow),
            link_elements(found.links, len(html)),
            [node.attributes.get("src") for node in found.frames],
            about.refresh,
            listing_links(found.references, resolver, nofollow),
            None if self._link_scope is None else self._link_scope.keys(html, resolver),
        )
        return PageDraft(
            charset,
            title=about.title,
            description=about.description,
            canonical=_canonical(about.canonical, page.url, resolver),
            language=root.attributes.get("lang") or "",
            directives=wishes,
            text=self._text(read),
        )

    def _text(self, read: _Read) -> Generator[None, None, PageText]:
        """All that needs no tree, in steps."""
        collector = read.collector
        collector.add_links(read.links)
        collector.add_frames(read.frames)
        collector.add_refresh(read.refresh)
        yield
        text = pieces(read.marked)
        yield
        main = main_lines(text, collector.lengths)
        yield
        memory = self._repetition.of(read.url)
        main = memory.without_repeated(text.lines, text.classes, main)
        links = memory.with_repeated(collector.links(main, text.places))
        if read.inside is not None:
            links = marked_outside(links, read.inside)
        return PageText(
            text.lines, text.classes, main, links + read.listings, collector.other_links
        )


def _canonical(text: str, url: str, resolver: PageResolver) -> str:
    if not text or text == url:  # as most pages have it
        return text
    canonical = resolver.resolve_once(text)
    return canonical.href if canonical else ""
