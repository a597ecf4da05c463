"""A nursery that was forked, and one in an interpreter of its own: to everybody else the same."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.runtime.nursery_start import may_fork
from tests.crawling import wait_until
from tests.runtime.test_processes import ROOT, is_alive, parent_of


class Owner:
    def __init__(self, way: str) -> None:
        self.way = way
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.runtime.owner", way],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        told = self.answer()
        self.workers: list[int] = told["workers"]
        self.folder = Path(told["folder"])
        self.lock = Path(told["lock"])
        (self.nursery,) = {parent_of(pid) for pid in self.workers}

    @property
    def family(self) -> list[int]:
        return [self.nursery, *self.workers]

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def ask(self, word: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return self.answer()

    def wait_for_the_end_of_all(self) -> None:
        wait_until(
            lambda: not any(is_alive(pid) for pid in self.family),
            "the nursery and its workers to end",
            seconds=20,
        )


@pytest.fixture(params=["forked", "fresh"])
def owner(request: pytest.FixtureRequest) -> Iterator[Owner]:
    owner = Owner(request.param)
    try:
        yield owner
    finally:
        owner.process.kill()
        owner.process.communicate()
        owner.wait_for_the_end_of_all()


def command_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def files_of(pid: int) -> dict[int, str]:
    files = Path(f"/proc/{pid}/fd").iterdir()
    return {int(file.name): str(file.readlink()) for file in files}


def test_each_way_is_the_one_that_is_meant(owner: Owner) -> None:
    assert parent_of(owner.nursery) == owner.process.pid
    module = "tests.runtime.owner" if owner.way == "forked" else "gossamer.runtime.nursery"
    assert module in command_of(owner.nursery)


def test_processes_have_names(owner: Owner) -> None:
    names = [Path(f"/proc/{pid}/comm").read_text().strip() for pid in owner.family]
    assert names == ["nursery", "one", "two", "three"]


def test_no_file_of_the_owner_is_held_by_another(owner: Owner) -> None:
    with owner.lock.open() as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    pipes = {name for name in files_of(owner.process.pid).values() if name.startswith("pipe:")}
    commands, news, error = (files_of(owner.nursery)[number] for number in range(3))
    for pid in owner.family:
        files = files_of(pid)
        assert str(owner.lock) not in files.values()
        others = pipes - {error} - ({commands, news} if pid == owner.nursery else set())
        assert not others & set(files.values())


@pytest.mark.parametrize("victim", ["owner", "nursery"])
def test_no_kill_leaves_processes_behind(owner: Owner, victim: str) -> None:
    assert all(is_alive(pid) for pid in owner.family)
    os.kill(owner.process.pid if victim == "owner" else owner.nursery, signal.SIGKILL)
    owner.wait_for_the_end_of_all()
    if victim == "owner":
        assert not owner.folder.exists()


def test_signals_are_not_those_of_the_owner(owner: Owner) -> None:
    for pid in owner.family:
        os.kill(pid, signal.SIGINT)  # Ctrl-C goes to the whole group: it is not for them
    assert owner.ask("0.01") == {"burnt": "0.01"}
    os.kill(owner.nursery, signal.SIGTERM)  # the owner has its own way with this one
    owner.wait_for_the_end_of_all()


def test_the_time_of_workers_is_counted_and_nothing_is_left(owner: Owner) -> None:
    owner.ask("0.3")
    assert owner.ask("close")["seconds"] >= 0.29
    assert not any(is_alive(pid) for pid in owner.family)
    assert not owner.folder.exists()
    assert owner.process.wait(20) == 0


def test_what_a_worker_complains_of_is_seen_and_nothing_twice(owner: Owner) -> None:
    assert owner.ask("crash") == {"died": "four"}
    owner.ask("close")
    _, errors = owner.process.communicate()
    assert errors.startswith("once")
    assert errors.count("once") == 1
    assert "as it was meant to" in errors


_SCRIPT = """
import asyncio, sys
from gossamer.runtime.contract import RoleSpec
from gossamer.runtime.processes import ProcessRuntime

async def main(runtime):
    runtime = runtime or ProcessRuntime([])
    try:
        await runtime.start(RoleSpec("one", "neighbour:worker", b""))
        print((await runtime.peers.peer("one").call("echo", b"here", seconds=5)).decode())
    finally:
        await runtime.close()

asyncio.run(main(ProcessRuntime([]) if sys.argv[1] == "forked" else None))
"""


@pytest.mark.parametrize("way", ["forked", "fresh"])
def test_modules_in_the_folder_that_we_are_in_are_found(way: str, tmp_path: Path) -> None:
    """A program that is installed looks for modules beside itself; plugins have theirs here."""
    script = tmp_path / "bin" / "program.py"
    script.parent.mkdir()
    script.write_text(_SCRIPT)
    here = tmp_path / "here"
    here.mkdir()
    (here / "neighbour.py").write_text("from tests.runtime.roles import worker\n")
    places = [str(Path(path).absolute()) for path in (*sys.path, str(ROOT)) if path]
    done = subprocess.run(
        [sys.executable, script, way],
        capture_output=True,
        text=True,
        check=False,
        cwd=here,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
    )
    assert (done.stdout, done.stderr) == ("here\n", "")


# The rule

_RULE = """
import asyncio, threading, time
from gossamer.runtime.nursery_start import may_fork

async def in_a_loop():
    return may_fork()

ended = threading.Event()
alone = may_fork()
beside = threading.Thread(target=ended.wait)
beside.start()
with_another = may_fork()
ended.set()
beside.join()
# The kernel lists a thread for a moment after it has been joined.
deadline = time.monotonic() + 10
while not may_fork() and time.monotonic() < deadline:
    time.sleep(0.001)
print(alone, with_another, asyncio.run(in_a_loop()), may_fork())
"""


def test_a_process_with_one_thread_and_no_loop_may_fork() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _RULE], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.split() == ["True", "False", "False", "True"]


def test_a_server_in_a_thread_keeps_its_process_from_forking() -> None:
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    try:
        assert not may_fork()
    finally:
        ended.set()
        thread.join()


def test_modules_that_cannot_be_imported_leave_nothing_behind(tmp_path: Path) -> None:
    code = "from gossamer.runtime.processes import ProcessRuntime; ProcessRuntime(['no_such'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert "No module named 'no_such'" in done.stderr
    assert list(tmp_path.iterdir()) == []
