"""What a page processor reads off a page, and what is then made of it, whatever its format was.

Language and fingerprints are found for several pages at a time: their models and tables push each
other out of the processor's cache, so doing one thing to many pages costs a third less than doing
many things to one.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gossamer.extract.fingerprint import content_hash, similarity_hash
from gossamer.extract.language import detect_with_hint, sample_of
from gossamer.records import Directives, FoundLink, PageContent, PieceClass

_TITLE = PieceClass.TITLE.value
_NAVIGATION = PieceClass.NAVIGATION.value
_CODE = PieceClass.CODE.value


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


def finished(drafts: Sequence[PageDraft]) -> list[PageContent]:
    texts, samples, contents = [], [], []
    for draft in drafts:
        lines = [draft.title, *draft.lines] if draft.title else draft.lines
        texts.append("\n".join(lines))
        content = [
            (line, letter)
            for line, letter in zip(draft.lines, draft.classes, strict=True)
            if letter != _NAVIGATION
        ]
        contents.append("\n".join([line for line, _ in content]))
        samples.append(sample_of([line for line, letter in content if letter != _CODE] or lines))
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
            classes=(_TITLE if draft.title else "") + "".join(draft.classes),
            links=draft.links,
            other_links=draft.other_links,
            directives=draft.directives.value,
            content_hash=hashes[position],
            similarity_hash=similarities[position],
        )
        for position, draft in enumerate(drafts)
    ]
