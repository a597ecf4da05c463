import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gossamer.errors import FormatError
from gossamer.storage import schema, tables
from gossamer.storage.manifest import SegmentFile
from gossamer.storage.objects import LocalObjects
from gossamer.storage.tables import equal, scan, starts_with

from .rows import found_link

NAMES = ["a", "b/1", "b/2", "c", "b/3", "é"]


@pytest.fixture
def store(tmp_path: Path) -> tuple[LocalObjects, SegmentFile]:
    """Three row groups of two links each."""
    columns = schema.LinkColumns()
    for number, name in enumerate(NAMES):
        columns.add(f"http://{name}", [found_link("http://x/", anchor=str(number))])
    path = tmp_path / "links.parquet"
    table = pa.Table.from_batches([columns.batch()])
    pq.write_table(table, path, row_group_size=2)
    return LocalObjects(tmp_path), SegmentFile("links.parquet", path.stat().st_size)


def anchors(
    store: tuple[LocalObjects, SegmentFile], *conditions: tables.Condition, backwards: bool = False
) -> str:
    rows = scan(*store, conditions, ["anchor"], backwards)
    return "".join(row["anchor"] for row in rows)


def test_rows_come_forwards_and_backwards(store: tuple[LocalObjects, SegmentFile]) -> None:
    assert anchors(store) == "012345"
    assert anchors(store, backwards=True) == "543210"
    assert anchors(store, starts_with("source", "http://b"), backwards=True) == "421"


def test_conditions(store: tuple[LocalObjects, SegmentFile]) -> None:
    assert anchors(store, equal("source", "http://c")) == "3"
    assert anchors(store, equal("source", "http://bb")) == ""
    assert anchors(store, starts_with("source", "http://")) == "012345"
    assert anchors(store, starts_with("source", "http://é")) == "5"
    assert anchors(store, starts_with("source", "http://b/"), equal("anchor", "4")) == "4"


def test_groups_that_cannot_match_are_not_read(
    store: tuple[LocalObjects, SegmentFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    groups: list[int] = []
    real = tables._read_group

    def watch(parquet: object, group: int, *rest: object) -> object:
        groups.append(group)
        return real(parquet, group, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(tables, "_read_group", watch)
    assert anchors(store, equal("source", "http://c")) == "3"
    assert groups == [1, 2]  # the last one lies around it: b/3 to é
    groups.clear()
    assert anchors(store, starts_with("source", "http://a")) == "0"
    assert groups == [0]


def test_a_table_without_a_column_is_damaged(store: tuple[LocalObjects, SegmentFile]) -> None:
    with pytest.raises(FormatError, match=r"links\.parquet"):
        list(scan(*store, [], ["colour"]))


def test_no_thread_of_arrow_reads_a_python_file(
    store: tuple[LocalObjects, SegmentFile], tmp_path: Path
) -> None:
    """Such a thread may abort the process if it runs when the interpreter ends."""
    file = store[1]
    code = (
        "import os\n"
        "from pathlib import Path\n"
        "from gossamer.storage.manifest import SegmentFile\n"
        "from gossamer.storage.objects import LocalObjects\n"
        "from gossamer.storage.tables import equal, scan\n"
        "before = len(os.listdir('/proc/self/task'))\n"
        f"file = SegmentFile('{file.name}', {file.bytes})\n"
        f"place = LocalObjects(Path({str(tmp_path)!r})), file\n"
        "assert len(list(scan(*place, [equal('source', 'http://c')], ['anchor']))) == 1\n"
        "assert len(list(scan(*place, [], ['anchor', 'source']))) == 6\n"
        "print(len(os.listdir('/proc/self/task')) - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
