"""Ways to pages other than links, and pages that nobody wants: whole crawls."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.app import Report
from gossamer.errors import SettingsError
from tests.crawling import AT_ONCE, Crawl, assert_adds_up, crawl_here, resolve_options, stored_rows
from tests.web import LocalWeb

Rows = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def running() -> Iterator[LocalWeb]:
    with LocalWeb(maker="tests.e2e.discovered:hosts") as web:
        yield web


@pytest.fixture
def web(running: LocalWeb) -> LocalWeb:
    running.refresh()
    return running


def crawl(home: Path, web: LocalWeb, *seeds: str, **settings: Any) -> tuple[Report, Rows]:
    """The report, and the rows by host and path."""
    addresses = tuple(f"http://{seed.replace('/', f':{web.port}/', 1)}" for seed in seeds)
    report = crawl_here(home, web, **{"seeds": addresses, "scope": "host", **settings})
    assert_adds_up(report.statistics)
    return report, rows_of(home, web)


def rows_of(home: Path, web: LocalWeb) -> Rows:
    return {
        row["url"].removeprefix("http://").replace(f":{web.port}", ""): row
        for row in stored_rows(home)
    }


def requests(web: LocalWeb) -> Counter[str]:
    return Counter(entry.host + entry.path for entry in web.log())


def outcomes(rows: Rows, outcome: str) -> set[str]:
    return {place for place, row in rows.items() if row["outcome"] == outcome}


# -- Sitemaps


@pytest.mark.parametrize("queue_servers", [1, 3])
def test_sitemaps_of_robots_files(tmp_path: Path, web: LocalWeb, queue_servers: int) -> None:
    report, rows = crawl(tmp_path, web, "mapped.test/", queue_servers=queue_servers)
    nested = {f"mapped.test/nest/{number}" for number in range(5)}
    leaves = {f"mapped.test/leaf/{number}.xml" for number in range(4)}
    assert outcomes(rows, "listing") == nested | leaves | {"keeper.test/map.xml"}
    named = {f"mapped.test/from/leaf/{number}" for number in range(4)}
    assert outcomes(rows, "ok") == {"mapped.test/", "mapped.test/far"} | named
    statistics = report.statistics
    assert statistics["pages"] == statistics["documents"] == 6  # listings are no pages
    assert statistics["found.sitemap"] == len(nested) + len(leaves) + 8 + 1
    assert statistics["excluded.scope"] == 1  # what the keeper says of itself
    assert statistics["excluded.trap.growth"] == 2  # the fifth within the fourth
    assert rows["mapped.test/far"]["parent"].endswith("/map.xml")
    assert rows["mapped.test/far"]["depth"] == 1


def test_an_answer_full_of_links_goes_out_early(
    tmp_path: Path, web: LocalWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = crawl(tmp_path / "whole", web, "mapped.test/", connections_per_host=4)
    monkeypatch.setattr("gossamer.crawl.fetcher._ENOUGH_LINKS", 1)
    early = crawl(tmp_path / "early", web, "mapped.test/", connections_per_host=4)
    assert set(early[1]) == set(whole[1])
    assert early[0].statistics["commits"] > whole[0].statistics["commits"]


def test_sitemaps_can_be_left_out(tmp_path: Path, web: LocalWeb) -> None:
    _, rows = crawl(tmp_path, web, "mapped.test/", sitemaps=False)
    assert set(rows) == {"mapped.test/"}


def test_seeds_alone_read_no_sitemaps(tmp_path: Path, web: LocalWeb) -> None:
    report, rows = crawl(tmp_path, web, "mapped.test/", max_depth=0)
    assert set(rows) == {"mapped.test/"}
    assert report.statistics["excluded.depth"] == 2


def test_a_sitemap_as_a_seed(tmp_path: Path, web: LocalWeb) -> None:
    _, rows = crawl(tmp_path, web, "mapped.test/leaf/7.xml", obey_robots=False)
    assert outcomes(rows, "listing") == {"mapped.test/leaf/7.xml"}
    assert outcomes(rows, "ok") == {"mapped.test/from/leaf/7"}


def test_sitemaps_in_processes(tmp_path: Path, web: LocalWeb) -> None:
    options = (*AT_ONCE, "--fetchers", "2", "--queue-servers", "2")
    names = resolve_options(["mapped.test", "keeper.test"])
    seed = f"http://mapped.test:{web.port}/"
    report = Crawl(tmp_path, seed, *options, *names).report()
    assert_adds_up(report["statistics"])
    assert report["statistics"]["pages"] == 6
    assert "mapped.test/far" in rows_of(tmp_path, web)


# -- Addresses that are the same


def test_one_page_under_many_addresses(tmp_path: Path, web: LocalWeb) -> None:
    report, rows = crawl(tmp_path, web, "spelled.test/")
    pages = {place: row for place, row in rows.items() if row["outcome"] == "ok"}
    titles = Counter(row["title"].partition(";")[0] for row in pages.values())
    assert titles == Counter(["Start", "A", "B", "C", "/d", "/e?sid=1", "/e?sid=2"])
    # The redirects between them were followed, and led to the page itself.
    port = f":{web.port}"
    assert [via.replace(port, "") for via in pages["spelled.test/a/"]["via"]] == [
        "http://spelled.test/a/index.html"
    ]
    assert "spelled.test/c/index.html" in pages
    assert outcomes(rows, "redirect_loop") == {"spelled.test/circle/index.html"}
    counts = requests(web)
    assert sum(count for place, count in counts.items() if "/d" in place) == 1
    assert sum(count for place, count in counts.items() if "/b" in place) == 1
    assert report.statistics["requests"] == counts.total()


def test_every_address_can_be_a_page_of_its_own(tmp_path: Path, web: LocalWeb) -> None:
    rules = {"drop_parameters": (), "drop_session_ids": False, "index_files": ()}
    _, rows = crawl(tmp_path, web, "spelled.test/", **rules)
    assert len([place for place in rows if place.startswith("spelled.test/d")]) == 3
    assert outcomes(rows, "redirect") >= {"spelled.test/a/index.html", "spelled.test/c/"}


def test_a_seed_is_the_same_page_too(tmp_path: Path, web: LocalWeb) -> None:
    crawl(tmp_path, web, "spelled.test/b?utm_source=seed", "spelled.test/")
    assert sum(count for place, count in requests(web).items() if "/b" in place) == 1


# -- Pages that are not wanted


def test_languages(tmp_path: Path, web: LocalWeb) -> None:
    report, rows = crawl(tmp_path, web, "tongues.test/", languages=("en", "fr"))
    assert outcomes(rows, "language") == {"tongues.test/de"}
    row = rows["tongues.test/de"]
    assert (row["text"], row["language"], row["warc_length"]) == ("", "de", 0)
    assert rows["tongues.test/de/more"]["outcome"] == "ok"  # its links were followed
    assert report.statistics["documents"] == report.statistics["pages"] - 1


def test_a_page_that_says_that_it_does_not_exist(tmp_path: Path, web: LocalWeb) -> None:
    report, rows = crawl(tmp_path, web, "parts.test/")
    assert outcomes(rows, "soft_404") == {"parts.test/soft"}
    assert "parts.test/behind" not in rows
    assert report.statistics["documents"] == report.statistics["pages"] - 1


def test_links_of_some_parts(tmp_path: Path, web: LocalWeb) -> None:
    _, rows = crawl(tmp_path, web, "parts.test/", link_scope="//main | //p[not(ancestor::nav)]")
    assert set(rows) == {f"parts.test/{path}" for path in ("", "in", "deeper", "foot", "soft")}
    assert rows["parts.test/"]["link_count"] == 4


def test_patterns_and_lists(tmp_path: Path, web: LocalWeb) -> None:
    blocked = tmp_path / "blocked.txt"
    blocked.write_text("tongues.test\n")
    report, rows = crawl(
        *(tmp_path / "home", web, "parts.test/", "mapped.test/"),
        scope="patterns",
        include=("parts.test", "mapped.test/far", "re:/from/leaf/[0-2]$"),
        exclude=("/foot",),
        block_lists=(str(blocked),),
    )
    assert outcomes(rows, "ok") == {
        *(f"parts.test/{path}" for path in ("", "menu", "in", "deeper")),
        *("mapped.test/", "mapped.test/far"),
        *(f"mapped.test/from/leaf/{number}" for number in range(3)),
    }
    # The page that excludes itself, the fourth leaf, and what the keeper says of itself.
    assert report.statistics["excluded.pattern"] == 3


# -- Plugins

PLUGIN = """
import csv, io

def keep_url(url, page):
    return not url.endswith('/menu')

def on_page(page):
    if page.title == 'Foot':
        raise ValueError('no foot')
    return {'length': len(page.title), 'link_score': 900}

class Tables:
    media_types = {'text/csv'}
    def read(self, page):
        rows = list(csv.reader(io.StringIO(page.body.decode())))
        return {'title': 'Table', 'text': ' '.join(rows[1]), 'links': ['/behind']}
"""


@pytest.mark.parametrize("processes", [False, True])
def test_plugins(tmp_path: Path, web: LocalWeb, processes: bool) -> None:
    path = tmp_path / "mine.py"
    path.write_text(PLUGIN)
    report, rows = crawl(
        *(tmp_path / "home", web, "parts.test/", "parts.test/table.csv"),
        plugins=(str(path),),
        processes=processes,
    )
    assert "parts.test/menu" not in rows
    assert report.statistics["excluded.filter"] == 1
    assert rows["parts.test/in"]["fields"] == '{"length": 2}'
    assert rows["parts.test/foot"]["fields"] == ""
    assert rows["parts.test/foot"]["detail"] == "plugin mine.py, line 9: ValueError: no foot"
    assert rows["parts.test/foot"]["outcome"] == "ok"
    table = rows["parts.test/table.csv"]
    assert (table["outcome"], table["text"]) == ("ok", "Table\nlamp 17")
    assert "parts.test/behind" in rows


def test_a_plugin_that_does_not_load(tmp_path: Path, web: LocalWeb) -> None:
    path = tmp_path / "mine.py"
    path.write_text("\n\nimport no_such_module_anywhere\n")
    with pytest.raises(SettingsError, match=rf"'{path}' cannot be loaded: line 3: ModuleNotFound"):
        crawl(tmp_path / "home", web, "parts.test/", plugins=(str(path),))
    assert not (tmp_path / "home").exists()
    assert web.log() == []
