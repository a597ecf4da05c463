"""The sample site over HTTP."""

import os
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from gossamer.demo import running_site
from gossamer.errors import RuntimeFault
from tests.crawling import wait_until


def _connection(address: str) -> HTTPConnection:
    return HTTPConnection(urlsplit(address).netloc, timeout=10)


def test_answers_on_loopback_while_it_runs() -> None:
    with running_site() as address:
        assert address.startswith("http://127.0.0.1:")
        connection = _connection(address)
        for method, path, status, location in (
            ("GET", "/", 200, None),
            ("HEAD", "/planets/mars", 200, None),
            ("GET", "/moon", 301, "/moons/the-moon"),
            ("GET", "/planets/vulcan", 404, None),
        ):
            connection.request(method, path)
            answer = connection.getresponse()
            body = answer.read()
            assert (answer.status, answer.headers["Location"]) == (status, location)
            assert bool(body) == (method == "GET")
        connection.close()
    with pytest.raises(ConnectionRefusedError):
        _connection(address).request("GET", "/")


def test_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(RuntimeFault, match=f"port {port}"), running_site(port):
            raise AssertionError("it was served")


def test_site_ends_with_the_process_that_wants_it() -> None:
    code = (
        "from gossamer.demo import running_site\n"
        "import time\n"
        "with running_site() as address:\n"
        "    print(address, flush=True)\n"
        "    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        address = owner.stdout.readline().strip()
        os.kill(owner.pid, signal.SIGKILL)

    def is_gone() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", urlsplit(address).port or 0), timeout=1):
                return False
        except OSError:
            return True

    wait_until(is_gone, "the end of the site", seconds=20)
