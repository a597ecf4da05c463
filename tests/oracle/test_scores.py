"""Results stand in the order of their scores, and these are the same however one asks."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from gossamer.search.contract import Answer
from tests.oracle.documents import Document
from tests.oracle.engine import MOST, Engine
from tests.oracle.failures import report
from tests.oracle.oracle import matching
from tests.oracle.queries import Query

PROFILES = ("default", "bm25", "bm25f", "scriburg", "juno", "penn", "yioop")
LARGE_PROFILES = ("default", "bm25f", "penn")  # with feedback, without, with a factor for all words
FACTORS: tuple[dict[str, float], ...] = (
    {},
    {"k": 0.0},
    {"b": 0.0},
    {"b": 1.0},
    {"k": 0.0, "b": 1.0},
)
EQUAL = 1e-9  # of two scores, relative to the larger


def close(one: float, two: float) -> bool:
    return abs(one - two) <= EQUAL * max(1.0, abs(one), abs(two))


def differing(one: Answer, two: Answer, *, in_order: bool = True, only_common: bool = False) -> str:
    """The first hits that differ; '' if all are the same, with the same scores."""
    first, second = list(one.hits), list(two.hits)
    if only_common:
        common = {hit.id for hit in first} & {hit.id for hit in second}
        first, second = ([hit for hit in hits if hit.id in common] for hits in (first, second))
    if not in_order:
        first, second = (sorted(hits, key=lambda hit: hit.id) for hits in (first, second))
    if len(first) != len(second):
        return f"{len(first)} hits against {len(second)}"
    wrong = [
        f"{a.id} {a.score!r} against {b.id} {b.score!r} at {place}"
        for place, (a, b) in enumerate(zip(first, second, strict=True), 1)
        if a.id != b.id or not close(a.score, b.score)
    ]
    return f"{len(wrong)} of {len(first)} differ: {'; '.join(wrong[:2])}" if wrong else ""


def sampled(queries: list[Query], share: int) -> list[Query]:
    """Some of the queries; each test looks at other ones."""
    return queries[share % 7 :: share]


@pytest.mark.parametrize("profile", PROFILES)
def test_the_order_is_that_of_the_scores(
    engine: Engine, queries: list[Query], profile: str
) -> None:
    def faults() -> Iterator[str]:
        for query in sampled(queries, 20):
            for group in (False, True):
                hits = engine.search("one", query, profile=profile, group=group).hits
                for place, (one, two) in enumerate(pairwise(hits), 1):
                    if (one.score, -one.number) < (two.score, -two.number):
                        yield (
                            f"{query}: {profile}, group={group}: {one.id} ({one.score}) at {place}"
                            f" stands before {two.id} ({two.score})"
                        )
                        break

    report(faults())


@pytest.mark.parametrize("profile", PROFILES)
def test_explaining_changes_nothing(engine: Engine, queries: list[Query], profile: str) -> None:
    def faults() -> Iterator[str]:
        for number, query in enumerate(sampled(queries, 25)):
            options: dict[str, Any] = {"profile": profile, "limit": 50}
            options |= FACTORS[number % len(FACTORS)]
            plain = engine.search("one", query, **options)
            explained = engine.search("one", query, explain=True, **options)
            if wrong := differing(plain, explained):
                yield f"{query}: {options}: {wrong}"

    report(faults())


@pytest.mark.parametrize("profile", PROFILES)
def test_shards_score_as_one_index(engine: Engine, queries: list[Query], profile: str) -> None:
    def faults() -> Iterator[str]:
        for query in sampled(queries, 5 if profile == "default" else 25):
            one = engine.search("one", query, profile=profile)
            shards = engine.search("shards", query, profile=profile)
            if wrong := differing(one, shards):
                yield f"{query}: {profile}: {wrong}"

    report(faults())


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "yioop"])
def test_updates_score_as_one_build(engine: Engine, queries: list[Query], profile: str) -> None:
    """Documents have other numbers there: equal scores may stand in another order, and `yioop`,
    which ranks by the number, has other scores."""

    def faults() -> Iterator[str]:
        for query in sampled(queries, 5 if profile == "default" else 25):
            one = engine.search("one", query, profile=profile)
            updated = engine.search("updated", query, profile=profile)
            if wrong := differing(one, updated, in_order=False):
                yield f"{query}: {profile}: {wrong}"

    report(faults())


# More documents than are scored in whole


@pytest.mark.parametrize("profile", LARGE_PROFILES)
def test_explaining_changes_nothing_in_a_large_index(
    engine: Engine, many: list[Document], large_queries: list[Query], profile: str
) -> None:
    def faults() -> Iterator[str]:
        for query in large_queries:
            for factors in FACTORS[:2]:
                options: dict[str, Any] = {"profile": profile, "limit": 50, **factors}
                plain = engine.search("many", query, **options)
                explained = engine.search("many", query, explain=True, **options)
                if wrong := differing(plain, explained):
                    yield f"{query}: {options}: {wrong}"

    report(faults())


@pytest.mark.parametrize("profile", LARGE_PROFILES)
def test_large_shards_score_as_one_index(
    engine: Engine, many: list[Document], large_queries: list[Query], profile: str
) -> None:
    """Up to 1,000 matches all are scored, so the order is the same; beyond, which ones are scored
    may differ, but not how: on the first page, as no score is limited there."""

    def faults() -> Iterator[str]:
        for query in large_queries:
            is_small = len(matching(query, many)) <= MOST
            for page in (1, 2) if is_small else (1,):
                options: dict[str, Any] = {"profile": profile, "limit": 100, "page": page}
                one = engine.search("many", query, **options)
                shards = engine.search("many-shards", query, **options)
                if wrong := differing(one, shards, only_common=not is_small):
                    yield f"{query}: {options}: {wrong}"
                if is_small and one.total != shards.total:
                    yield f"{query}: {one.total} documents in one index, {shards.total} in shards"

    report(faults())


def test_totals_of_a_large_index(
    engine: Engine, many: list[Document], large_queries: list[Query]
) -> None:
    """They are exact up to 1,000 matches, and say so; beyond they are exact, or said not to be."""

    def faults() -> Iterator[str]:
        for query in large_queries:
            expected = len(matching(query, many))
            for index in ("many", "many-shards"):
                answer = engine.search(index, query, limit=10)
                if answer.is_exact and expected and answer.total != expected:
                    yield f"{query}: {index}: the total is {answer.total}, not {expected}"
                if not answer.is_exact and 0 < expected <= MOST:
                    yield f"{query}: {index}: the total of {expected} is only estimated"

    report(faults())
