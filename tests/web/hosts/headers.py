"""headers.test: answers whose head is odd, and media types that don't fit the body."""

import json
from collections.abc import Iterable

from tests.web.message import HTML, Answer, Handler, Host, Reply, Request, document, page, reply

_BODY = document("Odd head", "<p>The body under this odd head is fine.</p>").encode()
_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)


def _raw(
    *lines: bytes, line_end: bytes = b"\r\n", body: bytes = _BODY, close: bool = False
) -> Reply:
    """Lines as they are, then Content-Length, the empty line and the body."""
    every = [*lines, b"Content-Length: %d" % len(body), b"", b""]
    return Reply(line_end.join(every) + body, 200, close=close)


def _html(*lines: bytes) -> Reply:
    return _raw(b"HTTP/1.1 200 OK", b"Content-Type: text/html; charset=utf-8", *lines)


def _echo(request: Request) -> Answer:
    """The request's own headers, as JSON and readable as text."""
    lines = request.head.decode("latin-1").split("\r\n")[1:]
    pairs: Iterable[list[str]] = (line.split(":", 1) for line in lines if ":" in line)
    content = json.dumps([[name, text.strip()] for name, text in pairs])
    return reply(200, content, media_type="application/json")


# Body and announced type: what a crawler makes of it is for the tests to say.
_TYPES: dict[str, tuple[bytes, str]] = {
    "/type-missing": (_BODY, ""),
    "/type-empty": (_BODY, " "),
    "/type-upper": (_BODY, "TEXT/HTML; CHARSET=UTF-8"),
    "/type-xhtml": (_BODY, "application/xhtml+xml"),
    "/type-plain-html": (_BODY, "text/plain"),
    "/type-plain": (b"Just text, no markup: 1 < 2.", "text/plain; charset=utf-8"),
    "/type-octet-html": (_BODY, "application/octet-stream"),
    "/type-garbage": (_BODY, ";;==garbage/"),
    "/type-spaces": (_BODY, "text/html ; charset = utf-8 ; x=y"),
    "/type-json": (b'{"a": [1, 2, 3]}', "application/json"),
    "/type-xml": (b"<?xml version='1.0'?><a><b>text</b></a>", "application/xml"),
    "/type-png": (_PNG, "image/png"),
    "/type-png-as-html": (_PNG, "text/html"),
    "/type-pdf": (
        b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n%%EOF\n",
        "application/pdf",
    ),
    "/type-pdf-as-html": (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n%%EOF\n", "text/html"),
    "/type-css": (b"p { color: red }", "text/css"),
    "/type-video": (b"\0" * 1_000, "video/mp4"),
}

_OK = b"HTTP/1.1 200 OK"
_TYPE = b"Content-Type: text/html"

_PAGES: dict[str, Answer | Handler] = {
    "/plain": page("A plain page"),
    "/echo": _echo,
    "/duplicate-type": _html(b"Content-Type: text/plain"),
    "/duplicate-length": _html(b"Content-Length: %d" % len(_BODY)),
    "/conflicting-length": _html(b"Content-Length: 10"),
    "/length-and-chunked": Reply(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(_BODY), _BODY),
        200,
    ),
    "/chunked": Reply(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"10;extension=1\r\n%b\r\n%x\r\n%b\r\n0\r\nX-Trailer: late\r\n\r\n"
        % (_BODY[:16], len(_BODY) - 16, _BODY[16:]),
        200,
    ),
    "/folded": _html(b"X-Folded: first", b"  second", b"\tthird"),
    "/no-colon": _html(b"This line has no colon"),
    "/empty-name": _html(b": no name"),
    "/space-before-colon": _html(b"X-Spaced : value"),
    "/non-latin": _html("X-Title: Größe 日本".encode(), b"X-Bytes: \x80\xff\xfe"),
    "/nul": _html(b"X-Nul: a\0b"),
    "/bare-cr": _html(b"X-Cr: a\rb"),
    "/huge-header": _html(b"X-Huge: " + b"x" * 60_000),
    "/very-huge-header": _html(b"X-Huge: " + b"x" * 2_000_000),
    "/many-headers": _html(*(b"X-%d: y" % number for number in range(2_000))),
    "/many-cookies": _html(*(b"Set-Cookie: c%d=%b" % (n, b"v" * 200) for n in range(300))),
    "/lf-only": _raw(_OK, _TYPE, line_end=b"\n"),
    "/lower-case-status": _raw(b"http/1.1 200 ok", _TYPE, close=True),
    "/no-reason": _raw(b"HTTP/1.1 200", _TYPE),
    "/space-reason": _raw(b"HTTP/1.1 200 ", _TYPE),
    "/long-reason": _raw(b"HTTP/1.1 200 " + b"Very " * 500 + b"OK", _TYPE),
    "/status-word": _raw(b"HTTP/1.1 two-hundred OK", _TYPE, close=True),
    "/http-1.0": Reply(
        b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + _BODY, 200, close=True
    ),
    "/http-0.9": Reply(_BODY, 200, close=True),
    "/http-2-line": _raw(b"HTTP/2 200", _TYPE, close=True),
    "/http-9.9": _raw(b"HTTP/9.9 200 OK", _TYPE, close=True),
    "/icy": _raw(b"ICY 200 OK", _TYPE, close=True),
    "/empty-lines-first": Reply(b"\r\n\r\n" + _html().payload, 200, close=True),
    "/no-headers": Reply(b"HTTP/1.1 200 OK\r\n\r\n" + _BODY, 200, close=True),
    "/extra-bytes": Reply(_html().payload + b"more than announced", 200, close=True),
    "/lower-case-names": _raw(_OK, b"content-type: text/html", b"x-lower: yes"),
    "/closes": _html(b"Connection: close"),
    "/link-canonical": reply(200, _BODY, ("Link", '</plain>; rel="canonical"')),
    "/language": reply(200, _BODY, ("Content-Language", "en, de")),
    "/attachment": reply(200, _BODY, ("Content-Disposition", "attachment; filename=x.html")),
    "/refresh": reply(200, _BODY, ("Refresh", "0; url=/plain")),
    "/strange-dates": reply(200, _BODY, ("Last-Modified", "yesterday"), ("Date", "0")),
}


def hosts() -> tuple[Host, ...]:
    types: dict[str, Answer | Handler] = {
        path: reply(200, body, media_type=kind) for path, (body, kind) in _TYPES.items()
    }
    closing = {
        path: Reply(page.payload, page.status, close=True)
        for path, page in _PAGES.items()
        if path in ("/closes", "/duplicate-length", "/conflicting-length")
        and isinstance(page, Reply)
    }
    return (
        Host(
            "headers.test",
            f"odd heads and media types ({HTML} mostly)",
            {**_PAGES, **types, **closing},
        ),
    )
