import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.crawl.inflight import InflightMark, marked

NUMBERS = st.integers(-(1 << 63), (1 << 63) - 1)

_PROCESS = """
import sys
from pathlib import Path
from gossamer.crawl.inflight import InflightMark

mark = InflightMark(Path(sys.argv[1]))
for step in sys.argv[2:]:
    if step == "clear":
        mark.clear()
    else:
        mark.set(*map(int, step.split(",")))
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["5,-7"], (5, -7)),
        (["1,1", "clear", f"{-(1 << 63)},{(1 << 63) - 1}"], (-(1 << 63), (1 << 63) - 1)),
        (["5,-7", "clear"], None),
        ([], None),
        (["0,0"], (0, 0)),
    ],
)
def test_the_mark_of_a_process_that_was_killed(
    tmp_path: Path, steps: list[str], expected: tuple[int, int] | None
) -> None:
    path = tmp_path / "fetcher-0.mark"
    process = subprocess.Popen(
        [sys.executable, "-c", _PROCESS, str(path), *steps],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert marked(path) == expected


@settings(deadline=None)
@given(NUMBERS, NUMBERS)
def test_any_page(tmp_path_factory: pytest.TempPathFactory, site: int, key: int) -> None:
    path = tmp_path_factory.getbasetemp() / "any.mark"
    mark = InflightMark(path)
    mark.set(site, key)
    assert marked(path) == (site, key)
    mark.clear()
    assert marked(path) is None


def test_a_new_process_starts_without_a_mark(tmp_path: Path) -> None:
    InflightMark(tmp_path / "mark").set(1, 2)
    assert marked(tmp_path / "mark") == (1, 2)
    InflightMark(tmp_path / "mark")
    assert marked(tmp_path / "mark") is None


@pytest.mark.parametrize("content", [None, b"", b"\x01", b"\x01" * 100])
def test_what_is_no_mark_says_nothing(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mark"
    if content is not None:
        path.write_bytes(content)
    assert marked(path) is None
