"""Completion of names, as a shell asks for it."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gossamer.cli import main

from .commands import call


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for number, name in enumerate(("docs-1", "docs-2", "moon-1")):
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        os.utime(folder, (number, number))
    for name in ("web", "shop"):
        (tmp_path / "indexes" / name).mkdir(parents=True)
        (tmp_path / "indexes" / name / "settings.json").write_text("{}")
    (tmp_path / "indexes" / "half-built").mkdir()
    return tmp_path


def completed(home: Path, *words: str) -> list[str]:
    """What is offered for the last word."""
    line = " ".join(["gossamer", *words])
    ended = subprocess.run(
        [sys.executable, "-c", "from gossamer.cli import main; main(prog_name='gossamer')"],
        env={
            **os.environ,
            "GOSSAMER_HOME": str(home),
            "_GOSSAMER_COMPLETE": "bash_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words)),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.partition(",")[2] for line in ended.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("pages", ""), ["moon-1", "docs-2", "docs-1"]),  # the newest first
        (("run", "show", "d"), ["docs-2", "docs-1"]),
        (("rank", "m"), ["moon-1"]),
        (("rank", "show", "m"), ["moon-1"]),
        (("rank", "docs-1", "m"), ["moon-1"]),
        (("index", "build", "new", "--from", "m"), ["moon-1"]),
        (("search", "w"), ["web"]),
        (("index", "delete", "s"), ["shop"]),
        (("index", "update", "h"), []),
        (("users", "add", ""), []),
    ],
)
def test_names_are_completed(home: Path, words: tuple[str, ...], expected: list[str]) -> None:
    assert completed(home, *words) == expected


def test_the_home_that_is_named(home: Path, tmp_path: Path) -> None:
    assert completed(tmp_path / "other", "--home", str(home), "pages", "m") == ["moon-1"]
    assert completed(home, "--home", str(tmp_path / "none"), "pages", "") == []


def test_every_argument_for_a_run_or_an_index_is_completed() -> None:
    def arguments(group: click.Group) -> list[str]:
        found = []
        for command in group.commands.values():
            if isinstance(command, click.Group):
                found += arguments(command)
            for parameter in command.params:
                if isinstance(parameter, click.Argument) and type(parameter.type).__name__ == (
                    "_NameType"
                ):
                    found.append(f"{group.name} {command.name}")
        return found

    found = set(arguments(main))
    runs = {f"run {name}" for name in ("show", "stop", "resume", "tidy", "delete")}
    assert found >= {*runs, "rank compute", "rank show", "rank explain", "index show"}
    assert {name for name in found if name.startswith("main ")} == {
        f"main {name}"
        for name in ("pages", "page", "why", "errors", "export", "forget", "search", "suggest")
    }


def test_the_script_of_a_shell(home: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        ended = subprocess.run(
            [sys.executable, "-c", "from gossamer.cli import main; main(prog_name='gossamer')"],
            env={**os.environ, "_GOSSAMER_COMPLETE": f"{shell}_source"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert "gossamer" in ended.stdout
    assert call("--help", home=home).code == 0
