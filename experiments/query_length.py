"""Search time and result count by the length of the query: finding, scoring, whole.

The table of Penn's paper is of 100 queries over a cloud database. With GOSSAMER_DATA: all its real
queries over all its real passages; without: what the project is shipped with.
"""

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from benchmarks.corpus import passages_of
from benchmarks.engines import build_gossamer
from benchmarks.real_text import data_folder, pages
from experiments.page import Page
from gossamer.config import IndexSettings
from gossamer.index.generations import IndexFolder
from gossamer.index.reader import IndexReader
from gossamer.search.broker import Broker
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.shard import Inquiry, Shard
from gossamer.search.stages import (
    BEGIN,
    COUNT,
    FIND,
    FORMS,
    PREFIXES,
    SCORE,
    SHOW,
    VOTE,
    Rows,
    Score,
    Stage,
)

_Question = TypeVar("_Question")
_Told = TypeVar("_Told")
_SHIPPED = Path(__file__).parent.parent / "evaluation"
_LONGER = 4
_MISSED_BY_PENN = ("George W. Bush", "Franklin D. Roosevelt", "Alprazolam")
_WARM = ("the first query opens the index", '"a phrase" compiles', "misspeled")
_SLOWEST = 5
_NAMED = 12  # queries without results that are listed


class Asked(NamedTuple):
    """One query and what became of it. Times are CPU-milliseconds."""

    query: str
    whole_ms: float
    finding_ms: float
    scoring_ms: float
    showing_ms: float
    candidates: int
    results: int
    with_all_words: int
    is_corrected: bool

    @property
    def words(self) -> int:
        return len(self.query.split())


class _CountedInquiry(Inquiry):
    candidates = 0

    def score(self, asked: Score) -> Rows:
        self.candidates = len(self._candidates.numbers)
        return super().score(asked)


class _TimedPanel:
    """The one shard of an index, and how long each of its stages takes."""

    members: Sequence[int] = (0,)
    missing = ""

    def __init__(self, shard: Shard) -> None:
        self.inquiry = _CountedInquiry(shard)
        self.spent_ms: defaultdict[str, float] = defaultdict(float)

    def ask(
        self, stage: Stage[_Question, _Told], asked: Mapping[int, _Question]
    ) -> dict[int, _Told]:
        begin = time.process_time()
        answer = getattr(self.inquiry, stage.name)
        told = {shard: answer(one) for shard, one in asked.items()}
        self.spent_ms[stage.name] += (time.process_time() - begin) * 1000
        return told

    def release(self) -> None:
        pass

    def spent_in(self, *stages: Stage[Any, Any]) -> float:
        return sum(self.spent_ms[stage.name] for stage in stages)


class TimedSearcher:
    """Answers as the searcher of the product does, and keeps the panels that it has asked."""

    def __init__(self, folder: Path) -> None:
        self._reader = IndexReader(IndexFolder(folder))
        shard = Shard(self._reader)
        self.panels: list[_TimedPanel] = []

        def panel(_: float) -> _TimedPanel:
            self.panels.append(_TimedPanel(shard))
            return self.panels[-1]

        self._broker = Broker(
            *(self._reader.fields, shard.analyser, self._reader.whole),
            companions=self._reader.generation,
            panel=panel,
        )
        self._settings = IndexSettings()

    def ask(self, query: str) -> Asked:
        self.panels.clear()
        begin = time.process_time()
        answer = self._search(SearchRequest(query))
        whole = (time.process_time() - begin) * 1000
        # There is a second one where what was typed is nowhere, and what was meant is looked for.
        panels = self.panels[:]
        every_word = self._search(SearchRequest(query, all_words=True, limit=1))
        return Asked(
            query,
            whole,
            finding_ms=sum(panel.spent_in(PREFIXES, FORMS, BEGIN, FIND) for panel in panels),
            scoring_ms=sum(panel.spent_in(VOTE, COUNT, SCORE) for panel in panels),
            showing_ms=sum(panel.spent_in(SHOW) for panel in panels),
            candidates=sum(panel.inquiry.candidates for panel in panels),
            results=answer.total,
            with_all_words=0 if every_word.searched_instead else every_word.total,
            is_corrected=bool(answer.searched_instead),
        )

    def _search(self, request: SearchRequest) -> Answer:
        return self._broker.search(request, self._settings, None)

    def close(self) -> None:
        self._reader.close()


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
        searcher = TimedSearcher(folder)
        for query in _WARM:
            searcher.ask(query)
        asked = [searcher.ask(query) for query in queries]
        missed = [searcher.ask(query) for query in _MISSED_BY_PENN]
        searcher.close()
    return _page(asked, missed, len(texts))


def _page(asked: Sequence[Asked], missed: Sequence[Asked], documents: int) -> Page:
    page = Page("query-length", "Search time and result count by query length")
    page.say(
        f"{len(asked):,} queries, each asked once, over {documents:,} passages of about 300 words. "
        "Whole is everything. Finding: reading the query, statistics, candidates, and how well the "
        "first of them match; scoring: the words of feedback and the exact scores; the rest is "
        "correcting and what lies between. CPU-milliseconds; ± is the 95 % interval of a mean."
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
        ("hits and snippets, mean ms", lambda group: _mean([one.showing_ms for one in group])),
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
            "hits and snippets, mean": [
                (w, float(np.mean([o.showing_ms for o in group]))) for w, group in by_words.items()
            ],
            "finding, mean": [
                (w, float(np.mean([o.finding_ms for o in group]))) for w, group in by_words.items()
            ],
        },
        title="Search time by query length",
        across="words of the query",
        up="CPU-ms",
    )
    slowest = sorted(asked, key=lambda one: -one.whole_ms)[:_SLOWEST]
    told = ", ".join(
        f"`{one.query}` {one.whole_ms:.0f} ms (hits and snippets {one.showing_ms:.0f})"
        for one in slowest
    )
    page.say(f"The slowest: {told}.")
    page.heading("Queries without results")
    empty = [one.query for one in asked if one.results == 0]
    page.say(
        f"{len(empty)} of {len(asked):,}"
        + (f": {', '.join(f'`{query}`' for query in empty[:_NAMED])}" if empty else "")
        + (" and others." if len(empty) > _NAMED else ".")
    )
    told = ", ".join(f"{one.query} {one.with_all_words}" for one in missed)
    page.say(
        "Penn's paper names three of its hundred that found nothing. Here they find so many "
        f"passages with all their words: {told}."
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
