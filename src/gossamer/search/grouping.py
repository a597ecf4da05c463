"""Which of the best documents a page of results shows: not all from one site, none twice."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct

from gossamer.search.stages import Card

_NEAR_BITS = 3  # of 64: texts whose hashes differ in so few are nearly the same
LOOKED_AT = 200
"""Documents that are looked at beyond those that are shown."""


class Shown(NamedTuple):
    place: int  # among the candidates
    more_from_site: int
    similar: int


class _Kept(Struct):
    place: int
    similarity: int
    more_from_site: int = 0
    similar: int = 0


def grouped(
    order: Sequence[int],
    load: Callable[[int], Card | None],
    begin: int,
    limit: int,
    per_site: int,
    fold: bool,
) -> list[Shown]:
    """The documents of one page. `order`: the best first. `load`: the card of one; None where it is
    not to be had."""
    kept: list[_Kept] = []
    # Pages are filled one after the other, so that each has its own hits of a site.
    pages: list[dict[str, list[_Kept]]] = [{}]
    held_back: dict[str, list[_Kept]] = {}
    end = begin + limit
    for place in order[: end + LOOKED_AT]:
        if len(kept) >= end:
            break
        card = load(place)
        if card is None:
            continue
        similarity = card.similarity
        twin = _twin(kept, similarity) if fold and similarity else None
        if twin is not None:
            twin.similar += 1
            continue
        site = card.site
        page = len(kept) // limit
        while len(pages) <= page:
            pages.append({})
        of_site = pages[page].setdefault(site, [])
        if per_site and site and len(of_site) >= per_site:
            of_site[-1].more_from_site += 1
            held_back.setdefault(site, []).append(_Kept(place, similarity))
            continue
        one = _Kept(place, similarity)
        of_site.append(one)
        kept.append(one)
    # Better another hit of the same site than an empty place.
    rest = [one for waiting in held_back.values() for one in waiting]
    rest.sort(key=lambda one: order.index(one.place))
    kept += rest[: max(0, end - len(kept))]
    return [Shown(one.place, one.more_from_site, one.similar) for one in kept[begin:end]]


def _twin(kept: Sequence[_Kept], similarity: int) -> _Kept | None:
    for one in kept:
        if one.similarity and (one.similarity ^ similarity).bit_count() <= _NEAR_BITS:
            return one
    return None
