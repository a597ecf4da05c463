"""Compressed files, unpacked while they are read."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from gossamer.errors import UsageError

_GZIP = b"\x1f\x8b"
_ZSTANDARD = b"\x28\xb5\x2f\xfd"
_BUFFER = 1 << 18


def is_compressed(head: bytes) -> bool:
    return head.startswith((_GZIP, _ZSTANDARD))


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """The content of a file; a damaged one is a `UsageError`, wherever it turns out."""
    import pyarrow as pa

    try:
        with path.open("rb") as file:
            head = file.read(4)
            file.seek(0)
            if head.startswith(_GZIP):
                with gzip.GzipFile(fileobj=file) as packed:
                    yield cast(BinaryIO, io.BufferedReader(packed, _BUFFER))
            elif head.startswith(_ZSTANDARD):
                with pa.CompressedInputStream(pa.PythonFile(file, "r"), "zstd") as packed:
                    yield cast(BinaryIO, io.BufferedReader(packed, _BUFFER))
            else:
                yield file
    except (EOFError, gzip.BadGzipFile, zlib.error, pa.ArrowException) as error:
        raise UsageError(f"{path} is damaged and cannot be unpacked: {error}") from None
    except OSError as error:
        if error.strerror is None:  # by Arrow
            raise UsageError(f"{path} is damaged and cannot be unpacked: {error}") from None
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
