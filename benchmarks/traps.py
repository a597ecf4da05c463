"""How many of the first 20,000 pages of a crawl are worth it, on a web with traps and floods?

    python -m benchmarks.traps [--pages 20000] [--only NAME]

200 hosts on loopback, all linked from one page: 160 good ones with about 150 pages each, 20 without
end (calendars, growing paths and queries, pages for any address, counters) and 20 that show their
pages again and again (session ids, mirrors, print versions, sorted lists). Both crawlers start at
that page with no limit but the number of pages: ours by its defaults, Scrapy breadth first. Counted
is what the server was asked for: a page of the good kind, the first time, under whatever address.
Last line: a JSON object.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks import cpu
from benchmarks.crawlers import PEER_PYTHON, ROOT, Crawler, Gossamer, Scrapy
from benchmarks.trap_web import START, TRAP_WEB, domain_of, kind_of, sites
from tests.web import LocalWeb, LogEntry

TIMEOUT_SECONDS = 3_600.0

Crawl = Callable[[int, LocalWeb, Path], cpu.Cost]
"""Pages, web, folder of its own."""


class Visits(NamedTuple):
    fetched: int
    wanted: int  # different pages of the good kind
    kinds: dict[str, Counter[str]]  # kind of site -> 'wanted', 'again', 'trap'

    @property
    def share(self) -> float:
        return self.wanted / self.fetched if self.fetched else 0.0


def judge(log: Sequence[LogEntry], pages: int) -> Visits:
    """The first `pages` requests for pages."""
    by_name = {site.name: site for site in sites()}
    seen: set[tuple[str, str]] = set()
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    fetched = 0
    for entry in log:
        site = by_name.get(entry.host)
        if entry.path == "/robots.txt" or site is None:
            continue
        fetched += 1
        identity = site.identity(entry.path)
        page = (domain_of(entry.host), identity or "")
        end = "trap" if identity is None else "again" if page in seen else "wanted"
        seen.add(page)
        kinds[kind_of(site)][end] += 1
        if fetched == pages:
            break
    wanted = sum(counts["wanted"] for counts in kinds.values())
    return Visits(fetched, wanted, dict(kinds))


def ours(pages: int, web: LocalWeb, folder: Path) -> cpu.Cost:
    """By our defaults, but for what crawling our own machine takes."""
    names = "".join(f'"{name}" = "{at}:{web.port}"\n' for name, at in web.resolve.items())
    crawler = folder / "crawler.toml"
    crawler.write_text(f"[resolve]\n{names}")
    command = [
        *(str(Path(sys.executable).parent / "gossamer"), "crawl", f"http://{START}/", "--json"),
        *("--home", str(folder), "--crawler", str(crawler), "--scope", "anywhere"),
        *("--allow-private", "--delay-seconds", "0", "--max-pages", str(pages)),
    ]
    return cpu.run(command, timeout=TIMEOUT_SECONDS, cwd=folder, output=folder / "output")


def scrapy(pages: int, web: LocalWeb, folder: Path) -> cpu.Cost:
    script = ROOT / "benchmarks" / "peers" / "scrapy_broad.py"
    answers = pages + len(web.hosts)  # it counts robots files too
    command = [
        *(str(PEER_PYTHON), str(script), f"http://{START}/", str(answers)),
        str(folder / "pages.jsonl"),
    ]
    return cpu.run(
        command,
        timeout=TIMEOUT_SECONDS,
        cwd=folder,
        environment={"http_proxy": f"http://127.0.0.1:{web.port}"},
        output=folder / "output",
    )


CRAWLERS: dict[str, tuple[Crawl, Crawler]] = {
    "gossamer": (ours, Gossamer()),
    "scrapy": (scrapy, Scrapy()),
}


def show(name: str, visits: Visits, cost: cpu.Cost) -> None:
    print(
        f"{name}: {visits.wanted:,} of {visits.fetched:,} fetches were for another wanted page, "
        f"{visits.share:.1%} ({cost.wall_seconds:.0f} s, {cost.cpu_seconds:.0f} CPU s)"
    )
    print(f"  {'kind of site':<16}{'wanted':>10}{'again':>10}{'trap':>10}")
    for kind, counts in sorted(visits.kinds.items()):
        cells = "".join(f"{counts[end]:>10,}" for end in ("wanted", "again", "trap"))
        print(f"  {kind:<16}{cells}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.traps", description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--only", action="append", choices=list(CRAWLERS), help="may be repeated")
    arguments = parser.parse_args()
    chosen = [name for name in CRAWLERS if name in (arguments.only or CRAWLERS)]
    shares: dict[str, float | None] = dict.fromkeys(CRAWLERS)
    wasted: dict[str, int] = {}
    versions: dict[str, str] = {}
    with LocalWeb(maker=TRAP_WEB) as web:
        for name in chosen:
            crawl, crawler = CRAWLERS[name]
            if reason := crawler.missing():
                print(f"{name}: left out, {reason}", flush=True)
                continue
            versions |= crawler.versions()
            web.refresh()
            with tempfile.TemporaryDirectory(prefix="bench-traps-") as folder:
                cost = crawl(arguments.pages, web, Path(folder))
                if cost.exit_code or cost.timed_out:
                    output = (Path(folder) / "output").read_text(errors="replace")
                    sys.exit(f"{name} ended with {cost.exit_code}:\n{output[-2_000:]}")
            visits = judge(web.log(), arguments.pages)
            show(name, visits, cost)
            shares[name] = round(visits.share, 4)
            wasted[name] = visits.fetched - visits.wanted
    result = {
        "bench": "traps",
        "pages": arguments.pages,
        **{f"{name}_share": share for name, share in shares.items()},
        "wasted": wasted,
        "sites": len({domain_of(site.name) for site in sites()}),
        "versions": versions,
    }
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
