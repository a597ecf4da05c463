"""Pages of results."""

from pathlib import Path

from experiments.page import Page, shown_p


def test_page_holds_prose_tables_and_plots(tmp_path: Path) -> None:
    page = Page("name", "Title")
    page.say("word " * 40)
    page.table(["", "a"], [["row", 1]])
    page.plot("plot", {"line": [(0, 0.25), (1, 0.5)]}, title="Plot", across="x", up="y")
    page.write(tmp_path)
    text = (tmp_path / "name.md").read_text(encoding="utf-8")
    assert text.startswith("# Title\n\nword ")
    assert max(map(len, text.splitlines())) <= 100
    assert "|  | a |\n|---|---:|\n| row | 1 |" in text
    assert "![Plot](name-plot.svg)" in text
    drawn = (tmp_path / "name-plot.svg").read_text(encoding="utf-8")
    assert ">0.1<" in drawn, "parts of one have their own ticks"


def test_small_p_is_told_as_a_bound() -> None:
    assert shown_p(0.00005) == "< 0.001"
    assert shown_p(0.0312) == "0.031"
