"""Documents on their way to a shard: a file of them, read once by the shard's writer."""

import json
import struct
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import msgspec

from gossamer.index.documents import IndexDocument
from gossamer.storage.objects import refusals

_FRAME = struct.Struct("<BI")  # how it is written, and its length
_MSGPACK, _JSON = 0, 1


class Spool:
    """The documents of one shard, as a source: those that it has, and others in a file."""

    def __init__(self, path: Path, kept: Mapping[int, int]) -> None:
        """`kept`: identity -> version of those that the shard holds already."""
        self.name = str(path)
        self._path = path
        self._versions = dict(kept)
        with refusals(f"Cannot write {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = path.open("wb")

    def add(self, document: IndexDocument) -> None:
        self._versions[document.identity] = document.version
        try:
            kind, data = _MSGPACK, _encoder.encode(document)
        except UnicodeEncodeError:  # half a character, out of a broken page
            kind, data = _JSON, json.dumps(msgspec.structs.asdict(document)).encode()
        with refusals(f"Cannot write {self._path}"):
            self._file.write(_FRAME.pack(kind, len(data)))
            self._file.write(data)

    def close(self) -> None:
        with refusals(f"Cannot write {self._path}"):
            self._file.close()

    def versions(self) -> Mapping[int, int]:
        return self._versions

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        with refusals(f"Cannot read {self._path}"), self._path.open("rb") as file:
            while head := file.read(_FRAME.size):
                kind, length = _FRAME.unpack(head)
                data = file.read(length)
                document = (
                    _decoder.decode(data)
                    if kind == _MSGPACK
                    else msgspec.convert(json.loads(data), IndexDocument)
                )
                if document.identity in wanted:
                    yield document


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(IndexDocument)
