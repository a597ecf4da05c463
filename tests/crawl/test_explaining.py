"""The rule behind an exclusion, found by asking."""

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import CrawlSettings
from gossamer.crawl.explaining import (
    Place,
    Rule,
    explain_filters,
    explain_robots,
    wider_scope,
)
from gossamer.crawl.filters import Filters
from gossamer.crawl.robots import RobotsRules
from gossamer.records import Exclusion, RobotsFile
from gossamer.urls import parse

AGENT = "Gossamer"
SEED = parse("http://www.example.org/start")


def robots(*lines: str, status: int = 200) -> RobotsFile:
    return RobotsFile("http://www.example.org", 0.0, status, "\n".join(lines))


def line_for(path: str, *lines: str) -> int:
    rule = explain_robots(robots(*lines), AGENT, parse(f"http://www.example.org{path}"))
    assert rule is not None
    if rule.line:
        assert rule.text == lines[rule.line - 1].strip()
    return rule.line


def test_the_line_that_closes_it() -> None:
    lines = ("User-agent: *", "Disallow: /a", "", "# hm", "Disallow: /b  # because")
    assert line_for("/a/x", *lines) == 2
    assert line_for("/b", *lines) == 5
    assert explain_robots(robots(*lines), AGENT, parse("http://www.example.org/c")) is None


def test_the_longest_line_counts() -> None:
    lines = ("User-agent: *", "Disallow: /a", "Allow: /a/b", "Disallow: /a/b/c", "Disallow: /*x")
    assert line_for("/a/b/c", *lines) == 4
    assert line_for("/a/y", *lines) == 2


def test_only_our_group_counts() -> None:
    lines = (
        *("User-agent: other", "Disallow: /", ""),
        *("User-agent: gossamer/1.0", "Disallow: /a", ""),
        *("User-agent: *", "Disallow: /a/long"),
    )
    assert line_for("/a/long", *lines) == 5


def test_line_ends_of_any_kind() -> None:
    file = RobotsFile(
        "http://www.example.org", 0.0, 200, "User-agent: *\r\nDisallow: /a\rDisallow: /b"
    )
    for path, line in (("/a", 2), ("/b", 3)):
        rule = explain_robots(file, AGENT, parse(f"http://www.example.org{path}"))
        assert rule is not None
        assert rule.line == line


def test_a_file_that_could_not_be_had_has_no_line() -> None:
    rule = explain_robots(robots(status=503), AGENT, parse("http://www.example.org/a"))
    assert rule == Rule(file="http://www.example.org/robots.txt")


_PATHS = st.sampled_from(["/", "/a", "/a/b", "/a*", "/*b$", "/a/b/c", "", "/ab?c"])
_LINES = st.lists(
    st.builds(
        lambda field, value: f"{field}: {value}",
        st.sampled_from(["User-agent", "Disallow", "Allow", "disalow", "Crawl-delay"]),
        _PATHS | st.sampled_from(["*", "Gossamer", "other"]),
    ),
    max_size=12,
)


@given(_LINES, st.sampled_from(["/", "/a", "/a/b", "/a/b/c", "/ab?c", "/b"]))
def test_a_line_is_told_for_all_that_is_closed(lines: list[str], path: str) -> None:
    url = parse(f"http://www.example.org{path}")
    file = robots(*lines)
    rule = explain_robots(file, AGENT, url)
    assert (rule is None) == RobotsRules.of(file, AGENT).allows(url.href)
    if rule is not None:
        assert rule.text == lines[rule.line - 1].strip()
        alone = robots("User-agent: *", lines[rule.line - 1])
        assert not RobotsRules.of(alone, AGENT).allows(url.href)


def _real_files() -> Iterator[str]:
    path = Path(os.environ.get("GOSSAMER_DATA", ""), "robots", "real-robots-sample.tar.gz")
    if not os.environ.get("GOSSAMER_DATA") or not path.exists():
        pytest.skip("GOSSAMER_DATA names no folder with real files")
    with tarfile.open(path) as archive:
        for member in archive.getmembers()[::10]:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                yield file.read().decode("utf-8", "replace")


def test_real_files() -> None:
    told = 0
    for text in _real_files():
        file = RobotsFile("http://www.example.org", 0.0, 200, text)
        for line in text.splitlines()[:200:5]:
            path = line.partition(":")[2].partition("#")[0].strip().replace("*", "x").strip("$")
            if not line.lower().startswith("disallow") or not path.startswith("/"):
                continue
            url = parse(f"http://www.example.org{path}")
            rule = explain_robots(file, AGENT, url)
            if not RobotsRules.of(file, AGENT).allows(url.href):
                assert rule is not None
                assert rule.line
                told += 1
    assert told > 50


# Filters


def test_the_scope_that_would_do() -> None:
    settings = CrawlSettings(seeds=(SEED.href,))
    places = [Place(SEED, 1)]
    assert wider_scope(settings, parse("http://shop.example.org/"), places) == "domain"
    assert wider_scope(settings, parse("http://other.example/"), places) == "anywhere"
    everywhere = settings.model_copy(update={"scope": "anywhere"})
    assert wider_scope(everywhere, parse("http://other.example/"), places) == ""


def asked(address: str, exclusion: Exclusion, **settings: Any) -> Rule | None:
    """The rule, after the filters themselves have said that there is one."""
    crawl = CrawlSettings(seeds=(SEED.href,), scope="anywhere", **settings)
    url = parse(address)
    assert Filters(crawl).objection(url, SEED, 1) is exclusion
    return explain_filters(crawl, url, exclusion)


def test_the_pattern() -> None:
    patterns = {"exclude": ("*.pdf", "re:/tag/", "/print/*"), "include": ("*.example.org",)}
    for address, setting, text in (
        ("http://www.example.org/print/x", "exclude", "/print/*"),
        ("http://www.example.org/a/tag/b", "exclude", "re:/tag/"),
        ("http://other.example/tag/", "include", "*.example.org"),
    ):
        assert asked(address, Exclusion.PATTERN, **patterns) == Rule(setting=setting, text=text)


def test_the_line_of_a_list(tmp_path: Path) -> None:
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("# hosts\nbad.example\n")
    second.write_text("! ads\n\n||ads.example^\n0.0.0.0 worse.example\n")
    lists = {"block_lists": (str(first), str(second))}
    for address, file, line, text in (
        ("http://www.bad.example:8080/x", first, 2, "bad.example"),
        ("http://ads.example/", second, 3, "||ads.example^"),
        ("http://a.b.worse.example/", second, 4, "0.0.0.0 worse.example"),
    ):
        rule = asked(address, Exclusion.BLOCKED, **lists)
        assert rule == Rule(setting="block_lists", file=str(file), line=line, text=text)


def test_a_list_that_is_gone_is_no_fault() -> None:
    settings = CrawlSettings(seeds=(SEED.href,), block_lists=("/nowhere/list.txt",))
    url = parse("http://other.example/")
    assert explain_filters(settings, url, Exclusion.BLOCKED) is None


def test_addresses_that_grow() -> None:
    path = "/".join(map(str, range(25)))
    rule = asked(f"http://www.example.org/{path}", Exclusion.TRAP_GROWTH)
    assert rule == Rule(setting="max_path_parts", text="its path has 25 parts")
    query = "&".join(f"p{number}=1" for number in range(13))
    rule = asked(f"http://www.example.org/?{query}", Exclusion.TRAP_GROWTH)
    assert rule == Rule(setting="max_parameters", text="it has 13 parameters")
    rule = asked("http://www.example.org/?a=1&a=2&a=3&a=4", Exclusion.TRAP_GROWTH)
    assert rule == Rule(text="it has 4 parameters called 'a'")
    rule = asked("http://www.example.org/x/news/news/news", Exclusion.TRAP_REPETITION)
    assert rule == Rule(text="'news' is 3 times in its path")


def test_what_does_not_depend_on_the_address() -> None:
    settings = CrawlSettings(seeds=(SEED.href,))
    for exclusion in (Exclusion.DEPTH, Exclusion.LINK_LIMIT, Exclusion.TRAP_CALENDAR):
        assert explain_filters(settings, SEED, exclusion) is None
