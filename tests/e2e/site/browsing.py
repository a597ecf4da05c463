"""The search site over the sample web, and a real browser in front of it.

The sample web is crawled and indexed by the demo, as a person would; its five hosts lead the
browser to this machine.
"""

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Playwright

from gossamer.app.home import Home
from gossamer.demo import main_content
from gossamer.storage.query_log import AskedQuery, QueryLog
from tests.server.sites import ServedSite

PASSWORD = "correct horse battery"
WIDE, NARROW = 1_600, 360
SEARCHED = ("moon phases", "first telescope", "lighthouse", "university rankings")
"""What others have looked for."""
_OFTEN = 100  # more often than the tests themselves search for anything
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium_path() -> str:
    """Where the system has it; '' where it does not."""
    return next((found for name in _NAMES if (found := shutil.which(name))), "")


class SampleSite(NamedTuple):
    address: str
    web_port: int
    set_password: str  # the link that the first start prints

    def at(self, path: str) -> str:
        return self.address + path


@contextmanager
def sample_site(folder: Path) -> Iterator[SampleSite]:
    """Crawl and index the sample web, and serve the site over it, with both panels."""
    home = folder / "home"
    port = _free_port()
    _run(home, "demo", "--no-site", "--port", str(port))
    _run(home, "users", "add", "reader", "--role", "viewer", typed=PASSWORD + "\n")
    _remember(home, SEARCHED)
    with (
        encyclopedia() as wiki,
        ServedSite(
            home,
            *("--default-index", "demo", "--shop-index", "shop"),
            *("--wiki", wiki, "--wiki-private", "--trending-least", str(_OFTEN)),
        ) as served,
    ):
        # Only now: who has an administrator is given no link for the first.
        _run(home, "users", "add", "keeper", "--role", "administrator", typed=PASSWORD + "\n")
        yield SampleSite(served.address, port, served.started["set_password"])


@contextmanager
def browser(playwright: Playwright, web_port: int) -> Iterator[Browser]:
    hosts = f"--host-resolver-rules=MAP *.example 127.0.0.1:{web_port}"
    launched = playwright.chromium.launch(
        executable_path=chromium_path(), args=[*_ARGUMENTS, hosts]
    )
    yield launched
    launched.close()


@contextmanager
def encyclopedia() -> Iterator[str]:
    """The API of a wiki, as MediaWiki answers, over the articles of the sample web."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Wiki)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://lantern.localhost:{server.server_port}/api.php"
    finally:
        server.shutdown()
        server.server_close()


class _Wiki(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        asked = {name: values[-1] for name, values in parse_qs(urlsplit(self.path).query).items()}
        body = json.dumps(self._answer(asked)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self, asked: dict[str, str]) -> Any:
        if asked["action"] == "opensearch":
            title = asked["search"].capitalize()
            found = [title] if _article(title) else []
            return [asked["search"], found, [""] * len(found), []]
        if asked.get("list") == "search":
            return {"query": {"search": []}}
        title = asked["titles"]
        lines = (_article(title) or "").splitlines()
        text = " ".join(line for line in lines[1:] if len(line) > 60)
        page = {"title": title, "extract": text, "fullurl": _address(title)}
        return {"query": {"pages": [page]}}

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


def _address(title: str) -> str:
    return f"http://lantern.example/wiki/{title.replace(' ', '_')}"


def _article(title: str) -> str | None:
    return main_content(_address(title))


def _remember(home: Path, texts: Sequence[str]) -> None:
    now = time.time()
    asked = [
        AskedQuery(1_000 * place + again, now, "demo", text, 10, 5.0, None)
        for place, text in enumerate(texts, 1)
        for again in range(_OFTEN + len(texts) - place)
    ]
    QueryLog(Home(home).catalogue.database).add(asked)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found


def _run(home: Path, *arguments: str, typed: str = "") -> None:
    command = [sys.executable, "-m", "gossamer.cli", *arguments, "--home", str(home)]
    done = subprocess.run(command, input=typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
