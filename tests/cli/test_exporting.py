"""Pages and links as files, through the command line."""

import csv
import io
import json
from datetime import datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from gossamer.storage import schema
from tests.cli.commands import gossamer
from tests.cli.conftest import Crawled


def rows_of(crawled: Crawled) -> list[dict[str, object]]:
    pages: list[dict[str, object]] = crawled.call(
        "pages", crawled.run, "--limit", "0", "--json"
    ).object["pages"]
    return pages


def test_pages_in_every_format(crawled: Crawled, tmp_path: Path) -> None:
    expected = rows_of(crawled)
    urls = [row["url"] for row in expected]
    for name in ("pages.csv", "pages.jsonl", "pages.parquet"):
        ended = crawled.call("export", crawled.run, "--to", str(tmp_path / name))
        assert ended == (0, f"Wrote {len(urls)} pages to {tmp_path / name}.\n", "")
    with (tmp_path / "pages.csv").open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert [row["url"] for row in table] == urls
    assert list(table[0]) == schema.PAGES.names
    lines = (tmp_path / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    objects = [json.loads(line) for line in lines]
    for one, other in zip(objects, expected, strict=True):
        moment, known = one.pop("fetched_at"), dict(other)
        assert datetime.fromisoformat(moment) == datetime.fromisoformat(
            str(known.pop("fetched_at"))
        )
        assert one == known
    assert pq.read_table(tmp_path / "pages.parquet")["url"].to_pylist() == urls


def test_links_of_some_pages_in_some_columns(crawled: Crawled, tmp_path: Path) -> None:
    file = tmp_path / "links.csv"
    prefix = f"{crawled.address}planets/mars"
    ended = crawled.call(
        *("export", crawled.run, "--what", "links", "--url", prefix, "--to", str(file)),
        *("--columns", "target, source", "--json"),
    )
    assert ended.object == {
        "run": crawled.run,
        "what": "links",
        "file": str(file),
        "rows": 7,
        "bytes": file.stat().st_size,
    }
    head, *rows = csv.reader(io.StringIO(file.read_text(), ""))
    assert head == ["target", "source"]
    assert {source for _, source in rows} == {prefix}


def test_a_pipe(crawled: Crawled) -> None:
    wanted = ("export", crawled.run, "--to", "-", "--columns", "url,status")
    lines = gossamer(*wanted, "--format", "jsonl", home=crawled.home).out.splitlines()
    assert [json.loads(line)["url"] for line in lines] == [row["url"] for row in rows_of(crawled)]
    ended = gossamer(
        *(*wanted, "--format", "csv", "--url", "http://nowhere.example/"), home=crawled.home
    )
    assert ended == (0, '"url","status"\n', "No rows match.\n")


def test_a_file_is_not_replaced_by_accident(crawled: Crawled, tmp_path: Path) -> None:
    file = tmp_path / "pages.csv"
    file.write_text("before")
    wanted = ("export", crawled.run, "--to", str(file))
    ended = crawled.call(*wanted)
    assert ended.code == 1
    assert "--force" in ended.err
    assert file.read_text() == "before"
    assert crawled.call(*wanted, "--force").code == 0
    assert file.read_text() != "before"
    assert [path.name for path in tmp_path.iterdir()] == ["pages.csv"]


def test_raw_cells(crawled: Crawled, tmp_path: Path) -> None:
    ended = crawled.call(
        *("export", crawled.run, "--to", str(tmp_path / "a.txt"), "--format", "csv", "--raw-cells")
    )
    assert ended.code == 0
    assert (tmp_path / "a.txt").read_text(encoding="utf-8").startswith('"url"')


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--to", "pages.txt"), "give the format"),
        (("--to", "-"), "--format csv or --format jsonl"),
        (("--to", "-", "--format", "parquet"), "--format csv or --format jsonl"),
        (("--to", "-", "--format", "csv", "--json"), "cannot be used with"),
        (("--to", "x.csv", "--columns", "url,colour"), "no column 'colour' of pages, only: url"),
        (("--to", "x.csv", "--columns", "url,url"), "twice"),
        (("--to", "x.csv", "--what", "images"), "'pages', 'links'"),
        (("--to", "nowhere/x.csv"), "no folder"),
        ((), "--to"),
    ],
)
def test_wrong_usage(
    crawled: Crawled,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = crawled.call("export", crawled.run, *arguments)
    assert ended.code == 2
    assert words in ended.err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_run_leaves_no_file(crawled: Crawled, tmp_path: Path) -> None:
    ended = crawled.call("export", "sampel-1", "--to", str(tmp_path / "x.csv"))
    assert ended.code == 1
    assert "There is no run 'sampel-1'" in ended.err
    assert list(tmp_path.iterdir()) == []
