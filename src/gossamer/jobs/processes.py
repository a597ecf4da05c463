"""Which process is meant by a number: they are given again, but never with the same start."""

from pathlib import Path


def started_at(pid: int) -> int:
    """When a process was started, in ticks since the machine was; 0 where there is none, or where
    it has ended and only waits for somebody to ask how."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    # The name of the program stands in brackets, and may hold anything.
    fields = text.rpartition(")")[2].split()
    return 0 if fields[0] in ("Z", "X") else int(fields[19])


def is_alive(pid: int, start: int) -> bool:
    return pid > 0 and started_at(pid) == start != 0
