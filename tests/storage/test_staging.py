import io
from pathlib import Path

import pytest
from msgspec.structs import asdict

from gossamer.errors import FormatError, StorageFull
from gossamer.records import Outcome
from gossamer.storage import staging
from gossamer.storage.objects import Data, LocalObjects, MemoryObjects
from gossamer.storage.staging import (
    AttemptWriter,
    delete_attempt,
    read_attempt,
    sweep_staging,
)
from gossamer.storage.warc import read_response

from .rows import exchange, found_link, page_row

A, B = "https://example.org/a", "https://example.org/b"


def staged(objects: MemoryObjects, name: str = "000-1") -> None:
    writer = AttemptWriter(objects, name, keep_raw=True)
    writer.add(page_row(A), [found_link(B), found_link(A)], exchange(A, body=b"body of a"))
    writer.add(page_row(B), [], exchange(B, body=b"body of b"))
    assert writer.finish()


def test_rows_come_back_in_order() -> None:
    objects = MemoryObjects()
    staged(objects)
    attempt = read_attempt(objects, "000-1")
    assert attempt.pages["url"].to_pylist() == [A, B]
    assert attempt.links["target"].to_pylist() == [B, A]
    first = attempt.pages.to_pylist()[0]
    expected = asdict(page_row(A))
    assert first["fetched_at"].timestamp() == expected.pop("fetched_at")
    assert first["via"] == list(expected.pop("via"))
    assert {name: first[name] for name in expected} == expected


def test_pages_know_where_their_responses_lie() -> None:
    objects = MemoryObjects()
    staged(objects)
    attempt = read_attempt(objects, "000-1")
    raw = b"".join(attempt.raw())
    assert len(raw) == attempt.raw_bytes
    for row, body in zip(attempt.pages.to_pylist(), (b"body of a", b"body of b"), strict=True):
        start = row["warc_offset"]
        response = read_response(raw[start : start + row["warc_length"]], "staged")
        assert response.url == row["url"]
        assert response.body == body


def test_raw_bytes_come_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = MemoryObjects()
    staged(objects)
    monkeypatch.setattr(staging, "_COPY_BYTES", 10)
    pieces = list(read_attempt(objects, "000-1").raw())
    assert max(map(len, pieces)) == 10
    assert b"".join(pieces) == objects.get("staging/000-1.warc.gz")


def test_nothing_added_leaves_nothing() -> None:
    objects = MemoryObjects()
    assert not AttemptWriter(objects, "000-1", keep_raw=True).finish()
    assert objects.list() == []


def test_nothing_is_visible_before_the_end() -> None:
    objects = MemoryObjects()
    writer = AttemptWriter(objects, "000-1", keep_raw=True)
    writer.add(page_row(A), [], exchange(A))
    assert objects.list() == []
    writer.discard()
    assert objects.list() == []


@pytest.mark.parametrize("keep_raw", [True, False])
def test_kinds_without_content_have_no_object(keep_raw: bool) -> None:
    objects = MemoryObjects()
    writer = AttemptWriter(objects, "000-1", keep_raw)
    failed = exchange(A, status=0, outcome=Outcome.DNS_ERROR) if keep_raw else exchange(A)
    writer.add(page_row(A, outcome=Outcome.DNS_ERROR), [], failed)
    writer.add(page_row(B), [], None)
    assert writer.finish()
    assert objects.list() == ["staging/000-1.pages.arrow"]
    attempt = read_attempt(objects, "000-1")
    assert attempt.links.num_rows == 0
    assert list(attempt.raw()) == []
    assert attempt.pages["warc_length"].to_pylist() == [0, 0]


def test_large_attempts_leave_memory_for_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "_RAW_IN_MEMORY", 1000)
    files: list[Path] = []

    class Watching(MemoryObjects):
        def put(self, name: str, data: Data) -> None:
            if isinstance(data, Path):
                files.append(data)
            super().put(name, data)

    objects = Watching()
    writer = AttemptWriter(objects, "000-1", keep_raw=True)
    urls = [f"https://example.org/{number}" for number in range(20)]
    for url in urls:
        writer.add(page_row(url), [], exchange(url))
    assert writer.finish()
    assert len(files) == 1
    assert not files[0].exists()
    attempt = read_attempt(objects, "000-1")
    raw = b"".join(attempt.raw())
    for row in attempt.pages.to_pylist():
        member = raw[row["warc_offset"] :][: row["warc_length"]]
        assert read_response(member, "staged").url == row["url"]


def test_finish_can_be_repeated_when_there_is_room_again() -> None:
    class Full(MemoryObjects):
        room = 1

        def put(self, name: str, data: Data) -> None:
            if self.room == 0:
                raise StorageFull("full")
            self.room -= 1
            super().put(name, data)

    objects = Full()
    writer = AttemptWriter(objects, "000-1", keep_raw=True)
    writer.add(page_row(A), [found_link(B)], exchange(A))
    with pytest.raises(StorageFull):
        writer.finish()
    with pytest.raises(FormatError, match="missing"):
        read_attempt(objects, "000-1")
    objects.room = 3
    assert writer.finish()
    assert read_attempt(objects, "000-1").links.num_rows == 1


@pytest.mark.parametrize("kind", ["pages.arrow", "links.arrow", "warc.gz"])
@pytest.mark.parametrize("damage", ["missing", "short", "foreign"])
def test_damage_is_named(kind: str, damage: str) -> None:
    objects = MemoryObjects()
    staged(objects)
    name = f"staging/000-1.{kind}"
    data = objects.get(name)
    assert data is not None
    if damage == "missing":
        objects.delete(name)
    else:
        objects.put(name, data[: len(data) // 2] if damage == "short" else b"something else")
    with pytest.raises(FormatError, match=name):
        list(read_attempt(objects, "000-1").raw())


def test_attempts_are_deleted_and_swept() -> None:
    objects = MemoryObjects()
    for name in ("000-1", "000-2", "000-3"):
        staged(objects, name)
    objects.put("segments/pages-000001.parquet", b"")
    delete_attempt(objects, "000-2")
    delete_attempt(objects, "000-2")
    assert sweep_staging(objects, keep={"000-3", "000-9"}) == 3
    assert {name.partition(".")[0] for name in objects.list()} == {
        "segments/pages-000001",
        "staging/000-3",
    }


def test_what_is_finished_is_on_the_disk(tmp_path: Path) -> None:
    writer = AttemptWriter(LocalObjects(tmp_path), "000-1", keep_raw=True)
    writer.add(page_row(A), [found_link(B)], exchange(A))
    assert writer.finish()
    attempt = read_attempt(LocalObjects(tmp_path), "000-1")
    assert attempt.pages.num_rows == attempt.links.num_rows == 1
    assert io.BytesIO(b"".join(attempt.raw())).read(2) == b"\x1f\x8b"
