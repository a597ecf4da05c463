"""kill -9 while pages are being forgotten: readers never see them again, and all others always;
the same command finishes it."""

import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from gossamer.app import Home
from tests.cli.commands import gossamer, start
from tests.crawling import AT_ONCE, Crawl, assert_adds_up, resolve_options, wait_until
from tests.storage.traces import traces_in_files
from tests.web import LocalWeb, TreeShape

KILLS = 8
TREE = TreeShape(depth=4, fanout=5, hosts=4, words=60)
RUN = "killed-1"

pytestmark = pytest.mark.fault


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A run of many small segments."""
    home = tmp_path_factory.mktemp("crawled")
    with LocalWeb(tree=TREE) as web:
        Crawl(
            home,
            *(web.tree_urls()[0], "--name", "killed", "--scope", "anywhere", *AT_ONCE),
            *("--fetchers", "1", "--schedule-urls", "5", "--segment-pages", "20", "--no-keep-raw"),
            *resolve_options(TREE.names),
        ).report()
        return home, web.tree_urls()


def forget_arguments(url: str, host: str) -> tuple[str, ...]:
    return ("forget", RUN, "--url", url, "--host", host, "--links", "--yes")


def is_gone(url: str, gone: str, host: str) -> bool:
    return url == gone or f"//{host}/" in url


def check_finished(home: Path, expected: set[str], gone: str, host: str) -> None:
    assert {row["url"] for row in Home(home).pages(RUN)} == expected
    assert traces_in_files(home, gone) == []
    assert traces_in_files(home, f"//{host}/") == []
    statistics = Home(home).run(RUN).statistics
    assert_adds_up(statistics)
    assert statistics["stored.pages"] == len(expected)
    assert statistics["pages"] == len(expected)
    segments = home / "runs" / RUN / "segments"
    assert not list(segments.glob(".*"))


def test_killed_at_any_moment(crawled: tuple[Path, list[str]], tmp_path: Path) -> None:
    home, urls = crawled
    rng = random.Random(5)
    gone = urls[123]  # no other address begins so
    kept = {urls[0].split("/")[2], gone.split("/")[2]}  # of the seed, and of the page
    host = next(name for url in urls if (name := url.split("/")[2]) not in kept)
    expected = {url for url in urls if not is_gone(url, gone, host)}
    assert len(expected) < len(urls) - 20

    whole = tmp_path / "whole"
    shutil.copytree(home, whole)
    tombstones = Path("runs", RUN, "tombstones")
    process = start(*forget_arguments(gone, host), home=whole)
    wait_until((whole / tombstones).exists, "the takedown")
    began = time.monotonic()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err + out
    seconds = time.monotonic() - began
    check_finished(whole, expected, gone, host)

    unfinished = 0
    for number in range(KILLS):
        copy = tmp_path / str(number)
        shutil.copytree(home, copy)
        process = start(*forget_arguments(gone, host), home=copy)
        wait_until((copy / tombstones).exists, "the takedown", every_seconds=0.001)
        time.sleep(rng.uniform(0.0, seconds))  # any moment: that is what is tried
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if traces_in_files(copy, gone):
            unfinished += 1
        else:
            seconds *= 0.8  # it is quicker than it was: the next one comes earlier
        listed = list((copy / tombstones).glob("*.json"))
        if listed:
            assert {row["url"] for row in Home(copy).pages(RUN)} == expected
        if number % 3 == 0:  # the next sitting finishes it as well, and so does tidying up
            assert gossamer("run", "tidy", RUN, home=copy).code == 0
        if number % 3 != 0 or not listed:
            ended = gossamer(*forget_arguments(gone, host), home=copy)
            assert ended.code == 0, ended.err
        check_finished(copy, expected, gone, host)
        shutil.rmtree(copy)
    assert unfinished >= KILLS // 4  # otherwise, it was killed too late to prove anything
