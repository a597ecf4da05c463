"""What there is to see of runs, and their end."""

import shutil
from datetime import datetime
from pathlib import Path

import pytest

from gossamer.app import Home
from tests.cli.conftest import Crawled


@pytest.fixture
def copy(crawled: Crawled, tmp_path: Path) -> Crawled:
    """A home of one's own, to be changed."""
    shutil.copytree(crawled.home, tmp_path / "home")
    return crawled._replace(home=tmp_path / "home")


def test_runs_are_lines_of_fields(crawled: Crawled) -> None:
    ended = crawled.call("runs")
    assert ended.code == 0
    name, state, pages, queued, started, seeds = ended.out.rstrip("\n").split("\t")
    assert (name, state, pages, queued) == ("sample-1", "finished", "20", "0")
    assert datetime.fromisoformat(started)
    assert seeds == crawled.address


def test_run_by_name_and_by_number(crawled: Crawled) -> None:
    assert crawled.call("run", "show", "1").out == crawled.call("run", "show", "sample-1").out


def test_run_shows_state_settings_and_counts(crawled: Crawled) -> None:
    out = crawled.call("run", "show", crawled.run).out
    assert out.startswith("Run sample-1: finished. Everything in scope has been visited.\n")
    assert f"  seeds    {crawled.address}\n" in out
    changed = out.partition("Settings other than the default\n")[2].partition("\n\n")[0]
    assert dict(line.split() for line in changed.splitlines()) == {
        "name": "sample",
        "allow_private": "true",
        "delay_seconds": "0",
        "fetchers": "1",
    }
    assert "blocked by robots.txt" in out
    assert "200 OK" in out


def test_run_for_programs(crawled: Crawled) -> None:
    info = crawled.call("run", "show", crawled.run, "--json").object
    assert info["statistics"]["pages"] == 20
    assert isinstance(info["statistics"]["pages"], int)
    assert isinstance(info["statistics"]["fetch_seconds"], float)
    assert datetime.fromisoformat(info["started_at"]) < datetime.fromisoformat(info["ended_at"])
    assert crawled.call("runs", "--json").object == {"runs": [info]}


def test_secrets_of_a_run_are_not_shown(copy: Crawled) -> None:
    home = Home(copy.home)
    run = home.record(copy.run)
    home.catalogue.update(run.id, settings={**run.settings, "basic_auth": "me:hunter2"})
    for arguments in (("run", "show", copy.run), ("run", "show", copy.run, "--json")):
        out = copy.call(*arguments).out
        assert "hunter2" not in out
        assert "me:***" in out


def test_unknown_run_names_those_there_are(crawled: Crawled) -> None:
    for arguments in (
        ("run", "show", "sampel-1"),
        ("run", "stop", "sampel-1"),
        ("run", "resume", "sampel-1"),
        ("run", "delete", "sampel-1", "--yes"),
        ("pages", "sampel-1"),
        ("page", "sampel-1", crawled.address),
    ):
        ended = crawled.call(*arguments)
        assert ended.code == 1
        assert "There is no run 'sampel-1'. Did you mean 'sample-1'?" in ended.err


def test_stop_of_a_run_that_does_not_run(crawled: Crawled) -> None:
    ended = crawled.call("run", "stop", crawled.run)
    assert ended.code == 1
    assert "'sample-1' is not running" in ended.err


def test_resume_of_a_finished_run_has_nothing_to_do(crawled: Crawled) -> None:
    ended = crawled.call("run", "resume", crawled.run, "--json")
    assert ended.code == 0
    assert ended.object["state"] == "finished"
    assert ended.object["statistics"]["requests"] == 22


def test_delete_asks_first(copy: Crawled) -> None:
    ended = copy.call("run", "delete", copy.run)
    assert ended.code == 2
    assert "--yes" in ended.err
    assert copy.call("run", "show", copy.run).code == 0


def test_delete_takes_the_pages_too(copy: Crawled) -> None:
    folder = copy.home / "runs" / copy.run
    assert folder.is_dir()
    assert copy.call("run", "delete", copy.run, "--yes") == (0, "Run sample-1 is deleted.\n", "")
    assert not folder.exists()
    assert copy.call("runs").out == ""
    assert copy.call("run", "delete", copy.run, "--yes").code == 1
