"""'-' is standard input wherever lines are read; what is needed again is stored."""

import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.app.home import Home


def _run(home: Path, text: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "gossamer.cli", "--home", str(home), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    documents = '{"id":1,"text":"car"}\n{"id":2,"text":"basalt"}\n'
    built = _run(tmp_path / "home", documents, "index", "build", "goods", "--documents", "-")
    assert built.returncode == 0, built.stderr
    return tmp_path / "home"


def test_synonyms(home: Path, tmp_path: Path) -> None:
    tuned = _run(home, "car, automobile\n", "index", "tune", "goods", "--synonyms", "-")
    assert tuned.returncode == 0, tuned.stderr
    for _ in range(2):
        assert "1. 1" in _run(home, "", "search", "goods", "automobile").stdout
    config = tmp_path / "index.toml"
    config.write_text('synonyms = "-"\n')
    arguments = ["index", "build", "others", "--documents", "-", "--config", str(config)]
    refused = _run(home, "", *arguments)
    assert refused.returncode == 2
    assert "can be read once" in refused.stderr


def test_links_to_rank(home: Path) -> None:
    ranked = _run(home, "1\t2\n2\t3\n3\t2\n", "rank", "--edges", "-", "--json")
    assert '"edges": 3' in ranked.stdout, ranked.stderr


def test_a_block_list(tmp_path: Path) -> None:
    home = tmp_path / "home"
    twice = _run(home, "x\n", "crawl", "--seeds-from", "-", "--block-lists", "-")
    assert twice.returncode == 2
    assert "can be read once" in twice.stderr
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "page.html").write_text("<title>A page</title>")
    folder = str(tmp_path / "pages")
    ended = _run(home, "blocked.test\n", "crawl", folder, "--fetchers", "1", "--block-lists", "-")
    assert ended.returncode == 0, ended.stderr
    (run,) = Home(home).runs()
    (stored,) = run.settings["block_lists"]
    assert Path(stored).read_text() == "blocked.test\n"
    assert Path(stored).is_relative_to(home)
