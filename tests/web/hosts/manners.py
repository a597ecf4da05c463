"""Hosts that expect manners: back-off, cookies, passwords, conditional requests; and duplicates."""

import base64
import time
from collections.abc import Callable
from email.utils import formatdate

from tests.web.message import (
    Answer,
    Handler,
    Host,
    Reply,
    Request,
    anchors,
    document,
    head,
    page,
    reply,
)
from tests.web.words import paragraph

CREDENTIALS = "reader:secret"
DUPLICATES = 20

_COME_BACK = "<p>Come back later.</p>"


def _busy_at_first(status: int, times: int, wait: Callable[[], list[tuple[str, str]]]) -> Handler:
    """Refuses the first requests, and is fine then."""
    seen = 0

    def answer(request: Request) -> Answer:
        nonlocal seen
        seen += 1
        if seen <= times:
            return reply(status, _COME_BACK, *wait())
        return page("Fine again")

    return answer


def _after(text: str) -> Callable[[], list[tuple[str, str]]]:
    return lambda: [("Retry-After", text)]


def _in_two_seconds() -> list[tuple[str, str]]:
    # A date has no fractions: rounding up keeps it in the future.
    return [("Retry-After", formatdate(time.time() + 2.999, usegmt=True))]


def _rate_limited(per_second: int) -> Handler:
    """429 to those who come faster than that."""
    recent: list[float] = []

    def answer(request: Request) -> Answer:
        now = time.monotonic()
        recent[:] = [moment for moment in recent if now - moment < 1.0]
        if len(recent) >= per_second:
            return reply(429, _COME_BACK, ("Retry-After", "1"))
        recent.append(now)
        return page(f"Page {request.path}")

    return answer


def _backoff() -> dict[str, Answer | Handler]:
    return {
        "/429-seconds": _busy_at_first(429, 1, _after("1")),
        "/429-date": _busy_at_first(429, 1, _in_two_seconds),
        "/429-past-date": _busy_at_first(429, 1, _after("Wed, 21 Oct 2015 07:28:00 GMT")),
        "/429-bare": _busy_at_first(429, 1, list),
        "/429-garbage": _busy_at_first(429, 1, _after("soon")),
        "/429-negative": _busy_at_first(429, 1, _after("-5")),
        "/503-seconds": _busy_at_first(503, 2, _after("1")),
        "/503-bare": _busy_at_first(503, 1, list),
        "/500-once": _busy_at_first(500, 1, list),
        "/502-once": _busy_at_first(502, 1, list),
        "/calm": page("A page that is always fine"),
    }


def _cookies() -> dict[str, Answer | Handler]:
    def members(request: Request) -> Answer:
        if "session=letmein" in request.header("Cookie"):
            return page("Members", '<p>Welcome. <a href="/members/2">On.</a></p>')
        return reply(403, document("Members only", '<p><a href="/login">Sign in</a> first.</p>'))

    def echo(request: Request) -> Answer:
        return reply(200, request.header("Cookie"), media_type="text/plain")

    def odd(request: Request) -> Answer:
        texts = (
            "nameless",
            "=valueless",
            "a=1; Domain=elsewhere.test",
            "b=2; Domain=.test",
            "c=3; Path=/members",
            "d=4; Secure",
            "e=5; Max-Age=0",
            "f=6; Expires=Wed, 21 Oct 2015 07:28:00 GMT",
            "g=" + "x" * 5_000,
            'h="quoted value"',
            "i=ä",
        )
        head_lines = [("Set-Cookie", text) for text in texts]
        return reply(200, document("Odd cookies", "<p>Eleven of them.</p>"), *head_lines)

    login = document("Signed in", '<p><a href="/members">Members</a></p>')
    return {
        "/login": reply(200, login, ("Set-Cookie", "session=letmein; Path=/; HttpOnly")),
        "/members": members,
        "/members/2": members,
        "/echo": echo,
        "/odd": odd,
    }


def _auth() -> dict[str, Answer | Handler]:
    expected = "Basic " + base64.b64encode(CREDENTIALS.encode()).decode()

    def answer(request: Request) -> Answer:
        if request.header("Authorization") == expected:
            return page("Inside", '<p>Well known here. <a href="/second">On.</a></p>')
        return reply(401, "<p>Who is there?</p>", ("WWW-Authenticate", 'Basic realm="auth.test"'))

    def leak(request: Request) -> Answer:
        return reply(302, "", ("Location", request.url("headers.test", "/echo")))

    return {"/": answer, "/second": answer, "/to-other-host": leak}


def _etag() -> dict[str, Answer | Handler]:
    date = "Tue, 02 Jan 2024 03:04:05 GMT"

    def tagged(tag: str) -> Handler:
        def answer(request: Request) -> Answer:
            known = request.header("If-None-Match")
            if tag in known or known == "*":
                return Reply(head(304, [("ETag", tag)]), 304)
            return reply(200, document("Tagged", f"<p>{paragraph(1)}</p>"), ("ETag", tag))

        return answer

    def dated(request: Request) -> Answer:
        if request.header("If-Modified-Since") == date:
            return Reply(head(304, [("Last-Modified", date)]), 304)
        return reply(200, document("Dated", f"<p>{paragraph(2)}</p>"), ("Last-Modified", date))

    visits = 0

    def changing(request: Request) -> Answer:
        nonlocal visits
        visits += 1
        text = f"<p>Version {visits}. {paragraph(visits)}</p>"
        return reply(200, document("Changing", text), ("ETag", f'"v{visits}"'))

    return {
        "/etag": tagged('"abc-123"'),
        "/weak-etag": tagged('W/"weak"'),
        "/last-modified": dated,
        "/changing": changing,
        "/always-304": Reply(head(304, [("ETag", '"never-asked"')]), 304),
    }


def _duplicates() -> tuple[Host, ...]:
    text = paragraph(7, 300)
    same = reply(200, document("The same everywhere", f"<p>{text}</p>"))

    def near(request: Request) -> Answer:
        number = request.path.rpartition("/")[2]
        return page("Nearly the same", f"<p>{text} Printed on day {number}.</p>")

    def session(request: Request) -> Answer:
        return same

    paths = [
        *(f"/copy/{number}" for number in range(DUPLICATES)),
        "/page",
        "/page?",
        "/page?utm_source=a&amp;utm_medium=b",
        "/page?b=2&amp;a=1",
        "/page?a=1&amp;b=2",
        "/page?sessionid=0123456789abcdef",
        "/page;jsessionid=ABC",
        "/page/",
        "/page//",
        "/./page",
        "/PAGE",
        "/%70age",
        "/page#fragment",
        "/index.html",
        *(f"/near/{number}" for number in range(5)),
    ]
    index = page("Duplicates", anchors(paths))
    with_canonical = reply(
        200,
        document("The same everywhere", f"<p>{text}</p>", '<link rel="canonical" href="/page">'),
    )

    def other(request: Request) -> Answer:
        if request.path.startswith("/near/"):
            return near(request)
        if request.path.startswith("/copy/1"):
            return with_canonical
        return session(request)

    def mirror(request: Request) -> Answer:
        return same

    return (
        Host("duplicates.test", "one text under many addresses", {"/": index}, other),
        Host("mirror.test", "the same text again, on another host", {"/": mirror}, mirror),
    )


def hosts() -> tuple[Host, ...]:
    limited = _rate_limited(5)
    index = page("Rate limited", anchors(f"/{number}" for number in range(30)))
    return (
        Host("backoff.test", "429 and 503 with Retry-After, fine later", _backoff()),
        Host(
            "rate-limited.test",
            "429 to all who ask more than 5 times a second",
            {"/": index},
            limited,
        ),
        Host("cookies.test", "/members needs the cookie that /login sets", _cookies()),
        Host("auth.test", f"basic auth: {CREDENTIALS}", _auth()),
        Host("etag.test", "ETag and Last-Modified, 304 to conditional requests", _etag()),
        *_duplicates(),
    )
