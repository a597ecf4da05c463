"""The web as it is, crawled by default settings: endless sites are left, all the rest is found."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.crawling import assert_adds_up, crawl_here, stored_rows
from tests.web import LocalWeb
from tests.web.real import ENDLESS, GOOD, MIRRORS, PLAIN, REAL_WEB, REPEATING, SITES
from tests.web.sites import Site, liars, listings, tongues
from tests.web.sites.lists import LongLists

MOST_PAGES = 2_000
"""Of a crawl that ought to end long before."""
FEW = 120
"""Pages of a trap until it is known for one, with those that are on their way by then."""

TRAPS = {
    "calendar.test": "trap.calendar",
    "events.test": "trap.calendar",
    "repeating-path.test": "trap.repetition",
    "growing-path.test": "trap.growth",
    "growing-query.test": "trap.parameters",
    "soft-missing.test": "trap.soft_404",
    "counters.test": "trap.duplicates",
    "facets.test": "trap.parameters",
}
SESSIONS = [site for site in REPEATING if site.name.startswith("session-")]
AGAIN = [site for site in REPEATING if site not in SESSIONS]


@pytest.fixture(scope="module")
def served() -> Iterator[LocalWeb]:
    with LocalWeb(maker=REAL_WEB) as running:
        yield running


@pytest.fixture
def web(served: LocalWeb) -> LocalWeb:
    served.refresh()
    return served


@dataclass(frozen=True)
class Crawled:
    statistics: dict[str, float]
    rows: dict[str, dict[str, Any]]  # host and path -> row
    fetched: Counter[tuple[str, str]]  # (host, path), by the log of the server

    def pages(self, *sites: Site) -> Counter[str | None]:
        """How often each page was fetched, under whatever address; None: what nobody wants."""
        by_name = {site.name: site for site in sites}
        counts: Counter[str | None] = Counter()
        for (host, path), count in self.fetched.items():
            if host in by_name:
                counts[by_name[host].identity(path)] += count
        return counts

    def traps(self) -> dict[str, float]:
        start = "excluded.trap."
        return {name: value for name, value in self.statistics.items() if name.startswith(start)}

    def outcomes(self, host: str, start: str = "/") -> dict[str, str]:
        """Path -> outcome."""
        return {
            name.removeprefix(host): row["outcome"]
            for name, row in self.rows.items()
            if name.startswith(host + start)
        }


def crawl(home: Path, web: LocalWeb, *hosts: str, **settings: Any) -> Crawled:
    values = {"scope": "host", "max_pages": MOST_PAGES, **settings}
    report = crawl_here(home, web, seeds=tuple(web.url(host) for host in hosts), **values)
    assert report.state == "finished"
    assert_adds_up(report.statistics)
    start, port = "http://", f":{web.port}"
    rows = {row["url"].removeprefix(start).replace(port, "", 1): row for row in stored_rows(home)}
    fetched = Counter(
        (entry.host, entry.path) for entry in web.log() if entry.path != "/robots.txt"
    )
    return Crawled(report.statistics, rows, fetched)


# Endless sites


def test_every_endless_site_has_its_name() -> None:
    assert {site.name for site in ENDLESS} == set(TRAPS)


@pytest.mark.parametrize("site", ENDLESS, ids=lambda site: site.name)
def test_an_endless_site_is_left_and_its_pages_are_found(
    tmp_path: Path, web: LocalWeb, site: Site
) -> None:
    crawled = crawl(tmp_path, web, site.name)
    pages = crawled.pages(site)
    assert crawled.statistics["pages"] < MOST_PAGES
    assert set(site.paths) <= set(pages)
    assert pages[None] <= FEW
    assert crawled.statistics.get(f"excluded.{TRAPS[site.name]}", 0) > 0, crawled.traps()


def test_without_traps_an_endless_site_is_followed(tmp_path: Path, web: LocalWeb) -> None:
    """That the tests above can fail."""
    crawled = crawl(tmp_path, web, "calendar.test", traps=False, max_pages=500)
    assert crawled.statistics["pages"] == 500
    assert not crawled.traps()


def test_a_page_that_says_that_it_is_missing_is_no_document(tmp_path: Path, web: LocalWeb) -> None:
    crawled = crawl(tmp_path, web, "soft-missing.test")
    missing = crawled.outcomes("soft-missing.test", "/old/")
    assert set(missing.values()) == {"soft_404"}
    others = len(crawled.rows) - len(missing)
    assert crawled.statistics["documents"] == others
    assert crawled.statistics["done.soft_404"] == len(missing)


# Sites that repeat themselves


@pytest.mark.parametrize("site", SESSIONS, ids=lambda site: site.name)
def test_a_session_id_makes_no_other_page(tmp_path: Path, web: LocalWeb, site: Site) -> None:
    crawled = crawl(tmp_path, web, site.name)
    assert crawled.pages(site) == dict.fromkeys(site.paths, 1)
    assert not crawled.traps()


@pytest.mark.parametrize("site", AGAIN, ids=lambda site: site.name)
def test_pages_that_come_again_and_again_are_left(
    tmp_path: Path, web: LocalWeb, site: Site
) -> None:
    crawled = crawl(tmp_path, web, site.name)
    pages = crawled.pages(site)
    assert set(site.paths) <= set(pages)
    assert pages.total() <= len(site.paths) + FEW
    named = crawled.statistics["duplicates"] + crawled.statistics["near_duplicates"]
    assert named >= 0.5 * (pages.total() - len(site.paths))


def test_mirrors_of_a_host_are_left(tmp_path: Path, web: LocalWeb) -> None:
    names = [site.name for site in MIRRORS]
    crawled = crawl(tmp_path, web, *names)
    pages = crawled.pages(*MIRRORS)
    assert set(MIRRORS[0].paths) <= set(pages)
    assert pages.total() <= len(MIRRORS[0].paths) + FEW
    assert crawled.statistics["duplicates"] == pages.total() - len(MIRRORS[0].paths)


# Good sites


@pytest.mark.parametrize("site", [*GOOD, *PLAIN], ids=lambda site: site.name)
def test_a_good_site_is_visited_whole(tmp_path: Path, web: LocalWeb, site: Site) -> None:
    """No kind of address, and nothing that all pages of a site share, makes it a trap."""
    crawled = crawl(tmp_path, web, site.name)
    assert crawled.pages(site) == dict.fromkeys(site.paths, 1)
    assert not crawled.traps()
    assert crawled.statistics["documents"] == len(site.paths)
    if not isinstance(site, LongLists):  # whose lists do look alike
        assert crawled.statistics["duplicates"] == crawled.statistics["near_duplicates"] == 0


def test_all_of_them_at_once(tmp_path: Path, web: LocalWeb) -> None:
    """Among endless sites and repeating ones, all good pages are found."""
    crawled = crawl(tmp_path, web, "start.test", scope="anywhere", max_pages=3 * MOST_PAGES)
    assert crawled.statistics["pages"] < 3 * MOST_PAGES
    for site in (*ENDLESS, *SESSIONS, *AGAIN, *GOOD, *PLAIN):
        assert set(site.paths) <= set(crawled.pages(site)), site.name
    wanted = sum(len(site.paths) for site in SITES.values()) - sum(
        len(site.paths) for site in MIRRORS[1:]
    )
    assert set(MIRRORS[0].paths) <= set(crawled.pages(*MIRRORS))
    fetched = sum(crawled.fetched.values()) - 1
    assert wanted / fetched >= 0.6
    assert set(TRAPS.values()) <= {name.removeprefix("excluded.") for name in crawled.traps()}


# Listings


def test_sitemaps_of_every_kind(tmp_path: Path, web: LocalWeb) -> None:
    crawled = crawl(tmp_path, web, "sitemaps.test")
    outcomes = crawled.outcomes("sitemaps.test")
    for listing in listings.SITEMAPS:
        paths = listings.paths_of(listing)
        if listing == "broken":  # its last entry is not whole
            paths.pop()
        assert {path: outcomes.get(path) for path in paths} == dict.fromkeys(paths, "ok"), listing
    good = ("index", "deeper-index", "plain", "deep", "encoded", "odd")
    for path in (*(f"/{name}.xml" for name in good), "/gzipped.xml.gz", "/sitemap.txt"):
        assert outcomes[path] == "listing", path
        assert crawled.fetched["sitemaps.test", path] == 1
    assert outcomes["/missing.xml"] == outcomes["/missing-too.xml"] == "http_error"
    assert crawled.fetched["sitemaps.test", "/private/1"] == 0
    assert not any(host == "elsewhere.test" for host, _ in crawled.fetched)
    for at, path in enumerate(listings.paths_of("plain")):
        assert crawled.rows[f"sitemaps.test{path}"]["listed_modified"] == f"2024-05-0{1 + at}"
    # Sitemaps are no pages.
    answered = [path for path, outcome in outcomes.items() if outcome != "listing"]
    assert crawled.statistics["pages"] == len(answered)


def test_sitemaps_of_every_kind_are_read_again(tmp_path: Path, web: LocalWeb) -> None:
    first = crawl(tmp_path, web, "sitemaps.test")
    again = crawl(tmp_path, web, "sitemaps.test", mode="refresh")
    assert again.outcomes("sitemaps.test") == first.outcomes("sitemaps.test")
    assert again.statistics["pages"] == first.statistics["pages"]


def test_without_sitemaps_nobody_asks_for_them(tmp_path: Path, web: LocalWeb) -> None:
    crawled = crawl(tmp_path, web, "sitemaps.test", sitemaps=False)
    assert set(crawled.fetched) == {("sitemaps.test", "/")}


def test_a_sitemap_of_fifty_thousand_pages(tmp_path: Path, web: LocalWeb) -> None:
    crawled = crawl(tmp_path, web, "large-sitemap.test", max_pages=30)
    assert crawled.statistics["pages"] == 30
    assert crawled.statistics["found"] >= listings.LARGE
    articles = [path for _, path in crawled.fetched if path.startswith("/article/")]
    assert len(articles) >= 25


def test_feeds(tmp_path: Path, web: LocalWeb) -> None:
    crawled = crawl(tmp_path, web, "feeds.test")
    outcomes = crawled.outcomes("feeds.test")
    for listing in listings.FEEDS:
        assert outcomes[f"/{listing}.xml"] == "listing"
        paths = listings.paths_of(listing)
        assert {path: outcomes.get(path) for path in paths} == dict.fromkeys(paths, "ok"), listing
    assert "/style.css" not in outcomes


def test_without_feeds_nobody_asks_for_them(tmp_path: Path, web: LocalWeb) -> None:
    crawled = crawl(tmp_path, web, "feeds.test", feeds=False)
    for name in ("rss", "rdf", "atom"):
        assert ("feeds.test", f"/{name}.xml") not in crawled.fetched


# Languages


def test_languages(tmp_path: Path, web: LocalWeb) -> None:
    crawled = crawl(tmp_path, web, "languages.test")
    passages = tongues.passages()
    wrong = {
        (language, found)
        for path, (language, _) in passages.items()
        if (found := crawled.rows[f"languages.test{path}"]["language"]) != language
    }
    assert len(wrong) <= 0.01 * len(passages), wrong


def test_only_the_languages_that_are_asked_for(tmp_path: Path, web: LocalWeb) -> None:
    crawled = crawl(tmp_path, web, "languages.test", languages=("de", "fr"))
    outcomes = crawled.outcomes("languages.test", "/passage/")
    passages = tongues.passages()
    kept = {path for path, (language, _) in passages.items() if language in ("de", "fr")}
    assert {path for path, outcome in outcomes.items() if outcome == "ok"} == kept
    assert {outcome for path, outcome in outcomes.items() if path not in kept} == {"language"}
    assert crawled.statistics["documents"] == len(kept)


# Files


def test_files_under_types_that_they_do_not_have(tmp_path: Path, web: LocalWeb) -> None:
    crawled = crawl(tmp_path, web, "liars.test")
    outcomes = crawled.outcomes("liars.test")
    for path in liars.READABLE:
        assert outcomes[path] == "ok", path
        assert liars.SENTENCE in crawled.rows[f"liars.test{path}"]["text"]
    for path in liars.UNREADABLE:
        assert outcomes[path] in ("unsupported", "unreadable"), path
        assert crawled.rows[f"liars.test{path}"]["text"] == ""
