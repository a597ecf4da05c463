"""What the web server writes: JSON for programs, sentences for a person at a terminal."""

import json
import logging
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from gossamer.server.logs import JsonLines, Sentences
from tests.crawling import wait_until


def record(message: str, level: int = logging.WARNING, **extra: object) -> logging.LogRecord:
    made = logging.LogRecord("gossamer.server", level, "x.py", 1, message, (), None)
    made.__dict__.update(extra)
    return made


def test_sentences() -> None:
    line = Sentences().format(record("The index 'web' is left out."))
    assert line[8:] == " Warning: The index 'web' is left out."
    told = record("request", logging.INFO, facts={"route": "/search", "status": 200})
    assert Sentences().format(told)[8:] == " request (route /search, status 200)"


def test_a_fault_is_told_whole() -> None:
    try:
        raise ValueError("of \x1b[31mred\nlines")
    except ValueError:
        failed = record("Internal error", logging.ERROR, exc_info=sys.exc_info())
    first, *rest = Sentences().format(failed).split("\n")
    assert first.endswith("Error: Internal error")
    assert rest[0] == "  Traceback (most recent call last):"
    assert "\x1b" not in "".join(rest)


@pytest.mark.parametrize("text", ["a\nb", "a\x1b[2Jb", "a\rb", "a\u2028b"])
def test_a_stranger_begins_no_line(text: str) -> None:
    assert Sentences().format(record(text)).endswith("a\ufffdb") or "\x1b" in text
    assert Sentences().format(record(text)).isprintable()
    assert json.loads(JsonLines().format(record(text)))["message"] == text


def test_at_a_terminal(home: Path) -> None:
    """The whole of `gossamer serve`, as a person sees it who has started it."""
    ours, theirs = pty.openpty()
    command = [*(sys.executable, "-m", "gossamer.cli", "serve"), "--home", str(home), "--port", "0"]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    shown = ""

    def reading() -> str:
        nonlocal shown
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 10_000).decode()
            except OSError:
                return shown  # it has ended
        return shown

    try:
        wait_until(lambda: "Ctrl-C" in reading(), "it has started")
        address = shown.partition("http://")[2].split()[0]
        (home / "indexes" / "goods" / "settings.json").write_text("{")
        wait_until(
            lambda: httpx.get(f"http://{address}").status_code == 200 and "left out" in reading(),
            "it warns of the broken index",
        )
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        reading()
        os.close(ours)
    assert process.returncode == 0
    assert '{"' not in shown
    assert "Warning: The index 'goods' is left out" in shown
    assert "The search site has stopped." in shown
