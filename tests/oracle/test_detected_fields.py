"""Fields whose types are detected, nested ones and lists of numbers among them."""

import random
from typing import Any

import pytest

from tests.oracle.conftest import SEED
from tests.oracle.engine import Engine, ids_of

COUNT = 300


@pytest.fixture(scope="module")
def records(engine: Engine) -> list[dict[str, Any]]:
    rng = random.Random(SEED)
    found: list[dict[str, Any]] = [
        {
            "id": f"d{number}",
            "title": f"chair {number}",
            "dims": {"w": rng.randint(40, 60), "h": {"low": rng.randint(1, 9) / 2}},
            "sizes": rng.sample(range(1, 9), rng.randint(1, 3)),
            "material": rng.choice(("oak", "tin", ["oak", "tin"])),
        }
        for number in range(COUNT)
    ]
    engine.build("detected", found, fields={}, language="en")
    return found


def test_nested_numbers(engine: Engine, records: list[dict[str, Any]]) -> None:
    def widths(low: int, high: int) -> set[str]:
        return {one["id"] for one in records if low <= one["dims"]["w"] <= high}

    def found(text: str, **options: Any) -> set[str]:
        return set(ids_of(engine.ask("detected", text, **options)))

    assert found("dims.w:47") == found("", filters={"dims.w": "47"}) == widths(47, 47)
    assert found("chair dims.w:45..50") == widths(45, 50)
    assert found("", filters={"dims.w": "45..50|55"}) == widths(45, 50) | widths(55, 55)
    low = {one["id"] for one in records if one["dims"]["h"]["low"] == 1.5}
    assert found("dims.h.low:1.5") == low
    hits = engine.ask("detected", "", sort="dims.w").hits
    order = {one["id"]: one["dims"]["w"] for one in records}
    assert [order[hit.id] for hit in hits] == sorted(order.values())


def test_lists_count_with_all_their_values(engine: Engine, records: list[dict[str, Any]]) -> None:
    for low, high in ((1, 1), (3, 4), (8, 9)):
        expected = {
            one["id"] for one in records if any(low <= size <= high for size in one["sizes"])
        }
        for filters, text in (({}, f"sizes:{low}..{high}"), ({"sizes": f"{low}..{high}"}, "")):
            answer = engine.ask("detected", text, filters=filters)
            assert set(ids_of(answer)) == expected
    facets = engine.ask("detected", "chair", facets=("sizes", "material", "dims.w")).facets
    for name, values in facets.items():
        assert values
        for value, count in values.items():
            assert engine.ask("detected", "", filters={name: value}, limit=1).total == count
