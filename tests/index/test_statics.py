"""Columns that change without the documents."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gossamer.index.document_source import DocumentSource
from gossamer.index.documents import identity_of
from gossamer.index.generations import IndexFolder
from gossamer.index.reader import IndexReader
from gossamer.index.statics import NO_STATICS, Statics, StaticSource
from gossamer.index.writer import Change, IndexWriter
from gossamer.search.companions import write_companions
from gossamer.text import AnalysisSettings
from tests.searching import SmallIndex

Write = Callable[..., Change]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    index = SmallIndex(tmp_path)
    path = tmp_path / "documents.jsonl"

    def written(documents: list[str], statics: StaticSource = NO_STATICS) -> Change:
        lines = [json.dumps({"id": one, "title": one, "text": f"the {one}"}) for one in documents]
        path.write_text("".join(f"{line}\n" for line in lines))
        source = DocumentSource.of([path], index.fields, lambda _: "en")
        writer = IndexWriter(index.folder, index.fields, AnalysisSettings(), "documents")
        return writer.write(source, ("x",), finish=write_companions, statics=statics)

    return written


def ranks(stamp: str, **values: float) -> StaticSource:
    identities = [identity_of(name) for name in values]
    table = np.array([[value] for value in values.values()])
    return StaticSource(stamp, lambda: Statics.of(("page_rank",), identities, table))


def read(tmp_path: Path) -> dict[str, float]:
    reader = IndexReader(IndexFolder(tmp_path / "index"))
    numbers = reader.living()
    found = reader.known_values("page_rank", numbers)
    names = [reader.shown(number)["id"] for number in numbers.tolist()]
    reader.close()
    return {} if found is None else dict(zip(names, found.tolist(), strict=True))


def files(tmp_path: Path) -> dict[str, Any]:
    """What a rewrite would change: parts, and the finder's files."""
    folder = tmp_path / "index"
    return {
        path.name: path.stat().st_ino
        for pattern in ("parts/*/*", "generations/*/finder/*", "generations/*/spelling/*")
        for path in folder.glob(pattern)
        if path.suffix != ".lock"
    }


def test_they_are_replaced_alone(tmp_path: Path, write: Write) -> None:
    write(["amber", "basalt"])
    assert read(tmp_path) == {}
    before = files(tmp_path)
    change = write(["amber", "basalt"], ranks("1", amber=2.0, basalt=0.5))
    assert (change.added, change.changed, change.unchanged) == (0, 0, 2)
    assert read(tmp_path) == {"amber": 2.0, "basalt": 0.5}
    write(["amber", "basalt"], ranks("2", amber=3.0, basalt=0.5))
    assert read(tmp_path)["amber"] == 3.0
    assert files(tmp_path) == before
    assert len(list((tmp_path / "index" / "generations").iterdir())) == 1


def test_nothing_is_written_for_the_same(tmp_path: Path, write: Write) -> None:
    write(["amber"], ranks("1", amber=2.0))
    generations = sorted((tmp_path / "index" / "generations").iterdir())
    write(["amber"], StaticSource("1", lambda: pytest.fail("nobody needs to read them")))
    assert sorted((tmp_path / "index" / "generations").iterdir()) == generations


def test_documents_that_come_and_go_keep_theirs(tmp_path: Path, write: Write) -> None:
    write(["amber", "basalt"], ranks("1", amber=2.0, basalt=0.5))
    write(["basalt", "chalk"], ranks("2", basalt=0.7, chalk=4.0))
    assert read(tmp_path) == {"basalt": 0.7, "chalk": 4.0}
    write(["basalt", "chalk"], ranks("3", chalk=5.0))
    found = read(tmp_path)
    assert found["chalk"] == 5.0
    assert np.isnan(found["basalt"]), "unknown"
    write(["basalt", "chalk"])
    assert read(tmp_path) == {}
