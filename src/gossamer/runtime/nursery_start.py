"""How a nursery comes into being: forked from this process, or in an interpreter of its own.

A fork shares all that has been imported, and so saves half of what a small crawl costs. It is safe
only where nothing else runs that could hold a lock, be in the middle of something, or own what the
child would inherit. The one rule: *a process that has one thread, and is in no event loop, forks;
any other starts a fresh interpreter.* `gossamer crawl` is of the first kind; a web server, or a
test that serves pages from a thread, is of the second. To what comes after it makes no difference.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from gossamer.lib.threads import has_one_thread, refuse_thread_pools
from gossamer.runtime import nursery


class Nursery(NamedTuple):
    """A nursery as its owner holds it. It ends when `commands` is closed by its last holder."""

    pid: int
    commands: int  # the descriptor that it is told on
    news: int  # and the one that it tells on
    wait: Callable[[], object]


def start_nursery(folder: str, modules: Sequence[str]) -> Nursery:
    """`folder`: of the sockets; `modules`: what workers need, to be imported before they fork."""
    forks = may_fork()
    if forks:
        refuse_thread_pools()
        nursery.preload(modules)
    told, commands = os.pipe()
    news, tells = os.pipe()
    try:
        with _interrupts_later():
            start = _forked if forks else _fresh
            pid, wait = start(told, tells, folder, modules)
    except BaseException:
        os.close(commands)  # which ends a nursery that there may be already
        os.close(news)
        raise
    finally:
        os.close(told)
        os.close(tells)
    return Nursery(pid, commands, news, wait)


@contextlib.contextmanager
def _interrupts_later() -> Iterator[None]:
    """Until the nursery can ignore a Ctrl-C, it is kept from it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def may_fork() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return has_one_thread()
    return False


def _forked(
    told: int, tells: int, folder: str, _: Sequence[str]
) -> tuple[int, Callable[[], object]]:
    sys.stderr.flush()  # what the buffer holds would be written twice
    pid = os.fork()
    if pid == 0:
        _become_nursery(told, tells, folder)
    return pid, lambda: _wait_for(pid)


def _become_nursery(told: int, tells: int, folder: str) -> NoReturn:
    """Nothing of the parent's is finished here, in whatever way this ends: its objects are still
    its own, and its files too."""
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        os.dup2(told, 0)
        os.dup2(tells, 1)
        _close_all_but_the_standard_ones()
        sys.stderr = sys.__stderr__
        _look_for_modules_here()
        nursery.tend(folder)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _look_for_modules_here() -> None:
    """As `python -m` does: what a person's plugins find must not depend on how we started."""
    if not sys.flags.safe_path:
        with contextlib.suppress(OSError):
            sys.path.insert(0, str(Path.cwd()))


def _close_all_but_the_standard_ones() -> None:
    """Locks are held, and pipes are open, for as long as anybody has their descriptor."""
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208 - names are enough
        if int(name) > 2:
            with contextlib.suppress(OSError):  # the one that the listing itself took
                os.close(int(name))


def _wait_for(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _fresh(
    told: int, tells: int, folder: str, modules: Sequence[str]
) -> tuple[int, Callable[[], object]]:
    environment = dict(os.environ)
    refuse_thread_pools(environment)
    process = subprocess.Popen(  # noqa: S603 - it is ourselves
        [sys.executable, "-m", nursery.__name__, folder, *modules],
        stdin=told,
        stdout=tells,
        env=environment,
    )
    return process.pid, process.wait
