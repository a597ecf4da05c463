"""Visiting the pages of a run again: which round is wanted, and which pages it has.

The number of the round is written down before anything else happens: whoever goes on with the run
completes it.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from gossamer.config import CrawlSettings
from gossamer.crawl.link_score import BEST
from gossamer.errors import FormatError
from gossamer.records import Directives, Item, Outcome
from gossamer.roles import RunFolder
from gossamer.storage.objects import LocalObjects

_NAME = "round"
_AT_ONCE = 1_000
_COLUMNS = (
    *("url", "site_hash", "key", "depth", "parent", "anchor", "outcome"),
    *("etag", "last_modified", "content_hash", "directives"),
)


def wanted_round(folder: RunFolder) -> int:
    """How often the pages of the run are to have been visited again."""
    data = LocalObjects(folder.path).get(_NAME)
    try:
        return 0 if data is None else int(data)
    except ValueError:
        raise FormatError(f"{folder.path / _NAME} is damaged: it holds no number.") from None


def ask_for_round(folder: RunFolder) -> None:
    LocalObjects(folder.path).put(_NAME, f"{wanted_round(folder) + 1}\n".encode())


def revisits(folder: RunFolder, settings: CrawlSettings) -> Iterator[Sequence[Item]]:
    """All pages, in batches."""
    from gossamer.storage.pages import PageStore  # Arrow takes a while to import

    rows = PageStore(LocalObjects(folder.path)).pages(columns=_COLUMNS)
    while batch := list(islice(rows, _AT_ONCE)):
        yield [_revisit(row, obeys_robots=settings.obey_robots) for row in batch]


def _revisit(row: dict[str, Any], *, obeys_robots: bool) -> Item:
    was_taken = row["outcome"] == Outcome.OK
    was_listing = row["outcome"] == Outcome.LISTING
    unwanted = obeys_robots and row["directives"] & Directives.NOINDEX
    return Item(
        *(row["url"], row["site_hash"], row["key"], row["depth"], row["parent"], row["anchor"]),
        etag=row["etag"] if was_taken else "",
        last_modified=row["last_modified"] if was_taken else "",
        known_hash=row["content_hash"] if was_taken else 0,
        was_document=bool(was_taken and not unwanted),
        # Else a packed sitemap, or one that is a plain list, would be read as a page.
        is_listing=was_listing,
        score=BEST
        if row["outcome"] == Outcome.LISTING
        else 0,  # a listing's: BEST less its nesting
    )
