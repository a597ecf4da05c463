"""Folders that are published whole, and stay as long as somebody reads them.

A generation is a folder with a `reader.lock`. Readers hold it in common; whoever gets it alone may
delete the folder. The kernel lets go of a lock whose holder was killed.
"""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from gossamer.errors import FormatError

READER_LOCK = "reader.lock"
M = TypeVar("M")


def held(generation: Path) -> int | None:
    """Keep a generation from being swept until the descriptor is closed; None where it is gone."""
    path = generation / READER_LOCK
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    if path.exists():
        return descriptor
    os.close(descriptor)  # swept before we had it
    return None


def hold_newest(
    manifest: Callable[[], M | None], folder: Callable[[M], Path], advice: str
) -> tuple[int, M] | None:
    """The generation that counts; it stays until the descriptor is closed. None where there is
    none yet. `folder`: of the generation that a manifest names."""
    while True:
        known = manifest()
        if known is None:
            return None
        descriptor = held(folder(known))
        if descriptor is not None:
            return descriptor, known
        if manifest() == known:  # else it was replaced in between
            raise FormatError(f"{folder(known)} is missing. {advice}")


def nobody_reads(generation: Path) -> bool:
    """If so, nobody will: whoever comes finds it gone."""
    try:
        descriptor = os.open(generation / READER_LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return True  # never published
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        # Whoever waits for it finds the file gone, and looks for the generation that counts.
        (generation / READER_LOCK).unlink()
        return True
    finally:
        os.close(descriptor)


def link_all(source: Path, target: Path) -> None:
    """The files of a folder in another one too, durably; locks are nobody's but their own."""
    target.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if path.suffix == ".lock" or path.is_dir():
            continue
        link = target / path.name
        link.unlink(missing_ok=True)
        link.hardlink_to(path)
        sync(link)


def sync(path: Path) -> None:
    """A file or a folder, down to the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def subfolders(parent: Path) -> list[Path]:
    return [path for path in parent.iterdir() if path.is_dir()] if parent.exists() else []
