"""Answers over HTTP on 127.0.0.1: in this process, or in one of its own beside a crawl."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from gossamer.demo.site import answer
from gossamer.errors import RuntimeFault


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        found = answer(self.path)
        self.send_response(found.status)
        self.send_header("Content-Type", found.media_type)
        self.send_header("Content-Length", str(len(found.body)))
        if found.location:
            self.send_header("Location", found.location)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(found.body)

    do_HEAD = do_GET  # noqa: N815 - http.server's name

    def log_message(self, format: str, *args: object) -> None:
        """The crawler's report says it all."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A crawler that is stopped drops its connections: nothing to report."""


def _bound(port: int) -> _Server:
    try:
        return _Server(("127.0.0.1", port), _Handler)
    except OSError as error:
        reason = error.strerror or error
        raise RuntimeFault(f"The sample site cannot be served on port {port}: {reason}.") from None


def serve_site(port: int, on_ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C. `on_ready` is told the site's address."""
    with _bound(port) as server, suppress(KeyboardInterrupt):
        on_ready(f"http://127.0.0.1:{server.server_port}/")
        server.serve_forever()


def serve_until_stdin_closes(port: int) -> None:
    """How the process beside a crawl ends: also when the crawl is killed, its pipe is closed."""
    with _bound(port) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}/\n")
        sys.stdout.flush()
        sys.stdin.read()
        server.shutdown()


@contextmanager
def running_site(port: int = 0) -> Iterator[str]:
    """The site's address, while a process of its own serves it.

    In its own session: a Ctrl-C that lets the crawl finish its pages must not take the site away.
    """
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "gossamer.demo", str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        address = process.stdout.readline().strip()
        if not address:
            raise RuntimeFault(process.stderr.read().strip() or "The sample site did not start.")
        try:
            yield address
        finally:
            process.stdin.close()
            process.wait()
