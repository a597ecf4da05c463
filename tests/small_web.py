"""A web of a few pages that a test writes down itself, on loopback, under names of its own."""

from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, NamedTuple, Self


class Page(NamedTuple):
    body: str = ""
    status: int = 200
    location: str = ""
    media_type: str = "text/html; charset=utf-8"


def linking(*paths: str, text: str = "Nothing else.", title: str = "A page", head: str = "") -> str:
    """A page with links; a text after a '|' is the link's anchor, ':PORT' the web's port."""
    links = [path.partition("|") for path in paths]
    anchors = "".join(f'<p><a href="{to}">{text or to}</a></p>' for to, _, text in links)
    return (
        f"<html><head><title>{title}</title>{head}</head><body><p>{text}</p>{anchors}</body></html>"
    )


class SmallWeb:
    """`with SmallWeb({"a.test": {"/": linking("/b"), "/b": Page(status=404)}}) as web: ...`"""

    def __init__(self, hosts: Mapping[str, Mapping[str, str | Page]]) -> None:
        self._hosts = hosts
        self.log: list[str] = []  # the URLs that were asked for

    def __enter__(self) -> Self:
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                host = self.headers["Host"]
                web.log.append(f"http://{host}{self.path}")
                page = web.answer(host.partition(":")[0], self.path)
                body = page.body.replace(":PORT", f":{web.port}").encode()
                self.send_response(page.status)
                self.send_header("Content-Type", page.media_type)
                self.send_header("Content-Length", str(len(body)))
                if page.location:
                    self.send_header("Location", page.location)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Tests have a log of their own."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: Any) -> None:
                """A crawler that was killed leaves its connections."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, host: str, path: str) -> Page:
        found = self._hosts.get(host, {}).get(path, Page("<p>There is no such page.</p>", 404))
        return found if isinstance(found, Page) else Page(found)

    @property
    def resolve(self) -> dict[str, str]:
        return dict.fromkeys(self._hosts, "127.0.0.1")

    def url(self, host: str, path: str = "/") -> str:
        return f"http://{host}:{self.port}{path}"
