"""Crawls through the command line, from start to report."""

import json
import re
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from gossamer.app import Home, Report, RunInfo
from gossamer.cli.crawling import exit_code
from tests.cli.commands import AT_ONCE, Ended, call, gossamer, start
from tests.cli.conftest import Crawled
from tests.crawling import assert_adds_up, wait_until

PAGES = 20
"""Of the small site: those with an answer that is not a redirect."""


def _run(home: Path) -> RunInfo | None:
    return next(iter(Home(home).runs()), None)


# To the end


def test_report_says_what_happened_and_adds_up(crawled: Crawled) -> None:
    ended = crawled.ended
    assert ended.code == 0
    assert ended.err == ""
    out = ended.out
    assert out.startswith("Run sample-1: finished. Everything in scope has been visited.\n")
    assert "20 pages (18 documents, 1 duplicate) in " in out
    rows = [line.rsplit(maxsplit=1) for line in out.splitlines() if line.startswith("  ")]
    numbers = {row[0].strip(): row[1] for row in rows if len(row) == 2 and row[1].isdigit()}
    found, visited, queued, excluded = (
        int(numbers[name]) for name in ("found", "visited", "queued", "excluded")
    )
    assert found == visited + queued + excluded == 22
    assert int(numbers["held"]) + int(numbers["HTTP errors"]) + int(numbers["redirects"]) == 21
    assert numbers["blocked by robots.txt"] == "1"
    assert numbers["200 OK"] == "18"
    assert numbers["404 Not Found"] == "2"
    assert "unaccounted" not in out
    assert "robots.txt" in out.partition("Notes")[2]
    assert out.endswith("List the pages: python -m gossamer.cli pages sample-1\n")


def test_limit_again_and_raised(site: str, tmp_path: Path) -> None:
    """The same command goes on with its run: done at first, then more under a new limit."""
    command = ("crawl", site, *AT_ONCE, "--json")
    first = gossamer(*command, "--max-pages", "5", home=tmp_path)
    assert (first.code, first.err) == (0, "")
    assert first.object["statistics"]["pages"] == 5
    assert "limit of 5 pages" in first.object["reason"]
    assert_adds_up(first.object["statistics"])
    assert all(
        isinstance(number, int)
        for name, number in first.object["statistics"].items()
        if not name.endswith("seconds")
    )

    again = gossamer(*command, "--max-pages", "5", home=tmp_path)
    assert again.code == 0
    assert again.object["run"] == first.object["run"]
    assert again.object["statistics"]["requests"] == first.object["statistics"]["requests"]
    assert "--new" in again.object["reason"]

    raised = gossamer(*command, "--max-pages", "100", home=tmp_path)
    assert raised.code == 0
    assert raised.object["run"] == first.object["run"]
    assert raised.object["statistics"]["pages"] == PAGES
    assert raised.object["statistics"]["elapsed_seconds"] > first.object["elapsed_seconds"]
    assert_adds_up(raised.object["statistics"])
    listed = call("pages", raised.object["run"], "--json", home=tmp_path).object["pages"]
    assert len({page["url"] for page in listed}) == len(listed) == PAGES + 1


def test_other_seeds_ask_for_new_or_resume(crawled: Crawled) -> None:
    address = f"{crawled.address}planets/"
    ended = crawled.call("crawl", address, "--name", "sample", *AT_ONCE)
    assert ended.code == 1
    assert "--new" in ended.err
    assert "--resume" in ended.err


def test_resume_without_a_run(tmp_path: Path) -> None:
    ended = call("crawl", "https://example.org", "--resume", home=tmp_path)
    assert ended.code == 1
    assert "'example.org' has no run to resume" in ended.err


def test_crawler_file(site: str, tmp_path: Path) -> None:
    file = tmp_path / "planets.toml"
    file.write_text(
        f'name = "planets"\nseeds = ["{site}planets/"]\n'
        "[crawl]\nmax_depth = 0\nallow_private = true\ndelay_seconds = 0\nfetchers = 1\n"
    )
    ended = gossamer("crawl", "--crawler", str(file), "--json", home=tmp_path)
    assert ended.code == 0
    assert ended.object["run"] == "planets-1"
    assert ended.object["statistics"]["pages"] == 1
    assert ended.object["statistics"]["excluded.depth"] == 12


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('seeds = ["example.org"]', "line 2: setting 'seeds': 'example.org' has no scheme"),
        ('[crawl]\nseeds = ["./nothing"]', "line 3: setting 'seeds': "),
        ('seeds = ["http://a/"]\nplugins = ["no.py"]', "line 3: setting 'plugins': The plugin "),
        ('seeds = ["http://a/"]\nblock_lists = ["no"]', "line 3: setting 'block_lists': The "),
        ('seed_files = ["no.txt"]', "line 2: setting 'seed_files': "),
        ('seeds = ["http://a/"]\nscope = "patterns"', "line 3: setting 'scope': The scope "),
    ],
)
def test_a_crawler_file_is_pointed_at(tmp_path: Path, lines: str, said: str) -> None:
    """Also where only the attempt shows that a setting is wrong."""
    file = tmp_path / "planets.toml"
    file.write_text(f'name = "planets"\n{lines}\n')
    ended = call("crawl", "--crawler", str(file), home=tmp_path / "home")
    assert ended.code == 2
    assert f"{file}, {said}" in ended.err


def test_the_command_line_is_not_the_fault_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "planets.toml"
    file.write_text('seeds = ["http://a.test/"]\n')
    ended = call("crawl", "example.org", "--crawler", str(file), home=tmp_path / "home")
    assert ended.code == 2
    assert str(file) not in ended.err


def test_files_are_looked_for_beside_the_crawler_file(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, elsewhere = tmp_path / "crawlers", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / "planets.txt").write_text(f"{site}planets/\n")
    (folder / "blocked.txt").write_text("blocked.test\n")
    (folder / "mark.py").write_text("def on_page(page):\n    return {'seen': 1}\n")
    file = folder / "planets.toml"
    file.write_text(
        'name = "planets"\nseed_files = ["planets.txt"]\nblock_lists = ["blocked.txt"]\n'
        'plugins = ["mark.py"]\nallow_private = true\ndelay_seconds = 0\nfetchers = 1\n'
        "max_pages = 1\nprocesses = false\n"
    )
    monkeypatch.chdir(elsewhere)
    home = tmp_path / "home"
    ended = call("crawl", "--crawler", "../crawlers/planets.toml", "--json", home=home)
    assert ended.code == 0, ended.err
    monkeypatch.chdir(tmp_path)
    # The run knows them from anywhere.
    ended = call("run", "resume", "planets-1", "--json", home=home)
    assert ended.code == 0, ended.err
    (page,) = call("pages", "planets-1", "--json", home=home).object["pages"]
    assert page["fields"] == '{"seen": 1}'


def test_unreachable_seed(tmp_path: Path, unused_port: int) -> None:
    seed = f"http://127.0.0.1:{unused_port}/"
    ended = gossamer("crawl", seed, *AT_ONCE, "--retries", "0", home=tmp_path)
    assert ended.code == 1
    assert ended.err == ""
    assert "connection failed" in ended.out
    assert "No server answered" in ended.out
    assert "Show what failed" in ended.out  # the outcome is a row too


def test_private_address_is_refused_and_says_so(site: str, tmp_path: Path) -> None:
    ended = gossamer("crawl", site, "--fetchers", "1", home=tmp_path)
    assert ended.code == 1
    assert "private address (not allowed)" in ended.out
    assert "--allow-private" in ended.out


# Stopping


class Slow(NamedTuple):
    """A crawl that takes its time: two seconds a page."""

    home: Path
    process: "subprocess.Popen[str]"
    run: str
    command: tuple[str, ...]

    def ended(self) -> Ended:
        out, err = self.process.communicate(timeout=60)
        return Ended(self.process.returncode, out, err)


@pytest.fixture
def slow(site: str, tmp_path: Path) -> Iterator[Slow]:
    command = ("crawl", site, "--allow-private", "--delay-seconds", "2", "--fetchers", "1")
    process = start(*command, "--json", home=tmp_path)

    def has_a_page() -> bool:
        assert process.poll() is None, process.communicate()
        run = _run(tmp_path)
        return run is not None and run.statistics.get("pages", 0) >= 1

    wait_until(has_a_page, "the first page")
    run = _run(tmp_path)
    assert run is not None
    yield Slow(tmp_path, process, run.name, command)
    if process.poll() is None:
        process.kill()
        process.communicate()


def test_held_run_is_refused_then_stopped_then_goes_on(slow: Slow) -> None:
    info = call("run", "show", slow.run, "--json", home=slow.home).object
    assert (info["state"], info["pid"]) == ("running", slow.process.pid)

    for refused in (
        call(*slow.command, home=slow.home),
        call("run", "resume", slow.run, home=slow.home),
        call("run", "delete", slow.run, "--yes", home=slow.home),
    ):
        assert refused.code == 1
        assert f"Process {slow.process.pid} is working on '{slow.run}'" in refused.err

    stopped = call("run", "stop", slow.run, home=slow.home)
    assert stopped == (0, f"Run {slow.run} has stopped.\n", "")
    first = slow.ended()
    assert (first.code, first.err) == (0, "")
    assert (first.object["state"], first.object["reason"]) == ("stopped", "stopped by the user")
    assert_adds_up(first.object["statistics"])

    again = call("run", "stop", slow.run, "--json", home=slow.home)
    assert again.code == 1
    assert "not running" in again.object["error"]["message"]

    rest = gossamer(*slow.command, "--delay-seconds", "0", "--json", home=slow.home)
    assert rest.code == 0
    assert rest.object["run"] == slow.run
    assert rest.object["statistics"]["pages"] == PAGES
    assert_adds_up(rest.object["statistics"])


def test_ctrl_c_stops_cleanly_while_another_run_goes_on(slow: Slow, site: str) -> None:
    other = gossamer("crawl", site, "--name", "other", *AT_ONCE, "--json", home=slow.home)
    assert other.code == 0
    assert other.object["statistics"]["pages"] == PAGES
    slow.process.send_signal(signal.SIGINT)
    ended = slow.ended()
    assert (ended.code, ended.err) == (0, "")
    assert ended.object["state"] == "stopped"
    states = {
        run["name"]: run["state"] for run in call("runs", "--json", home=slow.home).object["runs"]
    }
    assert states == {slow.run: "stopped", "other-1": "finished"}


# The sample web


def test_demo_shows_what_to_do_with_a_run(tmp_path: Path) -> None:
    ended = gossamer("demo", home=tmp_path)
    assert ended.code == 0
    assert "Run demo-1: finished. Everything in scope has been visited." in ended.out
    run = _run(tmp_path)
    assert run is not None
    assert run.statistics["status.200"] > 1_500
    assert not [name for name in run.statistics if name.startswith("status.4")]
    assert run.statistics["hosts"] == 5
    assert "\thttp://lantern.example/wiki/Moon\tMoon - Lantern\n" in ended.out
    commands = ended.out.partition("Try next, in another terminal:\n")[2].splitlines()
    read = [line.split() for line in commands if "--text" in line]
    text = call(*read[0][3:], home=tmp_path)
    assert text.code == 0
    assert "the only natural satellite of Earth" in text.out


def test_demo_for_programs(tmp_path: Path) -> None:
    report = gossamer("demo", "--json", home=tmp_path).object
    assert (report["run"], report["state"]) == ("demo-1", "finished")
    assert_adds_up(report["statistics"])


@pytest.mark.parametrize("for_programs", [False, True])
def test_demo_serves_until_it_is_stopped(tmp_path: Path, for_programs: bool) -> None:
    process = start("demo", "--serve", *(["--json"] if for_programs else []), home=tmp_path)
    assert process.stdout is not None
    try:
        first = process.stdout.readline()
        if for_programs:
            address = json.loads(first)["address"]
        else:
            (address,) = re.findall(r"http://[\d.:]+/", first)
            port = address.rstrip("/").rpartition(":")[2]
            rest = "".join(process.stdout.readline() for _ in range(8))
            assert f"http://lantern.localhost:{port}/\n" in rest
            assert f"--resolve lantern.example=127.0.0.1:{port} --allow-private\n" in rest
        # No proxy of the environment may stand between.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(address, timeout=10) as answer:
            assert b"lantern.localhost:" in answer.read()
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")


def test_exit_codes() -> None:
    def ended(state: str, pages: float) -> int:
        return exit_code(Report("r-1", state, "", 1.0, 1.0, {"pages": pages}, []))

    assert ended("finished", 5.0) == ended("stopped", 5.0) == ended("stopped", 0) == 0
    assert ended("finished", 0) == ended("failed", 5.0) == 1


def test_json_is_one_line_on_stdout(crawled: Crawled) -> None:
    for arguments in (("runs",), ("run", "show", crawled.run), ("settings",)):
        out = crawled.call(*arguments, "--json").out
        assert out.count("\n") == 1
        json.loads(out)
