import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gossamer.errors import FormatError, StorageFull
from gossamer.records import CommittedAttempt
from gossamer.storage import draft
from gossamer.storage.manifest import Manifest
from gossamer.storage.objects import Data, LocalObjects, MemoryObjects
from gossamer.storage.staging import AttemptWriter

from .rolling import check_store, roller, stage, urls_of
from .rows import page_row


def test_attempts_become_one_segment(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 1, 3), stage(objects, 2, 0), stage(objects, 4, 2)]
    manifest = roller(objects, tmp_path).roll(attempts)
    check_store(objects, urls_of(attempts, [3, 0, 2]))
    assert manifest == Manifest.load(objects)
    assert manifest.watermarks == {0: 4}
    assert manifest.run == "example.org-1"
    assert [segment.number for segment in manifest.segments] == [1]
    assert objects.list("staging/") == []
    assert list(tmp_path.iterdir()) == []


def test_many_pages_make_several_segments(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, number, 4) for number in range(5)]
    manifest = roller(objects, tmp_path, segment_pages=10).roll(attempts)
    assert [segment.pages for segment in manifest.segments] == [8, 8, 4]
    check_store(objects, urls_of(attempts, [4] * 5))


def test_a_segment_is_filled_to_the_last_page(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 1, 5), stage(objects, 2, 5), stage(objects, 3, 1)]
    manifest = roller(objects, tmp_path, segment_pages=10).roll(attempts)
    assert [segment.pages for segment in manifest.segments] == [10, 1]


def test_an_attempt_is_never_split(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 1, 7), stage(objects, 2, 2)]
    manifest = roller(objects, tmp_path, segment_pages=3).roll(attempts)
    assert [segment.pages for segment in manifest.segments] == [7, 2]


def test_rolling_again_adds_nothing(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 1, 2), stage(objects, 2, 2)]
    first = roller(objects, tmp_path).roll(attempts)
    again = stage(objects, 2, 2)
    assert roller(objects, tmp_path).roll([attempts[0], again]) == first
    check_store(objects, urls_of(attempts, [2, 2]))
    assert objects.list("staging/") == []


def test_the_manifest_is_durable_before_what_it_contains_is_deleted(tmp_path: Path) -> None:
    """A crash between the naming and the syncing of a manifest leaves one that may yet vanish."""
    changes: list[str] = []

    class Watching(MemoryObjects):
        def put(self, name: str, data: Data) -> None:
            changes.append(f"put {name}")
            super().put(name, data)

        def delete(self, name: str) -> None:
            changes.append(f"delete {name}")
            super().delete(name)

    objects = Watching()
    roller(objects, tmp_path).roll([stage(objects, 1, 1)])
    attempt = stage(objects, 1, 1)
    changes.clear()
    roller(objects, tmp_path).roll([attempt])
    assert changes == [
        "put manifest.json",
        "delete staging/000-0000000001.pages.arrow",
        "delete staging/000-0000000001.links.arrow",
        "delete staging/000-0000000001.warc.gz",
    ]


def test_an_attempt_given_twice_is_taken_once(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 1, 2), stage(objects, 2, 2)]
    roller(objects, tmp_path).roll([*attempts, *attempts])
    check_store(objects, urls_of(attempts, [2, 2]))


def test_an_attempt_that_comes_too_late_is_a_fault(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 2, 1), stage(objects, 1, 1)]
    with pytest.raises(ValueError, match="schedule 1 of queue server 0 came after schedule 2"):
        roller(objects, tmp_path).roll(attempts)
    assert len(objects.list("staging/")) == 6


def test_servers_have_watermarks_of_their_own(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 9, 1, server=0), stage(objects, 1, 1, server=1)]
    manifest = roller(objects, tmp_path).roll(attempts)
    assert manifest.watermarks == {0: 9, 1: 1}
    check_store(objects, urls_of(attempts, [1, 1]))


def test_empty_attempts_move_the_watermark_alone(tmp_path: Path) -> None:
    objects = MemoryObjects()
    manifest = roller(objects, tmp_path).roll([CommittedAttempt(0, 5, "", {})])
    assert manifest.watermarks == {0: 5}
    assert manifest.segments == ()
    assert objects.list() == ["manifest.json"]


def test_nothing_to_roll_changes_nothing(tmp_path: Path) -> None:
    objects = MemoryObjects()
    assert roller(objects, tmp_path).roll([]) == Manifest()
    assert objects.list() == []


def test_orphans_of_a_crash_are_removed(tmp_path: Path) -> None:
    objects = MemoryObjects()
    roller(objects, tmp_path).roll([stage(objects, 1, 1)])
    objects.put("segments/pages-000002.parquet", b"half")
    objects.put("segments/raw-000007.warc.gz", b"half")
    (tmp_path / "roll-left").mkdir()
    (tmp_path / "roll-left" / "pages-000002.parquet").write_bytes(b"half")
    attempt = stage(objects, 2, 1)
    roller(objects, tmp_path).roll([attempt])
    check_store(objects, ["https://example.org/0/1/0", "https://example.org/0/2/0"])
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_attempt_stops_the_roll_and_is_named(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, 1, 1), stage(objects, 2, 1)]
    objects.put("staging/000-0000000002.warc.gz", b"cut")
    with pytest.raises(FormatError, match=r"staging/000-0000000002\.warc\.gz"):
        roller(objects, tmp_path).roll(attempts)
    assert objects.list("segments/") == []
    assert objects.get("manifest.json") is None


class Crash(BaseException):
    """As if the process had been killed: no handler of ours runs."""


class Failing(MemoryObjects):
    """Refuses the nth change, before or after it has happened, and every later one."""

    def __init__(self) -> None:
        super().__init__()
        self.left: int | None = None
        self.fault: BaseException = Crash()
        self.after = False
        self.segments: dict[str, bytes] = {}

    def put(self, name: str, data: Data) -> None:
        self._change(lambda: MemoryObjects.put(self, name, data))

    def delete(self, name: str) -> None:
        self._change(lambda: MemoryObjects.delete(self, name))

    def _change(self, change: Any) -> None:
        if self.left is None:
            change()
            return
        if self.left == 0:
            if self.after:
                change()
                self.after = False
            raise self.fault
        self.left -= 1
        change()

    def check_immutable(self) -> None:
        """What a manifest has named stays as it was."""
        for segment in Manifest.load(self).segments:
            for file in segment.files:
                data = self.get(file.name)
                assert data is not None
                assert self.segments.setdefault(file.name, data) == data


@settings(deadline=None)
@given(
    sizes=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=6),
    segment_pages=st.integers(1, 6),
    faults=st.lists(st.tuples(st.integers(0, 25), st.booleans(), st.booleans()), max_size=4),
    split=st.integers(0, 6),
)
def test_whatever_interrupts_it_each_page_is_stored_once_and_in_order(
    sizes: list[tuple[int, int]],
    segment_pages: int,
    faults: list[tuple[int, bool, bool]],
    split: int,
) -> None:
    objects = Failing()
    attempts = [
        stage(objects, number, pages, server=server) for number, (server, pages) in enumerate(sizes)
    ]
    with tempfile.TemporaryDirectory() as scratch:
        for calls, after, full in faults:
            objects.left, objects.after = calls, after
            objects.fault = StorageFull("full") if full else Crash()
            part = attempts[:split] if len(faults) % 2 else attempts
            with contextlib.suppress(Crash, StorageFull):
                roller(objects, Path(scratch), segment_pages).roll(part)
            objects.left = None
            objects.check_immutable()
        roller(objects, Path(scratch), segment_pages).roll(attempts)
        objects.check_immutable()
        check_store(objects, urls_of(attempts, [pages for _, pages in sizes]))
        assert objects.list("staging/") == []
        assert list(Path(scratch).iterdir()) == []


@pytest.mark.parametrize("fault", [Crash(), StorageFull("full")])
@pytest.mark.parametrize("after", [False, True])
def test_every_single_point_of_interruption(
    tmp_path: Path, fault: BaseException, after: bool
) -> None:
    for calls in range(100):
        objects = Failing()
        attempts = [stage(objects, number, 2) for number in range(4)]
        objects.left, objects.after, objects.fault = calls, after, fault
        try:
            roller(objects, tmp_path, segment_pages=4).roll(attempts)
        except (Crash, StorageFull):
            objects.left = None
            objects.check_immutable()
            roller(objects, tmp_path, segment_pages=4).roll(attempts)
            check_store(objects, urls_of(attempts, [2] * 4))
        else:
            assert calls == 3 + 1 + 6 + 3 + 1 + 6  # two segments: files, manifest, deletions
            return
    pytest.fail("the roll never ended")


def test_a_full_store_is_left_without_half_segments(tmp_path: Path) -> None:
    objects = Failing()
    attempts = [stage(objects, 1, 2)]

    class FullForFiles(Failing):
        def put(self, name: str, data: Data) -> None:
            if name.startswith("segments/raw"):
                raise StorageFull("full")
            super().put(name, data)

    full = FullForFiles()
    full._objects = objects._objects
    with pytest.raises(StorageFull):
        roller(full, tmp_path).roll(attempts)
    assert full.list("segments/") == []
    roller(objects, tmp_path).roll(attempts)
    check_store(objects, urls_of(attempts, [2]))


def test_a_full_disk_under_the_scratch_folder(small_disk: Path, tmp_path: Path) -> None:
    objects = LocalObjects(tmp_path / "objects")
    attempts = [stage(objects, 1, 2), stage(objects, 2, 20, body=os.urandom(100_000))]
    with pytest.raises(StorageFull, match="Free some space"):
        roller(objects, small_disk / "scratch").roll(attempts)
    assert list((small_disk / "scratch").iterdir()) == []
    assert objects.list("segments/") == []
    manifest = roller(objects, tmp_path / "scratch").roll(attempts)
    assert manifest.pages == 22


def test_a_full_disk_under_tables(
    small_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft, "_GROUP_BYTES", 10_000)
    objects = LocalObjects(tmp_path / "objects")
    writer = AttemptWriter(objects, "000-1", keep_raw=False)
    for place in range(30):
        noise = os.urandom(50_000).hex()
        writer.add(page_row(f"https://example.org/{place}", text=noise), [], None)
    writer.finish()
    attempt = CommittedAttempt(0, 1, "000-1", {})
    with pytest.raises(StorageFull):
        roller(objects, small_disk).roll([attempt])
    assert list(small_disk.iterdir()) == []
    assert roller(objects, tmp_path / "scratch").roll([attempt]).pages == 30


def test_a_full_disk_under_the_objects(small_disk: Path, tmp_path: Path) -> None:
    objects = LocalObjects(small_disk)
    attempts = [stage(objects, number, 2, body=os.urandom(50_000)) for number in range(6)]
    with pytest.raises(StorageFull):
        roller(objects, tmp_path).roll(attempts)
    assert objects.list("segments/") == []
    assert len(objects.list("staging/")) == 18
    # Smaller segments find room, because each frees the attempts behind it.
    manifest = roller(objects, tmp_path, segment_pages=2).roll(attempts)
    assert manifest.pages == 12
    assert objects.list("staging/") == []


def test_rounds_do_not_share_a_segment(tmp_path: Path) -> None:
    objects = MemoryObjects()
    attempts = [stage(objects, number, 2) for number in range(1, 6)]
    rounds = [0, 0, 1, 1, 2]
    marked = [replace(attempt, round=n) for attempt, n in zip(attempts, rounds, strict=True)]
    manifest = roller(objects, tmp_path).roll(marked)
    assert [(segment.round, segment.pages) for segment in manifest.segments] == [
        (0, 4),
        (1, 4),
        (2, 2),
    ]
    assert manifest.watermarks == {0: 5}
