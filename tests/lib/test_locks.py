import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.lib import locks
from gossamer.lib.locks import FileLock

_HOLD = """
import sys
from pathlib import Path
from gossamer.lib.locks import FileLock
lock = FileLock(Path(sys.argv[1]))
print(lock.acquire(), flush=True)
sys.stdin.read()
"""


def hold_elsewhere(path: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "True\n"
    return process


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    first, second = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert first.acquire()
    assert not second.acquire()
    first.release()
    assert second.acquire()
    second.release()
    second.release()


def test_the_holder_is_known(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "folder" / "lock")
    assert lock.holder() is None
    assert lock.acquire()
    assert lock.holder() == FileLock(tmp_path / "folder" / "lock").holder() == os.getpid()
    lock.release()
    assert lock.holder() is None


def test_acquiring_twice_is_a_bug(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "lock")
    assert lock.acquire()
    with pytest.raises(RuntimeError):
        lock.acquire()
    assert lock.holder() == os.getpid()
    lock.release()


def test_a_killed_holder_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with hold_elsewhere(path) as process:
        lock = FileLock(path)
        assert lock.holder() == process.pid
        assert not lock.acquire()
        process.send_signal(signal.SIGKILL)
    assert path.read_text() == f"{process.pid}\n"
    assert lock.holder() is None
    assert lock.acquire()
    assert lock.holder() == os.getpid()
    lock.release()


def test_forked_children_do_not_keep_the_lock(tmp_path: Path) -> None:
    code = """
import os, signal, sys
from pathlib import Path
from gossamer.lib.locks import FileLock
lock = FileLock(Path(sys.argv[1]))
assert lock.acquire()
if os.fork() == 0:
    print(os.getpid(), flush=True)
    sys.stdin.read()
    os._exit(0)
signal.pause()
"""
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        lock = FileLock(path)
        assert lock.holder() == process.pid
        process.kill()
        process.wait()
        os.kill(child, 0)  # it lives, and waits for the end of its input
        assert lock.holder() is None
        assert lock.acquire()
        lock.release()


def test_those_who_ask_do_not_get_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    path.touch()
    asking = os.open(path, os.O_RDONLY)
    fcntl.flock(asking, fcntl.LOCK_SH)
    monkeypatch.setattr(locks, "_pause", lambda: fcntl.flock(asking, fcntl.LOCK_UN))
    lock = FileLock(path)
    assert lock.acquire()
    lock.release()
    os.close(asking)


def test_a_holder_gets_its_name_in_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    path.touch()
    holding = os.open(path, os.O_RDWR)
    fcntl.flock(holding, fcntl.LOCK_EX)
    monkeypatch.setattr(locks, "_pause", lambda: os.pwrite(holding, b"4711\n", 0))
    assert FileLock(path).holder() == 4711
    os.close(holding)
