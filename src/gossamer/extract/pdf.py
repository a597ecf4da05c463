"""PDF documents: the text of their pages, their links, and what they say of themselves.

PDFium is native code that reads what strangers wrote: this runs only in a process that may die.
"""

import ctypes
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pypdfium2.raw as pdfium

from gossamer.extract.document import DOCUMENT_SECONDS, Document, unreadable
from gossamer.extract.draft import PageDraft
from gossamer.extract.pdf_text import heading_name, paragraphs
from gossamer.extract.sniff import PDF
from gossamer.records import RawPage, Unread
from gossamer.urls import MAX_URL_LENGTH, Resolver

MAX_PAGES = 5_000

_MAX_BOOKMARKS = 5_000
_MAX_STRING_BYTES = 20_000
# The text under each link is looked for among all letters of its page: so many looks at letters.
_ANCHOR_LOOKS = 20_000_000
# A document may claim a billion pages; so many in a row that are not there are the end of it.
_MISSING_IN_A_ROW = 100

# What programs write where a person wrote nothing.
_PROGRAM = re.compile(r"microsoft \w+ - ", re.IGNORECASE)
_NO_TITLE = re.compile(
    r"(?:untitled(?: document)?|no title|slide 1|powerpoint presentation|\W*"
    r"|\(?(?:anonymous|unspecified|unknown|null|none)\)?)\Z",
    re.IGNORECASE,
)
_BROKEN = {
    pdfium.FPDF_ERR_PASSWORD: "encrypted: it opens with a password only",
    pdfium.FPDF_ERR_SECURITY: "encrypted, in a way that its reader does not know",
    pdfium.FPDF_ERR_FORMAT: "broken: no PDF, or damaged beyond repair",
}

Headings = dict[int, dict[str, int]]
"""Number of a page -> names of its headings, and their levels."""


class PdfProcessor:
    media_types = frozenset({PDF})

    def __init__(
        self, agent_name: str, resolver: Resolver, seconds: float = DOCUMENT_SECONDS
    ) -> None:
        self._agent_name = agent_name
        self._resolver = resolver
        self._seconds = seconds

    def read(self, page: RawPage) -> PageDraft | Unread:
        document = Document(page, self._agent_name, self._resolver, self._seconds)
        with _opened(page.body) as pdf:
            if not pdf:
                return unreadable(_why_not_opened())
            return _read(pdf, document)


@contextmanager
def _opened(body: bytes) -> Iterator[Any]:
    # The library reads from `body` until the document is closed.
    pdf = pdfium.FPDF_LoadMemDocument64(body, len(body), None)
    try:
        yield pdf
    finally:
        if pdf:
            pdfium.FPDF_CloseDocument(pdf)


def _why_not_opened() -> str:
    error = pdfium.FPDF_GetLastError()
    return _BROKEN.get(error, f"broken: its reader gives up (error {error})")


def _read(pdf: Any, document: Document) -> PageDraft | Unread:
    count = pdfium.FPDF_GetPageCount(pdf)
    if count <= 0:
        return unreadable("broken: there are no pages in it")
    if not _read_pages(pdf, count, document) and not document.is_full:
        return unreadable(f"broken: none of its pages can be read ({count:,} are announced)")
    title = _PROGRAM.sub("", _metadata(pdf, b"Title"), count=1)
    return document.draft(
        title="" if _NO_TITLE.match(title.strip()) else title,
        description=_metadata(pdf, b"Subject"),
        language=_language(pdf),
    )


def _read_pages(pdf: Any, count: int, document: Document) -> int:
    """How many pages could be read."""
    headings = _headings(pdf, document)
    anchors = _Anchors()
    done = missing = missing_in_a_row = 0
    for number in range(count):
        if document.is_full:
            break
        if number == MAX_PAGES:
            document.leave_out(f"only the first {MAX_PAGES:,} of {count:,} pages were read")
            break
        if _read_page(pdf, number, document, headings.get(number, {}), anchors):
            done += 1
            missing_in_a_row = 0
            continue
        missing += 1
        missing_in_a_row += 1
        if missing_in_a_row == _MISSING_IN_A_ROW:
            missing = count - done
            break
    if missing:
        document.leave_out(f"{missing:,} of {count:,} pages cannot be read")
    return done


def _read_page(
    pdf: Any, number: int, document: Document, headings: dict[str, int], anchors: "_Anchors"
) -> bool:
    page = pdfium.FPDF_LoadPage(pdf, number)
    if not page:
        return False
    try:
        letters = pdfium.FPDFText_LoadPage(page)
        if not letters:
            return False
        try:
            area = _area(page)
            for line, letter in paragraphs(_text_within(letters, area), headings):
                document.add(line, letter)
            anchors.start_page(letters)
            for target, place in _links(pdf, page, document):
                document.link(target, anchors.text(place))
        finally:
            pdfium.FPDFText_ClosePage(letters)
    finally:
        pdfium.FPDF_ClosePage(page)
    return True


# Text

Area = tuple[float, float, float, float]  # left, top, right, bottom


def _area(page: Any) -> Area:
    box = pdfium.FS_RECTF()
    if not pdfium.FPDF_GetPageBoundingBox(page, box):
        return 0.0, pdfium.FPDF_GetPageHeightF(page), pdfium.FPDF_GetPageWidthF(page), 0.0
    return box.left, box.top, box.right, box.bottom


def _text_within(letters: Any, area: Area) -> str:
    count = pdfium.FPDFText_GetBoundedText(letters, *area, None, 0)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * count)()
    count = pdfium.FPDFText_GetBoundedText(letters, *area, buffer, count)
    return bytes(buffer)[: 2 * max(0, count)].decode("utf-16-le", "ignore")


def _metadata(pdf: Any, name: bytes) -> str:
    return _text(partial(pdfium.FPDF_GetMetaText, pdf, name))


def _language(pdf: Any) -> str:
    def get(room: Any, size: int) -> int:
        units = ctypes.cast(room, ctypes.POINTER(ctypes.c_ushort))
        return int(pdfium.FPDFCatalog_GetLanguage(pdf, units, size))

    return _text(get)


def _text(get: Callable[[Any, int], int]) -> str:
    return _bytes(get).decode("utf-16-le", "ignore").rstrip("\0")


def _bytes(get: Callable[[Any, int], int]) -> bytes:
    """What the library copies into the room it is given, after it has said how much it needs."""
    size = get(None, 0)
    if not 0 < size <= _MAX_STRING_BYTES:
        return b""
    room = ctypes.create_string_buffer(size)
    get(room, size)
    return room.raw


# Links


class _Anchors:
    """The text that stands where a link is."""

    def __init__(self) -> None:
        self._looks_left = _ANCHOR_LOOKS

    def start_page(self, letters: Any) -> None:
        self._letters = letters
        self._count = max(0, pdfium.FPDFText_CountChars(letters))

    def text(self, place: Area | None) -> str:
        self._looks_left -= 2 * self._count
        if place is None or self._looks_left < 0:
            return ""
        left, top, right, bottom = place
        # A letter counts that is only touched, so that its neighbours would, too.
        x, y = min(1.0, (right - left) / 20), min(2.0, (top - bottom) / 5)
        return _text_within(self._letters, (left + x, top - y, right - x, bottom + y))


def _links(pdf: Any, page: Any, document: Document) -> Iterator[tuple[str, Area | None]]:
    """Targets on the web, and where on the page each link is."""
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    while pdfium.FPDFLink_Enumerate(page, position, link) and not document.is_full:
        action = pdfium.FPDFLink_GetAction(link)
        if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            continue
        target = _uri(pdf, action)
        if target:
            box = pdfium.FS_RECTF()
            known = pdfium.FPDFLink_GetAnnotRect(link, box)
            yield target, (box.left, box.top, box.right, box.bottom) if known else None


def _uri(pdf: Any, action: Any) -> str:
    found = _bytes(partial(pdfium.FPDFAction_GetURIPath, pdf, action)).rstrip(b"\0")
    return found.decode("utf-8", "replace") if len(found) <= MAX_URL_LENGTH else ""


# Outline


def _headings(pdf: Any, document: Document) -> Headings:
    headings: Headings = {}
    for bookmark, level in _bookmarks(pdf):
        if document.is_full:
            break
        name = heading_name(_text(partial(pdfium.FPDFBookmark_GetTitle, bookmark)))
        place = pdfium.FPDFBookmark_GetDest(pdf, bookmark)
        number = pdfium.FPDFDest_GetDestPageIndex(pdf, place) if place else -1
        if name and number >= 0:
            headings.setdefault(number, {}).setdefault(name, level)
    return headings


def _bookmarks(pdf: Any) -> Iterator[tuple[Any, int]]:
    """The outline, from top to bottom, with levels from 0. A broken one may lead in circles."""
    seen: set[int] = set()
    waiting = [(pdfium.FPDFBookmark_GetFirstChild(pdf, None), 0)]
    while waiting and len(seen) < _MAX_BOOKMARKS:
        bookmark, level = waiting.pop()
        address = ctypes.cast(bookmark, ctypes.c_void_p).value
        if address is None or address in seen:
            continue
        seen.add(address)
        yield bookmark, level
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(pdf, bookmark), level))
        waiting.append((pdfium.FPDFBookmark_GetFirstChild(pdf, bookmark), level + 1))
