"""Stored changes that cannot be applied yet: logged once, and tried again later each time."""

import json
import logging
from pathlib import Path

import pytest

import gossamer
from gossamer.app import serving_changes
from gossamer.app.serving_changes import ChangeApplier
from gossamer.config import IndexSettings


def test_a_failure_is_logged_once_and_tried_again_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "stones.jsonl"
    line = json.dumps({"id": "1", "text": "amber", "price": 1})
    file.write_text(line)
    with gossamer.open(tmp_path / "home") as indexes:
        indexes.build("stones", (), file, IndexSettings(language="en"))
        file.write_text("")
        indexes.patch_documents("stones", {"id": "1", "price": 7}, wait=False)
        applier = ChangeApplier(indexes)
        pauses = []
        with caplog.at_level(logging.ERROR):
            for _ in range(6):
                applier._apply("stones")
                applier._look()
                assert "stones" in applier._due, "a look does not make it due at once"
                del applier._due["stones"]
                pauses.append(applier._failures["stones"][1])
        messages = [one.getMessage() for one in caplog.records]
        assert len(messages) == 1
        assert "is empty; it had 1 document at" in messages[0]
        assert pauses == [30, 60, 120, 240, 300, 300]
        assert pauses[-1] == serving_changes._LONGEST_SECONDS
        file.write_text(line)
        applier._apply("stones")
        assert not applier._failures
        assert indexes.search("stones", "price:7").total == 1
        indexes.delete("stones")
        applier._apply("stones")
        assert len(caplog.records) == 1
