"""Kernels are compiled before they are needed: no search waits for that, and none is left out."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

SECONDS = 600.0  # compiling takes half a minute where nothing else goes on
FIRST_SEARCH = re.compile(r"^\d+ documents, (\d+) ms$", re.MULTILINE)
COMPILING_MS = 2_000
"""Compiling what a search needs takes three times as long; a search itself, some milliseconds."""


class Installed(NamedTuple):
    """What `pip install` leaves behind: nothing is compiled."""

    home: Path
    folder: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", *arguments],
            env={
                **os.environ,
                "GOSSAMER_HOME": str(self.home),
                "NUMBA_CACHE_DIR": str(self.folder),
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )

    def compiled(self) -> set[str]:
        """The files of machine code, in which numba keeps what it has compiled."""
        return {path.name for path in self.folder.rglob("*.nbc")}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    return Installed(folder / "home", folder / "compiled")


@pytest.fixture(scope="module")
def demo(installed: Installed) -> subprocess.CompletedProcess[str]:
    """The first command after an installation."""
    return installed.run("gossamer.cli", "demo")


def test_the_first_search_is_fast(demo: subprocess.CompletedProcess[str]) -> None:
    found = FIRST_SEARCH.search(demo.stdout)
    assert found is not None, demo.stdout
    assert int(found[1]) < COMPILING_MS
    assert "the time limit was reached" not in demo.stdout
    assert demo.stderr.count("Compiling kernels") == 1, "and it says why it takes so long"


def test_nothing_is_compiled_later(
    demo: subprocess.CompletedProcess[str], installed: Installed, tmp_path: Path
) -> None:
    """Everything that people do. What is compiled then is a kernel that is called with types that
    it does not declare: its name is in the message."""
    before = installed.compiled()
    assert len(before) > 60
    links = tmp_path / "links.tsv"
    links.write_text("a\tb\nb\tc\nc\ta\n")
    numbers = tmp_path / "numbers.tsv"
    numbers.write_text("1\t2\n2\t3\n3\t1\n")
    products = installed.home / "demo" / "products.jsonl"
    commands = (
        ("rank", "demo-1", "--farms"),
        ("rank", "--edges", str(links)),
        ("rank", "--edges", str(numbers)),
        ("rank", "show", "demo-1", "--plot", str(tmp_path / "ranks.png")),
        ("rank", "explain", "demo-1", "http://lantern.example/wiki/Moon"),
        ("index", "update", "demo"),
        ("index", "build", "shards", "--from", "demo-1", "--shards", "2"),
        ("index", "build", "few", "--documents", str(products)),
        *(
            ("search", index, query, "--explain", "--profile", profile, "--facet", "site")
            for index in ("demo", "shards")
            for profile, query in (
                ("default", "lighthuse keper"),
                ("bm25f", '"storm lantern" moon -sun +tide'),
                ("penn", "univers* (moon OR sun)"),
                ("yioop", "moon tide"),
            )
        ),
        ("search", "demo", "moon", "--summary", "--all-words"),
        ("search", "few", "lantern price:10..50", "--sort", "price"),
        ("suggest", "demo", "lighthuse"),
        ("suggest", "shards", "lig"),
    )
    installed.run("tests.e2e.commands", json.dumps(commands))
    assert installed.compiled() - before == set()


def test_documents_that_come_and_go(
    demo: subprocess.CompletedProcess[str], installed: Installed, tmp_path: Path
) -> None:
    """Parts of an index are merged, and what was deleted is taken out of its statistics."""
    before = installed.compiled()
    file = tmp_path / "documents.jsonl"

    def write(numbers: range) -> None:
        lines = (f'{{"id": "{number}", "text": "word{number} of all"}}\n' for number in numbers)
        file.write_text("".join(lines))

    write(range(400))
    installed.run("gossamer.cli", "index", "build", "docs", "--documents", str(file))
    for last in range(420, 600, 20):
        write(range(last // 4, last))
        installed.run("gossamer.cli", "index", "update", "docs")
    installed.run("gossamer.cli", "search", "docs", "word300 all")
    assert installed.compiled() - before == set()


def test_processes_that_compile_at_once(tmp_path: Path) -> None:
    """One compiles, the others wait for it; each says that it is so."""
    installed = Installed(tmp_path / "home", tmp_path / "compiled")
    program = (
        "from gossamer.app import kernels\n"
        "kernels.MODULES = ('gossamer.graph.kernels', 'gossamer.rank.cover')\n"
        "compiled = []\n"
        "kernels.compile_kernels(lambda done, of: compiled.append(done))\n"
        "print(len(compiled))\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(installed.folder)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    compiled = sorted(int(process.communicate(timeout=SECONDS)[0]) for process in processes)
    assert compiled[:2] == [0, 0]
    assert compiled[2] > 5
    assert [process.returncode for process in processes] == [0, 0, 0]
