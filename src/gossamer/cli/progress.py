"""What is seen while long work goes on: always on stderr, so that stdout holds results alone."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from gossamer.cli.terminal import (
    complain,
    console,
    count,
    duration,
    harmless,
    rate,
    several,
    size,
)

if TYPE_CHECKING:
    from gossamer.app import Progress

SECONDS_BETWEEN_LINES = 10.0
"""Where stderr is a file or a pipe: a log wants a line now and then, not a picture."""

_BETWEEN = " · "
_Progress = TypeVar("_Progress")


def figures(progress: "Progress") -> tuple[list[str], list[str]]:
    """What has been done, and what there is to do."""
    done = [
        several(progress.pages, "page"),
        f"{rate(progress.pages_per_second)}/s",
        several(progress.errors, "error"),
        size(progress.wire_bytes),
        duration(progress.elapsed_seconds),
    ]
    ahead = [
        f"{count(progress.queued)} queued",
        f"{count(progress.in_flight)} being fetched",
        f"{several(progress.hosts_waiting, 'host')} waiting",
    ]
    return done, ahead


def folded(groups: Sequence[Sequence[str]], width: int) -> list[str]:
    """All figures on one line where they fit, else each group on lines of its own: a line breaks
    between two figures, never in one."""
    whole = _BETWEEN.join(part for group in groups for part in group)
    if len(whole) <= width:
        return [whole]
    lines: list[str] = []
    for group in groups:
        lines.append(group[0])
        for part in group[1:]:
            if len(lines[-1]) + len(_BETWEEN) + len(part) <= width:
                lines[-1] += _BETWEEN + part
            else:
                lines.append(part)
    return lines


class Picture(NamedTuple):
    """What people are to see of some work at one moment."""

    run: str
    figures: Sequence[Sequence[str]]  # in groups that belong together
    done: int
    total: int  # 0: nobody knows
    note: str  # '' where all goes well


@contextmanager
def shown_progress(max_pages: int, *, quiet: bool) -> Iterator[Callable[["Progress"], None]]:
    """Gives the function that a crawl reports to."""

    def picture(progress: "Progress") -> Picture:
        done = min(progress.pages, max_pages)
        return Picture(progress.run, figures(progress), done, max_pages, progress.note)

    with shown(picture, quiet=quiet) as show:
        yield show


@contextmanager
def shown(
    picture_of: Callable[[_Progress], Picture], *, quiet: bool
) -> Iterator[Callable[[_Progress], None]]:
    """Gives the function that work of any kind reports to. `quiet`: nothing is shown unless to a
    screen."""
    if sys.stderr.isatty():
        with _live() as show:
            yield lambda progress: show(picture_of(progress))
    elif quiet and not is_logged():
        yield lambda _: None
    else:
        write = _line_now_and_then()
        yield lambda progress: write(picture_of(progress))


def is_logged() -> bool:
    """Whether this is a job whose log somebody watches."""
    return bool(os.environ.get("GOSSAMER_PROGRESS"))


def seconds_between_lines() -> float:
    return 1.0 if is_logged() else SECONDS_BETWEEN_LINES


def _line_now_and_then() -> Callable[[Picture], None]:
    last = time.monotonic()
    noted = ""

    def show(picture: Picture) -> None:
        nonlocal last, noted
        # A note (a full disk, for example) does not wait for its turn.
        # Its figures may change all the time, and the log may lie on that disk.
        news = bool(picture.note) and _without_figures(picture.note) != _without_figures(noted)
        if news or time.monotonic() - last >= seconds_between_lines():
            last, noted = time.monotonic(), picture.note
            parts = [*chain(*picture.figures), *([picture.note] if picture.note else [])]
            complain(f"{picture.run}: {_BETWEEN.join(parts)}")

    return show


def _without_figures(note: str) -> str:
    return "".join(character for character in note if not character.isdigit())


@contextmanager
def _live() -> Iterator[Callable[[Picture], None]]:
    from rich.console import RenderableType
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    screen = console(sys.stderr)
    # No refresh thread: worker processes are started while this is on the screen.
    with Live(
        console=screen,
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as live:

        def show(picture: Picture) -> None:
            width = screen.width
            bar_width = min(60, width)
            rows: list[RenderableType] = [
                Text(harmless(picture.run), style="bold"),
                ProgressBar(total=picture.total, completed=picture.done, width=bar_width)
                if picture.total
                else ProgressBar(total=None, pulse=True, width=bar_width),
                *(Text(line) for line in folded(picture.figures, width)),
            ]
            if picture.note:
                rows.append(Text(harmless(picture.note), style="bold"))
            rows.append(
                Text("Ctrl-C stops cleanly. Run the same command again to continue.", style="dim")
            )
            # A bar ends without a line break: in a table, every row has a line of its own.
            table = Table.grid()
            for row in rows:
                table.add_row(row)
            live.update(table, refresh=True)

        yield show
