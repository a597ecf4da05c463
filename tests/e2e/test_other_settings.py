"""A run that goes on with other settings: links that were left out come in, and queued ones go."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Home, Report, reconsidering
from gossamer.app import crawl as conduct
from gossamer.config import CrawlSettings
from tests.cli.commands import call
from tests.crawling import assert_adds_up
from tests.small_web import Page, SmallWeb, linking

HOSTS: dict[str, dict[str, str | Page]] = {
    "a.test": {
        "/robots.txt": Page("User-agent: *\nDisallow: /closed", media_type="text/plain"),
        "/": linking("/x/1", "/y/1", "http://b.test:PORT/", "/closed", "/away", "/a/a/a/a/a/a/a"),
        "/x/1": linking("/x/2", text="The first of its folder, in a few words."),
        "/x/2": linking("/x/3", "http://www.a.test:PORT/", text="The second one of them."),
        "/x/3": linking(text="The third, and nothing after that."),
        "/y/1": linking("/y/2", text="Another folder, about something else."),
        "/y/2": linking(text="It ends here, as everything must."),
        "/closed": linking(text="Robots are not to read this one at all."),
        "/away": Page(status=302, location="http://c.test:PORT/"),
        "/a/a/a/a/a/a/a": linking(text="Deep down in the same folders again and again."),
    },
    "www.a.test": {"/": linking(text="The sister of the first host.")},
    "b.test": {"/": linking("/1", text="A site of its own."), "/1": linking(text="One of b.")},
    "c.test": {"/": linking(text="Where a redirect leads.")},
}


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    # A redirect names the port, too.
    with SmallWeb(HOSTS) as running:
        HOSTS["a.test"]["/away"] = Page(status=302, location=f"http://c.test:{running.port}/")
        yield running


def crawl(home: Path, web: SmallWeb, mode: Any = "resume", **settings: Any) -> Report:
    values = {
        "name": "small",
        "seeds": (web.url("a.test"),),
        "allow_private": True,
        "delay_seconds": 0,
        "processes": False,
        "resolve": web.resolve,
        "fetchers": 1,
        **settings,
    }
    report = conduct(Home(home), CrawlSettings(**values), mode=mode, on_progress=lambda _: None)
    assert report.run == "small-1"
    assert_adds_up(report.statistics)
    return report


def visited(web: SmallWeb) -> set[str]:
    """Paths, with the host where it is another; every one was asked for once."""
    counts = Counter(url for url in web.log if not url.endswith("robots.txt"))
    assert set(counts.values()) == {1}
    return {url.removeprefix(f"http://a.test:{web.port}").removeprefix("http://") for url in counts}


def at(web: SmallWeb, host: str, path: str = "/") -> str:
    return f"{host}:{web.port}{path}"


WITHIN = {"/", "/x/1", "/x/2", "/x/3", "/y/1", "/y/2", "/away"}


@pytest.mark.parametrize("queue_servers", [1, 3])
def test_a_wider_scope(tmp_path: Path, web: SmallWeb, queue_servers: int) -> None:
    report = crawl(tmp_path, web, "new", queue_servers=queue_servers)
    assert visited(web) == WITHIN
    assert report.statistics["excluded.scope"] == 3
    report = crawl(tmp_path, web, scope="domain", queue_servers=queue_servers)
    assert visited(web) == WITHIN | {at(web, "www.a.test")}
    assert report.statistics["excluded.scope"] == 2
    report = crawl(tmp_path, web, scope="anywhere", queue_servers=queue_servers)
    others = {at(web, "b.test"), at(web, "b.test", "/1"), at(web, "c.test")}
    assert visited(web) == WITHIN | others | {at(web, "www.a.test")}
    assert report.statistics.get("excluded.scope", 0) == 0
    # How it was found is known as if it had come at once.
    row = Home(tmp_path).page("small-1", f"http://{at(web, 'b.test')}")
    assert (row["depth"], row["parent"]) == (1, web.url("a.test"))


def test_one_more_seed_widens_the_scope(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, "new", max_depth=1)
    crawl(tmp_path, web, max_depth=1, seeds=(web.url("a.test"), web.url("www.a.test")))
    assert visited(web) == {"/", "/x/1", "/y/1", "/away", at(web, "www.a.test")}
    crawl(tmp_path, web, seeds=(web.url("a.test"), web.url("www.a.test")))
    assert visited(web) == WITHIN | {at(web, "www.a.test")}


def test_patterns(tmp_path: Path, web: SmallWeb) -> None:
    report = crawl(tmp_path, web, "new", exclude=("/y/*",))
    assert visited(web) == WITHIN - {"/y/1", "/y/2"}
    assert report.statistics["excluded.pattern"] == 1
    # The same command with other patterns needs no word more.
    report = crawl(tmp_path, web, "continue")
    assert visited(web) == WITHIN
    assert report.statistics["excluded.pattern"] == 0


def test_traps_and_robots(tmp_path: Path, web: SmallWeb) -> None:
    report = crawl(tmp_path, web, "new")
    assert report.statistics["excluded.trap.repetition"] == 1
    crawl(tmp_path, web, "continue", traps=False)
    assert visited(web) == WITHIN | {"/a/a/a/a/a/a/a"}
    crawl(tmp_path, web, "continue", traps=False, obey_robots=False)
    assert visited(web) == WITHIN | {"/a/a/a/a/a/a/a", "/closed"}


def test_more_links_of_a_page(tmp_path: Path, web: SmallWeb) -> None:
    report = crawl(tmp_path, web, "new", max_links_per_page=1)
    assert report.statistics["excluded.link_limit"] == 3
    crawl(tmp_path, web, "continue", max_links_per_page=0)
    assert visited(web) == WITHIN


def test_what_is_queued_and_not_wanted_any_more(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, "new", max_pages=1)
    report = crawl(tmp_path, web, "continue", exclude=("/y/*",), block_lists=())
    assert visited(web) == WITHIN - {"/y/1", "/y/2"}
    assert report.statistics["excluded.pattern"] == 1
    assert report.statistics["queued"] == 0
    crawl(tmp_path, web, "continue")
    assert visited(web) == WITHIN


def test_a_lower_depth(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, "new", max_pages=3)
    crawl(tmp_path, web, "continue", max_depth=1)
    assert {path for path in visited(web) if path.endswith("3")} == set()
    crawl(tmp_path, web, "continue")
    assert visited(web) == WITHIN


def test_a_list_that_has_changed(tmp_path: Path, web: SmallWeb) -> None:
    blocked = tmp_path / "blocked.txt"
    blocked.write_text("b.test\n")
    lists = {"scope": "anywhere", "block_lists": (str(blocked),)}
    crawl(tmp_path, web, "new", **lists)
    assert at(web, "b.test") not in visited(web)
    blocked.write_text("")
    crawl(tmp_path, web, "resume", **lists)
    assert at(web, "b.test", "/1") in visited(web)


def test_an_interruption(tmp_path: Path, web: SmallWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl(tmp_path, web, "new")

    def dies(*_: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(reconsidering, "_of_page", dies)
        with pytest.raises(KeyboardInterrupt):
            crawl(tmp_path, web, scope="anywhere")
    # Its settings are those of the run by now: nothing has changed for the next sitting.
    assert call("run", "resume", "small-1", home=tmp_path).code == 0
    assert {at(web, "b.test"), at(web, "c.test")} <= visited(web)


def test_what_was_forgotten_stays_so(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, "new")
    host = at(web, "b.test").removesuffix("/")
    assert call("forget", "small-1", "--host", host, "--yes", home=tmp_path).code == 0
    crawl(tmp_path, web, scope="anywhere")
    assert visited(web) == WITHIN | {at(web, "www.a.test"), at(web, "c.test")}


def test_plugins_are_asked(tmp_path: Path, web: SmallWeb) -> None:
    plugin = tmp_path / "keep.py"
    plugin.write_text("def keep_url(url, page):\n    return '//b.test' not in url\n")
    crawl(tmp_path, web, "new", plugins=(str(plugin),))
    crawl(tmp_path, web, scope="anywhere", plugins=(str(plugin),))
    assert visited(web) == WITHIN | {at(web, "www.a.test"), at(web, "c.test")}
    crawl(tmp_path, web, scope="anywhere")
    assert at(web, "b.test", "/1") in visited(web)
