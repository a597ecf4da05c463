"""How good the default ranking is, and how good bm25s is, on judged collections in one run.

    GOSSAMER_DATA=FOLDER python -m benchmarks.relevance

The collections are the shipped one and all in `ir/` of the data folder. All rankings answer the
same queries and are judged by the same measures. `bm25` is our plain profile; bm25s ranks like
Lucene, with k1 1.2 and b 0.75, over title and text as one, without English stop words, with the
Snowball stemmer. No ranking has a setting for any collection. Means and gains are over the
collections of the data folder; without one, over the shipped one, which is ours and proves little.
Last line: a JSON object, in which gains are shares of what bm25s has. Exit code 1 where a gain is
below 5 % or the default ranking is below bm25s on any collection.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import mean

from benchmarks.crawlers import PEER_PYTHON
from evaluation.__main__ import HERE as SHIPPED
from evaluation.__main__ import collections
from gossamer.app.evaluating import evaluate
from gossamer.config import IndexSettings
from gossamer.evaluate import Comparison, Dataset, Run, compare, run_queries

_PEER = Path(__file__).parent / "peers" / "bm25s_run.py"
_PROFILES = ("default", "bm25")
_COLUMNS = ("ndcg@10", "map", "p@5")
_GAINS = {"ndcg10_gain": "ndcg@10", "map_gain": "map"}
_WANTED = 0.05

Means = Mapping[str, Mapping[str, float]]
"""By ranking, then by measure."""


def theirs(dataset: Dataset) -> tuple[Run, dict[str, str]]:
    """The run of bm25s, and the versions of what it took."""
    given = {
        "documents": {one.id: f"{one.title} {one.text}" for one in dataset.documents()},
        "queries": {query.id: query.text for query in dataset.queries},
    }
    done = subprocess.run(
        [PEER_PYTHON, _PEER],
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    ranked = {query.text: answer["run"][query.id] for query in dataset.queries}
    run = run_queries("bm25s", dataset.queries, dataset.grades, ranked.__getitem__)
    return run, answer["versions"]


def gains(means: Means) -> dict[str, float]:
    """By how much the default ranking is above bm25s, as a share."""
    return {
        name: means["default"][metric] / means["bm25s"][metric] - 1
        for name, metric in _GAINS.items()
    }


def mean_of(all_means: list[Means]) -> Means:
    """Every collection counts the same, however many queries it has."""
    return {
        ranking: {
            metric: mean(means[ranking][metric] for means in all_means) for metric in _COLUMNS
        }
        for ranking in all_means[0]
    }


def _print_table(title: str, means: Means) -> None:
    print(f"{title:<32}" + "".join(f"{metric:>10}" for metric in _COLUMNS))
    for ranking, values in means.items():
        print(f"  {ranking:<30}" + "".join(f"{values[metric]:>10.4f}" for metric in _COLUMNS))
    cells = "".join(f"{gain:>+10.1%}" for gain in gains(means).values())
    print(f"  {'default above bm25s':<30}{cells}", flush=True)


def _print_tests(comparison: Comparison) -> None:
    default = comparison.runs[1]
    for metric in _GAINS.values():
        test = comparison.test(default, metric)
        verdict = f"p = {test.p:.4f}; better on {test.better} queries, worse on {test.worse}"
        print(f"  {metric}: {verdict}")
    print(flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.relevance", description=__doc__)
    parser.parse_args()
    if not PEER_PYTHON.exists():
        sys.exit(f"no {PEER_PYTHON}: see requirements-bench.lock")
    measured: dict[str, Means] = {}
    versions: dict[str, str] = {}
    for folder in collections():
        name = "shipped" if folder == SHIPPED else folder.name
        dataset = Dataset(folder)
        ours = evaluate(folder, _PROFILES, [("", IndexSettings())]).runs
        peer, versions = theirs(dataset)
        comparison = compare(name, dataset.queries, [peer, *ours])
        measured[name] = {run.name: run.means() for run in (*ours, peer)}
        _print_table(f"{name}, {len(peer.per_query)} queries", measured[name])
        _print_tests(comparison)
    counted = [name for name in measured if name != "shipped"] or ["shipped"]
    means = mean_of([measured[name] for name in counted])
    _print_table(f"mean of {', '.join(counted)}", means)
    below = [name for name, one in measured.items() if min(gains(one).values()) < 0]
    result = {
        "bench": "relevance",
        "collections": {name: _rounded(one) for name, one in measured.items()},
        "mean_of": counted,
        "mean": _rounded(means),
        **{name: round(gain, 4) for name, gain in gains(means).items()},
        "below_on": below,
        "versions": versions,
    }
    print(json.dumps(result), flush=True)
    is_published = counted != ["shipped"]  # the shipped one is too small for a bar
    sys.exit(1 if below or (is_published and min(gains(means).values()) < _WANTED) else 0)


def _rounded(means: Means) -> dict[str, dict[str, float]]:
    return {
        ranking: {metric: round(values[metric], 4) for metric in _COLUMNS}
        for ranking, values in means.items()
    }


if __name__ == "__main__":
    main()
