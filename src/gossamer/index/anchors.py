"""What others write on their links to a page: often a better name for it than its own."""

from collections.abc import Container
from typing import Any

from gossamer.urls import host_of

_COUNTED = 1_000  # different ones of a page: of a page with more, those that are found first
_MOST_ANCHORS = 100  # of them those of most hosts
_LONGEST = 120  # characters
_NOTHING_SAID = frozenset(
    {
        *("here", "click here", "more", "read more", "link", "this", "next", "previous", "back"),
        *("home", "top", "up", "weiter", "mehr", "zurück", "suite", "más", "website", "permalink"),
    }
)


class Anchors:
    """Anchor texts by target. An anchor counts once for each host that writes it."""

    def __init__(self) -> None:
        self._of: dict[str, dict[str, set[str]]] = {}

    def add(self, table: Any, targets: Container[str]) -> None:
        """Rows of a link table. Links that stand on every page of a site say nothing."""
        columns = (
            table.column(name).to_pylist()
            for name in ("source", "target", "anchor", "nofollow", "boilerplate")
        )
        for source, target, anchor, nofollow, boilerplate in zip(*columns, strict=True):
            if not anchor or nofollow or boilerplate or source == target or target not in targets:
                continue
            text = anchor[:_LONGEST]
            if text.lower() in _NOTHING_SAID:
                continue
            known = self._of.setdefault(target, {})
            if text in known:
                known[text].add(host_of(source))
            elif len(known) < _COUNTED:
                known[text] = {host_of(source)}

    def of(self, url: str) -> list[str]:
        """Those of most hosts first."""
        known = self._of.get(url, {})
        return sorted(known, key=lambda text: (-len(known[text]), text))[:_MOST_ANCHORS]
