"""How far a command has got that goes through many rows: on stderr, as all progress is."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gossamer.cli.progress import is_logged, seconds_between_lines
from gossamer.cli.terminal import complain, console, count

Show = Callable[[int, int], None]
"""Told how many are done, and how many there are."""


def several(number: int, thing: str) -> str:
    return f"{count(number)} {thing}{'' if number == 1 else 's'}"


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


def _ignore(_done: int, _all: int) -> None:
    """Nobody looks."""


def _line_now_and_then(what: str) -> Show:
    last = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= seconds_between_lines():
            last = time.monotonic()
            complain(f"{count(done)} of {count(total)} {what}")

    return show


@contextmanager
def _live(what: str) -> Iterator[Show]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        BarColumn(),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
        console=console(sys.stderr),
        transient=True,
    ) as bar:
        task = bar.add_task("")

        def show(done: int, total: int) -> None:
            text = f"{count(done)} of {count(total)} {what}"
            bar.update(task, completed=done, total=total, description=text)

        yield show
