"""Chooses who reads a page: by its media type, and by its bytes where the type is missing or lies.

A reader of another format is a `PageProcessor`, added to the list that `Processors` is made of.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from gossamer.extract.allocator import keep_freed_memory
from gossamer.extract.draft import PageDraft, finished
from gossamer.extract.html import HtmlProcessor
from gossamer.extract.plaintext import PlainTextProcessor
from gossamer.extract.sniff import is_binary, looks_like_html, looks_like_markup
from gossamer.records import PageContent, RawPage
from gossamer.urls import Resolver

_HTML = "text/html"
_PLAIN = "text/plain"
_UNKNOWN = frozenset({"", "unknown/unknown", "application/unknown", "*/*"})
_DOWNLOAD = frozenset({"application/octet-stream", "binary/octet-stream"})
_XML = frozenset({"application/xml", "text/xml"})


class PageProcessor(Protocol):
    """Reads pages of some media types. Never raises for what is in a page."""

    @property
    def media_types(self) -> frozenset[str]: ...

    def read(self, page: RawPage) -> PageDraft: ...


class Processors:
    """All processors as one."""

    def __init__(self, processors: Iterable[PageProcessor]) -> None:
        self._by_type = {
            media_type: processor
            for processor in processors
            for media_type in processor.media_types
        }

    def process(self, page: RawPage) -> PageContent | None:
        """What the page says; None where no processor reads it."""
        return self.process_all([page])[0]

    def process_all(
        self, pages: Sequence[RawPage], at: Callable[[int], None] = lambda _: None
    ) -> list[PageContent | None]:
        """The same for many pages, which takes less time for each. `at` is told which page is
        about to be read: that is when native code meets what a stranger wrote."""
        drafts: dict[int, PageDraft] = {}
        for position, page in enumerate(pages):
            processor = self._by_type.get(true_media_type(page))
            if processor is not None:
                at(position)
                drafts[position] = processor.read(page)
        contents = dict(zip(drafts, finished(list(drafts.values())), strict=True))
        return [contents.get(position) for position in range(len(pages))]


def true_media_type(page: RawPage) -> str:
    """The media type to go by. A type that names a format is believed, unless it claims text
    where there is none; a type that servers send for want of a better one is not."""
    declared, body = page.media_type, page.body
    if declared in _DOWNLOAD or declared in _XML:
        return _HTML if looks_like_html(body) else declared
    if declared in _UNKNOWN:
        if is_binary(body):
            return ""
        return _HTML if looks_like_markup(body) else _PLAIN
    if declared == _PLAIN and looks_like_html(body):
        return _HTML
    if declared.startswith(("text/", "application/xhtml")) and _is_binary(page):
        return ""
    return declared


def _is_binary(page: RawPage) -> bool:
    return not page.charset.lower().startswith("utf-16") and is_binary(page.body)


def build_processors(agent_name: str, resolver: Resolver) -> Processors:
    """The processors of a crawl. Also sets up this process's memory for parsing many pages."""
    keep_freed_memory()
    return Processors([HtmlProcessor(agent_name, resolver), PlainTextProcessor(agent_name)])
