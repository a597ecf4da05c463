"""Which hits does a page of results show?

In: the hits in their order. Out: those of one page, in the same order.

A page goes on where the page before it ends. It shows at most so many hits of a site; further ones
are folded into the last of them. A hit that is nearly the same as a better one, on this page or an
earlier one, is folded into that. So every hit is either shown or folded, on one page, and none is
moved. Where other sites cannot fill a page, more hits of the same site are shown.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gossamer.matches import Bools, Ints

_NEAR_BITS = 3  # of 64: texts whose hashes differ in so few are nearly the same
LOOKED_AT = 100
"""Hits beyond the length of a page that are looked through to fill it."""
_PAGES_AHEAD = 6


class Shown(NamedTuple):
    place: int  # in the order of the hits
    folded: int  # further hits of its site on this page, which are not shown
    similar: int


class Page(NamedTuple):
    shown: tuple[Shown, ...]
    is_certain: bool  # False where hits that were not handed over might belong to the page
    last: int = 0  # page that is known to have hits; pages far ahead are not looked at


def grouped(
    similarities: Ints,
    sites: Ints,
    page: int,
    limit: int,
    per_site: int,
    *,
    exempt: Bools | None = None,
    is_all: bool = True,
) -> Page:
    """Return the hits of one page, counted from 1. `similarities` and `sites`: hashes of the texts
    and of the sites, the best hit first; 0 where there is none. `per_site` 0: any number. `exempt`:
    hits that are shown however many of their site are. `is_all`: there are no further hits."""
    if not (similarities.any() or sites.any()):  # documents that are no pages
        end = min(page * limit, len(sites))
        places = range(min((page - 1) * limit, end), end)
        is_certain = is_all or page * limit <= len(sites)
        last = -(-len(sites) // limit)
        return Page(tuple(Shown(place, 0, 0) for place in places), is_certain, last)
    leaders = leaders_of(similarities)
    distinct = np.flatnonzero(leaders == np.arange(len(leaders)))
    # An exempt hit is of no site here.
    site_of = (sites if exempt is None else np.where(exempt, 0, sites)).tolist()
    ahead = LOOKED_AT if per_site else 0
    begin = 0
    pages: list[tuple[list[int], list[int]]] = []  # each with what it shows and what it covers
    while len(pages) < page + _PAGES_AHEAD:
        window = distinct[begin : begin + limit + ahead].tolist()
        shown = _chosen(window, site_of, limit, per_site)
        is_cut = not is_all and len(window) < limit + ahead
        if is_cut and len(_within(window, site_of, limit, per_site or limit)) < limit:
            if len(pages) < page:
                return Page((), False)
            break
        if not shown:
            break
        window = window[: window.index(shown[-1]) + 1]
        pages.append((shown, window))
        begin += len(window)
    if len(pages) < page:
        return Page((), True, len(pages))
    shown, window = pages[page - 1]
    similar = np.bincount(leaders, minlength=len(leaders))
    folded: Counter[int] = Counter()
    for place in set(window).difference(shown):
        folded[site_of[place]] += int(similar[place])
    last_of = {site_of[place]: place for place in shown if site_of[place]}
    more = {place: folded[site] for site, place in last_of.items()}
    return Page(
        tuple(Shown(place, more.get(place, 0), int(similar[place]) - 1) for place in shown),
        True,
        len(pages),
    )


def _chosen(window: Sequence[int], site_of: Sequence[int], limit: int, per_site: int) -> list[int]:
    """The hits of a window that a page shows: as few of a site as fill it."""
    counts = Counter([site_of[place] for place in window])
    free = counts.pop(0, 0)
    choices = range(per_site or limit, limit)
    most = per_site or limit
    if most < limit:
        place = bisect_left(
            choices,
            limit,
            key=lambda most: free + _capped(counts, most),
        )
        most = choices[place] if place < len(choices) else limit
    return _within(window, site_of, limit, most)


def _capped(counts: Counter[int], most: int) -> int:
    return sum(min(count, most) for count in counts.values())


def _within(window: Sequence[int], site_of: Sequence[int], limit: int, most: int) -> list[int]:
    """The first hits with at most so many of a site."""
    found: list[int] = []
    held: Counter[int] = Counter()
    for place in window:
        site = site_of[place]
        if site and held[site] >= most:
            continue
        held[site] += 1
        found.append(place)
        if len(found) == limit:
            break
    return found


def leaders_of(similarities: Ints) -> Ints:
    """Return for each hit the place of the best one that is nearly the same; mostly its own."""
    leaders = np.arange(len(similarities))
    known = np.flatnonzero(similarities)
    hashes = np.ascontiguousarray(similarities[known]).view(np.uint64)
    different, first, which = np.unique(hashes, return_index=True, return_inverse=True)
    leaders[known] = known[first[which]]
    near = _near_pairs(different)
    if not len(near):
        return leaders
    # In the order of the hits: what is folded itself takes in no others.
    pairs = np.sort(known[first[near]], axis=1)
    folded: dict[int, int] = {}
    for better, worse in sorted(map(tuple, pairs.tolist()), key=lambda pair: (pair[1], pair[0])):
        if better not in folded:
            folded.setdefault(worse, better)
    for worse, better in folded.items():
        leaders[leaders == worse] = better
    return leaders


def _near_pairs(hashes: np.ndarray) -> Ints:
    """Pairs of places whose hashes, which are all different, differ in a few bits."""
    found = [np.empty((0, 2), np.int64)]
    # Hashes that differ in three bits have one of four quarters in common.
    for quarter in hashes.view(np.uint16).reshape(-1, 4).T:
        order = np.argsort(quarter, kind="stable")
        ordered = quarter[order]
        for distance in range(1, len(order)):
            same = np.flatnonzero(ordered[distance:] == ordered[:-distance])
            if not len(same):
                break
            one, other = order[same], order[same + distance]
            is_near = np.bitwise_count(hashes[one] ^ hashes[other]) <= _NEAR_BITS
            found.append(np.stack((one[is_near], other[is_near]), axis=1))
    return np.concatenate(found)
