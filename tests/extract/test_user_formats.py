from collections.abc import Callable
from typing import Any

import pytest

from gossamer.extract.draft import PageDraft
from gossamer.extract.processor import build_processors
from gossamer.extract.user_formats import UserFormat
from gossamer.plugins import UserReader
from gossamer.records import Directives, Outcome, PageContent, RawPage, Unread
from gossamer.urls import Resolver

PAGE = RawPage("http://a.example/d/x.csv", "text/csv", "utf-8", b"a,b", ("noindex",))


def read(function: Callable[[RawPage], Any]) -> PageDraft | Unread:
    reader = UserReader(frozenset({"text/csv"}), function, "/somewhere/mine.py")
    return UserFormat(reader, "Gossamer", Resolver()).read(PAGE)


def test_a_text() -> None:
    draft = read(lambda page: page.body.decode() + "\n\n  two   words \n")
    assert isinstance(draft, PageDraft)
    assert (draft.lines, draft.classes, draft.title) == (["a,b", "two words"], "pp", "")
    assert draft.directives is Directives.NOINDEX


def test_all_that_there_is() -> None:
    draft = read(
        lambda page: {
            "title": " A  table ",
            "description": "Of things",
            "language": "en",
            "text": "text",
            "links": ["y", ("/z", " the  end "), "mailto:x", "y"],
        }
    )
    assert isinstance(draft, PageDraft)
    assert (draft.title, draft.description, draft.language) == ("A table", "Of things", "en")
    assert [(link.url.href, link.anchor) for link in draft.links] == [
        ("http://a.example/d/y", ""),
        ("http://a.example/z", "the end"),
    ]
    assert draft.other_links == 1


@pytest.mark.parametrize(
    ("returned", "detail"),
    [
        (None, "could not read it"),
        (5, "TypeError: 'read' must return a text or a dict, not int"),
        ({"txt": ""}, "unknown 'txt'"),
        ({"links": [5]}, "TypeError"),
        ({"links": 5}, "TypeError"),
    ],
)
def test_what_cannot_be_used(returned: Any, detail: str) -> None:
    unread = read(lambda page: returned)
    assert isinstance(unread, Unread)
    assert unread.outcome is Outcome.UNREADABLE
    assert detail in unread.detail


def test_a_reader_that_fails() -> None:
    def fails(page: RawPage) -> str:
        raise ValueError("broken\nfile")

    unread = read(fails)
    assert isinstance(unread, Unread)
    assert unread.detail == "plugin mine.py, ValueError: broken file"


def test_a_persons_own_reader_goes_before_ours() -> None:
    reader = UserReader(frozenset({"text/csv", "text/plain"}), lambda page: "mine", "mine.py")
    processors = build_processors("Gossamer", Resolver(), readers=[reader])
    for media_type in ("text/csv", "text/plain"):
        content = processors.process(RawPage("http://a.example/", media_type, "", b"theirs"))
        assert isinstance(content, PageContent)
        assert content.text == "mine"
    other = build_processors("Gossamer", Resolver()).process(PAGE)
    assert isinstance(other, PageContent)
    assert other.text == "a,b"
