"""Formats that a person's own code reads: what it returns becomes a page like any other."""

from collections.abc import Mapping
from typing import Any

from gossamer.extract import directives
from gossamer.extract.draft import PageDraft
from gossamer.extract.links import ANCHOR_LENGTH
from gossamer.extract.metadata import DESCRIPTION_LENGTH, TITLE_LENGTH
from gossamer.extract.pieces import collapsed
from gossamer.plugins import UserReader, failure
from gossamer.records import FoundLink, Outcome, PieceClass, RawPage, Unread
from gossamer.urls import Resolver

_MEANT = frozenset({"title", "description", "language", "text", "links"})


class UserFormat:
    """A page processor around a reader of a plugin."""

    def __init__(self, reader: UserReader, agent_name: str, resolver: Resolver) -> None:
        self.media_types = reader.media_types
        self._reader = reader
        self._agent_name = agent_name
        self._resolver = resolver

    def read(self, page: RawPage) -> PageDraft | Unread:
        try:
            returned = self._reader.read(page)
            if returned is None:
                return Unread(Outcome.UNREADABLE, "its plugin could not read it")
            return self._draft(page, returned)
        except Exception as error:
            return Unread(Outcome.UNREADABLE, failure(error, self._reader.file))

    def _draft(self, page: RawPage, returned: Any) -> PageDraft:
        values = {"text": returned} if isinstance(returned, str) else returned
        if not isinstance(values, Mapping):
            raise TypeError(f"'read' must return a text or a dict, not {type(returned).__name__}")
        if unknown := values.keys() - _MEANT:
            raise TypeError(f"'read' returned an unknown {min(unknown)!r}")
        lines = [
            line for raw in str(values.get("text", "")).splitlines() if (line := collapsed(raw))
        ]
        links, others = self._links(page, values.get("links", ()))
        return PageDraft(
            charset=page.charset,
            lines=lines,
            classes=PieceClass.PARAGRAPH.value * len(lines),
            title=collapsed(str(values.get("title", "")))[:TITLE_LENGTH],
            description=collapsed(str(values.get("description", "")))[:DESCRIPTION_LENGTH],
            language=str(values.get("language", "")),
            directives=directives.combined((), page.robots_tags, self._agent_name),
            links=links,
            other_links=others,
        )

    def _links(self, page: RawPage, given: Any) -> tuple[tuple[FoundLink, ...], int]:
        """Addresses, or pairs of an address and its anchor."""
        resolver = self._resolver.page(page.url)
        links: dict[tuple[int, str], FoundLink] = {}
        others = 0
        for one in given:
            address, anchor = (one, "") if isinstance(one, str) else one
            url = resolver.resolve(address)
            if url is None:
                others += 1
                continue
            anchor = collapsed(anchor)[:ANCHOR_LENGTH].rstrip()
            links.setdefault((url.key, anchor), FoundLink(url, anchor, False))
        return tuple(links.values()), others
