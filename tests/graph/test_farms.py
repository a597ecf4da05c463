"""Farms are found and cut, honest sites are left alone."""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.farms import made_web
from benchmarks.planted_farms import HONEST, SHAPES, Garden, Numbers, Web, plant_farm, plant_honest
from gossamer.graph.adjacency import Adjacency
from gossamer.graph.farms import (
    Farm,
    cut_links,
    farm_pages,
    find_farms,
    with_losses,
    without_farms,
)
from gossamer.graph.page_rank import Ranks, page_rank


@cache
def _small_web() -> Web:
    return made_web(2_000)


_FARMS = 20


class _Looked(NamedTuple):
    graph: Adjacency
    ranks: Ranks
    farms: list[Farm]

    def flagged(self, pages: Numbers) -> int:
        return int(farm_pages(self.graph.nodes, self.farms)[pages].sum())


def _look(web: Web) -> _Looked:
    graph = Adjacency.from_edges(web.sources, web.targets, web.nodes)
    ranks = page_rank(graph)
    return _Looked(graph, ranks, find_farms(graph, web.hosts, web.domains, ranks))


def _garden(seed: int = 1) -> Garden:
    return Garden(_small_web(), np.random.default_rng(seed))


def _complete(pages: Numbers) -> list[tuple[int, int]]:
    return [(one, other) for one in pages.tolist() for other in pages.tolist() if one != other]


@pytest.mark.parametrize("shape", SHAPES)
def test_clean_farms_are_found_whole_and_pay_no_more(shape: str) -> None:
    """Nearly all of them: a star that lies for the most part on the domain of its centre, say, is a
    site with a small sister."""
    whole, gained, lost = 0, 0.0, 0.0
    for seed in range(_FARMS):
        chance = np.random.default_rng(seed)
        size = int(chance.integers(10, 61))
        domains = min(int(chance.integers(2, 31)), size)
        garden = _garden(seed)
        farm = plant_farm(garden, shape, size, domains, missing=0, outside=0, linked=0)
        looked = _look(garden.web())
        whole += looked.flagged(farm.pages) == len(farm.pages)
        after = page_rank(without_farms(looked.graph, looked.farms)).values
        everything = np.zeros(looked.graph.nodes, np.bool_)
        everything[farm.pages] = True
        without = page_rank(cut_links(looked.graph, everything)).values
        before = looked.ranks.values
        gained += before[farm.boosted].sum() - without[farm.boosted].sum()
        lost += before[farm.boosted].sum() - after[farm.boosted].sum()
    assert whole >= _FARMS - 1
    assert lost >= 0.9 * gained


@pytest.mark.parametrize("shape", SHAPES)
def test_farms_with_noise_are_found(shape: str) -> None:
    found = planted = 0
    for seed in range(5):
        garden = _garden(seed)
        farm = plant_farm(garden, shape, 60, 8, missing=0.05, outside=0.05, linked=0.05)
        found += _look(garden.web()).flagged(farm.pages)
        planted += len(farm.pages)
    assert found >= 0.9 * planted


@pytest.mark.parametrize("kind", HONEST)
@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_honest_sites_are_left_alone(kind: str, seed: int) -> None:
    garden = _garden(seed)
    site = plant_honest(garden, kind)
    assert _look(garden.web()).flagged(site.pages) == 0


def test_two_manuals_that_link_to_each_other_are_none() -> None:
    garden = _garden()
    manuals = [garden.site(30, garden.new_domain()) for _ in range(2)]
    for manual in manuals:
        garden.link(_complete(manual))
    garden.link([(manuals[0][3], manuals[1][4]), (manuals[1][7], manuals[0][9])])
    looked = _look(garden.web())
    assert not looked.farms


def test_sites_that_thank_the_same_maker_are_none() -> None:
    garden = _garden()
    maker = int(garden.some_old(1)[0])
    for _ in range(20):
        site = garden.site(5, garden.new_domain())
        garden.link(_complete(site) + [(page, maker) for page in site.tolist()])
        garden.link([(int(garden.some_old(1)[0]), int(site[0]))])
    assert not _look(garden.web()).farms


def test_farms_beside_a_manual_are_told_from_it() -> None:
    garden = _garden()
    farm = plant_farm(garden, "clique", 30, 3, missing=0, outside=0, linked=0)
    manual = garden.site(30, garden.new_domain())
    garden.link(_complete(manual))
    garden.link([(int(farm.pages[0]), int(manual[0])), (int(manual[1]), int(farm.pages[1]))])
    looked = _look(garden.web())
    assert looked.flagged(farm.pages) == 30
    assert looked.flagged(manual) == 0


def test_a_page_of_a_farms_domain_goes_with_it() -> None:
    garden = _garden()
    farm = plant_farm(garden, "clique", 20, 2, missing=0, outside=0, linked=0)
    web = garden.web()
    owner = int(farm.pages[0])
    stray = garden.page(int(web.domains[owner]), int(web.hosts[owner]))
    looked = _look(garden.web())
    assert looked.flagged(np.array([stray], np.int32)) == 1


def test_a_farm_says_why() -> None:
    garden = _garden()
    planted = plant_farm(garden, "clique", 12, 4, missing=0, outside=0, linked=0)
    looked = _look(garden.web())
    (farm,) = looked.farms
    assert farm.pages.tolist() == planted.pages.tolist()
    assert (farm.hosts, farm.domains, farm.shape) == (4, 4, "clique")
    assert (farm.density, farm.stays, farm.fed_outside) == (1.0, 1.0, 0.0)
    assert "12 pages on 4 hosts of 4 domains" in farm.why
    assert np.isnan(farm.rank_after)
    assert np.isnan(farm.best_after)
    after = page_rank(without_farms(looked.graph, looked.farms))
    (lost,) = with_losses(looked.farms, after)
    assert lost.rank_before == pytest.approx(looked.ranks.values[planted.pages].sum())
    assert lost.rank_after == pytest.approx(after.values[planted.pages].sum())
    assert lost.rank_after < 0.4 * lost.rank_before


@pytest.mark.parametrize(
    ("shape", "called"),
    [
        ("clique", "clique"),
        ("dense", "dense"),
        ("ring", "ring"),
        ("ring_boosting", "ring"),
        ("star", "star"),
        ("star_with_back_links", "star"),
        ("two_level_star", "star"),
    ],
)
def test_a_shape_has_its_name(shape: str, called: str) -> None:
    garden = _garden()
    plant_farm(garden, shape, 40, 5, missing=0, outside=0, linked=0)
    (farm,) = _look(garden.web()).farms
    assert farm.shape == called


def test_whom_a_star_boosts_is_named() -> None:
    garden = _garden()
    planted = plant_farm(garden, "star", 40, 5, missing=0, outside=0, linked=0)
    (farm,) = _look(garden.web()).farms
    assert farm.boosted.tolist() == planted.boosted.tolist() == [farm.best]
    assert "boost 1 other page;" in farm.why


def test_cutting_takes_links_out_of_farms_and_no_others() -> None:
    graph = Adjacency.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 0, 1], 4)
    marked = np.array([False, True, True, False])
    cut = cut_links(graph, marked)
    assert [cut.targets_of(page).tolist() for page in range(4)] == [[1, 2], [], [], [1]]
    assert graph.edges == 5


def test_a_graph_without_links_has_no_farms() -> None:
    nothing = np.empty(0, np.int32)
    for nodes in (0, 20):
        graph = Adjacency.from_edges(nothing, nothing, nodes)
        numbers = np.arange(nodes, dtype=np.int32)
        assert find_farms(graph, numbers, numbers, page_rank(graph)) == []


def test_each_page_needs_a_host_and_a_domain() -> None:
    graph = Adjacency.from_edges([0], [1], 2)
    numbers = np.zeros(2, np.int32)
    with pytest.raises(ValueError, match="one host, one domain and one rank"):
        find_farms(graph, numbers, numbers[:1], page_rank(graph))


def test_ranks_of_zero_are_no_trouble() -> None:
    # Jumps to one trusted page only: nobody else has any rank.
    garden = _garden()
    farm = plant_farm(garden, "clique", 30, 5, missing=0, outside=0, linked=0)
    web = garden.web()
    graph = Adjacency.from_edges(web.sources, web.targets, web.nodes)
    trusted = np.zeros(web.nodes)
    trusted[0] = 1
    ranks = page_rank(graph, teleport=trusted)
    farms = find_farms(graph, web.hosts, web.domains, ranks)
    assert farm_pages(web.nodes, farms)[farm.pages].all()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    nodes=st.integers(1, 40),
    links=st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), max_size=300),
    domains=st.integers(1, 6),
)
def test_whatever_the_graph_farms_share_no_page_and_lie_on_several_domains(
    nodes: int, links: list[tuple[int, int]], domains: int
) -> None:
    pairs = np.array(links, np.int32).reshape(-1, 2) % nodes
    graph = Adjacency.from_edges(pairs[:, 0], pairs[:, 1], nodes)
    numbers = np.arange(nodes, dtype=np.int32) % domains
    farms = find_farms(graph, numbers, numbers, page_rank(graph))
    pages = [page for farm in farms for page in farm.pages.tolist()]
    assert len(pages) == len(set(pages))
    assert all(farm.domains >= 2 and len(farm.pages) >= 8 for farm in farms)
    assert [len(farm.pages) for farm in farms] == sorted(
        (len(farm.pages) for farm in farms), reverse=True
    )
