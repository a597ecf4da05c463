"""What speaks for a farm, and what against it, on sets made by hand."""

import numpy as np
import pytest

from gossamer.graph.adjacency import Adjacency
from gossamer.graph.farm_evidence import Evidence, FarmRule, Witness, groups
from gossamer.graph.gap_rank import gap_rank
from gossamer.graph.page_rank import page_rank

Links = list[tuple[int, int]]
_NODES, _SET = 60, 12


def _examined(links: Links, domains: list[int], rule: FarmRule | None = None) -> Evidence:
    """The evidence on the first twelve pages; the others are the rest of the web, a ring."""
    rest = list(range(_SET, _NODES))
    links = [*links, *zip(rest, [*rest[1:], rest[0]], strict=True)]
    graph = Adjacency.from_edges([one for one, _ in links], [other for _, other in links], _NODES)
    homes = np.array(domains + [100 + page for page in rest], np.int32)
    witness = Witness(
        graph,
        graph.transposed(),
        homes,
        page_rank(graph).values,
        gap_rank(graph).values,
        rule or FarmRule(),
    )
    return witness.examine(np.arange(_SET, dtype=np.int32))


def _clique(pages: range = range(_SET)) -> Links:
    return [(one, other) for one in pages for other in pages if one != other]


def _ring() -> Links:
    return [(page, (page + 1) % _SET) for page in range(_SET)]


_FED, _LEAVES = "linked to from elsewhere", "links elsewhere"
_TWO = [page % 2 for page in range(_SET)]


def test_a_clique_over_two_domains_is_one() -> None:
    found = _examined(_clique(), _TWO)
    assert found.fault == ""
    assert (found.domains, found.density, found.stays, found.alike) == (2, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("links", "domains", "fault"),
    [
        (_clique(), [0] * _SET, "one domain"),
        (_clique(), [0] * (_SET - 1) + [1], "one domain"),
        (_ring() + [(p, 12 + 4 * p + q) for p in range(_SET) for q in range(3)], _TWO, _LEAVES),
        (_clique() + [(20 + q, p) for p in range(_SET) for q in range(8)], _TWO, _FED),
        # Two manuals, page by page the same: copies.
        (
            _clique(range(6)) + _clique(range(6, 12)) + [(p, p + 6) for p in range(6)],
            [0] * 6 + [1] * 6,
            "within domains",
        ),
        # Two manuals that link to each other's front page.
        (
            _clique(range(6))
            + _clique(range(6, 12))
            + [(p, 6) for p in range(6)]
            + [(p, 0) for p in range(6, 12)],
            [0] * 6 + [1] * 6,
            "within domains",
        ),
    ],
)  # fmt: skip
def test_what_speaks_against_it(links: Links, domains: list[int], fault: str) -> None:
    assert _examined(links, domains).fault == fault


def test_pages_with_ranks_of_all_sizes_are_unlike() -> None:
    # Each page links to those before it, so the first have all the rank.
    links = [(one, other) for one in range(_SET) for other in range(one)] + [(0, 11)]
    assert _examined(links, _TWO, FarmRule(alike=0.9)).fault == "unlike"
    assert _examined(_clique(), _TWO, FarmRule(alike=0.9)).fault == ""


def test_too_few_pages_are_none() -> None:
    assert _examined(_clique(), _TWO, FarmRule(smallest=13)).fault == "small"


def test_one_page_may_be_known_to_all_the_world() -> None:
    links = _clique() + [(20 + other, 0) for other in range(35)]
    found = _examined(links, _TWO)
    assert (found.fault, found.fed_outside) == ("", 0.0)


def test_pages_that_members_link_to_are_boosted() -> None:
    found = _examined([(page, 30) for page in range(_SET)], _TWO)
    assert found.boosted.tolist() == [30]
    assert (found.fault, found.stays) == ("", 1.0)


def test_groups_leave_out_what_is_small_or_on_one_domain() -> None:
    labels = np.array([4, 7, 4, -1, 7, 4, 9, 9], np.int32)
    pages = np.array([0, 1, 2, 3, 4, 5, 6, 7], np.int32)
    domains = np.array([0, 1, 1, 1, 1, 0, 2, 3], np.int32)
    found = [(label, members.tolist()) for label, members in groups(labels, pages, 2, domains)]
    assert found == [(4, [0, 2, 5]), (9, [6, 7])]
    assert [label for label, _ in groups(labels, pages, 3, domains)] == [4]
    assert groups(labels[:0], pages[:0], 1, domains) == []
