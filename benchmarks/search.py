"""CPU-time of whole answers, of building, and sizes: ours, raw tantivy and SQLite FTS5 in one run.

    python -m benchmarks.search [--documents 200000] [--pages 20000] [--million] [--queries 300]

Passages of about 300 words and full pages of about 2,000 (`corpus`). Ours answers with everything:
parse, find, rank with feedback, group, snippets. tantivy gives the numbers of its ten best by an OR
of the words in one body field; FTS5 its ten best by bm25(). Every query is asked once, so no cache
helps anybody. `--million` measures ours over a million passages, too, which takes a quarter of an
hour. Last line: a JSON object.
"""

import argparse
import json
import platform
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import tantivy

from benchmarks.corpus import Corpus, misspelt
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

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def versions(self) -> dict[int, int]:
        return dict.fromkeys(range(len(self._texts)), 1)

    def documents(self, wanted: Any) -> Iterator[IndexDocument]:
        for number, text in enumerate(self._texts):
            if number in wanted:
                shown = {"id": str(number), "text": text, "text_field": "text", "language": "en"}
                yield IndexDocument(number, 1, "en", {"text": text}, {}, {}, shown)


def build_gossamer(texts: Sequence[str], folder: Path) -> Ask:
    index = IndexFolder(folder)
    writer = IndexWriter(index, _FIELDS, AnalysisSettings(), "documents")
    writer.write(_Passages(texts), ("corpus",), finish=write_companions)
    settings = IndexSettings()
    searcher = LocalSearcher(index, lambda: settings)
    return lambda query: len(searcher.search(SearchRequest(query)).hits)


def build_tantivy(texts: Sequence[str], folder: Path) -> Ask:
    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=True, tokenizer_name="en_stem", index_option="position")
    index = tantivy.Index(builder.build(), str(folder))
    writer = index.writer(200_000_000, 1)
    for text in texts:
        document = tantivy.Document()
        document.add_text("text", text)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(query: str) -> int:
        parsed = index.parse_query(query, ["text"])
        return len(searcher.search(parsed, 10, count=False).hits)

    return ask


def build_fts5(texts: Sequence[str], folder: Path) -> Ask:
    folder.mkdir()
    database = sqlite3.connect(folder / "fts.db")
    database.execute("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize='porter unicode61')")
    database.executemany("INSERT INTO passages VALUES(?)", ((text,) for text in texts))
    database.commit()
    sql = "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY bm25(passages) LIMIT 10"

    def ask(query: str) -> int:
        words = query if query.startswith('"') else " OR ".join(query.split())
        return len(database.execute(sql, (words,)).fetchall())

    return ask


ENGINES: dict[str, Callable[[Sequence[str], Path], Ask]] = {
    "gossamer": build_gossamer,
    "tantivy": build_tantivy,
    "fts5": build_fts5,
}


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _times(ask: Ask, queries: Sequence[str]) -> list[float]:
    times = []
    for query in queries:
        start = time.process_time()
        ask(query)
        times.append((time.process_time() - start) * 1000)
    return sorted(times)


def _percentile(times: Sequence[float], share: float) -> float:
    return times[min(len(times) - 1, int(share * len(times)))]


def _row(cells: Sequence[str]) -> str:
    return f"{cells[0]:<12}{cells[1]:<16}" + "".join(f"{cell:>10}" for cell in cells[2:])


def measure(
    corpus: Corpus, documents: int, queries: int, folder: Path, engines: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Builds all engines over the same texts, then asks all of them the same."""
    folder.mkdir()
    texts = list(corpus.texts(documents))
    groups = {
        **{f"{words} words": corpus.queries(queries, words, documents) for words in (1, 2, 3)},
        "3 common": corpus.common_queries(queries // 3),
        "phrases": corpus.phrases(queries // 3, documents),
        "misspelt": [misspelt(query) for query in corpus.queries(queries // 3, 2, documents)],
    }
    warm = corpus.queries(20, 4, documents)
    found: dict[str, dict[str, Any]] = {}
    asks: dict[str, Ask] = {}
    for name in engines:
        start = time.process_time()
        asks[name] = ENGINES[name](texts, folder / name)
        seconds = time.process_time() - start
        found[name] = {
            "documents_per_cpu_second": round(documents / seconds, 1),
            "bytes_per_document": round(_size(folder / name) / documents),
        }
        print(f"{name}: {json.dumps(found[name])}", flush=True)
    print(_row(("engine", "queries", "p50 ms", "p95 ms", "p99 ms")), flush=True)
    every: dict[str, list[float]] = {name: [] for name in engines}
    for group, texts_of_group in groups.items():
        for name in engines:
            _times(asks[name], warm)
            times = _times(asks[name], texts_of_group)
            if group.endswith("words"):
                every[name] += times
            shown = [f"{_percentile(times, share):.3f}" for share in (0.5, 0.95, 0.99)]
            print(_row((name, group, *shown)), flush=True)
    for name in engines:
        times = sorted(every[name])
        found[name] |= {
            "p50_ms": round(statistics.median(times), 3),
            "p95_ms": round(_percentile(times, 0.95), 3),
            "p99_ms": round(_percentile(times, 0.99), 3),
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--pages", type=int, default=20_000, help="full pages of 2,000 words")
    parser.add_argument("--queries", type=int, default=300, help="of each kind")
    parser.add_argument("--million", action="store_true")
    arguments = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="bench-search-"))
    try:
        print(f"{arguments.documents} passages", flush=True)
        names = list(ENGINES)
        passages = measure(
            Corpus(), arguments.documents, arguments.queries, scratch / "passages", names
        )
        pages = {}
        if arguments.pages:
            print(f"{arguments.pages} pages", flush=True)
            pages = measure(
                Corpus(2_000), arguments.pages, arguments.queries, scratch / "pages", names
            )
        million = None
        if arguments.million:
            print("1000000 passages", flush=True)
            found = measure(
                Corpus(), 1_000_000, arguments.queries, scratch / "million", ["gossamer"]
            )
            million = found["gossamer"]["p95_ms"]
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    ours, raw = passages["gossamer"], passages["tantivy"]
    result = {
        "bench": "search",
        "documents": arguments.documents,
        "p95_ms": ours["p95_ms"],
        "p95_ratio_to_tantivy": round(ours["p95_ms"] / raw["p95_ms"], 2),
        "p95_ratio_to_fts5": round(ours["p95_ms"] / passages["fts5"]["p95_ms"], 2),
        "p95_ratio_to_lucene": None,
        "build_ratio_to_tantivy": round(
            ours["documents_per_cpu_second"] / raw["documents_per_cpu_second"], 3
        ),
        "size_ratio_to_tantivy": round(ours["bytes_per_document"] / raw["bytes_per_document"], 2),
        "p95_ms_1m": million,
        "passages": passages,
        "pages": pages,
        "versions": {"python": platform.python_version(), "tantivy": metadata.version("tantivy")},
    }
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
