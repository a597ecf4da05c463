"""Single documents of an index in shards, one of which is damaged."""

from pathlib import Path

import pytest

from gossamer.app.index_documents import stored_document
from gossamer.errors import GossamerError
from tests.searching import SmallSet


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files cannot be counted here")
def test_a_damaged_shard_leaves_no_file_open(tmp_path: Path) -> None:
    index = SmallSet(tmp_path, 3)
    index.write({"id": str(number), "text": "stone"} for number in range(20))
    path = tmp_path / "index"
    assert stored_document(path, "7") is not None
    before = _open_files()
    (meta,) = path.glob("shards/3/2/generations/*/finder/meta.json")
    meta.write_text("{")
    with pytest.raises(GossamerError, match="damaged"):
        stored_document(path, "7")
    assert _open_files() == before
