"""Markdown: headings, lists, quotes, tables and code, without their inline markup.

Reads line by line, so its time is linear in the length of any text.
"""

import re

from gossamer.extract import directives
from gossamer.extract.decode import decode
from gossamer.extract.draft import PageDraft
from gossamer.extract.pieces import collapsed
from gossamer.records import PieceClass, RawPage

MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown"})

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|(-+))[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TABLE_RULE = frozenset("|:- \t")
_ITEM = re.compile(r"\s*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.*)")
_QUOTE = re.compile(r" {0,3}(?:>[ \t]?)+(.*)")
_REFERENCE = re.compile(r" {0,3}\[[^\]]{1,200}\]:[ \t]+\S+.*")
_LINK = re.compile(
    r"!?\[([^\[\]]{0,500})\]"
    r"(?:\([^()\s]{0,2000}(?:[ \t][^()]{0,500})?\)|\[[^\[\]]{0,200}\])"
)
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]{1,2000})>")
_MARKS = re.compile(r"(?<![\w\\])(\*\*\*|___|\*\*|__|\*|_|~~)(?=\S)(.{1,500}?)(?<=\S)\1(?!\w)")
_CODE = re.compile(r"(`{1,3})(?!`)([^`]{1,500})\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TITLE = re.compile(r"title:[ \t]*(.+)", re.IGNORECASE)
_FRONT = "---"
_LONGEST_FRONT = 100  # lines
_CLASSES = {1: PieceClass.HEADING_1, 2: PieceClass.HEADING_2, 3: PieceClass.HEADING_3}


class MarkdownProcessor:
    media_types = MARKDOWN_TYPES

    def __init__(self, agent_name: str) -> None:
        self._agent_name = agent_name

    def read(self, page: RawPage) -> PageDraft:
        body, charset = decode(page.body, page.charset)
        reader = _Reader()
        for line in reader.after_front_matter(body.splitlines()):
            reader.add(line)
        title, lines, classes = reader.finish()
        return PageDraft(
            charset,
            lines,
            "".join(classes),
            title=title,
            directives=directives.combined((), page.robots_tags, self._agent_name),
        )


class _Reader:
    def __init__(self) -> None:
        self._title = ""
        self._lines: list[str] = []
        self._classes: list[str] = []
        self._fence = ""  # that has to come again before the code ends
        self._is_after_text = False  # the line before was not empty

    def after_front_matter(self, lines: list[str]) -> list[str]:
        """Settings between lines of '---' at the beginning, which may have the title."""
        if not lines or lines[0].strip() != _FRONT:
            return lines
        for place, line in enumerate(lines[1:_LONGEST_FRONT], 1):
            if line.strip() == _FRONT:
                return lines[place + 1 :]
            if not self._title and (found := _TITLE.fullmatch(line.strip())):
                self._title = collapsed(found[1].strip().strip("\"'"))
        self._title = ""
        return lines

    def add(self, line: str) -> None:
        if self._fence:
            if line.strip().startswith(self._fence) and not line.strip().strip(self._fence[0]):
                self._fence = ""
            else:
                self._append(line, PieceClass.CODE)
        elif found := _FENCE.match(line):
            self._fence = found[1]
        elif found := _HEADING.match(line):
            level = _CLASSES.get(len(found[1]), PieceClass.HEADING_LOW)
            self._append(_plain(_heading(line[found.end() :].strip())), level)
        elif (found := _UNDERLINE.fullmatch(line)) and self._follows_paragraph():
            self._classes[-1] = (PieceClass.HEADING_1 if found[1] else PieceClass.HEADING_2).value
        elif _RULE.fullmatch(line) or _REFERENCE.fullmatch(line):
            pass
        elif found := _ITEM.fullmatch(line):
            self._append(_plain(found[1]), PieceClass.LIST)
        elif found := _QUOTE.fullmatch(line):
            self._append(_plain(found[1]), PieceClass.QUOTE)
        elif line.lstrip().startswith("|"):
            if not _TABLE_RULE.issuperset(line):
                self._append(_plain(line.replace("|", " ")), PieceClass.TABLE)
        else:
            self._append(_plain(line), PieceClass.PARAGRAPH)
        self._is_after_text = bool(line.strip())

    def _follows_paragraph(self) -> bool:
        last = self._classes[-1:] == [PieceClass.PARAGRAPH.value]
        return last and self._is_after_text

    def _append(self, text: str, kind: PieceClass) -> None:
        if text := collapsed(text):
            self._lines.append(text)
            self._classes.append(kind.value)

    def finish(self) -> tuple[str, list[str], list[str]]:
        """The title, and the lines without it. Without settings, it is the first heading of the
        first level, or the first one of all."""
        if not self._title:
            headings = (PieceClass.HEADING_1, PieceClass.HEADING_2, PieceClass.HEADING_3)
            for kind in headings:
                if kind.value in self._classes:
                    place = self._classes.index(kind.value)
                    self._title = self._lines.pop(place)
                    self._classes.pop(place)
                    break
        return self._title, self._lines, self._classes


def _heading(text: str) -> str:
    """The text of a heading, which may have the signs of its level behind it, too."""
    before = text.rstrip("#")
    return before.rstrip() if not before or before[-1] in " \t" else text


def _plain(text: str) -> str:
    """A line without its inline markup."""
    if not any(mark in text for mark in "[]*_`~<\\"):
        return text
    text = _LINK.sub(r"\1", text)
    text = _AUTOLINK.sub(r"\1", text)
    text = _CODE.sub(r"\2", text)
    for _ in range(2):  # one within the other
        text = _MARKS.sub(r"\2", text)
    return _ESCAPE.sub(r"\1", text)
