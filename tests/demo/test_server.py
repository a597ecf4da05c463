"""The sample web over HTTP."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse

import pytest

from gossamer.demo import hosts, local_address, running_web
from gossamer.errors import RuntimeFault
from tests.crawling import wait_until
from tests.demo.walk import ask


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running_web() as port:
        yield port


class Client:
    """One connection that is kept."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection = HTTPConnection("127.0.0.1", port, timeout=10)

    def ask(
        self, host: str, path: str, method: str = "GET", **headers: str
    ) -> tuple[HTTPResponse, bytes]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection.request(method, path, headers={"Host": host, **named})
        answer = self._connection.getresponse()
        return answer, answer.read()

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def client(port: int) -> Iterator[Client]:
    client = Client(port)
    yield client
    client.close()


def test_hosts_are_told_apart(client: Client) -> None:
    titles = set()
    for host in hosts():
        answer, body = client.ask(host, "/")
        assert answer.status == 200
        assert body == ask(f"http://{host}/").body
        titles.add(body)
    assert len(titles) == 5
    answer, _ = client.ask("LANTERN.example:80", "/wiki/moon")
    assert answer.status == 301
    assert answer.headers["Location"] == "http://lantern.example/wiki/Moon"
    answer, _ = client.ask("elsewhere.example", "/")
    assert answer.status == 421


def test_names_for_browsers(client: Client, port: int) -> None:
    for host in hosts():
        local = local_address(host, port).removeprefix("http://").rstrip("/")
        answer, body = client.ask(local, "/")
        assert answer.status == 200
        assert b".example/" not in body.replace(b"https://schema.org", b"")
        assert f"http://{local}/".encode() in body
    answer, _ = client.ask(f"lantern.localhost:{port}", "/wiki/moon")
    assert answer.headers["Location"] == f"http://lantern.localhost:{port}/wiki/Moon"
    answer, start = client.ask(f"127.0.0.1:{port}", "/")
    assert answer.status == 200
    for host in hosts():
        assert local_address(host, port).encode() in start
    assert client.ask(f"127.0.0.1:{port}", "/other")[0].status == 404
    pdf, _ = client.ask(f"wrenandoak.localhost:{port}", "/catalogue.pdf")
    assert pdf.headers["Content-Type"] == "application/pdf"


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("lantern.example", "/wiki/Moon"),
        ("courier.example", "/feed.xml"),
        ("wrenandoak.example", "/catalogue.pdf"),
        ("campustable.example", "/style.css"),
    ],
)
def test_unchanged_pages_are_not_sent_again(client: Client, host: str, path: str) -> None:
    first, body = client.ask(host, path)
    tag, day = first.headers["ETag"], first.headers["Last-Modified"]
    assert body
    for conditions in (
        {"If_None_Match": tag},
        {"If_None_Match": f'"other", W/{tag}'},
        {"If_None_Match": "*"},
        {"If_Modified_Since": day},
        {"If_Modified_Since": "Fri, 01 Jan 2027 00:00:00 GMT"},
    ):
        again, nothing = client.ask(host, path, **conditions)
        assert (again.status, nothing, again.headers["ETag"]) == (304, b"", tag)
    for conditions in (
        {"If_None_Match": '"other"'},
        {"If_None_Match": '"other"', "If_Modified_Since": day},
        {"If_Modified_Since": "Sun, 06 Nov 1994 08:49:37 GMT"},
        {"If_Modified_Since": "yesterday"},
        {"If_Modified_Since": "Fri, 99 Foo 2027 99:00:00 GMT"},
    ):
        again, whole = client.ask(host, path, **conditions)
        assert (again.status, whole) == (200, body)


def test_dates_differ_between_pages(client: Client) -> None:
    days = {
        client.ask("lantern.example", f"/wiki/{title}")[0].headers["Last-Modified"]
        for title in ("Moon", "Sun", "Mars", "Tram", "Coffee")
    }
    assert len(days) > 2


def test_head_has_no_body(client: Client) -> None:
    answer, body = client.ask("lantern.example", "/wiki/Moon", "HEAD")
    assert body == b""
    assert int(answer.headers["Content-Length"]) == len(
        ask("http://lantern.example/wiki/Moon").body
    )
    assert client.ask("lantern.example", "/wiki/Moon")[0].status == 200


def test_other_methods_are_refused(client: Client) -> None:
    answer, _ = client.ask("lantern.example", "/wiki/Moon", "POST")
    assert (answer.status, answer.headers["Connection"]) == (405, "close")


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET / HTTP/1.0\r\nHost: lantern.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: lantern.example\r\nConnection: close\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET /" + b"x" * 70_000,
    ],
)
def test_connection_ends(port: int, request_bytes: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request_bytes)
        received = bytearray()
        try:
            while part := connection.recv(65_536):
                received += part
        except ConnectionResetError:
            assert len(request_bytes) > 65_536
        if request_bytes.startswith(b"GET / "):
            assert received.startswith(b"HTTP/1.1 200 OK\r\n")
            assert received.endswith(b"</html>\n")


def test_requests_in_one_packet(port: int) -> None:
    request = b"GET /robots.txt HTTP/1.1\r\nHost: courier.example\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request * 3)
        received = bytearray()
        while received.count(b"Sitemap:") < 3:
            part = connection.recv(65_536)
            assert part
            received += part


def test_it_is_fast(client: Client) -> None:
    """A crawl must not wait for it. Pages are made when they are asked for and kept."""
    client.ask("campustable.example", "/")  # the texts are read
    begun = time.perf_counter()
    for _ in range(500):
        client.ask("lantern.example", "/wiki/Moon")
    assert time.perf_counter() - begun < 5


def test_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(RuntimeFault, match=f"port {port}"), running_web(port):
            raise AssertionError("it was served")


def test_web_ends_with_the_process_that_wants_it() -> None:
    code = (
        "from gossamer.demo import running_web\n"
        "import json, time\n"
        "with running_web() as port:\n"
        "    print(json.dumps(port), flush=True)\n"
        "    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        port = json.loads(owner.stdout.readline())
        os.kill(owner.pid, signal.SIGKILL)

    def is_gone() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return False
        except OSError:
            return True

    wait_until(is_gone, "the end of the web", seconds=20)
