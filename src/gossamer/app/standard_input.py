"""Documents from standard input, stored beside the index that is built of them.

An index is built again from its documents: what came through a pipe has to be there then.
"""

import secrets
import shutil
import sys
from pathlib import Path

from gossamer.errors import UsageError
from gossamer.storage.generations import sync
from gossamer.storage.objects import refusals

STANDARD_INPUT = Path("-")
FOLDER = "standard-input"
_BLOCK_BYTES = 1 << 20


def store_standard_input(folder: Path) -> str:
    """Read standard input to its end into a file of an index. Gives its path below the folder."""
    if sys.stdin.isatty():
        raise UsageError("'-' reads documents from standard input: pipe a file into the command.")
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
