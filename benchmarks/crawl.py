"""Pages per CPU-second of whole crawls of one local site, by us and by the peers, in one run.

    python -m benchmarks.crawl [--pages 10000] [--tls] [--only NAME] [--repeat N]

Every crawler gets the same site, the same connections per host, no delay, robots.txt obeyed. A
figure counts only if the crawler has put out every page. CPU-seconds are those of all processes
of the job, start-up and writing included; the server's are not. Before anything is measured, every
crawler takes a small site of its own, so that nobody pays for a cold disk or for byte code that is
not compiled yet. Then all run in turn, three rounds of them, and the median of each counts. Last
line: a JSON object.
"""

import argparse
import json
import platform
import statistics
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks import cpu
from benchmarks.crawlers import ALL, CONNECTIONS, Crawler
from benchmarks.server import SiteServer

TIMEOUT_SECONDS = 3_600.0
WARM_UP_PAGES = 300

_COLUMNS = ("crawler", "pages", "CPU s", "wall s", "pages/CPU s", "pages/s", "peak MB", "note")


def measure(crawler: Crawler, server: SiteServer) -> tuple[cpu.Cost, str]:
    """The cost of one whole crawl, and what was wrong with it ('' if nothing was)."""
    server.reset()
    with tempfile.TemporaryDirectory(prefix="bench-crawl-") as name:
        folder = Path(name) / "crawl"
        folder.mkdir()
        output = Path(name) / "output.txt"
        cost = cpu.run(
            crawler.command(server.seed, folder), timeout=TIMEOUT_SECONDS, cwd=folder, output=output
        )
        if cost.timed_out:
            return cost, "timed out"
        if cost.exit_code:
            last = output.read_text(errors="replace").strip().splitlines()[-3:]
            return cost, f"ended with {cost.exit_code}: {' | '.join(last)}"
        got = crawler.pages(folder)
    counts = server.counts()
    if got != server.pages:
        return cost, f"put out {got} pages instead of {server.pages}"
    if counts["pages"] != server.pages:
        return cost, f"asked for {counts['pages']} pages instead of {server.pages}"
    if counts.get("forbidden"):
        return cost, "asked for what robots.txt forbids"
    return cost, ""


def warm_up(crawlers: Iterable[Crawler], *, tls: bool) -> None:
    """One small crawl by each. What is wrong with one will be wrong, and told, when it counts."""
    with SiteServer(WARM_UP_PAGES, tls=tls) as server:
        for crawler in crawlers:
            measure(crawler, server)


def _row(crawler: Crawler, pages: int, cost: cpu.Cost, fault: str) -> str:
    cells = (
        crawler.name,
        str(pages),
        f"{cost.cpu_seconds:.2f}",
        f"{cost.wall_seconds:.2f}",
        f"{pages / cost.cpu_seconds:.1f}",
        f"{pages / cost.wall_seconds:.1f}",
        f"{cost.peak_rss_bytes / 1e6:.0f}",
        fault or "complete",
    )
    return _line(cells)


def _line(cells: tuple[str, ...]) -> str:
    first, *rest, last = cells
    return f"{first:<18}" + "".join(f"{cell:>12}" for cell in rest) + f"  {last}"


def _ratio(ours: float | None, theirs: float | None) -> float | None:
    return round(ours / theirs, 2) if ours and theirs else None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crawl", description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--repeat", type=int, default=3, help="rounds; the median counts")
    names = [crawler.name for crawler in ALL]
    parser.add_argument("--only", action="append", choices=names, help="may be given again")
    arguments = parser.parse_args()
    chosen = [crawler for crawler in ALL if crawler.name in (arguments.only or names)]
    rates: dict[str, list[float]] = {crawler.name: [] for crawler in chosen}
    versions = {"python": platform.python_version()}
    faults = 0
    warm_up([crawler for crawler in chosen if not crawler.missing()], tls=arguments.tls)
    with SiteServer(arguments.pages, tls=arguments.tls) as server:
        print(_line(_COLUMNS), flush=True)
        for round_number in range(arguments.repeat):
            # Every other round in reverse, so that no one always runs on a warm or a worn machine.
            for crawler in chosen if round_number % 2 == 0 else reversed(chosen):
                if reason := crawler.missing():
                    print(f"{crawler.name:<18}  left out: {reason}", flush=True)
                    continue
                versions |= crawler.versions()
                cost, fault = measure(crawler, server)
                print(_row(crawler, arguments.pages, cost, fault), flush=True)
                if fault:
                    faults += 1
                else:
                    rates[crawler.name].append(arguments.pages / cost.cpu_seconds)
    medians = {
        name: round(statistics.median(rates[name]), 2) if rates.get(name) else None
        for name in names
    }
    result = {
        "bench": "crawl",
        "pages": arguments.pages,
        **{f"{name}_pages_per_cpu_second": medians[name] for name in names},
        "ratio_to_scrapy": _ratio(medians["gossamer"], medians["scrapy"]),
        "ratio_to_scrapy_selectolax": _ratio(medians["gossamer"], medians["scrapy_selectolax"]),
        "ratio_to_wget": _ratio(medians["gossamer"], medians["wget"]),
        "tls": arguments.tls,
        "rounds": arguments.repeat,
        "connections_per_host": CONNECTIONS,
        "versions": versions,
    }
    print(json.dumps(result), flush=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
