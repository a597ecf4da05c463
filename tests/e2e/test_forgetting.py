"""Takedowns: nothing is left of a page in any file, it never comes back, and all the rest stays."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Home, Report
from gossamer.app import crawl as conduct
from gossamer.config import CrawlSettings
from gossamer.errors import RunError
from tests.cli.commands import Ended, call
from tests.crawling import AT_ONCE, Crawl, assert_adds_up, resolve_options, stored_urls, wait_until
from tests.small_web import Page, SmallWeb, linking
from tests.storage.traces import traces_in_files
from tests.web import LocalWeb, TreeShape

SECRET = "Rumpelstilzchen"
ROBOTS = Page(f"# {SECRET}-b\nUser-agent: *\nDisallow: /closed", media_type="text/plain")

HOSTS: dict[str, dict[str, str | Page]] = {
    "a.test": {
        "/": linking("/news|News", "/secret|Read this", "/copy", "/old", "/deep/1"),
        "/news": linking("/", "/secret|Again", text="What is new, in many words."),
        "/secret": linking(
            *(f"/only-here|{SECRET} leads on", "http://b.test:PORT/|over there"),
            title=f"On {SECRET}",
            text=f"The name is {SECRET}, and nobody else may know of it at all.",
        ),
        "/copy": linking("/", text="A page that says nothing of names."),
        "/old": Page(status=301, location="/secret"),
        "/only-here": linking("/", text="This page was found on one page alone."),
        "/deep/1": linking("/deep/2", text="One step down."),
        "/deep/2": linking("/deep/3", "/secret", text="Two steps down."),
        "/deep/3": linking("/secret|once more", text="Three steps down, and back."),
    },
    "b.test": {
        "/robots.txt": ROBOTS,
        "/": linking("/1", "/2", "/closed", text=f"Here lives {SECRET}-b."),
        "/1": linking("/", text=f"First page of {SECRET}-b."),
        "/2": linking("/1", "http://a.test:PORT/|back", text=f"Second page of {SECRET}-b."),
    },
}


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb(HOSTS) as running:
        yield running


def crawl(home: Path, web: SmallWeb, *, new: bool = False, **settings: Any) -> Report:
    values = {
        "name": "small",
        "seeds": (web.url("a.test"),),
        "scope": "anywhere",
        "allow_private": True,
        "delay_seconds": 0,
        "processes": False,
        "resolve": web.resolve,
        "fetchers": 1,
        **settings,
    }
    return conduct(
        Home(home),
        CrawlSettings(**values),
        mode="new" if new else "continue",
        on_progress=lambda _: None,
    )


def forget(home: Path, *arguments: str) -> Ended:
    ended = call("forget", "small-1", *arguments, "--yes", "--json", home=home)
    assert ended.code == 0, ended.err
    return ended


def statistics(home: Path, run: str = "small-1") -> dict[str, float]:
    return Home(home).run(run).statistics


def asked_for(web: SmallWeb, path: str, host: str = "a.test") -> int:
    return web.log.count(web.url(host, path))


def readable(home: Path, run: str = "small-1") -> list[str]:
    """The URLs of all pages, each of which can be shown as it was received."""
    urls = []
    for row in Home(home).pages(run):
        if row["outcome"] == "ok":
            assert row["title"] in Home(home).page_html(run, row["url"])
        urls.append(row["url"])
    return sorted(urls)


@pytest.mark.parametrize("queue_servers", [1, 3])
def test_a_page(tmp_path: Path, web: SmallWeb, queue_servers: int) -> None:
    report = crawl(tmp_path, web, queue_servers=queue_servers)
    before = readable(tmp_path)
    url = web.url("a.test", "/secret")
    assert url in before
    assert traces_in_files(tmp_path, SECRET)
    said = forget(tmp_path, "--url", url).object
    assert (said["pages"], said["links"], said["forgotten"]) == (1, 2, True)
    # Another host has the name too, and stays.
    assert traces_in_files(tmp_path, SECRET) == traces_in_files(tmp_path, f"{SECRET}-b") != []
    for words in (f"On {SECRET}", f"{SECRET} leads on", f"name is {SECRET}"):
        assert traces_in_files(tmp_path, words) == []
    assert readable(tmp_path) == sorted(set(before) - {url})
    after = statistics(tmp_path)
    assert_adds_up(after)
    assert after["pages"] == report.statistics["pages"] - 1
    assert after["stored.pages"] == report.statistics["stored.pages"] - 1
    assert after["excluded.forgotten"] == 1
    assert call("page", "small-1", url, home=tmp_path).code == 1


def test_a_host(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web)
    before = readable(tmp_path)
    said = forget(tmp_path, "--host", f"B.test:{web.port}").object
    assert said["pages"] == 3
    assert traces_in_files(tmp_path, f"{SECRET}-b") == []
    assert readable(tmp_path) == [url for url in before if "//a.test" in url]
    assert_adds_up(statistics(tmp_path))


def test_with_what_points_there(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, keep_raw=False)
    url = web.url("a.test", "/secret")
    forget(tmp_path, "--url", url)
    assert traces_in_files(tmp_path, url)
    forget(tmp_path, "--url", url, "--links")
    assert traces_in_files(tmp_path, url) == []
    assert_adds_up(statistics(tmp_path))


def test_it_never_comes_back(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, max_depth=1)
    url = web.url("a.test", "/secret")
    forget(tmp_path, "--url", url)
    # The same run goes on, and finds new links to it.
    report = crawl(tmp_path, web)
    assert web.url("a.test", "/deep/3") in readable(tmp_path)
    assert asked_for(web, "/secret") == 1
    assert_adds_up(report.statistics)
    assert traces_in_files(tmp_path, f"{SECRET},") == []
    # So does a new run of the same crawler.
    again = crawl(tmp_path, web, new=True)
    assert again.run == "small-2"
    assert asked_for(web, "/secret") == 1
    assert again.statistics["excluded.forgotten"] == 1
    assert_adds_up(again.statistics)


def test_all_spellings_of_a_page(tmp_path: Path) -> None:
    """Addresses that are the same by the rules of the run are forgotten together."""
    pages: dict[str, str | Page] = {
        "/": linking("/one/index.html?utm_source=x|One", "/two"),
        "/one/index.html?utm_source=x": linking(text=f"Here is {SECRET} told."),
        "/one/": linking(text=f"Here is {SECRET} told."),
        "/two": linking("/one/|again", text="Nothing of that kind."),
    }
    with SmallWeb({"a.test": pages}) as web:
        crawl(tmp_path, web)
        assert web.url("a.test", "/one/index.html?utm_source=x") in readable(tmp_path)
        asked = web.url("a.test", "/one/?utm_campaign=y")
        assert call("why", "small-1", asked, "--json", home=tmp_path).object["reason"] == "ok"
        forget(tmp_path, "--url", asked)
        assert traces_in_files(tmp_path, SECRET) == []
        # The rules of a later run may be others: at least the address as typed stays forgotten.
        crawl(tmp_path, web, new=True, drop_parameters=("x",))
        assert_adds_up(statistics(tmp_path))


def test_rules_that_tell_addresses_apart_cannot_be_changed(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, max_depth=0)
    with pytest.raises(RunError, match="Use --new to start another run"):
        crawl(tmp_path, web, drop_session_ids=False)


def test_a_seed_never_comes_back(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, max_depth=0)
    forget(tmp_path, "--url", web.url("a.test"))
    again = crawl(tmp_path, web, new=True)
    assert (again.run, again.statistics["excluded.forgotten"]) == ("small-2", 1)
    assert asked_for(web, "/") == 1


def test_a_host_never_comes_back(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, max_depth=0)
    forget(tmp_path, "--host", f"b.test:{web.port}")
    report = crawl(tmp_path, web)  # only now, its first page is found
    assert asked_for(web, "/", "b.test") == 0
    assert report.statistics["excluded.forgotten"] == 1
    assert_adds_up(report.statistics)


def test_what_was_never_there(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web, max_depth=0)
    ended = call(
        *("forget", "small-1", "--url", web.url("a.test", "/never"), "--yes"), home=tmp_path
    )
    assert ended.code == 0
    assert "nothing of it was stored" in ended.out
    assert_adds_up(statistics(tmp_path))


def test_twice_is_once(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web)
    url = web.url("a.test", "/secret")
    forget(tmp_path, "--url", url)
    before = statistics(tmp_path)
    said = forget(tmp_path, "--url", url).object
    assert (said["pages"], said["segments"]) == (0, 0)
    assert statistics(tmp_path) == before
    assert len(list((tmp_path / "runs" / "small-1" / "tombstones").iterdir())) == 1


def test_an_import(tmp_path: Path, web: SmallWeb) -> None:
    crawl(tmp_path, web)
    (archive,) = (tmp_path / "runs" / "small-1" / "segments").glob("raw-*")
    home = tmp_path / "imported"
    imported = call("import", str(archive), "--name", "small", "--no-processes", home=home)
    assert imported.code == 0, imported.err
    before = statistics(home)
    url = web.url("a.test", "/secret")
    assert forget(home, "--url", url).object["pages"] == 1
    assert traces_in_files(home, f"On {SECRET}") == []
    after = statistics(home)
    for name in ("pages", "documents", "done.ok", "status.200", "stored.pages"):
        assert after[name] == before[name] - 1
    assert (after["found"], after["excluded.forgotten"]) == (before["found"], 1)
    assert len(readable(home)) == after["stored.pages"]


def test_an_interrupted_run(tmp_path: Path) -> None:
    """What was fetched and not yet published, answered and not yet committed, goes as well."""
    shape = TreeShape(depth=4, fanout=4, hosts=4, latency_seconds=0.01, words=30)
    with LocalWeb(tree=shape) as web:
        options = (
            *(web.tree_urls()[0], "--name", "small", "--scope", "anywhere", *AT_ONCE),
            *("--fetchers", "2", "--schedule-urls", "10", "--segment-seconds", "1000"),
            *resolve_options(shape.names),
        )
        sitting = Crawl(tmp_path, *options)
        sitting.wait_until(lambda: len(web.log()) > 120, "some pages")
        sitting.kill_group()
        staging = tmp_path / "runs" / "small-1" / "staging"
        wait_until(lambda: list(staging.iterdir()), "staged pages")
        visited = [f"http://{entry.host}:{web.port}{entry.path}" for entry in web.log()]
        url = next(one for one in visited[20:] if not one.endswith("robots.txt"))
        forget(tmp_path, "--url", url)
        assert list(staging.iterdir()) == []
        assert_adds_up(statistics(tmp_path), at_rest=False)
        report = Crawl(tmp_path, *options).report()
        # It was a branch, and is gone with what can be found there alone.
        stored = stored_urls(tmp_path)
        assert url not in stored
        assert set(stored.values()) == {1}
        assert set(stored) <= set(web.tree_urls())
        assert_adds_up(report["statistics"])
        assert report["statistics"]["excluded.forgotten"] == 1


def test_not_while_it_runs(tmp_path: Path) -> None:
    shape = TreeShape(depth=5, fanout=5, hosts=4, latency_seconds=0.05)
    with LocalWeb(tree=shape) as web:
        options = (
            *(web.tree_urls()[0], "--name", "small", "--scope", "anywhere", *AT_ONCE),
            *resolve_options(shape.names),
        )
        sitting = Crawl(tmp_path, *options)
        sitting.wait_until(lambda: len(web.log()) > 10, "some pages")
        for arguments in (
            ("forget", "small-1", "--url", web.tree_urls()[0], "--yes"),
            ("run", "tidy", "small-1"),
        ):
            ended = call(*arguments, home=tmp_path)
            assert ended.code == 1
            assert f"Process {sitting.process.pid} is working on 'small-1'" in ended.err
        assert not (tmp_path / "runs" / "small-1" / "tombstones").exists()
        sitting.interrupt()
        sitting.report()


# Retention


def test_pages_that_are_too_old(
    tmp_path: Path, web: SmallWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = crawl(tmp_path, web, retain_days=1, max_depth=1)
    pages = report.statistics["stored.pages"]
    assert call("run", "tidy", "small-1", home=tmp_path).out == "Nothing to tidy up.\n"
    assert statistics(tmp_path)["stored.pages"] == pages
    monkeypatch.setattr("gossamer.app.takedowns._DAY_SECONDS", 0.0)
    ended = call("run", "tidy", "small-1", "--json", home=tmp_path)
    assert (ended.code, ended.object["pages"]) == (0, pages)
    assert readable(tmp_path) == []
    assert traces_in_files(tmp_path / "runs" / "small-1" / "segments", "") == []
    after = statistics(tmp_path)
    assert_adds_up(after)
    assert (after["pages"], after["stored.pages"]) == (report.statistics["pages"], 0)
    # What was visited is not visited again; what comes now is kept until it is too old.
    report = crawl(tmp_path, web, retain_days=1)
    assert asked_for(web, "/news") == 1
    assert readable(tmp_path)
    assert_adds_up(report.statistics)


def test_a_sitting_begins_with_what_is_too_old(
    tmp_path: Path, web: SmallWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl(tmp_path, web, max_depth=1)
    assert web.url("a.test", "/news") in readable(tmp_path)
    monkeypatch.setattr("gossamer.app.takedowns._DAY_SECONDS", 0.0)
    crawl(tmp_path, web, retain_days=1)
    left = readable(tmp_path)
    assert web.url("a.test", "/news") not in left
    assert web.url("a.test", "/deep/3") in left


# The disk


def test_a_run_stops_at_its_share_of_the_disk(tmp_path: Path) -> None:
    shape = TreeShape(depth=5, fanout=4, hosts=4, words=300)
    with LocalWeb(tree=shape) as web:
        options = (
            *(web.tree_urls()[0], "--name", "small", "--scope", "anywhere", *AT_ONCE),
            *("--fetchers", "1", "--schedule-urls", "20", *resolve_options(shape.names)),
        )
        # Slow enough that no machine is done before the disk is looked at.
        small = (*options, "--delay-seconds", "0.02", "--max-disk-bytes", "600000")
        report = Crawl(tmp_path, *small).report()
        assert report["state"] == "stopped"
        assert "max_disk_bytes is reached" in report["reason"]
        assert any("max_disk_bytes" in line for line in report["advice"])
        assert_adds_up(report["statistics"])
        pages = report["statistics"]["pages"]
        assert 0 < pages < shape.pages
        assert report["statistics"]["stored.pages"] == pages
        # Again, it stops there again (publishing may have made a little room); with more room,
        # it goes on to the end.
        again = Crawl(tmp_path, *small).report()
        assert again["state"] == "stopped"
        assert pages <= again["statistics"]["pages"] < shape.pages
        report = Crawl(tmp_path, *options, "--max-disk-bytes", "600000000").report()
        assert report["state"] == "finished"
        assert set(stored_urls(tmp_path).values()) == {1}
        assert len(stored_urls(tmp_path)) == shape.pages
