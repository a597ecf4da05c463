"""Wrong usage and refusals: a message that helps, the right exit code, never a traceback."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.commands import call, gossamer


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Missing command."),
        (("run",), "A command is missing."),
        (("crawll",), "No such command 'crawll'"),
        (("crawl",), "No seeds given"),
        (("crawl", "example.org"), "did you mean 'https://example.org'?"),
        (("crawl", "example.org:8080/a"), "did you mean 'https://example.org:8080/a'?"),
        (("crawl", "ftp://example.org"), "only http and https"),
        (("crawl", "https://"), "not a valid URL"),
        (("crawl", "https://example.org", "--max-pagse", "5"), "--max-pages"),
        (("crawl", "https://example.org", "--max-pages", "many"), "a whole number, 0 or more"),
        (("crawl", "https://example.org", "--scope", "all"), "'prefix', 'patterns' or 'anywhere'"),
        (("crawl", "https://example.org", "--headers", "Accept"), "must be NAME=VALUE"),
        (("crawl", "https://example.org", "--new", "--resume"), "Use only one of"),
        (("crawl", "https://example.org", "--agent-name", "a b"), "product token"),
        (("crawl", "--crawler", "/nowhere/site.toml"), "no crawler file '/nowhere/site.toml'"),
        (("run", "show"), "Missing argument 'ID'"),
        (("page", "sample-1"), "Missing argument 'URL'"),
        (("pages", "sample-1", "--limit", "-1"), "--limit"),
        (("settings", "search"), "'crawl'"),
        (("demo", "--port", "70000"), "--port"),
    ],
)
def test_wrong_usage_ends_with_2(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    ended = call(*arguments, home=tmp_path / "home")
    assert ended.code == 2
    assert said in ended.err
    assert ended.out == ""
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("runs", "extra"),
        ("crawl", "example.org"),
        ("run", "show", "none-1"),
        ("crawl", "--crawler", "/nowhere/site.toml"),
    ],
)
def test_errors_for_programs_are_one_object(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = call(*arguments, "--json", home=tmp_path)
    assert ended.code in (1, 2)
    assert set(ended.object) == {"error"}
    assert set(ended.object["error"]) == {"type", "message"}
    assert ended.object["error"]["message"] in ended.err


def test_crawler_file_fault_reaches_the_user(tmp_path: Path) -> None:
    file = tmp_path / "site.toml"
    file.write_text('seeds = ["https://example.org"]\nmax_pagse = 5\n')
    ended = call("crawl", "--crawler", str(file), home=tmp_path / "home")
    assert ended.code == 2
    assert f"{file}, line 2: unknown setting 'max_pagse'. Did you mean 'max_pages'?" in ended.err


def test_nothing_there_yet(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert call("runs", home=home) == (0, "", "")
    assert call("runs", "--json", home=home).object == {"runs": []}
    ended = call("run", "show", "sample-1", home=home)
    assert ended.code == 1
    assert "gossamer crawl URL" in ended.err
    assert not home.exists()


def test_home_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = call("crawl", "https://example.org", home=tmp_path / "file" / "home")
    assert ended.code == 1
    assert str(tmp_path / "file") in ended.err
    assert "Traceback" not in ended.err


def test_reader_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    command = f"{sys.executable} -m gossamer.cli settings | head -1"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("seeds\t")
    assert ended.stderr == ""


def test_help_and_version_need_no_crawler(tmp_path: Path) -> None:
    """Measured in CPU time, as the machine may be busy: the crawler's libraries take a second."""
    code = (
        "import sys, time\n"
        "from gossamer.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'gossamer.app', 'pyarrow', 'sqlalchemy', 'pydantic', 'rich', 'pycurl'}\n"
        "print(time.process_time(), sorted(heavy & set(sys.modules)))\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, _, heavy = ended.stdout.splitlines()[-1].partition(" ")
    assert heavy == "[]"
    assert float(seconds) < 1.0
    assert "crawl" in ended.stdout


def test_version(tmp_path: Path) -> None:
    started = time.monotonic()
    ended = gossamer("--version", home=tmp_path)
    assert ended == (0, "gossamer, version 0.1.0\n", "")
    assert time.monotonic() - started < 10
