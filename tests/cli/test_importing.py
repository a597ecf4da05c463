"""Imports through the command line, from start to report."""

from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Home
from gossamer.cli.importing import SETTINGS, figures
from gossamer.config import CrawlSettings, list_settings
from gossamer.importing.conductor import ImportProgress
from gossamer.storage.objects import LocalObjects
from gossamer.storage.pages import PageStore
from tests.cli.commands import call, gossamer
from tests.cli.conftest import Crawled
from tests.importing.warcs import in_members, response, written

_OF_THE_FETCH = {
    *("warc_offset", "warc_length", "warc_file", "schedule_server", "schedule_number"),
    *("parent", "anchor", "depth", "via", "seconds", "tries"),
}
"""Columns that tell how a page was found and where it lies."""


def _segments(crawled: Crawled) -> list[str]:
    folder = Home(crawled.home).folder(crawled.run).path / "segments"
    return [str(path) for path in sorted(folder.glob("*.warc.gz"))]


def _content(home: Path, run: str) -> dict[str, dict[str, Any]]:
    return {
        row["url"]: {name: value for name, value in row.items() if name not in _OF_THE_FETCH}
        for row in Home(home).pages(run)
    }


def _links(home: Path, run: str) -> dict[str, list[tuple[str, str]]]:
    store = PageStore(LocalObjects(Home(home).folder(run).path))
    return {
        row["url"]: [(link["target"], link["anchor"]) for link in store.links(row["url"])]
        for row in Home(home).pages(run)
    }


def test_an_import_of_a_crawl_is_the_crawl(crawled: Crawled, tmp_path: Path) -> None:
    """All rows and links come out as they were crawled."""
    ended = gossamer("import", *_segments(crawled), "--name", "copy", "--json", home=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    run = ended.object["run"]
    assert run == "copy-1"
    before, after = _content(crawled.home, crawled.run), _content(tmp_path, run)
    assert after.keys() == before.keys()
    for url, row in after.items():
        # Times are kept in milliseconds.
        apart = row.pop("fetched_at") - before[url].pop("fetched_at")
        assert abs(apart.total_seconds()) < 0.01
        # Of two pages with the same text, either may be the first.
        for name in ("duplicate_of", "near_duplicate_of"):
            del row[name], before[url][name]
        assert row == before[url]
    assert _links(tmp_path, run) == _links(crawled.home, crawled.run)
    numbers = ended.object["statistics"]
    assert numbers["documents"] == 18
    assert numbers["duplicates"] == 1
    assert numbers["done.ok"] + numbers["done.http_error"] == numbers["pages"] == 20


def test_the_report_and_what_can_be_done_next(tmp_path: Path) -> None:
    good = [response(f"http://a.test/{number}") for number in range(3)]
    path = written(tmp_path / "few.warc.gz", in_members(good) + b"rubbish")
    ended = gossamer("import", str(path), home=tmp_path / "home")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Run few-1: finished. All records have been imported.\n")
    assert "3 pages (3 documents, 0 duplicates) in " in ended.out
    assert f"{path}, byte {len(in_members(good))}: " in ended.out
    assert "List the pages: python -m gossamer.cli pages few-1" in ended.out
    home = tmp_path / "home"
    listed = call("runs", home=home).out
    assert listed.startswith("few-1\tfinished\t3\t0\t")
    assert call("pages", "few-1", home=home).out.count("http://a.test/") == 3
    assert call("page", "few-1", "http://a.test/1", "--text", home=home).out.startswith("1")
    assert "few.warc.gz" in call("run", "show", "few-1", home=home).out
    again = call("import", str(path), home=home)
    assert again.code == 0
    assert "use --new" in again.out


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"<html>", "is no WARC file: it begins with '<html>'"), (None, "does not exist")],
)
def test_what_cannot_be_imported(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "page.html"
    if content is not None:
        path.write_bytes(content)
    ended = call("import", str(path), "--json", home=tmp_path)
    assert ended.code == 2
    assert message in ended.object["error"]["message"]
    assert ended.err.startswith("Error: '")


def test_nothing_to_import(tmp_path: Path) -> None:
    ended = call("import", home=tmp_path)
    assert ended.code == 2
    assert "FILE" in ended.err


def test_only_what_an_import_heeds_can_be_set(tmp_path: Path) -> None:
    known = {setting.name for setting in list_settings()}
    assert known >= SETTINGS
    text = call("import", "--help", home=tmp_path).out
    assert "--languages" in text
    assert "--delay-seconds" not in text
    refused = call("import", "x.warc", "--max-depth", "3", home=tmp_path)
    assert refused.code == 2
    # The crawl's own options are all there still.
    assert "--max-depth" in call("crawl", "--help", home=tmp_path).out
    CrawlSettings()


def test_settings_reach_the_pages(tmp_path: Path) -> None:
    path = written(tmp_path / "a.warc", response("http://a.test/x"))
    ended = call("import", str(path), "--no-keep-raw", "--fetchers", "1", "--json", home=tmp_path)
    assert ended.code == 0
    (row,) = Home(tmp_path).pages("a-1")
    assert (row["warc_file"], row["warc_length"]) == ("", 0)
    assert call("run", "show", "a-1", "--json", home=tmp_path).object["settings"]["fetchers"] == 1


def test_progress_tells_bytes_then_pages() -> None:
    surveying = ImportProgress("x-1", True, 5_000_000, 20_000_000, 1_000_000, 5.0)
    assert figures(surveying) == [
        "scanning the files: 5.0 MB of 20.0 MB",
        "1.0 MB/s",
        "5.0 s",
    ]
    making = ImportProgress("x-1", False, 1_000, 20_000, 1_234.5, 65.0, broken=3)
    assert figures(making) == ["1,000 of 20,000 pages", "1,234/s", "3 damaged places", "1 min 5 s"]


def test_why_an_address_is_not_in_an_import(tmp_path: Path) -> None:
    page = b"<title>One</title><p>A page with a few words. <a href='/two'>the second</a></p>"
    file = written(tmp_path / "one.warc.gz", in_members([response("http://a.test/", page)]))
    call("import", str(file), "--name", "one", "--no-processes", home=tmp_path)
    for path, said in (("two", "Pages link to it, but it is not in"), ("three", "It is not in")):
        ended = call("why", "one-1", f"http://a.test/{path}", home=tmp_path)
        assert f"{said} the imported files: an import follows no links." in ended.out
        assert f"gossamer crawl http://a.test/{path}\n" in ended.out
        assert "--resume" not in ended.out


def test_the_help_speaks_of_imports(tmp_path: Path) -> None:
    text = " ".join(call("import", "--help", home=tmp_path).out.split())
    assert "Import only pages with addresses like these" in text
    assert "What to import" in text
    for word in ("Follow", "follow only", "crawl", "Fetcher", "fetcher "):
        assert word not in text
