"""Strangers' text on a screen: harmless, whatever it holds; and numbers for people."""

import contextlib
import io
import json
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.cli import terminal
from gossamer.cli.terminal import (
    Column,
    count,
    duration,
    harmless,
    moment,
    rate,
    say_json_list,
    say_pairs,
    show_rows,
    size,
    to_json,
    write_content,
)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;new title\x07text", "text"),
        ("\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq#0;2;0;0;0\x1b\\text", "text"),
        ("\x9b31mred", "red"),
        ("\x1b\x1b[2J[2Jcleared", "[2Jcleared"),
        ("over\rwritten\x08", "overwritten"),
        ("two\nlines\tand a tab", "two lines and a tab"),
        ("gro\u202egro.elpmaxe", "grogro.elpmaxe"),
        ("\u2066isolated\u2069", "isolated"),
        ("line\u2028separator", "line separator"),
        ("lone \ud800 surrogate", "lone \ufffd surrogate"),
        ("tags\U000e0041\U000e0042", "tags"),
        ("bell\x07 null\x00", "bell null"),
        ("[bold]not markup[/bold] :smile:", "[bold]not markup[/bold] :smile:"),
        ("żółć 漢字 🚀", "żółć 漢字 🚀"),
    ],
)
def test_hostile_text(hostile: str, shown: str) -> None:
    assert harmless(hostile) == shown


@given(st.text())
def test_nothing_gets_through_that_moves_a_cursor(text: str) -> None:
    shown = harmless(text)
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in shown)
    shown.encode()  # no surrogates either
    assert set(harmless(text, lines=True)) <= set(shown) | {"\n", "\t"}


def test_table_on_a_screen_takes_no_markup_and_no_escapes() -> None:
    screen = Screen()
    with contextlib.redirect_stdout(screen):
        show_rows([Column("A"), Column("B", fold=True)], [("[red]x[/red]", "\x1b]0;t\x07y :car:")])
    text = screen.getvalue()
    assert "[red]x[/red]" in text
    assert "y :car:" in text
    assert "\x1b]" not in text
    assert "\x07" not in text


def test_table_in_a_pipe_keeps_its_fields_apart(capsys: pytest.CaptureFixture[str]) -> None:
    show_rows([Column("A"), Column("B")], [("a\tb", "c\nd"), ("e", "")])
    assert capsys.readouterr().out == "a b\tc d\ne\t\n"


def test_long_table_on_a_screen_has_one_heading() -> None:
    screen = Screen()
    with contextlib.redirect_stdout(screen):
        show_rows([Column("NUMBER")], ((str(number),) for number in range(450)))
    assert screen.getvalue().count("NUMBER") == 1
    assert len(screen.getvalue().splitlines()) == 451


@pytest.mark.parametrize(("width", "titles"), [(80, ["A"]), (120, ["A", "B"])])
def test_narrow_screens_leave_columns_out(
    monkeypatch: pytest.MonkeyPatch, width: int, titles: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    screen = Screen()
    with contextlib.redirect_stdout(screen):
        show_rows([Column("A"), Column("B", wide=True)], [("1", "2")])
    assert re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()[0].split() == titles


def test_pairs_line_up(capsys: pytest.CaptureFixture[str]) -> None:
    say_pairs("Counts", [("one", "1"), ("a thousand", "1,000")])
    assert capsys.readouterr().out == "\nCounts\n  one             1\n  a thousand  1,000\n"
    say_pairs("Nothing", [])
    assert capsys.readouterr().out == ""


def test_content_is_exact_in_a_pipe_and_harmless_on_a_screen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_content("a\x1b[31m\r\nb")
    assert capsys.readouterr().out == "a\x1b[31m\r\nb"
    screen = Screen()
    with contextlib.redirect_stdout(screen):
        write_content("a\x1b[31m\r\nb")
    assert screen.getvalue() == "a\nb\n"


@given(st.recursive(st.text() | st.integers(), st.lists))
def test_json_is_plain_ascii_on_one_line(value: object) -> None:
    text = to_json(value)
    assert text.isascii()
    assert text.isprintable()
    assert json.loads(text) == value


def test_json_lists_stream(capsys: pytest.CaptureFixture[str]) -> None:
    for rows in ([], [1], [1, 2]):
        say_json_list({"run": "r"}, "rows", rows, lambda: {"more": False})
        assert json.loads(capsys.readouterr().out) == {"run": "r", "rows": rows, "more": False}

    def broken() -> "list[int]":
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        say_json_list({}, "rows", (broken() for _ in range(2)), dict)
    assert capsys.readouterr().out == ""


def test_numbers() -> None:
    assert count(1234567.0) == "1,234,567"
    assert (rate(1.25), rate(1234.5)) == ("1.2", "1,234")
    sizes = ["999 B", "1.0 KB", "2.5 MB", "1.0 TB"]
    assert [size(number) for number in (999, 1000, 2_500_000, 10**12)] == sizes
    times = ["0 ms", "999 ms", "1.5 s", "1 min 0 s", "1 h 1 min", "2 d 0 h"]
    assert [duration(s) for s in (0, 0.999, 1.5, 60, 3660, 172800)] == times


def test_moments() -> None:
    assert moment(0) == moment(None) == "-"
    now = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert moment(now) == moment(now.timestamp()) == now.astimezone().strftime("%F %T")
    assert to_json(now) == '"2030-01-02T03:04:05+00:00"'


def test_consoles_never_guess() -> None:
    console = terminal.console(Screen())
    with console.capture() as shown:
        console.print("[bold]5 :smile: http://x[/bold]")
    assert shown.get() == "[bold]5 :smile: http://x[/bold]\n"
