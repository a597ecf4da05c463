"""Misspelt words corrected right at first place, by us and by the peers, in one run.

    GOSSAMER_DATA=FOLDER python -m benchmarks.spelling [--pairs 1000] [--seed 1] [--million]

The misspellings are those of `spelling/` in the data folder: two collections, the second of which
holds most of the first. A pair counts if the right word is in the vocabulary, which is the same for
all, and the wrong one is not. Our weights were found on the words whose checksum is even; what is
judged here are the others, so no word has been seen. A second figure is over all words. `--million`
also measures a vocabulary of a million words. Last line: a JSON object.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.crawlers import PEER_PYTHON
from gossamer.query.spelling import SpellingIndex

_PEERS = Path(__file__).parent / "peers" / "spelling_peers.py"
_NAMES = ("gossamer", "symspellpy", "symspellpy_3", "pyspellchecker")
_TIMES = re.compile(r"\*[0-9]+$")  # how often it was seen


def _birkbeck(folder: Path) -> Iterator[tuple[str, str]]:
    right = ""
    for line in (folder / "birkbeck-missp.dat").read_text(encoding="latin-1").splitlines():
        if line.startswith("$"):
            right = line[1:].lower()
        elif line.strip():
            yield line.strip().lower(), right


def _norvig(folder: Path) -> Iterator[tuple[str, str]]:
    for line in (folder / "norvig-spell-errors.txt").read_text(encoding="utf-8").splitlines():
        right, _, written = line.partition(":")
        for wrong in written.split(","):
            if stripped := _TIMES.sub("", wrong.strip()):
                yield stripped.lower(), right.strip().lower()


SETS: dict[str, Callable[[Path], Iterator[tuple[str, str]]]] = {
    "birkbeck": _birkbeck,
    "norvig": _norvig,
}


def _is_judged(right: str) -> bool:
    return zlib.crc32(right.encode()) % 2 == 1


def _chosen(
    pairs: Iterator[tuple[str, str]], vocabulary: dict[str, int], number: int, seed: int
) -> list[tuple[str, str]]:
    usable = [
        (wrong, right)
        for wrong, right in dict.fromkeys(pairs)
        if right in vocabulary and wrong not in vocabulary and not re.search(r"[\s_]", wrong)
    ]
    random.Random(seed).shuffle(usable)
    return usable[:number]


def _peer(task: str, given: object = None) -> Any:
    done = subprocess.run(
        [PEER_PYTHON, _PEERS, task],
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def _ours(index: SpellingIndex, words: list[str]) -> tuple[list[str], float]:
    index.correct("compile")  # what numba compiles is kept, and is no part of a correction
    begin = time.process_time()
    found = [index.correct(word, 1) for word in words]
    seconds = time.process_time() - begin
    return [one[0].word if one else "" for one in found], seconds


def _million(vocabulary: dict[str, int], words: list[str]) -> dict[str, float]:
    """A vocabulary of a million: real words, and with them real words with endings of others."""
    roots, many = list(vocabulary), dict(vocabulary)
    for ending, root in product(("ing", "er", "ly", "ness", "ful", "ism", "age", "ette"), roots):
        many.setdefault(root + ending, 1)
    for prefix, root in product(("un", "re", "pre", "sub", "anti"), roots):
        many.setdefault(prefix + root, 1)
    begin = time.process_time()
    index = SpellingIndex.build(list(many.items())[:1_000_000])
    build = time.process_time() - begin
    _, seconds = _ours(index, words)
    return {
        "million_build_cpu_seconds": round(build, 2),
        "million_megabytes": round(sum(a.nbytes for a in index.to_arrays().values()) / 1e6, 1),
        "million_ms": round(seconds / len(words) * 1000, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spelling", description=__doc__)
    parser.add_argument("--pairs", type=int, default=1000, help="misspellings of each collection")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--million", action="store_true", help="a large vocabulary as well")
    arguments = parser.parse_args()
    folder = Path(os.environ.get("GOSSAMER_DATA", "")) / "spelling"
    if "GOSSAMER_DATA" not in os.environ or not folder.is_dir():
        sys.exit("The misspellings are not here: GOSSAMER_DATA must name the folder of data sets.")
    if not PEER_PYTHON.exists():
        sys.exit(f"no {PEER_PYTHON}: see requirements-bench.lock")
    vocabulary: dict[str, int] = _peer("vocabulary")
    begin = time.process_time()
    index = SpellingIndex.build(vocabulary)
    result: dict[str, object] = {
        "bench": "spelling",
        "words": len(vocabulary),
        "build_cpu_seconds": round(time.process_time() - begin, 2),
        "megabytes": round(sum(a.nbytes for a in index.to_arrays().values()) / 1e6, 1),
    }
    versions: dict[str, str] = {}
    print(f"{'collection':<20}{'pairs':>8}" + "".join(f"{name:>24}" for name in _NAMES))
    won, slowest = True, 0.0
    for name, judged in product(SETS, (True, False)):
        pairs = ((w, r) for w, r in SETS[name](folder) if not judged or _is_judged(r))
        chosen = _chosen(pairs, vocabulary, arguments.pairs, arguments.seed)
        words = [wrong for wrong, _ in chosen]
        answers = _peer("correct", {"vocabulary": vocabulary, "words": words})
        corrections, seconds = _ours(index, words)
        answers["gossamer"] = {"corrections": corrections, "seconds": seconds, "version": ""}
        title = name if judged else f"{name}_all"
        shares: dict[str, float] = {}
        cells = ""
        for peer in _NAMES:
            answer = answers[peer]
            right = sum(a == b for a, (_, b) in zip(answer["corrections"], chosen, strict=True))
            shares[peer] = round(right / len(chosen), 4)
            milliseconds = round(answer["seconds"] / len(chosen) * 1000, 3)
            cells += f"{shares[peer]:>12.1%}{milliseconds:>9.3f} ms"
            result[f"{title}_{peer}_right"] = shares[peer]
            result[f"{title}_{peer}_ms"] = milliseconds
            versions[peer] = answer["version"]
        won = won and shares["gossamer"] > max(shares[peer] for peer in _NAMES[1:])
        slowest = max(slowest, seconds / len(chosen) * 1000)
        print(f"{title:<20}{len(chosen):>8}{cells}", flush=True)
    if arguments.million:
        million = _chosen(_norvig(folder), vocabulary, arguments.pairs, arguments.seed)
        result |= _million(vocabulary, [wrong for wrong, _ in million])
    result["more_right_than_all_peers"] = won
    result["versions"] = {"symspellpy": versions["symspellpy"]} | {
        "pyspellchecker": versions["pyspellchecker"]
    }
    print(json.dumps(result), flush=True)
    sys.exit(0 if won and slowest < 2.0 else 1)


if __name__ == "__main__":
    main()
