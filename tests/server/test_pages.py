import html
import re
from pathlib import Path

import pytest

from gossamer.app.home import Home
from gossamer.app.indexes import Indexes
from gossamer.config import IndexSettings
from tests.crawling import crawl_here
from tests.server.conftest import Serve, Served
from tests.small_web import SmallWeb, linking

MARKS = re.compile(r"<mark>(.*?)</mark>")


def test_the_start_page_has_a_box_and_the_indexes(served: Served) -> None:
    text = served.browser().get("/").text
    assert 'type="search" name="q"' in text
    assert re.findall(r'type="radio" name="index" value="([^"]*)"', text) == ["web", "goods"]


def test_a_site_without_an_index_says_what_to_do(serve: Serve) -> None:
    served = serve(public_indexes=())
    assert "gossamer index build" in html.unescape(served.browser().get("/").text)


def test_results_without_a_script(served: Served) -> None:
    text = served.browser().get("/search", params={"q": "moon"}).text
    assert {mark.lower() for mark in MARKS.findall(text)} == {"moon"}
    assert "4 results" in text
    assert 'value="moon"' in text


def test_a_correction_leads_to_the_search_that_was_meant(served: Served) -> None:
    text = served.browser().get("/search", params={"q": "lighthose"}).text
    assert "/search?q=lighthouse" in text


def test_every_state_is_an_address(served: Served) -> None:
    browser = served.browser()
    state = {"q": "kite", "index": "goods", "sort": "-price", "limit": "1", "page": "2"}
    text = browser.get("/search", params=state).text
    assert "12.5" in text
    links = [html.unescape(link) for link in re.findall(r'href="(/search\?[^"]*)"', text)]
    before = next(link for link in links if "page" not in link and "filter" not in link)
    assert "20" in browser.get(before).text
    narrowed = next(link for link in links if "filter=brand" in link)
    assert "sort=-price" in narrowed


@pytest.mark.parametrize(
    "query",
    ["q=moon&page=0", "q=moon&page=x", "q=moon&limit=9999", "q=moon&filter=x", "q=" + "x" * 10_001],
)
def test_what_cannot_be_read_is_said(served: Served, query: str) -> None:
    answer = served.browser().get(f"/search?{query}")
    assert answer.status_code == 400
    assert "To the start page" in answer.text


def test_nothing_found_says_what_to_do(served: Served) -> None:
    assert "other words" in served.browser().get("/search?q=xyzzyplugh").text


def test_beyond_the_last_page_the_way_back_is_short(served: Served) -> None:
    text = served.browser().get("/search?q=moon&limit=2&page=90").text
    assert "There is no page 90" in text
    previous = re.search(r'rel="prev" href="([^"]*)"', text)
    assert previous is not None
    assert previous[1].endswith("page=2&amp;limit=2")


def test_feeling_lucky_leads_to_the_first_result(served: Served) -> None:
    answer = served.browser().get("/lucky?q=moon+shines")
    assert re.fullmatch(r"0; url=http://web\.test:\d+/moon", answer.headers["refresh"])
    away = served.browser().get("/lucky?q=xyzzyplugh")
    assert (away.status_code, away.headers["location"]) == (303, "/search?q=xyzzyplugh")


def test_luck_never_leads_to_a_script(served: Served) -> None:
    answer = served.browser().get("/lucky?q=lantern&index=goods")
    assert answer.headers["location"] == "/search?q=lantern&index=goods"


def test_trackers_do_no_harm(served: Served) -> None:
    assert served.browser().get("/search?q=moon&utm_source=x").status_code == 200


def test_an_index_that_is_not_public_is_not_spoken_of(serve: Serve) -> None:
    served = serve(public_indexes=("web",))
    browser = served.browser()
    assert "goods" not in browser.get("/").text
    # Where nothing is public, a login is what helps.
    assert serve(public_indexes=(), default_index="").browser().get("/search").status_code == 401
    assert browser.get("/search?q=kite&index=goods").status_code == 401
    assert browser.get("/search?q=kite&index=nothing").status_code == 401
    assert served.logged_in().get("/search?q=kite&index=goods").status_code == 200


def test_an_index_that_cannot_be_read_says_so_and_leaves_the_others(
    serve: Serve, home: Path
) -> None:
    (home / "indexes" / "web" / "settings.json").write_text("{")
    served = serve()
    answer = served.browser().get("/search?q=moon")
    assert answer.status_code == 503
    assert "gossamer index build web" in answer.text
    assert served.browser().get("/search?q=kite&index=goods").status_code == 200
    assert served.browser().get("/").status_code == 200


def test_hosts_that_browsers_find_elsewhere(serve: Serve) -> None:
    plain = serve().browser().get("/search?q=moon+shines").text
    host = re.findall(r'<a href="http://(web\.test:\d+)/moon"', plain)[0]
    browser = serve(link_hosts={host: "there.localhost:80"}).browser()
    text = browser.get("/search?q=moon+shines").text
    assert '<a href="http://there.localhost:80/moon"' in text
    assert "web.test" in text  # the address that is shown is that of the page
    lucky = browser.get("/lucky?q=moon+shines").headers["refresh"]
    assert lucky == "0; url=http://there.localhost:80/moon"


def test_a_page_that_nobody_fetched_is_shown_as_such(home: Path, serve: Serve) -> None:
    inside = 'Nothing but <a href="http://elsewhere.test/">a hidden treasure</a>, they say.'
    page = linking(text=inside)
    with SmallWeb({"near.test": {"/": page}}) as web:
        seeds = (web.url("near.test"),)
        crawl_here(home, web, seeds=seeds, name="near", scope="host")  # type: ignore[arg-type]
    indexes = Indexes(Home(home))
    indexes.build("near", ["near-1"], None, IndexSettings(per_site=0, uncrawled_pages=True))
    indexes.close()
    served = serve(default_index="near", public_indexes=("near",))
    browser = served.browser()
    text = browser.get("/search", params={"q": "treasure site:elsewhere.test"}).text
    assert "Known from links only" in text
    assert "http://elsewhere.test/" in text
    assert "Stored copy" not in text
    found = browser.get("/api/v1/search", params={"q": "treasure", "index": "near"}).json()
    marks = {hit["url"]: hit["from_links"] for hit in found["answer"]["hits"]}
    assert marks["http://elsewhere.test/"] is True
    assert "Known from links only" not in browser.get("/search", params={"q": "nothing"}).text


def test_a_filter_of_another_index_is_dropped_with_a_note(served: Served) -> None:
    browser = served.browser()
    asked = "/search?q=kite&index=goods&filter=filetype:pdf&filter=lang:en&sort=-depth"
    page = browser.get(asked)
    assert page.status_code == 200
    assert "The filter &#39;filetype:pdf&#39; was dropped" in page.text
    assert "The order by &#39;depth&#39; was dropped" in page.text
    assert "filter=filetype" not in page.text
    assert 'name="filter" value="lang:en"' in page.text, "what it knows stays"
    refused = browser.get(f"/api/v1{asked}")
    assert refused.status_code == 400, "for a program it is an error"
    assert "no field 'filetype' to filter by" in refused.json()["error"]["message"]


def test_a_long_query_is_answered(served: Served) -> None:
    page = served.browser().get("/search", params={"q": "moon " * 2_000})
    assert page.status_code == 200
    assert "web.test" in page.text
