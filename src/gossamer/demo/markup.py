"""How does a text of the content become HTML, and the plain text that a reader sees?

CommonMark with tables, and links to things by kind and name: `[[Title]]`, `[[Title|shown]]`,
`[shown](news:slug)`. Whoever renders says where these things lie.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

ARTICLE = "article"
"""The kind of the things that `[[Title]]` names."""

_WIKI_LINK = re.compile(r"\[\[([^\]|\n]+)(?:\|([^\]\n]+))?\]\]")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_NAMED_LINK = re.compile(r"\]\((\w+):([^)\s]+)\)")

AddressOf = Callable[[str, str], str]
"""From kind and name to a URL."""


class Rendered(NamedTuple):
    html: str
    text: str
    """A line for each paragraph, item, cell and heading."""
    headings: tuple[tuple[str, str], ...]
    """Identifier and text."""


def render(source: str, address_of: AddressOf) -> Rendered:
    markdown = _markdown()
    tokens = markdown.parse(source)
    lines: list[str] = []
    headings: list[tuple[str, str]] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "fence":
            lines += token.content.splitlines()
        for child in token.children or ():
            if child.type == "link_open":
                kind, _, name = str(child.attrs["href"]).partition(":")
                child.attrs["href"] = address_of(kind, child.meta.get("name", name))
        if token.type == "inline":
            text = _plain(token.children or ())
            lines.append(text)
            if before is not None and before.type == "heading_open":
                headings.append((anchor(text), text))
                before.attrs["id"] = anchor(text)
    html = markdown.renderer.render(tokens, markdown.options, {})
    return Rendered(html.rstrip("\n"), "\n".join(lines), tuple(headings))


def named_things(source: str) -> Iterator[tuple[str, str]]:
    """Kind and name of everything that a text links to."""
    prose = _CODE.sub("", source)
    for link in _WIKI_LINK.finditer(prose):
        yield ARTICLE, link[1].strip()
    for link in _NAMED_LINK.finditer(prose):
        yield link[1], link[2]


def anchor(text: str) -> str:
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-")


def summary_of(text: str, length: int = 160) -> str:
    """The first line of a plain text, cut at a word if it is too long."""
    line = text.partition("\n")[0]
    if len(line) <= length:
        return line
    return line[: length - 1].rpartition(" ")[0].rstrip(",;:.") + "…"


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.inline.ruler.before("link", "wiki_link", _wiki_link)
    return markdown


def _wiki_link(state: StateInline, silent: bool) -> bool:
    found = _WIKI_LINK.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        opening = state.push("link_open", "a", 1)
        opening.attrs = {"href": ARTICLE}
        opening.meta = {"name": found[1].strip()}  # as it is: an href would be percent-encoded
        state.push("text", "", 0).content = (found[2] or found[1]).strip()
        state.push("link_close", "a", -1)
    state.pos = found.end()
    return True


def _plain(tokens: Sequence[Token]) -> str:
    return "".join(
        " " if token.type in ("softbreak", "hardbreak") else token.content for token in tokens
    )
