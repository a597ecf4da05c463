"""The storage contract: what object stores have, and nothing more (no append, rename or lock).

An object is whole or absent: `put` returns when the object is durable, and a crash leaves either
the old object or the new one. Names are '/'-separated. What is missing is a value (None), what
the disk refuses is a fault.
"""

import errno
import io
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from gossamer.errors import FormatError, StorageError, StorageFull

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
"""No component starts with a dot: that rules out '..', and leaves such names to temporary files
and folders, which are never listed."""

_TEMPORARY = ".tmp-"
_BUFFER_BYTES = 250_000  # in which small pieces are gathered; a long one is not copied
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_CANNOT_LINK = frozenset({errno.EXDEV, errno.EPERM, errno.EMLINK, errno.ENOTSUP, errno.ENOSYS})


Data = bytes | Path | Sequence[bytes | memoryview]
"""What an object is made of: bytes, the file at a path, or pieces, one behind the other."""


class ObjectStore(Protocol):
    def get(self, name: str) -> bytes | None:
        """The whole object; None where there is none."""

    def get_range(self, name: str, start: int, length: int) -> bytes | None:
        """Part of an object: shorter than asked where the object ends before."""

    def put(self, name: str, data: Data) -> None:
        """Create or replace an object. The file at a path may become the object itself, so it
        must not be written to afterwards; removing it is the caller's business."""

    def put_if_absent(self, name: str, data: Data) -> bool:
        """Create an object; False, and nothing changed, where the name is taken. Of several that
        try at once, exactly one succeeds."""

    def delete(self, name: str) -> None:
        """Remove an object; a missing one is no fault."""

    def list(self, prefix: str = "") -> Sequence[str]:
        """The names that start with `prefix`, sorted."""


@contextmanager
def refusals(what: str) -> Iterator[None]:
    """Turns the refusals of an operating system into faults that say what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StorageFull(
                f"{what}: the disk is full. Free some space (or raise the quota) and run the "
                "same command again: nothing that was stored is lost."
            ) from error
        raise StorageError(f"{what}: {error.strerror or error}.") from error


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"'{name}' is not the name of an object")
    return name


def _checked_prefix(prefix: str) -> str:
    if prefix:
        _checked(prefix.removesuffix("/"))
    return prefix


class LocalObjects:
    """Objects as files below a folder. Safe for several processes at once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._durable_folders: set[Path] = set()

    def get(self, name: str) -> bytes | None:
        with refusals(f"Cannot read {self._path(name)}"):
            try:
                return self._path(name).read_bytes()
            except FileNotFoundError:
                return None

    def get_range(self, name: str, start: int, length: int) -> bytes | None:
        with refusals(f"Cannot read {self._path(name)}"):
            try:
                with self._path(name).open("rb", buffering=0) as file:
                    file.seek(start)
                    return _read_fully(file, length)
            except FileNotFoundError:
                return None

    def put(self, name: str, data: Data) -> None:
        path = self._path(name)
        with refusals(f"Cannot write {path}"), self._temporary(path.parent, data) as temporary:
            temporary.replace(path)
            _sync_folder(path.parent)

    def put_if_absent(self, name: str, data: Data) -> bool:
        path = self._path(name)
        with refusals(f"Cannot write {path}"), self._temporary(path.parent, data) as temporary:
            try:
                # Unlike a rename, a link never replaces what is there.
                path.hardlink_to(temporary)
            except FileExistsError:
                return False
            _sync_folder(path.parent)
        return True

    def delete(self, name: str) -> None:
        path = self._path(name)
        with refusals(f"Cannot delete {path}"):
            path.unlink(missing_ok=True)

    def sweep(self) -> int:
        """Remove what crashes left half-written, and say how many files that were. Only for a
        moment when nobody else writes: the temporary files of the living look the same."""
        with refusals(f"Cannot clean up {self._root}"):
            leftovers = list(self._root.rglob(f"{_TEMPORARY}*"))
            for path in leftovers:
                path.unlink(missing_ok=True)
        return len(leftovers)

    def list(self, prefix: str = "") -> Sequence[str]:
        folder = self._root / _checked_prefix(prefix).rpartition("/")[0]
        names = []
        with refusals(f"Cannot list {folder}"):
            for parent, folders, files in os.walk(folder, onerror=_raise_unless_missing):
                folders[:] = [name for name in folders if not name.startswith(".")]
                start = Path(parent).relative_to(self._root).as_posix()
                start = "" if start == "." else f"{start}/"
                names += [start + file for file in files if not file.startswith(".")]
        return sorted(name for name in names if name.startswith(prefix))

    def _path(self, name: str) -> Path:
        return self._root / _checked(name)

    @contextmanager
    def _temporary(self, folder: Path, data: Data) -> Iterator[Path]:
        """A durable file with the data, in the folder where it is to get its name."""
        self._make_durable_folder(folder)
        temporary = folder / f"{_TEMPORARY}{secrets.token_hex(8)}"
        try:
            if isinstance(data, Path):
                _link_or_copy(data, temporary)
            else:
                _write(temporary, (data,) if isinstance(data, bytes) else data)
            yield temporary
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)

    def _make_durable_folder(self, folder: Path) -> None:
        if folder in self._durable_folders and folder.exists():
            return
        folder.mkdir(parents=True, exist_ok=True)
        # A synced file is lost all the same if the entry of its folder is not on the disk.
        below_root = [parent for parent in folder.parents if parent.is_relative_to(self._root)]
        for parent in [*below_root, self._root.parent]:
            _sync_folder(parent)
        self._durable_folders.add(folder)


def _raise_unless_missing(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


def _read_fully(file: io.FileIO, length: int) -> bytes:
    data = file.read(length)
    while len(data) < length:  # one read may return less than there is
        more = file.read(length - len(data))
        if not more:
            break
        data += more
    return data


def _write(path: Path, pieces: Iterable[bytes | memoryview]) -> None:
    with path.open("xb", _BUFFER_BYTES) as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())


def _link_or_copy(source: Path, path: Path) -> None:
    try:
        path.hardlink_to(source)
    except OSError as error:
        if error.errno not in _CANNOT_LINK:
            raise
        shutil.copyfile(source, path)
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class MemoryObjects:
    """Objects of one process, for tests and for trying things out."""

    def __init__(self) -> None:
        self._objects: dict[str, bytes] = {}

    def get(self, name: str) -> bytes | None:
        return self._objects.get(_checked(name))

    def get_range(self, name: str, start: int, length: int) -> bytes | None:
        data = self._objects.get(_checked(name))
        return None if data is None else data[start : start + length]

    def put(self, name: str, data: Data) -> None:
        self._objects[_checked(name)] = _bytes_of(data)

    def put_if_absent(self, name: str, data: Data) -> bool:
        if _checked(name) in self._objects:
            return False
        self._objects[name] = _bytes_of(data)
        return True

    def delete(self, name: str) -> None:
        self._objects.pop(_checked(name), None)

    def list(self, prefix: str = "") -> Sequence[str]:
        _checked_prefix(prefix)
        return sorted(name for name in self._objects if name.startswith(prefix))


def _bytes_of(data: Data) -> bytes:
    if isinstance(data, bytes):
        return data
    if not isinstance(data, Path):
        return b"".join(data)
    with refusals(f"Cannot read {data}"):
        return data.read_bytes()


class ObjectFile(io.RawIOBase):
    """A read-only file over ranged gets, for readers that want to seek (Parquet)."""

    def __init__(self, objects: ObjectStore, name: str, size: int) -> None:
        self._objects = objects
        self._name = name
        self._size = size
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        self._position = start + offset
        return self._position

    def read(self, size: int | None = -1) -> bytes:
        left = max(self._size - self._position, 0)
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted == 0:
            return b""
        data = self._objects.get_range(self._name, self._position, wanted)
        if data is None:
            raise FormatError(f"{self._name} is missing.")
        if len(data) < wanted:
            raise FormatError(f"{self._name} is damaged: it ends too early.")
        self._position += wanted
        return data
