"""Settings of an indexer compared on judged collections, as in Scriburg's Tables 20 to 24.

b and k, stop words, the small-words threshold and a boosting formula over votes. The shipped
collection has votes; with GOSSAMER_DATA the settings that need none are compared on its judged
collections, too.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from evaluation.__main__ import HERE as SHIPPED
from evaluation.__main__ import collections
from experiments.page import Page, shown_p
from gossamer.app.evaluating import evaluate
from gossamer.config import IndexSettings
from gossamer.evaluate import Comparison, Dataset, Run

_PROFILE = "scriburg"
_NO_STOP_WORDS: tuple[str, ...] = ()
_SEVEN_STOP_WORDS = ("how", "to", "by", "with", "in", "not", "does")
_B = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
_K = (0.4, 0.81, 1.2, 1.75, 3.0)
_SMALL = (0, 1, 2, 3, 4)
_FORMULAS = (
    "votes / 10",
    "votes / 100",
    "log(1 + max(votes, 0))",
    "0.1 * log(1 + max(votes, 0))",
)
_COLUMNS = ("p@5", "p@r", "map", "ndcg@10")
_TESTED = "map"

_DEFAULT = IndexSettings(profile=_PROFILE, b=0.75, k=1.75, stop_words=_NO_STOP_WORDS, small_words=2)
_BETTER = _DEFAULT.model_copy(update={"b": 0.1, "k": 0.81})

TABLES: Mapping[str, IndexSettings] = {
    "20: b 0.75, k 1.75, small words 2": _DEFAULT,
    "21: b 0.1, k 0.81": _BETTER,
    "22: and seven stop words": _BETTER.model_copy(update={"stop_words": _SEVEN_STOP_WORDS}),
    "23: 21 and no small words": _BETTER.model_copy(update={"small_words": 0}),
    "24: 21 and votes / 10": _BETTER.model_copy(update={"boost": "votes / 10"}),
}
"""In the order of the paper, which keeps the better b and k."""

_OF_SCRIBURG = {
    "20": (0.73, 0.72, 0.87),
    "21": (0.80, 0.84, 0.89),
    "22": (0.66, 0.624, 0.76),
    "23": (0.80, 0.77, 0.84),
    "24": (0.53, 0.62, 0.63),
}
"""What the paper got on its own collection of 2,000 questions: P@5, P@R, MAP."""


def _with(**changes: object) -> IndexSettings:
    return _DEFAULT.model_copy(update=changes)


def compared(folder: Path, named: Mapping[str, IndexSettings]) -> Comparison:
    """The first is what the others are tested against."""
    return evaluate(folder, [], list(named.items()))


def _rows(comparison: Comparison) -> list[list[object]]:
    """Measures, and the test of each against the first, corrected by Holm for their number."""
    baseline, *others = comparison.runs
    tests = {run.name: comparison.test(run, _TESTED) for run in others}
    corrected = holm({name: test.p for name, test in tests.items()})
    rows: list[list[object]] = []
    for run in comparison.runs:
        cells: list[object] = [run.name, *(f"{run.mean(metric):.3f}" for metric in _COLUMNS)]
        cells.append(f"{run.query_ms:.2f}")
        if run is baseline:
            rows.append([*cells, "", ""])
            continue
        test = tests[run.name]
        told = f"{test.mean:+.3f} ({test.low:+.3f} to {test.high:+.3f})"
        rows.append([*cells, told, shown_p(corrected[run.name])])
    return rows


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """The more tests, the more of them come out by luck: p-values that allow for it."""
    found: dict[str, float] = {}
    highest = 0.0
    for place, (name, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        highest = max(highest, min(1.0, p * (len(p_values) - place)))
        found[name] = highest
    return found


def _table(page: Page, comparison: Comparison) -> None:
    page.table(["", *_COLUMNS, "ms", f"{_TESTED} against the first", "p"], _rows(comparison))


def _grid(page: Page, folder: Path, b_values: Sequence[float], k_values: Sequence[float]) -> None:
    named = {f"{b:g} {k:g}": _with(b=b, k=k) for b in b_values for k in k_values}
    by_name: dict[str, Run] = {run.name: run for run in compared(folder, named).runs}
    means = {name: run.mean(_TESTED) for name, run in by_name.items()}
    page.table(
        ["b \\ k", *(f"{k:g}" for k in k_values)],
        [[f"{b:g}", *(f"{means[f'{b:g} {k:g}']:.3f}" for k in k_values)] for b in b_values],
    )
    page.plot(
        f"bm25-{folder.name}",
        {f"k = {k:g}": [(b, means[f"{b:g} {k:g}"]) for b in b_values] for k in k_values},
        title=f"MAP by b and k, {folder.name}",
        across="b",
        up="MAP",
    )


def vote_correlation(folder: Path) -> tuple[float, int]:
    """Spearman's rank correlation of votes and grades over all judgments, and their number."""
    dataset = Dataset(folder)
    votes = {document.id: float(document.fields["votes"]) for document in dataset.documents()}
    pairs = [
        (votes[document], grade)
        for judged in dataset.grades.values()
        for document, grade in judged.items()
    ]
    first, second = (_ranks(np.array(column, np.float64)) for column in zip(*pairs, strict=True))
    return float(np.corrcoef(first, second)[0, 1]), len(pairs)


def _ranks(
    values: "np.ndarray[tuple[int], np.dtype[np.float64]]",
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Equal values share the mean of their places."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middles: np.ndarray[tuple[int], np.dtype[np.float64]] = ends - (counts - 1) / 2
    return middles[inverse]


def measure(
    folders: Sequence[Path],
    b_values: Sequence[float] = _B,
    k_values: Sequence[float] = _K,
) -> Page:
    """The first of the folders is the collection with votes."""
    page = Page("indexer-settings", "Settings of an indexer compared")
    page.say(
        f"The profile `{_PROFILE}`, the formula of Scriburg's paper, under the settings of its "
        "Tables 20 to 24 and more. Differences in MAP are tested in pairs against the first row: "
        "mean, 95 % interval, and p of the randomisation test, corrected by Holm for the number of "
        "rows. The paper's own figures, on another collection and without a test: "
        + "; ".join(f"Table {n} P@5 {a}, P@R {b}, MAP {c}" for n, (a, b, c) in _OF_SCRIBURG.items())
        + "."
    )
    with_votes, *others = folders
    page.heading("Scriburg's tables, on the collection with votes")
    _table(page, compared(with_votes, TABLES))
    correlation, pairs = vote_correlation(with_votes)
    page.heading("Formulas over votes")
    page.say(
        f"Over {pairs} judgments the rank correlation of votes and grades is {correlation:+.2f}. A "
        "formula is added to the score, so its size decides how much the words still count."
    )
    formulas = {"none": _DEFAULT, **{text: _with(boost=text) for text in _FORMULAS}}
    _table(page, compared(with_votes, formulas))
    page.heading("The settings one by one")
    page.say("With b = 0 many documents tie; they then stand in the order of the collection.")
    for folder in (with_votes, *others):
        name = "the collection with votes" if folder == with_votes else folder.name
        page.heading(f"b and k: MAP on {name}")
        _grid(page, folder, b_values, k_values)
        page.heading(f"Stop words on {name}")
        lists = {
            "none": _NO_STOP_WORDS,
            "Scriburg's seven": _SEVEN_STOP_WORDS,
            "of the language": None,
        }
        words = {text: _with(stop_words=listed, small_words=0) for text, listed in lists.items()}
        _table(page, compared(folder, words))
        page.heading(f"Small words on {name}")
        _table(page, compared(folder, {f"up to {n} letters": _with(small_words=n) for n in _SMALL}))
    return page


def run() -> Page:
    folders = collections()
    assert folders[0] == SHIPPED
    return measure(folders)
