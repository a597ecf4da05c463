"""CPU-time of whole answers, of building, and sizes: ours, tantivy, FTS5 and Lucene in one run.

    python -m benchmarks.search [--documents 200000] [--pages 20000] [--queries 300] [--rounds 3]
        [--million] [--keep FOLDER] [--only-queries] [--engine NAME ...]

Passages of about 300 words and whole pages (`corpus`), real ones where GOSSAMER_DATA names some.
Every engine has a process of its own (`engines`) and is asked the same queries, in turn with the
others; each query once, so no cache helps anybody. That is done in several rounds, each with new
processes, and of each query the median counts: what else a machine does at a moment makes single
answers slow. Ours answers with everything: parse, correct,
find, rank with feedback, group, snippets. The peers give the numbers of their ten best.
`--million` measures ours over a million passages, too. `--keep` leaves corpus and indexes in a
folder, and a later run with the same folder builds only what is not there; `--only-queries` builds
nothing. Lucene needs Java 11 with its compiler; without it its figures are null. Last line: a JSON
object.
"""

import argparse
import json
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from statistics import median_low
from typing import Any, NamedTuple

from benchmarks.corpus import Corpus, write_corpus
from benchmarks.crawlers import PEER_PYTHON
from benchmarks.engines import ENGINES

_HERE = Path(__file__).parent
_MILLION = 1_000_000
_CHUNK = 25  # queries that an engine is asked before it is the turn of the next
_LUCENE_WARMING = 100  # times over: the JVM compiles what has run often
_HEADER = ("engine", "queries", "p50 ms", "p95 ms", "p99 ms", "found")


def lucene_jar() -> Path | None:
    """Lucene comes with pyserini, which is in the environment of the peers."""
    found = PEER_PYTHON.parent.parent.glob("lib/*/site-packages/pyserini/resources/jars/*.jar")
    return next(iter(sorted(found)), None)


def no_lucene() -> str:
    """Why it can not be had here; empty if it can."""
    if lucene_jar() is None:
        return "pyserini is not in .venv-bench (make bench-search puts it there)"
    if shutil.which("javac") is None:
        return "there is no javac (apt-get install default-jdk-headless)"
    return ""


def _command(engine: str, task: str, *paths: Path) -> list[str]:
    if engine == "lucene":
        source = _HERE / "peers" / "Lucene.java"
        options = ["-Xmx2g", "-XX:+UseSerialGC", "-cp", str(lucene_jar())]
        return ["java", *options, str(source), task, *map(str, paths)]
    return [sys.executable, "-m", "benchmarks.engines", task, engine, *map(str, paths)]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def build(engine: str, texts: Path, folder: Path, number: int) -> dict[str, Any]:
    """What it cost; a folder that was built before still knows."""
    figures = folder.with_suffix(".json")
    if not figures.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        command = _command(engine, "build", texts, folder)
        done = subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True, cwd=_HERE.parent
        )
        said = json.loads(done.stdout)
        seconds = said.pop("cpu_seconds")
        about = {
            "documents_per_cpu_second": round(number / seconds, 1),
            "bytes_per_document": round(_size(folder) / number),
        }
        figures.write_text(json.dumps(about | said))
    found: dict[str, Any] = json.loads(figures.read_text())
    return found


class _Answered(NamedTuple):
    milliseconds: float
    hits: int


class _Server:
    """An engine that waits for queries."""

    def __init__(self, stack: ExitStack, engine: str, folder: Path) -> None:
        self.engine = engine
        self._process = stack.enter_context(
            subprocess.Popen(
                _command(engine, "serve", folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=_HERE.parent,
            )
        )

    def ask(self, queries: Sequence[str]) -> list[_Answered]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\t".join(queries) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.engine} has died of {queries}")
        answers = (answer.split("/") for answer in line.split("\t"))
        return [_Answered(float(time), int(hits)) for time, hits in answers]


def ask(
    folders: Mapping[str, Path], groups: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, list[_Answered]]]:
    """engine -> group -> answers. The engines take turns, forwards and backwards."""
    found: dict[str, dict[str, list[_Answered]]] = {name: {} for name in folders}
    with ExitStack() as stack:
        servers = [_Server(stack, name, folder) for name, folder in folders.items()]
        for server in servers:
            for _ in range(_LUCENE_WARMING if server.engine == "lucene" else 1):
                server.ask(groups["warm"])
        for group, queries in groups.items():
            if group == "warm":
                continue
            bounds = [*range(0, len(queries), _CHUNK), len(queries)]
            for begin, end in pairwise(bounds):
                for server in servers:
                    answers = server.ask(queries[begin:end])
                    found[server.engine].setdefault(group, []).extend(answers)
                servers.reverse()
    return found


def medians(rounds: Sequence[Sequence[_Answered]]) -> list[_Answered]:
    """Of each query the median of its times in several rounds."""
    return [
        _Answered(median_low([one.milliseconds for one in answers]), answers[0].hits)
        for answers in zip(*rounds, strict=True)
    ]


def ask_in_rounds(
    folders: Mapping[str, Path], groups: Mapping[str, Sequence[str]], rounds: int
) -> dict[str, dict[str, list[_Answered]]]:
    found = [ask(folders, groups) for _ in range(rounds)]
    return {
        name: {group: medians([one[name][group] for one in found]) for group in found[0][name]}
        for name in folders
    }


def percentile(times: Sequence[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def _figures(answers: Sequence[_Answered]) -> dict[str, float]:
    times = [answer.milliseconds for answer in answers]
    shares = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99}
    return {name: round(percentile(times, share), 3) for name, share in shares.items()}


def _row(cells: Sequence[str]) -> str:
    return f"{cells[0]:<12}{cells[1]:<16}" + "".join(f"{cell:>10}" for cell in cells[2:])


def measure(
    texts: Path,
    number: int,
    folder: Path,
    groups: Mapping[str, Sequence[str]],
    names: list[str],
    rounds: int,
) -> dict[str, dict[str, Any]]:
    """Builds what is not built yet, then asks all engines the same."""
    figures = {}
    for name in names:
        figures[name] = build(name, texts, folder / name, number)
        print(f"{name}: {json.dumps(figures[name])}", flush=True)
    found = ask_in_rounds({name: folder / name for name in names}, groups, rounds)
    print(_row(_HEADER), flush=True)
    for group in found[names[0]]:
        for name in names:
            of_group = _figures(found[name][group])
            share = sum(answer.hits > 0 for answer in found[name][group]) / len(groups[group])
            cells = [f"{value:.3f}" for value in of_group.values()]
            print(_row((name, group, *cells, f"{share:.0%}")), flush=True)
            figures[name].setdefault("groups", {})[group] = of_group | {"found": round(share, 3)}
    for name, by_group in found.items():
        plain = [one for group, all_ in by_group.items() if "word" in group for one in all_]
        figures[name] |= _figures(plain)
        cells = [f"{figures[name][key]:.3f}" for key in ("p50_ms", "p95_ms", "p99_ms")]
        print(_row((name, "1-3 words", *cells)), flush=True)
    return figures


def _prepare(folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """The corpus in the folder, written now if there is none."""
    known = folder / "corpus" / "corpus.json"
    if not known.exists():
        if arguments.only_queries:
            sys.exit(f"--only-queries: there is no corpus in {folder}; run once without it")
        print("writing the corpus", flush=True)
        write_corpus(known.parent, arguments.documents, arguments.pages, arguments.queries)
    about: dict[str, Any] = json.loads(known.read_text())
    if (about["passages"], about["pages"]) != (arguments.documents, arguments.pages):
        sys.exit(
            f"{folder} holds {about['passages']} passages and {about['pages']} pages: "
            f"ask for as many (--documents, --pages) or name another folder with --keep"
        )
    return about


def _engines(folder: Path, arguments: argparse.Namespace) -> list[str]:
    names = arguments.engines or [*ENGINES, "lucene"]
    if "lucene" in names and (reason := no_lucene()):
        print(f"Lucene is left out: {reason}", flush=True)
        names.remove("lucene")
    if arguments.only_queries:
        names = [name for name in names if (folder / f"{name}.json").exists()]
    return list(names)


def _ratio(ours: Mapping[str, Any], theirs: Mapping[str, Any] | None, key: str) -> float | None:
    return round(ours[key] / theirs[key], 3) if theirs else None


def _run(folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    about = _prepare(folder, arguments)
    corpus = folder / "corpus"
    groups = json.loads((corpus / "queries.json").read_text(encoding="utf-8"))
    sets: dict[str, dict[str, dict[str, Any]]] = {}
    for name in ("passages", "pages"):
        if about[name] and (engines := _engines(folder / name, arguments)):
            print(f"{about[name]} {name}, {about[f'real_{name}']} of them real", flush=True)
            texts = corpus / f"{name}.txt"
            sets[name] = measure(
                texts, about[name], folder / name, groups, engines, arguments.rounds
            )
    million = None
    if arguments.million:
        texts = corpus / "million.txt"
        if not texts.exists():
            Corpus().write_passages(texts, _MILLION)
        print(f"{_MILLION} passages", flush=True)
        million = measure(
            texts, _MILLION, folder / "million", groups, ["gossamer"], arguments.rounds
        )["gossamer"]
    passages = sets.get("passages", {})
    ours = passages.get("gossamer", {})
    ratios = {
        f"{key}_ratio_to_{peer}": _ratio(ours, passages.get(peer), figure) if ours else None
        for key, figure in (
            ("p95", "p95_ms"),
            ("build", "documents_per_cpu_second"),
            ("size", "bytes_per_document"),
        )
        for peer in ("tantivy", "fts5", "lucene")
    }
    versions = {
        "python": platform.python_version(),
        "tantivy": metadata.version("tantivy"),
        "sqlite": sqlite3.sqlite_version,
        "lucene": passages.get("lucene", {}).get("version"),
    }
    return (
        {"bench": "search", "documents": about["passages"], "rounds": arguments.rounds}
        | {"p95_ms": ours.get("p95_ms")}
        | ratios
        | {"p95_ms_1m": million["p95_ms"] if million else None}
        | {"corpus": about, **sets, "million": million, "versions": versions}
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__)
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=300, help="of each kind")
    parser.add_argument("--rounds", type=int, default=3, help="of all queries, in new processes")
    parser.add_argument("--million", action="store_true", help="ours over a million passages, too")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="use it, and leave it there")
    parser.add_argument("--only-queries", action="store_true", help="ask what --keep has built")
    parser.add_argument(
        "--engine", action="append", dest="engines", choices=[*ENGINES, "lucene"], metavar="NAME"
    )
    arguments = parser.parse_args()
    if arguments.only_queries and not arguments.keep:
        parser.error("--only-queries needs --keep FOLDER")
    folder = arguments.keep or Path(tempfile.mkdtemp(prefix="bench-search-"))
    try:
        result = _run(folder.absolute(), arguments)
    finally:
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
