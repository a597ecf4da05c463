import multiprocessing
from pathlib import Path

import pytest

from gossamer.server.guards import RateLimits
from tests.server.conftest import Serve, Served


def test_every_answer_carries_the_policy(served: Served) -> None:
    browser = served.browser()
    for path in (
        "/",
        "/nothing",
        "/api/v1/about",
        "/static/site.css",
        "/healthz",
        "/search?page=x",
    ):
        headers = browser.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "strict-transport-security" not in headers


def test_behind_tls_browsers_are_told_to_stay_there(serve: Serve) -> None:
    assert "strict-transport-security" in serve(behind_tls=True).browser().get("/").headers


@pytest.mark.parametrize(
    ("settings", "host", "status"),
    [
        ({}, "localhost:8000", 200),
        ({}, "search.localhost", 200),
        ({}, "127.0.0.1:8000", 200),
        ({}, "[::1]:8000", 200),
        ({}, "rebound.example", 421),
        ({}, "127.0.0.1.rebound.example:8000", 421),
        ({}, "[::1", 421),
        ({"public_url": "https://search.example"}, "search.example", 200),
        ({"public_url": "https://search.example"}, "rebound.example", 421),
        ({"host": "0.0.0.0"}, "anything.example", 200),
    ],
)
def test_a_site_for_this_machine_answers_to_its_names_alone(
    serve: Serve, settings: dict[str, str], host: str, status: int
) -> None:
    answer = serve(**settings).browser().get("/", headers={"host": host})
    assert answer.status_code == status
    if status == 421:
        assert "public_url" in answer.text


def test_a_body_that_is_too_long_is_refused(serve: Serve) -> None:
    browser = serve(request_bytes=1_000).browser()
    answer = browser.post("/login", content=b"x" * 1_001)
    assert answer.status_code == 413
    chunked = browser.post("/login", content=(b"x" * 600 for _ in range(3)))
    assert chunked.status_code == 400


def test_a_bucket_is_emptied_and_fills_again() -> None:
    limits = RateLimits(None, per_minute=60)
    assert [limits.take("a", 1_000.0) for _ in range(60)] == [0.0] * 60
    assert limits.take("a", 1_000.0) == pytest.approx(1.0)
    assert limits.take("b", 1_000.0) == 0.0
    assert limits.take("a", 1_001.0) == 0.0
    assert limits.take("a", 1_001.5) == pytest.approx(0.5)
    assert [limits.take("a", 9_000.0) for _ in range(61)][-1] > 0


def _take(path: Path, times: int) -> None:
    limits = RateLimits(path, per_minute=60)
    for _ in range(times):
        limits.take("a", 1_000.0)


def test_all_processes_share_the_buckets(tmp_path: Path) -> None:
    path = tmp_path / "new" / "limits"
    limits = RateLimits(path, per_minute=60)
    limits.take("a", 1_000.0)
    process = multiprocessing.get_context("spawn").Process(target=_take, args=(path, 58))
    process.start()
    process.join()
    assert limits.take("a", 1_000.0) == 0.0
    assert limits.take("a", 1_000.0) > 0


def test_public_search_is_limited_and_a_login_is_not(serve: Serve) -> None:
    served = serve(searches_per_minute=3)
    browser = served.browser()
    paths = ["/search?q=moon", "/api/v1/suggest?q=mo", "/suggest?q=mo", "/api/v1/search?q=moon"]
    answers = [browser.get(path) for path in paths]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) > 0
    assert answers[-1].json()["error"]["type"] == "TooManyRequests"
    assert browser.get("/").status_code == 200
    known = served.logged_in()
    assert {known.get("/search?q=moon").status_code for _ in range(5)} == {200}
