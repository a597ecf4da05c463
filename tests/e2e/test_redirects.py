"""Small crawls over redirects: chains, loops, scope, and what may be sent to whom."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.app import Home
from tests.crawling import assert_adds_up, crawl_here, stored_rows
from tests.web import LocalWeb
from tests.web.hosts.manners import CREDENTIALS


@pytest.fixture(scope="module")
def web() -> Iterator[LocalWeb]:
    with LocalWeb() as running:
        yield running


def outcomes(home: Path, run: str = "") -> dict[str, str]:
    """Host and path, without the port -> outcome."""
    found = {}
    for row in stored_rows(home, run):
        host, _, path = row["url"].removeprefix("http://").partition("/")
        found[f"{host.partition(':')[0]}/{path}"] = row["outcome"]
    return found


def test_a_long_chain_and_a_loop(tmp_path: Path, web: LocalWeb) -> None:
    seeds = (web.url("redirects.test", "/chain/14"), web.url("redirects.test", "/loop-a"))
    report = crawl_here(tmp_path, web, seeds=seeds, scope="host", max_redirects=4)
    chain = {f"redirects.test/chain/{length}": "redirect" for length in range(11, 15)}
    assert outcomes(tmp_path) == {
        **chain,
        "redirects.test/chain/10": "redirect_limit",
        "redirects.test/loop-a": "redirect",
        "redirects.test/loop-b": "redirect_loop",
    }
    assert_adds_up(report.statistics)


def test_a_page_names_the_redirects_that_led_to_it(tmp_path: Path, web: LocalWeb) -> None:
    crawl_here(tmp_path, web, seeds=(web.url("redirects.test", "/chain/3"),), max_depth=0)
    (last,) = [row for row in stored_rows(tmp_path) if row["outcome"] == "ok"]
    assert last["via"] == [web.url("redirects.test", f"/chain/{n}") for n in (3, 2, 1)]
    assert last["depth"] == 0


@pytest.mark.parametrize(
    ("scope", "reached"),
    [
        ("host", {"domain.test/", "www.domain.test/", "www.domain.test/own"}),
        (
            "domain",
            {
                *("domain.test/", "www.domain.test/", "www.domain.test/own"),
                *("blog.domain.test/", "blog.domain.test/post"),
            },
        ),
        (
            "anywhere",
            {
                *("domain.test/", "www.domain.test/", "www.domain.test/own"),
                *("blog.domain.test/", "blog.domain.test/post"),
                *("elsewhere.test/", "elsewhere.test/landing"),
            },
        ),
    ],
)
def test_the_scope_goes_on_from_where_the_seed_leads(
    tmp_path: Path, web: LocalWeb, scope: str, reached: set[str]
) -> None:
    report = crawl_here(tmp_path, web, seeds=(web.url("domain.test"),), scope=scope)
    assert outcomes(tmp_path).keys() == reached
    assert_adds_up(report.statistics)
    left_out = {"host": 2, "domain": 1, "anywhere": 0}[scope]
    assert report.statistics.get("excluded.scope", 0) == left_out


def test_the_password_stays_with_the_seed(tmp_path: Path, web: LocalWeb) -> None:
    seeds = (web.url("auth.test"), web.url("auth.test", "/to-other-host"))
    crawl_here(tmp_path, web, seeds=seeds, name="auth", basic_auth=CREDENTIALS)
    found = outcomes(tmp_path)
    assert found["auth.test/"] == found["auth.test/second"] == "ok"
    assert found["headers.test/echo"] == "unsupported"
    echoed = Home(tmp_path).page_html("auth-1", web.url("headers.test", "/echo"))
    assert "Authorization" not in echoed


def test_another_fetcher_knows_the_cookies(tmp_path: Path, web: LocalWeb) -> None:
    """That of a second sitting has met no server yet."""
    web.refresh()
    seeds = (web.url("cookies.test"),)
    crawl_here(tmp_path, web, seeds=seeds, scope="host", max_pages=2)
    assert outcomes(tmp_path) == {"cookies.test/": "ok", "cookies.test/login": "ok"}
    report = crawl_here(tmp_path, web, seeds=seeds, scope="host")
    found = outcomes(tmp_path)
    assert found["cookies.test/members"] == found["cookies.test/members/2"] == "ok"
    assert report.statistics["robots.requests"] == 1
    assert len({entry.connection for entry in web.log()}) == 2
