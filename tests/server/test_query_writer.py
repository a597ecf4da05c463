"""Queries and clicks as the site writes them down."""

import re
import time

import pytest

from tests.server.conftest import Serve, living


def _clicks(serve_program: object, text: str) -> float | None:
    report = serve_program.get("/api/v1/queries").json()  # type: ignore[attr-defined]
    found: float | None = next(one["clicks"] for one in report["popular"] if one["text"] == text)
    return found


def test_clicks_are_counted_where_that_is_set(serve: Serve) -> None:
    served = serve(count_clicks=True)
    browser = served.browser()
    page = browser.get("/search?q=moon").text
    path = re.search(r'ping="(/click/\d+)"', page)
    assert path is not None
    assert browser.post(path[1]).status_code == 204
    browser.post(path[1], headers={"dnt": "1"})
    browser.post(path[1], headers={"sec-fetch-site": "cross-site"})
    browser.post(f"/click/{1 << 70}")
    assert _clicks(served.program(), "moon") == 1
    assert "ping=" not in browser.get("/search?q=moon", headers={"sec-gpc": "1"}).text


def test_clicks_are_not_counted_unless_set(serve: Serve) -> None:
    served = serve()
    browser = served.browser()
    assert "ping=" not in browser.get("/search?q=moon").text
    assert _clicks(served.program(), "moon") is None


def test_what_waits_is_written_at_the_end(serve: Serve) -> None:
    served = serve()
    with living(served) as browser:
        browser.get("/search?q=moon")
    assert served.site.queries.log.searches(time.time() - 60) == 1


def test_what_many_ask_for_is_shown_to_others(serve: Serve) -> None:
    served = serve(trending_least=2)
    browser = served.browser()
    for query in ("moon", "Moon", "lighthouse", "xyzzyplugh", "xyzzyplugh"):
        browser.get("/search", params={"q": query})
    served.site.queries.flush()
    assert served.site.queries.trending("web") == ["moon"]


@pytest.mark.parametrize("setting", [{"query_log": False}])
def test_nothing_is_written_where_that_is_set(serve: Serve, setting: dict[str, bool]) -> None:
    served = serve(**setting)
    served.browser().get("/search?q=moon")
    served.site.queries.flush()
    assert served.site.queries.log.searches(0) == 0
