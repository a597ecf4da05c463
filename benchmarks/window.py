"""What committing in order costs, on a web where waiting dominates.

The same crawl with ordering on and off, in interleaved pairs (on off off on ...), over many hosts
of which most answer after a tenth of a second or two and some after two seconds. The CPU has to be
under half used, or it would be the CPU that is compared.

    python -m benchmarks.window [--pairs 10]
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks.cpu import run
from tests.web import LocalWeb, WaitingShape

SHAPE = WaitingShape(
    hosts=44,
    pages_per_host=200,
    slow_hosts=4,
    pages_per_slow_host=200,
    fastest_seconds=0.1,
    slowest_seconds=0.25,
)
PAGES = 5_000
"""Fewer than there are: the end of a crawl, with few hosts left, would measure their latency."""


class Sitting(NamedTuple):
    pages: int
    pages_per_second: float
    pages_per_cpu_second: float
    cpu_share: float


def crawl(web: LocalWeb, ordered: bool) -> Sitting:
    resolve = [part for name in SHAPE.names for part in ("--resolve", f"{name}=127.0.0.1")]
    with tempfile.TemporaryDirectory(prefix="gossamer-bench-") as home:
        command = [
            *(sys.executable, "-m", "gossamer.cli", "crawl", web.waiting_urls()[0]),
            *("--home", home, "--json", "--scope", "anywhere", "--allow-private"),
            *("--delay-seconds", "0", "--ordered" if ordered else "--no-ordered"),
            *("--max-pages", str(PAGES)),
            *resolve,
        ]
        output = Path(home) / "output"
        cost = run(command, timeout=300, output=output)
        assert cost.exit_code == 0, output.read_text()
        report = json.loads(output.read_text().splitlines()[-1])
    pages = int(report["statistics"]["pages"])
    assert pages == PAGES, f"{pages} pages of {PAGES}"
    seconds = report["elapsed_seconds"]
    cores = len(os.sched_getaffinity(0))
    return Sitting(
        pages, pages / seconds, pages / cost.cpu_seconds, cost.cpu_seconds / (seconds * cores)
    )


def interval(values: list[float], draws: int = 10_000) -> tuple[float, float]:
    """95 % of the medians of resamples."""
    rng = random.Random(1)
    medians = sorted(statistics.median(rng.choices(values, k=len(values))) for _ in range(draws))
    return medians[draws // 40], medians[-draws // 40]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--pairs", type=int, default=10)
    pairs = parser.parse_args().pairs
    on: list[Sitting] = []
    off: list[Sitting] = []
    costs: list[float] = []
    with LocalWeb(waiting=SHAPE) as web:
        for pair in range(pairs):
            for ordered in (True, False) if pair % 2 == 0 else (False, True):
                (on if ordered else off).append(crawl(web, ordered))
            costs.append(1 - on[-1].pages_per_second / off[-1].pages_per_second)
            print(
                f"pair {pair + 1:2}: ordered {on[-1].pages_per_second:6.1f} pages/s, "
                f"unordered {off[-1].pages_per_second:6.1f}, cost {costs[-1]:+.1%}, "
                f"CPU used {on[-1].cpu_share:.0%}",
                flush=True,
            )
    low, high = interval(costs)
    result = {
        "bench": "window",
        "pages": PAGES,
        "pairs": pairs,
        "ordered_pages_per_second": round(statistics.median(s.pages_per_second for s in on), 1),
        "unordered_pages_per_second": round(statistics.median(s.pages_per_second for s in off), 1),
        "ordered_pages_per_cpu_second": round(
            statistics.median(s.pages_per_cpu_second for s in on), 1
        ),
        "unordered_pages_per_cpu_second": round(
            statistics.median(s.pages_per_cpu_second for s in off), 1
        ),
        "cpu_share": round(statistics.median(s.cpu_share for s in [*on, *off]), 2),
        "ordering_cost": round(statistics.median(costs), 4),
        "ordering_cost_interval": [round(low, 4), round(high, 4)],
    }
    for name, value in result.items():
        print(f"{name:32} {value}")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
