"""A facet says how many documents a click on its value shows."""

from collections.abc import Iterator

from tests.oracle.conftest import QUERIES
from tests.oracle.documents import Document
from tests.oracle.engine import Engine
from tests.oracle.failures import report
from tests.oracle.oracle import facet, matching, with_filter
from tests.oracle.queries import Filter, Query

NAMES = ("kind", "tags", "lang", "site", "year")


def test_counts_are_those_of_the_matches(
    engine: Engine, documents: list[Document], queries: list[Query]
) -> None:
    def faults() -> Iterator[str]:
        for query in queries[: QUERIES // 4]:
            ids = matching(query, documents)
            if not ids:
                continue
            matches = [one for one in documents if one.id in ids]
            answer = engine.search("one", query, facets=NAMES, limit=1)
            for name in NAMES:
                expected = facet(name, matches)
                if dict(answer.facets[name]) != expected:
                    yield f"{query}: {name} is {answer.facets[name]}, expected {expected}"
            if not answer.facets_exact:
                yield f"{query}: the counts are said to be estimated"

    report(faults())


def test_a_click_shows_as_many_documents(engine: Engine, queries: list[Query]) -> None:
    """Every value of a few queries is clicked, also ranges of numbers."""
    names = (*NAMES, "price")

    def faults() -> Iterator[str]:
        for query in queries[: QUERIES // 30]:
            answer = engine.search("one", query, facets=names, limit=1)
            if answer.searched_instead:
                continue
            for name in names:
                for value, count in answer.facets[name].items():
                    clicked = with_filter(query, Filter(name, (value,)))
                    total = engine.search("one", clicked, limit=1).total
                    if total != count:
                        yield f"{query}: {name} '{value}' says {count}, a click shows {total}"

    report(faults())
