from typing import Any

import pytest

from gossamer.config import CrawlSettings
from gossamer.crawl.filters import Filters
from gossamer.records import Exclusion
from gossamer.urls import Url, parse

SEEDS = ("http://a.example/start", "https://www.b.example/")


def objection(url: str, page: str = SEEDS[0], depth: int = 1, **settings: Any) -> Exclusion | None:
    filters = Filters(CrawlSettings(seeds=SEEDS, **settings))
    return filters.objection(parse(url), parse(page), depth)


@pytest.mark.parametrize(
    ("url", "host", "domain"),
    [
        ("http://a.example/x", True, True),
        ("https://a.example/x", True, True),  # another scheme of the same host
        ("http://a.example:81/x", False, True),
        ("http://www.a.example/", False, True),
        ("https://www.b.example/x", True, True),
        ("https://b.example/", False, True),
        ("http://c.example/", False, False),
        ("http://example/", False, False),
    ],
)
def test_scope(url: str, host: bool, domain: bool) -> None:
    assert objection(url) == (None if host else Exclusion.SCOPE)
    assert objection(url, scope="domain") == (None if domain else Exclusion.SCOPE)
    assert objection(url, scope="anywhere") is None


def test_a_page_of_the_crawl_keeps_its_host_in(  # a seed was redirected there
) -> None:
    page = "http://c.example/new-home"
    assert objection("http://c.example/x", page) is None
    assert objection("http://www.c.example/x", page) is Exclusion.SCOPE
    assert objection("http://www.c.example/x", page, scope="domain") is None
    assert objection("http://d.example/x", page) is Exclusion.SCOPE
    assert objection("http://a.example/x", page) is None


@pytest.mark.parametrize(
    ("limit", "depth", "expected"),
    [
        (None, 10**6, None),
        (0, 0, None),
        (0, 1, Exclusion.DEPTH),
        (2, 2, None),
        (2, 3, Exclusion.DEPTH),
    ],
)
def test_depth(limit: int | None, depth: int, expected: Exclusion | None) -> None:
    assert objection("http://a.example/x", depth=depth, max_depth=limit) == expected


def test_what_is_out_of_scope_is_so_at_any_depth() -> None:
    assert objection("http://c.example/", depth=9, max_depth=1) is Exclusion.SCOPE


class NoQueries:
    def objection(self, url: Url, page: Url, depth: int) -> Exclusion | None:
        return Exclusion.FILTER if "?" in url.href else None


def test_filters_of_others_are_asked_between_scope_and_depth() -> None:
    filters = Filters(CrawlSettings(seeds=SEEDS, max_depth=1), [NoQueries()])
    page = parse(SEEDS[0])

    def ask(url: str, depth: int) -> Exclusion | None:
        return filters.objection(parse(url), page, depth)

    assert ask("http://a.example/x", 1) is None
    assert ask("http://a.example/?x", 1) is Exclusion.FILTER
    assert ask("http://a.example/?x", 2) is Exclusion.FILTER
    assert ask("http://c.example/?x", 1) is Exclusion.SCOPE
    assert ask("http://a.example/x", 2) is Exclusion.DEPTH
