"""Rankings side by side: a table of their measures, tests against the first, and what moved.

A run is one ranking over all queries of a collection. The first run of a comparison is the baseline
that all others are held against.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from gossamer.evaluate.dataset import Query
from gossamer.evaluate.metrics import METRICS, measure
from gossamer.evaluate.significance import PairedDifference, paired_difference

Rank = Callable[[str], Sequence[str]]
"""A query's text to the ids of documents, best first; more than 1,000 are of no use."""

TESTED = ("ndcg@10", "map")
"""The measures that runs are tested on: the more tests, the more of them come out by luck."""

MOVERS = 5


class Run(Struct, frozen=True):
    name: str
    per_query: Mapping[str, Mapping[str, float]]
    """By query, then by measure; queries without a relevant document are not in it."""
    left_out: int = 0
    """Queries that are not in it."""
    query_ms: float = 0.0
    """Mean time of a query."""

    def mean(self, metric: str) -> float:
        values = [measures[metric] for measures in self.per_query.values()]
        return sum(values) / len(values) if values else 0.0

    def means(self) -> dict[str, float]:
        return {metric: self.mean(metric) for metric in METRICS}


class Mover(NamedTuple):
    """A query, and how far a run is above the baseline on it."""

    query: Query
    ours: float
    theirs: float

    @property
    def difference(self) -> float:
        return self.theirs - self.ours


class Comparison(Struct, frozen=True):
    dataset: str
    queries: tuple[Query, ...]
    runs: tuple[Run, ...]
    missing_documents: int = 0
    """Judged documents that the collection lacks: no ranking can find them."""
    empty_queries: int = 0
    """Queries without a text, which were skipped."""

    def test(self, run: Run, metric: str) -> PairedDifference:
        """A run against the baseline."""
        baseline = self.runs[0]
        return paired_difference(
            [measures[metric] for measures in baseline.per_query.values()],
            [run.per_query[query][metric] for query in baseline.per_query],
        )

    def movers(
        self, run: Run, metric: str = TESTED[0], limit: int = MOVERS
    ) -> tuple[list[Mover], list[Mover]]:
        """The queries that won most against the baseline, and those that lost most."""
        ours = self.runs[0].per_query
        moved = [
            Mover(query, ours[query.id][metric], run.per_query[query.id][metric])
            for query in self.queries
            if query.id in ours
        ]
        moved.sort(key=lambda mover: -mover.difference)  # stable: ties in the order of the file
        won = [mover for mover in moved[:limit] if mover.difference > 0]
        lost = [mover for mover in reversed(moved[-limit:]) if mover.difference < 0]
        return won, lost

    def as_json(self) -> dict[str, Any]:
        """For machines. `profiles` is all that a reader of means needs."""
        baseline, *others = self.runs
        return {
            "dataset": self.dataset,
            "queries": len(baseline.per_query),
            "left_out": baseline.left_out,
            "missing_documents": self.missing_documents,
            "empty_queries": self.empty_queries,
            "profiles": {run.name: run.means() | {"query_ms": run.query_ms} for run in self.runs},
            "baseline": baseline.name,
            "tests": {
                run.name: {metric: asdict(self.test(run, metric)) for metric in TESTED}
                for run in others
            },
            "movers": {
                run.name: dict(
                    zip(
                        ("won", "lost"),
                        (list(map(_mover_json, movers)) for movers in self.movers(run)),
                        strict=True,
                    )
                )
                for run in others
            },
        }

    def as_text(self) -> str:
        """For people: the table, the tests, and the queries."""
        baseline, *others = self.runs
        queries = len(baseline.per_query)
        parts = [f"{self.dataset}: {queries} {'query' if queries == 1 else 'queries'}"]
        if baseline.left_out:
            parts[0] += f", {baseline.left_out} without relevant documents left out"
        if self.empty_queries:
            parts[0] += f", {self.empty_queries} empty and skipped"
        if self.missing_documents:
            missing = self.missing_documents
            are = "judged document is" if missing == 1 else "judged documents are"
            parts[0] += (
                f"\n{missing:,} {are} not in the collection: no ranking can find them, and every "
                f"measure counts them as not found."
            )
        parts.append(_table(self.runs))
        for run in others:
            parts.append(
                "\n".join(
                    [
                        f"{run.name} against {baseline.name}",
                        *(self._test_line(run, metric) for metric in TESTED),
                    ]
                )
            )
            for title, movers in zip(("won", "lost"), self.movers(run), strict=True):
                if movers:
                    lines = [f"{title} most ({TESTED[0]})", *map(_mover_line, movers)]
                    parts.append("\n".join(lines))
        return "\n\n".join(parts) + "\n"

    def _test_line(self, run: Run, metric: str) -> str:
        test = self.test(run, metric)
        ours = self.runs[0].mean(metric)
        share = f" ({100 * test.mean / ours:+.1f} %)" if ours else ""
        verdict = "significant" if test.significant else "may be luck"
        return (
            f"  {metric:<8} {test.mean:+.4f}{share}, 95 % {test.low:+.4f} to {test.high:+.4f}, "
            f"p = {test.p:.4f}: {verdict}; better on {test.better}, worse on {test.worse}"
        )


def run_queries(
    name: str,
    queries: Iterable[Query],
    grades: Mapping[str, Mapping[str, int]],
    rank: Rank,
    clock: Callable[[], float] = time.process_time,
) -> Run:
    """Ask every query that has a relevant document, once. `clock` counts seconds."""
    per_query: dict[str, dict[str, float]] = {}
    left_out = 0
    seconds = 0.0
    for query in queries:
        judged = grades.get(query.id, {})
        if measure((), judged) is None:
            left_out += 1
            continue
        start = clock()
        ranking = rank(query.text)
        seconds += clock() - start
        measures = measure(ranking, judged)
        assert measures is not None
        per_query[query.id] = measures
    return Run(name, per_query, left_out, 1000 * seconds / max(1, len(per_query)))


def compare(
    dataset: str,
    queries: Iterable[Query],
    runs: Sequence[Run],
    missing_documents: int = 0,
    empty_queries: int = 0,
) -> Comparison:
    """Runs over the same queries; the first is the baseline."""
    if not runs:
        raise ValueError("there is nothing to compare")
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise ValueError(f"two runs have the same name: {', '.join(names)}")
    for run in runs:
        if run.per_query.keys() != runs[0].per_query.keys():
            raise ValueError(f"{run.name} and {runs[0].name} answered different queries")
    return Comparison(dataset, tuple(queries), tuple(runs), missing_documents, empty_queries)


def _table(runs: Sequence[Run]) -> str:
    rows = [["", *METRICS, "ms a query"]]
    for run in runs:
        values = [f"{value:.4f}" for value in run.means().values()]
        rows.append([run.name, *values, f"{run.query_ms:.2f}"])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        )
        for row in rows
    )


def _mover_line(mover: Mover) -> str:
    text = mover.query.text if len(mover.query.text) <= 60 else mover.query.text[:59] + "…"
    return (
        f"  {mover.difference:+.3f} ({mover.ours:.3f} to {mover.theirs:.3f})  "
        f"{mover.query.id}: {text}"
    )


def _mover_json(mover: Mover) -> dict[str, Any]:
    return {
        "query": mover.query.id,
        "text": mover.query.text,
        "ours": mover.ours,
        "theirs": mover.theirs,
    }
