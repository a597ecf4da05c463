"""A real MediaWiki from Debian's packages on loopback, and its recorded answers for where it is not
installed (`sudo apt-get install mediawiki php-cli php-sqlite3 php-intl`).

python -m tests.server.panels.mediawiki records them again.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx

from tests.crawling import wait_until

PROGRAM = Path("/usr/share/mediawiki")
RECORDED = Path(__file__).parent / "mediawiki.json"
KINDS = {"plain": ("Cite",), "with extracts": ("Cite", "TextExtracts", "PageImages")}
"""With footnotes; and with the two extensions that most wikis have."""
ARTICLES = {
    "Moon": (
        "[[File:Missing.png|thumb|A picture]]\n"
        "The '''Moon''' is Earth's only natural [[satellite]].<ref>A book.</ref> "
        "It circles the Earth in a month & shines by reflected sunlight: <b>1 < 2</b>.\n\n"
        "== Surface ==\nCraters, and seas without water.\n"
    ),
    "Luna": "#REDIRECT [[Moon]]\n",
    "Empty": "[[Category:Nothing]]\n",
}
QUERIES = ("moon", "luna", "craters", "empty", "xyzzy")


def is_installed() -> bool:
    return shutil.which("php") is not None and (PROGRAM / "maintenance" / "install.php").exists()


class NotUsable(Exception):
    """It is there, and something that it needs is not."""


@contextmanager
def running_wiki(folder: Path, extensions: Sequence[str]) -> Iterator[str]:
    """A new wiki with our articles; gives the address of its API."""
    port = _free_port()
    _php(
        folder,
        *("install.php", "--dbtype", "sqlite", "--dbpath", str(folder), "--confpath", str(folder)),
        *("--server", f"http://127.0.0.1:{port}", "--scriptpath", "", "--pass", "correct horse"),
        *("Lantern", "Keeper"),
    )
    with (folder / "LocalSettings.php").open("a") as settings:
        settings.writelines(f"wfLoadExtension('{name}');\n" for name in extensions)
    _php(folder, "update.php", "--quick")
    for title, text in ARTICLES.items():
        _php(folder, "edit.php", title, typed=text)
    _php(folder, "runJobs.php")
    _php(folder, "rebuildtextindex.php")
    command = ["php", "-S", f"127.0.0.1:{port}", "-t", str(PROGRAM)]
    server = subprocess.Popen(
        command, env=_environment(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}/api.php"
    try:
        wait_until(lambda: _answers(address), "the wiki answers")
        yield address
    finally:
        server.terminate()
        server.wait()


def _php(folder: Path, script: str, *arguments: str, typed: str = "") -> None:
    command = ["php", str(PROGRAM / "maintenance" / script), *arguments]
    environment = None if script == "install.php" else _environment(folder)
    done = subprocess.run(command, env=environment, input=typed, capture_output=True, text=True)
    if done.returncode:
        raise NotUsable(f"{script}: {(done.stderr or done.stdout).strip()[-300:]}")


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "MW_CONFIG_FILE": str(folder / "LocalSettings.php")}


def _answers(address: str) -> bool:
    try:
        return httpx.get(address, timeout=30).status_code == 200
    except httpx.TransportError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found


# Recorded answers


def key_of(path: str) -> str:
    """What was asked, whatever the order."""
    return "&".join(f"{name}={value}" for name, value in sorted(parse_qsl(urlsplit(path).query)))


@contextmanager
def answering(answers: dict[str, Any]) -> Iterator[str]:
    """A server that says what the wiki said; what nobody asked the wiki is an error."""

    class Recorded(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known = answers.get(key_of(self.path))
            body = json.dumps(known).encode()
            self.send_response(500 if known is None else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Tests need no log."""

    with _served(Recorded) as address:
        yield address


@contextmanager
def recording(wiki: str, answers: dict[str, Any]) -> Iterator[str]:
    """A server that asks the wiki, and writes down what it says."""

    class Recorder(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = httpx.get(f"{wiki}?{urlsplit(self.path).query}", timeout=60)
            own = wiki.removesuffix("/api.php")
            answers[key_of(self.path)] = json.loads(found.text.replace(own, "http://wiki.test"))
            self.send_response(found.status_code)
            self.send_header("Content-Length", str(len(found.content)))
            self.end_headers()
            self.wfile.write(found.content)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with _served(Recorder) as address:
        yield address


@contextmanager
def _served(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/api.php"
        server.shutdown()


def recorded(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORDED.read_text())[kind]
    return found


def main() -> None:
    from gossamer.server.panels.wiki import look_up

    if not is_installed():
        sys.exit(
            "There is no MediaWiki here: apt-get install mediawiki php-cli php-sqlite3 php-intl"
        )
    kept: dict[str, dict[str, Any]] = {}
    for kind, extensions in KINDS.items():
        kept[kind] = {}
        with (
            TemporaryDirectory() as folder,
            running_wiki(Path(folder), extensions) as wiki,
            recording(wiki, kept[kind]) as address,
        ):
            for query in QUERIES:
                look_up(address, query, 60, allow_private=True)
    text = json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True)
    RECORDED.write_text(text + "\n")


if __name__ == "__main__":
    main()
