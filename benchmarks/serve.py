"""CPU-time of the search site: a whole result page, and searches of the API at 16 connections,
against the bare searcher and against SQLite FTS5 behind the same framework.

    python -m benchmarks.serve [--documents 20000] [--queries 600] [--connections 16]

Passages of about 300 words (`corpus`). Each server is one process, whose CPU-seconds are read from
the system; those of the clients are not counted. Every query is asked once of each, so no cache
helps anybody. FTS5 finds its ten best by bm25() and cuts their snippets; it corrects, groups and
counts nothing. Last line: a JSON object.
"""

import argparse
import asyncio
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from urllib.parse import quote_plus

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from benchmarks.corpus import Corpus, lines_of
from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.config import IndexSettings

_TICKS = os.sysconf("SC_CLK_TCK")
_INDEX = "passages"
_FTS5 = (
    "SELECT rowid, snippet(passages, 0, '[', ']', '…', 40) FROM passages "
    "WHERE passages MATCH ? ORDER BY bm25(passages) LIMIT 10"
)


def build(folder: Path, corpus: Corpus, documents: int) -> None:
    corpus.write_passages(folder / "passages.txt", documents)
    texts = list(lines_of(folder / "passages.txt"))
    file = folder / "passages.jsonl"
    with file.open("w") as lines:
        for number, text in enumerate(texts):
            lines.write(json.dumps({"id": str(number), "title": text[:40], "text": text}) + "\n")
    fields = {"title": "text", "text": "text"}
    settings = IndexSettings(fields=fields, fields_complete=True, language="en")
    Indexes(Home(folder / "home")).build(_INDEX, [], file, settings)
    database = sqlite3.connect(folder / "fts.db")
    database.execute("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize='porter unicode61')")
    database.executemany("INSERT INTO passages VALUES(?)", ((text,) for text in texts))
    database.commit()
    database.close()


def fts5_application(path: Path) -> Starlette:
    database = sqlite3.connect(path, check_same_thread=False)

    def answer(query: str) -> list[tuple[int, str]]:
        return database.execute(_FTS5, (" OR ".join(query.split()),)).fetchall()

    async def search(request: Request) -> JSONResponse:
        found = await run_in_threadpool(answer, request.query_params["q"])
        return JSONResponse({"hits": [{"id": number, "snippet": text} for number, text in found]})

    return Starlette(routes=[Route("/search", search)])


@contextmanager
def running(command: Sequence[str], port: int) -> Iterator[int]:
    """The process of a server, while it runs; it answers by then."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            try:
                httpx.get(f"http://127.0.0.1:{port}/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


async def _ask_all(address: str, queries: Sequence[str], connections: int) -> None:
    waiting = list(queries)
    limits = httpx.Limits(max_connections=connections)
    async with httpx.AsyncClient(timeout=60, limits=limits) as client:

        async def ask() -> None:
            while waiting:
                answer = await client.get(address + quote_plus(waiting.pop()))
                answer.raise_for_status()

        await asyncio.gather(*(ask() for _ in range(connections)))


def cost_ms(pid: int, address: str, queries: Sequence[str], connections: int) -> float:
    """CPU-milliseconds of a server for a query."""
    before = cpu_seconds(pid)
    asyncio.run(_ask_all(address, queries, connections))
    return (cpu_seconds(pid) - before) * 1000 / len(queries)


def searcher_cost_ms(search: Callable[[str], object], queries: Sequence[str]) -> float:
    begin = time.process_time()
    for query in queries:
        search(query)
    return (time.process_time() - begin) * 1000 / len(queries)


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


def measure(folder: Path, queries: Sequence[str], connections: int) -> dict[str, float]:
    warm, first, second = queries[:50], queries[50::2], queries[51::2]
    indexes = Indexes(Home(folder / "home"))
    searcher_cost_ms(lambda query: indexes.search(_INDEX, query), warm)
    port, peer_port = free_port(), free_port()
    ours = [sys.executable, "-m", "gossamer.cli", "serve", "--home", str(folder / "home")]
    ours += ["--port", str(port), "--searches-per-minute", "0"]
    peer = [sys.executable, "-m", "benchmarks.serve", "--fts5", str(folder / "fts.db")]
    peer += ["--port", str(peer_port)]
    site, fts5 = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peer_port}"
    costs: dict[str, list[float]] = {"page": [], "api": [], "searcher": [], "fts5": []}
    with running(ours, port) as pid, running(peer, peer_port) as peer_pid:
        for address, warmed in ((f"{site}/search?q=", pid), (f"{fts5}/search?q=", peer_pid)):
            cost_ms(warmed, address, warm, connections)
        # Each half is asked of all, and what was asked as a page is not asked of the API again:
        # answers are remembered.
        middle = len(first) // 2
        for pages, searches in (
            (first[:middle], first[middle:]),
            (second[:middle], second[middle:]),
        ):
            costs["api"].append(cost_ms(pid, f"{site}/api/v1/search?q=", searches, connections))
            costs["fts5"].append(cost_ms(peer_pid, f"{fts5}/search?q=", searches, connections))
            costs["searcher"].append(
                searcher_cost_ms(lambda query: indexes.search(_INDEX, query), searches)
            )
            costs["page"].append(cost_ms(pid, f"{site}/search?q=", pages, connections))
    indexes.close()
    return {name: sum(found) / len(found) for name, found in costs.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=600)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--fts5", type=Path, help="Serve this database: used by the benchmark.")
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    if given.fts5:
        uvicorn.run(
            fts5_application(given.fts5), port=given.port, http="httptools", log_level="error"
        )
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = Corpus()
        build(folder, corpus, given.documents)
        # As people type them: of one, two and three words in turn.
        groups = list(corpus.queries(given.queries // 3 + 20).values())[:3]
        queries = list(dict.fromkeys(query for trio in zip(*groups, strict=True) for query in trio))
        costs = measure(folder, queries, given.connections)
    for what, cost in costs.items():
        print(f"{what:<10} {cost:8.2f} CPU-ms a query, {1000 / cost:8.0f} a CPU-second")
    print(
        json.dumps(
            {
                "bench": "serve",
                "documents": given.documents,
                "connections": given.connections,
                "page_cpu_ms": round(costs["page"], 2),
                "search_cpu_ms": round(costs["api"], 2),
                "ratio_to_searcher": round(costs["searcher"] / costs["api"], 3),
                "ratio_to_fts5": round(costs["fts5"] / costs["api"], 3),
                "starlette": metadata.version("starlette"),
                "sqlite": sqlite3.sqlite_version,
            }
        )
    )


if __name__ == "__main__":
    main()
