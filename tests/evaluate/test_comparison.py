import json
from itertools import count

import pytest

from gossamer.evaluate.comparison import Comparison, Run, compare, run_queries
from gossamer.evaluate.dataset import Query
from gossamer.evaluate.metrics import METRICS

QUERIES = (
    Query("1", "ants"),
    Query("2", "bees"),
    Query("3", "nobody judged this"),
    Query("4", "wasps, " * 20),
)
GRADES = {
    "1": {"ant": 1},
    "2": {"bee": 1, "hive": 2},
    "3": {"ant": 0},
    "4": {"wasp": 1},
    "5": {"ant": 1},
}
PLAIN = {"ants": ["ant"], "bees": ["bee", "hive"], QUERIES[3].text: ["x", "wasp"]}
BETTER = {"ants": ["x", "ant"], "bees": ["hive", "bee"], QUERIES[3].text: ["wasp"]}


def run(name: str, answers: dict[str, list[str]]) -> Run:
    return run_queries(name, QUERIES, GRADES, lambda text: answers[text])


@pytest.fixture
def comparison() -> Comparison:
    return compare("insects", QUERIES, [run("plain", PLAIN), run("better", BETTER)])


def test_queries_without_relevant_documents_are_not_asked() -> None:
    asked = []

    def rank(text: str) -> list[str]:
        asked.append(text)
        return []

    result = run_queries("nothing", QUERIES, GRADES, rank)
    assert asked == ["ants", "bees", QUERIES[3].text]
    assert list(result.per_query) == ["1", "2", "4"]
    assert result.left_out == 1
    assert result.means() == dict.fromkeys(METRICS, 0.0)


def test_means_are_over_the_queries_that_count() -> None:
    result = run("plain", PLAIN)
    assert result.mean("mrr") == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert result.mean("map") == pytest.approx((1 + 1 + 1 / 2) / 3)
    assert result.mean("p@5") == pytest.approx((1 / 5 + 2 / 5 + 1 / 5) / 3)


def test_the_time_of_a_query_is_that_of_its_ranking_alone() -> None:
    ticks = count()
    result = run_queries("plain", QUERIES, GRADES, PLAIN.__getitem__, lambda: next(ticks) / 100)
    assert result.query_ms == pytest.approx(10)


def test_a_run_over_nothing_has_means_too() -> None:
    assert run_queries("empty", [], {}, lambda _: []).mean("map") == 0


def test_a_run_is_tested_against_the_first(comparison: Comparison) -> None:
    test = comparison.test(comparison.runs[1], "map")
    assert test.mean == pytest.approx(0)
    assert (test.queries, test.better, test.worse) == (3, 1, 1)


def test_the_queries_that_moved_most_come_first(comparison: Comparison) -> None:
    won, lost = comparison.movers(comparison.runs[1])
    assert [mover.query.id for mover in won] == ["4", "2"]
    assert [mover.query.id for mover in lost] == ["1"]
    assert won[0].difference > won[1].difference > 0 > lost[0].difference
    assert [m.query.id for m in comparison.movers(comparison.runs[1], limit=1)[0]] == ["4"]


def test_people_see_table_tests_and_queries(comparison: Comparison) -> None:
    text = comparison.as_text()
    lines = text.splitlines()
    assert lines[0] == "insects: 3 queries, 1 without relevant documents left out"
    assert lines[2].split()[:7] == list(METRICS)
    assert len({len(line) for line in lines[2:5]}) == 1
    assert "better against plain" in text
    assert "p = 1.0000: may be luck; better on 1, worse on 1" in text
    assert "  -0.369 (1.000 to 0.631)  1: ants" in text
    assert "was…" in text


def test_a_single_run_is_only_a_table() -> None:
    text = compare("insects", QUERIES, [run("plain", PLAIN)]).as_text()
    assert "plain" in text
    assert "against" not in text


def test_machines_see_the_same(comparison: Comparison) -> None:
    report = json.loads(json.dumps(comparison.as_json()))
    assert report["dataset"] == "insects"
    assert report["profiles"]["better"]["map"] == comparison.runs[1].mean("map")
    assert report["profiles"]["plain"].keys() == {*METRICS, "query_ms"}
    assert report["tests"]["better"]["ndcg@10"]["queries"] == 3
    assert report["movers"]["better"]["lost"][0]["text"] == "ants"
    assert (report["queries"], report["left_out"], report["baseline"]) == (3, 1, "plain")


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to compare"):
        compare("insects", QUERIES, [])
    with pytest.raises(ValueError, match="same name"):
        compare("insects", QUERIES, [run("plain", PLAIN), run("plain", BETTER)])
    other = run_queries("other", QUERIES[:1], GRADES, lambda _: [])
    with pytest.raises(ValueError, match="answered different queries"):
        compare("insects", QUERIES, [run("plain", PLAIN), other])
