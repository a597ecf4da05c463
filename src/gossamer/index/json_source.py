"""A JSON Lines file as a source of documents."""

from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from gossamer.index.documents import (
    IndexDocument,
    LanguageOf,
    identity_of,
    read_json_lines,
    typed_document,
)
from gossamer.index.fields import Fields


class JsonSource:
    def __init__(self, path: Path, fields: Fields, detect: LanguageOf) -> None:
        self.name = str(path)
        self._path = path
        self._fields = fields
        self._detect = detect
        self._versions: dict[int, int] = {}

    def versions(self) -> Mapping[int, int]:
        # Of a document that is there twice, the last one counts.
        self._versions = {
            identity_of(line.name): line.version for line in read_json_lines(self._path)
        }
        return self._versions

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        for line in read_json_lines(self._path):
            identity = identity_of(line.name)
            if identity in wanted and self._versions.get(identity) == line.version:
                yield typed_document(line, self._fields, self._detect)
