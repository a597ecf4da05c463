"""`make bench-farms`, small: what is planted is as it is said to be, and is counted right."""

import json

import numpy as np
import pytest

from benchmarks import farms
from benchmarks.planted_farms import HONEST, SHAPES, Farm, Honest, Planted, Web, plant
from gossamer.graph.page_rank import Ranks


def test_runs_of_numbers_end_where_the_fewest_links_cross() -> None:
    # Two sites of 2,000 pages, each a chain in steps of one and two; one link between them.
    chain = [(page, page + step) for page in range(1_998) for step in (1, 2)]
    links = chain + [(one + 2_000, other + 2_000) for one, other in chain] + [(5, 2_005)]
    pairs = np.array(links, np.int32)
    sites = farms.runs_of_numbers(pairs[:, 0], pairs[:, 1], 4_000)
    assert sites[1_999] != sites[2_000]
    assert (np.diff(sites) >= 0).all()


def test_a_made_web_has_sites_of_all_sizes() -> None:
    web = farms.made_web(5_000)
    sizes = np.bincount(web.hosts)
    assert sizes.min() < 10
    assert sizes.max() > 300
    assert max(web.sources.max(), web.targets.max()) < web.nodes


def test_what_is_planted_is_said() -> None:
    web = farms.made_web(2_000)
    planted = plant(web, 3, of_each=2, manuals=3, others=1)
    assert [farm.shape for farm in planted.farms] == [shape for shape in SHAPES for _ in range(2)]
    assert {site.kind for site in planted.honest} == set(HONEST)
    groups = [farm.pages for farm in planted.farms] + [site.pages for site in planted.honest]
    pages = np.concatenate(groups)
    assert len(np.unique(pages)) == len(pages)
    assert pages.min() >= web.nodes
    for farm in planted.farms:
        assert 2 <= len(np.unique(planted.web.domains[farm.pages])) <= 200
        assert 10 <= len(farm.pages) <= 502
    for site in planted.honest:
        hosts = len(np.unique(planted.web.hosts[site.pages]))
        assert (hosts == 1) == (site.kind == "manual")


def test_honest_pages_and_bystanders_count_against_precision() -> None:
    numbers = np.arange(40, dtype=np.int32)
    web = Web(numbers, numbers, numbers, numbers)
    farm = Farm("clique", numbers[20:30], numbers[20:30], 2, 0, 0, 0)
    planted = Planted(web, [farm], [Honest("manual", numbers[30:40])])
    ranks = Ranks(np.full(40, 1 / 40), 1, 0.0)
    less = Ranks(np.where(numbers < 20, 1 / 30, 1 / 60), 1, 0.0)
    # Nine of the farm with a bystander; two of the manual; and a natural set.
    sets = [numbers[[3, *range(20, 29)]], numbers[30:32], numbers[5:10]]
    scored = farms.score(planted, 20, sets, ranks, less, less)
    total = farms.summary([scored])
    assert total["recall"] == 0.9
    assert total["precision"] == 0.75
    assert total["farm_recall"] == 1.0
    assert total["farm_precision"] == 0.5
    assert total["boost_removed"] == 1.0
    assert (total["natural_farms"], total["natural_pages"]) == (1, 5)
    assert total["honest_pages_flagged"] == 2


def test_a_small_run_ends_with_its_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GOSSAMER_DATA", raising=False)
    monkeypatch.setattr(farms, "_MADE_PAGES", 3_000)
    monkeypatch.setattr("sys.argv", ["farms", "--seeds", "1", "--of-each", "1", "--natural"])
    farms.main()
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["bench"] == "farms"
    assert result["recall"] >= 0.9
    assert result["precision"] >= 0.9
    assert result["boost_removed"] >= 0.9
    assert result["honest_pages_flagged"] == 0
    assert result["plain_rule"]["recall"] < result["recall"]
