"""The orders of a crawl: which of two URLs comes first, all else being equal."""

from typing import Protocol

from gossamer.config import CrawlSettings
from gossamer.crawl.sites import Sites
from gossamer.records import Item

BEST_SCORE = 1_000

_DEPTHS = 1_000
"""Deeper ones are equal: nobody can tell the 1,000th step from the 1,001st."""
_SCORES_ALIKE = 50
_ANY = 1 << 60


class Order(Protocol):
    def priority(self, item: Item) -> int:
        """The lower the number, the sooner. Asked once for each URL, when it enters the queue."""
        ...

    def last_alike(self, priority: int) -> int:
        """The highest number that may be visited along with this one: many hosts are visited at
        once, and each is worth more than one URL while it is."""
        ...


class BreadthFirst:
    """Fewest links away from a seed first."""

    def priority(self, item: Item) -> int:
        return item.depth

    def last_alike(self, _priority: int) -> int:
        return _ANY


class DepthFirst:
    """Follow a way to its end before the next one."""

    def priority(self, item: Item) -> int:
        return max(0, _DEPTHS - item.depth)

    def last_alike(self, _priority: int) -> int:
        return _ANY


class BestFirst:
    """By the score that the link got where it was found."""

    def priority(self, item: Item) -> int:
        return BEST_SCORE - item.score

    def last_alike(self, priority: int) -> int:
        return priority + _SCORES_ALIKE


class BudgetTiers:
    """Breadth first within tiers. A site gets its budget's worth of URLs into the first tier, as
    many into the second, twice as many into each one after. The budget grows with the number of
    other sites that link to it: a site that only links to itself waits, however much it has."""

    def __init__(self, sites: Sites, pages: int) -> None:
        self._sites = sites
        self._pages = pages

    def priority(self, item: Item) -> int:
        place, endorsed = self._sites.next_place(item.site)
        tier = (place // (self._pages * (1 + endorsed))).bit_length()
        return tier * _DEPTHS + min(item.depth, _DEPTHS - 1)

    def last_alike(self, priority: int) -> int:
        return priority - priority % _DEPTHS + _DEPTHS - 1


def order_of(settings: CrawlSettings, sites: Sites) -> Order:
    match settings.order:
        case "breadth":
            return BreadthFirst()
        case "depth":
            return DepthFirst()
        case "best":
            return BestFirst()
        case "budget":
            return BudgetTiers(sites, settings.budget_pages)
