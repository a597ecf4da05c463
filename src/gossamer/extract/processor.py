"""Chooses who reads a page: by its media type, and by its bytes where the type is missing or lies.

A reader of another format is a `PageProcessor`, added to the list that `Processors` is made of.
Formats that may take seconds, or whose reader may crash, are *heavy*: they are read in processes
of their own (`isolated`), and their readers are loaded nowhere else.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from gossamer.extract.allocator import keep_freed_memory
from gossamer.extract.draft import PageDraft, finished
from gossamer.extract.html import HtmlProcessor
from gossamer.extract.listing import ListingProcessor
from gossamer.extract.markdown import MarkdownProcessor
from gossamer.extract.plaintext import PlainTextProcessor
from gossamer.extract.sniff import (
    DOCX,
    ODT,
    OLE,
    PDF,
    ZIP,
    format_of,
    has_controls,
    has_pdf_header,
    looks_like_html,
    looks_like_markup,
    may_be_document,
)
from gossamer.extract.user_formats import UserFormat
from gossamer.media_types import ALL_TEXT, text_type_of_name
from gossamer.plugins import UserReader
from gossamer.records import Outcome, Processed, RawPage, Unread
from gossamer.urls import Resolver

_HTML = "text/html"
_PLAIN = "text/plain"
_UNKNOWN = frozenset({"", "unknown/unknown", "application/unknown", "*/*"})
_DOWNLOAD = frozenset(
    {
        *("application/octet-stream", "binary/octet-stream"),
        *("application/force-download", "application/x-download", "application/download"),
    }
)
_XML = frozenset({"application/xml", "text/xml"})
_PDF_NAMES = frozenset({PDF, "application/x-pdf"})
_HEAVY = frozenset({PDF, DOCX, ODT})
_DOCUMENTS = _HEAVY | _PDF_NAMES | {"application/msword", "application/rtf"}
# Names of what is inside them say more than their own.
_CONTAINERS = frozenset({ZIP, OLE})


class PageProcessor(Protocol):
    """Reads pages of some media types. Never raises for what is in a page."""

    @property
    def media_types(self) -> frozenset[str]: ...

    def read(self, page: RawPage) -> PageDraft | Unread: ...


class Processors:
    """All processors as one."""

    def __init__(self, processors: Iterable[PageProcessor]) -> None:
        self._by_type = {
            media_type: processor
            for processor in processors
            for media_type in processor.media_types
        }

    def process(self, page: RawPage) -> Processed:
        """What the page says, or why nobody can tell."""
        return self.process_all([page])[0]

    def process_all(
        self, pages: Sequence[RawPage], at: Callable[[int], None] = lambda _: None
    ) -> list[Processed]:
        """The same for many pages, which takes less time for each. `at` is told which page is
        about to be read: that is when native code meets what a stranger wrote."""
        drafts: dict[int, PageDraft] = {}
        processed: dict[int, Processed] = {}
        for position, page in enumerate(pages):
            media_type = true_media_type(page)
            processor = self._by_type.get(media_type)
            if processor is None:
                detail = _no_reader(media_type, page.media_type)
                processed[position] = Unread(Outcome.UNSUPPORTED, detail)
                continue
            at(position)
            draft = processor.read(page)
            if isinstance(draft, Unread):
                processed[position] = draft
            else:
                drafts[position] = draft
        processed.update(zip(drafts, finished(list(drafts.values())), strict=True))
        return [processed[position] for position in range(len(pages))]


def _no_reader(found: str, declared: str) -> str:
    what = f"no reader for '{found}'" if found else "no text, and of no format that is known"
    return what if found == declared else f"{what}, sent as '{declared}'"


def true_media_type(page: RawPage) -> str:
    """The media type to go by; '' where nobody can tell. Bytes that show their format go before
    anything declared. A type that names another format is believed then, unless it claims text
    where there is none; a type that servers send for want of a better one is not."""
    declared, body = page.media_type, page.body
    found = format_of(body)
    if found:
        return declared if found in _CONTAINERS and _names_format(declared) else found
    if declared in _DOCUMENTS or declared in _DOWNLOAD or declared in _XML:
        if looks_like_html(body):
            return _HTML
        if declared in _PDF_NAMES or (declared in _DOWNLOAD and has_pdf_header(body)):
            return PDF
        if declared in _DOWNLOAD and (named := text_type_of_name(_path(page))):
            return "" if _is_binary(page) else named
        return declared
    if declared in _UNKNOWN:
        if has_controls(body):
            return PDF if has_pdf_header(body) else ""
        return _HTML if looks_like_markup(body) else _PLAIN
    if declared == _PLAIN and looks_like_html(body):
        return _HTML
    is_text = declared.startswith(("text/", "application/xhtml")) or declared in ALL_TEXT
    if is_text and _is_binary(page):
        return PDF if has_pdf_header(body) else ""
    return declared


def _path(page: RawPage) -> str:
    return page.url.partition("?")[0]


def _names_format(declared: str) -> bool:
    return declared.startswith("application/") and not (
        declared in _UNKNOWN or declared in _DOWNLOAD or declared in _PDF_NAMES
    )


def _is_binary(page: RawPage) -> bool:
    return not page.charset.lower().startswith("utf-16") and has_controls(page.body)


def is_heavy(page: RawPage) -> bool:
    """Whether the page is not to be read in this process."""
    if page.media_type.startswith("text/") and not may_be_document(page.body):
        return False  # nearly all pages: they are looked at closely later
    return true_media_type(page) in _HEAVY


def build_processors(
    agent_name: str,
    resolver: Resolver,
    *,
    heavy_seconds: float | None = None,
    link_scope: str = "",
    readers: Iterable[UserReader] = (),
) -> Processors:
    """The processors of a crawl. Also sets up this process's memory for parsing many pages.
    `heavy_seconds`: heavy pages are read, too, each of them as far as one comes in that time.
    `link_scope`: an XPath for the parts of HTML pages whose links are wanted. `readers`: a
    person's own, which go before ours."""
    keep_freed_memory()
    processors: list[PageProcessor] = [
        HtmlProcessor(agent_name, resolver, link_scope),
        PlainTextProcessor(agent_name),
        MarkdownProcessor(agent_name),
        ListingProcessor(agent_name, resolver),
    ]
    if heavy_seconds is not None:
        from gossamer.extract.docx import DocxProcessor
        from gossamer.extract.odt import OdtProcessor
        from gossamer.extract.pdf import PdfProcessor

        processors += [
            PdfProcessor(agent_name, resolver, heavy_seconds),
            DocxProcessor(agent_name, resolver, heavy_seconds),
            OdtProcessor(agent_name, resolver, heavy_seconds),
        ]
    processors += [UserFormat(reader, agent_name, resolver) for reader in readers]
    return Processors(processors)
