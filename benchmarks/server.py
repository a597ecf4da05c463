"""Serves the generated site from a process of its own, fast enough not to be what is measured.

    python -m benchmarks.server --pages 10000 [--tls] [--latency 0.05] [--hosts 4]

prints one JSON line (`port`, `bases`, `pages`) once it listens, and ends when its standard input
closes: a benchmark that is killed leaves no server behind.

`GET /.bench/counts` (not a part of the site) tells how many requests came in since
`/.bench/reset`, so that a benchmark can prove that a crawler took each page once.
"""

import argparse
import asyncio
import json
import socket
import ssl
import subprocess
import sys
import tempfile
import urllib.request
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Self, cast

import uvloop

from benchmarks.certificate import make_certificate
from benchmarks.site import ROBOTS, Site

CACHED_PAGES = 20_000  # about 400 MB; larger sites are generated as they are asked for


def answer(status: str, body: bytes, media_type: str = "text/html; charset=utf-8") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Pages:
    """Answers by path, and the counts of what was asked for."""

    def __init__(self, site: Site, *, lazy: bool) -> None:
        self._site = site
        self._cache: dict[int, bytes] = {}
        self._may_cache = site.pages <= CACHED_PAGES and not lazy
        self._robots = answer("200 OK", ROBOTS, "text/plain")
        self._missing = answer("404 Not Found", b"<h1>Not found</h1>")
        self._forbidden = answer("403 Forbidden", b"<h1>robots.txt forbids this</h1>")
        self.reset()

    def reset(self) -> None:
        self._visits = bytearray(self._site.pages)
        self._others: Counter[str] = Counter()

    def fill(self) -> None:
        """Generates all pages now, rather than within the first crawl."""
        if self._may_cache:
            for number in range(self._site.pages):
                self._cache[number] = answer("200 OK", self._site.page(number))

    def counts(self) -> dict[str, int]:
        return {
            "pages": sum(1 for count in self._visits if count),
            "repeated": sum(1 for count in self._visits if count > 1),
            **self._others,
        }

    def get(self, path: str) -> bytes:
        number = self._site.number(path)
        if number is not None:
            if self._visits[number] < 255:
                self._visits[number] += 1
            known = self._cache.get(number)
            if known is None:
                known = answer("200 OK", self._site.page(number))
                if self._may_cache:
                    self._cache[number] = known
            return known
        if path == "/robots.txt":
            self._others["robots"] += 1
            return self._robots
        if path.startswith("/account/"):
            self._others["forbidden"] += 1
            return self._forbidden
        if path == "/.bench/counts":
            return answer("200 OK", json.dumps(self.counts()).encode(), "application/json")
        if path == "/.bench/reset":
            self.reset()
            return answer("200 OK", b"{}", "application/json")
        self._others["missing"] += 1
        return self._missing


class Connection(asyncio.Protocol):
    """HTTP/1.1 with keep-alive, GET alone: as little as the crawlers need."""

    def __init__(self, pages: Pages, latency: float) -> None:
        self._pages = pages
        self._latency = latency
        self._received = b""
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports behave like asyncio.Transport without being one.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (end := self._received.find(b"\r\n\r\n")) >= 0:
            head, self._received = self._received[:end], self._received[end + 4 :]
            path = head.split(b" ", 2)[1].decode("latin-1")
            if self._latency:
                self._loop.call_later(self._latency, self._send, path)
            else:
                self._send(path)

    def _send(self, path: str) -> None:
        if not self._transport.is_closing():
            self._transport.write(self._pages.get(path))


async def serve(arguments: argparse.Namespace) -> None:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", arguments.port))
    port = listener.getsockname()[1]
    scheme = "https" if arguments.tls else "http"
    names = (
        ("127.0.0.1",)
        if arguments.hosts == 1
        else tuple(f"site-{number}.test" for number in range(arguments.hosts))
    )
    bases = tuple(f"{scheme}://{name}:{port}" for name in names)
    pages = Pages(Site(arguments.pages, bases), lazy=arguments.lazy)
    pages.fill()
    context = None
    if arguments.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory() as folder:
            context.load_cert_chain(*make_certificate(Path(folder), names))
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Connection(pages, arguments.latency), sock=listener, ssl=context, backlog=1024
    )
    print(json.dumps({"port": port, "bases": bases, "pages": arguments.pages}), flush=True)
    async with server:
        await loop.run_in_executor(None, sys.stdin.buffer.read)


class SiteServer:
    """The server as a child process, for the benchmarks."""

    def __init__(
        self,
        pages: int,
        *,
        tls: bool = False,
        latency: float = 0.0,
        hosts: int = 1,
        lazy: bool = False,
    ) -> None:
        command = [sys.executable, "-m", "benchmarks.server", f"--pages={pages}"]
        command += [f"--latency={latency}", f"--hosts={hosts}", *(["--tls"] if tls else [])]
        command += ["--lazy"] if lazy else []
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the benchmark server ended with {self._process.wait()}")
        ready = json.loads(line)
        self.port: int = ready["port"]
        self.bases: tuple[str, ...] = tuple(ready["bases"])
        self.pages = pages
        self._context = ssl.create_default_context()
        self._context.check_hostname = False
        self._context.verify_mode = ssl.CERT_NONE

    @property
    def seed(self) -> str:
        """Page 0, from which the whole site is reached."""
        return self.bases[0] + "/"

    @property
    def resolve(self) -> dict[str, str]:
        """Addresses of the host names, for a site of several hosts."""
        names = [base.split("/")[2].rsplit(":", 1)[0] for base in self.bases]
        return {name: "127.0.0.1" for name in names if name != "127.0.0.1"}

    def _ask(self, path: str) -> dict[str, int]:
        scheme = self.bases[0].partition(":")[0]
        url = f"{scheme}://127.0.0.1:{self.port}/.bench/{path}"
        with urllib.request.urlopen(url, timeout=10, context=self._context) as response:
            counts: dict[str, int] = json.load(response)
        return counts

    def counts(self) -> dict[str, int]:
        """`pages` asked for at least once, `repeated`, `robots`, `forbidden`, `missing`."""
        return self._ask("counts")

    def reset(self) -> None:
        self._ask("reset")

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server", description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--hosts", type=int, default=1, help="more than 1: site-0.test, ...")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--lazy", action="store_true", help="keep no page in memory")
    arguments = parser.parse_args()
    uvloop.run(serve(arguments))


if __name__ == "__main__":
    main()
