from pathlib import Path

import apsw
import pytest

from gossamer.crawl.journal import JOURNAL_VERSION, Journal
from gossamer.errors import FormatError, StorageError, StorageFull


def test_what_was_put_is_there_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "queue.db")
    assert journal.get("nothing") is None
    for name, value in (("number", 5), ("text", "ä"), ("bytes", b"\0\xff")):
        journal.put(name, value)
        journal.put(name, value)
    journal.close()
    again = Journal(tmp_path / "queue.db")
    assert [again.get(name) for name in ("number", "text", "bytes")] == [5, "ä", b"\0\xff"]
    again.close()


@pytest.mark.parametrize("durable", [True, False])
def test_a_transaction_is_all_or_nothing(tmp_path: Path, durable: bool) -> None:
    journal = Journal(tmp_path / "queue.db")

    def fail() -> None:
        with journal.transaction(durable=durable):
            journal.put("a", 2)
            journal.put("b", 2)
            raise LookupError

    with journal.transaction(durable=durable):
        journal.put("a", 1)
    with pytest.raises(LookupError):
        fail()
    assert (journal.get("a"), journal.get("b")) == (1, None)
    with journal.transaction(durable=durable):
        journal.put("b", 3)
    journal.close()
    assert Journal(tmp_path / "queue.db").get("b") == 3


def test_only_durable_transactions_wait_for_the_disk(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "queue.db")
    for durable, level in ((True, 2), (False, 1), (True, 2)):
        with journal.transaction(durable=durable) as db:
            assert db.pragma("synchronous") == level
    journal.close()


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "queue.db")
    journal.put("a", 1)
    pages = journal.db.pragma("page_count")
    journal.db.pragma("max_page_count", pages)

    def fill() -> None:
        with journal.transaction(durable=True):
            journal.put("a", 2)
            journal.put("large", b"x" * 1_000_000)

    with pytest.raises(StorageFull, match=r"disk is full: .*queue\.db cannot grow"):
        fill()
    assert journal.get("a") == 1
    journal.db.pragma("max_page_count", 1 << 30)
    fill()
    assert journal.get("a") == 2
    journal.close()


def test_a_journal_of_another_version(tmp_path: Path) -> None:
    db = apsw.Connection(str(tmp_path / "queue.db"))
    db.pragma("user_version", JOURNAL_VERSION + 1)
    db.close()
    with pytest.raises(FormatError, match=f"has version {JOURNAL_VERSION + 1}, this program reads"):
        Journal(tmp_path / "queue.db")


def test_a_file_that_is_no_journal(tmp_path: Path) -> None:
    (tmp_path / "queue.db").write_text("something else entirely" * 100)
    with pytest.raises(FormatError, match=r"queue\.db is damaged"):
        Journal(tmp_path / "queue.db")


def test_a_damaged_journal(tmp_path: Path) -> None:
    path = tmp_path / "queue.db"
    journal = Journal(path)
    with journal.transaction(durable=True) as db:
        db.executemany("INSERT INTO seen VALUES(?,?,0)", [(n, n) for n in range(5_000)])
    journal.close()
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xaa" * (len(content) - 8192)
    path.write_bytes(content)
    damaged = Journal(path)
    with (
        pytest.raises(FormatError, match=r"queue\.db is damaged"),
        damaged.transaction(durable=False),
    ):
        damaged.rows("SELECT * FROM seen")
    damaged.close()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be used"):
        Journal(tmp_path / "nowhere" / "queue.db")
