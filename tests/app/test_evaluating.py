"""Profiles and settings compared on a collection of a few documents."""

from pathlib import Path

import pytest

from gossamer.app.evaluating import evaluate
from gossamer.config import IndexSettings

DOCUMENTS = """\
{"id": "a", "text": "The horses were galloping over the meadows."}
{"id": "b", "text": "A shop sells bread and tea."}
"""


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    (tmp_path / "docs.jsonl").write_text(DOCUMENTS)
    (tmp_path / "queries.tsv").write_text("1\tgallop\n")
    (tmp_path / "qrels.tsv").write_text("1 0 a 1\n1 0 lost 1\n")
    return tmp_path


def test_a_profile_that_is_named_twice_is_compared_once(collection: Path) -> None:
    comparison = evaluate(collection, ["bm25", "bm25"], [("", IndexSettings())])
    assert [run.name for run in comparison.runs] == ["bm25"]


def test_configurations_that_differ_only_in_their_language(collection: Path) -> None:
    english, german = IndexSettings(language="en"), IndexSettings(language="de")
    comparison = evaluate(collection, ["bm25"], [("en", english), ("de", german)])
    found = {run.name: run.mean("recall@1000") for run in comparison.runs}
    assert found == {"en bm25": 0.5, "de bm25": 0.0}


def test_empty_queries_are_skipped_and_counted(collection: Path) -> None:
    (collection / "queries.tsv").write_text("1\tgallop\n2\t\n3\t  \n")
    comparison = evaluate(collection, ["bm25"], [("", IndexSettings(language="en"))])
    assert comparison.empty_queries == comparison.as_json()["empty_queries"] == 2
    assert "1 query, 2 empty and skipped" in comparison.as_text()


def test_judged_documents_that_are_missing_are_counted(collection: Path) -> None:
    comparison = evaluate(collection, ["bm25"], [("", IndexSettings(language="en"))])
    assert comparison.missing_documents == 1
    assert comparison.as_json()["missing_documents"] == 1
    assert "1 judged document is not in the collection" in comparison.as_text()
