"""Plain text, and formats that are read like it: every line with something on it is a paragraph."""

from gossamer.extract import directives
from gossamer.extract.decode import decode
from gossamer.extract.draft import PageDraft
from gossamer.extract.pieces import collapsed
from gossamer.media_types import ALL_TEXT
from gossamer.records import PieceClass, RawPage


class PlainTextProcessor:
    media_types = ALL_TEXT

    def __init__(self, agent_name: str) -> None:
        self._agent_name = agent_name

    def read(self, page: RawPage) -> PageDraft:
        body, charset = decode(page.body, page.charset)
        lines = [line for raw in body.splitlines() if (line := collapsed(raw))]
        return PageDraft(
            charset,
            lines,
            PieceClass.PARAGRAPH.value * len(lines),
            directives=directives.combined((), page.robots_tags, self._agent_name),
        )
