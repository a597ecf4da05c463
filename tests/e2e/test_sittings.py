"""A run over several sittings: stopped, held, dealt out anew; nothing is lost or fetched twice."""

import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Home
from tests.cli.commands import call
from tests.crawling import (
    AT_ONCE,
    Crawl,
    assert_adds_up,
    crawl_here,
    fetched,
    resolve_options,
    stored_rows,
    stored_urls,
    tree_options,
)
from tests.web import LocalWeb, TreeShape

TREE = TreeShape(depth=4, fanout=4, hosts=6, latency_seconds=0.05, words=30)
MANY = ("--connections-per-host", "3", "--schedule-urls", "20", "--fetchers", "2")


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalWeb]:
    with LocalWeb(tree=TREE) as running:
        yield running


@pytest.fixture
def web(shared: LocalWeb) -> LocalWeb:
    shared.refresh()
    return shared


def reached(crawl: Crawl, web: LocalWeb, pages: int) -> None:
    crawl.wait_until(lambda: len(web.log()) >= pages, f"{pages} requests")


def has_pending_signal(crawl: Crawl) -> bool:
    """Whether a Ctrl-C has not reached the process yet: a second one would be the same."""
    status = Path(f"/proc/{crawl.process.pid}/status").read_text()
    return any(line.split()[1].strip("0") for line in status.splitlines() if "Pnd:" in line)


def assert_whole_tree(home: Path, web: LocalWeb, statistics: dict[str, float]) -> None:
    """Everything is stored, and nothing was asked for twice."""
    assert stored_urls(home) == fetched(web) == Counter(web.tree_urls())
    assert_adds_up(statistics)
    assert statistics["done.ok"] == TREE.pages


def test_ctrl_c_stops_and_the_same_command_goes_on(tmp_path: Path, web: LocalWeb) -> None:
    for pages in (40, 150):
        crawl = Crawl(tmp_path, *tree_options(web, *MANY))
        reached(crawl, web, pages)
        crawl.interrupt()
        report = crawl.report()
        assert (report["state"], report["reason"]) == ("stopped", "stopped by the user")
        assert report["statistics"]["leased"] == 0
        assert_adds_up(report["statistics"])
        # What was in flight has been finished, and is published.
        assert stored_urls(tmp_path) == fetched(web)
        assert 0 < stored_urls(tmp_path).total() < TREE.pages
    report = Crawl(tmp_path, *tree_options(web, *MANY)).report()
    assert report["state"] == "finished"
    assert_whole_tree(tmp_path, web, report["statistics"])


def test_a_second_ctrl_c_stops_at_once(tmp_path: Path, web: LocalWeb) -> None:
    hanging = web.url("hang.test", "/at-once")
    crawl = Crawl(tmp_path, hanging, *AT_ONCE, *resolve_options(["hang.test"]))
    crawl.wait_until(lambda: hanging in fetched(web), "a request that hangs")
    workers = crawl.descendants()
    crawl.interrupt()
    crawl.wait_until(lambda: not has_pending_signal(crawl), "the signal to be taken")
    crawl.interrupt()
    assert_stopped_at_once(crawl, workers, tmp_path)


def test_two_signals_at_the_same_instant(tmp_path: Path, web: LocalWeb) -> None:
    """The second is there before anybody could act on the first; what was committed is kept."""
    crawl = Crawl(tmp_path, *tree_options(web, *MANY))
    reached(crawl, web, 60)
    workers = crawl.descendants()
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
        crawl.process.send_signal(number)
    assert_stopped_at_once(crawl, workers, tmp_path)
    report = Crawl(tmp_path, *tree_options(web, *MANY)).report()
    assert stored_urls(tmp_path) == Counter(web.tree_urls())
    assert_adds_up(report["statistics"])
    assert report["statistics"]["done.ok"] == TREE.pages


def assert_stopped_at_once(crawl: Crawl, workers: list[int], home: Path) -> None:
    """Without the patience that a clean stop has with requests that hang."""
    assert workers
    said = crawl.failure(8)
    assert "run the same command again to continue" in said["error"]["message"]
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]
    (run,) = Home(home).runs()
    assert (run.state, run.reason) == ("stopped", "stopped at once by the user")


def test_stopped_from_another_terminal(tmp_path: Path, web: LocalWeb) -> None:
    crawl = Crawl(tmp_path, *tree_options(web, *MANY))
    reached(crawl, web, 30)
    (run,) = Home(tmp_path).runs()
    assert (run.state, run.pid) == ("running", crawl.process.pid)
    stopped = call("run", "stop", run.name, home=tmp_path)
    assert stopped.code == 0, stopped.err
    assert crawl.report()["state"] == "stopped"
    assert Home(tmp_path).run(run.name).state == "stopped"
    assert call("run", "stop", run.name, home=tmp_path).code == 1
    resumed = call("run", "resume", run.name, "--json", home=tmp_path)
    assert resumed.code == 0, resumed.err
    assert_whole_tree(tmp_path, web, resumed.object["statistics"])


def test_a_run_that_another_process_holds_is_refused(tmp_path: Path, web: LocalWeb) -> None:
    crawl = Crawl(tmp_path, *tree_options(web, *MANY))
    reached(crawl, web, 20)
    (run,) = Home(tmp_path).runs()
    for arguments in (
        ("crawl", *tree_options(web, *MANY)),
        ("run", "resume", run.name),
        ("run", "delete", run.name, "--yes"),
    ):
        refused = call(*arguments, "--json", home=tmp_path)
        assert refused.code == 1, arguments
        assert refused.object["error"]["type"] == "RunHeld"
        assert f"Process {crawl.process.pid} " in refused.object["error"]["message"]
    assert_whole_tree(tmp_path, web, crawl.report()["statistics"])


def test_two_runs_in_one_home_at_the_same_time(tmp_path: Path, web: LocalWeb) -> None:
    crawl = Crawl(tmp_path, *tree_options(web, "--fetchers", "2"))
    reached(crawl, web, 20)
    (tree,) = [run.name for run in Home(tmp_path).runs()]
    report = crawl_here(tmp_path, web, seeds=(web.url("charsets.test"),), scope="host")
    assert report.state == "finished"
    assert crawl.report()["state"] == "finished"
    log = web.log()
    second = [entry.time for entry in log if entry.host == "charsets.test"]
    assert log[0].time < second[0] < second[-1] < log[-1].time  # both were at work
    assert {run.name for run in Home(tmp_path).runs()} == {tree, report.run}
    assert stored_urls(tmp_path, tree) == Counter(web.tree_urls())
    assert {row["host"] for row in stored_rows(tmp_path, report.run)} == {
        f"charsets.test:{web.port}"
    }


def test_another_number_of_queue_servers_each_time(tmp_path: Path, web: LocalWeb) -> None:
    report: dict[str, Any] = {}
    for servers, pages in ((1, 60), (3, 180), (2, 0)):
        crawl = Crawl(tmp_path, *tree_options(web, *MANY, "--queue-servers", str(servers)))
        if pages:
            reached(crawl, web, pages)
            crawl.interrupt()
        report = crawl.report()
        assert_adds_up(report["statistics"], at_rest=not pages)
        journals = list((tmp_path / "runs").glob("*/frontier/queue-*.db"))
        assert len(journals) == servers
    assert report["state"] == "finished"
    assert_whole_tree(tmp_path, web, report["statistics"])


def test_other_queue_servers_after_a_kill(tmp_path: Path, web: LocalWeb) -> None:
    """What was in flight is fetched again, and what was answered is not lost."""
    for servers, pages in ((3, 60), (1, 180)):
        crawl = Crawl(tmp_path, *tree_options(web, *MANY, "--queue-servers", str(servers)))
        reached(crawl, web, pages)
        crawl.kill_group()
    report = Crawl(tmp_path, *tree_options(web, *MANY, "--queue-servers", "2")).report()
    assert stored_urls(tmp_path) == Counter(web.tree_urls())
    assert_adds_up(report["statistics"])
    assert report["statistics"]["done.ok"] == TREE.pages


def test_all_in_one_process(tmp_path: Path, web: LocalWeb) -> None:
    crawl = Crawl(tmp_path, *tree_options(web, *MANY, "--no-processes", "--queue-servers", "2"))
    reached(crawl, web, 30)
    assert Path(f"/proc/{crawl.process.pid}/task/{crawl.process.pid}/children").read_text() == ""
    assert_whole_tree(tmp_path, web, crawl.report()["statistics"])


def test_other_seeds_are_another_crawl(tmp_path: Path, web: LocalWeb) -> None:
    crawl_here(tmp_path, web, seeds=(web.tree_urls()[0],), max_pages=3)
    said = call("crawl", *tree_options(web), web.url("status.test"), "--json", home=tmp_path)
    assert said.code == 1
    assert "other seeds" in said.object["error"]["message"]


@pytest.mark.parametrize(
    ("host", "end", "advice"),
    [
        ("refused.test", "connection failed", "not be connected to"),
        ("silent.test", "timed out", "timed out"),
    ],
)
def test_an_unreachable_seed_ends_soon_and_clearly(
    tmp_path: Path, web: LocalWeb, host: str, end: str, advice: str
) -> None:
    """With the retries, and the wait for a robots.txt, that are the default."""
    crawl = Crawl(
        *(tmp_path, web.url(host), "--allow-private", "--resolve", f"{host}=127.0.0.1"),
        *("--retry-backoff-seconds", "0.2", "--stall-timeout-seconds", "1"),
    )
    said = crawl.failure(20)
    assert said["state"] == "finished"
    assert said["reason"] == f"no seed could be reached: {end}"
    assert any("No server answered" in line for line in said["advice"])
    assert any(advice in line for line in said["advice"])
    assert not said["statistics"].get("excluded.robots")


def test_a_killed_run_says_so(tmp_path: Path, web: LocalWeb) -> None:
    crawl = Crawl(tmp_path, *tree_options(web, *MANY))
    reached(crawl, web, 20)
    crawl.kill_group()
    (run,) = Home(tmp_path).runs()
    assert (run.state, run.pid) == ("failed", 0)
    assert "resume" in run.reason
