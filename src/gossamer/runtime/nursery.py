"""The process that worker processes are forked from.

It has imported all modules and keeps no thread, so a fork is safe and costs milliseconds (how it
starts itself, `nursery_start` tells). It reads commands from stdin, reports deaths on stdout, and
takes all its workers with it when stdin closes, that is when the coordinator is gone, in whatever
way. It waits for every worker, so the CPU time of the whole job arrives at the coordinator.
"""

import asyncio
import contextlib
import ctypes
import gc
import importlib
import os
import select
import shutil
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import uvloop
from msgspec import Struct, json

from gossamer.runtime.contract import RoleSpec
from gossamer.runtime.frames import SocketPeers, serve_connection
from gossamer.runtime.local import factory_of

_PR_SET_PDEATHSIG = 1
_PR_SET_NAME = 15


class Start(Struct, frozen=True):
    spec: RoleSpec


class Death(Struct, frozen=True):
    pid: int
    status: int


class Birth(Struct, frozen=True):
    name: str
    pid: int


class News(Struct, frozen=True):
    """One line from the nursery."""

    birth: Birth | None = None
    death: Death | None = None


def main() -> None:
    """In an interpreter of its own."""
    folder, *modules = sys.argv[1:]
    _ignore_interrupts()
    preload(modules)
    tend(folder)


def preload(modules: Sequence[str]) -> None:
    for module in modules:
        importlib.import_module(module)


def tend(folder: str) -> None:
    """Be the nursery, until the coordinator is gone."""
    _ignore_interrupts()
    _call_this_process("nursery")
    # What was imported stays for ever: the collector need not look at it, in any worker.
    gc.freeze()
    _Nursery(folder).run()


def _ignore_interrupts() -> None:
    # Ctrl-C goes to the whole process group; the coordinator decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _call_this_process(name: str) -> None:
    """What `top` and `ps` show. A forked process would go by its parent's name."""
    ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode()[:15])


class _Nursery:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._children: set[int] = set()
        self._input = b""

    def run(self) -> None:
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            ready, _, _ = select.select([0, wake_read], [], [])
            if wake_read in ready:
                os.read(wake_read, 4096)
                self._reap()
            if 0 in ready:
                data = os.read(0, 1 << 20)
                if not data:
                    self._end()
                    return
                self._input += data
                *lines, self._input = self._input.split(b"\n")
                for line in lines:
                    self._fork(json.decode(line, type=Start).spec)

    def _fork(self, spec: RoleSpec) -> None:
        pid = os.fork()
        if pid == 0:
            _become(spec, self._folder)
        self._children.add(pid)
        _tell(News(birth=Birth(spec.name, pid)))

    def _reap(self) -> None:
        for pid in list(self._children):
            with contextlib.suppress(ChildProcessError):
                done, status = os.waitpid(pid, os.WNOHANG)
                if done:
                    self._children.discard(pid)
                    _tell(News(death=Death(pid, os.waitstatus_to_exitcode(status))))

    def _end(self) -> None:
        for pid in self._children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in self._children:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
        shutil.rmtree(self._folder, ignore_errors=True)  # the coordinator may be dead


def _tell(news: News) -> None:
    # A closed pipe means that the coordinator is gone: stdin tells the same, and ends us.
    with contextlib.suppress(BrokenPipeError):
        os.write(1, json.encode(news) + b"\n")


def _become(spec: RoleSpec, folder: str) -> None:
    """Turn the forked child into a role. Never returns."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        nursery = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != nursery:
            os._exit(1)  # the nursery died before the kernel knew of our wish
        _call_this_process(spec.name)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        # Pages make few reference cycles: looking for them every 700 objects costs a tenth.
        gc.set_threshold(300_000, 20, 100)
        uvloop.run(_live(spec, folder))
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


async def _live(spec: RoleSpec, folder: str) -> None:
    peers = SocketPeers(folder)
    role = factory_of(spec.factory)(spec.settings, peers)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, role.stop)
    # The socket gets its name when it listens: whoever sees it can connect.
    unnamed = Path(folder, f"{spec.name}.{os.getpid()}")
    server = await asyncio.start_unix_server(
        lambda reader, writer: serve_connection(role.handlers, reader, writer),
        unnamed,
        limit=1 << 20,
    )
    unnamed.rename(Path(folder, spec.name))
    await role.run()
    # The role has put everything in order; taking the loop apart would only cost time.
    server.close()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
