"""A lock on a file, held by one process at a time, which dies with that process."""

import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from weakref import WeakSet

T = TypeVar("T")

_ATTEMPTS = 10
_PAUSE_SECONDS = 0.005
_held: "WeakSet[FileLock]" = WeakSet()


class FileLock:
    """The kernel holds the lock, so that it is free again when its holder was killed. The file
    says which process that is; it stays in place, because removing it would race.

    On a network file system it is as good as that system's flock.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """Take the lock; False where another one holds it. Does not wait for the holder."""
        if self._descriptor is not None:
            raise RuntimeError(f"{self._path} is locked by this very object")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        # Somebody who looks for the holder has the file for an instant: that is not a refusal.
        if not _repeat(lambda: _try(descriptor, fcntl.LOCK_EX)):
            os.close(descriptor)
            return False
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor
        _held.add(self)
        return True

    def release(self) -> None:
        """Give the lock back; harmless where it is not held."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            self._close()

    def holder(self) -> int | None:
        """The process that holds the lock, if any does."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            if _try(descriptor, fcntl.LOCK_SH):
                return None
            # Between taking the lock and writing its number, a holder has no name.
            return _repeat(lambda: _number_in(descriptor))
        finally:
            os.close(descriptor)

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
            _held.discard(self)


def _try(descriptor: int, operation: int) -> bool:
    try:
        fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _number_in(descriptor: int) -> int | None:
    text = os.pread(descriptor, 32, 0)
    return int(text) if text.endswith(b"\n") else None


def _repeat(attempt: Callable[[], T]) -> T:
    """The first result that is not empty, within an instant."""
    for _ in range(_ATTEMPTS):
        if result := attempt():
            return result
        _pause()
    return attempt()


def _pause() -> None:
    time.sleep(_PAUSE_SECONDS)


def _let_go_in_child() -> None:
    """A forked child shares the lock, and would keep it when its parent was killed."""
    for lock in list(_held):
        lock._close()


os.register_at_fork(after_in_child=_let_go_in_child)
