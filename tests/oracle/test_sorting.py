"""A sort goes over all matches, by every path alike, and grouping does not break it."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.oracle.conftest import QUERIES
from tests.oracle.documents import Document
from tests.oracle.engine import Engine
from tests.oracle.failures import report
from tests.oracle.oracle import matching, sort_key
from tests.oracle.queries import Group, Query

SORTS = ("price", "-price", "votes", "-votes", "date", "-date")


@pytest.mark.parametrize("index", ["one", "shards", "updated"])
@pytest.mark.parametrize("sort", SORTS)
def test_sorted_hits(
    engine: Engine, documents: list[Document], queries: list[Query], index: str, sort: str
) -> None:
    known = {one.id: one for one in documents}
    field = sort.removeprefix("-")
    flip = -1.0 if sort.startswith("-") else 1.0

    def place(name: str) -> tuple[bool, float]:
        """Documents without a value come last, whichever way the others are sorted."""
        value = sort_key(known[name], field)
        return value is None, flip * (value or 0.0)

    def faults() -> Iterator[str]:
        browsing = Query(Group((), is_nested=False))
        for query in (browsing, *queries[: QUERIES // 50]):
            expected = matching(query, documents)
            if not expected:
                continue
            hits = engine.search(index, query, sort=sort, group=True).hits
            if {hit.id for hit in hits} != expected or len(hits) != len(expected):
                yield f"{query}: sorted by {sort}, {len(hits)} of {len(expected)} are shown"
                continue
            for one, two in pairwise(hits):
                if place(one.id) > place(two.id):
                    first, second = known[one.id].record, known[two.id].record
                    yield f"{query}: sorted by {sort}, {first}\n    stands before {second}"
                    break
                if place(one.id) == place(two.id) and (one.score, -one.number) < (
                    *(two.score, -two.number),
                ):
                    yield f"{query}: sorted by {sort}, {one} and {two} tie, and are not by score"
                    break

    report(faults())
