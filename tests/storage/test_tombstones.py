import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gossamer.errors import FormatError
from gossamer.storage.objects import LocalObjects, MemoryObjects
from gossamer.storage.tombstones import Takedown, Takedowns, Tombstones, add_takedown
from gossamer.urls import Url, from_href, parse

A, B = parse("https://example.org/a"), parse("https://example.org/b")


def row(address: str, seconds: float = 0.0) -> dict[str, object]:
    url = parse(address)
    moment = datetime.fromtimestamp(seconds, UTC)
    return {"site_hash": url.site_hash, "key": url.key, "host": url.host, "fetched_at": moment}


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


def test_those_after_a_number() -> None:
    objects = MemoryObjects()
    assert Takedowns.load(objects).last == 0
    add_takedown(objects, Takedown(hosts=("a.example",)))
    add_takedown(objects, Takedown(hosts=("b.example",), links=True))
    takedowns = Takedowns.load(objects)
    assert takedowns.last == 2
    assert takedowns.after(0).hosts == {"a.example", "b.example"}
    assert takedowns.after(0).pointed.hosts == {"b.example"}
    assert takedowns.after(1).hosts == {"b.example"}
    assert not takedowns.after(2)
    assert takedowns.after(2) is takedowns.after(2)


def test_a_number_is_not_given_twice() -> None:
    objects = MemoryObjects()
    assert [add_takedown(objects, Takedown(hosts=(name,))) for name in "abc"] == [1, 2, 3]
    objects.delete("tombstones/000001.json")
    assert add_takedown(objects, Takedown(hosts=("d",))) == 4


def test_too_old() -> None:
    objects = MemoryObjects()
    add_takedown(objects, Takedown(before=1_000.0))
    add_takedown(objects, Takedown(before=500.0))
    tombstones = Tombstones.load(objects)
    assert tombstones.covers(row("https://example.org/a", 999.9))
    assert not tombstones.covers(row("https://example.org/a", 1_000.0))
    assert not tombstones.covers_url(A)  # it may be fetched again


def test_hrefs_are_read_only_if_they_can_be_covered() -> None:
    read: list[str] = []

    def reading(href: str) -> Url:
        read.append(href)
        return from_href(href)

    tombstones = Tombstones(
        urls=frozenset({(A.site_hash, A.key)}), hosts=frozenset({"gone.example"})
    )
    assert tombstones.covers_href(A.href, reading)
    assert not tombstones.covers_href(B.href, reading)
    assert tombstones.covers_href("http://gone.example/x", reading)
    assert not tombstones.covers_href("http://other.example/a", reading)
    assert read == [A.href, B.href]


def test_those_of_the_first_version_are_read() -> None:
    objects = MemoryObjects()
    text = f'{{"version":1,"urls":[[{A.site_hash},{A.key}]],"hosts":[],"whole_run":false}}'
    objects.put("tombstones/000001.json", text.encode())
    assert Tombstones.load(objects).covers_url(A)


def test_a_file_with_another_name_is_not_ignored() -> None:
    objects = MemoryObjects()
    objects.put("tombstones/mine.json", b"{}")
    with pytest.raises(FormatError, match="none of the names"):
        Tombstones.load(objects)
