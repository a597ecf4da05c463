"""Each shipped profile on an example that is computed on paper."""

import math
from pathlib import Path

import numpy as np
import pytest

from gossamer.errors import SettingsError
from gossamer.rank.evidence import Parameters
from gossamer.rank.formula import Formula
from gossamer.rank.profiles import load_profile, shipped_names
from tests.rank.evidence import Place, evidence_of


def _times(document: int, slot: int, times: int) -> list[Place]:
    return [(document, slot, 0, 10 * slot + place, 0) for place in range(times)]


SCRIBURG = Parameters(k=1.75, b=0.75)
LENGTHS = [[26, 0], [21, 0], [49, 0]]


@pytest.mark.parametrize(
    ("word", "counts", "expected"),
    [
        ("the", (2, 1, 1), (0.0, 0.0, 0.0)),
        ("university", (3, 0, 1), (1.071, 0.0, 0.466)),
        ("freiburg", (3, 2, 0), (1.071, 0.975, 0.0)),
        ("officially", (1, 0, 0), (1.740, 0.0, 0.0)),
        ("albert", (1, 0, 0), (1.740, 0.0, 0.0)),
        ("a", (1, 0, 3), (0.642, 0.0, 0.885)),
    ],
)
def test_scriburg_gives_the_table_of_its_paper(
    word: str, counts: tuple[int, ...], expected: tuple[float, ...]
) -> None:
    places = [place for row, times in enumerate(counts) for place in _times(row, 0, times)]
    frequency = sum(count > 0 for count in counts)
    evidence = evidence_of(
        [word], places, LENGTHS, documents=3, frequencies=[frequency], parameters=SCRIBURG
    )
    scores = load_profile("scriburg").scores(evidence)
    # The paper's digits are cut, not rounded.
    assert scores == pytest.approx(expected, abs=0.001)


def test_scriburg_gives_the_scores_of_its_example_query() -> None:
    places = [
        *_times(0, 0, 3),
        *_times(2, 0, 1),
        *_times(0, 1, 2),
        *_times(1, 1, 1),
        *_times(2, 1, 1),
        *_times(0, 2, 3),
        *_times(1, 2, 2),
    ]
    evidence = evidence_of(
        ["university", "of", "freiburg"],
        places,
        LENGTHS,
        documents=3,
        frequencies=[2, 3, 2],
        parameters=SCRIBURG,
    )
    scores = load_profile("scriburg").scores(evidence)
    assert scores == pytest.approx([2.14, 0.97, 0.46], abs=0.01)


def test_scriburg_adds_points_and_the_formula() -> None:
    evidence = evidence_of(
        ["freiburg"],
        _times(0, 0, 1),
        [[10, 0], [10, 0]],
        documents=2,
        frequencies=[1],
        parameters=Parameters(k=1.75, b=0.75, boost=Formula.parse("votes / 10")),
        variables={"votes": [50, 20]},
    )
    plain = evidence_of(
        ["freiburg"],
        _times(0, 0, 1),
        [[10, 0], [10, 0]],
        documents=2,
        frequencies=[1],
        parameters=SCRIBURG,
    )
    profile = load_profile("scriburg")
    assert profile.scores(evidence) == pytest.approx(profile.scores(plain) + np.array([5.0, 2.0]))
    plain.points = np.array([5.0])
    assert profile.scores(plain)[0] == pytest.approx(profile.scores(evidence)[0])


def test_juno_is_rank_times_tf_times_idf() -> None:
    """100 documents, the words in 10 and in 1 of them; PageRanks 2 and 0.5."""
    evidence = evidence_of(
        ["moon", "light"],
        [*_times(0, 0, 3), *_times(1, 0, 1), *_times(1, 1, 2)],
        [[50, 0], [60, 0]],
        documents=100,
        frequencies=[10, 1],
        variables={"page_rank": [2.0, 0.5]},
    )
    # 2 * 3 * log10(10) = 6;  0.5 * (1 * log10(10) + 2 * log10(100)) = 2.5
    assert load_profile("juno").scores(evidence) == pytest.approx([6.0, 2.5])


def test_penn_on_paper() -> None:
    """One document: 'Blue' in the title, 'blue moon' in the body, rank 4, an address of 25."""
    evidence = evidence_of(
        ["blue", "moon"],
        [(0, 0, 0, 0, 1), (0, 0, 1, 0, 0), (0, 1, 1, 1, 0)],
        [[1, 6, 0]],
        fields=("title", "body", "extras"),
        documents=1_000,
        frequencies=[100, 10],
        pair_frequencies=[1],
        variables={
            "combined_rank": [4.0],
            "url_length": [25.0],
            "largest_frequency": [5.5],
            "distinct_terms": [2.0],
            "frequency_sum": [6.5],
            "frequency_squares": [31.25],
        },
    )
    # Weighted frequencies: blue 3 * 1.5 + 1 = 5.5, moon 1, 'blue moon' 1; largest 5.5.
    blue, moon = 0.5 + 0.5 * 1.0, 0.5 + 0.5 / 5.5
    index = blue * math.log10(10) + moon * math.log10(100) + moon * math.log10(1_000)
    # Squares: 1 + 0.35 < 5, so nothing is scaled. One of the words stands in the title.
    assert load_profile("penn").scores(evidence) == pytest.approx([_stepped(2 * index * 4 / 5)])


def test_penn_scales_documents_down_whose_squares_exceed_five() -> None:
    """100 different words, each once: every one has tf 1, so the squares sum up to 100."""
    evidence = evidence_of(
        ["moon"],
        _times(0, 0, 1),
        [[100, 0]],
        documents=100,
        frequencies=[1],
        variables={
            "largest_frequency": [1.0],
            "distinct_terms": [100.0],
            "frequency_sum": [100.0],
            "frequency_squares": [100.0],
        },
    )
    assert load_profile("penn").scores(evidence) == pytest.approx([_stepped(2.0 * 5 / 100)])


def test_yioop_on_paper() -> None:
    """1,000 documents; both words 500 times in all; neighbours in a document of average length."""
    evidence = evidence_of(
        ["blue", "moon"],
        [(0, 0, 0, 4, 0), (0, 1, 0, 5, 0)],
        [[100, 0]],
        documents=1_000,
        frequencies=[100, 100],
        occurrences=[500, 500],
        averages=[100, 0],
        variables={"documents_after": [99.0], "url_slashes": [2.0]},
    )
    # A word once in a document of average length counts once: f = 1 * log2(1 + 1).
    surprise = (math.log2(1.5) + math.log2(3)) / 2
    # Both words within two places: one cover of length 2, scaled by 2.
    expected = math.log10(100) + 1 / 2 + 2 * surprise + 1.0
    assert load_profile("yioop").scores(evidence) == pytest.approx([_stepped(expected / 10)])


@pytest.mark.parametrize("name", ["penn", "yioop"])
def test_a_document_with_all_words_is_above_any_without(name: str) -> None:
    evidence = evidence_of(
        ["blue", "moon"],
        [*_times(0, 0, 50), (1, 0, 0, 0, 0), (1, 1, 0, 60, 0)],
        [[60, 0], [1_000, 0]],
        documents=1_000,
        frequencies=[10, 100],
        variables={
            "url_length": [10.0, 400.0],
            "combined_rank": [1e6, 1e-6],
            "documents_after": [900.0, 0.0],
            "url_slashes": [1.0, 9.0],
            "largest_frequency": [50.0, 1.0],
            "distinct_terms": [2.0, 900.0],
            "frequency_sum": [60.0, 1_000.0],
            "frequency_squares": [2_500.0, 1_000.0],
        },
    )
    without, with_all = load_profile(name).scores(evidence)
    assert without < 100 <= with_all


def _stepped(score: float) -> float:
    """A paper's score within one step, and the step of a document that holds all words."""
    return 100 * (1 + score / (1 + score))


def test_static_ranks_that_are_not_there_are_neutral() -> None:
    evidence = evidence_of(["moon"], _times(0, 0, 1), [[10, 0]], documents=10, frequencies=[1])
    for name in shipped_names():
        assert np.isfinite(load_profile(name).scores(evidence)).all()
    assert load_profile("juno").scores(evidence) == pytest.approx([1.0])


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('score = "2 * bm25 + votes"\nk = 2\n')
    profile = load_profile(str(path))
    assert profile.name == "mine"
    assert profile.k == 2.0
    assert profile.is_static
    with pytest.raises(SettingsError, match="cannot be read"):
        load_profile("\0.toml")
    with pytest.raises(SettingsError, match="no profile 'scribrug'"):
        load_profile("scribrug")
    for text, message in (
        ("k = 1\n", "'score' is missing"),
        ('score = "bm25"\nz = 1\n', "unknown setting 'z'"),
        ("score = 3\n", "'score' must be"),
        ("score = \n", "not TOML"),
        ('score = "bm25"\nk = nan\n', "finite numbers"),
        ('score = "bm25"\nfield_weights = {title = "x"}\n', "finite numbers"),
        ('score = "bm25"\nfield_weights = {title = -1}\n', "0 or more"),
        ('score = "bm25"\nk = -1\n', "0 or more"),
        ('score = "bm25"\nb = 1.5\n', "0 to 1"),
    ):
        path.write_text(text)
        with pytest.raises(SettingsError, match=message):
            load_profile(str(path))


def test_a_rank_of_zero_is_lower_than_any_other_by_default() -> None:
    """Far from all trusted hosts, pages have none: a logarithm must not make that neutral."""
    evidence = evidence_of(
        ["moon"],
        [(place, 0, 0, 0, 0) for place in range(4)],
        [[10, 0]] * 4,
        documents=100,
        frequencies=[4],
        variables={"page_rank": [0.0, 0.2, np.nan, 5.0]},
    )
    scores = load_profile("default").scores(evidence)
    assert list(np.argsort(scores)) == [0, 1, 2, 3]
