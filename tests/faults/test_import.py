"""Imports that are killed, and records that kill: nothing is lost, nothing is stored twice."""

import os
import random
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest

from gossamer.app import Home
from gossamer.config import CrawlSettings
from gossamer.importing import sittings
from gossamer.importing.sittings import Imported, import_files
from tests.cli.commands import start
from tests.crawling import _children, stored_rows, stored_urls, wait_until
from tests.faults import poisoned_importers
from tests.importing.test_sittings import assert_import_adds_up
from tests.importing.warcs import in_members, page_html, response, written

ROOT = Path(__file__).parents[2]
PAGES = 3_000
KILLS = 12

pytestmark = pytest.mark.fault


def archive(path: Path, host: str, pages: int) -> list[str]:
    urls = [f"http://{host}/{number}" for number in range(pages)]
    records = [response(url, page_html(f"{host}{n}")) for n, url in enumerate(urls)]
    written(path, in_members(records))
    return urls


def command(*files: Path) -> list[str]:
    paths = map(str, files)
    return ["import", *paths, "--name", "x", "--segment-pages", "300", "--fetchers", "2", "--json"]


def commits(home: Path) -> int:
    """Batches that are done, -1 before there is a plan. Looking disturbs nobody."""
    path = home / "runs" / "x-1" / "import.db"
    if not path.exists():
        return -1
    ledger = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        count: int = ledger.execute("SELECT count(committed) FROM batch").get
    except apsw.Error:
        return -1  # it is just being made
    finally:
        ledger.close()
    return count


def stored_pages(home: Path) -> int:
    runs = Home(home).runs()
    return int(runs[0].statistics.get("done.ok", 0)) if runs else 0


def test_kill_9_at_random_moments(tmp_path: Path) -> None:
    rng = random.Random(3)
    files = [tmp_path / "a.warc.gz", tmp_path / "b.warc.gz"]
    urls = archive(files[0], "a.test", PAGES) + archive(files[1], "b.test", PAGES)
    home = tmp_path / "home"
    killed = 0
    for turn in range(KILLS):
        # At first while the files are surveyed, then between commits and segments.
        wanted = -1 if turn < 3 else max(0, commits(home)) + rng.randrange(4)
        importing = start(*command(*files), home=home)
        ledger = home / "runs" / "x-1" / "import.db-wal"
        wait_until(
            lambda wanted=wanted, ledger=ledger, importing=importing: (  # type: ignore[misc]
                (ledger.exists() and commits(home) >= wanted) or importing.poll() is not None
            ),
            "the import to get on",
        )
        if importing.poll() is None:
            killed += 1
            os.killpg(importing.pid, signal.SIGKILL)
        importing.communicate()
    ended = start(*command(*files), home=home)
    out, err = ended.communicate(timeout=120)
    assert (ended.returncode, err) == (0, ""), out
    assert killed >= KILLS // 2
    assert stored_urls(home) == Counter(urls)
    (run,) = Home(home).runs()
    assert run.state == "finished"
    assert_import_adds_up(run.statistics)
    assert run.statistics["records"] == len(urls)


def test_single_workers_are_killed(tmp_path: Path) -> None:
    rng = random.Random(4)
    file = tmp_path / "a.warc.gz"
    urls = archive(file, "a.test", 2 * PAGES)
    home = tmp_path / "home"
    importing = start(*command(file), home=home)
    kills = 0
    while importing.poll() is None and kills < 6:
        workers = [pid for nursery in _children(importing.pid) for pid in _children(nursery)]
        wanted = commits(home) + rng.randrange(1, 4)
        wait_until(
            lambda wanted=wanted: commits(home) >= wanted or importing.poll() is not None,  # type: ignore[misc]
            "the import to get on",
        )
        if len(workers) == 3:  # the first is the roller
            with suppress(ProcessLookupError):
                os.kill(rng.choice(workers[1:]), signal.SIGKILL)
                kills += 1
    out, err = importing.communicate(timeout=120)
    assert (importing.returncode, err) == (0, ""), out
    assert kills
    assert stored_urls(home) == Counter(urls)
    (run,) = Home(home).runs()
    assert_import_adds_up(run.statistics)


def test_ctrl_c_then_the_same_command(tmp_path: Path) -> None:
    file = tmp_path / "a.warc.gz"
    urls = archive(file, "a.test", 2 * PAGES)
    home = tmp_path / "home"
    importing = start(*command(file), home=home)
    wait_until(lambda: commits(home) > 0 or importing.poll() is not None, "the first pages")
    os.killpg(importing.pid, signal.SIGINT)
    out, err = importing.communicate(timeout=60)
    assert (importing.returncode, err) == (0, ""), out
    assert Home(home).runs()[0].state == "stopped"
    assert len(stored_urls(home)) == stored_pages(home)
    rest = start(*command(file), home=home)
    rest.communicate(timeout=120)
    assert stored_urls(home) == Counter(urls)


# Poison


def poisoned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *names: str, **settings: Any
) -> Imported:
    monkeypatch.chdir(ROOT)  # workers import the poison from there
    monkeypatch.setattr(sittings, "_WORKER", poisoned_importers.MODULE)
    records = [response(f"http://a.test/{n}", page_html(f"page{n}")) for n in range(30)]
    for place, name in enumerate(names):
        records.insert(7 * (place + 1), response(f"http://a.test/{name}", page_html(name)))
    path = written(tmp_path / "a.warc.gz", in_members(records))
    values = CrawlSettings(fetchers=2, **settings)
    return import_files(Home(tmp_path), [path], values, on_progress=lambda _: None)


def outcomes(home: Path) -> dict[str, str]:
    return {row["url"].rpartition("/")[2]: row["outcome"] for row in stored_rows(home)}


def test_records_that_kill_their_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kills, company = poisoned_importers.KILLS, poisoned_importers.KILLS_IN_COMPANY
    done = poisoned(tmp_path, monkeypatch, kills, company, poisoned_importers.RAISES)
    found = outcomes(tmp_path)
    assert len(found) == 33
    assert found.pop(kills) == found.pop(poisoned_importers.RAISES) == "poison"
    assert set(found.values()) == {"ok"}  # alone, in a process of its own, one can be read
    assert done.report.statistics["crashes"] == 2
    assert_import_adds_up(done.report.statistics)


def test_a_record_whose_processing_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.importing.conductor._PING_EVERY_SECONDS", 0.1)
    done = poisoned(tmp_path, monkeypatch, poisoned_importers.HANGS, hang_seconds=1)
    found = outcomes(tmp_path)
    assert found.pop(poisoned_importers.HANGS) == "poison"
    assert (len(found), set(found.values())) == (30, {"ok"})
    assert done.report.statistics["crashes"] == 1
