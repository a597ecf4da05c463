"""Which hits a page shows: not all of a site, none twice, none out of its order."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.grouping import Shown, grouped


def pages(
    similarities: list[int], sites: list[int], count: int, limit: int, per_site: int
) -> list[list[Shown]]:
    hashes = np.array(similarities, np.int64)
    names = np.array(sites, np.int64)
    found = [grouped(hashes, names, page, limit, per_site) for page in range(1, count + 1)]
    assert all(page.is_certain for page in found)
    return [list(page.shown) for page in found]


def places(found: list[Shown]) -> list[int]:
    return [one.place for one in found]


def test_two_of_a_site_and_how_many_more() -> None:
    (found,) = pages([0] * 6, [1, 1, 1, 2, 1, 3], 1, 4, 2)
    assert found == [Shown(0, 0, 0), Shown(1, 2, 0), Shown(3, 0, 0), Shown(5, 0, 0)]


def test_hits_of_a_site_behind_the_last_of_a_page_are_on_the_next() -> None:
    first, second = pages([0] * 7, [1, 1, 2, 2, 1, 1, 2], 2, 4, 2)
    assert places(first) == [0, 1, 2, 3]
    assert places(second) == [4, 5, 6]
    assert not any(one.folded for one in (*first, *second))


def test_an_exempt_hit_is_shown_however_many_of_its_site_are() -> None:
    sites = np.array([1, 1, 1, 1, 2, 3], np.int64)
    exempt = np.array([False, False, False, True, False, False])
    found = grouped(np.zeros(6, np.int64), sites, 1, 4, 2, exempt=exempt)
    assert found.shown == (Shown(0, 0, 0), Shown(1, 1, 0), Shown(3, 0, 0), Shown(4, 0, 0))


def test_a_page_that_unseen_hits_might_change_is_not_certain() -> None:
    sites = np.array([1] * 50 + [2], np.int64)
    hashes = np.zeros(51, np.int64)
    assert not grouped(hashes, sites, 1, 4, 2, is_all=False).is_certain
    assert grouped(hashes, sites, 1, 4, 2).is_certain
    assert grouped(hashes, np.arange(51), 1, 4, 2, is_all=False).is_certain
    assert not grouped(hashes, np.arange(51), 14, 4, 2, is_all=False).is_certain
    assert not grouped(hashes, hashes, 6, 10, 2, is_all=False).is_certain


def test_each_page_has_its_own_hits_of_a_site() -> None:
    first, second = pages([0] * 9, [1, 1, 1, 2, 3, 1, 1, 1, 4], 2, 4, 2)
    assert first == [Shown(0, 0, 0), Shown(1, 1, 0), Shown(3, 0, 0), Shown(4, 0, 0)]
    assert second == [Shown(5, 0, 0), Shown(6, 0, 0), Shown(7, 0, 0), Shown(8, 0, 0)]


def test_a_site_alone_fills_its_page() -> None:
    first, second = pages([0] * 6, [1] * 6, 2, 4, 2)
    assert first == [Shown(0, 0, 0), Shown(1, 0, 0), Shown(2, 0, 0), Shown(3, 0, 0)]
    assert places(second) == [4, 5]


def test_a_page_far_behind_the_last_is_empty_at_once() -> None:
    hashes = np.array([1, 2, 3], np.int64)
    assert grouped(hashes, hashes, 10**9, 1, 2).shown == ()


def test_documents_without_a_site_are_not_held_back() -> None:
    (found,) = pages([0] * 5, [0] * 5, 1, 5, 2)
    assert places(found) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("twin", [0b111, 0b111 << 61, 0b1 | 0b1 << 20 | 0b1 << 63])
def test_what_is_nearly_the_same_is_folded_beyond_the_page(twin: int) -> None:
    text = 0x0123456789ABCDEF
    near = (text ^ twin) - (1 << 64) if (text ^ twin) >> 63 else text ^ twin
    hashes = [text, 5, 6 << 40, near, 7 << 20]
    first, second = pages(hashes, [1, 2, 3, 4, 5], 2, 2, 2)
    assert first == [Shown(0, 0, 1), Shown(1, 0, 0)]
    assert places(second) == [2, 4]


def test_four_bits_apart_is_another_text() -> None:
    (found,) = pages([1 << 40, (1 << 40) ^ 0b1111], [1, 2], 1, 2, 2)
    assert places(found) == [0, 1]


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 4)), max_size=60),
    st.integers(1, 5),
    st.integers(0, 3),
)
def test_every_hit_is_shown_or_folded_on_one_page_and_none_is_moved(
    documents: list[tuple[int, int]], limit: int, per_site: int
) -> None:
    hashes = [one << 13 | one << 37 for one, _ in documents]
    sites = [site for _, site in documents]
    found = pages(hashes, sites, len(documents) // limit + 1, limit, per_site)
    shown = [place for page in found for place in places(page)]
    assert shown == sorted(set(shown))  # none is moved
    folded = sum(one.similar + one.folded for page in found for one in page)
    assert len(shown) + folded == len(documents)
    for page, following in itertools.pairwise(found):
        assert len(page) == limit or not following
