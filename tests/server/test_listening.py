"""Real servers, several processes, and clients that behave badly."""

import http.client
import os
import re
import signal
import socket
import threading
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import pytest

from gossamer.app.home import Home
from gossamer.app.serving import access_of
from gossamer.errors import StorageError, UsageError
from gossamer.server.listening import listen
from gossamer.server.visitors import Role
from tests.cli.commands import gossamer
from tests.crawling import wait_until
from tests.server.conftest import PASSWORD
from tests.server.sites import ServedSite


def test_several_workers_answer_as_one(home: Path) -> None:
    with ServedSite(home, "--workers", "2") as site:
        wait_until(lambda: len(site.workers()) == 2, "two workers")
        answered: set[int] = set()

        def both_have_answered() -> bool:
            assert site.get("/search?q=moon").status_code == 200
            answered.update(
                entry["pid"] for entry in site.log_entries() if entry["message"] == "request"
            )
            return len(answered) >= 2

        wait_until(both_have_answered, "both workers have answered")
        # Whoever is asked, the numbers are those of all.
        asked = sum(entry.get("route") == "/search" for entry in site.log_entries())
        counted = re.search(
            r'gossamer_requests_total\{method="GET",route="/search",status="200"\} (\S+)',
            site.get("/metrics").text,
        )
        assert counted is not None
        assert float(counted[1]) == asked
        # One that dies is replaced, and the rest go on.
        victim = site.workers()[0]
        os.kill(victim, signal.SIGKILL)
        wait_until(lambda: victim not in site.workers() and len(site.workers()) == 2, "a new one")
        assert site.get("/search?q=moon").status_code == 200
        workers = site.workers()
        site.kill()
    wait_until(lambda: not any(map(_is_alive, workers)), "workers end with their supervisor")


def test_one_worker_counts_too(home: Path) -> None:
    with ServedSite(home) as site:
        site.get("/search?q=moon")
        site.get("/suggest?q=mo")
        text = site.get("/metrics").text
    assert 'gossamer_requests_total{method="GET",route="/search",status="200"} 1.0' in text
    assert 'gossamer_search_seconds_count{index="goods"} 1.0' in text
    assert 'gossamer_suggest_seconds_count{index="goods"} 1.0' in text
    for name in ("gossamer_run_pages", "gossamer_run_queued", "gossamer_index_documents"):
        assert f"\n{name}{{" in text, name  # of crawls and indexes


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_is_being_answered_is_finished(home: Path) -> None:
    with ServedSite(home) as site:
        parts = urlsplit(site.address)
        with socket.create_connection((parts.hostname, parts.port), timeout=30) as slow:
            body = b"name=x&password=y"
            head = b"POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(
                body
            )
            slow.sendall(head)
            wait_until(lambda: site.get("/healthz").status_code == 200, "the head has arrived")
            site.process.send_signal(signal.SIGTERM)
            wait_until(lambda: _refuses(site.address), "no new connection is taken")
            slow.sendall(body)
            assert slow.recv(100).startswith(b"HTTP/1.1 403")
        assert site.process.wait(60) == 0


def _refuses(address: str) -> bool:
    try:
        httpx.get(f"{address}/healthz")
    except httpx.TransportError:
        return True
    return False


def test_clients_that_hang_or_send_rubbish_do_not_keep_others_waiting(home: Path) -> None:
    with ServedSite(home, "--request-seconds", "3") as site:
        parts = urlsplit(site.address)
        rubbish = (b"", b"GET", b"\x16\x03\x01\x00\xff", b"GET / HTTP/1.1\r\nX: ", b"\0" * 500)
        hanging = []
        try:
            for number in range(1_000):
                made = socket.create_connection((parts.hostname, parts.port), timeout=30)
                made.sendall(rubbish[number % len(rubbish)])
                hanging.append(made)
            for _ in range(20):
                assert site.get("/search?q=moon").status_code == 200
            # And they are let go.
            ends = [_read_to_end(made) for made in hanging]
            assert all(end == b"" or end.startswith(b"HTTP/1.1 400") for end in ends)
        finally:
            for made in hanging:
                made.close()
        assert not [entry for entry in site.log_entries() if entry["level"] == "error"]


def _read_to_end(connection: socket.socket) -> bytes:
    found = b""
    try:
        while part := connection.recv(4096):
            found += part
    except ConnectionResetError:
        pass
    return found


def test_a_head_without_an_end_is_cut_off(home: Path) -> None:
    with ServedSite(home) as site:
        parts = urlsplit(site.address)
        with socket.create_connection((parts.hostname, parts.port), timeout=30) as endless:
            endless.sendall(b"GET / HTTP/1.1\r\n")
            with pytest.raises(OSError):
                endless.sendall(b"X-Header: xxxxxxxxxx\r\n" * 2_000_000)


def test_logs_are_json_and_tell_nothing_of_the_visitor(home: Path) -> None:
    with ServedSite(home) as site:
        site.get("/search?q=moonlight", headers={"user-agent": "my browser"})
    entries = site.log_entries()
    (entry,) = [one for one in entries if one.get("route") == "/search"]
    assert entry.keys() >= {"at", "level", "pid", "method", "status", "bytes", "ms"}
    assert not re.search("moonlight|my browser|127.0.0.1", str(entry))


def test_the_first_start_prints_a_link_and_no_later_one(home: Path) -> None:
    with ServedSite(home) as site:
        link = site.started["set_password"]
        assert link.startswith(f"{site.address}/setup/")
        assert "Choose a password" in httpx.get(link).text
    _make_administrator(home)
    with ServedSite(home) as site:
        assert site.started["set_password"] == ""


def test_others_are_let_in_only_with_a_password(home: Path) -> None:
    refused = gossamer("serve", "--host", "0.0.0.0", "--port", "0", home=home)
    assert refused.code == 2
    assert "gossamer users add" in refused.err
    _make_administrator(home)
    with ServedSite(home, "--host", "0.0.0.0") as site:
        assert site.get("/").status_code == 200


def _make_administrator(home: Path) -> None:
    access = access_of(Home(home))
    access.accounts.add("admin", Role.ADMINISTRATOR.value)
    access.set_password("admin", PASSWORD)


def test_a_port_that_is_taken_is_said(home: Path) -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(StorageError, match="--port"):
        listen("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(UsageError, match="no address"):
        listen("no.such.host.invalid", 0)


def test_many_at_once(home: Path) -> None:
    with ServedSite(home) as site:
        codes: list[int] = []

        def ask() -> None:
            with httpx.Client(base_url=site.address, timeout=60) as client:
                codes.extend(client.get("/search?q=moon").status_code for _ in range(10))

        threads = [threading.Thread(target=ask) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert codes == [200] * 160


@pytest.mark.parametrize("letter", ["a", "\u00e9", "\u6708", "\U0001f311"])
def test_a_query_of_ten_thousand_characters(home: Path, letter: str) -> None:
    """As the guide says, whatever its letters take in an address."""
    query = "moon " + letter * 9_995
    assert len(query) == 10_000
    with ServedSite(home) as site:
        where = urlsplit(site.address)
        assert where.hostname is not None
        for path, status in (("/search", 200), ("/api/v1/search", 200)):
            for text, expected in ((query, status), (query + "x", 400)):
                connection = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
                connection.request("GET", f"{path}?q={quote(text)}")
                answer = connection.getresponse()
                body = answer.read()
                assert answer.status == expected, body[:1_000]
                connection.close()
