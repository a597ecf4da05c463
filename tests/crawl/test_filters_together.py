"""The filters of a crawl as settings make them."""

from pathlib import Path
from typing import Any

import pytest

from gossamer.config import CrawlSettings
from gossamer.crawl.filters import Filters, PluginFilter
from gossamer.errors import SettingsError
from gossamer.plugins import Plugins
from gossamer.records import Exclusion
from gossamer.urls import parse

SEED = "http://a.example/docs/start"
SCOPE, PATTERN, BLOCKED = Exclusion.SCOPE, Exclusion.PATTERN, Exclusion.BLOCKED
REPETITION, GROWTH, DEPTH = Exclusion.TRAP_REPETITION, Exclusion.TRAP_GROWTH, Exclusion.DEPTH


def objection(url: str, page: str = SEED, depth: int = 1, **settings: Any) -> Exclusion | None:
    filters = Filters(CrawlSettings(seeds=(SEED,), **settings))
    return filters.objection(parse(url), parse(page), depth)


@pytest.mark.parametrize(
    ("url", "settings", "expected"),
    [
        ("http://a.example/docs/x", {"scope": "prefix"}, None),
        ("http://a.example/x", {"scope": "prefix"}, SCOPE),
        ("http://a.example/x", {"include": ("/docs/*",)}, PATTERN),
        ("http://a.example/docs/x", {"include": ("/docs/*", "/blog/*")}, None),
        ("http://b.example/docs/x", {"include": ("/docs/*",)}, SCOPE),  # within the scope alone
        ("http://b.example/docs/x", {"scope": "patterns", "include": ("/docs/*",)}, None),
        ("http://b.example/x", {"scope": "patterns", "include": ("/docs/*",)}, PATTERN),
        ("http://a.example/x.pdf", {"exclude": ("*.pdf",)}, PATTERN),
        ("http://a.example/x.html", {"exclude": ("*.pdf",)}, None),
        ("http://a.example/x.pdf", {"include": ("/x*",), "exclude": ("*.pdf",)}, PATTERN),
        ("http://a.example/b/b/b/b/b/", {}, REPETITION),
        ("http://a.example/b/b/b/b/b/", {"traps": False}, None),
        ("http://a.example/1/2/3", {"max_path_parts": 2}, GROWTH),
        ("http://a.example/1/2/3", {"max_path_parts": 2, "traps": False}, None),
        ("http://a.example/?1&2&3", {"max_parameters": 2}, GROWTH),
        ("http://a.example/?1&2&3", {"max_parameters": 2, "traps": False}, None),
    ],
)
def test_settings(url: str, settings: dict[str, Any], expected: Exclusion | None) -> None:
    assert objection(url, **settings) == expected


def test_what_depends_on_the_address_alone_goes_before_the_depth() -> None:
    for url, expected in (
        ("http://a.example/x.pdf", PATTERN),
        ("http://a.example/b/b/b/b/", REPETITION),
        ("http://a.example/x", DEPTH),
    ):
        assert objection(url, depth=2, max_depth=1, exclude=("*.pdf",)) == expected
    assert objection("http://b.example/x.pdf", exclude=("*.pdf",)) is SCOPE


def test_block_lists(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("bad.example\n")
    settings: dict[str, Any] = {"block_lists": (str(path),), "scope": "anywhere"}
    assert objection("http://www.bad.example/", **settings) is BLOCKED
    assert objection("http://good.example/", **settings) is None


def test_a_scope_of_patterns_needs_some() -> None:
    with pytest.raises(SettingsError, match="'include'"):
        Filters(CrawlSettings(seeds=(SEED,), scope="patterns"))


@pytest.mark.parametrize(
    ("url", "settings", "expected"),
    [
        ("http://elsewhere.example/sitemap.xml", {}, None),
        ("http://a.example/sitemap.xml", {"scope": "prefix"}, None),
        ("http://a.example/sitemap.xml", {"scope": "patterns", "include": ("/blog/*",)}, None),
        ("http://a.example/sitemap.xml", {"exclude": ("*.xml",)}, PATTERN),
        ("http://a.example/b/b/b/sitemap.xml", {}, None),
        ("http://a.example/bb/bb/bb/sitemap.xml", {}, REPETITION),
        ("http://a.example/sitemap.xml", {"max_depth": 0}, DEPTH),
        ("http://a.example/sitemap.xml", {"max_depth": 1}, None),
    ],
)
def test_a_listing_may_lie_anywhere(
    url: str, settings: dict[str, Any], expected: Exclusion | None
) -> None:
    filters = Filters(CrawlSettings(seeds=(SEED,), **settings))
    page = parse("http://a.example/robots.txt")
    assert filters.listing_objection(parse(url), page, 1) == expected


def test_a_filter_of_a_plugin(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def keep_url(url, page): return 'yes' in url and page.endswith('start')")
    plugins = Plugins([str(path)])
    filters = Filters(CrawlSettings(seeds=(SEED,), max_depth=1), [PluginFilter(plugins)])

    def ask(url: str, page: str = SEED, depth: int = 1) -> Exclusion | None:
        return filters.objection(parse(url), parse(page), depth)

    assert ask("http://a.example/yes") is None
    assert ask("http://a.example/no") is Exclusion.FILTER
    assert ask("http://a.example/yes", "http://a.example/") is Exclusion.FILTER
    assert ask("http://a.example/no", depth=2) is Exclusion.FILTER
    assert ask("http://b.example/no") is SCOPE
