"""The engines of `make bench-search`, each in a process of its own.

    python -m benchmarks.engines build NAME TEXTS FOLDER
    python -m benchmarks.engines serve NAME FOLDER

`build` prints a JSON object with its CPU-seconds. `serve` reads lines of queries with tabs between
them, and answers each line with `milliseconds/hits` of each query. Each engine is used as its
manual says. Ours answers with everything: parse, correct, find, rank with feedback, group, cut
snippets. The others give the numbers of their ten best of an OR of the words.
"""

import json
import sqlite3
import sys
import time
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import NamedTuple

import tantivy

from benchmarks.corpus import lines_of
from gossamer.config import IndexSettings
from gossamer.index.documents import IndexDocument
from gossamer.index.fields import fields_of
from gossamer.index.generations import IndexFolder
from gossamer.index.writer import IndexWriter
from gossamer.search.companions import write_companions
from gossamer.search.contract import SearchRequest
from gossamer.search.local import LocalSearcher
from gossamer.text import AnalysisSettings

Ask = Callable[[str], int]
_FIELDS = fields_of({"text": "text"}, {})


class _Passages:
    """The corpus as a source of our index: language and text come with the records."""

    name = "corpus"

    def __init__(self, texts: Path) -> None:
        self._texts = texts

    def versions(self) -> dict[int, int]:
        with self._texts.open("rb") as lines:
            return dict.fromkeys(range(sum(1 for _ in lines)), 1)

    def documents(self, wanted: Container[int]) -> Iterator[IndexDocument]:
        for number, text in enumerate(lines_of(self._texts)):
            if number in wanted:
                shown = {"id": str(number), "text": text, "text_field": "text", "language": "en"}
                yield IndexDocument(number, 1, "en", {"text": text}, {}, {}, shown)


def build_gossamer(texts: Path, folder: Path) -> None:
    writer = IndexWriter(IndexFolder(folder), _FIELDS, AnalysisSettings(), "documents")
    writer.write(_Passages(texts), ("corpus",), finish=write_companions)


def open_gossamer(folder: Path) -> Ask:
    settings = IndexSettings()
    searcher = LocalSearcher(IndexFolder(folder), lambda: settings)
    return lambda query: len(searcher.search(SearchRequest(query)).hits)


def build_tantivy(texts: Path, folder: Path) -> None:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem", index_option="position")
    index = tantivy.Index(builder.build(), str(folder))
    writer = index.writer(500_000_000, 1)
    for text in lines_of(texts):
        writer.add_document(tantivy.Document(text=text))
    writer.commit()
    writer.wait_merging_threads()


def open_tantivy(folder: Path) -> Ask:
    index = tantivy.Index.open(str(folder))
    searcher = index.searcher()

    def ask(query: str) -> int:
        parsed = index.parse_query(query, ["text"])
        return len(searcher.search(parsed, 10, count=False).hits)

    return ask


def build_fts5(texts: Path, folder: Path) -> None:
    database = sqlite3.connect(folder / "fts.db")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')")
    database.executemany("INSERT INTO texts VALUES(?)", ((text,) for text in lines_of(texts)))
    database.execute("INSERT INTO texts(texts) VALUES('optimize')")
    database.commit()
    database.close()


def open_fts5(folder: Path) -> Ask:
    database = sqlite3.connect(folder / "fts.db")
    sql = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10"

    def ask(query: str) -> int:
        if not query.startswith('"'):
            query = " OR ".join(f'"{word}"' for word in query.split())
        return len(database.execute(sql, (query,)).fetchall())

    return ask


class Engine(NamedTuple):
    build: Callable[[Path, Path], None]
    open: Callable[[Path], Ask]


ENGINES = {
    "gossamer": Engine(build_gossamer, open_gossamer),
    "tantivy": Engine(build_tantivy, open_tantivy),
    "fts5": Engine(build_fts5, open_fts5),
}


def _timed(ask: Ask, query: str) -> str:
    begin = time.process_time_ns()
    hits = ask(query)
    return f"{(time.process_time_ns() - begin) / 1e6}/{hits}"


def main() -> None:
    task, name, *paths = sys.argv[1:]
    engine = ENGINES[name]
    if task == "build":
        texts, folder = map(Path, paths)
        folder.mkdir(parents=True)
        begin = time.process_time()
        engine.build(texts, folder)
        print(json.dumps({"cpu_seconds": time.process_time() - begin}))
        return
    ask = engine.open(Path(paths[0]))
    for line in sys.stdin:
        queries = line.rstrip("\n").split("\t")
        print("\t".join(_timed(ask, query) for query in queries), flush=True)


if __name__ == "__main__":
    main()
