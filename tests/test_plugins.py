import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gossamer.discovery import ListingKind
from gossamer.errors import SettingsError
from gossamer.plugins import EnrichedContent, Plugins, check_plugins
from gossamer.records import FoundLink, Outcome, PageContent, RawPage, Unread
from gossamer.urls import parse

Write = Callable[[str], str]
PAGE = RawPage("http://a.example/x", "text/html", "utf-8", b"")
CONTENT = PageContent(
    title="Owls",
    text="Owls\nThey fly at night.",
    language="en",
    links=(FoundLink(parse("http://a.example/y"), "more", False),),
)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    names = iter(range(100))

    def written(source: str) -> str:
        path = tmp_path / f"plugin{next(names)}.py"
        path.write_text(source)
        return str(path)

    return written


def enriched(*sources: str, write: Write) -> Any:
    return Plugins([write(source) for source in sources]).enriched(PAGE, CONTENT)


def fields_of(plugins: Plugins) -> str:
    content = plugins.enriched(PAGE, CONTENT)
    assert isinstance(content, EnrichedContent)
    return content.fields


# -- What a file may hold


def test_functions(write: Write) -> None:
    plugins = Plugins(
        [
            write("def keep_url(url, page): return 'y' in url"),
            write("def on_page(page): return {'words': len(page.text.split())}"),
        ]
    )
    assert plugins.keeps("http://a.example/y", "http://a.example/")
    assert not plugins.keeps("http://a.example/x", "http://a.example/")
    assert fields_of(plugins) == '{"words": 5}'


def test_classes(write: Write) -> None:
    source = """
from dataclasses import dataclass, field
@dataclass
class Counting:
    seen: list = field(default_factory=list)
    def keep_url(self, url, page):
        return url not in self.seen
    def on_page(self, page):
        self.seen.append(page.url)
        return {"number": len(self.seen)}
class _Hidden:
    def on_page(self, page): raise SystemExit
class Other:
    pass
"""
    plugins = Plugins([write(source)])
    assert plugins.keeps(PAGE.url, "")
    assert [fields_of(plugins) for _ in range(2)] == ['{"number": 1}', '{"number": 2}']
    assert not plugins.keeps(PAGE.url, "")


def test_a_reader(write: Write) -> None:
    source = """
class Csv:
    media_types = {"text/CSV"}
    def read(self, page): return page.body.decode()
"""
    plugins = Plugins([write(source)])
    (reader,) = plugins.readers
    assert reader.media_types == {"text/csv"}
    assert plugins.reads("text/csv")
    assert not plugins.reads("text/html")
    assert not plugins.has_page_hooks
    assert not plugins.has_url_filters


def test_classes_of_other_modules_are_not_taken(write: Write) -> None:
    source = "from gossamer.plugins import *\nfrom io import StringIO\ndef on_page(page): pass"
    plugins = Plugins([write(source)])
    assert plugins.readers == []


# -- What a page gets


def test_what_on_page_is_given(write: Write) -> None:
    source = """
def on_page(page):
    (link,) = page.links
    return {"all": "|".join([page.url, page.title, page.text, page.language, link.url.href])}
"""
    assert json.loads(enriched(source, write=write).fields) == {
        "all": "http://a.example/x|Owls|Owls\nThey fly at night.|en|http://a.example/y"
    }


def test_fields_of_several(write: Write) -> None:
    content = enriched(
        "def on_page(page): return {'b': 'ä', 'a': 1.5}",
        "def on_page(page): return None",
        "def on_page(page): return {'c': True, 'b': 'later'}",
        write=write,
    )
    assert content.fields == '{"a": 1.5, "b": "later", "c": true}'
    assert (content.link_score, content.plugin_notes) == (-1, ())
    assert (content.title, content.links) == (CONTENT.title, CONTENT.links)


def test_nothing_to_say_changes_nothing(write: Write) -> None:
    assert enriched("def on_page(page): return {}", write=write) is CONTENT


@pytest.mark.parametrize(
    ("returned", "score"), [("17", 17), ("-5", 0), ("1e9", 1000), ("0.4", 0), ("True", 1)]
)
def test_link_scores(write: Write, returned: str, score: int) -> None:
    content = enriched(f"def on_page(page): return {{'link_score': {returned}}}", write=write)
    assert (content.link_score, content.fields) == (score, "")


def test_the_best_of_several_link_scores_counts(write: Write) -> None:
    sources = [f"def on_page(page): return {{'link_score': {score}}}" for score in (5, 50, 20)]
    assert enriched(*sources, write=write).link_score == 50


def test_listings_and_unread_pages_are_left_alone(write: Write) -> None:
    plugins = Plugins([write("def on_page(page): return {'x': 1}")])
    unread = Unread(Outcome.UNREADABLE, "why")
    listing = RawPage("http://a.example/map", ListingKind.SITEMAP.value, "", b"")
    marked: list[int] = []
    process = plugins.around(lambda pages, at: [unread, CONTENT, CONTENT])
    first, second, third = process([PAGE, listing, PAGE], marked.append)
    assert first is unread
    assert second is CONTENT
    assert isinstance(third, EnrichedContent)
    assert marked == [1, 2]  # in case that the plugin takes the process down


def test_without_hooks_nothing_is_in_between(write: Write) -> None:
    plugins = Plugins([write("def keep_url(url, page): return True")])

    def process(pages: Any, at: Any) -> Any:
        raise NotImplementedError

    assert plugins.around(process) is process
    assert Plugins().around(process) is process


# -- Faults at run time


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ("raise ValueError('no\\n  price')", "line 2: ValueError: no price"),
        ("return page.nothing", "line 2: AttributeError"),
        ("return 5", "'on_page' must return a dict or None, not int"),
        ("return {'a': [1]}", "the field 'a' must be a text or a number"),
        ("return {1: 'a'}", "the field 1 must be a text or a number"),
        ("return {'a': float('nan')}", "must be a finite number"),
        ("return {'link_score': 'x'}", "'link_score' must be a number"),
        ("return {'a': 'x' * 200_000}", "more than 100,000 characters"),
    ],
)
def test_what_goes_wrong_is_a_note(write: Write, body: str, note: str) -> None:
    content = enriched(
        f"def on_page(page):\n    {body}", "def on_page(page): return {'b': 1}", write=write
    )
    (noted,) = content.plugin_notes
    assert note in noted
    assert "\n" not in noted
    assert len(noted) <= 200
    assert content.fields == ("" if "characters" in note else '{"b": 1}')


def test_half_a_character_in_a_field(write: Write) -> None:
    content = enriched("def on_page(page): return {'a': '\\ud800'}", write=write)
    assert json.loads(content.fields.encode("utf-8", "replace")) == {"a": "?"}


def test_a_filter_that_fails_has_no_say(write: Write) -> None:
    plugins = Plugins(
        [
            write("def keep_url(url, page):\n    raise KeyError(url)"),
            write("def keep_url(url, page): return 'y' in url"),
        ]
    )
    assert plugins.keeps("y", "")
    assert not plugins.keeps("x", "")
    assert plugins.taken_notes() == [
        f"plugin plugin0.py, line 2: KeyError: '{url}'" for url in ("y", "x")
    ]
    assert plugins.taken_notes() == []


# -- Faults at load time

WRONG = [
    ("def on_page(page):\n  return (", "line 2: .*never closed"),
    ("import json\n\nundefined_name", "line 3: NameError: name 'undefined_name'"),
    ("import no_such_module_anywhere", "line 1: ModuleNotFoundError"),
    ("raise SystemExit('gone')", "line 1: SystemExit: gone"),
    ("x = 1", "defines nothing"),
    ("", "defines nothing"),
    ("def on_page(): pass", "line 1: 'on_page' must take 1 argument"),
    ("\n\ndef keep_url(url): pass", "line 3: 'keep_url' must take 2 arguments"),
    ("async def on_page(page): pass", "ordinary function"),
    (
        "class A:\n  def __init__(self, x): pass\n  def on_page(self, page): pass",
        "A\\(\\): TypeError",
    ),
    ("class A:\n  def on_page(self): pass", "'on_page' must take 1 argument"),
    ("class A:\n  media_types = {'text/csv'}", "A has 'media_types', and no 'read'"),
    ("class A:\n  media_types = 'text/csv'\n  def read(self, page): pass", "a set of texts"),
    ("class A:\n  media_types = {1}\n  def read(self, page): pass", "a set of texts"),
    ("on_page = 5", "'on_page' must take 1 argument"),
    ("x = '\0'\n", "null bytes"),
]


@pytest.mark.parametrize(("source", "message"), WRONG)
def test_files_that_cannot_be_used(write: Write, source: str, message: str) -> None:
    path = write(source)
    with pytest.raises(SettingsError, match=message) as told:
        Plugins([path])
    assert f"'{path}'" in str(told.value)


def test_files_are_tried_in_another_process(write: Write, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    good = write(f"open({str(mark)!r}, 'a').close()\nprint('hello')\ndef on_page(page): pass")
    check_plugins([good])
    assert mark.exists()
    assert not any(getattr(module, "__file__", "") == good for module in list(sys.modules.values()))
    bad = write("\n1 / 0")
    with pytest.raises(SettingsError, match=rf"'{bad}' .*line 2: ZeroDivisionError"):
        check_plugins([good, bad])
    with pytest.raises(SettingsError, match="No such file"):
        check_plugins([str(tmp_path / "missing.py")])
    with pytest.raises(SettingsError, match="end the process"):
        check_plugins([write("import os; os._exit(3)")])
    check_plugins([])


def test_a_file_that_never_ends(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.plugins._CHECK_SECONDS", 0.5)
    with pytest.raises(SettingsError, match=r"longer than 0\.5 seconds"):
        check_plugins([write("while True: pass")])
