"""Every hit is on exactly one page, whatever the size of pages, to the end of what is paged."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from gossamer.search.contract import Answer, Hit
from tests.oracle.conftest import QUERIES
from tests.oracle.documents import Document
from tests.oracle.engine import MOST, Engine
from tests.oracle.failures import report
from tests.oracle.oracle import matching
from tests.oracle.queries import Group, Query, Word, is_simple

DEPTH = 1_200  # hits that are paged through there


def pages(
    engine: Engine, index: str, query: Query, limit: int, last: int, **options: object
) -> Iterator[Answer]:
    """The pages of a query, up to the one that is empty, or to the last."""
    for page in range(1, last + 1):
        answer = engine.search(index, query, page=page, limit=limit, **options)
        if not answer.hits:
            return
        yield answer


def disorder(hits: list[Hit]) -> str:
    """What is wrong with hits that were paged through: repeats, or rising scores."""
    ids = [hit.id for hit in hits]
    if len(set(ids)) != len(ids):
        repeated = sorted({name for name in ids if ids.count(name) > 1})
        places = [place for place, name in enumerate(ids) if name in ids[:place]]
        return f"{len(repeated)} hits are repeated, the first at {places[0]}: {repeated[:5]}"
    for place, (one, two) in enumerate(pairwise(hits), 1):
        if one.score < two.score:
            return f"the score rises from {one.score} to {two.score} at {place}"
    return ""


@pytest.mark.parametrize("index", ["one", "shards", "updated"])
@pytest.mark.parametrize("limit", [1, 7, 10, 50])
def test_pages_are_the_parts_of_one(
    engine: Engine, documents: list[Document], queries: list[Query], index: str, limit: int
) -> None:
    some = queries[limit % 5 :: QUERIES // (20 if limit > 1 else 2)]

    def faults() -> Iterator[str]:
        for query in some:
            whole = engine.ids(index, query)
            last = len(documents) // limit + 2
            hits = [
                hit
                for answer in pages(engine, index, query, limit, last, group=False)
                for hit in answer.hits
            ]
            if wrong := disorder(hits):
                yield f"{query}, {limit} a page: {wrong}"
            elif whole and [hit.id for hit in hits] != whole:
                yield f"{query}, {limit} a page: {len(hits)} hits, not the {len(whole)} of one"

    report(faults())


@pytest.mark.parametrize("index", ["one", "shards"])
@pytest.mark.parametrize("limit", [5, 10, 40])
def test_grouped_pages_show_or_fold_every_match_once(
    engine: Engine, documents: list[Document], queries: list[Query], index: str, limit: int
) -> None:
    def faults() -> Iterator[str]:
        for query in queries[limit % 7 :: max(1, QUERIES // 30)]:
            expected = matching(query, documents)
            if not expected:
                continue
            found = list(
                pages(engine, index, query, limit, len(documents) // limit + 2, group=True)
            )
            hits = [hit for answer in found for hit in answer.hits]
            told = sum(1 + hit.folded + hit.similar for hit in hits)
            if wrong := disorder(hits):
                yield f"{query}, {limit} a page: {wrong}"
            elif not {hit.id for hit in hits} <= expected:
                yield f"{query}, {limit} a page: hits that do not match"
            elif told != len(expected):
                yield f"{query}, {limit} a page: {told} of {len(expected)} are shown or folded"
            elif any(answer.total != len(expected) for answer in found):
                yield f"{query}, {limit} a page: totals {sorted({one.total for one in found})}"

    report(faults())


# More documents than are scored in whole


@pytest.mark.parametrize("profile", ["default", "juno", "penn"])
def test_pages_of_a_large_index(
    engine: Engine, many: list[Document], large_queries: list[Query], profile: str
) -> None:
    def faults() -> Iterator[str]:
        for query in large_queries:
            all_words = query.all_words or profile == "penn"  # which demands all of them
            if all_words and not is_simple(query.root):
                continue
            expected = matching(replace(query, all_words=all_words), many)
            if not expected:
                continue
            orders = {}
            for limit in (MOST, 40):
                last = -(-DEPTH // limit)
                hits = [
                    hit
                    for answer in pages(
                        engine, "many", query, limit, last, group=False, profile=profile
                    )
                    for hit in answer.hits
                ][:DEPTH]
                if wrong := disorder(hits):
                    yield f"{query}, {profile}, {limit} a page: {wrong}"
                if strange := {hit.id for hit in hits} - expected:
                    yield f"{query}, {profile}: {len(strange)} hits do not match"
                if len(hits) < min(DEPTH, len(expected)):
                    yield f"{query}, {profile}, {limit} a page: {len(hits)} of {len(expected)}"
                orders[limit] = [hit.id for hit in hits]
            if orders[40] != orders[MOST]:
                yield f"{query}, {profile}: the order depends on the size of pages"

    report(faults())


def test_all_of_a_large_index_is_paged(engine: Engine, many: list[Document]) -> None:
    """One word that thousands of documents have: each of them is on a page."""
    query = Query(Group((("", Word("zonk")),), is_nested=False))
    expected = matching(query, many)
    for profile in ("default", "juno"):
        hits = [
            hit
            for answer in pages(engine, "many", query, MOST, 20, group=False, profile=profile)
            for hit in answer.hits
        ]
        assert not disorder(hits)
        assert {hit.id for hit in hits} == expected
