"""Configurations are compared on indexes of their own, wherever they differ in what is indexed."""

import json
from pathlib import Path

import pytest

from gossamer.app.evaluating import evaluate
from gossamer.config import IndexSettings

FRENCH, FINNISH = IndexSettings(language="fr"), IndexSettings(language="fi")


@pytest.mark.parametrize("order", [(FRENCH, FINNISH), (FINNISH, FRENCH)])
def test_configurations_that_differ_in_their_language_are_kept_apart(
    tmp_path: Path, order: tuple[IndexSettings, ...]
) -> None:
    """In French 'chevaux' finds 'cheval'; in another language it does not."""
    texts = {"1": "un cheval de Paris", "2": "un jardin de Lyon"}
    lines = [json.dumps({"id": name, "title": "x", "text": text}) for name, text in texts.items()]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines))
    (tmp_path / "queries.tsv").write_text("q1\tchevaux\n")
    (tmp_path / "qrels.tsv").write_text("q1\t1\t1\n")
    means = evaluate(tmp_path, [], [(one.language, one) for one in order]).as_json()["profiles"]
    assert {name: measured["ndcg@10"] for name, measured in means.items()} == {"fr": 1, "fi": 0}
