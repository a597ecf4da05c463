"""The sample web of a home is found again at the port that the home remembers."""

import http.client
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from gossamer.app.home import Home
from gossamer.demo import hosts, is_of_sample_web, link_hosts, running_web, sample_web
from gossamer.demo.home import is_served_at, remembered_port
from gossamer.errors import FormatError, RuntimeFault


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def stranger() -> Iterator[int]:
    """The port of a web server that is not the sample web."""
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def article(port: int) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/wiki/Moon", headers={"Host": "lantern.example"})
    found = connection.getresponse().read()
    connection.close()
    return found


def test_the_same_port_again(home: Home) -> None:
    with sample_web(home) as first:
        assert b"Moon" in article(first)
        assert home.local_hosts() == dict.fromkeys(hosts(), f"127.0.0.1:{first}")
    assert not is_served_at(first)
    with sample_web(home) as second:
        assert second == first
    assert remembered_port(home) == first


def test_a_port_of_ones_own(home: Home) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free: int = probe.getsockname()[1]
    with sample_web(home, free) as port:
        assert port == free
        with pytest.raises(RuntimeFault, match=f"port {free}"), sample_web(home, free):
            pass


def test_another_port_where_a_stranger_has_it(home: Home, stranger: int) -> None:
    home.set_local_hosts(dict.fromkeys(hosts(), f"127.0.0.1:{stranger}"))
    assert not is_served_at(stranger)
    with sample_web(home, may_share=True) as port:
        assert port != stranger
        assert remembered_port(home) == port
        assert article(port)


def test_what_is_served_already_is_shared(home: Home) -> None:
    with sample_web(home) as first:
        with sample_web(home, may_share=True) as second:
            assert second == first
        assert article(first), "it still serves"
        with sample_web(home) as own:
            assert own != first
            assert remembered_port(home) == first, "crawls go on using the first"


def test_two_homes_side_by_side(home: Home, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    with sample_web(home) as one, sample_web(other) as two:
        assert one != two
        assert (remembered_port(home), remembered_port(other)) == (one, two)


def test_links_for_a_browser() -> None:
    assert link_hosts(81)["lantern.example"] == "lantern.localhost:81"
    assert set(link_hosts(81)) == set(hosts())
    assert is_of_sample_web(["https://x.test/", "http://courier.example/a"])
    assert not is_of_sample_web(["http://example.org/", "/folder"])


@pytest.mark.parametrize("text", ["", "[1]", '{"lantern.example": 5}', "\xff"])
def test_a_damaged_record(home: Home, text: str) -> None:
    home.make()
    (home.path / "local_hosts.json").write_text(text, encoding="latin-1")
    with pytest.raises(FormatError, match="remove it"):
        home.local_hosts()


@pytest.mark.parametrize("port", ["", "x", "99999999", "-1"])
def test_a_record_without_a_port(home: Home, port: str) -> None:
    home.set_local_hosts(dict.fromkeys(hosts(), f"127.0.0.1:{port}"))
    assert remembered_port(home) == 0


def test_a_home_without_a_sample_web(home: Home) -> None:
    assert home.local_hosts() == {}
    assert remembered_port(home) == 0
    with running_web() as port:
        assert is_served_at(port)
