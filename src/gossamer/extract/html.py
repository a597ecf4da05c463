"""HTML pages: from bytes to lines of text with classes, links and directives."""

import re

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from gossamer.extract import directives
from gossamer.extract.decode import decode
from gossamer.extract.draft import PageDraft
from gossamer.extract.links import LinkCollector
from gossamer.extract.metadata import metadata
from gossamer.extract.pieces import mark, pieces
from gossamer.extract.survey import navigation_by_role, survey
from gossamer.extract.tame import tame
from gossamer.records import Directives, PieceClass, RawPage
from gossamer.urls import Resolver

XHTML = "application/xhtml+xml"

_NO_EVENTS = LexborDocumentOptions.WO_EVENTS.value
# In XML any element may end in '/>'; an HTML parser would leave it open for the rest of the page.
_EMPTY_ELEMENT = re.compile(r"<([A-Za-z][A-Za-z0-9]*)((?:\s[^<>]*)?)/>")
_NAVIGATION = PieceClass.NAVIGATION.value


class HtmlProcessor:
    """Reads HTML and XHTML. One for each thread: the resolver's memory is not shared safely."""

    media_types = frozenset({"text/html", XHTML})

    def __init__(self, agent_name: str, resolver: Resolver) -> None:
        self._agent_name = agent_name
        self._resolver = resolver

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

        found.blocks.extend((_NAVIGATION, node) for node in navigation_by_role(tree, html))
        mark(found)
        body = tree.body
        lines, classes = pieces(body.text_lexbor()) if body is not None else ([], [])

        resolver = self._resolver.page(page.url)
        if about.base:
            resolver = resolver.based_at(about.base)
        collector = LinkCollector(resolver, len(html), bool(wishes & Directives.NOFOLLOW))
        collector.add_links(found.links)
        collector.add_frames(found.frames)
        collector.add_refresh(about.refresh)
        canonical = resolver.resolve(about.canonical) if about.canonical else None
        return PageDraft(
            charset,
            lines,
            classes,
            about.title,
            about.description,
            canonical.href if canonical else "",
            root.attributes.get("lang") or "",
            wishes,
            collector.links,
            collector.other_links,
        )
