"""Files of documents as the source of an index."""

from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path

from gossamer.index.document_files import DocumentFiles
from gossamer.index.documents import IndexDocument, LanguageOf, identity_of, typed_document
from gossamer.index.fields import Fields
from gossamer.index.formats import Row
from gossamer.index.safety import SafetyList
from gossamer.lib.hashing import hash64


class DocumentSource:
    def __init__(
        self,
        files: DocumentFiles,
        fields: Fields,
        detect: LanguageOf,
        unsafe: SafetyList | None = None,
        stamp: str = "",
        versions: Mapping[int, int] | None = None,
    ) -> None:
        """`unsafe`: what is marked, beside the documents that are marked in the file. `stamp`: of
        how documents are read; where it is another one, all of them have changed. `versions`: those
        of a scan of these files."""
        self.name = files.name
        self._files = files
        self._fields = fields
        self._detect = detect
        self._unsafe = unsafe
        self._stamps = [stamp] if stamp else []
        if unsafe is not None:
            self._stamps.append(str(unsafe.stamp))
        self._scanned = versions
        self._versions: dict[int, int] = {}

    @classmethod
    def of(cls, paths: Sequence[Path], fields: Fields, detect: LanguageOf) -> "DocumentSource":
        return cls(DocumentFiles(paths), fields, detect)

    def versions(self) -> Mapping[int, int]:
        if self._scanned is None:
            # Of a document that is there twice, the last one counts.
            self._scanned = {identity_of(row.name): row.version for row in self._files.rows()}
        self._versions = {
            identity: self._version(version) for identity, version in self._scanned.items()
        }
        return self._versions

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        for row in self.rows(wanted):
            yield self.typed(row)

    def rows(self, wanted: Container[int]) -> Iterator[Row]:
        """Documents as they stand in the files; for use after `versions`."""
        for row in self._files.rows():
            identity = identity_of(row.name)
            version = self._version(row.version)
            if identity in wanted and self._versions.get(identity) == version:
                yield row._replace(version=version)

    def all_rows(self) -> Iterator[Row]:
        """Everything that stands in the files, repeated documents too."""
        return self._files.rows()

    def typed(self, row: Row) -> IndexDocument:
        return typed_document(row, self._fields, self._detect, self._unsafe)

    def _version(self, version: int) -> int:
        """A document has changed, too, when the way has in which it is read."""
        if not self._stamps:
            return version
        return hash64(" ".join((str(version), *self._stamps)).encode())
