"""Standard input, stored where it is needed again.

An index is built again from its documents, and a list of synonyms is read again by every process
that searches: what came through a pipe has to be there then.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gossamer.config import STANDARD_INPUT
from gossamer.errors import UsageError
from gossamer.lib.hashing import hash64
from gossamer.storage.objects import LocalObjects, refusals

STORED_INPUT = "standard-input"
"""The file in the folder of an index that holds the documents from the standard input."""
LISTS = "lists"
_BLOCK_BYTES = 1 << 20


@contextmanager
def stored_input(folder: Path, names: Sequence[str]) -> Iterator[Path | None]:
    """The standard input as a file in a folder, if one of the names is '-'. It is deleted at the
    end, unless it has been moved."""
    if STANDARD_INPUT not in names:
        yield None
        return
    if list(names).count(STANDARD_INPUT) > 1:
        raise UsageError("The standard input can be read only once: '-' is given twice.")
    _demand_pipe()
    with refusals(f"Cannot write {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, path = tempfile.mkstemp(prefix=".standard-input-", dir=folder)
    try:
        with refusals(f"Cannot write {path}"), os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, _BLOCK_BYTES)
            file.flush()
            os.fsync(descriptor)
        yield Path(path)
    finally:
        Path(path).unlink(missing_ok=True)


def store_list(home: Path) -> str:
    """Read a list from the standard input into a file of a home. Gives its path."""
    _demand_pipe()
    data = sys.stdin.buffer.read()
    name = f"{hash64(data) % 2**64:016x}.txt"
    LocalObjects(home / LISTS).put(name, data)
    return str((home / LISTS / name).absolute())


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
