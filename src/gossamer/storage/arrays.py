"""Arrays as files: written durably, and mapped instead of read."""

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np

from gossamer.errors import FormatError
from gossamer.storage.objects import refusals
from gossamer.storage.versioned import rebuild_advice


def save(path: Path, array: Any) -> None:
    with refusals(f"Cannot write {path}"), path.open("wb") as file:
        try:
            np.save(file, array, allow_pickle=False)
        except OSError as error:
            if error.errno is None:  # how numpy says that a write ended halfway
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
            raise
        file.flush()
        os.fsync(file.fileno())


def mapped(path: Path, advice: str = rebuild_advice()) -> Any:
    """The array in a file. What is not touched is not read. `advice`: what to do where it is
    missing or damaged, a sentence."""
    with refusals(f"Cannot read {path}"):
        try:
            try:
                # As a plain array: a memmap costs a microsecond more at every touch.
                return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
            except ValueError:
                return np.load(path, allow_pickle=False)  # an empty array cannot be mapped
        except FileNotFoundError:
            raise FormatError(f"{path} is missing. {advice}") from None
        except (ValueError, EOFError) as error:
            raise FormatError(f"{path} is damaged ({error}). {advice}") from None
