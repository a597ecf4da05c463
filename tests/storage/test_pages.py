import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from gossamer.errors import FormatError, StorageError, UsageError
from gossamer.records import CommittedAttempt, FoundLink, Outcome, PageRow
from gossamer.storage import draft, schema
from gossamer.storage.compaction import Compactor
from gossamer.storage.manifest import Manifest
from gossamer.storage.objects import LocalObjects, MemoryObjects, ObjectStore
from gossamer.storage.pages import PageStore
from gossamer.storage.segments import Roller
from gossamer.storage.staging import AttemptWriter
from gossamer.storage.tombstones import Tombstones
from gossamer.urls import from_href, parse

from .rows import exchange, found_link, page_row

HOME = "https://example.org/"
OLD = "https://example.org/old"
NEW = "https://example.org/new"
OTHER = "http://other.test/a?b=c"


def publish(
    objects: ObjectStore, scratch: Path, number: int, rows: list[tuple[PageRow, list[FoundLink]]]
) -> Manifest:
    writer = AttemptWriter(objects, str(number), keep_raw=True)
    for page, links in rows:
        answered = page.outcome is not Outcome.TIMEOUT
        body = f"{number}:{page.url}".encode()
        writer.add(page, links, exchange(page.url, body=body) if answered else None)
    writer.finish()
    roller = Roller(objects, scratch, run_name="r-1", segment_pages=100, keep_raw=True)
    return roller.roll([CommittedAttempt(0, number, str(number), {})])


@pytest.fixture
def objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ObjectStore:
    """Two segments of several row groups; NEW is fetched in both."""
    monkeypatch.setattr(draft, "_GROUP_BYTES", 1)
    objects = MemoryObjects()
    first = [
        (page_row(HOME, title="home"), [found_link(OLD), found_link(OTHER)]),
        (page_row(OLD, outcome=Outcome.REDIRECT, status=301, location=NEW), []),
        (page_row(NEW, title="first"), [found_link(HOME)]),
    ]
    second = [
        (page_row(OTHER, title="other", outcome=Outcome.TIMEOUT, status=0), []),
        (page_row(NEW, title="second"), [found_link(OTHER), found_link(HOME)]),
    ]
    publish(objects, tmp_path, 1, first)
    publish(objects, tmp_path, 2, second)
    return objects


def test_pages_come_in_stored_order(objects: ObjectStore) -> None:
    store = PageStore(objects)
    assert [row["url"] for row in store.pages()] == [HOME, OLD, NEW, OTHER, NEW]
    assert list(next(store.pages())) == schema.PAGES.names


def test_pages_by_prefix_limit_and_columns(objects: ObjectStore) -> None:
    store = PageStore(objects)
    rows = store.pages(url_prefix="https://example.org/n", columns=["title", "url"])
    assert [list(row.items()) for row in rows] == [
        [("title", "first"), ("url", NEW)],
        [("title", "second"), ("url", NEW)],
    ]
    assert [row["title"] for row in store.pages("http://other", columns=["title"])] == ["other"]
    assert list(store.pages("https://nowhere.test/")) == []
    assert [row["url"] for row in store.pages(limit=2)] == [HOME, OLD]
    assert list(store.pages(limit=0)) == []
    with pytest.raises(UsageError, match="no column 'colour' of pages"):
        list(store.pages(columns=["url", "colour"]))


def test_columns_that_are_not_asked_for_are_not_read(tmp_path: Path) -> None:
    class Counting(MemoryObjects):
        read = 0

        def get_range(self, name: str, start: int, length: int) -> bytes | None:
            self.read += length
            return super().get_range(name, start, length)

    objects = Counting()
    rows: list[tuple[PageRow, list[FoundLink]]] = [
        (page_row(f"https://example.org/{number}", text=os.urandom(20_000).hex()), [])
        for number in range(50)
    ]
    file = publish(objects, tmp_path, 1, rows).segments[0].pages_file
    assert file is not None
    store = PageStore(objects)
    assert len(list(store.pages(columns=["url"]))) == 50
    assert store.find(parse("https://example.org/missing")) is None
    assert list(store.pages("https://example.com/")) == []
    assert objects.read < file.bytes / 2


def test_find_gives_the_newest(objects: ObjectStore) -> None:
    store = PageStore(objects)
    found = store.find(parse(NEW))
    assert found is not None
    assert found["title"] == "second"
    assert store.find(parse("https://EXAMPLE.org:443/new#part")) == found
    assert store.find(parse("https://example.org/nothing")) is None


def test_find_gives_the_newest_of_one_segment(tmp_path: Path) -> None:
    objects = MemoryObjects()
    rows = [page_row(HOME, title=title) for title in ("first", "second", "third")]
    publish(objects, tmp_path, 1, [(row, []) for row in rows])
    found = PageStore(objects).find(parse(HOME))
    assert found is not None
    assert found["title"] == "third"


def test_aliases_are_the_redirects_to_a_url(objects: ObjectStore) -> None:
    store = PageStore(objects)
    assert [row["url"] for row in store.aliases(NEW)] == [OLD]
    assert store.aliases(HOME) == []


def test_links_are_those_of_the_last_visit(objects: ObjectStore) -> None:
    store = PageStore(objects)
    assert [link["target"] for link in store.links(HOME)] == [OLD, OTHER]
    assert [link["target"] for link in store.links(NEW)] == [OTHER, HOME]
    assert store.links(OLD) == []
    assert store.links(NEW)[0] == {
        "source": NEW,
        "target": OTHER,
        "target_key": parse(OTHER).key,
        "anchor": "anchor",
        "nofollow": False,
        "boilerplate": False,
    }


def test_raw_gives_what_was_received(objects: ObjectStore) -> None:
    store = PageStore(objects)
    bodies = []
    for row in store.pages():
        stored = store.raw(row)
        bodies.append(stored.body.decode() if stored else None)
        if stored:
            assert stored.url == row["url"]
            assert stored.status_line == "HTTP/1.1 200 OK"
            assert stored.header("content-type") == "text/html"
            assert stored.header("x-nothing") == ""
    assert bodies == [f"1:{HOME}", f"1:{OLD}", f"1:{NEW}", None, f"2:{NEW}"]


def test_a_run_without_segments_is_empty() -> None:
    store = PageStore(MemoryObjects())
    assert list(store.pages()) == []
    assert store.find(parse(HOME)) is None
    assert store.links(HOME) == []


def test_readers_see_new_segments(objects: ObjectStore, tmp_path: Path) -> None:
    store = PageStore(objects)
    assert store.find(parse("https://example.org/third")) is None
    publish(objects, tmp_path, 3, [(page_row("https://example.org/third"), [])])
    assert store.find(parse("https://example.org/third")) is not None


@pytest.mark.parametrize("by", ["url", "host", "run"])
def test_what_is_forgotten_is_nowhere(objects: ObjectStore, by: str) -> None:
    store = PageStore(objects)
    row = store.find(parse(NEW))
    assert row is not None
    takedowns: dict[str, dict[str, Any]] = {
        "url": {"urls": [parse(NEW), parse(OLD)]},
        "host": {"hosts": ["example.org"]},
        "run": {"whole_run": True},
    }
    Tombstones.add(objects, **takedowns[by])
    left = {"url": [HOME, OTHER], "host": [OTHER], "run": []}[by]
    assert [page["url"] for page in store.pages()] == left
    assert list(store.pages(columns=["url"])) == [{"url": url} for url in left]
    assert list(store.pages(limit=1, columns=["url"])) == [{"url": url} for url in left[:1]]
    assert store.find(parse(NEW)) is None
    assert store.aliases(NEW) == []
    assert store.links(NEW) == []
    assert store.raw(row) is None


def test_links_to_a_page(objects: ObjectStore) -> None:
    store = PageStore(objects)
    to_home = store.links_to(parse(HOME), 10)
    assert (to_home.number, [link["source"] for link in to_home.some]) == (2, [NEW, NEW])
    assert store.links_to(parse(HOME), 1) == (2, to_home.some[:1])
    assert store.links_to(parse(NEW), 10) == (0, [])
    Tombstones.add(objects, urls=[parse(NEW)])
    assert store.links_to(parse(HOME), 10) == (0, [])
    assert store.links_to(parse(OLD), 10).number == 1


def test_tables_have_the_rows(objects: ObjectStore) -> None:
    store = PageStore(objects)
    rows = [row for table in store.page_tables() for row in table.to_pylist()]
    assert rows == list(store.pages())
    links = [
        row for table in store.link_tables("https://example.org/n") for row in table.to_pylist()
    ]
    assert {link["source"] for link in links} == {NEW}
    (only,) = {tuple(table.column_names) for table in store.link_tables(columns=["target"])}
    assert only == ("target",)
    Tombstones.add(objects, hosts=["example.org"])
    assert list(store.link_tables(columns=["target"])) == []


def test_pages_that_name_it_their_canonical_address(tmp_path: Path) -> None:
    objects = MemoryObjects()
    rows = [page_row(url, canonical=HOME) for url in (HOME, OLD, NEW)]
    publish(objects, tmp_path, 1, [(row, []) for row in rows])
    assert PageStore(objects).named_canonical(HOME, 10) == [OLD, NEW]
    assert PageStore(objects).named_canonical(HOME, 1) == [OLD]


def test_a_reader_is_told_when_segments_are_written_anew(
    objects: ObjectStore, tmp_path: Path
) -> None:
    pages = PageStore(objects).pages()
    next(pages)
    Tombstones.add(objects, urls=[parse(NEW)])
    Compactor(objects, tmp_path, from_href).compact()
    with pytest.raises(StorageError, match="run the same command again") as caught:
        list(pages)
    assert not isinstance(caught.value, FormatError)


def last_byte_of_first_column(data: bytes) -> int:
    column = pq.ParquetFile(io.BytesIO(data)).metadata.row_group(0).column(0)
    start = column.dictionary_page_offset or column.data_page_offset
    return int(start + column.total_compressed_size - 1)


@pytest.mark.parametrize("kind", ["pages", "links", "raw"])
@pytest.mark.parametrize("damage", ["missing", "short", "changed", "foreign"])
def test_damage_is_a_fault_that_names_the_file(
    objects: ObjectStore, kind: str, damage: str
) -> None:
    store = PageStore(objects)
    row = store.find(parse(HOME))
    assert row is not None
    (name,) = objects.list(f"segments/{kind}-000001")
    data = objects.get(name)
    assert data is not None
    if damage == "missing":
        objects.delete(name)
    elif damage == "short":
        objects.put(name, data[:500])
    elif damage == "changed":
        place = row["warc_offset"] + 60 if kind == "raw" else last_byte_of_first_column(data)
        objects.put(name, data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
    else:
        objects.put(name, b"something else" * 1000)
    read: Callable[[], object] = {
        "pages": lambda: list(store.pages()),
        "links": lambda: store.links(HOME),
        "raw": lambda: store.raw(row),
    }[kind]
    with pytest.raises(FormatError, match=name):
        read()


def test_a_table_of_another_version_is_refused(tmp_path: Path) -> None:
    objects = LocalObjects(tmp_path / "objects")
    publish(objects, tmp_path, 1, [(page_row(HOME), [])])
    path = tmp_path / "objects" / "segments" / "pages-000001.parquet"
    table = pq.read_table(path)
    metadata = table.schema.metadata | {b"gossamer.format": b"99"}
    pq.write_table(table.replace_schema_metadata(metadata), path)
    manifest = Manifest.load(objects)
    text = (objects.get("manifest.json") or b"").decode()
    file = manifest.segments[0].pages_file
    assert file is not None
    size = f'"bytes": {path.stat().st_size}'
    objects.put("manifest.json", text.replace(f'"bytes": {file.bytes}', size, 1).encode())
    with pytest.raises(FormatError, match="version '99'"):
        list(PageStore(objects).pages())


def publish_locally(folder: Path) -> str:
    objects = LocalObjects(folder / "objects")
    rows = [(page_row(HOME, title="home"), [found_link(NEW)]), (page_row(NEW), [])]
    publish(objects, folder, 1, list(rows))
    return str(folder / "objects" / "segments")


def test_pandas_reads_the_tables(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    segments = publish_locally(tmp_path)
    frame = pandas.read_parquet(f"{segments}/pages-000001.parquet")
    assert frame["url"].tolist() == [HOME, NEW]
    assert frame["fetched_at"][0] == pandas.Timestamp("2023-11-14 22:13:20.250", tz="UTC")
    assert frame["outcome"].tolist() == ["ok", "ok"]
    links = pandas.read_parquet(f"{segments}/links-000001.parquet")
    assert links["target"].tolist() == [NEW]


def test_duckdb_reads_the_tables(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    segments = publish_locally(tmp_path)
    query = f"""
        select p.title, p.via, l.target, epoch_ms(p.fetched_at), p.outcome
        from '{segments}/pages-*.parquet' p join '{segments}/links-*.parquet' l on l.source = p.url
    """
    assert duckdb.sql(query).fetchall() == [
        ("home", ["https://example.org/old"], NEW, 1_700_000_000_250, "ok")
    ]


def test_segments_one_at_a_time(objects: ObjectStore) -> None:
    store = PageStore(objects)
    numbers = [segment.number for segment in store.stored_segments()]
    assert len(numbers) == 2
    links = [
        (row["source"], row["target"])
        for table in store.segment_links(numbers[1], ["source", "target"])
        for row in table.to_pylist()
    ]
    assert links == [(NEW, OTHER), (NEW, HOME)]
    titles = [
        row["title"]
        for table in store.segment_pages(numbers[1], ["title"])
        for row in table.to_pylist()
    ]
    assert titles == ["other", "second"]
    assert list(store.segment_links(99, ["source"])) == []


def test_a_stamp_changes_when_a_reader_would_find_other_rows(
    objects: ObjectStore, tmp_path: Path
) -> None:
    store = PageStore(objects)
    first = store.stored_segments()
    assert store.stored_segments() == first
    Tombstones.add(objects, urls=[parse(NEW)])
    covered = store.stored_segments()
    assert not set(covered) & set(first)
    assert store.forgotten().covers_url(parse(NEW))
    publish(objects, tmp_path, 3, [(page_row("https://example.org/3"), [])])
    assert store.stored_segments()[:2] == covered, "a further segment changes no other"
    Compactor(objects, tmp_path / "scratch", from_href).compact()
    assert not set(store.stored_segments()) & set(covered)
