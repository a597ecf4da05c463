import msgspec
import pytest

from gossamer.errors import FormatError
from gossamer.storage.manifest import Manifest, Segment, SegmentFile
from gossamer.storage.objects import MemoryObjects


def test_no_manifest_is_an_empty_one() -> None:
    assert Manifest.load(MemoryObjects()) == Manifest()


def test_a_manifest_comes_back() -> None:
    objects = MemoryObjects()
    segment = Segment(1, 10, 20, pages_file=SegmentFile("segments/pages-000001.parquet", 5))
    manifest = Manifest(run="example.org-1", watermarks={0: 7, 12: 9}).with_segment(segment)
    manifest.save(objects)
    assert Manifest.load(objects) == manifest
    assert (manifest.pages, manifest.links, manifest.next_number) == (10, 20, 2)
    assert [file.name for file in segment.files] == ["segments/pages-000001.parquet"]


def test_numbers_go_on_from_the_last_segment() -> None:
    assert Manifest().next_number == 1
    assert Manifest(segments=(Segment(4, 1, 1),)).next_number == 5


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'{"version": 99, "segments": "another shape"}', "version 99"),
        (b"{", "damaged"),
        (b"", "damaged"),
        (b"{}", "damaged"),
        (msgspec.json.encode({"version": 1, "segments": 5}), "damaged"),
    ],
)
def test_other_versions_and_damage_are_refused(data: bytes, problem: str) -> None:
    objects = MemoryObjects()
    objects.put("manifest.json", data)
    with pytest.raises(FormatError, match=problem) as caught:
        Manifest.load(objects)
    assert "manifest.json" in str(caught.value)
