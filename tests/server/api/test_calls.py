"""The API as programs see it."""

import csv
import io
from xml.etree import ElementTree

import pytest

from gossamer.server.visitors import Role
from tests.server.conftest import Served


def test_search_suggest_explain_and_page(served: Served) -> None:
    client = served.browser()
    found = client.get("/api/v1/search", params={"q": "moon", "limit": 1, "facet": "site"}).json()
    assert found["index"] == "web"
    (hit,) = found["answer"]["hits"]
    assert found["answer"]["facets"]["site"]
    assert client.get("/api/v1/suggest?q=sta").json()["suggestions"] == ["Start"]
    why = client.get("/api/v1/explain", params={"q": "moon", "url": hit["url"]}).json()
    assert why["position"] == 1
    assert why["explain"]["formula"]
    page = client.get("/api/v1/page", params={"url": hit["url"]}).json()
    assert "moon" in page["text"].lower()


def test_lists_come_in_parts(served: Served) -> None:
    client = served.program()
    first = client.get("/api/v1/indexes?limit=1").json()
    second = client.get(f"/api/v1/indexes?limit=1&after={first['next']}").json()
    names = [part["items"][0]["name"] for part in (first, second)]
    assert (names, second["next"]) == (["goods", "web"], "")
    path = "/api/v1/indexes/goods/documents?limit=2"
    part = client.get(path).json()
    rest = client.get(f"{path}&after={part['next']}").json()
    ids = [one["id"] for one in part["items"] + rest["items"]]
    assert (ids, rest["next"]) == (["g1", "g2", "g3"], "")
    pages = client.get("/api/v1/runs/web-1/pages?limit=2").json()
    assert (len(pages["items"]), pages["next"]) == (2, "2")
    assert [run["name"] for run in client.get("/api/v1/runs").json()["items"]] == ["web-1"]


@pytest.mark.parametrize(
    ("path", "status", "kind"),
    [
        ("/api/v1/nothing", 404, "NothingThere"),
        ("/api/v1/search?q=a&index=nothing", 404, "IndexNotFound"),
        ("/api/v1/search?q=a&unknown=1", 400, "UsageError"),
        ("/api/v1/search?q=a&profile=../../etc/passwd", 400, "UsageError"),
        ("/api/v1/search?q=a&sort=nothing", 400, "UsageError"),
        ("/api/v1/page?url=http://nowhere.test/", 404, "NothingThere"),
        ("/api/v1/runs/nothing", 404, "RunNotFound"),
        ("/api/v1/jobs/7", 404, "NothingThere"),
        ("/api/v1/jobs/x", 404, "NothingThere"),
        ("/api/v1/settings/nothing", 404, "NothingThere"),
        ("/api/v1/audit?after=x", 400, "UsageError"),
    ],
)
def test_errors_have_one_shape(served: Served, path: str, status: int, kind: str) -> None:
    answer = served.program().get(path)
    assert answer.status_code == status
    assert answer.json().keys() == {"error"}
    assert answer.json()["error"].keys() == {"type", "message"}
    assert answer.json()["error"]["type"] == kind


def test_a_bug_is_told_without_its_insides(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(served.site.engine, "search", broken)
    for path in ("/api/v1/search?q=moon", "/search?q=moon"):
        answer = served.browser().get(path)
        assert answer.status_code == 500
        assert "secret" not in answer.text
    assert caplog.text.count("ZeroDivisionError: secret") == 2


def test_settings_are_those_of_the_definitions(served: Served) -> None:
    program = served.program()
    names = {one["name"] for one in program.get("/api/v1/settings/server").json()}
    assert {"port", "public_indexes"} <= names
    assert program.get("/api/v1/settings").json()["default_index"] == "web"
    assert program.patch("/api/v1/indexes/web/settings", json={"b": 3}).status_code == 400
    tuned = program.patch("/api/v1/indexes/web/settings", json={"b": 0.5})
    assert tuned.json()["settings"]["b"] == 0.5
    assert program.get("/api/v1/indexes/web/settings").json()["settings"]["b"] == 0.5
    refused = program.patch("/api/v1/indexes/web/settings", json={"synonyms": "/etc/passwd"})
    assert refused.status_code == 403


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        ({}, 400),
        ({"seeds": ["https://x.test"], "colour": "red"}, 400),
        ({"seeds": ["/etc"]}, 403),
        ({"seeds": ["https://x.test"], "allow_private": True}, 403),
        ({"seeds": ["https://x.test"], "plugins": ["/tmp/x.py"]}, 403),
    ],
)
def test_crawls_that_are_refused(served: Served, settings: dict[str, object], status: int) -> None:
    answer = served.program(Role.EDITOR).post("/api/v1/runs", json={"settings": settings})
    assert answer.status_code == status
    assert served.program().get("/api/v1/jobs").json()["items"] == []


def test_what_was_searched_for(served: Served) -> None:
    browser = served.browser()
    for _ in range(3):
        browser.get("/search?q=Moon")
    browser.get("/search?q=moon&page=2")
    browser.get("/api/v1/search?q=xyzzyplugh")
    browser.get("/search?q=private", headers={"dnt": "1"})
    browser.get("/search?q=private", headers={"sec-gpc": "1"})
    report = served.program().get("/api/v1/queries").json()
    assert report["searches"] == 4
    assert [(one["text"], one["searches"]) for one in report["popular"]] == [("moon", 3)]
    assert [one["text"] for one in report["failing"]] == ["xyzzyplugh"]
    assert "moon" in served.browser().get("/").text


def test_a_search_can_be_ranked_otherwise_than_the_index_is_set(served: Served) -> None:
    browser = served.browser()

    def best(parameters: str) -> tuple[str, float]:
        found = browser.get(f"/api/v1/search?q=kite&index=goods&{parameters}").json()
        hit = found["answer"]["hits"][0]
        return hit["fields"]["price"], hit["score"]

    dearest, score = best("boost=price")
    cheapest, _ = best("boost=0-price")
    assert dearest > cheapest
    assert best("boost=price&k=0.1&b=0")[1] != score
    assert best("boost=price&weight=kite%3D7")[1] == pytest.approx(score + 7)
    for wrong in ("boost=price%2B", "weight=kite", "weight=%3D5", "k=nan", "field_weight=x%3D1"):
        answer = browser.get(f"/api/v1/search?q=kite&index=goods&{wrong}")
        assert answer.status_code == 400, wrong


def test_a_page_of_results_keeps_how_it_is_ranked(served: Served) -> None:
    page = served.browser().get("/search?q=kite&index=goods&k=0.5&weight=kite%3D7").text
    assert '<input type="hidden" name="k" value="0.5">' in page
    assert '<input type="hidden" name="weight" value="kite=7">' in page
    assert "k=0.5, weight=kite=7" in page
    assert 'href="/search?q=kite&amp;index=goods"' in page


def test_feeds(served: Served) -> None:
    browser = served.browser()
    assert browser.get("/suggest?q=sta").json() == ["sta", ["Start"]]
    description = ElementTree.fromstring(browser.get("/opensearch.xml").text)
    templates = [url.get("template", "") for url in description if url.tag.endswith("Url")]
    assert all(template.startswith("http://localhost/") for template in templates)
    feed = ElementTree.fromstring(browser.get("/search.rss?q=moon").text)
    assert len(feed.findall("channel/item")) == 4
    rows = list(csv.DictReader(io.StringIO(browser.get("/search.csv?q=kite&index=goods").text)))
    assert {row["price"] for row in rows} == {"12.5", "20.0"}
    assert "'=cmd()" in {row["url"] for row in rows}


def test_what_a_browser_makes_of_the_description(served: Served) -> None:
    """What is optional is left out by some, and its name stays."""
    browser = served.browser()
    description = ElementTree.fromstring(browser.get("/opensearch.xml").text)
    templates = [url.get("template", "") for url in description if url.tag.endswith("Url")]
    for template in templates:
        address = template.replace("{searchTerms}", "moon").replace("{startPage?}", "")
        assert browser.get(address).status_code == 200, address
