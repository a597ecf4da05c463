"""Gathers what a long document says, line by line, as far as its bounds allow.

So much text, so many links, for so long: a document that reaches a bound is taken as far as it
was read, and says so. Its time ends well before the process that reads it is killed, in which
case all would be lost.
"""

import time

from gossamer.extract import directives
from gossamer.extract.draft import PageDraft
from gossamer.extract.links import ANCHOR_LENGTH
from gossamer.extract.metadata import DESCRIPTION_LENGTH, TITLE_LENGTH
from gossamer.extract.pieces import collapsed
from gossamer.records import Directives, FoundLink, Outcome, RawPage, Unread
from gossamer.urls import Resolver

MAX_CHARACTERS = 2_000_000
MAX_LINKS = 20_000
DOCUMENT_SECONDS = 5.0

_LANGUAGE_LENGTH = 40
_DETAIL_LENGTH = 200
# What is no text, and would break a line or an encoding: control characters and surrogates.
_DROPPED = dict.fromkeys(
    [
        *(code for code in range(0xA0) if not chr(code).isprintable() and not chr(code).isspace()),
        *range(0xD800, 0xE000),
        *(0xFFFE, 0xFFFF),
    ]
)


class Document:
    """One document while it is being read."""

    def __init__(self, page: RawPage, agent_name: str, resolver: Resolver, seconds: float) -> None:
        self._wishes = directives.combined((), page.robots_tags, agent_name)
        self._resolver = resolver.page(page.url)
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._lines: list[str] = []
        self._classes: list[str] = []
        self._characters = 0
        self._links: dict[tuple[int, str], FoundLink] = {}
        self._other_links = 0
        self._left_out: list[str] = []

    @property
    def is_full(self) -> bool:
        """Whether a bound has been reached: nothing more is to be read."""
        if self._characters >= MAX_CHARACTERS:
            self.leave_out(f"only the first {MAX_CHARACTERS:,} characters were taken")
        elif time.monotonic() > self._until:
            self.leave_out(f"only what could be read in {self._seconds:g} s was taken")
        else:
            return False
        return True

    @property
    def is_empty(self) -> bool:
        return not self._lines

    def leave_out(self, note: str) -> None:
        """Tell people of a part that is not read."""
        shown = _shown(note)
        if shown not in self._left_out:
            self._left_out.append(shown)

    def add(self, text: str, letter: str) -> None:
        """A line of text, of the class with that letter."""
        room = MAX_CHARACTERS - self._characters
        line = clean_line(text, room)
        if line:
            self._lines.append(line)
            self._classes.append(letter)
            self._characters += len(line)

    def link(self, target: str, anchor: str) -> None:
        if target.lstrip().startswith("#"):
            return  # a place in the document itself
        if len(self._links) >= MAX_LINKS:
            self.leave_out(f"only the first {MAX_LINKS:,} links were taken")
            return
        url = self._resolver.resolve(target)
        if url is None:
            self._other_links += 1
            return
        text = clean_line(anchor, ANCHOR_LENGTH)
        if (url.key, text) not in self._links:
            nofollow = bool(self._wishes & Directives.NOFOLLOW)
            self._links[url.key, text] = FoundLink(url, text, nofollow)

    def draft(self, title: str = "", description: str = "", language: str = "") -> PageDraft:
        return PageDraft(
            charset="",
            lines=self._lines,
            classes=self._classes,
            title=clean_line(title, TITLE_LENGTH),
            description=clean_line(description, DESCRIPTION_LENGTH),
            language=clean_line(language, _LANGUAGE_LENGTH),
            directives=self._wishes,
            links=tuple(self._links.values()),
            other_links=self._other_links,
            is_partial=bool(self._left_out),
            note="; ".join(self._left_out),
        )


def unreadable(detail: str) -> Unread:
    return Unread(Outcome.UNREADABLE, _shown(detail))


def _shown(detail: str) -> str:
    """It may hold names out of the document."""
    return "".join(letter if letter.isprintable() else "?" for letter in detail[:_DETAIL_LENGTH])


def clean_line(text: str, length: int) -> str:
    text = text[: 4 * length]
    return collapsed(text if text.isprintable() else text.translate(_DROPPED))[:length].rstrip()
