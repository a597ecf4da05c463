"""Indexes by their names."""

import json
from pathlib import Path

import pytest

import gossamer
from gossamer.app.home import Home
from gossamer.config import IndexSettings
from gossamer.storage.query_log import AskedQuery, QueryLog


@pytest.mark.parametrize("shards", [1, 2])
def test_the_stamp_is_another_one_after_an_update_and_after_tuning(
    tmp_path: Path, shards: int
) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps({"id": "1", "text": "amber"}) + "\n")
    indexes = gossamer.open(tmp_path / "home")
    indexes.build("stones", (), documents, IndexSettings(language="en", shards=shards))
    stamps = [indexes.stamp("stones")]
    documents.write_text(json.dumps({"id": "1", "text": "basalt"}) + "\n")
    indexes.update("stones")
    stamps.append(indexes.stamp("stones"))
    indexes.update("stones")
    assert indexes.stamp("stones") == stamps[-1]
    indexes.tune("stones", {"b": 0.5})
    stamps.append(indexes.stamp("stones"))
    assert len(set(stamps)) == 3
    indexes.close()


def test_what_several_have_asked_is_suggested(tmp_path: Path) -> None:
    documents = tmp_path / "documents.jsonl"
    documents.write_text(json.dumps({"id": "1", "text": "amber"}) + "\n")
    home = tmp_path / "home"
    indexes = gossamer.open(home)
    indexes.build("stones", (), documents, IndexSettings(language="en"))
    asked = ["amber room"] * 3 + ["amber secret"]
    QueryLog(Home(home).catalogue.database).add(
        [
            AskedQuery(number, 1.0, "stones", text, 1, 1.0, None)
            for number, text in enumerate(asked, 1)
        ]
    )
    assert indexes.searcher("stones").suggest("amb") == []
    indexes.update("stones")
    indexes.close()
    assert indexes.searcher("stones").suggest("amb") == ["amber room"]
    indexes.close()
