"""A walk over all pages of the site, with content that means harm."""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from starlette.testclient import TestClient

from tests.server.conftest import BREAKOUT, SCRIPT, Served

HOSTILE = [SCRIPT, BREAKOUT, "javascript:alert(1)", "'\"><svg onload=alert(1)>", "\x00\u202e\ud7ff"]
_OWN_SCRIPTS = ("/static/",)


class Page(HTMLParser):
    """What a browser would make of a page: its links, and whatever could run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.dangers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "script" and not values.get("src", "").startswith(_OWN_SCRIPTS):
            self.dangers.append(f"script {values}")
        is_drawing = tag == "svg" and values.get("aria-hidden") == "true"  # our own
        if tag in ("style", "svg", "object", "embed", "base") and not is_drawing:
            self.dangers.append(tag)
        for name, value in values.items():
            if name.startswith("on") or name in ("style", "srcdoc"):
                self.dangers.append(f"{tag} {name}={value}")
            if name in ("href", "src", "action", "formaction", "ping"):
                scheme = urlsplit(value.strip()).scheme.lower()
                if scheme not in ("", "http", "https"):
                    self.dangers.append(f"{tag} {name}={value}")
                if tag == "a" and name == "href":
                    self.links.append(value)
        if tag == "iframe" and values.get("sandbox") != "":
            self.dangers.append(f"iframe {values}")


def walk(browser: TestClient, starts: list[str], most: int) -> dict[str, str]:
    """The pages that links lead to, by their address."""
    queue = list(starts)
    seen: dict[str, str] = {}
    while queue and len(seen) < most:
        path = queue.pop(0)
        if path in seen:
            continue
        answer = browser.get(path)
        assert answer.status_code < 500, path
        seen[path] = answer.text
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy, path
        assert "script-src 'self'" in policy, path
        if answer.headers["content-type"].startswith("text/html"):
            page = Page(answer.text)
            assert page.dangers == [], path
            inner = (urljoin(path, link) for link in page.links)
            queue += [link for link in inner if link.startswith("/") and link not in seen]
    return seen


def test_nothing_from_a_page_becomes_markup(served: Served) -> None:
    browser = served.logged_in()
    for text in (SCRIPT, BREAKOUT):
        served.site.audit.note(text, text, text, {text: text})
        browser.get("/search", params={"q": text})
        browser.get("/search", params={"q": f"xyzzyplugh {text}"})
    starts = ["/", "/login", "/account", "/people", "/audit", "/queries", "/nothing"]
    starts += [
        f"/search?q={query}&index={index}&view={view}&explain=true"
        for query in ("moon", "kite", "lantern")
        for index in ("web", "goods")
        for view in ("list", "cards", "table")
    ]
    pages = walk(browser, starts, 120)
    assert len(pages) > 30
    shown = "".join(pages.values())
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown  # as text it may be there


def test_what_is_typed_is_text_everywhere(served: Served) -> None:
    browser = served.browser()
    for text in HOSTILE:
        for path in ("/", "/search", "/lucky", "/cached", "/login", "/setup/x"):
            answer = browser.get(
                path, params={"q": text, "index": text, "url": text, "view": text, "profile": text}
            )
            assert answer.status_code < 500
            assert Page(answer.text).dangers == [], (path, text)
        assert Page(browser.get("/search", params={"q": text}).text).dangers == []


def test_the_copy_of_a_page_is_in_a_sandbox(served: Served) -> None:
    browser = served.browser()
    url = _address(browser, "moon shines")
    outside = browser.get("/cached", params={"url": url})
    assert outside.status_code == 200
    assert "alert('page')" not in outside.text
    frame = re.search(r'<iframe[^>]* src="([^"]*)"', outside.text)
    assert frame is not None
    inside = browser.get(frame[1].replace("&amp;", "&"))
    assert "alert('page')" in inside.text  # as it was received, where nothing of it can run
    policy = inside.headers["content-security-policy"]
    assert policy.startswith(
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    )
    assert inside.headers["x-content-type-options"] == "nosniff"


def test_no_copy_is_shown_of_a_page_that_asks_for_it(served: Served) -> None:
    browser = served.browser()
    url = _address(browser, "may not be kept")
    for path in ("/cached", "/cached/frame"):
        answer = browser.get(path, params={"url": url})
        assert answer.status_code == 404
        assert "may not be kept" not in answer.text


def _address(browser: TestClient, query: str) -> str:
    found: str = browser.get("/api/v1/search", params={"q": query}).json()["answer"]["hits"][0][
        "url"
    ]
    return found
