import pytest

from gossamer.crawl.scopes import DomainScope, HostScope, PrefixScope
from gossamer.records import Exclusion
from gossamer.urls import parse

SEEDS = ("https://a.example/docs/guide/start.html?x=/y/", "http://b.example/wiki/")


def in_scope(url: str, page: str = SEEDS[0]) -> bool:
    scope = PrefixScope([parse(seed) for seed in SEEDS])
    objection = scope.objection(parse(url), parse(page), 1)
    assert objection in (None, Exclusion.SCOPE)
    return objection is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/docs/guide/", True),
        ("https://a.example/docs/guide/deep/er?q", True),
        ("http://a.example/docs/guide/other", True),  # the other scheme
        ("https://a.example/docs/guide", False),
        ("https://a.example/docs/", False),
        ("https://a.example/docs/guidelines/", False),
        ("https://a.example/", False),
        ("https://a.example/?/docs/guide/", False),
        ("http://b.example/wiki/x", True),
        ("http://b.example/docs/guide/x", False),  # the folder of another host's seed
        ("https://a.example/wiki/x", False),
        ("https://www.a.example/docs/guide/x", False),
    ],
)
def test_the_folders_of_the_seeds(url: str, expected: bool) -> None:
    assert in_scope(url) is expected
    assert in_scope(url, "http://b.example/wiki/deep/page") is expected


def test_a_seed_that_was_redirected_to_another_host() -> None:
    page = "https://www.a.example/docs/guide/start.html"
    assert in_scope(page, page)  # the redirect itself
    assert in_scope("https://www.a.example/docs/guide/x", page)
    assert in_scope("https://www.a.example/docs/guide/x", "https://www.a.example/docs/guide/y/z")
    assert not in_scope("https://www.a.example/docs/", page)
    assert in_scope("https://a.example/docs/guide/x", page)
    assert not in_scope("https://c.example/docs/guide/x", page)


def test_a_seed_that_was_redirected_to_another_folder() -> None:
    page = "https://a.example/en/docs/start"
    assert in_scope(page, page)
    assert in_scope("https://a.example/en/docs/deep/x", page)
    assert not in_scope("https://a.example/en/x", page)
    assert not in_scope("https://a.example/de/docs/x", page)


def test_a_page_within_brings_nothing_of_its_host_in() -> None:
    assert not in_scope("https://a.example/blog/", "https://a.example/docs/guide/x")


@pytest.mark.parametrize("host", ["a.example", "www.a.example"])
def test_a_robots_file_speaks_for_no_folder(host: str) -> None:
    page = f"https://{host}/robots.txt"
    assert not in_scope(f"https://{host}/x", page)
    assert in_scope(f"https://{host}/docs/guide/x", page)


class Listed:
    """Seeds of a list: http://c.example/x/1 and what is like it."""

    hosts = frozenset({"c.example"})
    sites = frozenset({"c.example"})

    def has_folder_of(self, href: str) -> bool:
        return href.startswith("http://c.example/x/")


@pytest.mark.parametrize(
    ("url", "host", "domain", "prefix"),
    [
        ("http://c.example/x/2", True, True, True),
        ("http://c.example/y", True, True, False),
        ("http://www.c.example/x/2", False, True, False),
        ("http://d.example/x/2", False, False, False),
        ("https://a.example/docs/guide/", True, True, True),
    ],
)
def test_seeds_of_lists(url: str, host: bool, domain: bool, prefix: bool) -> None:
    seeds = [parse(seed) for seed in SEEDS]
    for scope, expected in (
        (HostScope(seeds, Listed()), host),
        (DomainScope(seeds, Listed()), domain),
        (PrefixScope(seeds, Listed()), prefix),
    ):
        for page in (SEEDS[0], "http://c.example/x/1"):
            objection = scope.objection(parse(url), parse(page), 1)
            assert objection == (None if expected else Exclusion.SCOPE)
