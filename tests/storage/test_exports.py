"""Rows as files: what a reader of each format gets back, and files that are whole or not there."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.errors import StorageError, UsageError
from gossamer.storage import schema
from gossamer.storage.exports import (
    Format,
    format_of,
    new_file,
    open_sink,
    pour,
    selected,
)

from .rows import found_link, link_batch

COLUMNS = selected(schema.PAGES, ["url", "key", "via", "fetched_at", "seconds", "truncated"])
ROWS = [
    {
        "url": 'https://example.org/ä,"b"\n',
        "key": -(1 << 63),
        "via": ["http://a.example/", "http://b.example/"],
        "fetched_at": datetime(2024, 1, 2, 3, 4, 5, 678_000, UTC),
        "seconds": 0.5,
        "truncated": True,
    },
    {
        "url": "https://example.org/",
        "key": 7,
        "via": [],
        "fetched_at": datetime(1970, 1, 1, tzinfo=UTC),
        "seconds": 0.0,
        "truncated": False,
    },
]


def written(kind: Format, rows: list[Any], columns: Any = COLUMNS, **more: Any) -> bytes:
    file = io.BytesIO()
    table = pa.Table.from_pylist(rows, schema=columns)
    sink = open_sink(file, kind, columns, raw_cells=more.get("raw_cells", False))
    assert pour([table] if rows else [], sink) == len(rows)
    return file.getvalue()


def test_csv() -> None:
    read = list(csv.DictReader(io.StringIO(written("csv", ROWS).decode(), newline="")))
    assert read == [
        {
            "url": ROWS[0]["url"],
            "key": str(-(1 << 63)),  # a number is no formula
            "via": "http://a.example/ http://b.example/",
            "fetched_at": "2024-01-02T03:04:05.678000+00:00",
            "seconds": "0.5",
            "truncated": "true",
        },
        {
            "url": "https://example.org/",
            "key": "7",
            "via": "",
            "fetched_at": "1970-01-01T00:00:00+00:00",
            "seconds": "0.0",
            "truncated": "false",
        },
    ]


def test_json_lines() -> None:
    first, second = written("jsonl", ROWS).decode().splitlines()
    assert json.loads(first) == {**ROWS[0], "fetched_at": "2024-01-02T03:04:05.678000Z"}
    assert json.loads(second)["via"] == []


def test_parquet() -> None:
    table = pq.read_table(io.BytesIO(written("parquet", ROWS)))
    assert table.schema.equals(COLUMNS)
    assert table.to_pylist() == ROWS


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_no_rows_are_a_file_too(kind: Format) -> None:
    data = written(kind, [])
    if kind == "csv":
        assert data.decode() == ",".join(f'"{name}"' for name in COLUMNS.names) + "\n"
    elif kind == "jsonl":
        assert data == b""
    else:
        assert pq.read_table(io.BytesIO(data)).schema.equals(COLUMNS)


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＠x"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_spreadsheet_runs_nothing(text: str) -> None:
    columns = selected(schema.LINKS, ["anchor"])
    (row,) = csv.DictReader(io.StringIO(written("csv", [{"anchor": text}], columns).decode(), ""))
    assert row["anchor"] == f"'{text}"
    raw = written("csv", [{"anchor": text}], columns, raw_cells=True)
    (row,) = csv.DictReader(io.StringIO(raw.decode(), ""))
    assert row["anchor"] == text


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=5))
def test_any_text_comes_back(texts: list[str]) -> None:
    columns = selected(schema.LINKS, ["source", "anchor"])
    rows = [{"source": "x", "anchor": text} for text in texts]
    lines = written("csv", rows, columns, raw_cells=True).decode()
    assert [row["anchor"] for row in csv.DictReader(io.StringIO(lines, ""))] == texts
    safe = csv.DictReader(io.StringIO(written("csv", rows, columns).decode(), ""))
    assert all(not row["anchor"].startswith(("=", "+", "-", "@", "\t", "\r")) for row in safe)
    objects = written("jsonl", rows, columns).decode().split("\n")[:-1]
    assert [json.loads(line)["anchor"] for line in objects] == texts


def test_tables_are_counted_as_they_go_by() -> None:
    seen: list[int] = []
    table = link_batch("http://a.example/", *[found_link("http://a.example/b")] * 3)
    sink = open_sink(io.BytesIO(), "csv", schema.LINKS, raw_cells=False)
    assert pour([pa.Table.from_batches([table])] * 2, sink, seen.append) == 6
    assert seen == [3, 6]


def test_the_format_by_the_name() -> None:
    names = ("a.csv", "a.CSV", "a.jsonl", "a.ndjson", "a.b.parquet")
    assert [format_of(Path(name)) for name in names] == ["csv", "csv", "jsonl", "jsonl", "parquet"]
    for name in ("a", "a.txt", "csv"):
        with pytest.raises(UsageError, match="give the format"):
            format_of(Path(name))


def test_a_file_is_there_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    with new_file(path, replace=False) as file:
        file.write(b"half")
        file.flush()
        assert not path.exists()
    assert path.read_bytes() == b"half"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_fails_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"before")
    with pytest.raises(UnicodeEncodeError), new_file(path, replace=True) as file:
        file.write(b"half" + "\ud800".encode())
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_there_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"before")
    with pytest.raises(StorageError, match="--force"), new_file(path, replace=False):
        pass
    with new_file(path, replace=True) as file:
        file.write(b"after")
    assert path.read_bytes() == b"after"


def test_a_file_that_came_meanwhile_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    with pytest.raises(StorageError, match="there already"), new_file(path, replace=False):
        path.write_bytes(b"another's")
    assert path.read_bytes() == b"another's"
    assert list(tmp_path.iterdir()) == [path]


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "out.csv"):
        with pytest.raises(UsageError), new_file(path, replace=True):
            pass


def test_a_full_disk_is_told(small_disk: Path) -> None:
    path = small_disk / "out.csv"
    with pytest.raises(StorageError, match="disk is full"), new_file(path, replace=False) as file:
        file.write(b"x" * 10_000_000)
    assert list(small_disk.iterdir()) == []
