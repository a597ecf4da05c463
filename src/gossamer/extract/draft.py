"""What a page processor reads off a page, and what is then made of it, whatever its format was.

Content, language and fingerprints are found for several pages at a time: their models and tables
push each other out of the processor's cache, so doing one thing to many pages costs less than doing
many things to one (a third less for languages and fingerprints).
"""

from collections.abc import Generator, Sequence
from itertools import compress
from typing import NamedTuple

from gossamer.extract.fingerprint import content_hash, similarity_hash
from gossamer.extract.language import detect_with_hint, sample_of
from gossamer.lib.directions import one_direction
from gossamer.records import Directives, FoundLink, PageContent, PieceClass

_TITLE = PieceClass.TITLE.value
_NAVIGATION = PieceClass.NAVIGATION.value
_CODE = PieceClass.CODE.value
_ENOUGH_CHARACTERS = 200
"""So much content is enough to judge a page by."""
_SELECTED = bytes.maketrans(b"01", b"\0\1")
_ALL_BUT_NAVIGATION = str.maketrans(
    {piece.value: "0" if piece is PieceClass.NAVIGATION else "1" for piece in PieceClass}
)


class PageText(NamedTuple):
    lines: Sequence[str]
    classes: Sequence[str]
    main: str  # of the lines: '1' for content, '0' for boilerplate
    links: tuple[FoundLink, ...]
    other_links: int


class PageDraft(NamedTuple):
    charset: str
    lines: Sequence[str] = ()  # whitespace collapsed, none empty
    classes: Sequence[str] = ()  # of the lines: values of PieceClass
    title: str = ""
    description: str = ""
    canonical: str = ""
    language: str = ""  # as declared
    directives: Directives = Directives.NONE
    links: tuple[FoundLink, ...] = ()
    other_links: int = 0
    is_partial: bool = False  # not all of the page was read
    note: str = ""  # for people: what was not read, and why
    text: Generator[None, None, PageText] | None = None
    """In place of lines, classes and links: they follow, step by step."""


def finished(drafts: Sequence[PageDraft]) -> list[PageContent]:
    drafts = [_in_one_direction(draft) for draft in drafts]
    pages = _texts_of(drafts)
    texts, samples, contents = [], [], []
    for draft, page in zip(drafts, pages, strict=True):
        lines = [draft.title, *page.lines] if draft.title else page.lines
        texts.append("\n".join(lines))
        selected = page.main.encode().translate(_SELECTED)
        if not _is_enough(page.lines, selected):
            selected = bytes([letter != _NAVIGATION for letter in page.classes])
        contents.append("\n".join(compress(page.lines, selected)))
        if _CODE in page.classes:
            selected = bytes(
                [
                    is_selected and letter != _CODE
                    for is_selected, letter in zip(selected, page.classes, strict=True)
                ]
            )
        samples.append(sample_of(compress(page.lines, selected)) or sample_of(lines))
    languages = [
        detect_with_hint(sample, draft.language)
        for sample, draft in zip(samples, drafts, strict=True)
    ]
    hashes = [content_hash(text) for text in texts]
    # Pages of a site that share their menus and little else are no near-duplicates.
    similarities = [
        similarity_hash(content or text) for content, text in zip(contents, texts, strict=True)
    ]
    return [
        PageContent(
            title=draft.title,
            description=draft.description,
            canonical=draft.canonical,
            language=languages[position],
            charset=draft.charset,
            text=texts[position],
            classes=(_TITLE if draft.title else "") + "".join(pages[position].classes),
            links=pages[position].links,
            other_links=pages[position].other_links,
            directives=draft.directives.value,
            content_hash=hashes[position],
            similarity_hash=similarities[position],
            is_partial=draft.is_partial,
            note=draft.note,
            main=("1" if draft.title else "") + pages[position].main,
        )
        for position, draft in enumerate(drafts)
    ]


def _in_one_direction(draft: PageDraft) -> PageDraft:
    title, description = one_direction(draft.title), one_direction(draft.description)
    if (title, description) == (draft.title, draft.description):
        return draft
    return draft._replace(title=title, description=description)


def _texts_of(drafts: Sequence[PageDraft]) -> list[PageText]:
    texts: dict[int, PageText] = {}
    following = {}
    for number, draft in enumerate(drafts):
        if draft.text is not None:
            following[number] = draft.text
        else:
            main = "".join(draft.classes).translate(_ALL_BUT_NAVIGATION)
            texts[number] = PageText(
                draft.lines, draft.classes, main, draft.links, draft.other_links
            )
    while following:
        for number, text in list(following.items()):
            try:
                next(text)
            except StopIteration as end:
                texts[number] = end.value
                del following[number]
    return [texts[number] for number in range(len(drafts))]


def _is_enough(lines: Sequence[str], selected: bytes) -> bool:
    length = 0
    for line in compress(lines, selected):
        length += len(line)
        if length >= _ENOUGH_CHARACTERS:
            return True
    return False
