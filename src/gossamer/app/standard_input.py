"""Standard input, stored where it is needed again.

An index is built again from its documents, and a list of synonyms is read again by every process
that searches: what came through a pipe has to be there then.
"""

import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gossamer.config import STANDARD_INPUT
from gossamer.errors import UsageError
from gossamer.storage.objects import LocalObjects, refusals

STORED_INPUT = "standard-input"
"""How the files begin that hold documents from the standard input, in the folder of an index."""
LISTS = "lists"
"""The folder of lists from the standard input, in a home and in the folder of an index."""
_SPOOL = ".standard-input-"
_BLOCK_BYTES = 1 << 20


@contextmanager
def spooled_input(folder: Path, names: Sequence[str]) -> Iterator[Path | None]:
    """The standard input as a temporary file in a folder, if one of the names is '-'."""
    if STANDARD_INPUT not in names:
        yield None
        return
    if list(names).count(STANDARD_INPUT) > 1:
        raise UsageError("The standard input can be read only once: '-' is given twice.")
    _demand_pipe()
    with refusals(f"Cannot write {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(folder)
        descriptor, path = _spool(folder)
    with os.fdopen(descriptor, "wb") as file:  # open to the end: its lock says that it is in use
        try:
            with refusals(f"Cannot write {path}"):
                shutil.copyfileobj(sys.stdin.buffer, file, _BLOCK_BYTES)
                file.flush()
            yield path
        finally:
            path.unlink(missing_ok=True)


def _spool(folder: Path) -> tuple[int, Path]:
    """A locked file of its own."""
    while True:
        descriptor, path = tempfile.mkstemp(prefix=_SPOOL, dir=folder)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if Path(path).exists():  # else another process has just taken it for abandoned
            return descriptor, Path(path)
        os.close(descriptor)


def _remove_abandoned(folder: Path) -> None:
    """Remove the temporary files of processes that were killed."""
    for path in folder.glob(f"{_SPOOL}*"):
        try:
            with path.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
        except (FileNotFoundError, BlockingIOError):
            continue


def store_input(folder: Path, spooled: Path) -> str:
    """Store spooled documents durably in the folder of an index. Returns the name of the file: the
    same for the same documents."""
    with spooled.open("rb") as file:
        name = f"{STORED_INPUT}-{hashlib.file_digest(file, 'sha256').hexdigest()[:32]}"
    LocalObjects(folder).put(name, spooled)
    return name


def remove_inputs(folder: Path, kept: str) -> None:
    """Remove stored documents from the folder of an index, but for the file `kept`."""
    for path in folder.glob(f"{STORED_INPUT}*"):
        if path.name != kept:
            path.unlink(missing_ok=True)


def store_list(folder: Path) -> str:
    """Read a list from the standard input into a file below a folder. Returns its path."""
    _demand_pipe()
    data = sys.stdin.buffer.read()
    name = f"{hashlib.sha256(data).hexdigest()[:32]}.txt"
    LocalObjects(folder / LISTS).put(name, data)
    return str((folder / LISTS / name).absolute())


def remove_lists(folder: Path, kept: Collection[str]) -> None:
    """Remove the stored lists below a folder, but for those whose paths are `kept`."""
    for path in (folder / LISTS).glob("*.txt"):
        if str(path.absolute()) not in kept:
            path.unlink(missing_ok=True)


@contextmanager
def as_file(path: Path) -> Iterator[Path]:
    """The file at a path; of the standard input, a temporary file that can be read more than
    once."""
    if str(path) != STANDARD_INPUT:
        yield path
        return
    _demand_pipe()
    with TemporaryDirectory(prefix="gossamer-") as folder:
        stored = Path(folder) / STORED_INPUT
        with refusals(f"Cannot write {stored}"), stored.open("xb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, _BLOCK_BYTES)
        yield stored


def _demand_pipe() -> None:
    if sys.stdin.isatty():
        raise UsageError("'-' is the standard input: pipe a file into the command.")
