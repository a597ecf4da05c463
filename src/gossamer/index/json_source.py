"""A JSON Lines file as a source of documents."""

from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from gossamer.index.documents import IndexDocument, LanguageOf, json_documents
from gossamer.index.fields import Fields


class JsonSource:
    def __init__(self, path: Path, fields: Fields, detect: LanguageOf) -> None:
        self.name = str(path)
        self._path = path
        self._fields = fields
        self._detect = detect

    def versions(self) -> Mapping[int, int]:
        # Of a document that is there twice, the last one counts.
        return {
            document.identity: document.version
            for document in json_documents(self._path, self._fields, lambda _: "")
        }

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        newest = self.versions()
        for document in json_documents(self._path, self._fields, self._detect):
            if document.identity in wanted and newest[document.identity] == document.version:
                yield document
