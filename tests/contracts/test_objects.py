"""What every object store has to do, whatever it is made of."""

from pathlib import Path

import pytest

from gossamer.storage.objects import LocalObjects, MemoryObjects, ObjectFile, ObjectStore


@pytest.fixture(params=["local", "memory"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    return LocalObjects(tmp_path / "objects") if request.param == "local" else MemoryObjects()


def test_get_returns_what_was_put(objects: ObjectStore) -> None:
    objects.put("a/b.bin", b"hello")
    assert objects.get("a/b.bin") == b"hello"


def test_missing_objects_are_none(objects: ObjectStore) -> None:
    objects.put("folder/there", b"")
    assert objects.get("folder/there") == b""
    assert objects.get("folder/missing") is None
    assert objects.get("elsewhere/missing") is None
    assert objects.get_range("folder/missing", 0, 10) is None


def test_put_replaces(objects: ObjectStore) -> None:
    objects.put("a", b"a longer first version")
    objects.put("a", b"second")
    assert objects.get("a") == b"second"


def test_put_takes_files(objects: ObjectStore, tmp_path: Path) -> None:
    file = tmp_path / "local"
    file.write_bytes(b"from a file")
    objects.put("a", file)
    assert objects.put_if_absent("b", file)
    file.unlink()
    assert objects.get("a") == objects.get("b") == b"from a file"


def test_put_takes_pieces(objects: ObjectStore) -> None:
    long = bytes(range(256)) * 4_000
    objects.put("a", [b"first ", b"", memoryview(long), b" last"])
    assert objects.get("a") == b"first " + long + b" last"
    assert objects.put_if_absent("b", [memoryview(long), b"", long])
    assert objects.get("b") == long * 2
    objects.put("none", [])
    assert objects.get("none") == b""


def test_put_if_absent_never_replaces(objects: ObjectStore) -> None:
    data = b"first"
    assert objects.put_if_absent("a/b", data)
    assert not objects.put_if_absent("a/b", data)
    assert not objects.put_if_absent("a/b", b"second")
    assert objects.get("a/b") == b"first"
    objects.delete("a/b")
    assert objects.put_if_absent("a/b", b"third")


def test_ranges(objects: ObjectStore) -> None:
    objects.put("a", b"0123456789")
    assert objects.get_range("a", 0, 3) == b"012"
    assert objects.get_range("a", 4, 2) == b"45"
    assert objects.get_range("a", 8, 5) == b"89"
    assert objects.get_range("a", 10, 5) == b""
    assert objects.get_range("a", 50, 5) == b""


def test_list_is_sorted_and_goes_by_prefix(objects: ObjectStore) -> None:
    assert objects.list() == []
    for name in ("b/2", "b/1", "b/deep/er", "a", "bb"):
        objects.put(name, b"")
    assert objects.list() == ["a", "b/1", "b/2", "b/deep/er", "bb"]
    assert objects.list("b") == ["b/1", "b/2", "b/deep/er", "bb"]
    assert objects.list("b/") == ["b/1", "b/2", "b/deep/er"]
    assert objects.list("b/d") == ["b/deep/er"]
    assert objects.list("c/") == []
    assert objects.list("a/") == []


def test_delete(objects: ObjectStore) -> None:
    objects.put("a/b", b"")
    objects.delete("a/b")
    objects.delete("a/b")
    objects.delete("never/was")
    assert objects.list() == []


@pytest.mark.parametrize(
    "name", ["", "/a", "a/", "a//b", "../a", "a/../b", "a/..", ".", "a\\b", ".tmp-1", "a\0", "a b"]
)
def test_bad_names_are_refused(objects: ObjectStore, name: str) -> None:
    with pytest.raises(ValueError, match="not the name"):
        objects.get(name)
    with pytest.raises(ValueError, match="not the name"):
        objects.get_range(name, 0, 1)
    with pytest.raises(ValueError, match="not the name"):
        objects.put(name, b"")
    with pytest.raises(ValueError, match="not the name"):
        objects.put_if_absent(name, b"")
    with pytest.raises(ValueError, match="not the name"):
        objects.delete(name)


@pytest.mark.parametrize("prefix", ["/", "..", "../", "a/../b", "/etc"])
def test_bad_prefixes_are_refused(objects: ObjectStore, prefix: str) -> None:
    with pytest.raises(ValueError, match="not the name"):
        objects.list(prefix)


def test_an_object_file_reads_and_seeks(objects: ObjectStore) -> None:
    objects.put("a", b"0123456789")
    with ObjectFile(objects, "a", 10) as file:
        assert file.read(4) == b"0123"
        assert file.tell() == 4
        assert file.read() == b"456789"
        assert file.read() == b""
        assert file.seek(-3, 2) == 7
        assert file.read(2) == b"78"
        assert file.seek(-4, 1) == 5
        assert file.read(100) == b"56789"
