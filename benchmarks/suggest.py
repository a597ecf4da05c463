"""Completions while typing, from a dictionary of 2.6 million entries.

    python -m benchmarks.suggest [--entries 2600000]

The entries are made of invented words that are as unevenly frequent as real ones. The arrays are
saved and mapped before they are asked. Asked are beginnings of one letter to twelve, beginnings of
inner words, and beginnings with a typing error, which match nothing as they are. Times are CPU-time
of single answers. Last line: a JSON object.
"""

import argparse
import json
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gossamer.query.suggest import SuggestionIndex

_WORDS = 60_000
_ASKED = 1_000


def _words(generator: random.Random) -> list[str]:
    consonants, vowels = "bcdfghklmnprstvwz", "aeiou"
    words: dict[str, None] = {}
    while len(words) < _WORDS:
        syllables = generator.choices((1, 2, 3, 4), (1, 4, 4, 2))[0]
        parts = [generator.choice(consonants) + generator.choice(vowels) for _ in range(syllables)]
        words["".join(parts) + generator.choice(("", "n", "r", "s", "t"))] = None
    return list(words)


def _entries(number: int, seed: int = 1) -> Iterator[tuple[str, float]]:
    generator = random.Random(seed)
    words = _words(generator)
    numbers = np.random.default_rng(seed)
    ranks = np.minimum(numbers.zipf(1.2, number * 6), _WORDS).tolist()
    sizes = numbers.integers(2, 7, number).tolist()
    weights = (numbers.pareto(1.1, number) + 1).tolist()
    place = 0
    for size, weight in zip(sizes, weights, strict=True):
        # A last word of any rank, so that entries differ.
        last = words[generator.randrange(_WORDS)]
        chosen = [words[rank - 1] for rank in ranks[place : place + size - 1]]
        place += size - 1
        yield " ".join((*chosen, last)).capitalize(), weight


def _with_error(text: str, generator: random.Random) -> str:
    place = generator.randrange(2, len(text))
    return f"{text[:place]}{generator.choice('qxjy')}{text[place + 1 :]}"


def _asked(entries: list[str]) -> dict[str, list[str]]:
    generator = random.Random(2)
    chosen = generator.choices(entries, k=_ASKED)
    inner = [" ".join(text.split()[1:]) for text in chosen]
    return {
        "1_letter": [text[:1] for text in chosen],
        "2_letters": [text[:2] for text in chosen],
        "3_letters": [text[:3] for text in chosen],
        "5_letters": [text[:5] for text in chosen],
        "8_letters": [text[:8] for text in chosen],
        "12_letters": [text[:12] for text in chosen],
        "40_letters": [text[:40] for text in chosen],
        "inner_word": [text[:4] for text in inner],
        "error": [_with_error(text[:9], generator) for text in chosen],
        "nothing": [f"q{text[1:12]}qq" for text in chosen],
    }


class Asked(NamedTuple):
    """What beginnings of one kind cost, in CPU-milliseconds, and how many of them led somewhere."""

    p50_ms: float
    p95_ms: float
    max_ms: float
    found: float


class Measured(NamedTuple):
    entries: int
    build_cpu_seconds: float
    build_peak_megabytes: float
    megabytes: float
    asked: dict[str, Asked]


def measure(number: int) -> Measured:
    """A dictionary is made, saved, mapped and asked."""
    entries = list(_entries(number))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    built = SuggestionIndex.build(entries)
    build = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = len(built)
    megabytes = sum(array.nbytes for array in built.to_arrays().values()) / 1e6
    asked = {}
    with tempfile.TemporaryDirectory(prefix="bench-suggest-") as name:
        for key, array in built.to_arrays().items():
            np.save(Path(name) / f"{key}.npy", array)
        del built
        mapped = {path.stem: np.load(path, mmap_mode="r") for path in Path(name).iterdir()}
        index = SuggestionIndex.from_arrays(mapped)
        index.suggest("compile")
        for kind, prefixes in _asked([text for text, _ in entries]).items():
            times, found = [], 0
            for prefix in prefixes:
                begin = time.process_time()
                found += bool(index.suggest(prefix))
                times.append((time.process_time() - begin) * 1000)
            middle, high = np.percentile(times, [50, 95]).tolist()
            asked[kind] = Asked(middle, high, max(times), found / len(prefixes))
    return Measured(size, build, (peak - before) / 1000, megabytes, asked)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suggest", description=__doc__)
    parser.add_argument("--entries", type=int, default=2_600_000)
    measured = measure(parser.parse_args().entries)
    print(f"{'asked':<14}{'p50 ms':>10}{'p95 ms':>10}{'max ms':>10}{'found':>10}")
    for kind, (middle, high, longest, share) in measured.asked.items():
        print(f"{kind:<14}{middle:>10.3f}{high:>10.3f}{longest:>10.3f}{share:>10.1%}")
    result = {
        "bench": "suggest",
        "entries": measured.entries,
        "build_cpu_seconds": round(measured.build_cpu_seconds, 1),
        "build_peak_megabytes": round(measured.build_peak_megabytes),
        "megabytes": round(measured.megabytes, 1),
        **{f"{kind}_p95_ms": round(asked.p95_ms, 3) for kind, asked in measured.asked.items()},
        "p95_ms": round(max(asked.p95_ms for asked in measured.asked.values()), 3),
    }
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
