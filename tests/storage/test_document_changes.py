"""Stored changes of documents."""

import threading
from pathlib import Path

import apsw
import pytest

from gossamer.edits import ChangeKind, ChangeState, Edit
from gossamer.errors import FormatError
from gossamer.storage.document_changes import (
    CHANGES_FILE,
    DocumentChanges,
    EditResult,
)

PUT, PATCH, REMOVE = ChangeKind.PUT, ChangeKind.PATCH, ChangeKind.REMOVE


def _nowhere(_: set[str]) -> set[str]:
    return set()


def _everywhere(ids: set[str]) -> set[str]:
    return ids


def test_the_newest_change_of_an_id_wins(tmp_path: Path) -> None:
    changes = DocumentChanges(tmp_path)
    edits = [Edit(PUT, "a", b'{"id":"a"}'), Edit(PUT, "b", b'{"id":"b"}')]
    results, sequences = changes.add([*edits, Edit(PUT, "a", b'{"id":"a","n":2}')], _nowhere, 1.0)
    assert results == [EditResult.ADDED, EditResult.ADDED, EditResult.CHANGED]
    assert sequences == [1, 2, 3]
    stored = changes.stored()
    assert [(one.id, one.value) for one in stored] == [
        ("b", b'{"id":"b"}'),
        ("a", b'{"id":"a","n":2}'),
    ]


def test_a_patch_is_merged_into_what_is_stored(tmp_path: Path) -> None:
    changes = DocumentChanges(tmp_path)
    changes.add([Edit(PUT, "a", b'{"id":"a","n":1,"s":"x"}')], _nowhere, 1.0)
    changes.add([Edit(PATCH, "a", b'{"n":12345678901234567890123,"s":null}')], _nowhere, 2.0)
    changes.add([Edit(PATCH, "f", b'{"n":1}'), Edit(PATCH, "f", b'{"s":null}')], _everywhere, 3.0)
    whole, patch = changes.stored()
    assert (whole.kind, whole.value) == (PUT, b'{"id":"a","n":12345678901234567890123}')
    assert (patch.kind, patch.value) == (PATCH, b'{"n":1,"s":null}')


def test_what_is_not_there_is_neither_patched_nor_removed(tmp_path: Path) -> None:
    changes = DocumentChanges(tmp_path)
    missing = [EditResult.MISSING, EditResult.MISSING]
    results, _ = changes.add([Edit(PATCH, "a", b"{}"), Edit(REMOVE, "a")], _nowhere, 1.0)
    assert results == missing
    assert changes.stored() == []
    results, _ = changes.add([Edit(REMOVE, "f")], _everywhere, 1.0)
    assert results == [EditResult.REMOVED]
    results, _ = changes.add([Edit(PATCH, "f", b"{}"), Edit(REMOVE, "f")], _everywhere, 1.0)
    assert results == missing
    results, _ = changes.add([Edit(PUT, "f", b"{}")], _everywhere, 1.0)
    assert results == [EditResult.ADDED]


def test_changes_wait_until_they_are_applied(tmp_path: Path) -> None:
    changes = DocumentChanges(tmp_path)
    assert not changes.has_waiting()
    changes.add([Edit(PUT, "a", b"{}"), Edit(PATCH, "p", b"{}")], _everywhere, 1.0)
    first, patch = changes.stored()
    changes.add([Edit(PUT, "b", b"{}")], _nowhere, 1.0)
    changes.mark_applied([first])
    assert [one.id for one in changes.stored(waiting=True)] == ["p", "b"]
    changes.mark_applied(changes.stored(), [patch])
    assert not changes.has_waiting()
    assert changes.sequences(ChangeState.WITHOUT_DOCUMENT, 1, 9) == [(2, "p")]
    held = changes.stored()
    changes.add([Edit(PUT, "a", b"{}")], _nowhere, 1.0)
    changes.mark_applied(held)
    assert [one.id for one in changes.stored(waiting=True)] == ["a"], "it is newer"
    counts = changes.counts()
    assert (counts.put, counts.waiting, counts.last) == (2, 1, 4)
    assert [(one.id, one.state.value) for one in changes.cards(0, 2)] == [
        *(("p", "applied"), ("b", "applied"))
    ]


def test_a_patch_without_its_document_does_not_tell_that_there_is_one(tmp_path: Path) -> None:
    changes = DocumentChanges(tmp_path)
    changes.add([Edit(PATCH, "p", b'{"a":1}')], _everywhere, 1.0)
    changes.mark_applied(changes.stored(), changes.stored())
    assert changes.add([Edit(PATCH, "p", b"{}")], _nowhere, 1.0).results == [EditResult.MISSING]
    results, _ = changes.add([Edit(PATCH, "p", b'{"b":2}')], _everywhere, 1.0)
    assert results == [EditResult.CHANGED]
    assert changes.stored(waiting=True)[0].value == b'{"a":1,"b":2}'


def test_whether_a_document_exists_is_looked_up_in_the_transaction(tmp_path: Path) -> None:
    """Nothing can be dropped between the two lookups."""
    changes = DocumentChanges(tmp_path)
    changes.add([Edit(PATCH, "a", b"{}")], _everywhere, 1.0)
    dropped = threading.Thread(target=changes.drop)

    def indexed(ids: set[str]) -> set[str]:
        assert ids == {"b"}, "of the other, the stored change tells"
        dropped.start()
        return ids

    found = changes.add([Edit(PATCH, "a", b"{}"), Edit(PATCH, "b", b"{}")], indexed, 1.0)
    assert found.results == [EditResult.CHANGED, EditResult.CHANGED]
    dropped.join()
    assert changes.stored() == []


def test_changes_are_dropped(tmp_path: Path) -> None:
    changes = DocumentChanges(tmp_path)
    changes.add([Edit(PUT, one, b"{}") for one in "abc"], _nowhere, 1.0)
    changes.mark_applied(changes.stored())
    assert changes.drop(["b", "nothing"]) == 1
    assert {one.id for one in changes.stored()} == {"a", "c"}
    assert (changes.drop(), changes.count()) == (2, 0)
    changes.add([Edit(PUT, "a", b"{}")], _nowhere, 1.0)
    assert changes.has_waiting(), "a change after that is newer than what was applied"


def test_several_writers_lose_nothing(tmp_path: Path) -> None:
    def write(writer: int) -> None:
        for number in range(20):
            edit = Edit(PATCH, "shared", b'{"w%d_%d":1}' % (writer, number))
            DocumentChanges(tmp_path).add([edit], _everywhere, 1.0)

    threads = [threading.Thread(target=write, args=(one,)) for one in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (stored,) = DocumentChanges(tmp_path).stored()
    assert stored.value.count(b":1") == 80
    assert stored.sequence == 80


def test_a_damaged_or_foreign_file_is_named(tmp_path: Path) -> None:
    changes = DocumentChanges(tmp_path)
    changes.add([Edit(PUT, "a", b"{}")], _nowhere, 1.0)
    db = apsw.Connection(str(tmp_path / CHANGES_FILE))
    db.pragma("user_version", 99)
    db.close()
    with pytest.raises(FormatError, match="version 99"):
        changes.counts()
    (tmp_path / CHANGES_FILE).write_bytes(b"no database at all" * 100)
    with pytest.raises(FormatError, match="drop-changes"):
        changes.counts()
    changes.discard()
    assert changes.counts().all == 0
