"""Does a page cost the same in a large crawl as in a small one?

    python -m benchmarks.growth [--small 10000] [--large 100000] [--pairs 10]

Pages per CPU-second of our crawler at both sizes, start-up (a crawl that ends after one page)
taken off, in interleaved pairs (ABBA). Last line: a JSON object with `difference`, the share by
which a page costs more in the large crawl: the median of the pairs, with a 95 % interval.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks import cpu
from benchmarks.crawlers import Gossamer
from benchmarks.server import SiteServer

TIMEOUT_SECONDS = 3_600.0


def crawl(server: SiteServer, *, only_start: bool = False) -> float:
    """CPU-seconds of one crawl; raises if it was not whole."""
    crawler = Gossamer(*(("--max-pages", "1") if only_start else ()))
    with tempfile.TemporaryDirectory(prefix="bench-growth-") as name:
        folder = Path(name) / "crawl"
        folder.mkdir()
        cost = cpu.run(crawler.command(server.seed, folder), timeout=TIMEOUT_SECONDS, cwd=folder)
        got, expected = crawler.pages(folder), 1 if only_start else server.pages
    if cost.exit_code or cost.timed_out or got != expected:
        raise RuntimeError(f"{got} of {expected} pages, exit code {cost.exit_code}")
    return cost.cpu_seconds


def interval(values: list[float]) -> tuple[float, float]:
    """95 % interval of the median, by resampling."""
    rng = random.Random(1)
    medians = sorted(statistics.median(rng.choices(values, k=len(values))) for _ in range(2_000))
    return medians[50], medians[-51]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, default=10)
    arguments = parser.parse_args()
    sizes = (arguments.small, arguments.large)
    if reason := Gossamer().missing():
        sys.exit(f"gossamer can't run: {reason}")
    rates: dict[int, list[float]] = {size: [] for size in sizes}
    differences: list[float] = []
    starts: list[float] = []
    # Both servers make their pages as they are asked for, so that neither has an advantage.
    with (
        SiteServer(arguments.small, lazy=True) as small,
        SiteServer(arguments.large, lazy=True) as large,
    ):
        for pair in range(arguments.pairs):
            start = crawl(small, only_start=True)
            starts.append(start)
            for server in (small, large) if pair % 2 == 0 else (large, small):
                rates[server.pages].append(server.pages / (crawl(server) - start))
            ours = [rates[size][-1] for size in sizes]
            differences.append(ours[0] / ours[1] - 1)
            print(
                f"pair {pair + 1}: start-up {start:.2f} CPU s; "
                + "; ".join(
                    f"{size} pages: {rate:.1f} pages/CPU s"
                    for size, rate in zip(sizes, ours, strict=True)
                )
                + f"; {differences[-1]:+.1%}",
                flush=True,
            )
    low, high = interval(differences)
    print(
        json.dumps(
            {
                "bench": "growth",
                "pairs": arguments.pairs,
                "small_pages": arguments.small,
                "large_pages": arguments.large,
                "startup_cpu_seconds": round(statistics.median(starts), 3),
                "small_pages_per_cpu_second": round(statistics.median(rates[sizes[0]]), 2),
                "large_pages_per_cpu_second": round(statistics.median(rates[sizes[1]]), 2),
                "difference": round(statistics.median(differences), 4),
                "difference_interval": [round(low, 4), round(high, 4)],
            }
        )
    )


if __name__ == "__main__":
    main()
