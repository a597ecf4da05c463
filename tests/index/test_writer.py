"""Updates and deletes against a plain model; generations for readers."""

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from gossamer.errors import FormatError, StorageFull
from gossamer.index import part, writer
from gossamer.index.documents import IndexDocument
from gossamer.index.finder import FinderWriter
from gossamer.index.wording import wording_of
from gossamer.index.writer import IndexWriter
from gossamer.search.contract import SearchRequest
from gossamer.storage.arrays import save
from gossamer.text import AnalysisSettings
from tests.searching import SmallIndex

WORDS = ("amber", "basalt", "copper", "dolomite", "emerald")


def _document(name: str, *words: str) -> dict[str, Any]:
    return {"id": name, "title": f"stone {name}", "text": " ".join(words)}


def test_updates_change_what_has_changed(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    assert index.write([_document("1", "amber"), _document("2", "basalt")]).added == 2
    assert index.write([_document("1", "amber"), _document("2", "basalt")]).unchanged == 2
    change = index.write([_document("1", "copper"), _document("3", "basalt")])
    assert (change.added, change.changed, change.deleted) == (1, 1, 1)
    searcher = index.searcher()
    assert not searcher.search(SearchRequest("amber")).hits
    assert [hit.url for hit in searcher.search(SearchRequest("basalt")).hits] == ["3"]


def test_numbers_are_never_given_twice(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    seen: set[int] = set()
    for round_number in range(4):
        index.write([_document("1", WORDS[round_number])])
        reader = index.reader()
        (number,) = reader.living().tolist()
        reader.close()
        assert number not in seen
        seen.add(number)


def test_what_is_too_long_is_cut_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part, "LONGEST_TEXT", 20)
    index = SmallIndex(tmp_path)
    index.write([_document("1", "amber"), _document("2", "amber", "basalt", "copper", "dolomite")])
    manifest = index.folder.manifest()
    assert manifest is not None
    assert manifest.cut == 1
    searcher = index.searcher()
    assert len(searcher.search(SearchRequest("amber")).hits) == 2
    assert not searcher.search(SearchRequest("dolomite")).hits


def test_every_keyword_is_kept(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path, {"text": "text", "tag": "keyword"})
    tags = [f"t{n}" for n in range(50)]
    index.write([{"id": "1", "text": "amber", "tag": tags}])
    answer = index.searcher().search(SearchRequest("amber", facets=("tag",)))
    assert sorted(answer.facets["tag"]) == sorted(tags)


@pytest.mark.parametrize("manifest", [b'{"version": 1}', b"{"])
def test_an_index_that_cannot_be_read_is_built_anew(tmp_path: Path, manifest: bytes) -> None:
    index = SmallIndex(tmp_path)
    index.write([_document("1", "amber")])
    (index.folder.path / "manifest.json").write_bytes(manifest)
    with pytest.raises(FormatError, match="Rebuild the index"):
        index.reader()
    index.folder.clear_unreadable()
    index.write([_document("2", "amber")])
    assert [hit.id for hit in index.searcher().search(SearchRequest("amber")).hits] == ["2"]
    index.folder.clear_unreadable()
    assert index.folder.manifest() is not None


def test_writing_anew_leaves_the_old_generation_until_it_is_done(tmp_path: Path) -> None:
    """As when all words are to be taken apart in another way: that takes its time."""
    index = SmallIndex(tmp_path)
    index.write([_document("1", "amber")])

    class Dying:
        name = "dying"

        def versions(self) -> dict[int, int]:
            return {1: 1}

        def documents(self, _wanted: Container[int]) -> Iterator[IndexDocument]:
            raise KeyboardInterrupt

    analysis = AnalysisSettings(stemming=False)
    with pytest.raises(KeyboardInterrupt):
        IndexWriter(index.folder, index.fields, analysis, "documents").write(Dying(), ("x",))
    assert [hit.id for hit in index.searcher().search(SearchRequest("amber")).hits] == ["1"]


def test_a_reader_keeps_its_generation(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write([_document("1", "amber")])
    old = index.reader()
    index.write([_document("1", "basalt")])
    index.write([_document("1", "copper")])
    assert old.finder.count(old.finder.term("amber")) == 1
    assert old.shown(int(old.living()[0]))["text"] == "amber"
    generations = index.folder.path / "generations"
    assert len(list(generations.iterdir())) == 2  # that of the reader, and the newest
    old.close()
    index.write([_document("1", "dolomite")])
    assert len(list(generations.iterdir())) == 1
    assert len(list((index.folder.path / "parts").iterdir())) == 1


def test_statistics_do_not_count_deleted_documents(tmp_path: Path) -> None:
    index = SmallIndex(tmp_path)
    index.write([_document(str(number), "amber") for number in range(5)])
    index.write([_document(str(number), "amber") for number in range(2)])
    reader = index.reader()
    statistics = reader.statistics([["amber"]])
    reader.close()
    assert statistics.documents == 2
    assert statistics.document_frequencies.tolist() == [2.0]


def test_several_parts_hold_what_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [
        _document(str(number), *WORDS[number % 4 :], f"only{number}") for number in range(12)
    ]
    for name in ("one", "several"):
        (tmp_path / name).mkdir()
    one, several = SmallIndex(tmp_path / "one"), SmallIndex(tmp_path / "several")
    one.write(documents)
    monkeypatch.setattr(writer, "_PART_WORDS", 20)
    several.write(documents)
    manifest = several.folder.manifest()
    assert manifest is not None
    assert len(manifest.parts) > 3
    whole, divided = one.reader(), several.reader()
    words = [[word] for word in (*WORDS, "stone", "only7", "nowhere")]
    expected, found = whole.statistics(words), divided.statistics(words)
    assert found.document_frequencies.tolist() == expected.document_frequencies.tolist()
    assert found.documents == expected.documents
    assert wording_of(map(several.folder.part, manifest.parts)).words["amber"] == 3
    for number in divided.living().tolist():
        assert divided.shown(number) == whole.shown(number)
    whole.close()
    divided.close()


class _Model(RuleBasedStateMachine):
    """An index and a dictionary do the same."""

    path: Path
    runs = 0

    def __init__(self) -> None:
        super().__init__()
        _Model.runs += 1
        self._index = SmallIndex(self.path / str(_Model.runs))
        self._index.folder.path.parent.mkdir(parents=True, exist_ok=True)
        self._model: dict[str, tuple[str, ...]] = {}
        self._index.write([])

    @rule(
        changes=st.dictionaries(
            st.sampled_from("123456"),
            st.one_of(st.none(), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)),
        )
    )
    def update(self, changes: dict[str, list[str] | None]) -> None:
        for name, words in changes.items():
            if words is None:
                self._model.pop(name, None)
            else:
                self._model[name] = tuple(words)
        self._index.write([_document(name, *words) for name, words in self._model.items()])

    @invariant()
    def the_same_is_found(self) -> None:
        searcher = self._index.searcher()
        for word in WORDS:
            found = {hit.url for hit in searcher.search(SearchRequest(word, group=False)).hits}
            assert found == {name for name, words in self._model.items() if word in words}
        searcher.close()
        reader = self._index.reader()
        slots = [[word] for word in ("amber", "basalt", "copper", "dolomit", "emerald")]
        frequencies = reader.statistics(slots).document_frequencies.tolist()
        reader.close()
        assert frequencies == [
            sum(word in words for words in self._model.values()) for word in WORDS
        ]


def test_updates_against_a_model(tmp_path: Path) -> None:
    _Model.path = tmp_path
    run_state_machine_as_test(
        _Model,
        settings=settings(
            max_examples=10,
            stateful_step_count=8,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )


def test_an_index_is_read_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = SmallIndex(tmp_path)
    index.write([{"id": "1", "text": "amber"}])
    folder = index.reader().generation / "finder"
    before = {path.name for path in folder.iterdir() if path.suffix != ".lock"}
    for name in {path.name for path in folder.iterdir()} - before:
        (folder / name).unlink()
    monkeypatch.setattr("os.access", lambda *_: False)
    (hit,) = index.searcher().search(SearchRequest("amber")).hits
    assert hit.snippet == "amber"
    assert {path.name for path in folder.iterdir()} == before


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    class Full:
        def commit(self) -> None:
            raise ValueError("An IO error occurred: 'No space left on device (os error 28)'")

    index = SmallIndex(tmp_path)
    index.write([{"id": "1", "text": "amber"}])
    (tmp_path / "finder").mkdir()
    finder = FinderWriter(tmp_path / "finder", index.fields)
    finder._writer = Full()
    with pytest.raises(StorageFull, match="the disk is full"):
        finder.commit()
    with pytest.raises(StorageFull, match="the disk is full"):
        save(Path("/dev/full"), np.zeros(1_000_000))
