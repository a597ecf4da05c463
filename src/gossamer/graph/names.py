"""Addresses by number: one blob of text, mapped, and where each begins.

Addresses of a host lie together, hosts of a domain too, and within a host they are in the order of
their keys. So an address is found by its number at once, and by host and key with a binary search;
pages that link to each other have numbers that are near each other.
"""

import os
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import FormatError, StorageError
from gossamer.storage.arrays import mapped, save
from gossamer.storage.objects import refusals
from gossamer.urls import Url

Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]

ADVICE = "Run 'gossamer rank' again."

_TEXTS = "names.bin"


class Host(NamedTuple):
    """In the order in which hosts are numbered."""

    domain: str
    name: str


class NamesWriter:
    """Takes addresses host by host, in the order of hosts and keys."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._hosts: list[Host] = []
        self._host_ends: list[Int64s] = []
        self._keys = ArrayFile(folder / "keys.npy", np.int64)
        self._ends = ArrayFile(folder / "name-ends.npy", np.int64)
        self._bytes = 0
        with refusals(f"Cannot write {folder}"):
            self._texts: BinaryIO = (folder / _TEXTS).open("wb")

    @property
    def count(self) -> int:
        return self._keys.count

    def add(self, hosts: Sequence[Host], counts: Int64s, keys: Int64s, names: Any) -> None:
        """Some hosts, how many addresses each has, and those (an Arrow array of texts)."""
        self._host_ends.append(self.count + np.cumsum(counts))
        self._hosts += hosts
        self._keys.append(keys)
        offsets, data = texts_of(names)
        self._ends.append(self._bytes + offsets[1:] - offsets[0])
        with refusals(f"Cannot write {self._folder}"):
            self._texts.write(data[int(offsets[0]) : int(offsets[-1])])
        self._bytes += int(offsets[-1] - offsets[0])

    def __enter__(self) -> "NamesWriter":
        return self

    def __exit__(self, fault: object, *_: object) -> None:
        """What failed is not finished, but let go of."""
        if fault is None:
            self._finish()
        else:
            for file in (self._texts, self._keys, self._ends):
                with suppress(StorageError, OSError):
                    file.close()

    def _finish(self) -> None:
        with refusals(f"Cannot write {self._folder}"):
            self._texts.flush()
            os.fsync(self._texts.fileno())
            self._texts.close()
        self._keys.close()
        self._ends.close()
        ends = np.concatenate(self._host_ends) if self._host_ends else np.empty(0, np.int64)
        save(self._folder / "host-ends.npy", ends)
        write_hosts(self._folder / "hosts.tsv", self._hosts)


class Names:
    def __init__(self, folder: Path) -> None:
        self.keys: Int64s = mapped(folder / "keys.npy", ADVICE)
        self.host_ends: Int64s = mapped(folder / "host-ends.npy", ADVICE)
        self._ends: Int64s = mapped(folder / "name-ends.npy", ADVICE)
        self._texts = _mapped_bytes(folder / _TEXTS)
        self.hosts: list[Host] = read_hosts(folder / "hosts.tsv")
        if len(self.keys) != len(self._ends) or len(self.hosts) != len(self.host_ends):
            raise FormatError(f"{folder} is damaged. {ADVICE}")

    def __len__(self) -> int:
        return len(self.keys)

    def name(self, number: int) -> str:
        begin = int(self._ends[number - 1]) if number else 0
        return bytes(self._texts[begin : int(self._ends[number])]).decode("utf-8", "replace")

    def taken(self, numbers: Int64s) -> Any:
        """The addresses of these numbers, as an Arrow array."""
        import pyarrow as pa

        offsets = np.concatenate((np.zeros(1, np.int64), self._ends))
        array = pa.LargeStringArray.from_buffers(
            len(self._ends), pa.py_buffer(offsets), pa.py_buffer(self._texts)
        )
        return array.take(pa.array(numbers))

    def host_numbers(self) -> Int32s:
        """Of each address, the number of its host."""
        counts = np.diff(self.host_ends, prepend=0)
        return np.repeat(np.arange(len(self.hosts), dtype=np.int32), counts)

    def host_begin(self, host: int) -> int:
        return int(self.host_ends[host - 1]) if host else 0

    def host(self, url: Url) -> int:
        """The number of a URL's host; -1 where nothing of it is known."""
        wanted = Host(url.site, url.host)
        place = bisect_left(self.hosts, wanted)
        return place if place < len(self.hosts) and self.hosts[place] == wanted else -1

    def find(self, url: Url) -> int:
        """The number of a URL; -1 where it is not known."""
        host = self.host(url)
        if host < 0:
            return -1
        begin, end = self.host_begin(host), int(self.host_ends[host])
        place = begin + int(np.searchsorted(self.keys[begin:end], url.key))
        return place if place < end and int(self.keys[place]) == url.key else -1


class ArrayFile:
    """An array in a file that grows, for those that may be longer than memory."""

    def __init__(self, path: Path, kind: Any) -> None:
        self._path = path
        self._kind = np.dtype(kind)
        self.count = 0
        with refusals(f"Cannot write {path}"):
            self._file = path.open("wb")
            self._file.write(self._head())

    def append(self, values: Any) -> None:
        with refusals(f"Cannot write {self._path}"):
            self._file.write(np.ascontiguousarray(values, self._kind).data)
        self.count += len(values)

    def close(self) -> None:
        with refusals(f"Cannot write {self._path}"):
            self._file.seek(0)
            self._file.write(self._head())
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()

    def _head(self) -> bytes:
        """That of an `.npy` file; as long for any number of values."""
        text = (
            f"{{'descr': '{self._kind.str}', 'fortran_order': False, 'shape': ({self.count},), }}"
        )
        padded = text.ljust(117) + "\n"
        return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded.encode("ascii")


def texts_of(names: Any) -> tuple[Int64s, Any]:
    """An Arrow array of texts as offsets and the bytes that they lead into."""
    import pyarrow as pa

    array = names.combine_chunks() if isinstance(names, pa.ChunkedArray) else names
    large = array.cast(pa.large_string())
    _, offsets, data = large.buffers()
    found = np.frombuffer(offsets, np.int64, len(large) + 1, large.offset * 8)
    return found, memoryview(data) if data is not None else memoryview(b"")


def write_hosts(path: Path, hosts: Iterable[Host]) -> None:
    with refusals(f"Cannot write {path}"), path.open("w", encoding="utf-8", newline="\n") as file:
        for host in hosts:
            file.write(f"{host.domain}\t{host.name}\n")
        file.flush()
        os.fsync(file.fileno())


def read_hosts(path: Path) -> list[Host]:
    with refusals(f"Cannot read {path}"):
        try:
            lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        except FileNotFoundError:
            raise FormatError(f"{path} is missing. {ADVICE}") from None
    found = [Host(*line.split("\t")) for line in lines if line.count("\t") == 1]
    if len(found) != len(lines):
        raise FormatError(f"{path} is damaged. {ADVICE}")
    return found


def _mapped_bytes(path: Path) -> Any:
    with refusals(f"Cannot read {path}"):
        try:
            if not path.stat().st_size:
                return np.empty(0, np.uint8)
            return np.asarray(np.memmap(path, np.uint8, "r"))
        except FileNotFoundError:
            raise FormatError(f"{path} is missing. {ADVICE}") from None
