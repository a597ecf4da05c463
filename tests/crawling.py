"""Crawls for tests: the real command in processes of its own, and what it left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from gossamer.app import Home, Report
from gossamer.app import crawl as conduct
from gossamer.config import CrawlSettings
from tests.web import LocalWeb

PATIENCE_SECONDS = 120.0

AT_ONCE = ("--allow-private", "--delay-seconds", "0")
"""Options of a crawl of our own machine that need not be polite."""


def wait_until(
    condition: Callable[[], object],
    what: str,
    seconds: float = PATIENCE_SECONDS,
    *,
    every_seconds: float = 0.01,
) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:.0f} s in vain: {what}")
        time.sleep(every_seconds)


class Crawl:
    """One sitting of `gossamer crawl`, in a process group of its own."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "gossamer.cli",
                "crawl",
                *arguments,
                "--home",
                str(home),
                "--json",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )

    def wait_until(self, condition: Callable[[], object], what: str) -> None:
        """Wait for something that happens while it runs; a crawl without it is not left behind."""
        try:
            wait_until(
                lambda: condition() or self.process.poll() is not None,
                what,
                every_seconds=0.05,  # looking takes time from the crawl
            )
        except BaseException:
            self.kill_group()
            raise
        if not condition():
            out, errors = self.process.communicate()  # closes its pipes, too
            raise AssertionError(f"the crawl has ended before: {what}\n{errors}{out}")

    def interrupt(self) -> None:
        """As Ctrl-C in a terminal does: the whole group gets the signal."""
        os.killpg(self.process.pid, signal.SIGINT)

    def kill_group(self) -> None:
        """As a power cut would: everything at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def descendants(self) -> list[int]:
        """Process ids of the nursery's children: queue servers, roller, fetchers."""
        return [pid for nursery in _children(self.process.pid) for pid in _children(nursery)]

    def report(self, seconds: float = PATIENCE_SECONDS) -> dict[str, Any]:
        """Wait for the end."""
        return self._said(0, seconds)

    def failure(self, seconds: float = PATIENCE_SECONDS) -> dict[str, Any]:
        """Wait for an end that is not a good one."""
        return self._said(1, seconds)

    def _said(self, code: int, seconds: float) -> dict[str, Any]:
        """The JSON object on the last line. A crawl that does not end is not left behind."""
        try:
            out, errors = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.kill_group()
            raise AssertionError(f"the crawl has not ended within {seconds:.0f} s") from None
        assert self.process.returncode == code, errors + out
        result: dict[str, Any] = json.loads(out.splitlines()[-1])
        return result


def crawl_here(home: Path, web: LocalWeb, mode: Any = "continue", **settings: Any) -> Report:
    """A crawl within this process, where no worker's start is to be waited for."""
    values = {
        "scope": "anywhere",
        "allow_private": True,
        "delay_seconds": 0,
        "processes": False,
        "resolve": web.resolve,
        **settings,
    }
    return conduct(Home(home), CrawlSettings(**values), mode=mode, on_progress=lambda _: None)


def resolve_options(names: Iterable[str]) -> list[str]:
    return [part for name in names for part in ("--resolve", f"{name}=127.0.0.1")]


def tree_options(web: LocalWeb, *more: str) -> list[str]:
    """Arguments of a crawl of the whole tree."""
    return [
        *(web.tree_urls()[0], "--scope", "anywhere", *AT_ONCE),
        *(*more, *resolve_options(web.tree.names)),
    ]


def fetched(web: LocalWeb) -> Counter[str]:
    """How often each page was asked for, by the server's own log."""
    return Counter(
        f"http://{entry.host}:{web.port}{entry.path}"
        for entry in web.log()
        if entry.path != "/robots.txt"
    )


def _children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [int(child) for child in text.split()]


def only_run(home: Path) -> str:
    (run,) = Home(home).runs()
    return run.name


def stored_rows(home: Path, run: str = "") -> list[dict[str, Any]]:
    """The published pages of the only run, or of the named one."""
    return list(Home(home).pages(run or only_run(home)))


def stored_urls(home: Path, run: str = "") -> Counter[str]:
    """How often each URL is among the published pages."""
    return Counter(row["url"] for row in stored_rows(home, run))


def assert_adds_up(statistics: dict[str, float], *, at_rest: bool = True) -> None:
    """A URL is always in exactly one state, and each link is accounted for. Where a run was
    stopped, links may still be on their way to another queue server."""

    def total(prefix: str) -> float:
        return sum(value for name, value in statistics.items() if name.startswith(prefix))

    def value(name: str) -> float:
        return statistics.get(name, 0)

    states = value("queued") + value("leased") + total("done.") + total("excluded.")
    assert value("found") == states
    assert value("found") == total("found.")
    assert value("in_transit") == 0 or not at_rest
    assert value("links.found") == value("in_transit") + sum(
        value(f"links.{kind}") for kind in ("new", "known", "nofollow", "other")
    )
    assert value("links.new") == value("found.link") + value("found.sitemap")
    assert total("status.") <= total("done.") + value("revisited")
