"""The sites of the real web are what the tests and benchmarks take them for."""

import html
import re
from urllib.parse import urljoin, urlsplit

import pytest

from benchmarks import trap_web
from tests.web import real
from tests.web.sites import Site

_HREF = re.compile(r'href="([^"]*)"')
_ENOUGH = 400


def walk(site: Site, most: int = _ENOUGH) -> dict[str, str]:
    """Path -> page, breadth first from the start page."""
    pages: dict[str, str] = {}
    waiting = ["/"]
    for path in waiting:
        if len(pages) == most:
            break
        page = None if path in pages else site.page(path)
        if page is None:
            continue
        pages[path] = page
        for href in _HREF.findall(page):
            parts = urlsplit(urljoin(f"http://{site.name}{path}", html.unescape(href)))
            if parts.netloc == site.name:
                waiting.append(f"{parts.path}?{parts.query}" if parts.query else parts.path)
    return pages


@pytest.mark.parametrize("site", [*real.GOOD, *real.PLAIN], ids=lambda site: site.name)
def test_a_good_site_has_one_address_for_each_page(site: Site) -> None:
    pages = walk(site)
    assert set(pages) == set(site.paths)
    assert len(set(pages.values())) == len(site.paths)
    assert all(site.identity(path) == path for path in pages)
    assert site.page("/nothing-of-the-kind") is None


@pytest.mark.parametrize("site", real.ENDLESS, ids=lambda site: site.name)
def test_an_endless_site_leads_on_and_on(site: Site) -> None:
    pages = walk(site)
    assert len(pages) == _ENOUGH
    beyond = [path for path in pages if site.identity(path) is None]
    assert len(beyond) == _ENOUGH - len(site.paths)
    assert set(site.paths) <= set(pages)


@pytest.mark.parametrize("site", real.REPEATING, ids=lambda site: site.name)
def test_a_repeating_site_has_few_pages_under_many_addresses(site: Site) -> None:
    pages = walk(site, 200)
    assert {site.identity(path) for path in pages} <= set(site.paths)
    assert len(pages) > 2 * len(site.paths)


def test_mirrors_say_the_same() -> None:
    first, *others = real.MIRRORS
    for path in first.paths:
        assert all(other.page(path) == first.page(path) for other in others)


def test_the_web_of_the_benchmark() -> None:
    sites = trap_web.sites()
    assert len({trap_web.domain_of(site.name) for site in sites}) == 200
    good = [site for site in sites if trap_web.kind_of(site) == "good"]
    assert len(good) == trap_web.GOOD
    assert 23_000 <= sum(len(site.paths) for site in good) <= 25_000
    assert {host.name for host in trap_web.hosts()} == {
        trap_web.START,
        *(site.name for site in sites),
    }
