"""A full disk: the run pauses and says so, and goes on when there is room; nothing is lost."""

import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Home
from tests.cli.commands import call
from tests.crawling import Crawl, assert_adds_up, fetched, stored_urls, tree_options
from tests.web import LocalWeb, TreeShape

DISK_BYTES = 96_000_000
TREE = TreeShape(depth=3, fanout=6, hosts=6, latency_seconds=0.1, words=30)

pytestmark = pytest.mark.fault


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None:
        pytest.skip("there is no mount command")
    done = subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", folder],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalWeb]:
    with LocalWeb(tree=TREE) as running:
        yield running


@pytest.fixture
def web(shared: LocalWeb) -> LocalWeb:
    shared.refresh()
    return shared


def fill(disk: Path, leave: int) -> Path:
    """A file that leaves so many bytes of the disk."""
    filler = disk / "filler"
    with filler.open("wb") as file:
        try:
            while (free := shutil.disk_usage(disk).free) > leave:
                file.write(b"\0" * min(free - leave, 1 << 20))
                file.flush()
        except OSError:
            pass  # somebody else took the last block
    return filler


def start(disk: Path, web: LocalWeb, min_free_bytes: int) -> Crawl:
    return Crawl(
        disk / "home",
        *tree_options(
            web,
            *("--fetchers", "2", "--schedule-urls", "20", "--connections-per-host", "2"),
            *("--segment-seconds", "1", "--min-free-bytes", str(min_free_bytes)),
        ),
    )


def shown(home: Path) -> dict[str, Any]:
    """The only run, as `gossamer runs --json` shows it."""
    run: dict[str, Any]
    (run,) = call("runs", "--json", home=home).object["runs"]
    return run


def has_paused(home: Path) -> bool:
    return [run.state for run in Home(home).runs()] == ["paused"]


def assert_whole_tree(home: Path, web: LocalWeb, report: dict[str, Any]) -> None:
    assert report["state"] == "finished"
    assert stored_urls(home) == Counter(web.tree_urls())
    assert_adds_up(report["statistics"])
    assert report["statistics"]["done.ok"] == TREE.pages


def test_a_disk_that_gets_full_is_waited_for(disk: Path, web: LocalWeb) -> None:
    crawl, home = start(disk, web, 30_000_000), disk / "home"
    crawl.wait_until(lambda: len(web.log()) > 60, "some pages")
    filler = fill(disk, leave=25_000_000)
    crawl.wait_until(lambda: has_paused(home), "a pause")
    run = shown(home)
    assert (run["state"], run["reason"][:7]) == ("paused", "paused:")
    assert "Free some space" in run["reason"]
    crawl.wait_until(lambda: shown(home)["statistics"]["leased"] == 0, "what was in flight")
    asked = len(web.log())
    assert asked < TREE.pages
    before = shown(home)["statistics"]["elapsed_seconds"]
    crawl.wait_until(
        lambda: shown(home)["statistics"]["elapsed_seconds"] > before + 1, "time to pass"
    )
    assert len(web.log()) == asked
    filler.unlink()
    report = crawl.report()
    assert_whole_tree(home, web, report)
    assert set(fetched(web).values()) == {1}


def test_a_disk_without_a_single_byte_left(disk: Path, web: LocalWeb) -> None:
    crawl, home = start(disk, web, 0), disk / "home"
    crawl.wait_until(lambda: len(web.log()) > 60, "some pages")
    filler = fill(disk, leave=0)
    crawl.wait_until(lambda: is_at_rest(web), "the crawl to come to a rest")
    assert crawl.process.poll() is None
    filler.unlink()
    assert_whole_tree(home, web, crawl.report())


def is_at_rest(web: LocalWeb) -> bool:
    """Whether nobody has asked for a page for a while."""
    log = web.log()
    return time.time() - log[-1].time > 2.0


def test_stopped_and_started_again_while_the_disk_is_full(disk: Path, web: LocalWeb) -> None:
    crawl, home = start(disk, web, 30_000_000), disk / "home"
    crawl.wait_until(lambda: len(web.log()) > 60, "some pages")
    filler = fill(disk, leave=25_000_000)
    crawl.wait_until(lambda: has_paused(home), "a pause")
    crawl.interrupt()
    report = crawl.report()
    assert report["state"] == "stopped"
    assert stored_urls(home) == fetched(web)
    asked = len(web.log())
    crawl = start(disk, web, 30_000_000)
    crawl.wait_until(lambda: has_paused(home), "another pause")
    assert len(web.log()) == asked
    filler.unlink()
    assert_whole_tree(home, web, crawl.report())
    assert set(fetched(web).values()) == {1}
