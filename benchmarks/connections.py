"""Speed against connections and workers, on webs that answer at once, after 20 and after 200 ms.

    python -m benchmarks.connections [--full] [--plot FILE.svg]

Every crawl runs for some seconds on 256 hosts; start-up (a crawl of one page) is taken off. Shown
are pages a second and CPU-seconds for 1,000 pages. Checked are:

- more connections never make it slower by more than a tenth than the best with fewer (`no_fall`);
- one host, with connections to it raised, keeps all cores busy, the server's share included;
- the share of the work (CPU) that each worker does;
- a crawl to depth 1 and to depth 10 of a tree finds exactly the pages that are there.

Last line: a JSON object.
"""

import argparse
import json
import math
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import cpu
from benchmarks.server import SiteServer
from benchmarks.svg_plot import write_plot
from tests.web import LocalWeb, TreeShape

CONNECTIONS = (1, 4, 16, 64, 256, 512)
LATENCIES = (0.0, 0.02, 0.2)
WORKERS = (1, 2, 4)
QUICK_WORKERS = 2
QUICK_CONNECTIONS = 64  # for the comparison of workers
HOSTS = 256
CONNECTIONS_PER_HOST = 4
PAGES = 12_000
NOISE = 0.10
TIMEOUT_SECONDS = 600.0
DEEP = 10

_TICKS = os.sysconf("SC_CLK_TCK")
_CORES = len(os.sched_getaffinity(0))


class Sitting(NamedTuple):
    """One crawl, start-up taken off."""

    pages: int
    seconds: float
    cpu_seconds: float
    shares: tuple[float, ...] = ()  # of the CPU time of all fetchers, by fetcher

    @property
    def pages_per_second(self) -> float:
        return self.pages / self.seconds

    @property
    def cpu_per_thousand(self) -> float:
        return 1_000 * self.cpu_seconds / self.pages if self.pages else math.nan


# Crawling


def crawl(seed: str, resolve: dict[str, str], *options: str) -> tuple[dict[str, Any], cpu.Cost]:
    with tempfile.TemporaryDirectory(prefix="bench-connections-") as name:
        folder = Path(name)
        names = "".join(f'"{host}" = "{address}"\n' for host, address in resolve.items())
        crawler = folder / "crawler.toml"
        crawler.write_text(f"[resolve]\n{names}")
        command = [
            *(sys.executable, "-m", "gossamer.cli", "crawl", seed, "--home", name, "--json"),
            *("--crawler", str(crawler), "--allow-private", "--delay-seconds", "0", *options),
        ]
        output = folder / "output"
        cost = cpu.run(command, timeout=TIMEOUT_SECONDS, output=output)
        if cost.exit_code or cost.timed_out:
            sys.exit(f"the crawl ended with {cost.exit_code}:\n{output.read_text()[-2_000:]}")
        report: dict[str, Any] = json.loads(output.read_text().splitlines()[-1])
        return report, cost


def measure(server: SiteServer, start: Sitting | None, seconds: float, *options: str) -> Sitting:
    limits = ("--max-pages", "1") if start is None else ("--max-seconds", f"{seconds:g}")
    with worker_shares() as shares:
        report, cost = crawl(server.seed, server.resolve, "--scope", "anywhere", *limits, *options)
    pages = int(report["statistics"]["pages"])
    if start is None:
        return Sitting(pages, report["elapsed_seconds"], cost.cpu_seconds)
    return Sitting(
        pages - start.pages,
        max(0.1, report["elapsed_seconds"] - start.seconds),
        max(0.0, cost.cpu_seconds - start.cpu_seconds),
        tuple(shares),
    )


@contextmanager
def worker_shares() -> Iterator[list[float]]:
    """The share of each fetcher in the CPU time of all fetchers that ran meanwhile."""
    shares: list[float] = []
    used: dict[int, float] = {}
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            used.update(_workers())

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield shares
    finally:
        ended.set()
        thread.join()
        # The nursery forks the queue server first, then the roller, then the fetchers.
        fetchers = [used[pid] for pid in sorted(used)][2:]
        shares += [seconds / (sum(fetchers) or 1.0) for seconds in fetchers]


def _workers() -> dict[int, float]:
    """CPU-seconds of the processes that a nursery of ours has forked."""
    parents: dict[int, int] = {}
    seconds: dict[int, float] = {}
    nurseries = set()
    for entry in os.scandir("/proc"):
        if not entry.name.isdecimal():
            continue
        pid = int(entry.name)
        try:
            fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            name = Path(entry.path, "comm").read_text().strip()
        except OSError:
            continue
        parents[pid] = int(fields[1])
        seconds[pid] = (int(fields[11]) + int(fields[12])) / _TICKS
        if name == "nursery":
            nurseries.add(pid)
    own = {pid for pid in nurseries if _is_ours(pid, parents)}
    return {pid: seconds[pid] for pid, parent in parents.items() if parent in own}


def _is_ours(pid: int, parents: dict[int, int]) -> bool:
    while (pid := parents.get(pid, 0)) > 1:
        if pid == os.getpid():
            return True
    return False


# Tables


def run_grid(full: bool, seconds: float) -> dict[tuple[float, int, int], Sitting]:
    """(latency, workers, connections) -> what was measured."""
    found: dict[tuple[float, int, int], Sitting] = {}
    print(
        f"{'latency':>9}{'workers':>9}{'connections':>13}{'pages/s':>10}{'CPU s/1,000':>13}  shares"
    )
    for latency in LATENCIES:
        with SiteServer(PAGES, latency=latency, hosts=HOSTS) as server:
            for workers in WORKERS:
                options = ("--fetchers", str(workers))
                start = measure(server, None, seconds, *options)
                for connections in CONNECTIONS:
                    if (
                        not full
                        and workers != QUICK_WORKERS
                        and (connections != QUICK_CONNECTIONS or latency != LATENCIES[1])
                    ):
                        continue
                    more = (
                        *("--connections", str(connections)),
                        *("--connections-per-host", str(CONNECTIONS_PER_HOST)),
                    )
                    sitting = measure(server, start, seconds, *options, *more)
                    found[latency, workers, connections] = sitting
                    shares = " ".join(f"{share:.0%}" for share in sitting.shares)
                    print(
                        f"{1_000 * latency:>6.0f} ms{workers:>9}{connections:>13}"
                        f"{sitting.pages_per_second:>10.1f}{sitting.cpu_per_thousand:>13.2f}"
                        f"  {shares}",
                        flush=True,
                    )
    return found


def falls(found: dict[tuple[float, int, int], Sitting]) -> list[str]:
    """Where more connections were slower than fewer, beyond the noise."""
    faults = []
    best: dict[tuple[float, int], float] = {}
    for (latency, workers, connections), sitting in found.items():
        line = (latency, workers)
        if sitting.pages_per_second < (1 - NOISE) * best.get(line, 0.0):
            faults.append(
                f"{1_000 * latency:.0f} ms, {workers} workers: {sitting.pages_per_second:.0f} "
                f"pages/s with {connections} connections, {best[line]:.0f} with fewer"
            )
        best[line] = max(best.get(line, 0.0), sitting.pages_per_second)
    return faults


# One host


def busy_cores(seconds: float) -> dict[str, float]:
    """A crawl of a single host, by as many fetchers as there are cores."""
    options = ("--connections-per-host", "32", "--fetchers", str(_CORES))
    with SiteServer(PAGES) as server:
        start = measure(server, None, seconds, *options)
        before, idle = time.monotonic(), _idle_seconds()
        sitting = measure(server, start, seconds, *options)
        wall = time.monotonic() - before
        idle = _idle_seconds() - idle
    return {
        "pages_per_second": round(sitting.pages_per_second, 1),
        "crawler_cores": round(sitting.cpu_seconds / sitting.seconds, 2),
        "cores": _CORES,
        "machine_busy": round(1 - idle / (wall * _CORES), 3),
        "largest_share": round(max(sitting.shares, default=0.0), 3),
    }


def _idle_seconds() -> float:
    """Of the cores that are ours, since the machine was started."""
    ours = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    rows = [line.split() for line in Path("/proc/stat").read_text().splitlines()]
    return sum(int(row[4]) + int(row[5]) for row in rows if row[0] in ours) / _TICKS


# Coverage


def coverage() -> dict[str, dict[str, float]]:
    """Of a tree that goes deeper than asked for: each page has exactly one link."""
    shape = TreeShape(depth=DEEP + 1, fanout=2, hosts=1, words=20)
    found = {}
    with LocalWeb(tree=shape) as web:
        for depth in (1, DEEP):
            web.refresh()
            crawl(
                web.tree_urls()[0],
                {name: web.resolve[name] for name in shape.names},
                *("--max-depth", str(depth), "--connections-per-host", "8"),
            )
            expected = set(web.tree_urls()[: 2 ** (depth + 1) - 1])
            fetched = {
                f"http://{entry.host}:{web.port}{entry.path}"
                for entry in web.log()
                if entry.path != "/robots.txt"
            }
            found[str(depth)] = {
                "pages": len(expected),
                "share": round(len(expected & fetched) / len(expected), 4),
                "beyond": len(fetched - expected),
            }
            print(f"depth {depth}: {found[str(depth)]}", flush=True)
    return found


def plot(path: Path, found: dict[tuple[float, int, int], Sitting]) -> None:
    lines: dict[str, list[tuple[float, float]]] = {}
    for (latency, workers, connections), sitting in found.items():
        name = f"{1_000 * latency:.0f} ms, {workers} workers"
        lines.setdefault(name, []).append((connections, sitting.pages_per_second))
    several = {name: points for name, points in lines.items() if len(points) > 1}
    write_plot(
        path,
        several,
        title="Speed against connections",
        across="connections of each worker",
        up="pages a second",
    )
    print(f"plot: {path}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.connections", description=__doc__)
    parser.add_argument("--full", action="store_true", help="every number of workers")
    parser.add_argument(
        "--seconds", type=float, default=0.0, help="of each crawl; 0: 10, or 20 in full"
    )
    parser.add_argument("--plot", type=Path, default=Path("build/connections.svg"))
    given = parser.parse_args(arguments)
    seconds = given.seconds or (20.0 if given.full else 10.0)
    found = run_grid(given.full, seconds)
    plot(given.plot, found)
    faults = falls(found)
    for fault in faults:
        print(f"fall: {fault}")
    single = busy_cores(seconds)
    print(f"one host: {single}", flush=True)
    depths = coverage()
    best = max(found.values(), key=lambda sitting: sitting.pages_per_second)
    result = {
        "bench": "connections",
        "best_pages_per_second": round(best.pages_per_second, 1),
        "pages_per_second": {
            f"{1_000 * latency:.0f}ms/{workers}w/{connections}c": round(sitting.pages_per_second, 1)
            for (latency, workers, connections), sitting in found.items()
        },
        "no_fall": not faults,
        "one_host": single,
        "coverage": depths,
        "full": given.full,
    }
    print(json.dumps(result), flush=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
