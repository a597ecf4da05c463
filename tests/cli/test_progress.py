"""What is seen while a crawl goes on, at the widths that terminals have."""

import io
import re
import sys

import pytest

from gossamer.app import Progress
from gossamer.cli.progress import figures, folded, shown_progress

BUSY = Progress(
    run="www.example.org-12",
    elapsed_seconds=86_400 * 3,
    pages=12_345_678,
    documents=1,
    pages_per_second=1234.5,
    queued=123_456_789,
    hosts_waiting=200_000,
    errors=54_321,
    in_flight=6_400,
    wire_bytes=987_654_321_012,
)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(monkeypatch: pytest.MonkeyPatch, width: int, max_pages: int, *seen: Progress) -> str:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm-256color")
    with shown_progress(max_pages, quiet=False) as show:
        for progress in seen:
            show(progress)
    return screen.getvalue()


@pytest.mark.parametrize("width", [40, 80, 120, 200])
@pytest.mark.parametrize("max_pages", [0, 20_000_000])
def test_no_line_is_cut(monkeypatch: pytest.MonkeyPatch, width: int, max_pages: int) -> None:
    shown = _shown(monkeypatch, width, max_pages, BUSY)
    frame = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.split("\x1b[2K")[0]).replace("\r", "")
    lines = [line.rstrip() for line in frame.splitlines() if line.strip()]
    assert lines[0] == BUSY.run
    assert set(lines[1]) <= set("━╸╺ ")
    text = " ".join(lines)
    for group in figures(BUSY):
        for figure in group:
            assert figure in text
    assert "…" not in text
    assert all(len(line) <= width for line in lines)


def test_figures_break_between_groups() -> None:
    groups = (["1 pages", "2/s"], ["3 queued", "4 being fetched"])
    assert folded(groups, 80) == ["1 pages · 2/s · 3 queued · 4 being fetched"]
    assert folded(groups, 30) == ["1 pages · 2/s", "3 queued · 4 being fetched"]
    assert folded(groups, 5) == ["1 pages", "2/s", "3 queued", "4 being fetched"]


def test_a_log_gets_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gossamer.cli.progress.SECONDS_BETWEEN_LINES", 3600.0)
    with shown_progress(0, quiet=False) as show:
        show(BUSY)
        assert capsys.readouterr().err == ""
        monkeypatch.setattr("gossamer.cli.progress.SECONDS_BETWEEN_LINES", 0.0)
        show(BUSY)
    line = capsys.readouterr().err
    assert line.startswith("www.example.org-12: 12,345,678 pages · 1,234/s · ")
    assert line.count("\n") == 1


def test_a_note_does_not_wait(capsys: pytest.CaptureFixture[str]) -> None:
    full = "paused: only 5 MB of disk are left\x1b[2J; free some space"
    with shown_progress(0, quiet=False) as show:
        for _ in range(3):
            show(Progress("r-1", 1, 1, 1, 1, 1, 1, 1, 1, 1, note=full))
    assert capsys.readouterr().err.count("only 5 MB of disk are left; free some space") == 1


def test_a_note_whose_figures_change_waits(capsys: pytest.CaptureFixture[str]) -> None:
    """On a full disk others may be writing, and the log may lie on it."""
    with shown_progress(0, quiet=False) as show:
        for left in (199, 63_749, 5):
            note = f"paused: only {left} MB of disk are left; free some space"
            show(Progress("r-1", 1, 1, 1, 1, 1, 1, 1, 1, 1, note=note))
    assert capsys.readouterr().err.count("\n") == 1


def test_programs_see_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(0, quiet=True) as show:
        show(BUSY)
    assert capsys.readouterr() == ("", "")
