"""Indexes by their names."""

import json
from pathlib import Path

import pytest

import gossamer
from gossamer.config import IndexSettings


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
