"""Which of the best documents a page of results shows: not all from one site, none twice.

Pages are filled one after the other, each with its own hits of a site, so that what is on one page
does not depend on which page somebody asks for. What is nearly the same as something better is
folded into it, wherever that stands.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np

from gossamer.matches import Ints, Truths

_NEAR_BITS = 3  # of 64: texts whose hashes differ in so few are nearly the same
_COMPARED_AT_ONCE = 500
LOOKED_AT = 200
"""Documents that are looked at beyond those that are shown."""


class Shown(NamedTuple):
    place: int  # in the order of the best
    more_from_site: int
    similar: int


def grouped(
    similarities: Ints,
    sites: Ints,
    page: int,
    limit: int,
    per_site: int,
    exempt: Truths | None = None,
) -> list[Shown]:
    """The documents of one page, counted from 1. `similarities` and `sites`: hashes of the texts
    and of the sites, the best document first; 0 where there is none. `per_site` 0: any number.
    `exempt`: those that are shown however many hits of their site there are."""
    if not (similarities.any() or sites.any()):  # documents that are no pages
        end = min(page * limit, len(sites))
        return [Shown(place, 0, 0) for place in range((page - 1) * limit, end)]
    seen = page * limit + LOOKED_AT
    leaders = _leaders(similarities[:seen])
    open_ones = np.flatnonzero(leaders == np.arange(len(leaders))).tolist()
    site_of = sites[:seen].tolist()
    shown: list[int] = []
    waiting: list[int] = []  # for a page that nothing else can fill
    begin = 0
    for number in range(1, page + 1):
        held: dict[int, int] = {}
        shown = []
        while begin < len(open_ones) and len(shown) < limit:
            place = open_ones[begin]
            if place >= number * limit + LOOKED_AT:
                break
            begin += 1
            site = site_of[place]
            is_exempt = exempt is not None and bool(exempt[place])
            if per_site and site and held.get(site, 0) >= per_site and not is_exempt:
                waiting.append(place)
                continue
            held[site] = held.get(site, 0) + 1
            shown.append(place)
        room = limit - len(shown)
        shown, waiting = shown + waiting[:room], waiting[room:]
        if not shown:
            break  # nor is there any more on a later page
    if not per_site:
        return [Shown(place, 0, int((leaders == place).sum()) - 1) for place in shown]
    # What is left of a site, said at the last of its hits.
    left = Counter([site_of[place] for place in (*waiting, *open_ones[begin:])])
    last = {site_of[place]: place for place in shown if site_of[place]}
    more = {place: left[site] for site, place in last.items()}
    return [Shown(place, more.get(place, 0), int((leaders == place).sum()) - 1) for place in shown]


def _leaders(similarities: Ints) -> Ints:
    """Of each document the place of the best one that is nearly the same; mostly its own."""
    leaders = np.arange(len(similarities))
    known = np.flatnonzero(similarities)
    hashes = np.ascontiguousarray(similarities[known]).view(np.uint64)
    if len(known) <= _COMPARED_AT_ONCE:
        near_ones = np.bitwise_count(hashes[:, None] ^ hashes) <= _NEAR_BITS
        if int(near_ones.sum()) == len(known):
            return leaders  # each is near itself alone
    # Hashes that differ in three bits have one of four quarters in common.
    quarters = hashes.view(np.uint16).reshape(-1, 4)
    met: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place, text, parts in zip(known.tolist(), hashes.tolist(), quarters.tolist(), strict=True):
        keys = list(enumerate(parts))
        near = [
            other
            for key in keys
            for other, known_text in met.get(key, ())
            if (text ^ known_text).bit_count() <= _NEAR_BITS
        ]
        if near:
            leaders[place] = min(near)
            continue
        for key in keys:
            met.setdefault(key, []).append((place, text))
    return leaders
