import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from gossamer.errors import FormatError, StorageError, StorageFull
from gossamer.storage.objects import LocalObjects, MemoryObjects, ObjectFile


def files_below(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_a_full_disk_is_said_and_leaves_nothing(small_disk: Path) -> None:
    objects = LocalObjects(small_disk)
    objects.put("a", b"kept")
    for put in (objects.put, objects.put_if_absent):
        with pytest.raises(StorageFull, match="Free some space"):
            put("a" if put == objects.put else "b", os.urandom(3_000_000))
    assert files_below(small_disk) == ["a"]
    assert objects.get("a") == b"kept"
    objects.put("b", b"small ones still fit")


def test_a_full_disk_while_copying_a_file(small_disk: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(os.urandom(3_000_000))
    with pytest.raises(StorageFull):
        LocalObjects(small_disk).put("a", source)
    assert files_below(small_disk) == []


def test_a_file_from_another_disk_is_copied(small_disk: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"from afar")
    objects = LocalObjects(small_disk)
    objects.put("a", source)
    assert objects.get("a") == b"from afar"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_no_space_and_no_quota_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    objects = LocalObjects(tmp_path)
    objects.put("a", b"old")
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(StorageFull):
        objects.put("a", b"new")
    assert objects.get("a") == b"old"
    assert files_below(tmp_path) == ["a"]


def test_other_refusals_name_the_file(tmp_path: Path) -> None:
    objects = LocalObjects(tmp_path)
    objects.put("a", b"a file, not a folder")
    with pytest.raises(StorageError, match="a/b") as caught:
        objects.put("a/b", b"")
    assert not isinstance(caught.value, StorageFull)


def test_what_is_put_is_synced_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    real_sync, real_replace = os.fsync, os.rename

    def sync(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        steps.append("sync folder" if is_folder else "sync file")
        real_sync(descriptor)

    def replace(source: str, target: str) -> None:
        steps.append("name")
        real_replace(source, target)

    objects = LocalObjects(tmp_path)
    objects.put("folder/first", b"")
    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    objects.put("folder/second", b"data")
    assert steps == ["sync file", "name", "sync folder"]
    steps.clear()
    objects.put("new/third", b"data")
    assert steps == ["sync folder", "sync folder", "sync file", "name", "sync folder"]


def test_leftovers_of_crashes_are_hidden_and_swept(tmp_path: Path) -> None:
    objects = LocalObjects(tmp_path)
    objects.put("a/b", b"")
    (tmp_path / "a" / ".tmp-0123").write_bytes(b"half")
    (tmp_path / ".scratch").mkdir()
    (tmp_path / ".scratch" / "file").write_bytes(b"somebody else's")
    assert objects.list() == ["a/b"]
    assert objects.sweep() == 1
    assert files_below(tmp_path) == ["b", "file"]


def test_sweeping_a_store_that_does_not_exist_yet(tmp_path: Path) -> None:
    assert LocalObjects(tmp_path / "none").sweep() == 0


def test_of_many_that_put_if_absent_one_wins(tmp_path: Path) -> None:
    start = threading.Barrier(8)
    won: list[int] = []

    def try_it(number: int) -> None:
        objects = LocalObjects(tmp_path)
        start.wait()
        if objects.put_if_absent("prize", str(number).encode()):
            won.append(number)

    threads = [threading.Thread(target=try_it, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert LocalObjects(tmp_path).get("prize") == str(won[0]).encode()
    assert files_below(tmp_path) == ["prize"]


def test_a_folder_that_was_removed_is_made_again(tmp_path: Path) -> None:
    objects = LocalObjects(tmp_path)
    objects.put("a/b", b"")
    objects.delete("a/b")
    (tmp_path / "a").rmdir()
    objects.put("a/b", b"again")
    assert objects.get("a/b") == b"again"


def test_an_object_file_names_what_is_missing_or_short() -> None:
    objects = MemoryObjects()
    objects.put("short", b"12345")
    with pytest.raises(FormatError, match="short"):
        ObjectFile(objects, "short", 6).read()
    with pytest.raises(FormatError, match="missing"):
        ObjectFile(objects, "missing", 6).read()
