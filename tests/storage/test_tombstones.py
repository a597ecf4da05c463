import threading
from pathlib import Path

import pytest

from gossamer.errors import FormatError
from gossamer.storage.objects import LocalObjects, MemoryObjects
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import parse

A, B = parse("https://example.org/a"), parse("https://example.org/b")


def row(address: str) -> dict[str, object]:
    url = parse(address)
    return {"site_hash": url.site_hash, "key": url.key, "host": url.host}


def test_nothing_is_forgotten_at_first() -> None:
    tombstones = Tombstones.load(MemoryObjects())
    assert not tombstones
    assert not tombstones.covers(row("https://example.org/a"))


def test_urls_and_hosts_add_up() -> None:
    objects = MemoryObjects()
    Tombstones.add(objects, urls=[A])
    assert Tombstones.add(objects, hosts=["www.example.org"]) == Tombstones.load(objects)
    tombstones = Tombstones.load(objects)
    assert tombstones
    assert tombstones.covers(row("https://example.org/a"))
    assert tombstones.covers_url(A)
    assert not tombstones.covers_url(B)
    assert tombstones.covers(row("https://www.example.org/anything"))
    assert not tombstones.covers(row("https://other.example.org/anything"))


def test_a_key_is_of_one_site() -> None:
    objects = MemoryObjects()
    tombstones = Tombstones.add(objects, urls=[A])
    assert not tombstones.covers({"site_hash": A.site_hash + 1, "key": A.key, "host": "x"})


def test_a_whole_run() -> None:
    objects = MemoryObjects()
    assert Tombstones.add(objects, whole_run=True).covers_url(B)


def test_the_list_does_not_repeat_what_is_to_be_forgotten() -> None:
    objects = MemoryObjects()
    Tombstones.add(objects, urls=[parse("https://example.org/a-secret-address")])
    assert b"secret" not in (objects.get("tombstones/000001.json") or b"")


def test_takedowns_at_the_same_moment_are_all_kept(tmp_path: Path) -> None:
    start = threading.Barrier(6)

    def take_down(number: int) -> None:
        start.wait()
        Tombstones.add(LocalObjects(tmp_path), hosts=[f"host-{number}"])

    threads = [threading.Thread(target=take_down, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tombstones = Tombstones.load(LocalObjects(tmp_path))
    assert tombstones.hosts == {f"host-{number}" for number in range(6)}


@pytest.mark.parametrize("data", [b"", b"[]", b'{"version": 99}'])
def test_what_cannot_be_read_is_never_ignored(data: bytes) -> None:
    objects = MemoryObjects()
    objects.put("tombstones/000001.json", data)
    with pytest.raises(FormatError, match=r"tombstones/000001\.json"):
        Tombstones.load(objects)
