"""Options made from the settings, and commands that are shown to be typed."""

import os
import shutil
import sys
from pathlib import Path

import click
import pytest

from gossamer.cli import main
from gossamer.cli.options import to_type, wishes
from gossamer.config import list_settings
from tests.cli.commands import call


def _crawl_options() -> dict[str, click.Option]:
    command = main.commands["crawl"]
    parameters = command.get_params(click.Context(command))
    return {
        name: parameter
        for parameter in parameters
        if isinstance(parameter, click.Option)
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


def test_every_setting_has_an_option_with_its_help() -> None:
    options = _crawl_options()
    for setting in list_settings():
        if setting.name == "seeds":
            continue
        option = options[f"--{setting.name.replace('_', '-')}"]
        assert setting.help in (option.help or "")
        if setting.kind == "switch":
            assert f"--no-{setting.name.replace('_', '-')}" in options


def test_options_reach_the_settings(tmp_path: Path) -> None:
    """A wrong value of each kind is refused by the setting itself: so it got there."""
    for option, value, said in (
        ("--basic-auth", "me", "must be 'user:password'"),
        ("--name", "a/b", "must start with a letter or digit"),
        ("--headers", "Bad Name=x", "not a header"),
    ):
        ended = call("crawl", "https://example.org", option, value, home=tmp_path)
        assert ended.code == 2
        assert said in ended.err


def test_shared_options_stand_before_or_after(tmp_path: Path) -> None:
    for arguments in (("--json", "runs"), ("runs", "--json")):
        assert call(*arguments, home=tmp_path).object == {"runs": []}


def test_commands_to_type_reach_the_same_program_and_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx = click.Context(main)
    script = tmp_path / "bin" / "gossamer"
    script.parent.mkdir()
    shutil.copy("/bin/true", script)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert to_type(ctx, "page", "r-1", "http://x/?a&b") == ("bin/gossamer page r-1 'http://x/?a&b'")
    monkeypatch.setenv("PATH", str(script.parent), prepend=os.pathsep)
    wishes(ctx).home = Path("my data")
    assert to_type(ctx, "pages", "r-1") == "gossamer pages r-1 --home 'my data'"
    monkeypatch.setattr(sys, "argv", ["/somewhere/gossamer/cli/__main__.py"])
    assert to_type(ctx, "settings") == "python -m gossamer.cli settings"
