"""Where a text is still to be found: in the bytes of files, and in what they unpack to."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from gossamer.storage.objects import ObjectStore


def traces(objects: ObjectStore, text: str) -> list[str]:
    """The names of the objects that hold the text."""
    return [name for name in objects.list() if _holds(name, objects.get(name) or b"", text)]


def traces_in_files(folder: Path, text: str) -> list[str]:
    """The same for all files below a folder, whatever they are."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        str(path.relative_to(folder))
        for path in files
        if _holds(path.name, path.read_bytes(), text)
    ]


def _holds(name: str, data: bytes, text: str) -> bool:
    return any(text.encode() in form for form in _forms(name, data))


def _forms(name: str, data: bytes) -> Iterator[bytes]:
    yield data
    # A process that was killed leaves files behind that were not written to their end.
    with suppress(EOFError, OSError, zlib.error, pa.ArrowException):
        if name.endswith(".gz"):
            yield gzip.decompress(data)
        if name.endswith(".parquet"):
            table = pq.read_table(io.BytesIO(data))
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as writer:
                writer.write_table(table)
            yield sink.getvalue().to_pybytes()
