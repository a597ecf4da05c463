"""Settings of an indexer, on the shipped collection."""

from pathlib import Path

import pytest

from evaluation.__main__ import HERE as SHIPPED
from experiments.indexer_settings import TABLES, holm, measure, vote_correlation


def test_page_repeats_the_tables_and_plots_b_and_k(tmp_path: Path) -> None:
    page = measure([SHIPPED], b_values=(0.0, 0.75), k_values=(1.2,))
    page.write(tmp_path)
    text = (tmp_path / "indexer-settings.md").read_text(encoding="utf-8")
    for name in TABLES:
        assert f"| {name} | 0." in text
    assert "| b \\ k | 1.2 |" in text
    assert "k = 1.2" in (tmp_path / "indexer-settings-bm25-evaluation.svg").read_text()


def test_votes_say_next_to_nothing_of_relevance() -> None:
    correlation, pairs = vote_correlation(SHIPPED)
    assert pairs > 300
    assert abs(correlation) < 0.2


def test_holm_multiplies_the_smallest_most_and_keeps_the_order() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx(
        {"a": 0.03, "c": 0.06, "b": 0.06}
    )
    assert holm({"a": 0.9, "b": 0.8}) == {"a": 1.0, "b": 1.0}
