"""What comes through standard input, stored where it is needed again.

An index is built again from its documents, and a list of synonyms is read again by every process
that searches: what came through a pipe has to be there then.
"""

import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gossamer.errors import UsageError
from gossamer.lib.hashing import hash64
from gossamer.storage.generations import sync
from gossamer.storage.objects import LocalObjects, refusals

STANDARD_INPUT = Path("-")
FOLDER = "standard-input"
LISTS = "lists"
_BLOCK_BYTES = 1 << 20


def store_standard_input(folder: Path) -> str:
    """Read standard input to its end into a file of an index. Gives its path below the folder."""
    _demand_pipe()
    name = f"{FOLDER}/{secrets.token_hex(8)}"
    path = folder / name
    with refusals(f"Cannot write {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, _BLOCK_BYTES)
        for one in (path, path.parent, folder):
            sync(one)
    return name


def sweep_standard_input(folder: Path, kept: str) -> None:
    """Delete what earlier builds stored, and what a failed one left."""
    for path in (folder / FOLDER).glob("*"):
        if f"{FOLDER}/{path.name}" != kept:
            path.unlink(missing_ok=True)


def store_list(home: Path) -> str:
    """Read a list from standard input into a file of a home. Gives its path."""
    _demand_pipe()
    data = sys.stdin.buffer.read()
    name = f"{hash64(data) % 2**64:016x}.txt"
    LocalObjects(home / LISTS).put(name, data)
    return str((home / LISTS / name).absolute())


@contextmanager
def as_file(path: Path) -> Iterator[Path]:
    """The file at a path; of standard input, a temporary file that can be read more than once."""
    if path != STANDARD_INPUT:
        yield path
        return
    _demand_pipe()
    with TemporaryDirectory(prefix="gossamer-") as folder:
        stored = Path(folder) / "standard-input"
        with refusals(f"Cannot write {stored}"), stored.open("xb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, _BLOCK_BYTES)
        yield stored


def _demand_pipe() -> None:
    if sys.stdin.isatty():
        raise UsageError("'-' reads standard input: pipe a file into the command.")
