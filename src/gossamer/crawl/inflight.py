"""Which page a fetcher is processing, where it can be read after the process has died.

Native parsers can take the process down. The mark is a shared memory page of a file: writing it
costs less than a microsecond, and the kernel keeps it whatever becomes of the process.
"""

import mmap
import os
import struct
from pathlib import Path

_MARK = struct.Struct("<?qq")
_NOTHING = (False, 0, 0)


class InflightMark:
    def __init__(self, path: Path) -> None:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(file, _MARK.size)
            self._map = mmap.mmap(file, _MARK.size)
        finally:
            os.close(file)
        self.clear()

    def set(self, site: int, key: int) -> None:
        _MARK.pack_into(self._map, 0, True, site, key)

    def clear(self) -> None:
        _MARK.pack_into(self._map, 0, *_NOTHING)


def marked(path: Path) -> tuple[int, int] | None:
    """(site, key) of the page that a dead process was at."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    if len(data) != _MARK.size:
        return None
    processing, site, key = _MARK.unpack(data)
    return (site, key) if processing else None
