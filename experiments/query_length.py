"""Search time and result count by the length of the query: finding, scoring, whole.

P's table is of 100 queries over a cloud database. With GOSSAMER_DATA: all its real queries over all
its real passages; without: the queries and texts that the project is shipped with.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from benchmarks.corpus import passages_of
from benchmarks.engines import build_gossamer
from benchmarks.real_text import data_folder, pages
from experiments.page import Page
from gossamer.config import IndexSettings
from gossamer.index.generations import IndexFolder
from gossamer.search.candidates import CandidateFinder, Candidates
from gossamer.search.contract import SearchRequest
from gossamer.search.local import LocalSearcher
from gossamer.search.scoring import Scorer

_SHIPPED = Path(__file__).parent.parent / "evaluation"
_LONGER = 4
_MISSED_BY_P = ("George W. Bush", "Franklin D. Roosevelt", "Alprazolam")
_WARM = ("the first query opens the index", '"a phrase" compiles', "misspeled")
_NAMED = 12  # queries without results that are listed


class Asked(NamedTuple):
    """One query and what became of it. Times are CPU-milliseconds."""

    query: str
    whole_ms: float
    finding_ms: float
    scoring_ms: float
    candidates: int
    results: int
    with_all_words: int
    is_corrected: bool

    @property
    def words(self) -> int:
        return len(self.query.split())


class _Stages:
    """What the query that is being answered has spent where."""

    finding = 0.0
    scoring = 0.0
    candidates = 0


@contextmanager
def _watched() -> Iterator[_Stages]:
    """While it is open, the stages of every search are timed."""
    stages = _Stages()

    def timed(method: Callable[..., Any], stage: str) -> Callable[..., Any]:
        @wraps(method)
        def watched(*arguments: Any, **options: Any) -> Any:
            begin = time.process_time()
            result = method(*arguments, **options)
            spent = (time.process_time() - begin) * 1000
            setattr(stages, stage, getattr(stages, stage) + spent)
            if isinstance(result, Candidates):
                stages.candidates = len(result.numbers)
            return result

        return watched

    methods: list[tuple[Any, str, str]] = [
        (CandidateFinder, "find", "finding"),
        (Scorer, "with_feedback", "scoring"),
        (Scorer, "scored", "scoring"),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in methods]
    try:
        for owner, name, stage in methods:
            setattr(owner, name, timed(getattr(owner, name), stage))
        yield stages
    finally:
        for owner, name, method in before:
            setattr(owner, name, method)


def ask(searcher: LocalSearcher, queries: Sequence[str]) -> list[Asked]:
    found = []
    with _watched() as stages:
        for query in queries:
            stages.finding, stages.scoring = 0.0, 0.0
            begin = time.process_time()
            answer = searcher.search(SearchRequest(query))
            whole = (time.process_time() - begin) * 1000
            spent = stages.finding, stages.scoring, stages.candidates
            every_word = searcher.search(SearchRequest(query, all_words=True, limit=1))
            found.append(
                Asked(
                    query,
                    whole,
                    *spent,
                    results=answer.total,
                    with_all_words=0 if every_word.searched_instead else every_word.total,
                    is_corrected=bool(answer.searched_instead),
                )
            )
    return found


def texts_and_queries(data: Path | None) -> tuple[list[str], list[str]]:
    texts = [text for page in pages(data) for text in passages_of(page)]
    if data is not None:
        queries = [
            line.partition(":")[2].strip()
            # As people typed them: not all of it is UTF-8.
            for path in sorted(data.glob("queries/*.txt"))
            for line in path.read_text(encoding="latin-1").splitlines()
        ]
    else:
        queries = [
            line.partition("\t")[2]
            for name in ("queries.tsv", "misspelt.tsv")
            for line in (_SHIPPED / name).read_text(encoding="utf-8").splitlines()
        ]
    return texts, [query for query in dict.fromkeys(queries) if query]


def measure(texts: Sequence[str], queries: Sequence[str]) -> Page:
    with tempfile.TemporaryDirectory(prefix="gossamer-experiment-") as scratch:
        lines = Path(scratch) / "texts.txt"
        lines.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        folder = Path(scratch) / "index"
        build_gossamer(lines, folder)
        settings = IndexSettings()
        searcher = LocalSearcher(IndexFolder(folder), lambda: settings)
        ask(searcher, _WARM)
        asked = ask(searcher, queries)
        missed = ask(searcher, _MISSED_BY_P)
        searcher.close()
    return _page(asked, missed, len(texts))


def _page(asked: Sequence[Asked], missed: Sequence[Asked], documents: int) -> Page:
    page = Page("query-length", "Search time and result count by query length")
    page.say(
        f"{len(asked):,} queries, each asked once, over {documents:,} passages of about 300 words. "
        "Whole is everything: reading the query, finding, scoring with feedback, correcting, "
        "grouping, snippets. CPU-milliseconds; ± is the 95 % interval of a mean."
    )
    names = {1: "1 word", 2: "2 words", 3: "3 words"}
    groups = {name: [one for one in asked if one.words == words] for words, name in names.items()}
    groups["longer"] = [one for one in asked if one.words >= _LONGER]
    groups["all"] = list(asked)
    groups = {name: group for name, group in groups.items() if group}
    rows: list[tuple[str, Callable[[list[Asked]], str]]] = [
        ("queries", lambda group: f"{len(group):,}"),
        ("whole, mean ms", lambda group: _mean([one.whole_ms for one in group])),
        ("whole, p50 ms", lambda group: _at(50, group)),
        ("whole, p95 ms", lambda group: _at(95, group)),
        ("whole, p99 ms", lambda group: _at(99, group)),
        ("whole, longest ms", lambda group: _at(100, group)),
        ("finding, mean ms", lambda group: _mean([one.finding_ms for one in group])),
        ("scoring, mean ms", lambda group: _mean([one.scoring_ms for one in group])),
        ("share of scoring", _scoring_share),
        ("candidates scored, mean", lambda group: _count([one.candidates for one in group])),
        ("results, mean", lambda group: _count([one.results for one in group])),
        ("results, most", lambda group: f"{max(one.results for one in group):,}"),
        ("results with all words, mean", lambda group: _count([o.with_all_words for o in group])),
        ("no result", lambda group: _share([one.results == 0 for one in group])),
        ("result after correction", lambda group: _share([one.is_corrected for one in group])),
        ("no result with all words", lambda group: _share([not o.with_all_words for o in group])),
    ]
    page.table(
        ["", *groups], [[name, *(cell(group) for group in groups.values())] for name, cell in rows]
    )
    by_words = {
        words: group
        for words in range(1, 11)
        if (group := [one for one in asked if one.words == words])
    }
    page.plot(
        "times",
        {
            "whole, p95": [(w, float(_percentile(95, group))) for w, group in by_words.items()],
            "whole, p50": [(w, float(_percentile(50, group))) for w, group in by_words.items()],
            "scoring, mean": [
                (w, float(np.mean([o.scoring_ms for o in group]))) for w, group in by_words.items()
            ],
            "finding, mean": [
                (w, float(np.mean([o.finding_ms for o in group]))) for w, group in by_words.items()
            ],
        },
        title="Search time by query length",
        across="words of the query",
        up="CPU-ms",
    )
    page.heading("Queries without results")
    empty = [one.query for one in asked if one.results == 0]
    page.say(
        f"{len(empty)} of {len(asked):,}"
        + (f": {', '.join(f'`{query}`' for query in empty[:_NAMED])}" if empty else "")
        + (" and others." if len(empty) > _NAMED else ".")
    )
    told = ", ".join(f"{one.query} {one.with_all_words}" for one in missed)
    page.say(
        "P names three of its hundred that found nothing. Here they find so many passages with all "
        f"their words: {told}."
    )
    return page


def _percentile(share: int, group: Sequence[Asked]) -> float:
    return float(np.percentile([one.whole_ms for one in group], share))


def _at(share: int, group: Sequence[Asked]) -> str:
    return f"{_percentile(share, group):.2f}"


def _mean(values: ArrayLike) -> str:
    given = np.asarray(values, np.float64)
    return f"{given.mean():.2f} ± {1.96 * given.std() / np.sqrt(len(given)):.2f}"


def _count(values: ArrayLike) -> str:
    return f"{np.mean(np.asarray(values)):,.0f}"


def _scoring_share(group: Sequence[Asked]) -> str:
    whole = sum(one.whole_ms for one in group)
    return f"{sum(one.scoring_ms for one in group) / whole:.0%}"


def _share(flags: Sequence[bool]) -> str:
    return f"{sum(flags) / len(flags):.1%}"


def run() -> Page:
    return measure(*texts_and_queries(data_folder()))
