"""A crawl over documents: PDF, Word and OpenDocument files among pages."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer import workers
from gossamer.crawl import visitor
from gossamer.extract.isolated import HeavyProcessors
from gossamer.records import Processed, RawPage
from tests.crawling import assert_adds_up, crawl_here, stored_rows
from tests.web import LocalWeb
from tests.web.hosts.documents import PAGES, SENTENCE

Rows = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rows]:
    """Path -> row."""
    home = tmp_path_factory.mktemp("documents")
    with LocalWeb() as web:
        report = crawl_here(home, web, seeds=(web.url("documents.test"),), scope="host")
        assert_adds_up(report.statistics)
        start = web.url("documents.test", "")
    yield {row["url"].removeprefix(start): row for row in stored_rows(home)}
    shutil.rmtree(home)


@pytest.mark.parametrize(
    "path",
    [
        *("/good.pdf", "/good.docx", "/good.odt", "/many-pages.pdf"),
        *("/pdf-as-html", "/pdf-as-octet-stream", "/pdf-without-type", "/docx-as-zip"),
        "/html-as.pdf",
    ],
)
def test_what_can_be_read(rows: Rows, path: str) -> None:
    assert (rows[path]["outcome"], rows[path]["detail"]) == ("ok", "")
    assert SENTENCE in rows[path]["text"]
    assert not rows[path]["truncated"]


def test_all_pages_of_a_large_document(rows: Rows) -> None:
    assert f"Page {PAGES - 1}." in rows["/many-pages.pdf"]["text"]


def test_titles(rows: Rows) -> None:
    assert rows["/good.pdf"]["title"] == "A good PDF"
    assert rows["/good.docx"]["title"] == "A good DOCX"


def test_links_in_documents_are_followed(rows: Rows) -> None:
    assert rows["/from-pdf"]["outcome"] == rows["/from-docx"]["outcome"] == "ok"
    assert (rows["/from-pdf"]["depth"], rows["/from-pdf"]["anchor"]) == (2, "a link")
    assert rows["/from-docx"]["anchor"] == "on"


@pytest.mark.parametrize(
    ("path", "outcome", "detail"),
    [
        ("/locked.pdf", "unreadable", "encrypted: it opens with a password only"),
        ("/cut.pdf", "unreadable", "broken: no PDF, or damaged beyond repair"),
        ("/cut.docx", "unreadable", "broken: a zip that is damaged or cut off"),
        ("/bomb.docx", "unreadable", "refused, a zip bomb: word/document.xml unpacks from"),
        ("/bomb.pdf", "poison", "crashed its reader, or needed more than 1,000 MB of memory"),
        ("/old.doc", "unsupported", "no reader for 'application/msword'"),
        ("/rich-text", "unsupported", "no reader for 'application/rtf', sent as 'text/plain'"),
    ],
)
def test_what_cannot_be_read(rows: Rows, path: str, outcome: str, detail: str) -> None:
    assert rows[path]["outcome"] == outcome
    assert rows[path]["detail"].startswith(detail)
    assert (rows[path]["status"], rows[path]["text"]) == (200, "")


def test_a_document_whose_turn_does_not_come_is_visited_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Busy(HeavyProcessors):
        async def process(self, page: RawPage, wait_seconds: float) -> Processed | None:
            asked.append(page.url)
            return None if len(asked) <= 2 else await super().process(page, wait_seconds)

    monkeypatch.setattr(workers, "HeavyProcessors", Busy)
    monkeypatch.setattr(visitor, "_HEAVY_LATER_SECONDS", 0.1)
    with LocalWeb() as web:
        seed = web.url("documents.test", "/good.pdf")
        report = crawl_here(tmp_path, web, seeds=(seed,), max_depth=0)
        (row,) = stored_rows(tmp_path)
    assert asked == [seed] * 3
    assert (row["outcome"], row["title"], row["tries"]) == ("ok", "A good PDF", 1)
    assert not report.statistics.get("retries")
    assert_adds_up(report.statistics)
