"""Segments without what is to be forgotten: nothing of it is left, and all the rest is there."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gossamer.records import CommittedAttempt, FoundLink, Outcome, PageRow
from gossamer.storage import draft
from gossamer.storage.compaction import Compacted, Compactor, covered_rows, is_compact
from gossamer.storage.manifest import Manifest
from gossamer.storage.objects import Data, LocalObjects, MemoryObjects, ObjectStore
from gossamer.storage.pages import PageStore
from gossamer.storage.segments import Roller
from gossamer.storage.staging import AttemptWriter
from gossamer.storage.tombstones import Takedown, Takedowns, add_takedown
from gossamer.storage.warc import record_heads
from gossamer.urls import from_href, parse

from .rolling import link_rows, page_rows
from .rows import exchange, found_link, page_row
from .traces import traces

SECRET = "Rumpelstilzchen"
HOME, GONE, HEIR, LAST = (f"https://example.org/{name}" for name in ("", "gone", "heir", "last"))
ELSEWHERE = "https://elsewhere.example/page"
MOMENT = 1_700_000_000.0


def publish(
    objects: ObjectStore,
    scratch: Path,
    number: int,
    rows: Sequence[tuple[PageRow, list[FoundLink]]],
    **more: Any,
) -> Manifest:
    writer = AttemptWriter(objects, str(number), keep_raw=True)
    for page, links in rows:
        answered = page.outcome is not Outcome.TIMEOUT
        sent = exchange(page.url, body=f"<p>{page.text}</p>".encode(), fetched_at=page.fetched_at)
        writer.add(page, links, sent if answered else None)
    writer.finish()
    roller = Roller(objects, scratch, run_name="r-1", segment_pages=100, keep_raw=True)
    return roller.roll([CommittedAttempt(0, number, str(number), **{"duplicates": {}, **more})])


def fill(objects: ObjectStore, scratch: Path) -> None:
    """Three segments: one with the page, one that only speaks of it, one without a word of it."""
    publish(
        objects,
        scratch,
        1,
        [
            (page_row(HOME, text="home", parent=""), [found_link(GONE, anchor="to it")]),
            (
                page_row(GONE, text=SECRET, title=SECRET, etag=SECRET, parent=HOME),
                [found_link(LAST, anchor=SECRET), found_link(HOME, anchor=SECRET)],
            ),
            (page_row(LAST, text="last", parent=GONE, anchor=SECRET), [found_link(GONE)]),
        ],
    )
    publish(
        objects,
        scratch,
        2,
        [
            (page_row(HEIR, text=SECRET[:3], parent=HOME), []),
            (page_row(f"{HEIR}/2", text=SECRET[:3], parent=LAST, canonical=GONE), []),
            (
                page_row(
                    f"{HOME}old",
                    outcome=Outcome.REDIRECT,
                    status=301,
                    location=GONE,
                    detail=GONE,
                    via=(f"{HOME}older", GONE),
                ),
                [],
            ),
        ],
        duplicates={HEIR: GONE, f"{HEIR}/2": GONE},
    )
    publish(objects, scratch, 3, [(page_row(ELSEWHERE), [found_link(HOME)])])


@pytest.fixture
def objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ObjectStore:
    monkeypatch.setattr(draft, "_GROUP_BYTES", 1)  # several row groups
    objects = MemoryObjects()
    fill(objects, tmp_path)
    return objects


def compact(objects: ObjectStore, scratch: Path) -> Compacted:
    return Compactor(objects, scratch, from_href).compact()


def take_down(objects: ObjectStore, *urls: str, **more: Any) -> None:
    slots = tuple((url.site_hash, url.key) for url in map(parse, urls))
    add_takedown(objects, Takedown(urls=slots, **more))


def assert_whole(objects: ObjectStore) -> None:
    """Every row has its raw answer, and the manifest tells the truth."""
    store = PageStore(objects)
    rows = list(store.pages())
    for row in rows:
        stored = store.raw(row)
        assert (stored is None) == (row["outcome"] == "timeout")
        if stored is not None:
            assert stored.url == row["url"]
            assert stored.body.decode() == f"<p>{row['text']}</p>"
    manifest = Manifest.load(objects)
    for segment in manifest.segments:
        if segment.raw_file is not None:
            heads = [
                head for _, head in record_heads(objects.get(segment.raw_file.name) or b"", "")
            ]
            kinds = [head["warc-type"] for head in heads]
            assert kinds == ["warcinfo", *["response", "request"] * (len(kinds) // 2)]
            assert heads[0]["warc-filename"] in segment.raw_file.name
            uris = [head["warc-target-uri"] for head in heads[1:]]
            assert uris[::2] == uris[1::2]
    files = [file for segment in manifest.segments for file in segment.files]
    assert objects.list("segments/") == sorted(file.name for file in files)
    assert all(len(objects.get(file.name) or b"") == file.bytes for file in files)
    assert manifest.pages == sum(segment.pages for segment in manifest.segments)
    assert manifest.links == sum(segment.links for segment in manifest.segments)


def test_nothing_of_a_page_is_left(objects: ObjectStore, tmp_path: Path) -> None:
    assert traces(objects, SECRET)
    take_down(objects, GONE)
    done = compact(objects, tmp_path)
    assert (done.segments, done.pages, done.links) == (2, 1, 2)
    assert done.bytes > 0
    assert traces(objects, SECRET) == []
    assert_whole(objects)
    rows = {row["url"]: row for row in page_rows(objects)}
    assert list(rows) == [HOME, LAST, HEIR, f"{HEIR}/2", f"{HOME}old", ELSEWHERE]
    # The text of the link that led there was its own; that it led there is not.
    assert (rows[LAST]["parent"], rows[LAST]["anchor"]) == (GONE, "")
    assert rows[HEIR]["anchor"] == "an anchor"
    assert [(row["source"], row["target"]) for row in link_rows(objects)] == [
        (HOME, GONE),
        (LAST, GONE),
        (ELSEWHERE, HOME),
    ]


def test_the_first_repeat_takes_the_place_of_the_original(
    objects: ObjectStore, tmp_path: Path
) -> None:
    take_down(objects, GONE)
    compact(objects, tmp_path)
    rows = {row["url"]: row["duplicate_of"] for row in page_rows(objects)}
    assert (rows[HEIR], rows[f"{HEIR}/2"]) == ("", HEIR)


def test_what_points_there_stays_unless_it_is_asked_for(
    objects: ObjectStore, tmp_path: Path
) -> None:
    take_down(objects, GONE)
    compact(objects, tmp_path)
    rows = {row["url"]: row for row in page_rows(objects)}
    assert rows[f"{HEIR}/2"]["canonical"] == rows[f"{HOME}old"]["location"] == GONE
    assert len(traces(objects, GONE)) == 3
    take_down(objects, GONE, links=True)
    done = compact(objects, tmp_path)
    assert (done.pages, done.links) == (0, 2)
    rows = {row["url"]: row for row in page_rows(objects)}
    assert rows[f"{HEIR}/2"]["canonical"] == rows[LAST]["parent"] == ""
    redirect = rows[f"{HOME}old"]
    assert (redirect["location"], redirect["detail"], redirect["via"]) == ("", "", [f"{HOME}older"])
    assert [row["target"] for row in link_rows(objects)] == [HOME]
    assert traces(objects, GONE) == []
    assert_whole(objects)


def test_a_segment_without_a_word_of_it_stays_as_it_is(
    objects: ObjectStore, tmp_path: Path
) -> None:
    before = Manifest.load(objects).segments
    take_down(objects, GONE)
    assert not is_compact(objects)
    compact(objects, tmp_path)
    after = Manifest.load(objects).segments
    assert [segment.edition for segment in after] == [2, 2, 1]
    assert after[2].files == before[2].files
    assert is_compact(objects)
    assert compact(objects, tmp_path) == Compacted()


def test_a_host(objects: ObjectStore, tmp_path: Path) -> None:
    add_takedown(objects, Takedown(hosts=("example.org",)))
    compact(objects, tmp_path)
    assert [row["url"] for row in page_rows(objects)] == [ELSEWHERE]
    assert_whole(objects)
    manifest = Manifest.load(objects)
    assert [segment.number for segment in manifest.segments] == [3]
    assert publish(objects, tmp_path, 4, [(page_row(HOME), [])]).segments[-1].number == 4


def test_the_number_of_an_empty_segment_is_not_used_again(
    objects: ObjectStore, tmp_path: Path
) -> None:
    add_takedown(objects, Takedown(whole_run=True))
    compact(objects, tmp_path)
    assert objects.list("segments/") == []
    manifest = Manifest.load(objects)
    assert (manifest.pages, manifest.links, manifest.next_number) == (0, 0, 4)
    assert list(PageStore(objects).pages()) == []


def test_exchanges_without_a_row_go_too(tmp_path: Path) -> None:
    """A page that was dropped at the commit stays in the raw file, as a record of what was done."""
    objects = MemoryObjects()
    rows: list[tuple[PageRow, list[FoundLink]]] = [
        (page_row(url, text=f"{url} {SECRET}"), []) for url in (GONE, f"{HOME}other")
    ]
    publish(objects, tmp_path, 1, [*rows, (page_row(HOME), [])], dropped=(GONE,))
    assert [row["url"] for row in page_rows(objects)] == [f"{HOME}other", HOME]
    take_down(objects, f"{HOME}third")
    assert compact(objects, tmp_path) == Compacted()
    take_down(objects, GONE)
    assert compact(objects, tmp_path).segments == 1
    assert traces(objects, f"{GONE} {SECRET}") == []
    assert traces(objects, f"{HOME}other {SECRET}")
    assert_whole(objects)


def test_pages_without_an_answer(tmp_path: Path) -> None:
    objects = MemoryObjects()
    publish(
        objects,
        tmp_path,
        1,
        [
            (page_row(GONE, text=SECRET), []),
            (page_row(HOME, outcome=Outcome.TIMEOUT, status=0), []),
        ],
    )
    take_down(objects, GONE)
    compact(objects, tmp_path)
    assert Manifest.load(objects).segments[0].raw_file is None
    assert_whole(objects)


def test_too_old(tmp_path: Path) -> None:
    objects = MemoryObjects()
    old, new = MOMENT - 10, MOMENT + 10
    publish(
        objects,
        tmp_path,
        1,
        [
            (page_row(GONE, text=SECRET, fetched_at=old), [found_link(HOME, anchor=SECRET)]),
            (page_row(HOME, fetched_at=new), [found_link(GONE)]),
        ],
    )
    publish(objects, tmp_path, 2, [(page_row(HEIR, fetched_at=new), [])], duplicates={HEIR: GONE})
    publish(objects, tmp_path, 3, [(page_row(GONE, text="as it is now", fetched_at=new), [])])
    add_takedown(objects, Takedown(before=MOMENT))
    expired = list(covered_rows(objects, ["url", "text"], expired=True))
    assert expired == [{"url": GONE, "text": SECRET}]
    assert list(covered_rows(objects, ["url"], expired=False)) == []
    shown = [(row["url"], row["text"]) for row in PageStore(objects).pages() if row["url"] == GONE]
    assert shown == [(GONE, "as it is now")]
    assert compact(objects, tmp_path).pages == 1
    assert traces(objects, SECRET) == []
    assert [row["url"] for row in page_rows(objects)] == [HOME, HEIR, GONE]
    assert page_rows(objects)[1]["duplicate_of"] == ""
    assert_whole(objects)


class Interrupted(Exception):
    pass


class Interrupting(MemoryObjects):
    """Fails at a given change, before or after it is made."""

    def __init__(self) -> None:
        super().__init__()
        self.left: int | None = None

    def _count(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise Interrupted

    def put(self, name: str, data: Data) -> None:
        self._count()
        super().put(name, data)
        self._count()

    def delete(self, name: str) -> None:
        self._count()
        super().delete(name)


def test_interrupted_anywhere_it_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft, "_GROUP_BYTES", 1)
    interruptions = 0
    while True:
        objects = Interrupting()
        fill(objects, tmp_path)
        take_down(objects, GONE, links=True)
        expected = [row["url"] for row in PageStore(objects).pages()]
        objects.left = interruptions
        try:
            compact(objects, tmp_path)
        except Interrupted:
            interruptions += 1
        else:
            break
        objects.left = None
        # Readers see the same at every moment, and a writer finds its way.
        store = PageStore(objects)
        assert [row["url"] for row in store.pages()] == expected
        assert store.find(parse(GONE)) is None
        assert not any(
            row["source"] == GONE for table in store.link_tables() for row in table.to_pylist()
        )
        compact(objects, tmp_path)
        assert traces(objects, SECRET) == traces(objects, GONE) == []
        assert_whole(objects)
        assert is_compact(objects)
    assert interruptions > 15


def test_leftovers_of_a_kill_are_swept(tmp_path: Path) -> None:
    objects = LocalObjects(tmp_path / "objects")
    fill(objects, tmp_path)
    (tmp_path / "compact-killed").mkdir()
    (tmp_path / "compact-killed" / "pages").write_text(SECRET)
    objects.put("segments/pages-000001-2.parquet", SECRET.encode())
    take_down(objects, GONE)
    compact(objects, tmp_path)
    assert not list(tmp_path.glob("compact-*"))
    assert traces(objects, SECRET) == []
    assert_whole(objects)


def test_new_segments_are_looked_at_too(objects: ObjectStore, tmp_path: Path) -> None:
    take_down(objects, GONE)
    compact(objects, tmp_path)
    publish(objects, tmp_path, 4, [(page_row(GONE, text=SECRET), []), (page_row(HOME), [])])
    assert GONE not in [row["url"] for row in PageStore(objects).pages()]
    assert not is_compact(objects)
    compact(objects, tmp_path)
    assert traces(objects, SECRET) == []
    assert Takedowns.load(objects).last == 1


# Rounds


def test_the_newest_form_of_a_page_counts(tmp_path: Path) -> None:
    objects = MemoryObjects()
    publish(
        objects,
        tmp_path,
        1,
        [
            (page_row(HOME, text=SECRET), [found_link(LAST)]),
            (page_row(LAST, text="as ever"), [found_link(HOME)]),
        ],
        duplicates={LAST: HOME},
    )
    publish(objects, tmp_path, 2, [(page_row(HOME, text="new"), [])], round=1)
    store = PageStore(objects)
    shown = [(row["url"], row["text"]) for row in store.pages(columns=["url", "text"])]
    assert shown == [(LAST, "as ever"), (HOME, "new")]
    found = store.find(parse(HOME))
    assert found is not None
    assert found["text"] == "new"
    assert store.links(HOME) == []
    assert [row["source"] for table in store.link_tables() for row in table.to_pylist()] == [LAST]
    assert store.links_to(parse(LAST), 5).number == 0
    assert Manifest.load(objects).may_hold_older_forms
    assert not is_compact(objects)
    assert compact(objects, tmp_path).pages == 1
    assert traces(objects, SECRET) == []
    assert [(row["url"], row["text"]) for row in store.pages()] == shown
    assert page_rows(objects)[0]["duplicate_of"] == HOME  # which is still there
    assert is_compact(objects)
    assert not Manifest.load(objects).may_hold_older_forms
    assert_whole(objects)


def test_a_round_that_goes_on_after_compaction(tmp_path: Path) -> None:
    objects = MemoryObjects()
    publish(objects, tmp_path, 1, [(page_row(url, text="old"), []) for url in (HOME, LAST)])
    publish(objects, tmp_path, 2, [(page_row(HOME, text="new"), [])], round=1)
    compact(objects, tmp_path)
    publish(objects, tmp_path, 3, [(page_row(LAST, text="new"), [])], round=1)
    assert [row["text"] for row in PageStore(objects).pages()] == ["new", "new"]
    compact(objects, tmp_path)
    assert [row["text"] for row in page_rows(objects)] == ["new", "new"]
    assert_whole(objects)
