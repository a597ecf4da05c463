"""One crawl over all the nasty hosts, and what it left behind."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.crawling import Crawl, resolve_options, stored_rows
from tests.web import LocalWeb, LogEntry
from tests.web.process import ODD_PORTS

STALL_SECONDS = 1.2
MAX_DELAY_SECONDS = 2.0
TRIES = 2  # one retry

_GENERATED = ("tree-", "waiting-", "private-redirects")
_PACE = (
    "--delay-seconds",
    "0",
    "--schedule-seconds",
    "3",
    "--max-delay-seconds",
    f"{MAX_DELAY_SECONDS}",
)
_PATIENCE = (
    *("--stall-timeout-seconds", f"{STALL_SECONDS}", "--request-timeout-seconds", "2.5"),
    *("--connect-timeout-seconds", "2", "--retries", f"{TRIES - 1}"),
    *("--retry-backoff-seconds", "0.2", "--robots-retry-seconds", "3"),
)
_SIZES = ("--max-wire-bytes", "5000000", "--max-body-bytes", "8000000")


@dataclass(frozen=True)
class NastyCrawl:
    report: dict[str, Any]
    rows: list[dict[str, Any]]
    pages: dict[str, dict[str, Any]]  # host and path, without the port -> row
    log: list[LogEntry]

    @property
    def statistics(self) -> dict[str, float]:
        statistics: dict[str, float] = self.report["statistics"]
        return statistics

    def page(self, host: str, path: str) -> dict[str, Any]:
        return self.pages[host + path]

    def outcomes(self, host: str) -> dict[str, str]:
        """Path -> outcome, of all pages of a host."""
        return {
            name.removeprefix(host): row["outcome"]
            for name, row in self.pages.items()
            if name.startswith(f"{host}/")
        }

    def requests(self, host: str) -> list[LogEntry]:
        """What the host was asked, in order."""
        return [entry for entry in self.log if entry.host == host]

    def paths(self, host: str) -> set[str]:
        return {entry.path for entry in self.requests(host)}


def crawl_nasty_hosts(home: Path) -> NastyCrawl:
    with LocalWeb() as web:
        names = [host.name for host in web.hosts if not host.name.startswith(_GENERATED)]
        names += ODD_PORTS
        seeds = [web.url(name) for name in names]
        # Hosts with hundreds of pages that say the same are what a crawl usually leaves early.
        whole = ("--no-traps", "--max-links-per-page", "0")
        options = (*_PACE, *_PATIENCE, *_SIZES, *whole, "--allow-private", "--fetchers", "2")
        report = Crawl(home, *seeds, "--name", "nasty", *options, *resolve_options(names)).report()
        log = web.log()
        ports = {f":{port}" for port in (web.port, *web.odd_ports.values())}
    rows = stored_rows(home)
    pages: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        name = row["url"].removeprefix("http://")
        for port in ports:
            name = name.replace(port, "", 1)
        pages[name].append(row)
    assert all(len(same) == 1 for same in pages.values())
    return NastyCrawl(report, rows, {name: same[0] for name, same in pages.items()}, log)
