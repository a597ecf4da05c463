"""Pages of runs as documents: what is in the index, what stands for what, and when it changes."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from gossamer.index.documents import IndexDocument
from gossamer.index.pages import PageSource
from gossamer.index.safety import SafetyList
from gossamer.lib.hashing import hash64
from gossamer.records import Directives
from gossamer.text import Analyser
from gossamer.urls import from_href

FETCHED = datetime(2026, 3, 1, tzinfo=UTC)


def page(url: str, text: str = "A sentence.", **changes: Any) -> dict[str, Any]:
    return {
        "url": url,
        "key": from_href(url).key,
        "outcome": "ok",
        "location": "",
        "content_hash": hash64(text.encode()),
        "canonical": "",
        "directives": 0,
        "fetched_at": FETCHED,
        "site": "a.example",
        "host": "a.example",
        "depth": 1,
        "media_type": "text/html",
        "body_bytes": len(text),
        "title": "Title",
        "description": "",
        "language": "en",
        "text": f"Title\n{text}",
        "classes": "tp",
        "main": "11",
        "last_modified": "",
        "listed_modified": "",
        "similarity_hash": 0,
        "fields": "",
        **changes,
    }


def link(source: str, target: str, anchor: str, **changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"source": source, "target": target, "anchor": anchor}
    found["target_key"] = from_href(target).key
    return {**found, "nofollow": False, "boilerplate": False, **changes}


class Store:
    """The tables of a run that nobody had to crawl."""

    def __init__(self, pages: list[dict[str, Any]], links: list[dict[str, Any]] = []) -> None:  # noqa: B006
        self._pages = pages
        self._links = links

    def page_tables(
        self, url_prefix: str = "", columns: Sequence[str] | None = None
    ) -> Iterator[Any]:
        yield pa.Table.from_pylist(self._pages).select(list(columns or ()))

    def link_tables(
        self, source_prefix: str = "", columns: Sequence[str] | None = None
    ) -> Iterator[Any]:
        if self._links:
            yield pa.Table.from_pylist(self._links).select(list(columns or ()))


def documents(*stores: Store) -> dict[str, IndexDocument]:
    source = PageSource(stores)
    wanted = source.versions()
    found = {document.shown["url"]: document for document in source.documents(wanted)}
    assert {document.identity: document.version for document in found.values()} == wanted
    return found


def test_only_pages_that_may_be_indexed() -> None:
    found = documents(
        Store(
            [
                page("http://a.example/1", "One."),
                page("http://a.example/2", "Two.", outcome="http_error"),
                page("http://a.example/3", "Three.", directives=Directives.NOINDEX.value),
                page("http://a.example/4", "Four.", directives=Directives.NOSNIPPET.value),
            ]
        )
    )
    assert sorted(found) == ["http://a.example/1", "http://a.example/4"]
    assert found["http://a.example/4"].shown["nosnippet"] is True
    assert "nosnippet" not in found["http://a.example/1"].shown


def test_the_same_text_is_there_once() -> None:
    found = documents(
        Store(
            [
                page("http://a.example/long/copy"),
                page("http://a.example/b"),
                page("http://a.example/c", "Other."),
            ]
        )
    )
    assert sorted(found) == ["http://a.example/b", "http://a.example/c"]
    assert found["http://a.example/b"].shown["aliases"] == ["http://a.example/long/copy"]


def test_pages_that_name_one_canonical_address_are_one_without_it() -> None:
    canonical = "http://a.example/story"
    found = documents(
        Store(
            [
                page("http://a.example/print/story", "A story.", canonical=canonical),
                page("http://a.example/story?from=feed", "A story. More", canonical=canonical),
                page("http://a.example/story?from=related", "A story. And", canonical=canonical),
                page("http://b.example/story", "A story, copied.", canonical=canonical),
            ]
        )
    )
    assert {url: one.shown.get("aliases") for url, one in found.items()} == {
        "http://a.example/story?from=feed": [
            "http://a.example/print/story",
            "http://a.example/story?from=related",
        ],
        "http://b.example/story": None,  # another host is not believed
    }


def test_a_canonical_address_stands_for_others_if_it_is_there() -> None:
    found = documents(
        Store(
            [
                page("http://a.example/x?y=1", "One.", canonical="http://a.example/x"),
                page("http://a.example/x", "Uno."),
                page("http://a.example/z", "Two.", canonical="http://a.example/never-seen"),
            ]
        )
    )
    assert sorted(found) == ["http://a.example/x", "http://a.example/z"]


def test_pages_that_name_each_other_are_not_lost() -> None:
    found = documents(
        Store(
            [
                page("http://a.example/1", "One.", canonical="http://a.example/2"),
                page("http://a.example/2", "Two.", canonical="http://a.example/1"),
            ]
        )
    )
    assert list(found) == ["http://a.example/1"]


def test_the_newest_run_counts() -> None:
    old = Store([page("http://a.example/1", "Old."), page("http://a.example/2", "Gone.")])
    new = Store(
        [page("http://a.example/1", "New."), page("http://a.example/2", "", outcome="http_error")]
    )
    found = documents(old, new)
    assert list(found) == ["http://a.example/1"]
    assert found["http://a.example/1"].texts["body"] == "New."


def test_parts_of_a_page() -> None:
    text = "Title\nHome\nA heading\nA paragraph.\nImprint"
    row = page("http://www.a.example/deep/some-words.html", text=text)
    row |= {"text": text, "classes": "tn1pn", "main": "10110"}
    (document,) = documents(Store([row])).values()
    assert document.texts["headings"] == "A heading"
    assert document.texts["body"] == "A paragraph."
    assert document.texts["boilerplate"] == "Home\nImprint"
    assert document.texts["url"].split() == ["a", "example", "deep", "some", "words", "html"]
    assert document.numbers["url_slashes"] == 2
    assert document.keywords["filetype"] == ("html",)
    assert document.numbers["date"] == FETCHED.timestamp()


@pytest.mark.parametrize(
    ("changes", "year"),
    [
        ({"last_modified": "Tue, 04 Mar 2025 10:00:00 GMT"}, 2025),
        ({"listed_modified": "2024-02-01", "last_modified": "Tue, 04 Mar 2025 10:00:00 GMT"}, 2024),
        ({"last_modified": "yesterday"}, 2026),
    ],
)
def test_dates(changes: dict[str, str], year: int) -> None:
    (document,) = documents(Store([page("http://a.example/", **changes)])).values()
    assert datetime.fromtimestamp(document.numbers["date"], UTC).year == year


def test_anchors_belong_to_the_page_that_they_point_to() -> None:
    pages = [page("http://a.example/1", "One."), page("http://b.example/2", "Two.")]
    target = "http://a.example/1"
    links = [
        link("http://b.example/2", target, "The one"),
        link("http://b.example/3", target, "The one"),
        link("http://c.example/", target, "Number one"),
        link("http://d.example/", target, "Number one"),
        link("http://b.example/2", target, "click here"),
        link("http://b.example/2", target, "Bought", nofollow=True),
        link("http://b.example/2", target, "On every page", boilerplate=True),
        link(target, target, "Myself"),
    ]
    before = documents(Store(pages))[target]
    after = documents(Store(pages, links))[target]
    assert after.texts["anchor"] == "Number one\nNumber one\nThe one"
    assert before.version != after.version


def test_pages_are_marked_by_their_own_rating_or_by_a_list() -> None:
    store = Store(
        [
            page("http://a.example/1", "One.", directives=Directives.ADULT.value),
            page("http://b.example/2", "Two.", host="b.example"),
            page("http://a.example/naked", "Three."),
            page("http://a.example/4", "Four: naked in the text alone."),
        ]
    )
    unmarked = documents(store)
    assert [url for url, one in unmarked.items() if one.keywords["safety"]] == [
        "http://a.example/1"
    ]
    unsafe = SafetyList("b.example\nnaked", "list.txt", Analyser().words)
    source = PageSource([store], unsafe)
    wanted = source.versions()
    found = {one.shown["url"]: one for one in source.documents(wanted)}
    assert sorted(url for url, one in found.items() if one.keywords["safety"] == ("adult",)) == [
        "http://a.example/1",
        "http://a.example/naked",
        "http://b.example/2",
    ]
    # The list has a say in what the index holds: another list, another version of every page.
    assert not set(wanted.values()) & {one.version for one in unmarked.values()}


def test_what_the_own_host_says_stands_apart() -> None:
    target = "http://a.example/1"
    links = [
        link("http://a.example/2", target, "Ours"),
        link("http://a.example/3", target, "Ours"),
        link("http://a.example/3", target, "Also"),
        *(link(f"http://{host}.example/", target, "Theirs") for host in "bcdefgh"),
    ]
    (document,) = documents(Store([page(target, "One.")], links)).values()
    assert document.texts["site_anchor"] == "Ours\nAlso", "the commonest first, each once"
    assert document.texts["anchor"] == "\n".join(["Theirs"] * 4), "a few hosts are enough"


def test_anchors_go_past_redirects_copies_and_spellings() -> None:
    target = "http://a.example/1"
    store = Store(
        [
            page(target, "One."),
            page("http://a.example/much/longer", "One."),  # a copy
            page("http://a.example/old", outcome="redirect", location="http://a.example/older"),
            page("http://a.example/older", outcome="redirect", location=target),
            page("http://a.example/loop", outcome="redirect", location="http://a.example/loop"),
        ],
        [
            link("http://b.example/", "http://a.example/old", "Long ago"),
            link("http://c.example/", "http://a.example/much/longer", "The copy"),
            link("http://d.example/", target + "?", "Spelt otherwise"),
            link("http://e.example/", "http://a.example/loop", "Nowhere"),
        ],
    )
    (document,) = documents(store).values()
    said = set(document.texts["anchor"].split("\n"))
    assert said == {"Long ago", "The copy", "Spelt otherwise"}


def test_pages_that_nobody_has_fetched() -> None:
    store = Store(
        [page("http://a.example/1", "One."), page("http://a.example/2", outcome="http_error")],
        [
            link("http://a.example/1", "http://b.example/far", "Far away"),
            link("http://a.example/1", "http://a.example/2", "Broken"),
            link("http://a.example/1", "http://c.example/gone", "Forgotten"),
            link("http://a.example/1", "http://d.example/", "click here"),
        ],
    )
    source = PageSource([store], uncrawled=True, is_forgotten=lambda url: "gone" in url)
    wanted = source.versions()
    found = {one.shown["url"]: one for one in source.documents(wanted)}
    assert {one.identity: one.version for one in found.values()} == wanted
    assert sorted(found) == ["http://a.example/1", "http://b.example/far"]
    known = found["http://b.example/far"]
    assert known.texts["anchor"] == "Far away"
    assert known.shown["title"] == "Far away"
    assert known.shown["from_links"] is True
    assert known.keywords["site"] == ("b.example",)
    assert "from_links" not in found["http://a.example/1"].shown
    assert [urls for _, urls in source.groups()] == [[url] for url in found]


def test_without_anchors_nothing_of_links_counts() -> None:
    store = Store(
        [page("http://a.example/1", "One.")],
        [link("http://b.example/", "http://a.example/1", "Said")],
    )
    source = PageSource([store], anchors=False)
    (document,) = source.documents(source.versions())
    assert not document.texts["anchor"] + document.texts["site_anchor"]
