"""redirects.test: chains, loops, and Locations that lead astray or nowhere."""

from tests.web.message import Answer, Handler, Host, Reply, Request, document, head, page, reply

LONGEST = 30
CODES = (300, 301, 302, 303, 307, 308)
ELSEWHERE = "elsewhere.test"

# Spellings of this machine's own address, to be refused unless private networks are allowed.
LOOPBACKS = (
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "１２７．０．０．１",
    "0",
    "0.0.0.0",
    "localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
)
# Never linked: a crawler that follows them leaves this machine.
PRIVATES = (
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "0xa9fea9fe",
    "100.64.0.1",
    "[fe80::1]",
    "[fc00::1]",
    "[::ffff:10.0.0.1]",
    "[64:ff9b::a00:1]",
)


def _to(location: str | bytes, status: int = 302) -> Reply:
    raw = location if isinstance(location, bytes) else location.encode()
    body = b"<p>This page has moved.</p>"
    lines = b"Location: %b\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
    return Reply(head(status)[:-2] + lines % (raw, len(body)) + body, status)


def _chain(request: Request) -> Answer:
    """/chain/N: N hops from here to the end."""
    left = request.path.removeprefix("/chain/")
    if not left.isdecimal():
        return reply(404, document("Not found", ""))
    if left == "0":
        return page("End of the chain", '<p>Arrived. <a href="/end">On.</a></p>')
    return _to(f"/chain/{int(left) - 1}", CODES[1 + int(left) % 5])


def _cookie_loop(request: Request) -> Answer:
    """A loop that ends for those who keep the cookie."""
    if "visited=yes" in request.header("Cookie"):
        return page("Let in by the cookie")
    return reply(302, "", ("Location", "/loop-until-cookie"), ("Set-Cookie", "visited=yes; Path=/"))


def _endless(request: Request) -> Answer:
    """Each answer leads to a longer address."""
    return _to(request.path + "x")


def _absolute(host: str, path: str) -> Handler:
    return lambda request: _to(request.url(host, path))


def _literal(address: str) -> Handler:
    return lambda request: _to(f"http://{address}:{request.port}/from-redirect")


def _other(request: Request) -> Answer:
    if request.path.startswith("/chain/"):
        return _chain(request)
    if request.path.startswith("/endless"):
        return _endless(request)
    return reply(404, document("Not found", ""))


def _odd_locations() -> dict[str, Answer | Handler]:
    body = b"<p>No way on.</p>"
    nowhere = head(302)[:-2] + b"Content-Length: %d\r\n\r\n" % len(body) + body
    return {
        "/location-missing": Reply(nowhere, 302),
        "/location-empty": _to(""),
        "/location-spaces": _to("   "),
        "/location-garbage": _to("http://[::bad"),
        "/location-bad-port": _to("http://redirects.test:99999/"),
        "/location-no-host": _to("http:///end"),
        "/location-nul": _to(b"/en\x00d"),
        "/location-relative": _to("end"),
        "/location-dots": _to("../a/./../end"),
        "/location-query": _to("?found"),
        "/location-fragment": _to("/end#part"),
        "/location-scheme-relative": lambda r: _to(f"//redirects.test:{r.port}/end"),
        "/location-backslashes": lambda r: _to(f"\\\\redirects.test:{r.port}\\end"),
        "/location-unescaped-space": _to("/end with space"),
        "/location-utf8": _to("/köln/日本"),
        "/location-latin1": _to("/köln".encode("latin-1")),
        "/location-twice": Reply(
            head(302)[:-2] + b"Location: /end\r\nLocation: /other-end\r\nContent-Length: 0\r\n\r\n",
            302,
        ),
        "/location-long": _to("/" + "long" * 2_500),
        "/to-ftp": _to("ftp://redirects.test/end"),
        "/to-file": _to("file:///etc/hostname"),
        "/to-gopher": _to("gopher://127.0.0.1:1/_x"),
        "/to-javascript": _to("javascript:alert(1)"),
        "/to-mailto": _to("mailto:someone@redirects.test"),
        "/to-data": _to("data:text/html,<p>data</p>"),
    }


def hosts() -> tuple[Host, ...]:
    pages: dict[str, Answer | Handler] = {
        **{f"/chain/{length}": _chain for length in range(LONGEST + 1)},
        **{f"/code/{code}": _to("/end", code) for code in CODES},
        "/loop-self": _to("/loop-self"),
        "/loop-a": _to("/loop-b"),
        "/loop-b": _to("/loop-a", 301),
        "/loop-until-cookie": _cookie_loop,
        "/endless": _endless,
        "/to-other-host": _absolute(ELSEWHERE, "/landing"),
        "/to-disallowed": _to("/forbidden"),
        "/robots.txt": reply(200, "User-agent: *\nDisallow: /forbidden\n", media_type="text/plain"),
        **_odd_locations(),
        **{f"/loopback/{index}": _literal(name) for index, name in enumerate(LOOPBACKS)},
        "/end": page("The end", "<p>Redirects end here.</p>"),
        "/k%C3%B6ln/%E6%97%A5%E6%9C%AC": page("An address in UTF-8"),
        "/forbidden": page("Forbidden by robots.txt"),
    }
    hidden = frozenset({"/forbidden", "/k%C3%B6ln/%E6%97%A5%E6%9C%AC"})
    privates: dict[str, Answer | Handler] = {
        f"/{index}": _to(f"http://{name}/") for index, name in enumerate(PRIVATES)
    }
    return (
        Host("redirects.test", "chains, loops and odd Locations", pages, _other, hidden),
        Host(ELSEWHERE, "where redirects to another host land", {"/landing": page("Landed")}),
        Host(
            "private-redirects.test",
            "redirects to private networks, never linked: not for crawls with --allow-private",
            privates,
            unlinked=frozenset(privates),
        ),
        Host(
            "domain.test",
            "redirects to www.domain.test, as many front pages do",
            {"/": lambda request: _to(request.url("www.domain.test"), 301)},
        ),
        Host(
            "www.domain.test",
            "links to its sister blog.domain.test and to elsewhere.test",
            {
                "/": lambda request: page(
                    "Domain",
                    f'<p><a href="{request.url("blog.domain.test")}">blog</a> '
                    f'<a href="{request.url(ELSEWHERE)}">elsewhere</a> <a href="/own">own</a></p>',
                ),
                "/own": page("A page of its own"),
            },
        ),
        Host("blog.domain.test", "sister of www.domain.test", {"/post": page("A post")}),
    )
