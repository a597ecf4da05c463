"""Single documents of an index, changed while it is there."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.app import change_batches
from gossamer.app.indexes import Indexes
from gossamer.config import IndexSettings
from gossamer.edits import ChangeKind, Edit, PartlyStored
from gossamer.errors import FormatError, IndexFault, IndexHeld, IndexNotFound, UsageError
from gossamer.storage.document_changes import CHANGES_FILE, DocumentChanges

DOCUMENTS = [
    {"id": str(number), "title": f"stone {number}", "text": "amber", "price": number}
    for number in range(10)
]


def _write(path: Path, documents: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in documents))
    return path


def _found(indexes: Indexes, query: str) -> list[str]:
    answer = indexes.search("stones", query, group=False, limit=100)
    return sorted(hit.id for hit in answer.hits)


@pytest.fixture(params=[1, 2], ids=["one shard", "two shards"])
def stones(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Indexes]:
    file = _write(tmp_path / "stones.jsonl", DOCUMENTS)
    with gossamer.open(tmp_path / "home") as indexes:
        settings = IndexSettings(language="en", shards=request.param)
        indexes.build("stones", (), file, settings)
        yield indexes


def _change_all(stones: Indexes) -> None:
    stones.put_documents("stones", [{"id": "new", "text": "basalt"}, {"id": 3, "text": "flint"}])
    stones.patch_documents("stones", {"id": "5", "price": 500, "title": None})
    stones.remove_documents("stones", "7")


def _check_all(stones: Indexes) -> None:
    assert _found(stones, "basalt") == ["new"]
    assert _found(stones, "flint") == ["3"]
    assert _found(stones, "price:500") == ["5"]
    assert _found(stones, "title:stone") == ["0", "1", "2", "4", "6", "8", "9"]
    assert _found(stones, "amber") == ["0", "1", "2", "4", "5", "6", "8", "9"]


def test_changes_are_searchable_at_once(stones: Indexes) -> None:
    assert _found(stones, "amber") == [str(number) for number in range(10)]
    put = stones.put_documents("stones", [{"id": "new", "text": "basalt"}, {"id": 3, "text": "f"}])
    assert (put.added, put.changed, put.searchable) == (1, 1, True)
    patched = stones.patch_documents("stones", {"id": "5", "price": 500})
    assert (patched.changed, patched.searchable) == (1, True)
    removed = stones.remove_documents("stones", ["7", "nothing", "7"])
    assert (removed.removed, removed.missing, removed.searchable) == (1, 2, True)
    assert [one.id for one in removed.details] == ["nothing", "7"]
    _change_all(stones)
    _check_all(stones)


@pytest.mark.parametrize("again", ["update", "build", "repair"])
def test_changes_survive(stones: Indexes, tmp_path: Path, again: str) -> None:
    _change_all(stones)
    file = _write(tmp_path / "stones.jsonl", [*DOCUMENTS, {"id": "x", "text": "chalk"}])
    if again == "update":
        change = stones.update("stones")
        assert (change.added, change.changed, change.deleted) == (1, 0, 0)
    elif again == "build":
        change = stones.build("stones", (), file, IndexSettings())
    else:
        for manifest in (tmp_path / "home" / "indexes" / "stones").glob("*.json"):
            if manifest.name != "settings.json":
                manifest.write_text("{")
        stones.close()
        change = stones.build("stones", (), file, IndexSettings())
        assert stones.settings("stones").language == "en"
    assert change.stored_changes == 4
    _check_all(stones)
    assert _found(stones, "chalk") == ["x"]


def test_a_patch_follows_the_file_in_all_other_fields(stones: Indexes, tmp_path: Path) -> None:
    stones.patch_documents("stones", {"id": "5", "price": 500})
    stones.patch_documents("stones", {"id": "5", "title": "patched"})
    _write(tmp_path / "stones.jsonl", [{"id": "5", "title": "t", "text": "slate", "price": 1}])
    stones.update("stones")
    assert _found(stones, "slate price:500 title:patched") == ["5"]
    _write(tmp_path / "stones.jsonl", DOCUMENTS[:5])
    change = stones.update("stones")
    assert (change.stored_changes, change.stored_changes_without_document) == (0, 1)
    assert "5" not in _found(stones, "amber")
    _write(tmp_path / "stones.jsonl", DOCUMENTS)
    stones.update("stones")
    assert _found(stones, "price:500") == ["5"]


def test_a_patched_document_that_was_put_needs_no_file(stones: Indexes, tmp_path: Path) -> None:
    (tmp_path / "stones.jsonl").unlink()
    stones.put_documents("stones", {"id": "a", "text": "basalt", "price": 1})
    stones.patch_documents("stones", {"id": "a", "price": 77})
    assert _found(stones, "basalt") == _found(stones, "price:77") == ["a"]


def test_a_patch_without_its_file_holds_up_no_other_change(stones: Indexes, tmp_path: Path) -> None:
    file = tmp_path / "stones.jsonl"
    file.rename(tmp_path / "moved.jsonl")
    patched = stones.patch_documents("stones", {"id": "5", "price": 500})
    assert (patched.changed, patched.searchable) == (1, False)
    assert "cannot be read" in patched.waiting_because
    stones.put_documents("stones", {"id": "a", "text": "basalt"})
    assert _found(stones, "basalt") == ["a"]
    (tmp_path / "moved.jsonl").rename(file)
    assert stones.apply_changes("stones")
    assert (_found(stones, "price:500"), _found(stones, "basalt")) == (["5"], ["a"])


def test_a_patch_of_an_emptied_file_waits(stones: Indexes, tmp_path: Path) -> None:
    file = _write(tmp_path / "stones.jsonl", [])
    patched = stones.patch_documents("stones", {"id": "5", "price": 500})
    assert (patched.changed, patched.searchable) == (1, False)
    assert "is empty; it had 10 documents" in patched.waiting_because
    generation = stones.info("stones").generation
    with pytest.raises(IndexFault, match="is empty"):
        stones.apply_changes("stones")
    put = stones.put_documents("stones", {"id": "a", "text": "amber basalt"})
    assert (put.added, put.searchable, put.waiting_because) == (1, True, "")
    with pytest.raises(IndexFault, match="is empty"):
        stones.apply_changes("stones")
    assert stones.info("stones").generation == generation + 1, "nothing is published twice"
    assert stones.change_counts("stones").waiting == 1
    assert len(_found(stones, "amber")) == 11, "nothing is deleted, and others are applied"
    for change in (stones.update, stones.drop_changes):
        with pytest.raises(IndexFault, match="--allow-empty"):
            change("stones")
    assert stones.change_counts("stones").all == 2, "no change is given up"
    _write(file, DOCUMENTS)
    assert stones.apply_changes("stones")
    assert _found(stones, "price:500") == ["5"]
    _write(file, [])
    assert stones.update("stones", allow_empty=True).stored_changes_without_document == 1
    assert _found(stones, "amber") == ["a"]
    assert stones.drop_changes("stones")[0] == 2
    assert stones.info("stones").documents == 0


def test_a_patch_of_a_document_that_left_its_file_deletes_nothing(
    stones: Indexes, tmp_path: Path
) -> None:
    file = _write(tmp_path / "stones.jsonl", [one for one in DOCUMENTS if one["id"] != "4"])
    lines = [b"", b'{"id":"5","price":500}', b'{"id":"4","price":444}']
    patched = stones.patch_documents("stones", lines)
    assert (patched.changed, patched.missing, patched.searchable) == (1, 1, True)
    (detail,) = patched.details
    assert (detail.line, detail.id, detail.kind) == (3, "4", "missing")
    assert "no longer in its file" in detail.message
    assert (_found(stones, "price:500"), _found(stones, "price:4")) == (["5"], ["4"])
    assert stones.change_counts("stones").without_document == 1
    assert not stones.apply_changes("stones")
    _write(file, DOCUMENTS)
    stones.update("stones")
    assert _found(stones, "price:444") == ["4"]
    _write(file, DOCUMENTS[:4])
    assert stones.update("stones").stored_changes_without_document == 2
    again = stones.patch_documents("stones", {"id": "4", "price": 1})
    assert (again.changed, again.missing) == (0, 1)
    assert "has no document '4'" in again.details[0].message


def test_a_batch_that_ends_early_says_what_is_stored(stones: Indexes) -> None:
    def documents(error: Exception) -> Iterator[dict[str, Any]]:
        for number in range(1_500):
            yield {"id": f"n{number}", "text": "basalt"}
        raise error

    with pytest.raises(PartlyStored, match=r"damaged\. 1,000 changes are stored; line 1,001 and"):
        stones.put_documents("stones", documents(UsageError("It is damaged.")))
    assert stones.info("stones").documents == 1_010, "they are applied"
    with pytest.raises(ValueError, match="own") as caught:
        stones.put_documents("stones", documents(ValueError("own")))
    assert caught.value.__notes__ == ["1,000 changes are stored; line 1,001 and later are not."]
    with pytest.raises(UsageError, match=r"^It is damaged\.$"):
        stones.put_documents("stones", documents(UsageError("It is damaged.")), all_or_nothing=True)


def test_wrong_types_are_named(stones: Indexes) -> None:
    assert stones.put_documents("stones", b'{"id":"q"}').added == 1
    for change in (stones.put_documents, stones.patch_documents):
        with pytest.raises(UsageError, match="mapping or JSON as bytes, not str"):
            change("stones", '{"id":"q"}')  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not bytes"):
        stones.remove_documents("stones", b"12")
    assert stones.remove_documents("stones", [5, "6"]).removed == 2
    assert stones.remove_documents("stones", 7).removed == 1
    report = stones.remove_documents("stones", ["\udcff", "", "8"])
    assert (report.removed, report.refused) == (1, 2)
    assert report.details[0].message == "The id is not valid Unicode."


def test_fields_are_detected_in_changed_documents(stones: Indexes, tmp_path: Path) -> None:
    documents: list[dict[str, Any]] = [
        *DOCUMENTS,
        {"id": "late", "text": "amber", "price": "call us"},
    ]
    _write(tmp_path / "stones.jsonl", documents)
    stones.put_documents("stones", {"id": "a", "text": "basalt", "dims": {"w": "47,5 cm"}})

    def misfits() -> dict[str, str]:
        report = stones.report("stones")
        assert report is not None
        return {field.name: field.where for field in report.fields if field.left_out}

    stones.update("stones")
    assert "dims.w" in stones.info("stones").fields
    assert misfits() == {"price": "line 11"}
    stones.patch_documents("stones", {"id": "late", "price": 7})
    stones.update("stones")
    assert misfits() == {}
    stones.patch_documents("stones", [{"id": "1", "price": "soon"}, {"id": "a", "price": "later"}])
    stones.update("stones")
    assert misfits() == {"price": "line 2, as changed by a patch"}
    stones.remove_documents("stones", "1")
    stones.update("stones")
    assert misfits() == {"price": "the stored change of 'a'"}


def test_bad_lines_and_duplicates_beside_changes(stones: Indexes, tmp_path: Path) -> None:
    stones.patch_documents("stones", {"id": "5", "price": 500})
    lines = [json.dumps(one) for one in (*DOCUMENTS, DOCUMENTS[5], DOCUMENTS[6])]
    (tmp_path / "stones.jsonl").write_text("\n".join([*lines[:4], "{", *lines[4:]]))
    stones.patch_documents("stones", {"id": "6", "price": 600})
    assert (_found(stones, "price:500"), _found(stones, "price:600")) == (["5"], ["6"])
    change = stones.update("stones")
    report = stones.report("stones")
    assert report is not None
    assert (change.stored_changes, report.bad_lines, report.duplicates) == (2, 1, 2)
    assert (_found(stones, "price:500"), _found(stones, "price:600")) == (["5"], ["6"])


def test_changes_are_dropped_explicitly(stones: Indexes) -> None:
    _change_all(stones)
    dropped, change = stones.drop_changes("stones", ["7", "new"])
    assert (dropped, change.stored_changes) == (2, 2)
    assert (_found(stones, "basalt"), "7" in _found(stones, "amber")) == ([], True)
    assert stones.drop_changes("stones")[0] == 2
    assert _found(stones, "amber") == [str(number) for number in range(10)]
    assert stones.update("stones").stored_changes == 0


def test_an_unknown_field_is_one_after_the_next_build(stones: Indexes) -> None:
    report = stones.put_documents("stones", {"id": "a", "text": "basalt", "brand": "Oak"})
    assert (report.unknown_fields, report.added) == (1, 1)
    assert "brand" not in stones.info("stones").fields
    stones.update("stones")
    assert _found(stones, "brand:oak") == ["a"]
    report = stones.put_documents("stones", {"id": "b", "brand": "Wren", "price": "call us"})
    assert (report.unknown_fields, report.misfits) == (0, 1)
    assert _found(stones, "brand:wren") == ["b"]


def test_all_or_nothing(stones: Indexes) -> None:
    lines = [b'{"id":"a","text":"basalt"}', b"", b"{"]
    report = stones.put_documents("stones", lines, all_or_nothing=True)
    assert (report.stored, report.refused, report.details[0].line) == (0, 1, 3)
    assert _found(stones, "basalt") == []
    report = stones.put_documents("stones", lines)
    assert (report.stored, report.refused, report.details[0].line) == (1, 1, 3)
    assert _found(stones, "basalt") == ["a"]


def test_while_another_process_writes_changes_are_stored(
    stones: Indexes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whoever holds the lock applies them when it has released it."""
    monkeypatch.setattr("gossamer.app.document_editing._WAIT_SECONDS", 0.0)
    other = gossamer.open(tmp_path / "home")
    with stones._held("stones"):
        report = other.put_documents("stones", {"id": "a", "text": "basalt"})
        assert (report.added, report.searchable) == (1, False)
        assert "works on the index" in report.waiting_because
    info = stones.info("stones")
    assert info.changes is not None
    assert info.changes.waiting == 1

    check = Indexes._check

    def interrupted(self: Indexes, *given: Any) -> None:
        monkeypatch.setattr(Indexes, "_check", check)
        other.put_documents("stones", {"id": "b", "text": "chalk"})
        check(self, *given)

    monkeypatch.setattr(Indexes, "_check", interrupted)
    stones.tune("stones", {"k": 2.0})
    assert (_found(stones, "basalt"), _found(stones, "chalk")) == (["a"], ["b"])
    other.close()


def test_stored_only(stones: Indexes) -> None:
    report = stones.put_documents("stones", {"id": "a", "text": "basalt"}, wait=False)
    assert (report.added, report.searchable, _found(stones, "basalt")) == (1, False, [])
    assert stones.apply_changes("stones")
    assert not stones.apply_changes("stones")
    assert _found(stones, "basalt") == ["a"]


def test_large_indexes_make_suggestions_with_the_next_update(
    stones: Indexes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_batches, "_CHEAP_COMPANIONS", 0)
    monkeypatch.setattr(change_batches, "_CHANGED_SHARE", 0)
    stones.put_documents("stones", {"id": "a", "title": "serpentine", "text": "green"})
    assert _found(stones, "serpentine") == ["a"]
    suggest = stones.searcher("stones").suggest
    assert suggest("stone")
    assert suggest("serp") == []
    stones.update("stones")
    assert stones.searcher("stones").suggest("serp") == ["serpentine"]


def test_documents_are_listed_with_their_changes(stones: Indexes) -> None:
    _change_all(stones)
    values = {str(value["id"]): value for value in stones.document_values("stones")}
    assert values["5"] == {"id": "5", "text": "amber", "price": 500}
    assert values["3"] == {"id": 3, "text": "flint"}
    assert "7" not in values
    assert list(values)[-2:] == ["new", "3"]
    changes = list(stones.stored_changes("stones"))
    assert [one.id for one in changes] == ["new", "3", "5", "7"]
    rest = stones.stored_changes("stones", after=changes[1].sequence)
    assert [one.id for one in rest] == ["5", "7"]


def test_where_single_changes_are_refused(tmp_path: Path) -> None:
    file = _write(tmp_path / "stones.jsonl", DOCUMENTS)
    with gossamer.open(tmp_path / "home") as indexes:
        with pytest.raises(IndexNotFound):
            indexes.put_documents("stones", {"id": "a"})
        indexes.build("stones", (), file, IndexSettings(language="en"))
        indexes.put_documents("stones", {"id": "a", "text": "basalt"})
        with indexes._held("stones"), pytest.raises(IndexHeld):
            indexes.drop_changes("stones")
        changes = tmp_path / "home" / "indexes" / "stones" / CHANGES_FILE
        changes.write_bytes(b"damaged" * 1_000)
        assert _found(indexes, "basalt") == ["a"], "it can still be searched"
        assert indexes.info("stones").changes is None
        with pytest.raises(FormatError, match="drop-changes"):
            indexes.update("stones")
        indexes.drop_changes("stones")
        assert _found(indexes, "basalt") == []


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A home with a run, and an index of documents."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "page.html").write_text("<title>A page</title><p>Of amber.</p>")
    home = tmp_path / "home"
    command = [sys.executable, "-m", "gossamer.cli", "--home", str(home), "crawl", str(folder)]
    subprocess.run([*command, "--fetchers", "1"], check=True, capture_output=True)
    with gossamer.open(home) as indexes:
        file = _write(tmp_path / "stones.jsonl", DOCUMENTS)
        indexes.build("stones", (), file, IndexSettings(language="en"))
    return home


def test_an_index_of_pages_takes_no_changes(pages: Path) -> None:
    """Also if it is built from a run while documents are read."""
    with gossamer.open(pages) as indexes, gossamer.open(pages) as other:

        def documents() -> Iterator[dict[str, Any]]:
            yield {"id": "a", "text": "basalt"}
            other.build("stones", ["folder-1"], None, IndexSettings())

        with pytest.raises(UsageError, match="built from runs; single documents cannot"):
            indexes.put_documents("stones", documents())
        assert (indexes.change_counts("stones").all, indexes.info("stones").documents) == (0, 1)
        # As another version might have left it:
        edits = [Edit(ChangeKind.PUT, "a", b'{"id":"a"}')]
        DocumentChanges(pages / "indexes" / "stones").add(edits, lambda ids: ids, 1.0)
        assert not indexes.apply_changes("stones")
        with pytest.raises(UsageError, match="drop-changes stones' discards them"):
            indexes.build("stones", ["folder-1"], None, IndexSettings())
        assert [one.id for one in indexes.stored_changes("stones")] == ["a"]
        assert indexes.drop_changes("stones")[0] == 1
        indexes.build("stones", ["folder-1"], None, IndexSettings())


def test_no_change_is_stored_while_an_index_is_built_from_runs(
    pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = Indexes._planned
    with gossamer.open(pages) as indexes, gossamer.open(pages) as other:

        def interrupted(self: Indexes, *given: Any, **more: Any) -> Any:
            with pytest.raises(IndexHeld, match="is being rebuilt from runs"):
                other.put_documents("stones", {"id": "a"})
            return planned(self, *given, **more)

        monkeypatch.setattr(Indexes, "_planned", interrupted)
        indexes.build("stones", ["folder-1"], None, IndexSettings())
        assert indexes.change_counts("stones").all == 0


# What a build keeps


def test_a_build_keeps_settings_and_types(stones: Indexes, tmp_path: Path) -> None:
    stones.tune("stones", {"k": 2.0, "weights": {"amber": 3.0}})
    shards = stones.info("stones").shards
    lines = [{"id": "1", "text": "amber", "price": "call us"}, {"id": "2", "made": "2024-05-01"}]
    file = _write(tmp_path / "others.jsonl", lines)
    assert set(stones.kept_settings("stones", IndexSettings(k=1.5))) >= {"weights", "language"}
    stones.build("stones", (), file, IndexSettings(k=1.5))
    settings = stones.settings("stones")
    assert (settings.k, settings.weights, settings.language) == (1.5, {"amber": 3.0}, "en")
    info = stones.info("stones")
    assert (info.shards, info.fields["price"], info.fields["made"]) == (shards, "number", "date")
    report = stones.report("stones")
    assert report is not None
    assert report.overruled_types["price"] == "keyword"
    stones.build("stones", (), file, IndexSettings(language="de"), reset=True)
    assert stones.info("stones").settings == {"language": "de"}
    report = stones.report("stones")
    assert report is not None
    assert (stones.info("stones").fields["price"], report.overruled_types) == ("keyword", {})


def test_a_setting_given_at_its_default_counts_as_given(stones: Indexes, tmp_path: Path) -> None:
    stones.tune("stones", {"per_site": 7})
    stones.build("stones", (), tmp_path / "stones.jsonl", IndexSettings(per_site=2))
    assert stones.settings("stones").per_site == 2


def test_a_kept_setting_that_does_not_fit_is_named(stones: Indexes, tmp_path: Path) -> None:
    stones.tune("stones", {"boost": "log(1 + price)"})
    file = _write(tmp_path / "others.jsonl", [{"id": "1", "text": "amber"}])
    with pytest.raises(UsageError, match=r"keeps the settings boost.*--reset"):
        stones.build("stones", (), file, IndexSettings())
    assert _found(stones, "amber"), "the index is as it was"


# Standard input


def test_documents_from_standard_input_are_stored(tmp_path: Path) -> None:
    home = tmp_path / "home"
    command = [sys.executable, "-m", "gossamer.cli", "--home", str(home), "index", "build"]

    def build(text: str) -> int:
        ended = subprocess.run(
            [*command, "stones", "--documents", "-", "--json"],
            input=text.encode(),
            capture_output=True,
            check=False,
        )
        return ended.returncode

    assert build('{"id":1,"text":"amber"}\n{"id":2,"text":"basalt"}\n') == 0
    home.rename(tmp_path / "moved")
    home = tmp_path / "moved"
    command[4] = str(home)
    with gossamer.open(home) as indexes:
        assert indexes.update("stones").unchanged == 2
        assert build("{") == 2
        assert indexes.update("stones").unchanged == 2, "a build that failed changes nothing"
        indexes.put_documents("stones", {"id": 3, "text": "chalk"})
        assert build('{"id":1,"text":"flint"}\n') == 0
        (stored,) = (home / "indexes" / "stones").glob("standard-input*")
        assert "flint" in stored.read_text()
        assert indexes.update("stones").unchanged == 2
        assert (_found(indexes, "flint"), _found(indexes, "chalk")) == (["1"], ["3"])
