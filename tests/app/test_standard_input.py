"""'-' is standard input wherever lines are read; what is needed again is stored."""

import fcntl
import signal
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


def lists(home: Path) -> list[str]:
    return [path.read_text() for path in home.rglob("lists/*")]


def test_lists_that_no_index_names_are_removed(home: Path, tmp_path: Path) -> None:
    for text in ("car, automobile\n", "car, vehicle\n"):
        tuned = _run(home, text, "index", "tune", "goods", "--synonyms", "-")
        assert tuned.returncode == 0, tuned.stderr
        assert lists(home) == [text]
    documents, config = tmp_path / "documents.jsonl", tmp_path / "index.toml"
    documents.write_text('{"id":1,"text":"car"}\n')
    config.write_text('synonyms = "-"\nfield_weights = {nothing = 2.0}\n')
    for name in ("goods", "others"):
        arguments = ["index", "build", name, "--documents", str(documents), "--config", str(config)]
        refused = _run(home, "car, wagon\n", *arguments)
        assert refused.returncode == 2, refused.stderr
        assert lists(home) == ["car, vehicle\n"]
    assert "1. 1" in _run(home, "", "search", "goods", "vehicle").stdout
    assert _run(home, "", "index", "tune", "goods", "--synonyms", "").returncode == 0
    assert lists(home) == []


BUILD = """
import os, signal, sys
from pathlib import Path
from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.config import IndexSettings

class Killed(Indexes):
    def _describe(self, *_):
        os.kill(os.getpid(), signal.SIGKILL)

Killed(Home(Path(sys.argv[1]))).build(sys.argv[2], (), Path("-"), IndexSettings())
"""


def test_documents_of_a_build_that_is_killed_stay(home: Path) -> None:
    """Killed after the index was published: what it is made of is there, as it was before."""
    for name in ("goods", "others"):
        killed = subprocess.run(
            [sys.executable, "-c", BUILD, str(home), name],
            input='{"id":3,"text":"flint"}\n',
            text=True,
            check=False,
        )
        assert killed.returncode == -signal.SIGKILL
        stored = [path.read_text() for path in (home / "indexes" / name).glob("standard-input*")]
        assert '{"id":3,"text":"flint"}\n' in stored
    assert "1. 3" in _run(home, "", "search", "goods", "flint").stdout
    updated = _run(home, "", "index", "update", "goods")
    assert updated.returncode == 0, updated.stderr
    assert "1. 2" in _run(home, "", "search", "goods", "basalt").stdout
    assert len(list((home / "indexes" / "goods").glob("standard-input*"))) == 1
    text = '{"id":3,"text":"flint"}\n'
    built = _run(home, text, "index", "build", "goods", "--documents", "-")
    assert built.returncode == 0, built.stderr
    (stored_input,) = (home / "indexes" / "goods").glob("standard-input*")
    assert stored_input.read_text() == text
    assert not list((home / "indexes").glob(".standard-input*"))


def test_temporary_files_of_killed_builds_are_removed(home: Path) -> None:
    abandoned, used = (home / "indexes" / f".standard-input-{name}" for name in ("a", "u"))
    abandoned.write_text("{")
    with used.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        built = _run(home, '{"id":1,"text":"car"}\n', "index", "build", "goods", "--documents", "-")
        assert built.returncode == 0, built.stderr
        assert list((home / "indexes").glob(".standard-input-*")) == [used]


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
    Home(home).delete(run.name)
    assert lists(home) == []
    refused = _run(home, "]\n", "crawl", folder, "--scope", "nowhere", "--block-lists", "-")
    assert refused.returncode == 2, refused.stderr
    assert lists(home) == []
