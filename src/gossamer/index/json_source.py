"""A JSON Lines file as a source of documents."""

from collections.abc import Container, Iterator, Mapping
from pathlib import Path

from gossamer.index.documents import (
    IndexDocument,
    LanguageOf,
    Line,
    identity_of,
    read_json_lines,
    typed_document,
)
from gossamer.index.fields import Fields
from gossamer.index.safety import SafetyList
from gossamer.lib.hashing import hash64


class JsonSource:
    def __init__(
        self,
        path: Path,
        fields: Fields,
        detect: LanguageOf,
        unsafe: SafetyList | None = None,
        stamp: str = "",
    ) -> None:
        """`unsafe`: what is marked, beside the documents that are marked in the file. `stamp`: of
        how documents are read; where it is another one, all of them have changed."""
        self.name = str(path)
        self._path = path
        self._fields = fields
        self._detect = detect
        self._unsafe = unsafe
        self._stamps = [stamp] if stamp else []
        if unsafe is not None:
            self._stamps.append(str(unsafe.stamp))
        self._versions: dict[int, int] = {}

    def versions(self) -> Mapping[int, int]:
        # Of a document that is there twice, the last one counts.
        self._versions = {identity_of(line.name): line.version for line in self._lines()}
        return self._versions

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        for line in self.lines(wanted):
            yield self.typed(line)

    def lines(self, wanted: Container[int]) -> Iterator[Line]:
        """Documents as they stand in the file; for use after `versions`."""
        for line in self._lines():
            identity = identity_of(line.name)
            if identity in wanted and self._versions.get(identity) == line.version:
                yield line

    def all_lines(self) -> Iterator[Line]:
        """Everything that stands in the file, repeated documents too."""
        return self._lines()

    def typed(self, line: Line) -> IndexDocument:
        return typed_document(line, self._fields, self._detect, self._unsafe)

    def _lines(self) -> Iterator[Line]:
        """A document has changed, too, when the way has in which it is read."""
        for line in read_json_lines(self._path):
            if not self._stamps:
                yield line
            else:
                both = " ".join((str(line.version), *self._stamps))
                yield line._replace(version=hash64(both.encode()))
