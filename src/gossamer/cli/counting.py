"""How far a command has got that goes through many rows: on stderr, as all progress is."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from gossamer.cli.progress import is_logged, seconds_between_lines
from gossamer.cli.terminal import complain, console, count


class Show(Protocol):
    """Told how many are done, how many there are, and of what, where that changes."""

    def __call__(self, done: int, total: int, what: str = "") -> None: ...


@contextmanager
def shown_count(what: str, *, quiet: bool) -> Iterator[Show]:
    """`quiet`: nothing is shown unless to a screen."""
    if sys.stderr.isatty():
        with _live(what) as show:
            yield show
    elif quiet and not is_logged():
        yield _ignore
    else:
        yield _line_now_and_then(what)


def _ignore(done: int, total: int, what: str = "") -> None:
    """Nobody looks."""


def _line_now_and_then(usual: str) -> Show:
    last = time.monotonic()

    def show(done: int, total: int, what: str = "") -> None:
        nonlocal last
        if time.monotonic() - last >= seconds_between_lines():
            last = time.monotonic()
            complain(_said(done, total, what or usual))

    return show


@contextmanager
def _live(usual: str) -> Iterator[Show]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        BarColumn(),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
        console=console(sys.stderr),
        transient=True,
    ) as bar:
        task = bar.add_task("")

        def show(done: int, total: int, what: str = "") -> None:
            text = _said(done, total, what or usual)
            bar.update(task, completed=done, total=total, description=text)

        yield show


def _said(done: int, total: int, what: str) -> str:
    return f"{count(done)} of {count(total)} {what}"
