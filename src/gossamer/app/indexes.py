"""The indexes of a home: what others see of them, and searching in them."""

import shutil
from pathlib import Path
from typing import Any

from msgspec import Struct

from gossamer.app.document_editing import DocumentEditing
from gossamer.app.home import Home
from gossamer.app.index_documents import stored_document
from gossamer.app.index_folders import how_to_build
from gossamer.app.kernels import compile_kernels
from gossamer.config import IndexSettings
from gossamer.edits import ChangeCounts
from gossamer.errors import (
    IndexNotFound,
    NothingThere,
    StorageError,
    UsageError,
)
from gossamer.index.numbers import MACHINE, NumberFormat
from gossamer.index.shard_set import ShardSet
from gossamer.search.contract import Answer, SearchRequest
from gossamer.search.local import LocalSearcher
from gossamer.search.requests import search_request
from gossamer.search.sharded import ShardedSearcher
from gossamer.storage.document_changes import DocumentChanges


class IndexInfo(Struct, frozen=True):
    name: str
    documents: int
    generation: int
    shards: int
    parts: int
    built_at: float
    size_bytes: int
    cut: int  # documents that are not searched to their end
    runs: tuple[str, ...]
    files: tuple[str, ...]  # of documents; '-' is the stored standard input
    languages: dict[str, int]
    fields: dict[str, str]
    number_formats: dict[str, NumberFormat]  # of the fields whose values show one
    settings: dict[str, Any]
    changes: ChangeCounts | None  # stored changes of single documents; None: cannot be read


class Indexes(DocumentEditing):
    """The indexes of a home: built, changed and searched."""

    def __init__(self, home: Home) -> None:
        super().__init__(home)
        self._searchers: dict[str, LocalSearcher | ShardedSearcher] = {}

    def info(self, name: str) -> IndexInfo:
        description = self._description(name)
        folder = self._folder(name)
        shards = ShardSet(folder.path)
        together = shards.manifest()
        if together is not None:
            folders = shards.folders(len(together.generations))
            manifests = shards.parts(together)
            generation, whole = together.number, together.whole
            paths = [shards.companions(together.number)]
        elif (manifest := folder.manifest()) is not None:
            folders, manifests = [folder], [manifest]
            generation, whole = manifest.generation, manifest.whole
            paths = []
        else:
            raise IndexNotFound(f"'{name}' was never built completely. {how_to_build(name)}.")
        for one, manifest in zip(folders, manifests, strict=True):
            paths.append(one.generation(manifest.generation))
            paths += [one.part(entry) for entry in manifest.parts]
        return IndexInfo(
            name=name,
            documents=whole.documents,
            generation=generation,
            shards=len(folders),
            parts=sum(len(manifest.parts) for manifest in manifests),
            built_at=max(manifest.built_at for manifest in manifests),
            size_bytes=sum(_size(path) for path in paths),
            cut=sum(manifest.cut for manifest in manifests),
            runs=description.runs,
            files=description.documents,
            languages=whole.languages,
            fields={field.name: field.type.value for field in manifests[0].fields.all},
            number_formats={
                field.name: field.number_format
                for field in manifests[0].fields.all
                if field.number_format != MACHINE
            },
            settings=description.settings,
            changes=self._change_counts(name),
        )

    def _change_counts(self, name: str) -> ChangeCounts | None:
        """An index can be searched even if the changes beside it are damaged."""
        try:
            return DocumentChanges(self._root / name).counts()
        except StorageError:
            return None

    def delete(self, name: str) -> None:
        if name not in self.names():
            self._description(name)  # says so
        with self._held(name) as folder:
            shutil.rmtree(folder.path, ignore_errors=True)

    # Searching

    def search(self, index: str, query: str | SearchRequest, **options: Any) -> Answer:
        """Answer a query; `options` are the fields of a `SearchRequest`, filters as `filters_of`
        reads them."""
        return self.searcher(index).search(search_request(query, options))

    def suggest(self, index: str, text: str, limit: int = 10) -> list[str]:
        """Complete a query that is being typed."""
        return self.searcher(index).suggest(text, limit)

    def document(self, name: str, id: str) -> dict[str, Any]:
        """Return a document as it is stored: id, url, title, text, fields."""
        self._description(name)
        found = stored_document(self._root / name, id)
        if found is None:
            raise NothingThere(f"The index '{name}' has no document '{id}'.")
        return found

    def searcher(self, name: str) -> LocalSearcher | ShardedSearcher:
        if not isinstance(name, str):
            raise UsageError(f"The name of an index is a text, not {type(name).__name__}.")
        shards = ShardSet(self._root / name)
        known = self._searchers.get(name)
        if known is not None and isinstance(known, ShardedSearcher) != shards.exists():
            known.close()  # it was built again, with or without shards
            known = None
        if known is None:
            self.info(name)
            compile_kernels()  # before any search has a deadline, and before shards are started

            def settings() -> IndexSettings:
                return self.settings(name)

            if shards.exists():
                known = ShardedSearcher(shards, settings, self._profiles)
            else:
                known = LocalSearcher(self._folder(name), settings, self._profiles)
            self._searchers[name] = known
        return known

    def __enter__(self) -> "Indexes":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for searcher in self._searchers.values():
            searcher.close()
        self._searchers.clear()

    def _show(self, name: str) -> None:
        """Make what was just written visible to searches of this process at once."""
        if name in self._searchers:
            self._searchers[name].look()


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
