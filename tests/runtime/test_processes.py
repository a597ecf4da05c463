"""What is particular to roles that are processes: they end with their owner, and their time
counts as its own."""

import asyncio
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gossamer.errors import PeerLost
from gossamer.runtime.processes import ProcessRuntime
from tests.crawling import wait_until
from tests.runtime.roles import MODULE, spec

ROOT = Path(__file__).parents[2]

_PARENT = f"""
import asyncio
from gossamer.runtime.processes import ProcessRuntime
from tests.runtime.roles import spec

async def main():
    runtime = ProcessRuntime([{MODULE!r}])
    for name in ("one", "two", "three"):
        await runtime.start(spec(name, "stubborn"))
        print((await runtime.peers.peer(name).call("pid", b"", seconds=5)).decode())
    print(runtime._folder, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def run(test: Callable[[ProcessRuntime], Awaitable[None]]) -> None:
    async def with_runtime() -> None:
        runtime = ProcessRuntime([MODULE])
        try:
            async with asyncio.timeout(20):
                await test(runtime)
        finally:
            await runtime.close()

    asyncio.run(with_runtime())


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"  # a zombie has ended, whether or not somebody waits for it


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


async def pids(runtime: ProcessRuntime, *names: str) -> list[int]:
    """Of the roles, and of the nursery that they were forked from."""
    workers = [int(await runtime.peers.peer(name).call("pid", b"", seconds=5)) for name in names]
    (nursery,) = {parent_of(pid) for pid in workers}
    return [*workers, nursery]


def test_every_role_is_a_process_of_its_own() -> None:
    async def test(runtime: ProcessRuntime) -> None:
        for name in ("one", "two"):
            await runtime.start(spec(name))
        one, two, nursery = await pids(runtime, "one", "two")
        assert len({one, two, nursery, os.getpid()}) == 4
        assert parent_of(nursery) == os.getpid()

    run(test)


def test_closing_leaves_no_process_and_no_file_behind() -> None:
    async def test(runtime: ProcessRuntime) -> None:
        for name in ("one", "two"):
            await runtime.start(spec(name, "stubborn"))
        all_of_them = await pids(runtime, "one", "two")
        folder = Path(runtime._folder)
        assert folder.is_dir()
        await runtime.close()
        # At once, without waiting: the nursery has waited for its workers.
        assert not [pid for pid in all_of_them if is_alive(pid)]
        assert not folder.exists()

    run(test)


def test_closing_what_was_never_used() -> None:
    async def test(runtime: ProcessRuntime) -> None:
        assert Path(runtime._folder).is_dir()

    run(test)


@pytest.mark.parametrize("how", ["stop", "kill", "close"])
def test_the_time_of_workers_is_counted(how: str) -> None:
    def children_seconds() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    async def test(runtime: ProcessRuntime) -> None:
        await runtime.start(spec("worker"))
        await runtime.peers.peer("worker").call("burn", b"0.3", seconds=10)
        if how == "stop":
            await runtime.stop("worker", seconds=5)
        elif how == "kill":
            runtime.kill("worker")
            await runtime.died()

    before = children_seconds()
    run(test)
    assert children_seconds() - before >= 0.29


@pytest.mark.parametrize("victim", ["parent", "nursery"])
def test_no_kill_leaves_processes_behind(victim: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        assert parent.stdout is not None
        lines = [parent.stdout.readline().strip() for _ in range(4)]
        workers = [int(line) for line in lines[:3]]
        nursery = parent_of(workers[0])
        assert all(is_alive(pid) for pid in (*workers, nursery))
        os.kill(parent.pid if victim == "parent" else nursery, signal.SIGKILL)
        wait_until(
            lambda: not any(is_alive(pid) for pid in (*workers, nursery)),
            "the nursery and its workers to end",
            seconds=20,
        )
    finally:
        parent.kill()
        parent.communicate()
    shutil.rmtree(lines[3], ignore_errors=True)


def test_the_death_of_the_nursery_is_the_death_of_all() -> None:
    async def test(runtime: ProcessRuntime) -> None:
        for name in ("one", "two"):
            await runtime.start(spec(name))
        *_, nursery = await pids(runtime, "one", "two")
        os.kill(nursery, signal.SIGKILL)
        assert {await runtime.died(), await runtime.died()} == {"one", "two"}
        with pytest.raises(PeerLost):
            await runtime.start(spec("three"))

    run(test)


def test_an_interrupt_reaches_no_worker() -> None:
    """Ctrl-C goes to the whole group; what it means is for the owner to say."""

    async def test(runtime: ProcessRuntime) -> None:
        await runtime.start(spec("worker"))
        for pid in await pids(runtime, "worker"):
            os.kill(pid, signal.SIGINT)
        assert await runtime.peers.peer("worker").call("echo", b"on", seconds=5) == b"on"

    run(test)
