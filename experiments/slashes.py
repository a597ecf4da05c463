"""NUM_SLASHES swept over a judged set: how much should an address near the top of its site count?

The sample web is crawled; its pages are judged in `sample_web` for queries of three kinds, which
want a site or a section of one (few slashes), an article or a product (two), a story (four).
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from experiments.page import Page, shown_p
from gossamer.app import Home, crawl
from gossamer.app.indexes import Indexes
from gossamer.config import IndexSettings, crawl_settings
from gossamer.demo import hosts, running_web
from gossamer.evaluate import Query, Run, compare, run_queries
from gossamer.rank.profiles import load_profile
from gossamer.search.contract import Searcher, SearchRequest

JUDGED = Path(__file__).parent / "sample_web"
VALUES = (0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
_DEPTH = 100
_CRAWL_DEPTH = 12
_INDEX = "sample"
_METRICS = ("ndcg@10", "map", "mrr", "p@5")


def queries() -> list[Query]:
    lines = (JUDGED / "queries.tsv").read_text(encoding="utf-8").splitlines()
    return [Query(*line.split("\t")) for line in lines]


def grades() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in (JUDGED / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, url, grade = line.split("\t")
        found.setdefault(query, {})[url] = int(grade)
    return found


@contextmanager
def sample_index(max_pages: int = 0) -> Iterator[Indexes]:
    """The sample web, crawled and indexed."""
    with tempfile.TemporaryDirectory(prefix="gossamer-experiment-") as scratch:
        home = Home(Path(scratch))
        with running_web() as port:
            settings = crawl_settings(
                {},
                {
                    "seeds": tuple(f"http://{host}/" for host in hosts()),
                    "name": _INDEX,
                    "resolve": dict.fromkeys(hosts(), f"127.0.0.1:{port}"),
                    "allow_private": True,
                    "delay_seconds": 0,
                    "max_depth": _CRAWL_DEPTH,
                    "max_pages": max_pages,
                },
            )
            report = crawl(home, settings, mode="new", on_progress=lambda _: None)
        indexes = Indexes(home)
        indexes.build(_INDEX, [report.run], None, IndexSettings())
        yield indexes
        indexes.close()


def sweep(searcher: Searcher, values: Sequence[float]) -> list[Run]:
    """The profile `yioop` with each value."""
    shipped = load_profile("yioop")
    judged = grades()
    runs = []
    with tempfile.TemporaryDirectory(prefix="gossamer-profile-") as scratch:
        for value in values:
            profile = Path(scratch) / f"slashes-{value:g}.toml"
            profile.write_text(f'score = "{shipped.score.text}"\nslashes = {value}\n')

            def rank(query: str, profile: str = str(profile)) -> list[str]:
                return searcher.ranking(
                    SearchRequest(query, limit=_DEPTH, profile=profile, plain=True, group=False)
                )

            runs.append(run_queries(f"{value:g}", queries(), judged, rank))
    return runs


def page(runs: Sequence[Run], pages: int) -> Page:
    found = Page("slashes", "NUM_SLASHES swept over a judged set")
    kinds = _kinds()
    found.say(
        f"{pages:,} pages of the sample web, {len(queries())} judged queries. The score of the "
        "profile `yioop` holds NUM_SLASHES / slashes in the address: a page at the top of its "
        "site gets all of NUM_SLASHES, a story four folders down a quarter of it. The test is "
        "paired, against 0, in nDCG@10: mean difference, its 95 % interval, p."
    )
    comparison = compare(_INDEX, queries(), runs)
    rows = []
    for run in comparison.runs:
        test = comparison.test(run, "ndcg@10")
        told = (
            "" if run is runs[0] else f"{test.mean:+.3f} ({test.low:+.3f} to {test.high:+.3f})",
            "" if run is runs[0] else shown_p(test.p),
        )
        by_kind = (f"{_mean(run, kind):.3f}" for kind in kinds.values())
        rows.append([run.name, *(f"{run.mean(m):.3f}" for m in _METRICS), *by_kind, *told])
    names = (f"nDCG@10, {kind}" for kind in kinds)
    found.table(["NUM_SLASHES", *_METRICS, *names, "against 0", "p"], rows)
    series = {
        kind: [(float(run.name), _mean(run, ids)) for run in runs if float(run.name)]
        for kind, ids in {"all": [query.id for query in queries()], **kinds}.items()
    }
    found.plot(
        "ndcg",
        series,
        title="nDCG@10 by NUM_SLASHES",
        across="NUM_SLASHES",
        up="nDCG@10",
        doubling=True,
    )
    best = max(runs, key=lambda run: run.mean("ndcg@10"))
    by_kind_best = ", ".join(
        f"{kind} {runs[int(np.argmax([_mean(run, ids) for run in runs]))].name}"
        for kind, ids in kinds.items()
    )
    found.say(
        f"Best over all queries: {best.name}; by what is wanted: {by_kind_best}. The bonus knows "
        "nothing of the query: what it gives to a site's first page it gives to its contact page "
        "and its terms as well, and takes from every story."
    )
    return found


def _kinds() -> dict[str, list[str]]:
    """Queries by what they want, which their ids begin with."""
    kinds: dict[str, list[str]] = {}
    for query in queries():
        kinds.setdefault(query.id.partition("-")[0], []).append(query.id)
    return kinds


def _mean(run: Run, ids: Sequence[str]) -> float:
    return sum(run.per_query[query]["ndcg@10"] for query in ids) / len(ids)


def run() -> Page:
    with sample_index() as indexes:
        info = indexes.info(_INDEX)
        return page(sweep(indexes.searcher(_INDEX), VALUES), info.documents)
