"""What is seen while a crawl goes on: always on stderr, so that stdout holds results alone."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gossamer.cli.terminal import complain, console, count, duration, harmless, rate, size

if TYPE_CHECKING:
    from gossamer.app import Progress

SECONDS_BETWEEN_LINES = 10.0
"""Where stderr is a file or a pipe: a log wants a line now and then, not a picture."""

_BETWEEN = " · "


def figures(progress: "Progress") -> tuple[list[str], list[str]]:
    """What has been done, and what there is to do."""
    done = [
        f"{count(progress.pages)} pages",
        f"{rate(progress.pages_per_second)}/s",
        f"{count(progress.errors)} errors",
        size(progress.wire_bytes),
        duration(progress.elapsed_seconds),
    ]
    ahead = [
        f"{count(progress.queued)} queued",
        f"{count(progress.in_flight)} being fetched",
        f"{count(progress.hosts_waiting)} hosts waiting",
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


@contextmanager
def shown_progress(max_pages: int, *, quiet: bool) -> Iterator[Callable[["Progress"], None]]:
    """Gives the function that a crawl reports to. `quiet`: nothing is shown unless to a screen."""
    if sys.stderr.isatty():
        with _live(max_pages) as show:
            yield show
    elif quiet:
        yield _ignore
    else:
        yield _line_now_and_then()


def _ignore(progress: "Progress") -> None:
    """Nobody looks."""


def _line_now_and_then() -> Callable[["Progress"], None]:
    last = time.monotonic()
    noted = ""

    def show(progress: "Progress") -> None:
        nonlocal last, noted
        # A note (a full disk, for example) does not wait for its turn.
        news = bool(progress.note) and progress.note[:20] != noted[:20]
        if news or time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last, noted = time.monotonic(), progress.note
            done, ahead = figures(progress)
            parts = [*done, *ahead, *([progress.note] if progress.note else [])]
            complain(f"{progress.run}: {_BETWEEN.join(parts)}")

    return show


@contextmanager
def _live(max_pages: int) -> Iterator[Callable[["Progress"], None]]:
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

        def show(progress: "Progress") -> None:
            width = screen.width
            bar_width = min(60, width)
            rows: list[RenderableType] = [
                Text(harmless(progress.run), style="bold"),
                ProgressBar(
                    total=max_pages, completed=min(progress.pages, max_pages), width=bar_width
                )
                if max_pages
                else ProgressBar(total=None, pulse=True, width=bar_width),
                *(Text(line) for line in folded(figures(progress), width)),
            ]
            if progress.note:
                rows.append(Text(harmless(progress.note), style="bold"))
            rows.append(Text("Ctrl-C stops cleanly; the same command goes on.", style="dim"))
            # A bar ends without a line break: in a table, every row has a line of its own.
            table = Table.grid()
            for row in rows:
                table.add_row(row)
            live.update(table, refresh=True)

        yield show
