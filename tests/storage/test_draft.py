from pathlib import Path

import pyarrow.parquet as pq
import pytest
from msgspec import structs

from gossamer.records import CommittedAttempt
from gossamer.storage import draft, schema, staging
from gossamer.storage.objects import MemoryObjects, ObjectFile

from .rolling import check_store, link_rows, page_rows, roller, stage, table, urls_of
from .rows import found_link, link_batch


def test_rows_say_which_schedule_they_come_from(tmp_path: Path) -> None:
    objects = MemoryObjects()
    roller(objects, tmp_path).roll([stage(objects, 7, 1, server=3), stage(objects, 8, 1)])
    places = [(row["schedule_server"], row["schedule_number"]) for row in page_rows(objects)]
    assert places == [(3, 7), (0, 8)]
    assert table(objects, "segments/pages-000001.parquet").schema.equals(schema.PAGES)
    assert table(objects, "segments/links-000001.parquet").schema.equals(schema.LINKS)


def test_duplicates_are_marked(tmp_path: Path) -> None:
    objects = MemoryObjects()
    first, second = "https://example.org/0/1/0", "https://example.org/0/1/1"
    roller(objects, tmp_path).roll([stage(objects, 1, 3, duplicates={second: first})])
    assert [row["duplicate_of"] for row in page_rows(objects)] == ["", first, ""]


def test_dropped_pages_and_their_links_are_not_published(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempt = structs.replace(stage(objects, 1, 3), dropped=("https://example.org/0/1/1",))
    manifest = roller(objects, tmp_path).roll([attempt])
    kept = ["https://example.org/0/1/0", "https://example.org/0/1/2"]
    assert [row["url"] for row in page_rows(objects)] == kept
    assert [row["source"] for row in link_rows(objects)] == kept
    assert (manifest.pages, manifest.links) == (2, 2)


def test_pages_without_links(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 1, 2, links=0)]
    manifest = roller(objects, tmp_path).roll(attempts)
    assert manifest.segments[0].links_file is None
    assert [row["url"] for row in page_rows(objects)] == urls_of(attempts, [2])


def test_links_without_pages(tmp_path: Path) -> None:
    """No writer leaves them today, but the format of an attempt allows it."""
    objects = MemoryObjects()
    links = link_batch("https://example.org/a", found_link("https://example.org/b"))
    objects.put("staging/x.links.arrow", staging._to_ipc(links, {}))
    holds = {staging._LINK_ROWS: "1", staging._RAW_BYTES: "0"}
    pages = staging._to_ipc(schema.staged_pages([], []), holds)
    objects.put("staging/x.pages.arrow", pages)
    manifest = roller(objects, tmp_path).roll([CommittedAttempt(0, 1, "x", {})])
    assert (manifest.pages, manifest.links) == (0, 1)
    assert objects.list("segments/") == ["segments/links-000001.parquet"]
    assert link_rows(objects)[0]["source"] == "https://example.org/a"


def test_raw_bytes_can_be_left_out(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 1, 2)]
    manifest = roller(objects, tmp_path, keep_raw=False).roll(attempts)
    assert manifest.segments[0].raw_file is None
    for row in page_rows(objects):
        assert (row["warc_file"], row["warc_offset"], row["warc_length"]) == ("", 0, 0)
    assert objects.list("segments/raw") == []


def test_row_groups_are_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft, "_PAGE_GROUP_ROWS", 6)
    monkeypatch.setattr(draft, "_LINK_GROUP_ROWS", 10)
    objects = MemoryObjects()
    attempts = [stage(objects, number, 4) for number in range(5)]
    roller(objects, tmp_path).roll(attempts)
    check_store(objects, urls_of(attempts, [4] * 5))
    data = objects.get("segments/pages-000001.parquet")
    assert data is not None
    file = pq.ParquetFile(ObjectFile(objects, "segments/pages-000001.parquet", len(data)))
    sizes = [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)]
    assert sizes == [8, 8, 4]


def test_long_pages_make_row_groups_smaller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft, "_GROUP_BYTES", 1)
    objects = MemoryObjects()
    roller(objects, tmp_path).roll([stage(objects, number, 2) for number in range(3)])
    data = objects.get("segments/pages-000001.parquet")
    assert data is not None
    file = pq.ParquetFile(ObjectFile(objects, "segments/pages-000001.parquet", len(data)))
    assert file.num_row_groups == 3
