"""What did a command cost? CPU-seconds of all its processes, wall seconds, memory.

    python -m benchmarks.cpu [--timeout SECONDS] -- COMMAND ...

A small process of its own starts the command and makes itself the reaper of its orphans (Linux),
so that even daemons that the command leaves behind are waited for and counted: the kernel's sum
over the waited-for children is the figure. Processes that a command leaves running are killed
after a grace. As a check the same is summed up from /proc while the command runs: a lower bound,
as the last moments of each process are missed.
"""

import argparse
import contextlib
import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_SET_CHILD_SUBREAPER = 36  # prctl(2)
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_SAMPLE_SECONDS = 0.1
_GRACE_SECONDS = 5.0


class Cost(NamedTuple):
    """`cpu_seconds` is exact; `sampled_cpu_seconds` is the check from /proc."""

    exit_code: int
    timed_out: bool
    wall_seconds: float
    cpu_seconds: float
    user_seconds: float
    system_seconds: float
    sampled_cpu_seconds: float
    peak_rss_bytes: int  # of all processes together, as sampled (shared pages count twice)
    largest_rss_bytes: int  # of the largest process
    processes: int


class _Sampler:
    """Sums over the descendants of this process, from /proc."""

    def __init__(self) -> None:
        self._cpu: dict[int, float] = {}
        self.peak_rss_bytes = 0

    def sample(self) -> list[int]:
        """Takes a sample; the living descendants."""
        parents: dict[int, int] = {}
        fields: dict[int, list[str]] = {}
        for entry in os.scandir("/proc"):
            if not entry.name.isdecimal():
                continue
            with contextlib.suppress(OSError):
                # The name of the command, in brackets, may hold spaces.
                text = Path(f"/proc/{entry.name}/stat").read_text().rpartition(")")[2].split()
                fields[int(entry.name)] = text
                parents[int(entry.name)] = int(text[1])
        tree = [pid for pid in parents if _descends(pid, parents)]
        for pid in tree:
            self._cpu[pid] = (int(fields[pid][11]) + int(fields[pid][12])) / _TICKS
        rss = sum(int(fields[pid][21]) for pid in tree) * _PAGE_BYTES
        self.peak_rss_bytes = max(self.peak_rss_bytes, rss)
        return [pid for pid in tree if fields[pid][0] != "Z"]

    @property
    def cpu_seconds(self) -> float:
        return sum(self._cpu.values())

    @property
    def processes(self) -> int:
        return len(self._cpu)


def _descends(pid: int, parents: Mapping[int, int]) -> bool:
    here = os.getpid()
    while (pid := parents.get(pid, 0)) > 1:
        if pid == here:
            return True
    return False


def _watch(command: Sequence[str], timeout: float) -> Cost:
    """Runs the command in this process's care. Only for a process that has no other children."""
    ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    sampler = _Sampler()
    begin = time.monotonic()
    # Its output goes to our standard error: standard output is for the figures.
    child = os.posix_spawnp(
        command[0], list(command), os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)]
    )
    exit_code, timed_out = -1, False
    end = begin + timeout
    wall = 0.0
    while True:
        living = sampler.sample()
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG)) != (0, 0):
                if found[0] == child:
                    exit_code = os.waitstatus_to_exitcode(found[1])
                    wall = time.monotonic() - begin
                    end = time.monotonic() + _GRACE_SECONDS
        if not living and wall:
            break
        if time.monotonic() > end:
            timed_out = timed_out or not wall
            for pid in living:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(_SAMPLE_SECONDS if wall == 0 else 0.01)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(
        exit_code,
        timed_out,
        wall,
        used.ru_utime + used.ru_stime,
        used.ru_utime,
        used.ru_stime,
        sampler.cpu_seconds,
        sampler.peak_rss_bytes,
        used.ru_maxrss * 1024,
        sampler.processes,
    )


def run(
    command: Sequence[str],
    *,
    timeout: float = 3_600.0,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    output: Path | None = None,
) -> Cost:
    """Runs a command and says what it cost. Its output goes to the file `output`, if any."""
    here = Path(__file__).parent.parent
    arguments = [sys.executable, "-m", "benchmarks.cpu", f"--timeout={timeout}"]
    arguments += [f"--cwd={cwd}"] if cwd else []
    variables = {**os.environ, **(environment or {})}
    with open(output or os.devnull, "wb") as sink:  # noqa: PTH123
        done = subprocess.run(
            [*arguments, "--", *command],
            stdout=subprocess.PIPE,
            stderr=sink,
            stdin=subprocess.DEVNULL,
            cwd=here,
            env=variables,
            check=True,
        )
    return Cost(*json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cpu", description=__doc__)
    parser.add_argument("--timeout", type=float, default=3_600.0)
    parser.add_argument("--cwd", type=Path)
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    if arguments.cwd:
        os.chdir(arguments.cwd)
    print(json.dumps(_watch(arguments.command, arguments.timeout)))


if __name__ == "__main__":
    main()
