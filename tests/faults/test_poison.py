"""Pages that kill, hang or confuse their parser cost themselves, and no other page."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from gossamer.config import CrawlSettings
from gossamer.crawl.coordinator import Coordinator
from gossamer.crawl.inflight import marked
from gossamer.crawl.plan import End, Plan
from gossamer.records import Item, Link
from gossamer.roles import WORKERS, RunFolder, WorkerSpecs
from gossamer.runtime.contract import RoleSpec
from gossamer.runtime.processes import ProcessRuntime
from gossamer.storage.objects import LocalObjects
from gossamer.storage.pages import PageStore
from gossamer.urls import parse
from tests.crawling import assert_adds_up
from tests.faults import poisoned_workers
from tests.web import LocalWeb, TreeShape

ROOT = Path(__file__).parents[2]
SECONDS = 90.0
TREE = {"depth": 3, "fanout": 4, "hosts": 4, "words": 30}

pytestmark = pytest.mark.fault


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers import the poison from there."""
    monkeypatch.chdir(ROOT)


class PoisonedRun:
    """A run as the composition root conducts it, but for its fetchers' processors."""

    def __init__(self, home: Path, web: LocalWeb, pages: list[int], **settings: Any) -> None:
        self.folder = RunFolder(home / "runs" / "poison-1")
        self.folder.frontier.mkdir(parents=True)
        self.web = web
        self._settings = CrawlSettings(
            seeds=tuple(web.tree_urls()[number] for number in pages),
            scope="anywhere",
            allow_private=True,
            delay_seconds=0,
            fetchers=2,
            resolve=web.resolve,
            **settings,
        )

    def conduct(self) -> End:
        return asyncio.run(asyncio.wait_for(self._conduct(), SECONDS))

    async def _conduct(self) -> End:
        specs = WorkerSpecs(self.folder, "poison-1", self._settings)
        runtime = ProcessRuntime([WORKERS, poisoned_workers.MODULE])

        def poisoned(number: int, incarnation: int) -> RoleSpec:
            factory = f"{poisoned_workers.MODULE}:fetcher_role"
            return structs.replace(specs.fetcher(number, incarnation), factory=factory)

        coordinator = Coordinator(
            Plan(
                run="poison-1",
                settings=self._settings,
                seeds=tuple(_seed(url) for url in self._settings.seeds),
                queue_spec=specs.queue,
                fetcher_spec=poisoned,
                roller_spec=specs.roller,
                processing=self._processing,
                free_bytes=lambda: shutil.disk_usage(self.folder.path).free,
                stop_asked=lambda: False,
                on_progress=lambda _: None,
                on_statistics=lambda *_: None,
                min_free_bytes=0,
            ),
            runtime,
        )
        try:
            return await coordinator.run()
        finally:
            await runtime.close()

    def _processing(self, fetcher: str) -> tuple[tuple[int, int], ...]:
        paths = [self.folder.mark(fetcher)] if fetcher else self.folder.frontier.glob("*.mark")
        return tuple(mark for path in paths if (mark := marked(path)) is not None)

    def rows(self) -> dict[int, dict[str, Any]]:
        """The stored pages by their number in the tree; each of them once."""
        numbers = {url: number for number, url in enumerate(self.web.tree_urls())}
        rows = list(PageStore(LocalObjects(self.folder.path)).pages())
        found = {numbers[row["url"]]: row for row in rows}
        assert len(found) == len(rows)
        return found


def _seed(url: str) -> Link:
    seed = parse(url)
    return Link(Item(seed.href, seed.site_hash, seed.key, depth=0))


def clean_pages(*without: int) -> list[int]:
    """All pages of the tree but the poisonous ones, of which those that are wanted remain."""
    poison = {
        poisoned_workers.KILLS,
        poisoned_workers.KILLS_IN_COMPANY,
        poisoned_workers.RAISES,
        poisoned_workers.HANGS,
        poisoned_workers.TAKES_LONG,
    }
    return [n for n in range(21, TreeShape(**TREE).pages) if n not in poison - {*without}]


def test_pages_that_kill_their_parser(tmp_path: Path) -> None:
    kills, in_company = poisoned_workers.KILLS, poisoned_workers.KILLS_IN_COMPANY
    with LocalWeb(tree=TreeShape(**TREE)) as web:
        pages = clean_pages(kills, in_company)
        run = PoisonedRun(tmp_path, web, pages)
        end = run.conduct()
    assert (end.state, end.reason) == ("finished", "everything in scope has been visited")
    rows = run.rows()
    assert sorted(rows) == pages
    assert rows[kills]["outcome"] == "poison"
    # Alone, in a process of its own, this one can be read.
    assert rows[in_company]["outcome"] == "ok"
    assert rows[in_company]["title"] == f"Page {in_company} of the tree"
    assert {row["outcome"] for number, row in rows.items() if number != kills} == {"ok"}
    assert end.statistics["crashes"] == 4
    assert end.statistics["done.poison"] == 1
    assert end.statistics["pages"] == len(pages)
    assert_adds_up(end.statistics)


def test_a_page_whose_processing_hangs(tmp_path: Path) -> None:
    hangs = poisoned_workers.HANGS
    with LocalWeb(tree=TreeShape(**TREE)) as web:
        pages = clean_pages(hangs)
        run = PoisonedRun(tmp_path, web, pages, hang_seconds=1)
        end = run.conduct()
    assert end.state == "finished"
    rows = run.rows()
    assert sorted(rows) == pages
    assert (rows[hangs]["outcome"], rows[hangs]["detail"]) == ("poison", "took too long")
    assert {row["outcome"] for number, row in rows.items() if number != hangs} == {"ok"}
    assert end.statistics["crashes"] == 2
    assert_adds_up(end.statistics)


def test_a_processor_that_raises(tmp_path: Path) -> None:
    raises = poisoned_workers.RAISES
    with LocalWeb(tree=TreeShape(**TREE)) as web:
        pages = clean_pages(raises)
        run = PoisonedRun(tmp_path, web, pages)
        end = run.conduct()
    assert end.state == "finished"
    rows = run.rows()
    assert sorted(rows) == pages
    assert rows[raises]["outcome"] == "poison"
    assert "a bug of the processor" in rows[raises]["detail"]
    assert {row["outcome"] for number, row in rows.items() if number != raises} == {"ok"}
    assert not end.statistics.get("crashes")
    assert_adds_up(end.statistics)


def test_our_own_slowness_is_not_blamed_on_servers(tmp_path: Path) -> None:
    """While a page is processed nobody reads from the sockets: that is no stall."""
    with LocalWeb(tree=TreeShape(**TREE, latency_seconds=0.1)) as web:
        pages = clean_pages(poisoned_workers.TAKES_LONG)
        run = PoisonedRun(tmp_path, web, pages, stall_timeout_seconds=1, request_timeout_seconds=10)
        end = run.conduct()
    rows = run.rows()
    assert sorted(rows) == pages
    assert {row["outcome"] for row in rows.values()} == {"ok"}
    assert not end.statistics.get("retries")
