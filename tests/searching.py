"""Small indexes for tests: documents in, a searcher out."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gossamer.config import IndexSettings
from gossamer.index.document_source import DocumentSource
from gossamer.index.fields import fields_of
from gossamer.index.generations import IndexFolder
from gossamer.index.reader import IndexReader
from gossamer.index.shard_set import ShardSet, ShardSetWriter
from gossamer.index.writer import Change, IndexWriter
from gossamer.search.companions import write_companions
from gossamer.search.local import LocalSearcher
from gossamer.search.sharded import ShardedSearcher
from gossamer.text import AnalysisSettings

TEXTS = {"title": "text", "text": "text"}


class SmallIndex:
    """An index in a folder of a test."""

    def __init__(self, path: Path, fields: Mapping[str, str] = TEXTS, **analysis: Any) -> None:
        self.folder = IndexFolder(path / "index")
        self._file = path / "documents.jsonl"
        self.fields = fields_of(fields, {})
        self._analysis = AnalysisSettings(**analysis)

    def write(self, documents: Iterable[Mapping[str, Any]], language: str = "en") -> Change:
        lines = [json.dumps(document, ensure_ascii=True) for document in documents]
        self._file.write_text("".join(f"{line}\n" for line in lines))
        source = DocumentSource.of([self._file], self.fields, lambda _: language)
        writer = IndexWriter(self.folder, self.fields, self._analysis, "documents")
        return writer.write(source, (str(self._file),), finish=write_companions)

    def parts(self) -> int:
        manifest = self.folder.manifest()
        return len(manifest.parts) if manifest else 0

    def reader(self) -> IndexReader:
        return IndexReader(self.folder)

    def searcher(self, **settings: Any) -> LocalSearcher:
        fixed = IndexSettings(**{"profile": "bm25f", "per_site": 0, **settings})
        return LocalSearcher(self.folder, lambda: fixed)


class SmallSet:
    """An index in shards."""

    def __init__(
        self, path: Path, count: int, fields: Mapping[str, str] = TEXTS, **analysis: Any
    ) -> None:
        self.shards = ShardSet(path / "index")
        self._count = count
        self._file = path / "documents.jsonl"
        self.fields = fields_of(fields, {})
        self._analysis = AnalysisSettings(**analysis)

    def write(self, documents: Iterable[Mapping[str, Any]], language: str = "en") -> Change:
        lines = [json.dumps(document, ensure_ascii=True) for document in documents]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text("".join(f"{line}\n" for line in lines))
        source = DocumentSource.of([self._file], self.fields, lambda _: language)
        writer = ShardSetWriter(self.shards, self._count, self.fields, self._analysis, "documents")
        return writer.write(source, (str(self._file),), finish=write_companions)

    def searcher(self, **settings: Any) -> ShardedSearcher:
        fixed = IndexSettings(**{"profile": "bm25f", "per_site": 0, **settings})
        return ShardedSearcher(self.shards, lambda: fixed)
