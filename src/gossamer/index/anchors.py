"""Texts of links to a page: often a better name for it than its own.

What other hosts write and what the page's own host writes are kept apart: a site has reasons of its
own to call its pages something. An anchor of another host counts once for each host that writes it,
up to a few; one of the own host counts once, and those that stand on most of its pages go first.
"""

from collections.abc import Callable
from typing import Any

import pyarrow.compute as pc
from msgspec import Struct

from gossamer.urls import host_of

_COUNTED = 1_000  # different ones of a page: of a page with more, those that are found first
_MOST_ANCHORS = 100  # of them those of most hosts
_MOST_OWN = 25
_MOST_HOSTS = 4  # more of them say the same no louder
_LONGEST = 120  # characters
_NOTHING_SAID = frozenset(
    {
        *("here", "click here", "more", "read more", "link", "this", "next", "previous", "back"),
        *("home", "top", "up", "weiter", "mehr", "zurück", "suite", "más", "website", "permalink"),
    }
)

Standing = Callable[[int, str], str | None]
"""Returns the document that stands for the target of a link, by its key and its address; None
where there is none."""


class _Said(Struct, gc=False):
    """Of one anchor of one page."""

    own: int = 0  # links on pages of the same host
    others: set[str] | None = None  # hosts


class Anchors:
    """Anchor texts by the page that they lead to."""

    def __init__(self) -> None:
        self._of: dict[str, dict[str, _Said]] = {}

    def add(self, table: Any, standing: Standing) -> None:
        """Rows of a link table. Links that stand on every page of a site say nothing."""
        silent = pc.or_(table["nofollow"], table["boilerplate"])
        silent = pc.or_(silent, pc.equal(table["anchor"], ""))
        rows = table.filter(pc.invert(silent))
        columns = (
            rows.column(name).to_pylist() for name in ("source", "target", "target_key", "anchor")
        )
        for source, target, key, anchor in zip(*columns, strict=True):
            page = standing(key, target)
            if page is None or page == source:
                continue
            text = anchor[:_LONGEST]
            if text.lower() in _NOTHING_SAID:
                continue
            known = self._of.setdefault(page, {})
            said = known.get(text)
            if said is None:
                if len(known) >= _COUNTED:
                    continue
                said = known[text] = _Said()
            host = host_of(source)
            if host == host_of(page):
                said.own += 1
            elif said.others is None:
                said.others = {host}
            else:
                said.others.add(host)

    def pages(self) -> list[str]:
        """The pages that links with a text lead to."""
        return list(self._of)

    def of(self, url: str) -> list[str]:
        """Texts of links from other hosts: of most hosts first, as often as hosts have them."""
        found = [
            (len(said.others), text)
            for text, said in self._of.get(url, {}).items()
            if said.others is not None
        ]
        found.sort(key=lambda pair: (-pair[0], pair[1]))
        return [
            text for hosts, text in found[:_MOST_ANCHORS] for _ in range(min(hosts, _MOST_HOSTS))
        ]

    def own(self, url: str) -> list[str]:
        """Texts of links from its own host: those of most links first."""
        found = [(said.own, text) for text, said in self._of.get(url, {}).items() if said.own]
        found.sort(key=lambda pair: (-pair[0], pair[1]))
        return [text for _, text in found[:_MOST_OWN]]
