"""Visiting the pages of a finished run again."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from gossamer.app import Home, Report, crawl
from gossamer.config import CrawlSettings
from gossamer.errors import RunError
from tests.crawling import assert_adds_up
from tests.small_web import Page, SmallWeb, linking

WORDS = "The quick brown fox jumps over the lazy dog, and then sleeps under an old oak tree. "


class ChangingSite(ThreadingHTTPServer):
    """Some pages have validators, some change, and one goes away."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.is_changed = False
        self.asked: list[tuple[str, int]] = []

    @property
    def seed(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def page(self, path: str) -> tuple[str, dict[str, str]] | None:
        if path == "/":
            links = "".join(f'<a href="/{name}">{name}</a>' for name in ("same", "new", "plain"))
            return f'<p>{WORDS}</p>{links}<a href="/gone">gone</a>', {"ETag": '"start"'}
        if path == "/same":
            return f"<p>Always the same. {WORDS}</p>", {"ETag": '"same"'}
        if path == "/new":
            version = "second" if self.is_changed else "first"
            return f"<p>The {version} form. {WORDS}</p>", {"ETag": f'"{version}"'}
        if path == "/plain":  # has no validators; only its markup changes
            tag = "b" if self.is_changed else "i"
            return f"<p><{tag}>Plain.</{tag}> {WORDS}</p>", {}
        if path == "/gone" and not self.is_changed:
            return f"<p>Soon gone. {WORDS}</p>", {"Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"}
        return None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ChangingSite

    def do_GET(self) -> None:
        found = self.server.page(self.path)
        body, headers = found or ("Nothing here.", {})
        status = 200 if found else 404
        etag = headers.get("ETag")
        if etag and self.headers.get("If-None-Match") == etag:
            status, body = 304, ""
        self.server.asked.append((self.path, status))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[ChangingSite]:
    with ChangingSite() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def run(home: Path, site: ChangingSite, mode: Any = "continue", **more: Any) -> Report:
    settings = CrawlSettings(
        seeds=(site.seed,), allow_private=True, delay_seconds=0, processes=False, **more
    )
    return crawl(Home(home), settings, mode=mode, on_progress=lambda _: None)


def test_only_what_changed_is_stored_again(tmp_path: Path, site: ChangingSite) -> None:
    first = run(tmp_path, site)
    assert first.statistics["done.ok"] == 5
    site.is_changed = True
    site.asked.clear()
    again = run(tmp_path, site, "refresh")
    numbers = again.statistics
    assert_adds_up(numbers)
    assert (again.run, again.state) == (first.run, "finished")
    assert (numbers["done.not_modified"], numbers["done.ok"], numbers["done.http_error"]) == (
        3,
        1,
        1,
    )
    assert (numbers["pages"], numbers["documents"]) == (5, 4)
    assert numbers["stored.pages"] == first.statistics["stored.pages"] + 2
    asked = dict(site.asked)
    assert (asked["/"], asked["/same"], asked["/new"], asked["/gone"]) == (304, 304, 200, 404)

    home = Home(tmp_path)
    pages = {row["url"].removeprefix(site.seed): row for row in home.pages(again.run)}
    assert sorted(pages) == ["", "gone", "new", "plain", "same"]
    assert "second form" in pages["new"]["text"]
    assert "Always the same" in pages["same"]["text"]
    assert (pages["gone"]["outcome"], pages["gone"]["status"]) == ("http_error", 404)
    assert len(list(home.pages(again.run))) == 5


def test_a_third_round_and_the_same_command(tmp_path: Path, site: ChangingSite) -> None:
    run(tmp_path, site)
    run(tmp_path, site, "refresh")
    site.is_changed = True
    third = run(tmp_path, site, "refresh")
    assert third.statistics["revisited"] == 10
    assert_adds_up(third.statistics)
    site.asked.clear()
    after = run(tmp_path, site)
    assert site.asked == []
    assert "--refresh" in after.reason


def test_a_round_that_was_stopped_goes_on(tmp_path: Path, site: ChangingSite) -> None:
    first = run(tmp_path, site)
    stopped = run(tmp_path, site, "refresh", max_pages=2)
    assert stopped.statistics["pages"] == 2
    site.asked.clear()
    done = run(tmp_path, site)
    assert_adds_up(done.statistics)
    assert done.statistics["pages"] == first.statistics["pages"]
    assert len(site.asked) == 3


@pytest.mark.parametrize("order", ["budget", "breadth", "depth", "best"])
def test_under_a_limit_the_same_pages_are_visited_again(tmp_path: Path, order: Any) -> None:
    """And no others, although there are some in the queue, on hosts of their own."""
    hosts: dict[str, dict[str, str | Page]] = {
        f"host-{at}.test": {
            "/": linking(
                *(f"/{page}" for page in range(9)),
                *(f"http://host-{other}.test:PORT/" for other in range(12)),
                text=f"The start of number {at}, which is like no other.",
            ),
            **{f"/{page}": linking(text=f"Page {page} of host {at}.") for page in range(9)},
        }
        for at in range(12)
    }
    with SmallWeb(hosts) as web:
        settings = CrawlSettings(
            seeds=(web.url("host-0.test"),),
            scope="anywhere",
            resolve=web.resolve,
            allow_private=True,
            delay_seconds=0,
            processes=False,
            max_pages=20,
            order=order,
            schedule_urls=7,
            queue_servers=2,
        )
        asked = []
        for mode in ("new", "refresh", "refresh"):
            web.log.clear()
            report = crawl(Home(tmp_path), settings, mode=mode, on_progress=lambda _: None)
            assert_adds_up(report.statistics)
            assert report.statistics["pages"] == 20
            asked.append(sorted(url for url in web.log if not url.endswith("robots.txt")))
        assert len(asked[0]) == 20
        assert asked[2] == asked[1] == asked[0]
        # With more room, there is more to see.
        more = settings.model_copy(update={"max_pages": 0})
        report = crawl(Home(tmp_path), more, on_progress=lambda _: None)
        assert report.statistics["pages"] == 120


def test_what_is_not_there_or_not_finished_cannot_be_refreshed(
    tmp_path: Path, site: ChangingSite
) -> None:
    with pytest.raises(RunError, match="no run to refresh"):
        run(tmp_path, site, "refresh")
