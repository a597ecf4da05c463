"""The catalogue over SQLite: what depends on its file. The rest is in the contract tests."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.errors import FormatError, SettingsError, StorageError, StorageFull
from gossamer.storage.catalogue import Catalogue


def test_it_is_opened_at_the_first_use(tmp_path: Path) -> None:
    path = tmp_path / "new" / "home" / "catalogue.db"
    catalogue = Catalogue(f"sqlite:///{path}")
    assert not path.parent.exists()
    assert catalogue.runs() == []
    assert path.exists()


def test_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    catalogue = Catalogue(f"sqlite:///{path}")
    run = catalogue.create_run("a", [], {})
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        assert writer.execute("pragma journal_mode").fetchone() == ("wal",)
        writer.execute("begin immediate")
        writer.execute("update run set reason = 'not yet committed'")
        assert catalogue.runs() == [run]
        assert Catalogue(f"sqlite:///{path}").newest("a") == run
        writer.execute("rollback")


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.db"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(FormatError, match=r"catalogue\.db is damaged"):
        Catalogue(f"sqlite:///{path}").runs()


def test_a_place_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="file"):
        Catalogue(f"sqlite:///{tmp_path}/file/catalogue.db").runs()
    with pytest.raises(StorageError, match="unable to open"):
        Catalogue(f"sqlite:///{tmp_path}").runs()


def test_a_full_disk_is_said_and_loses_nothing(small_disk: Path) -> None:
    catalogue = Catalogue(f"sqlite:///{small_disk}/catalogue.db")
    run = catalogue.create_run("a", [], {})
    with pytest.raises(StorageFull, match="Free some space"):
        catalogue.update(run.id, reason="x" * 2_000_000)
    assert catalogue.run(run.id) == run


@pytest.mark.parametrize("url", ["no url: secret", "cobol://user:secret@host/base"])
def test_databases_that_we_do_not_know_are_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="database") as caught:
        Catalogue(url).runs()
    assert "secret" not in str(caught.value)
