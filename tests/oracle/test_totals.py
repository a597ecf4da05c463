"""A total is exact wherever all matches have been counted or seen, and where it says so."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from gossamer.search import candidates
from tests.oracle.documents import Document
from tests.oracle.engine import MOST, Engine, ids_of
from tests.oracle.failures import report
from tests.oracle.oracle import facet, matching
from tests.oracle.queries import Condition, Group, Node, Or, Prefix, Query, Word


def _plain(*nodes: Node) -> Query:
    return Query(Group(tuple(("", node) for node in nodes), is_nested=False))


QUERIES = (
    _plain(Word("vex")),
    _plain(Word("zonk")),
    _plain(Word("vex"), Word("kiln")),
    _plain(Word("vex"), Prefix("ki"), Word("moth")),
    _plain(Prefix("z")),
    _plain(Prefix("zo"), Word("lagoon")),
    _plain(Word("zonk"), Word("yacht")),
    _plain(Word("zonk"), Word("yacht"), Word("lagoon"), Word("falcon")),
    _plain(Or((Word("zonk"), Group((("-", Word("yacht")),))))),
    _plain(Or((Word("zonk"), Condition("kind", "lamps")))),
    _plain(Word("zonk"), Group((("", Word("zonk")), ("-", Word("yacht"))))),
    _plain(Or((Prefix("zo"), Group((("+", Word("zonk")), ("-", Word("yacht"))))))),
    Query(Group((("-", Word("yacht")), ("NOT ", Word("zonk"))), is_nested=False)),
)

_SHARE = {"updated": 1, "many": 2, "many-shards": 3}


class Indexed(NamedTuple):
    name: str
    documents: list[Document]
    expected: list[tuple[Query, set[str]]]


@pytest.fixture(scope="module", params=["many", "many-shards", "updated"])
def index(
    engine: Engine,
    documents: list[Document],
    many: list[Document],
    request: pytest.FixtureRequest,
) -> Iterator[Indexed]:
    """In `updated`, documents have been replaced and removed, and little is counted at once."""
    name: str = request.param
    with pytest.MonkeyPatch.context() as patch:
        if name == "updated":
            patch.setattr(candidates, "SMALL_INDEX", 100)
            patch.setattr(candidates, "CANDIDATES", 20)
            patch.setattr(candidates, "COUNTED", 20)
            patch.setattr(candidates, "QUICKLY_COUNTED", 50)
        own = documents if name == "updated" else many
        yield Indexed(
            name, own, [(query, matching(query, own)) for query in QUERIES[:: _SHARE[name]]]
        )


def test_a_total_that_is_exact_is_that_of_the_matches(engine: Engine, index: Indexed) -> None:
    def faults() -> Iterator[str]:
        for query, expected in index.expected:
            for sort in ("", "price"):
                answer = engine.search(index.name, query, limit=10, sort=sort)
                if answer.is_exact and answer.total != len(expected):
                    yield f"{query}, sort '{sort}': {answer.total}, expected {len(expected)}"

    report(faults())


def test_a_total_is_what_exact_facets_count(engine: Engine, index: Indexed) -> None:
    def faults() -> Iterator[str]:
        for query, expected in index.expected:
            answer = engine.search(index.name, query, limit=10, facets=("lang",))
            own = facet("lang", [one for one in index.documents if one.id in expected])
            if not answer.facets_exact or dict(answer.facets["lang"]) != own:
                yield f"{query}: {answer.facets['lang']}, expected {own}"
            elif (answer.total, answer.is_exact) != (len(expected), True):
                yield f"{query}: the total is {answer.total}, not {len(expected)}"

    report(faults())


@pytest.mark.parametrize("sort", ["", "-price"])
def test_the_last_page_knows_the_total(engine: Engine, index: Indexed, sort: str) -> None:
    def faults() -> Iterator[str]:
        for query, expected in index.expected:
            seen: set[str] = set()
            for page in range(1, 11):
                answer = engine.search(index.name, query, limit=MOST, page=page, sort=sort)
                seen.update(ids_of(answer))
                if len(answer.hits) < MOST:
                    break
            if len(expected) > 10 * MOST:
                continue
            if seen != expected:
                yield f"{query}: {len(seen)} hits, expected {len(expected)}"
            elif (answer.total, answer.is_exact) != (len(seen), True):
                yield f"{query}: {len(seen)} hits, the total is {answer.total}"

    report(faults())
