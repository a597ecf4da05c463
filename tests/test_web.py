"""The local web serves what it claims: the other tests rely on it."""

import contextlib
import gzip
import http.client
import socket
import ssl
import time
from collections import Counter
from collections.abc import Iterator

import ada_url
import brotli
import pytest

from tests.web import LocalWeb, TreeShape, WaitingShape
from tests.web.hosts import bombs, broken, charsets, manners, redirects, robots
from tests.web.process import ODD_PORTS

TREE = TreeShape(depth=3, fanout=4, hosts=3)
WAITING = WaitingShape(
    hosts=5, pages_per_host=6, slow_hosts=1, pages_per_slow_host=2, fastest_seconds=0.01,
    slowest_seconds=0.02, slow_seconds=0.05,
)  # fmt: skip


@pytest.fixture(scope="module")
def web() -> Iterator[LocalWeb]:
    with LocalWeb(tree=TREE, waiting=WAITING, tls=True) as running:
        yield running


class Answer:
    """Status, headers and body of one request on a connection of its own."""

    def __init__(self, web: LocalWeb, host: str, path: str, **headers: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=10)
        connection.request("GET", path, headers={"Host": f"{host}:{web.port}", **headers})
        with contextlib.closing(connection), connection.getresponse() as response:
            self.status = response.status
            self.headers = response.headers
            self.body = response.read()

    @property
    def text(self) -> str:
        return self.body.decode()


def raw(web: LocalWeb, host: str, path: str, seconds: float = 10.0, most: int = 1 << 20) -> bytes:
    """What comes over the wire until the server closes; raises TimeoutError if it does not."""
    with socket.create_connection(("127.0.0.1", web.port), timeout=seconds) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{web.port}\r\n\r\n".encode())
        received = b""
        while len(received) < most and (data := connection.recv(65_536)):
            received += data
        return received


class TestServing:
    def test_every_host_answers_to_its_name(self, web: LocalWeb) -> None:
        for host in web.hosts:
            usual = {"auth.test": 401, "domain.test": 301}.get(host.name, 200)
            expected = 404 if host.name in TREE.names[1:] else usual  # the root is on the first
            assert Answer(web, host.name, "/").status == expected, host.name
        assert {host.name for host in web.hosts} | set(ODD_PORTS) == set(web.resolve)

    def test_unknown_host(self, web: LocalWeb) -> None:
        assert Answer(web, "nobody.test", "/").status == 404

    def test_log(self, web: LocalWeb) -> None:
        web.reset_log()
        before = time.time()
        Answer(web, "status.test", "/200?x=1", **{"User-Agent": "Tester"})
        Answer(web, "status.test", "/503")
        first, second = web.log()
        assert before - 1 < first.time < time.time() + 1
        assert (first.host, first.path, first.status, first.agent, first.method) == (
            "status.test",
            "/200?x=1",
            200,
            "Tester",
            "GET",
        )
        assert (second.path, second.status) == ("/503", 503)
        assert first.connection != second.connection
        web.reset_log()
        assert web.log() == []

    def test_keeps_connections_and_answers_in_order(self, web: LocalWeb) -> None:
        head = f"Host: status.test:{web.port}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", web.port), timeout=10) as connection:
            connection.sendall(f"GET /404 HTTP/1.1\r\n{head}GET /403 HTTP/1.1\r\n{head}".encode())
            connection.shutdown(socket.SHUT_WR)
            received = b""
            while data := connection.recv(65_536):
                received += data
        assert received.index(b"HTTP/1.1 404") < received.index(b"HTTP/1.1 403")

    def test_head_has_no_body(self, web: LocalWeb) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=10)
        connection.request("HEAD", "/200", headers={"Host": "status.test"})
        response = connection.getresponse()
        assert (response.status, response.read()) == (200, b"")
        connection.close()

    def test_speed(self, web: LocalWeb) -> None:
        """A floor far below the usual, to notice when something slow creeps in."""
        request = f"GET /page/1 HTTP/1.1\r\nHost: {TREE.host_of(1)}:{web.port}\r\n\r\n".encode()
        count = 500
        begin = time.perf_counter()
        with socket.create_connection(("127.0.0.1", web.port), timeout=30) as connection:
            connection.sendall(request * count)
            answers = 0
            rest = b""
            while answers < count:
                data = rest + connection.recv(1 << 18)
                answers += data.count(b"HTTP/1.1 200")
                rest = data[-11:] if not data.endswith(b"</html>\n") else b""
        assert count / (time.perf_counter() - begin) > 500


class TestStatus:
    def test_all_are_linked_and_served(self, web: LocalWeb) -> None:
        index = Answer(web, "status.test", "/").text
        for code in range(101, 600):
            assert f'href="/{code}"' in index
        for code in range(200, 600):
            answer = Answer(web, "status.test", f"/{code}")
            assert answer.status == code
            assert bool(answer.body) == (code not in (204, 304))

    @pytest.mark.parametrize("code", [101, 102, 103, 150, 199])
    def test_interim_alone(self, web: LocalWeb, code: int) -> None:
        received = raw(web, "status.test", f"/{code}")
        assert received.startswith(f"HTTP/1.1 {code} ".encode())
        assert received.endswith(b"\r\n\r\n")

    def test_interim_then_final(self, web: LocalWeb) -> None:
        assert Answer(web, "status.test", "/100-then-200").status == 200


class TestRedirects:
    @pytest.mark.parametrize("length", [1, 5, redirects.LONGEST])
    def test_chain(self, web: LocalWeb, length: int) -> None:
        path, hops = f"/chain/{length}", 0
        while (answer := Answer(web, "redirects.test", path)).status != 200:
            path, hops = answer.headers["Location"], hops + 1
        assert hops == length

    def test_codes(self, web: LocalWeb) -> None:
        for code in redirects.CODES:
            answer = Answer(web, "redirects.test", f"/code/{code}")
            assert (answer.status, answer.headers["Location"]) == (code, "/end")

    def test_loops(self, web: LocalWeb) -> None:
        assert Answer(web, "redirects.test", "/loop-self").headers["Location"] == "/loop-self"
        assert Answer(web, "redirects.test", "/loop-a").headers["Location"] == "/loop-b"
        assert Answer(web, "redirects.test", "/loop-b").headers["Location"] == "/loop-a"

    def test_cookie_breaks_the_loop(self, web: LocalWeb) -> None:
        first = Answer(web, "redirects.test", "/loop-until-cookie")
        cookie = first.headers["Set-Cookie"].partition(";")[0]
        assert first.status == 302
        assert Answer(web, "redirects.test", "/loop-until-cookie", Cookie=cookie).status == 200

    def test_locations_go_out_byte_for_byte(self, web: LocalWeb) -> None:
        assert b"Location: /k\xc3\xb6ln/" in raw_head(web, "redirects.test", "/location-utf8")
        assert b"Location: /k\xf6ln\r\n" in raw_head(web, "redirects.test", "/location-latin1")
        assert b"Location: \r\n" in raw_head(web, "redirects.test", "/location-empty")
        assert b"Location" not in raw_head(web, "redirects.test", "/location-missing")

    def test_every_loopback_spelling_is_this_machine(self) -> None:
        """By the URL rules, so that a crawler sees through them too."""
        literal = ("127.0.0.1", "0.0.0.0", "[::1]", "[::ffff:7f00:1]", "[::]", "localhost")
        for name in redirects.LOOPBACKS:
            assert ada_url.URL(f"http://{name}/").hostname in literal, name


def raw_head(web: LocalWeb, host: str, path: str) -> bytes:
    with socket.create_connection(("127.0.0.1", web.port), timeout=10) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{web.port}\r\n\r\n".encode())
        received = b""
        while b"\r\n\r\n" not in received and (data := connection.recv(65_536)):
            received += data
    return received.partition(b"\r\n\r\n")[0] + b"\r\n"


class TestRobots:
    @pytest.mark.parametrize(
        ("name", "status"),
        [("404", 404), ("403", 403), ("401", 401), ("429", 429), ("500", 500), ("503", 503)],
    )
    def test_statuses(self, web: LocalWeb, name: str, status: int) -> None:
        assert Answer(web, f"robots-{name}.test", "/robots.txt").status == status

    def test_pages_are_there_whatever_the_rules(self, web: LocalWeb) -> None:
        for host in robots.MAY_FETCH:
            for path in ("/public", "/private", "/private/open"):
                assert Answer(web, host, path).status == 200

    def test_huge_goes_past_the_limit_of_the_standard(self, web: LocalWeb) -> None:
        body = Answer(web, "robots-huge.test", "/robots.txt").body
        assert body.index(b"Disallow: /\n") > 500 * 1024

    def test_redirected(self, web: LocalWeb) -> None:
        path, hops = "/robots.txt", 0
        while (answer := Answer(web, "robots-redirected-5.test", path)).status == 302:
            path, hops = answer.headers["Location"], hops + 1
        assert hops == 5
        assert b"Disallow: /private" in answer.body

    def test_bom(self, web: LocalWeb) -> None:
        assert Answer(web, "robots-bom.test", "/robots.txt").body.startswith(b"\xef\xbb\xbf")

    def test_directives(self, web: LocalWeb) -> None:
        for path, (header, meta) in robots.DIRECTIVES.items():
            answer = Answer(web, "directives.test", path)
            assert answer.headers.get("X-Robots-Tag", "") == header
            assert meta in answer.text


class TestPages:
    def test_charsets_hold_the_expected_text(self, web: LocalWeb) -> None:
        python_names = {"x-sjis": "shift_jis", "iso-8859-1": "cp1252", "us-ascii": "cp1252"}
        for path, text in charsets.EXPECTED.items():
            answer = Answer(web, "charsets.test", path)
            announced = answer.headers.get_content_charset()
            if announced in (None, "no-such-charset") or "bom" in path:
                continue
            charset = python_names.get(str(announced), str(announced))
            assert text in answer.body.decode(charset), path

    def test_weird_links_agree_with_the_url_standard(self, web: LocalWeb) -> None:
        base = "http://broken.test:81/weird-links"
        for href, expected in broken.WEIRD_LINKS.items():
            try:
                found = ada_url.join_url(base, href.replace("&amp;", "&"))
            except ValueError:
                found = ""
            if not found.startswith(("http:", "https:")):
                found = ""
            assert found == expected.replace("PORT", "81"), href
        body = Answer(web, "broken.test", "/weird-links").body
        assert body.count(b"<a href=") == len(broken.WEIRD_LINKS)

    def test_sizes(self, web: LocalWeb) -> None:
        assert Answer(web, "broken.test", "/nested").body.count(b"<div>") == broken.NESTED
        links = Answer(web, "broken.test", "/many-links-distinct").body.count(b"<a href=")
        assert links == broken.MANY_LINKS
        assert Answer(web, "broken.test", "/empty").body == b""

    def test_duplicates(self, web: LocalWeb) -> None:
        body = Answer(web, "duplicates.test", "/copy/2").body
        assert body == Answer(web, "duplicates.test", "/page?sessionid=1").body
        assert body == Answer(web, "mirror.test", "/").body
        assert body != Answer(web, "duplicates.test", "/near/1").body


class TestFaults:
    @pytest.mark.parametrize("path", ["/at-once", "/after-headers", "/in-body", "/in-chunk"])
    def test_hanging(self, web: LocalWeb, path: str) -> None:
        with pytest.raises(TimeoutError):
            raw(web, "hang.test", path, seconds=0.2)

    def test_dropping(self, web: LocalWeb) -> None:
        assert raw(web, "drop.test", "/after-request") == b""
        assert raw(web, "drop.test", "/in-headers").endswith(b"Content-Le")
        with pytest.raises(http.client.IncompleteRead):
            Answer(web, "drop.test", "/in-body")
        with pytest.raises(http.client.IncompleteRead):
            Answer(web, "drop.test", "/no-last-chunk")
        with pytest.raises(ConnectionResetError):
            raw(web, "drop.test", "/reset-in-body")

    def test_first_time_fails(self, web: LocalWeb) -> None:
        web.refresh()
        assert raw(web, "drop.test", "/first-time") == b""
        assert Answer(web, "drop.test", "/first-time").status == 200

    @pytest.mark.parametrize(
        "path", ["/body", "/chunked", "/header", "/headers", "/interim", "/status-line"]
    )
    def test_endless(self, web: LocalWeb, path: str) -> None:
        assert len(raw(web, "endless.test", path, most=3_000_000)) >= 3_000_000

    def test_slow(self, web: LocalWeb) -> None:
        begin = time.monotonic()
        assert Answer(web, "slow.test", "/100ms").status == 200
        assert Answer(web, "slow.test", "/delay?0.1").status == 200
        assert time.monotonic() - begin >= 0.2

    def test_odd_ports(self, web: LocalWeb) -> None:
        def connect(name: str) -> bytes:
            port = web.odd_ports[name]
            with socket.create_connection(("127.0.0.1", port), timeout=0.2) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
                return connection.recv(100)

        with pytest.raises(ConnectionRefusedError):
            connect("refused.test")
        with pytest.raises(TimeoutError):
            connect("silent.test")
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            connect("reset-at-accept.test")
        assert web.url("silent.test") == f"http://silent.test:{web.odd_ports['silent.test']}/"

    def test_encodings(self, web: LocalWeb) -> None:
        text = Answer(web, "bombs.test", "/identity").body
        assert gzip.decompress(Answer(web, "bombs.test", "/gzip").body) == text
        assert brotli.decompress(Answer(web, "bombs.test", "/br").body) == text
        twice = Answer(web, "bombs.test", "/double-gzip").body
        assert gzip.decompress(gzip.decompress(twice)) == text
        assert Answer(web, "bombs.test", "/lie-gzip").body == text
        with pytest.raises(EOFError):
            gzip.decompress(Answer(web, "bombs.test", "/truncated-gzip").body)

    def test_bombs_are_small_on_the_wire(self, web: LocalWeb) -> None:
        for path in ("/bomb-gzip", "/bomb-deflate", "/bomb-br", "/bomb-double-gzip"):
            assert len(Answer(web, "bombs.test", path).body) < bombs.UNPACKED / 500

    def test_odd_heads(self, web: LocalWeb) -> None:
        assert b"\r" not in raw_start(web, "/lf-only").partition(b"\n\n")[0]
        assert raw(web, "headers.test", "/http-0.9").startswith(b"<!DOCTYPE")
        assert raw(web, "headers.test", "/http-1.0").startswith(b"HTTP/1.0 200")
        assert b"\r\nThis line has no colon\r\n" in raw_head(web, "headers.test", "/no-colon")
        assert len(raw_head(web, "headers.test", "/huge-header")) > 60_000
        assert "Content-Type" not in Answer(web, "headers.test", "/type-missing").headers


def raw_start(web: LocalWeb, path: str) -> bytes:
    with socket.create_connection(("127.0.0.1", web.port), timeout=10) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: headers.test\r\n\r\n".encode())
        return connection.recv(65_536)


class TestManners:
    def test_backoff(self, web: LocalWeb) -> None:
        web.refresh()
        first = Answer(web, "backoff.test", "/429-seconds")
        assert (first.status, first.headers["Retry-After"]) == (429, "1")
        assert Answer(web, "backoff.test", "/429-seconds").status == 200
        assert Answer(web, "backoff.test", "/429-date").headers["Retry-After"].endswith("GMT")
        statuses = [Answer(web, "backoff.test", "/503-seconds").status for _ in range(3)]
        assert statuses == [503, 503, 200]

    def test_rate_limit(self, web: LocalWeb) -> None:
        web.refresh()
        statuses = Counter(Answer(web, "rate-limited.test", f"/{n}").status for n in range(20))
        assert statuses[429] > 0
        assert statuses[200] >= 5

    def test_cookies(self, web: LocalWeb) -> None:
        assert Answer(web, "cookies.test", "/members").status == 403
        cookie = Answer(web, "cookies.test", "/login").headers["Set-Cookie"].partition(";")[0]
        assert Answer(web, "cookies.test", "/members", Cookie=cookie).status == 200

    def test_auth(self, web: LocalWeb) -> None:
        assert Answer(web, "auth.test", "/").status == 401
        known = {"Authorization": "Basic cmVhZGVyOnNlY3JldA=="}
        assert manners.CREDENTIALS == "reader:secret"
        assert Answer(web, "auth.test", "/", **known).status == 200

    def test_conditional(self, web: LocalWeb) -> None:
        for path, given, asked in (
            ("/etag", "ETag", "If-None-Match"),
            ("/weak-etag", "ETag", "If-None-Match"),
            ("/last-modified", "Last-Modified", "If-Modified-Since"),
        ):
            first = Answer(web, "etag.test", path)
            assert first.status == 200
            again = Answer(web, "etag.test", path, **{asked: first.headers[given]})
            assert (again.status, again.body) == (304, b"")


class TestGenerated:
    def test_tree_has_one_link_to_each_page(self, web: LocalWeb) -> None:
        urls = web.tree_urls()
        assert len(urls) == len(set(urls)) == TREE.pages == 85
        assert {url.split("/")[2].partition(":")[0] for url in urls} == set(TREE.names)
        found: Counter[str] = Counter()
        bodies = set()
        for url in urls:
            host, _, path = url.removeprefix("http://").partition("/")
            answer = Answer(web, host.partition(":")[0], "/" + path)
            assert answer.status == 200
            bodies.add(answer.body)
            found.update(part.partition('"')[0] for part in answer.text.split('<a href="')[1:])
        assert found == Counter(urls[1:])
        assert len(bodies) == len(urls)

    def test_a_page_has_one_address(self, web: LocalWeb) -> None:
        wrong = next(name for name in TREE.names if name != TREE.host_of(5))
        assert Answer(web, wrong, "/page/5").status == 404
        assert Answer(web, TREE.host_of(5), f"/page/{TREE.pages}").status == 404
        assert Answer(web, "tree-0.test", "/page/0").status == 404

    def test_waiting_web_is_reached_from_its_seed(self, web: LocalWeb) -> None:
        urls = web.waiting_urls()
        assert len(urls) == len(set(urls)) == WAITING.pages == 26
        seen, todo = {urls[0]}, [urls[0]]
        for url in todo:
            host, _, path = url.removeprefix("http://").partition("/")
            answer = Answer(web, host.partition(":")[0], "/" + path)
            assert answer.status == 200
            for part in answer.text.split('<a href="')[1:]:
                target = ada_url.join_url(url, part.partition('"')[0])
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        assert seen == set(urls)


class TestTls:
    def connect(self, web: LocalWeb, name: str) -> bytes:
        context = ssl.create_default_context(cafile=web.authority)
        with (
            socket.create_connection(("127.0.0.1", web.tls_port), timeout=10) as plain,
            context.wrap_socket(plain, server_hostname=name) as connection,
        ):
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
            return connection.recv(65_536)

    def test_right(self, web: LocalWeb) -> None:
        assert self.connect(web, "tls.test").startswith(b"HTTP/1.1 200")
        assert self.connect(web, "status.test").startswith(b"HTTP/1.1 200")
        assert web.url("tls.test", scheme="https") == f"https://tls.test:{web.tls_port}/"

    @pytest.mark.parametrize(
        ("offered", "taken"),
        [(["h2", "http/1.1"], "h2"), (["http/1.1"], "http/1.1"), (["x"], None)],
    )
    def test_version(self, web: LocalWeb, offered: list[str], taken: str | None) -> None:
        context = ssl.create_default_context(cafile=web.authority)
        context.set_alpn_protocols(offered)
        with (
            socket.create_connection(("127.0.0.1", web.tls_port), timeout=10) as plain,
            context.wrap_socket(plain, server_hostname="tls.test") as connection,
        ):
            assert connection.selected_alpn_protocol() == taken

    @pytest.mark.parametrize("name", ["self-signed.test", "wrong-name.test", "expired.test"])
    def test_wrong(self, web: LocalWeb, name: str) -> None:
        with pytest.raises(ssl.SSLCertVerificationError):
            self.connect(web, name)
