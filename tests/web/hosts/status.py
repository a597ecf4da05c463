"""status.test: every status from 101 to 599 at /NNN, and the oddities of 1xx, 204 and 304."""

from tests.web.message import Answer, Handler, Host, Play, Reply, Wire, document, head, reply

_TEXT = document("Answer", "<p>The body of this answer is <a href='/200'>plain</a> text.</p>")
REDIRECTS = frozenset({301, 302, 303, 307, 308})


def _page(status: int) -> Answer:
    if status < 200:
        # Nothing final ever follows: the connection closes after the interim answer.
        async def interim(wire: Wire) -> None:
            await wire.send(head(status))

        return Play(interim, status)
    if status in (204, 304):
        return Reply(head(status), status)
    if status in REDIRECTS:
        return reply(status, _TEXT, ("Location", f"/target?from={status}"))
    if status == 401:
        return reply(status, _TEXT, ("WWW-Authenticate", 'Basic realm="status"'))
    return reply(status, _TEXT)


def hosts() -> tuple[Host, ...]:
    pages: dict[str, Answer | Handler] = {f"/{code}": _page(code) for code in range(101, 600)}
    final = reply(200, document("After all", "<p>The final answer.</p>"))
    pages |= {
        "/target": reply(200, document("Target", "<p>Redirects end here.</p>")),
        "/100-then-200": Reply(head(100) + final.payload, 200),
        "/103-then-200": Reply(head(103, [("Link", "</x>; rel=preload")]) + final.payload, 200),
        "/many-100-then-200": Reply(head(100) * 50 + final.payload, 200),
        "/204-with-body": Reply(head(204, [("Content-Length", "4")]) + b"body", 204, close=True),
        "/304-with-length": Reply(head(304, [("Content-Length", "500")]), 304),
        "/000": Reply(b"HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n", 0, close=True),
        "/999": Reply(b"HTTP/1.1 999 Denied\r\nContent-Length: 6\r\n\r\ndenied", 999),
        "/1000": Reply(b"HTTP/1.1 1000 Long\r\nContent-Length: 0\r\n\r\n", 1000, close=True),
    }
    return (Host("status.test", "every status from 101 to 599, at /NNN", pages),)
